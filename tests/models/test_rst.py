"""RST as algorithms.md, B1 states it."""

from __future__ import annotations

from precede.models import Message, Packet, Step
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
