"""BSS in one group, as algorithms.md, B3 states it, and what the readings change."""

from __future__ import annotations

import pytest

from precede.models import Message, Packet, Step
from precede.models.bss import BSS, BSSState, Vector


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


STATE = BSSState(1, (3, 1, 2))
"""Process 1 of 3 has sent 3 and delivered 1 of process 2 and 2 of process 3."""


def copy_of(sender: int, T: Vector) -> Packet:
    return Packet(sender, 1, Message(sender, T[sender - 1], frozenset({1, 2, 3}) - {sender}), T)


def test_a_copy_carries_v_with_the_message_counted() -> None:
    step = one(BSS().send(STATE, Message(1, 4, frozenset({2, 3}))))
    assert [(packet.to, packet.control) for packet in step.packets] == [(2, (4, 1, 2)), (3, (4, 1, 2))]
    assert step.state == BSSState(1, (4, 1, 2))


@pytest.mark.parametrize(
    ("T", "letters"),
    [
        ((3, 2, 2), "abcd"),
        ((0, 2, 0), "abcd"),
        ((0, 3, 0), "cd"),
        ((0, 2, 3), "b"),
        ((0, 1, 0), "c"),
        ((0, 3, 3), ""),
    ],
    ids=["next", "next, and older", "one too many", "another is unknown", "a second time", "both"],
)
def test_which_guards_let_a_copy_of_process_2_in(T: Vector, letters: str) -> None:
    assert "".join(letter for letter in "abcd" if BSS(guard=letter).receive(STATE, copy_of(2, T))) == letters


def test_a_delivery_counts_for_its_sender_and_under_bss_2b_for_the_receiver() -> None:
    step = one(BSS().receive(STATE, copy_of(2, (1, 2, 1))))
    assert (step.state, len(step.delivered)) == (BSSState(1, (3, 2, 2)), 1)
    assert one(BSS(ticks="b").receive(STATE, copy_of(2, (1, 2, 1)))).state == BSSState(1, (4, 2, 2))


def test_the_own_copy() -> None:
    """Process 1 has sent 3 messages; the copy of its second comes back."""
    own = copy_of(1, (2, 0, 0))
    assert one(BSS().receive(STATE, own)).state == STATE
    assert one(BSS(own_copy="b").receive(STATE, own)).state == BSSState(1, (2, 1, 2))
    assert BSS(own_copy="c").receive(STATE, own) is None
    assert one(BSS(ticks="b").receive(STATE, own)).state == STATE


def test_control_is_a_vector_of_4_byte_counters() -> None:
    assert (BSS().control_units(copy_of(2, (0, 1, 0))), BSS().control_bytes(copy_of(2, (0, 1, 0)))) == (3, 12)
