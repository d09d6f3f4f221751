"""KS: the worked examples of Kshemkalyani and Singhal, Section 4.4, and what the readings change."""

from __future__ import annotations

import pytest

from precede.models import Message, Packet, Step
from precede.models.ks import KS, Entries, KSState

N = 21
SENDER, A = 10, 5


def ks_state(j: int, log: Entries, clock: int = 0) -> KSState:
    return KSState(j, clock, (0,) * N, frozenset(log.items()))


def entries_of(sender: int, values: frozenset[tuple[tuple[int, int], frozenset[int]]]) -> dict[int, set[int]]:
    return {t: set(dests) for (s, t), dests in values if s == sender}


def only(steps: object) -> Step:
    if isinstance(steps, Step):
        return steps
    assert isinstance(steps, list) and len(steps) == 1
    step: Step = steps[0]
    return step


def test_worked_example_of_snd() -> None:
    """l(i,a).Dests = {2,3,4,6,8}; the message goes to {3,4,7,8,11}."""
    j = 5
    log = {(SENDER, A): frozenset({2, 3, 4, 6, 8})}
    dests = frozenset({3, 4, 7, 8, 11})
    step = only(KS().send(ks_state(j, log), Message(j, 1, dests)))
    carried = {packet.to: entries_of(SENDER, packet.control)[A] for packet in step.packets}
    assert carried == {3: {2, 3, 6}, 4: {2, 4, 6}, 7: {2, 6}, 8: {2, 6, 8}, 11: {2, 6}}
    assert entries_of(SENDER, step.state.LOG) == {A: {2, 6}}
    assert entries_of(j, step.state.LOG) == {1: set(dests)}
    assert step.state.clock == 1


O_M: Entries = {
    (SENDER, 7): frozenset({5}),
    (SENDER, 9): frozenset({7, 11}),
    (SENDER, 12): frozenset({6}),
    (SENDER, 20): frozenset({15, 16}),
}
LOG: Entries = {
    (SENDER, 9): frozenset({2, 7, 13}),
    (SENDER, 10): frozenset({5}),
    (SENDER, 14): frozenset({8}),
    (SENDER, 20): frozenset({3}),
    (SENDER, 21): frozenset({9}),
}


def test_worked_example_of_rcv() -> None:
    """o7, o12, l10 and l14 go in loop 1; l9 becomes {7} and l20 {} in loop 2; RCV(5) deletes l20."""
    packet = Packet(4, 1, Message(4, 1, frozenset({1, 3})), frozenset(O_M.items()))
    step = only(KS().receive(ks_state(1, LOG), packet))
    assert entries_of(SENDER, step.state.LOG) == {9: {7}, 21: {9}}
    assert entries_of(4, step.state.LOG) == {1: {3}}
    assert step.delivered == (packet.message,)
    assert step.state.SR[3] == 1


def test_loop_1_of_the_worked_example() -> None:
    deleted = {victim for victim, _ in KS().redundant(LOG, O_M)}
    assert deleted == {(SENDER, 7), (SENDER, 12), (SENDER, 10), (SENDER, 14)}


def test_the_printed_guard_never_deletes_an_entry_of_the_message() -> None:
    deleted = {victim for victim, _ in KS(guard="a").redundant(LOG, O_M)}
    assert deleted == {(SENDER, 10), (SENDER, 14)}


def test_rcv_1_waits_only_for_entries_that_name_the_receiver() -> None:
    packet = Packet(4, 1, Message(4, 1, frozenset({1})), frozenset({((SENDER, 3), frozenset({1, 2}))}))
    state = ks_state(1, {})
    assert KS().receive(state, packet) is None
    delivered = state._replace(SR=(*state.SR[: SENDER - 1], 3, *state.SR[SENDER:]))
    assert only(KS().receive(delivered, packet)).delivered == (packet.message,)
    assert KS().receive(state, packet._replace(control=frozenset({((SENDER, 3), frozenset({2}))}))) is not None


@pytest.mark.parametrize(
    ("letter", "kept"),
    [("a", {(1, 2), (1, 3), (2, 4)}), ("b", {(1, 2)}), ("c", {(1, 1), (1, 2), (1, 3), (2, 4)})],
)
def test_purge(letter: str, kept: set[tuple[int, int]]) -> None:
    empty = frozenset[int]()
    entries = {(1, 1): empty, (1, 2): frozenset({2}), (1, 3): empty, (2, 4): empty}
    assert set(KS(null_entries=letter).purged(entries)) == kept


@pytest.mark.parametrize("letter", "abd")
def test_three_forms_of_snd_2_reduce_alike(letter: str) -> None:
    """KS-6a, b and d: at most one of the two ifs changes anything, and the second alone is the common reduction."""
    dests = frozenset({3, 4, 7, 8, 11})
    reduced = {d: set(KS(copies=letter).reduced(frozenset({2, 3, 4, 6, 8}), dests, d)) for d in sorted(dests)}
    assert reduced == {3: {2, 3, 6}, 4: {2, 4, 6}, 7: {2, 6}, 8: {2, 6, 8}, 11: {2, 6}}


def test_one_copy_for_all_destinations_loses_what_the_later_ones_must_wait_for() -> None:
    """KS-6c: the copy to 3 has lost 4, and so has the copy to 4, which is made of it."""
    state = ks_state(5, {(SENDER, A): frozenset({3, 4, 6})})
    step = only(KS(copies="c").send(state, Message(5, 1, frozenset({3, 4}))))
    assert [entries_of(SENDER, packet.control)[A] for packet in step.packets] == [{3, 6}, {6}]


def own_copy_received(letter: str) -> Step:
    model = KS(own_copy=letter)
    step = only(model.send(ks_state(1, {(SENDER, 3): frozenset({4})}), Message(1, 1, frozenset({1, 2}))))
    return only(model.receive(step.state, step.packets[0]))


def test_the_own_copy_of_a_self_addressed_message() -> None:
    """KS-7: c updates SR alone; d also strikes the own id; b comes to the same as d here."""
    stored = {letter: entries_of(1, own_copy_received(letter).state.LOG) for letter in "bcd"}
    assert stored == {"b": {1: {2}}, "c": {1: {1, 2}}, "d": {1: {2}}}
    assert {own_copy_received(letter).state.SR[0] for letter in "bcd"} == {1}


def test_sr_is_assigned_or_kept_at_its_maximum() -> None:
    state = KSState(1, 0, (0, 5, 0), frozenset())
    packet = Packet(2, 1, Message(2, 3, frozenset({1})), frozenset())
    assert only(KS().receive(state, packet)).state.SR == (0, 3, 0)
    assert only(KS(last_delivered="b").receive(state, packet)).state.SR == (0, 5, 0)


def test_a_copy_that_names_its_own_message_waits_for_itself() -> None:
    """KS-32b: RCV(1) finds the receiver in the message's own entry."""
    model = KS(own_entry="b")
    step = only(model.send(ks_state(1, {}), Message(1, 1, frozenset({2}))))
    assert step.packets[0].control == {((1, 1), frozenset({2}))}
    assert model.packet_facts(step.packets[0]) == frozenset()
    assert model.receive(ks_state(2, {}), step.packets[0]) is None


def test_where_rcv_3_removes_the_receiver_makes_no_difference_to_the_messages_of_others() -> None:
    """KS-34; only an outstanding copy of a message of the receiver to itself is lost from LOG by b."""
    packet = Packet(4, 1, Message(4, 1, frozenset({1, 3})), frozenset(O_M.items()))
    assert KS().receive(ks_state(1, LOG), packet) == KS(removal="b").receive(ks_state(1, LOG), packet)
    own = ks_state(1, {(1, 1): frozenset({1, 2})})
    assert entries_of(1, only(KS().receive(own, packet)).state.LOG) == {1: {1, 2}}
    assert entries_of(1, only(KS(removal="b").receive(own, packet)).state.LOG) == {1: {2}}


def test_initial_log_has_an_empty_entry_of_every_process_unless_ks_10d() -> None:
    initial, without = KS().start(2, 3).LOG, KS(null_entries="d").start(2, 3).LOG
    assert initial == {((s, 0), frozenset()) for s in (1, 2, 3)}
    assert without == frozenset()


def test_deletion_in_place_depends_on_the_order_of_the_pairs() -> None:
    """o3 is deleted because of l7, and l7 because of o9: when l7 goes first, o3 stays."""
    entries = frozenset({((SENDER, 3), frozenset({5})), ((SENDER, 9), frozenset({6}))})
    packet = Packet(4, 1, Message(4, 1, frozenset({1})), entries)
    state = ks_state(1, {(SENDER, 7): frozenset({8})})
    steps = KS(deletion="b").receive(state, packet)
    assert isinstance(steps, list)
    assert [set(entries_of(SENDER, step.state.LOG)) for step in steps] == [{9}, {3, 9}]
    assert set(entries_of(SENDER, only(KS().receive(state, packet)).state.LOG)) == {9}


def test_control_counts_destinations_once_a_sender() -> None:
    entries = frozenset({((1, 1), frozenset({2, 3})), ((1, 2), frozenset({3})), ((2, 1), frozenset[int]())})
    packet = Packet(4, 1, Message(4, 1, frozenset({1})), entries)
    assert KS().control_units(packet) == 2
    assert KS().control_bytes(packet) == (6 + 4) + (6 + 2) + 6
    assert KS().packet_facts(packet) == {((1, 1), 2), ((1, 1), 3), ((1, 2), 3)}
