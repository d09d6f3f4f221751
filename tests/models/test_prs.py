"""PRS as algorithms.md, B7 states it, and what the readings change."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import Run
from precede.models import Message, Packet, Step
from precede.models.prs import PRS, Barriers, PRSState

ZERO = ((0, 0, 0, 0),) * 4
NONE = frozenset[tuple[int, int]]()


def cb(*sets: set[tuple[int, int]]) -> Barriers:
    return tuple(map(frozenset, sets))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


STATE = PRSState(1, 4, ZERO, cb({(2, 1)}, {(3, 1)}, {(1, 4), (2, 1)}, {(1, 3)}))
"""Process 1 of 4, the last of whose four messages went to 3."""


def carried(letter: str) -> list[Barriers]:
    return [packet.control for packet in one(PRS(carried=letter).send(STATE, Message(1, 5, frozenset({2, 3})))).packets]


def test_a_copy_carries_cb_before_the_message() -> None:
    assert carried("a") == [STATE.CB, STATE.CB]


def test_under_prs_4b_it_leaves_out_what_is_about_the_other_destinations() -> None:
    to_2, to_3 = carried("b")
    assert to_2 == cb({(2, 1)}, {(3, 1)}, set(), {(1, 3)})
    assert to_3 == cb({(2, 1)}, set(), {(1, 4), (2, 1)}, {(1, 3)})
    assert (carried("c"), carried("d")) == (carried("a"), carried("b"))


@pytest.mark.parametrize(
    ("letter", "to_2", "to_3"), [("a", {(1, 5)}, {(1, 5)}), ("b", {(1, 5), (3, 1)}, {(1, 5), (2, 1)})]
)
def test_s3_replaces_or_unites(letter: str, to_2: set[tuple[int, int]], to_3: set[tuple[int, int]]) -> None:
    state = one(PRS(barrier=letter).send(STATE, Message(1, 5, frozenset({2, 3})))).state
    assert state == PRSState(1, 5, ZERO, cb({(2, 1)}, to_2, to_3, {(1, 3)}))


def test_d1_waits_for_the_pairs_of_the_receiver_alone() -> None:
    copy = Packet(4, 1, Message(4, 1, frozenset({1})), cb({(2, 2)}, {(3, 9)}, set(), set()))
    assert PRS().receive(STATE, copy) is None
    known = STATE._replace(DELIV=(ZERO[0], (2, 0, 0, 0), ZERO[0], ZERO[0]))
    assert one(PRS().receive(known, copy)).delivered == (copy.message,)


COPY = Packet(2, 1, Message(2, 3, frozenset({1, 3})), cb(set(), {(3, 1), (1, 2)}, {(1, 4)}, {(1, 2), (3, 7)}))
"""A message of 2 to 1 and 3; 2 has delivered message 1 of 3 and 2 of 1."""


def received(**readings: str) -> PRSState:
    state: PRSState = one(PRS(**readings).receive(STATE, COPY)).state
    return state


def test_the_receiver_learns_unites_and_prunes() -> None:
    state = received()
    assert state.DELIV == ((0, 2, 0, 0), (3, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0))
    assert cb({(2, 3)}, set(), {(1, 4), (2, 3)}, {(1, 3), (3, 7)}) == state.CB


def test_without_learning_nothing_is_pruned_but_what_is_delivered_here() -> None:
    state = received(steps="b")
    assert (ZERO[0], (3, 0, 0, 0), ZERO[0], ZERO[0]) == state.DELIV
    assert state.CB[1] == {(3, 1), (1, 2)}
    assert received(own_pairs="c") == state
    assert received(steps="d") == state


def test_without_pruning_what_is_learned_stays_in_cb() -> None:
    assert received(steps="c") == received()._replace(CB=received(steps="d").CB)


def test_d4_unites_under_prs_2b() -> None:
    copy = COPY._replace(control=cb(set(), set(), {(4, 1)}, set()))
    rows = {letter: one(PRS(barrier=letter).receive(STATE, copy)).state.CB[2] for letter in ("a", "b")}
    assert rows == {"a": {(1, 4), (2, 3)}, "b": {(1, 4), (2, 3), (4, 1)}}


def test_self_addressed_messages_by_prs_1() -> None:
    """Process 1 sends twice to itself through the network, and gets the second copy first."""
    passes = {}
    for letter in "bcd":
        model = PRS(own_pairs=letter)
        first = one(model.send(model.start(1, 2), Message(1, 1, frozenset({1}))))
        second = one(model.send(first.state, Message(1, 2, frozenset({1}))))
        passes[letter] = model.receive(second.state, second.packets[0]) is not None
    assert passes == {"b": False, "c": False, "d": True}
    assert [PRS(own_pairs=letter).self_addressed for letter in "abcd"] == [False, True, True, True]


def test_facts_and_sizes() -> None:
    outstanding = {((3, 1), 2), ((1, 4), 3), ((2, 1), 3), ((1, 3), 4)}
    copy = Packet(1, 4, Message(1, 5, frozenset({4})), STATE.CB)
    assert PRS().state_facts(STATE) == PRS().packet_facts(copy) == outstanding
    for letter in "cd":
        assert PRS(carried=letter).state_facts(STATE) == outstanding | {((2, 1), 1)}
    assert (PRS().control_units(copy), PRS().control_bytes(copy)) == (5, 30)


def test_a_pair_that_a_later_message_covers_stays_in_cb_in_broadcast_too() -> None:
    """1.1 to 3 covers 2.1 to 3, and 2 could see it: the copy of 1.1 has 2.1 in CB[3], which d4 overwrites."""
    bounds = Bounds(processes=3, sends=2, dests="broadcast")
    run = Run(ModelCalls(load_model("prs"), bounds), bounds)
    for event in (SendEvent(2, frozenset({1, 3})), ReceiveEvent(1, (2, 1)), SendEvent(1, frozenset({2, 3}))):
        run.apply(event)
    run.apply(ReceiveEvent(2, (1, 1)))
    facts = run.calls.facts_of_state(run.states[2])
    assert facts is not None and facts - run.pasts[2].required() == {((2, 1), 3)}
