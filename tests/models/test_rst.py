"""RST as algorithms.md, B1 states it."""

from __future__ import annotations

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.prs import PRS
from precede.models.rst import RST, RSTState

ZERO = ((0, 0, 0), (0, 0, 0), (0, 0, 0))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def test_a_copy_carries_sent_as_it_was_before_its_own_message() -> None:
    model = RST()
    first = one(model.send(model.start(1, 3), Message(1, 1, frozenset({2, 3}))))
    second = one(model.send(first.state, Message(1, 2, frozenset({3}))))
    assert [(packet.to, packet.control) for packet in first.packets] == [(2, ZERO), (3, ZERO)]
    assert second.packets[0].control == ((0, 1, 1), (0, 0, 0), (0, 0, 0))
    assert second.state.SENT == ((0, 1, 2), (0, 0, 0), (0, 0, 0))


def test_the_triangle_waits_for_the_direct_message() -> None:
    """1 tells 3, then 2; 2 tells 3: at 3 the message of 2 waits for the one of 1."""
    model = RST()
    to_3 = one(model.send(model.start(1, 3), Message(1, 1, frozenset({3}))))
    to_2 = one(model.send(to_3.state, Message(1, 2, frozenset({2}))))
    at_2 = one(model.receive(model.start(2, 3), to_2.packets[0]))
    late = one(model.send(at_2.state, Message(2, 1, frozenset({3})))).packets[0]
    assert model.receive(model.start(3, 3), late) is None
    at_3 = one(model.receive(model.start(3, 3), to_3.packets[0]))
    assert one(model.receive(at_3.state, late)).delivered == (late.message,)


def test_the_receiver_records_the_copies_to_all_destinations() -> None:
    message = Message(1, 1, frozenset({2, 3}))
    packet = Packet(1, 2, message, ZERO)
    recorded = {
        letter: one(RST(recorded=letter).receive(RST().start(2, 3), packet)).state.SENT[0] for letter in ("a", "b", "c")
    }
    assert recorded == {"a": (0, 1, 1), "b": (0, 1, 0), "c": (0, 0, 0)}


def test_order_of_increment_and_maximum() -> None:
    """Process 2 knows of one message from 1 to 3 that is not on the copy; the copy is the first of two to both."""
    state = RSTState(2, ((0, 0, 1), (0, 0, 0), (0, 0, 0)), (0, 0, 0))
    packet = Packet(1, 2, Message(1, 1, frozenset({2, 3})), ZERO)
    rows = {letter: one(RST(order=letter).receive(state, packet)).state.SENT[0] for letter in ("a", "b", "c")}
    assert rows == {"a": (0, 1, 1), "b": (0, 1, 2), "c": (0, 1, 2)}


def test_own_copy_is_counted_by_its_reading() -> None:
    """The send has counted the copy of 1 to itself; d4 must not count it twice."""
    message = Message(1, 1, frozenset({1, 2}))
    rows = {}
    for letter in ("b", "c", "d"):
        model = RST(own_copy=letter)
        sent = one(model.send(model.start(1, 2), message))
        rows[letter] = one(model.receive(sent.state, sent.packets[0])).state.SENT[0]
    assert rows == {"b": (1, 1), "c": (2, 2), "d": (1, 1)}
    assert [RST(own_copy=letter).self_addressed for letter in "abcd"] == [False, True, True, True]


def test_control_is_a_matrix_of_4_byte_counters() -> None:
    packet = Packet(1, 2, Message(1, 1, frozenset({2})), ZERO)
    assert (RST().control_units(packet), RST().control_bytes(packet)) == (9, 36)


def test_rst_4b_counts_nothing_on_the_diagonal() -> None:
    model = RST(diagonal="b", own_copy="b")
    sent = one(model.send(model.start(1, 2), Message(1, 1, frozenset({1, 2}))))
    assert sent.state.SENT == ((0, 1), (0, 0))
    assert one(model.receive(sent.state, sent.packets[0])).state.SENT == ((0, 1), (0, 0))
    assert model.control_units(sent.packets[0]) == 2


def test_rst_5b_puts_the_earlier_copies_on_the_later_ones() -> None:
    model = RST(copies="b")
    sent = one(model.send(model.start(1, 4), Message(1, 1, frozenset({2, 3, 4}))))
    assert [packet.control[0] for packet in sent.packets] == [(0, 0, 0, 0), (0, 1, 0, 0), (0, 1, 1, 0)]
    assert sent.state.SENT[0] == (0, 1, 1, 1)


def test_rst_6b_keeps_one_cell_of_the_matrix() -> None:
    model = RST(maxima="b")
    packet = Packet(1, 2, Message(1, 2, frozenset({2, 3})), ((0, 1, 4), (0, 0, 0), (5, 0, 0)))
    state = one(model.receive(RSTState(2, ZERO, (1, 0, 0)), packet)).state
    assert state.SENT == ((0, 2, 0), (0, 0, 0), (0, 0, 0))


def test_gk_19a_tests_what_the_receiver_knew_before() -> None:
    second = Packet(1, 2, Message(1, 2, frozenset({2})), ((0, 1, 0), (0, 0, 0), (0, 0, 0)))
    assert RST().receive(RST().start(2, 3), second) is None
    overtaken = one(RST(tested="a").receive(RST().start(2, 3), second)).state
    assert overtaken == RSTState(2, ((0, 2, 0), (0, 0, 0), (0, 0, 0)), (1, 0, 0))
    assert RST(tested="a").receive(overtaken, Packet(1, 2, Message(1, 1, frozenset({2})), ZERO)) is None


def test_x_5b_counts_nothing_twice() -> None:
    """The first message of 1 is delivered twice; the third waits for the second."""
    first, third = (Packet(1, 2, Message(1, n, frozenset({2})), ((0, n - 1), (0, 0))) for n in (1, 3))
    passes = {}
    for letter in "ab":
        model = RST(compared=letter)
        once = one(model.receive(model.start(2, 2), first)).state
        twice = one(model.receive(once, first)).state
        passes[letter] = model.receive(twice, third) is not None
    assert passes == {"a": True, "b": False}
    assert twice == RSTState(2, ((0, 1), (0, 0)), (frozenset({1}), frozenset()))


@pytest.mark.parametrize(("delivered", "passes"), [({1, 2}, True), ({2}, False), ({1}, False), ({2, 3}, False)])
def test_x_5b_wants_every_message_before(delivered: set[int], passes: bool) -> None:
    third = Packet(1, 2, Message(1, 3, frozenset({2})), ((0, 2), (0, 0)))
    state = RSTState(2, ((0, 0), (0, 0)), (frozenset(delivered), frozenset()))
    assert (RST(compared="b").receive(state, third) is not None) == passes


@pytest.mark.parametrize("channel", ["unordered", "fifo"])
@pytest.mark.parametrize(
    ("model", "states", "violated"),
    [
        (RST(diagonal="b"), 484, {}),
        (RST(copies="b"), 475, {"Delivery": 4, "NoNeedlessDelay": 4}),
        (RST(copies="b", recorded="b"), 493, {"CausalOrder": 4}),
        (RST(maxima="b"), 502, {"CausalOrder": 4}),
        (RST(compared="b"), 484, {}),
    ],
)
def test_two_multicasts_of_three_processes(model: RST, states: int, violated: dict[str, int], channel: str) -> None:
    found = explored(model, processes=3, sends=2, channel=channel)
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize(
    ("model", "states", "violated"),
    [
        (RST(recorded="c"), 1145, {}),
        (RST(copies="b"), 1145, {}),
        (RST(maxima="b"), 1151, {"CausalOrder": 5}),
        (RST(maxima="b", recorded="c"), 1151, {"CausalOrder": 5}),
        (RST(tested="a"), 1307, {"CausalOrder": 3, "Delivery": 3, "NoNeedlessDelay": 3}),
        (RST(tested="a", recorded="c"), 1337, {"CausalOrder": 3, "Delivery": 4, "NoNeedlessDelay": 4}),
    ],
)
def test_restatements_in_unicast(model: RST, states: int, violated: dict[str, int]) -> None:
    """RST-6: Sanchez and Alvarez record no copies (RST-1c), which unicast does not need."""
    found = explored(model, processes=3, sends=3, dests="unicast")
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize(
    ("model", "violated"),
    [
        (RST(), {"Integrity": 4, "CausalOrder": 7}),
        (RST(compared="b"), {"Integrity": 4}),
        (PRS(), {"Integrity": 4, "Delivery": 7, "NoNeedlessDelay": 7}),
        (PRS(compared="b"), {"Integrity": 4}),
    ],
)
def test_identities_survive_a_duplicate_and_counts_do_not(model: RST | PRS, violated: dict[str, int]) -> None:
    """RST counts the duplicate for the next message; PRS sets its count back and waits for ever."""
    found = explored(model, processes=2, sends=3, duplicates=1)
    judged = ("Integrity", "CausalOrder", "Delivery", "NoNeedlessDelay")
    assert {name: steps for name, steps in found.violated.items() if name in judged} == violated


@pytest.mark.parametrize(
    ("model", "states", "violated"),
    [
        (RST(own_copy="b", diagonal="b"), 281, {"CausalOrder": 3}),
        (RST(own_copy="b", compared="b"), 259, {}),
        (RST(own_copy="b", maxima="b"), 265, {"CausalOrder": 4}),
    ],
)
def test_messages_to_oneself_need_the_diagonal(model: RST, states: int, violated: dict[str, int]) -> None:
    found = explored(model, processes=2, sends=2, self_addressed="network")
    assert (len(found.states), found.violated) == (states, violated)


def test_a_copy_delivered_at_the_send_needs_no_diagonal() -> None:
    for diagonal in "ab":
        found = explored(RST(own_copy="b", diagonal=diagonal), processes=2, sends=3, self_addressed="at-send")
        assert (len(found.states), found.violated) == (838, {})


@pytest.mark.parametrize("letter", ["a", "b"])
def test_prs_waits_for_the_last_message_or_for_the_message_itself(letter: str) -> None:
    model = PRS(compared=letter)
    state = model.start(1, 3)
    for number in (2, 1):
        copy = Packet(2, 1, Message(2, number, frozenset({1})), (frozenset(),) * 3)
        state = one(model.receive(state, copy)).state
    waits_for_2 = Packet(3, 1, Message(3, 1, frozenset({1})), (frozenset({(2, 2)}), frozenset(), frozenset()))
    assert (model.receive(state, waits_for_2) is None) == (letter == "a")
    assert state.DELIV[1][0] == (1 if letter == "a" else {1, 2})
    only_3 = one(
        model.receive(model.start(1, 3), Packet(2, 1, Message(2, 3, frozenset({1})), ((frozenset(),) * 3)))
    ).state
    assert (model.receive(only_3, waits_for_2) is None) == (letter == "b")


def test_prs_with_identities_has_the_states_of_prs_with_counts() -> None:
    counts, identities = (explored(PRS(compared=letter), processes=3, sends=2) for letter in "ab")
    assert len(counts.states) == len(identities.states) == 484
    assert counts.violated == identities.violated
