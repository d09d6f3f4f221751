"""Kim-Kim as algorithms.md, B11 states it, and what KK-1 changes: nothing."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import all_states
from precede.checker.loading import load_model
from precede.models import Message, Packet, Step
from precede.models.kimkim import Ids, KimKim, KimKimState


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


STATE = KimKimState(1, (3, 1, 2), frozenset({(1, 3), (3, 2)}), frozenset())
"""Process 1 of 3 has sent 3 messages, and after the last delivered the second of process 3."""


def copy_of(sender: int, number: int, DP: set[tuple[int, int]]) -> Packet:
    return Packet(sender, 1, Message(sender, number, frozenset({1, 2, 3}) - {sender}), frozenset(DP))


def test_a_copy_carries_its_direct_predecessors_and_becomes_the_only_one() -> None:
    step = one(KimKim().send(STATE, Message(1, 4, frozenset({2, 3}))))
    assert [(packet.to, packet.control) for packet in step.packets] == [(2, STATE.DP), (3, STATE.DP)]
    assert step.state == KimKimState(1, (4, 1, 2), frozenset({(1, 4)}), frozenset())


@pytest.mark.parametrize(
    ("number", "DP", "delivers"),
    [(2, {(3, 2)}, True), (2, {(1, 3), (2, 1)}, True), (3, set(), False), (2, {(3, 3)}, False)],
)
def test_d1_waits_for_the_message_before_and_for_the_predecessors(
    number: int, DP: set[tuple[int, int]], delivers: bool
) -> None:
    assert (KimKim().receive(STATE, copy_of(2, number, DP)) is not None) == delivers


def test_d3_removes_the_predecessors_of_the_message() -> None:
    step = one(KimKim().receive(STATE, copy_of(2, 2, {(3, 2)})))
    assert step.state == KimKimState(1, (3, 2, 2), frozenset({(1, 3), (2, 2)}), frozenset())
    assert step.delivered == (Message(2, 2, frozenset({1, 3})),)


def test_kk_1b_removes_the_predecessors_of_the_predecessors_too() -> None:
    """2.1 precedes 1.3, which precedes 3.2, which precedes the message."""
    none = frozenset[tuple[int, int]]()
    graph = frozenset({((3, 2), frozenset({(1, 3)})), ((1, 3), frozenset({(2, 1)})), ((2, 1), none)})
    state = STATE._replace(DP=frozenset({(2, 1), (1, 3), (3, 2)}), graph=graph)
    left = {}
    for letter in "ab":
        step = one(KimKim(removed=letter).receive(state, copy_of(2, 2, {(3, 2)})))
        left[letter] = step.state.DP
    assert left == {"a": {(2, 1), (1, 3), (2, 2)}, "b": {(2, 2)}}


def test_the_own_copy_is_delivered_at_once_and_changes_nothing() -> None:
    step = one(KimKim().receive(STATE, copy_of(1, 3, {(2, 1)})))
    assert (step.state, len(step.delivered)) == (STATE, 1)


@pytest.mark.parametrize("letter", ["a", "b"])
def test_dp_is_always_the_leaves_of_the_known_graph(letter: str) -> None:
    """So both variants of KK-1 keep the same DP: whatever comes before a predecessor was removed with it before."""
    bounds = Bounds(processes=3, sends=3, dests="broadcast")
    calls = ModelCalls(load_model("kimkim", [f"KK-1{letter}"]), bounds)
    seen = set()
    for locals_, _ in all_states(calls, bounds):
        for state, past in locals_:
            leaves: Ids = frozenset(s.id for s in past.sent) - {p.id for s in past.sent for p in s.past.sent}
            assert leaves == state.DP  # type: ignore[attr-defined]
            seen.add(len(leaves))
    assert seen == {0, 1, 2, 3}


def test_facts_and_sizes() -> None:
    copy = Packet(1, 3, Message(1, 4, frozenset({2, 3})), STATE.DP)
    assert KimKim().state_facts(STATE) == {((1, 3), 2), ((1, 3), 3), ((3, 2), 2)}
    assert KimKim().packet_facts(copy) == {((1, 3), 3)}
    assert (KimKim().control_units(copy), KimKim().control_bytes(copy)) == (2, 12)
