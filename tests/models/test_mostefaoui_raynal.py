"""Mostefaoui-Raynal as algorithms.md, B9 states it, and what MR-1 and MR-2 change."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from naively import explored
from precede.models import Message, Packet, Sets, Signal, Step
from precede.models.mostefaoui_raynal import MostefaouiRaynal, MRState, Phases

A, B, C, ALL = frozenset({1, 2}), frozenset({1, 3}), frozenset({2, 3}), frozenset({1, 2, 3})
PAIRS: Sets = (A, B, C)
TWO: Sets = (A, ALL)


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def phases(a: int, b: int, c: int, every: int) -> Phases:
    return (A, a), (B, b), (C, c), (ALL, every)


def state(seen: dict[tuple[frozenset[int], int], int], *buffer: Packet, C_all: int = 2) -> MRState:
    """Process 2 of 3, in all groups but {1,3}, from whose phase 4 it has heard."""
    nothing = {(A, 1): 0, (C, 3): 0, (ALL, 1): 0, (ALL, 3): 0}
    K, own = phases(1, 4, 2, 2), ((A, 1), (C, 0), (ALL, C_all))
    return MRState(2, K, own, tuple((nothing | seen).items()), frozenset(buffer))


def phase_of(step: Step, group: frozenset[int]) -> int:
    packet = step.packets[0]
    assert isinstance(packet, Packet)
    return dict(packet.control)[group]


def test_a_send_gets_a_phase_above_all_that_its_sender_knows_of() -> None:
    to_3 = Message(2, 1, frozenset({3}))
    found = {letter: phase_of(one(MostefaouiRaynal(phase=letter).send(state({}), to_3)), C) for letter in "abc"}
    assert found == {"a": 5, "b": 1, "c": 3}


def test_a_copy_carries_a_phase_for_each_group_also_those_of_others() -> None:
    message = Message(2, 1, frozenset({1, 3}))
    step = one(MostefaouiRaynal().send(state({}), message))
    T = phases(1, 4, 2, 5)
    assert step.packets == (Packet(2, 1, message, T), Packet(2, 3, message, T))
    assert step.state == state({})._replace(K=T, C=((A, 1), (C, 0), (ALL, 5)))
    packet = Packet(2, 1, message, T)
    assert (MostefaouiRaynal().control_units(packet), MostefaouiRaynal().control_bytes(packet)) == (4, 16)


def test_destinations_and_sender_are_a_group() -> None:
    model = MostefaouiRaynal(groups=TWO)
    start = model.start(1, 3)
    assert start == MRState(
        1, ((A, 0), (ALL, 0)), ((A, 0), (ALL, 0)), (((A, 2), 0), ((ALL, 2), 0), ((ALL, 3), 0)), frozenset()
    )
    assert model.send(start, Message(1, 1, frozenset({3}))) is None
    assert phase_of(one(model.send(start, Message(1, 1, frozenset({2})))), A) == 1
    assert [g for g, _ in MostefaouiRaynal().start(2, 3).K] == [A, B, C, ALL]


@pytest.mark.parametrize(
    ("letter", "seen", "enabled"),
    [
        ("c", {}, True),
        ("d", {(ALL, 1): 2}, False),
        ("d", {(ALL, 1): 2, (ALL, 3): 2}, True),
        ("e", {(ALL, 1): 2, (ALL, 3): 2}, False),
        ("e", {(ALL, 1): 2, (ALL, 3): 2, (A, 1): 1}, True),
    ],
)
def test_sends_may_wait_until_all_have_reached_the_phase(letter: str, seen: Any, enabled: bool) -> None:
    steps = MostefaouiRaynal(phase=letter).send(state(seen), Message(2, 1, frozenset({1, 3})))
    assert (steps is not None) == enabled


def test_who_hears_of_a_new_phase_tells_all_others_in_the_group_once() -> None:
    model = MostefaouiRaynal()
    first = one(model.signal(state({}), Signal(1, 2, (ALL, 3))))
    assert first.packets == (Signal(2, 1, (ALL, 3)), Signal(2, 3, (ALL, 3)))
    assert first.state == state({(ALL, 1): 3}, C_all=3)
    again = one(model.signal(first.state, Signal(3, 2, (ALL, 3))))
    assert again == Step(state({(ALL, 1): 3, (ALL, 3): 3}, C_all=3))


def test_what_was_heard_of_stays() -> None:
    step = one(MostefaouiRaynal().signal(state({(ALL, 1): 2}), Signal(1, 2, (ALL, 1))))
    assert step == Step(state({(ALL, 1): 2}))


def test_of_two_messages_that_need_not_wait_any_more_the_smaller_phase_goes_first() -> None:
    """Both know of phase 1 in {1,2,3}, of which 3 has not told yet."""
    in_A = Packet(1, 2, Message(1, 2, frozenset({2})), phases(3, 0, 0, 1))
    in_C = Packet(3, 2, Message(3, 1, frozenset({2})), phases(0, 0, 2, 1))
    waiting = state({(ALL, 1): 2, (A, 1): 3, (C, 3): 2}, in_A, in_C)
    step = one(MostefaouiRaynal().signal(waiting, Signal(3, 2, (ALL, 1))))
    assert step.delivered == (in_C.message, in_A.message)


def test_a_message_waits_until_all_have_reached_the_phase_before() -> None:
    model, message = MostefaouiRaynal(), Message(1, 1, frozenset({2, 3}))
    packet = Packet(1, 2, message, phases(0, 0, 0, 3))
    waiting = one(model.receive(state({(ALL, 3): 1}), packet))
    assert (waiting.delivered, waiting.state.buffer) == ((), {packet})
    assert one(model.signal(waiting.state, Signal(3, 2, (ALL, 2)))).delivered == (message,)
    assert one(model.receive(state({(ALL, 3): 2}), packet)).delivered == (message,)


def test_it_waits_in_the_other_groups_of_the_receiver_for_the_phase_itself() -> None:
    """It says nothing of {1,3}, whose messages do not come here."""
    model, message = MostefaouiRaynal(), Message(1, 1, frozenset({2, 3}))
    packet = Packet(1, 2, message, phases(0, 9, 2, 3))
    heard = {(ALL, 1): 2, (ALL, 3): 2}
    assert one(model.receive(state(heard | {(C, 3): 1}), packet)).delivered == ()
    step = one(model.receive(state(heard | {(C, 3): 2}), packet))
    assert step.delivered == (message,)
    assert phases(1, 9, 2, 3) == step.state.K


def test_a_message_waits_for_those_of_earlier_phases_in_the_buffer_and_then_goes_with_them() -> None:
    """1.1, of phase 2, waits for 3's phase 1 in {2,3}; 3.1, of phase 3, waits for 1.1 alone."""
    model = MostefaouiRaynal()
    early = Packet(1, 2, Message(1, 1, frozenset({2, 3})), phases(0, 0, 1, 2))
    late = Packet(3, 2, Message(3, 1, frozenset({1, 2})), phases(0, 0, 0, 3))
    waiting = state({(ALL, 1): 2, (ALL, 3): 2}, early)
    step = one(model.receive(waiting, late))
    assert (step.delivered, step.state.buffer) == ((), {early, late})
    step = one(model.signal(step.state, Signal(3, 2, (C, 1))))
    assert (step.delivered, step.state.buffer) == ((early.message, late.message), frozenset())


def test_what_is_updated_at_the_arrival_of_a_message_that_waits() -> None:
    packet = Packet(1, 2, Message(1, 1, frozenset({2, 3})), phases(3, 9, 0, 5))
    found = {}
    for letter in "abcd":
        step = one(MostefaouiRaynal(updated=letter).receive(state({}), packet))
        assert step.delivered == ()
        found[letter] = dict(step.state.K)[B], dict(step.state.C)[ALL], len(step.packets)
    assert found == {"a": (4, 5, 2), "b": (9, 5, 2), "c": (4, 5, 2), "d": (4, 2, 0)}


def test_what_is_updated_at_a_delivery() -> None:
    """A state that no run has: heard of phase 3 in {1,2} without having reached it."""
    packet = Packet(1, 2, Message(1, 1, frozenset({2, 3})), phases(3, 9, 0, 3))
    heard = {(ALL, 1): 2, (ALL, 3): 2, (A, 1): 3}
    found = {}
    for letter in "abcd":
        step = one(MostefaouiRaynal(updated=letter).receive(state(heard), packet))
        assert step.delivered == (packet.message,)
        found[letter] = dict(step.state.C)[A], dict(step.state.C)[ALL], len(step.packets)
    assert found == {"a": (1, 3, 2), "b": (1, 3, 2), "c": (3, 3, 2), "d": (1, 3, 2)}


def test_the_own_copy_is_delivered_at_once() -> None:
    found = explored(MostefaouiRaynal(), processes=2, sends=3, self_addressed="at-send")
    assert not found.violated.keys() & set(MostefaouiRaynal.claims)


Verdict = dict[str, int]


@pytest.mark.parametrize(
    ("model", "sends", "states", "transitions", "violated"),
    [
        (MostefaouiRaynal(), 2, 6613, 18810, {}),
        (MostefaouiRaynal(phase="e"), 2, 3589, 9135, {}),
        (MostefaouiRaynal(updated="d"), 2, 3052, 7878, {"Delivery": 6}),
        (MostefaouiRaynal(groups=PAIRS), 3, 3196, 6522, {}),
        (MostefaouiRaynal(groups=PAIRS, phase="b"), 3, 3166, 6474, {}),
        (MostefaouiRaynal(groups=PAIRS, phase="c"), 3, 3166, 6474, {}),
        (MostefaouiRaynal(groups=PAIRS, phase="d"), 3, 2572, 5010, {}),
        (MostefaouiRaynal(groups=PAIRS, phase="e"), 3, 1750, 3018, {}),
        (MostefaouiRaynal(groups=PAIRS, updated="b"), 3, 3196, 6522, {}),
        (MostefaouiRaynal(groups=PAIRS, updated="c"), 3, 3196, 6522, {}),
        (MostefaouiRaynal(groups=PAIRS, updated="d"), 3, 3160, 6438, {}),
    ],
)
def test_three_processes(model: Any, sends: int, states: int, transitions: int, violated: Verdict) -> None:
    found = explored(model, processes=3, sends=sends)
    claimed = {name: length for name, length in found.violated.items() if name in model.claims}
    assert (len(found.states), found.transitions, claimed) == (states, transitions, violated)


def test_nulls_end_there_are_at_most_four_for_a_message_to_two() -> None:
    """The longest run: 2 sends, 4 arrivals of messages, and of 8 nulls."""
    assert explored(MostefaouiRaynal(groups=(ALL,)), processes=3, sends=2).depth == 2 + 4 + 8
    assert explored(MostefaouiRaynal(groups=PAIRS), processes=3, sends=2).depth == 2 + 2 + 2


def test_a_message_may_wait_for_nulls_alone() -> None:
    """The second message of a sender waits until the third process has heard of the first."""
    assert explored(MostefaouiRaynal(groups=(ALL,)), processes=3, sends=2).violated == {"NoNeedlessDelay": 4}


@pytest.mark.parametrize(("letter", "length"), [("a", 3), ("b", 3), ("c", 3), ("d", 5), ("e", 5)])
def test_channels_have_to_be_fifo(letter: str, length: int) -> None:
    """A null or a later message that overtakes says that the phase before has been heard of."""
    model = MostefaouiRaynal(groups=PAIRS, phase=letter)
    assert explored(model, processes=3, sends=3, channel="unordered").violated["CausalOrder"] == length


class Ended(NamedTuple):
    """After a run in which everything arrived: its steps, and who still waits for which message."""

    steps: int
    waiting: set[tuple[int, tuple[int, int]]]


def ended(model: MostefaouiRaynal, processes: int, *events: tuple[int, set[int]] | tuple[int, int]) -> Ended:
    """The end of the run of `events`: sends (p, {to}), and arrivals (from, to) of the oldest packet of a channel if it
    has one. Everything else arrives at the end, or before a send that would have to wait."""
    states = {p: model.start(p, processes) for p in range(1, processes + 1)}
    channels: dict[tuple[int, int], list[Packet | Signal]] = {}
    numbers = dict.fromkeys(states, 0)
    steps = 0

    def after(p: int, step: Step) -> None:
        nonlocal steps
        steps += 1
        states[p] = step.state
        for packet in step.packets:
            channels.setdefault((packet.sender, packet.to), []).append(packet)

    def arrive(channel: tuple[int, int]) -> None:
        packet = channels[channel].pop(0)
        taking = model.receive if isinstance(packet, Packet) else model.signal
        after(channel[1], one(taking(states[channel[1]], packet)))

    def arrive_all() -> None:
        while waiting := [channel for channel, packets in channels.items() if packets]:
            arrive(waiting[0])

    for p, to in events:
        if isinstance(to, int):
            if channels[p, to]:
                arrive((p, to))
            continue
        numbers[p] += 1
        message = Message(p, numbers[p], frozenset(to))
        if model.send(states[p], message) is None:
            arrive_all()
        after(p, one(model.send(states[p], message)))
    arrive_all()
    return Ended(steps, {(p, packet.message[:2]) for p, s in states.items() for packet in s.buffer})


@pytest.mark.parametrize("letter", ["b", "c", "d"])
def test_phases_that_follow_the_own_group_alone_end_in_a_deadlock(letter: str) -> None:
    """1 tells 2 and 3. 3, which has heard, tells all, and 2, which has not, tells all and then 1. At 1 the message of 3
    waits for phase 1 of {1,2}, that of 2 for phase 1 of {1,2,3}: for each other."""
    run = (1, {2}), (1, {3}), (2, {1, 3}), (2, {1}), (1, 3), (3, {1, 2})
    assert ended(MostefaouiRaynal(phase=letter), 3, *run) == Ended(15, {(1, (3, 1)), (1, (2, 2))})
    for repaired in "a", "e":
        assert ended(MostefaouiRaynal(phase=repaired), 3, *run).waiting == set()


@pytest.mark.parametrize("letter", ["b", "c", "d"])
def test_four_messages_deadlock_in_two_groups_that_share_three(letter: str) -> None:
    """2 tells the large group and then the small one, 3 the other way round, before anything arrives."""
    run = (2, {1, 3, 4}), (2, {1, 3}), (3, {1, 2}), (3, {1, 2, 4})
    groups = frozenset({1, 2, 3}), frozenset({1, 2, 3, 4})
    found = ended(MostefaouiRaynal(groups=groups, phase=letter), 4, *run)
    assert found.waiting == {(1, (2, 2)), (1, (3, 2))}
    for repaired in "a", "e":
        assert ended(MostefaouiRaynal(groups=groups, phase=repaired), 4, *run).waiting == set()
