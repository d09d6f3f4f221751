"""SES as algorithms.md, B2 states it, and what the readings change."""

from __future__ import annotations

import pytest

from precede.models import Message, Packet, Step
from precede.models.ses import SES, SESControl, SESState, Vector


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


STATE = SESState(1, (1, 0, 2), frozenset({(2, (1, 0, 0)), (3, (0, 1, 1))}))
"""Process 1 of 3, with pairs for both others."""


def test_a_copy_carries_its_clock_and_the_pairs_before_it() -> None:
    step = one(SES().send(STATE, Message(1, 2, frozenset({2}))))
    assert step.packets[0].control == SESControl((2, 0, 2), STATE.V)
    assert step.state == SESState(1, (2, 0, 2), frozenset({(2, (2, 0, 2)), (3, (0, 1, 1))}))


def test_s3_overwrites_the_pair_whatever_it_was() -> None:
    step = one(SES().send(STATE._replace(V=frozenset({(2, (0, 9, 0))})), Message(1, 2, frozenset({2}))))
    assert frozenset({(2, (2, 0, 2))}) == step.state.V


@pytest.mark.parametrize(
    ("vector", "delivers"), [((1, 0, 2), True), ((0, 0, 1), True), ((2, 0, 0), False), ((0, 1, 0), False)]
)
def test_d1_waits_for_the_pair_of_the_receiver_alone(vector: Vector, delivers: bool) -> None:
    for d, expected in ((1, delivers), (3, True)):
        copy = Packet(2, 1, Message(2, 1, frozenset({1})), SESControl((0, 1, 0), frozenset({(d, vector)})))
        assert (SES().receive(STATE, copy) is not None) == expected


def received(model: SES) -> SESState:
    """Process 1 receives the message of 2 to 1 and 3, which carries pairs for 1 and 3."""
    pairs = frozenset({(1, (0, 0, 1)), (3, (1, 0, 0))})
    step = one(model.receive(STATE, Packet(2, 1, Message(2, 1, frozenset({1, 3})), SESControl((1, 1, 0), pairs))))
    assert step.delivered == (Message(2, 1, frozenset({1, 3})),)
    state: SESState = step.state
    return state


@pytest.mark.parametrize(
    ("model", "T", "V"),
    [
        (SES(), (1, 1, 2), {2: (1, 0, 0), 3: (1, 1, 1)}),
        (SES(ticks="b"), (2, 1, 2), {2: (1, 0, 0), 3: (1, 1, 1)}),
        (SES(pairs="b"), (1, 1, 2), {3: (1, 1, 1)}),
    ],
    ids=["default", "SES-2b", "SES-3b"],
)
def test_what_the_receiver_records(model: SES, T: Vector, V: dict[int, Vector]) -> None:
    assert received(model) == SESState(1, T, frozenset(V.items()))


@pytest.mark.parametrize(("letter", "vector"), [("a", (0, 3, 0)), ("b", (0, 2, 0))])
def test_d4_records_the_copies_to_the_other_destinations(letter: str, vector: Vector) -> None:
    copy = Packet(2, 1, Message(2, 3, frozenset({1, 3})), SESControl((0, 3, 0), frozenset({(3, (0, 2, 0))})))
    step = one(SES(others=letter).receive(SES().start(1, 3), copy))
    assert {(3, vector)} == step.state.V


def test_a_pair_that_the_clock_of_the_message_has_not_reached_is_kept_under_ses_3b() -> None:
    copy = Packet(2, 1, Message(2, 1, frozenset({1})), SESControl((0, 1, 0), frozenset()))
    assert one(SES(pairs="b").receive(STATE, copy)).state.V == STATE.V


def test_ses_2c_takes_the_clock_before_the_tick_and_ses_3c_sends_the_new_pair() -> None:
    message = Message(1, 2, frozenset({2}))
    late = one(SES(ticks="c").send(STATE, message))
    assert (late.packets[0].control.tm, late.state.T, dict(late.state.V)[2]) == ((1, 0, 2), (2, 0, 2), (1, 0, 2))
    early = one(SES(pairs="c").send(STATE, message))
    assert dict(early.packets[0].control.V)[2] == early.packets[0].control.tm == (2, 0, 2)


def test_control_is_a_vector_and_pairs_of_an_id_and_a_vector() -> None:
    copy = one(SES().send(STATE, Message(1, 2, frozenset({2})))).packets[0]
    assert (SES().control_units(copy), SES().control_bytes(copy)) == (9, 12 + 2 * (2 + 12))
