"""BSS in overlapping groups, as algorithms.md, B4 states it, and what BSS-3 changes."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.bss_groups import BSSGroups, BSSGroupsState, Clocks

A, B, ALL = frozenset({1, 2}), frozenset({2, 3}), frozenset({1, 2, 3})
TRIANGLE = (A, B, frozenset({1, 3}))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def clocks(a: tuple[int, ...], b: tuple[int, ...], every: tuple[int, ...]) -> Clocks:
    return (A, a), (B, b), (ALL, every)


MODEL = BSSGroups(groups=(ALL, B, A))
STATE = BSSGroupsState(2, clocks((1, 2, 0), (0, 1, 1), (3, 1, 2)))
"""Process 2 of 3, which is in all three groups."""


def test_without_groups_every_set_of_two_or_more_is_one() -> None:
    state = BSSGroups().start(3, 3)
    assert tuple((g, (0, 0, 0)) for g in (A, frozenset({1, 3}), B, ALL)) == state.V
    assert [g for g, _ in BSSGroups(others="b").start(3, 3).V] == [frozenset({1, 3}), B, ALL]
    assert [g for g, _ in MODEL.start(3, 3).V] == [A, B, ALL]


def test_a_copy_carries_all_vectors_with_the_message_counted_in_its_group() -> None:
    after = clocks((1, 2, 0), (0, 2, 1), (3, 1, 2))
    step = one(MODEL.send(STATE, Message(2, 5, frozenset({3}))))
    assert [(packet.to, packet.control) for packet in step.packets] == [(3, after)]
    assert step.state == BSSGroupsState(2, after)


def test_what_is_no_group_cannot_be_sent_to() -> None:
    assert MODEL.send(BSSGroupsState(1, STATE.V), Message(1, 1, frozenset({3}))) is None


def copy_to_2(sender: int, group: frozenset[int], *vectors: tuple[int, ...]) -> Packet:
    return Packet(sender, 2, Message(sender, 9, group - {sender}), clocks(*vectors))


@pytest.mark.parametrize(
    ("vectors", "delivers"),
    [
        (((1, 2, 0), (0, 1, 2), (3, 1, 2)), True),
        (((0, 0, 0), (0, 0, 2), (0, 0, 0)), True),
        (((0, 0, 0), (0, 0, 1), (0, 0, 0)), False),
        (((0, 0, 0), (0, 0, 3), (0, 0, 0)), False),
        (((0, 0, 0), (0, 2, 2), (0, 0, 0)), False),
        (((2, 0, 0), (0, 0, 2), (0, 0, 0)), False),
        (((0, 0, 0), (0, 0, 2), (0, 0, 3)), False),
    ],
    ids=["next", "older", "a second time", "one too many", "another of its group", "another group", "the sender's own"],
)
def test_what_a_message_of_process_3_in_group_2_3_waits_for(vectors: Any, delivers: bool) -> None:
    assert (MODEL.receive(STATE, copy_to_2(3, B, *vectors)) is not None) == delivers


def test_groups_of_which_the_receiver_is_no_member_are_not_tested_but_merged() -> None:
    state = BSSGroupsState(3, clocks((1, 0, 0), (0, 1, 0), (0, 0, 0)))
    packet = Packet(2, 3, Message(2, 9, frozenset({3})), clocks((0, 4, 0), (0, 2, 0), (0, 0, 0)))
    step = one(MODEL.receive(state, packet))
    assert clocks((1, 4, 0), (0, 2, 0), (0, 0, 0)) == step.state.V
    assert (
        clocks((1, 0, 0), (0, 2, 0), (0, 0, 0))
        == one(BSSGroups(MODEL.groups, others="c").receive(state, packet)).state.V
    )


def test_the_own_copy_waits_for_nothing_and_changes_nothing() -> None:
    own = Packet(2, 2, Message(2, 9, frozenset({2, 3})), clocks((9, 9, 9), (9, 9, 9), (9, 9, 9)))
    assert one(MODEL.receive(STATE, own)) == Step(STATE, (), (own.message,))


def test_control_is_a_4_byte_counter_for_each_member_of_each_group() -> None:
    copy = copy_to_2(3, B, (0, 0, 0), (0, 0, 2), (0, 0, 0))
    assert (MODEL.control_units(copy), MODEL.control_bytes(copy)) == (7, 28)


def test_three_processes_three_multicasts() -> None:
    """Every delivery is made exactly when causal order allows it: the states are those of causal order itself."""
    found = explored(BSSGroups())
    assert (len(found.states), found.transitions, found.violated) == (8_757, 17_634, {})


@pytest.mark.parametrize("channel", ["unordered", "fifo"])
@pytest.mark.parametrize(
    ("letter", "counts", "shortest"),
    [
        ("a", (1_145, 1_974), {}),
        ("b", (1_151, 1_986), {"CausalOrder": 5}),
        ("c", (1_151, 1_986), {"CausalOrder": 5}),
    ],
)
def test_three_processes_three_unicasts(
    letter: str, counts: tuple[int, int], shortest: dict[str, int], channel: str
) -> None:
    """Without the vectors of other groups, 2 cannot tell 3 that 1 sent to it before: 1 to 3, 1 to 2, 2 to 3."""
    found = explored(BSSGroups(others=letter), dests="unicast", channel=channel)
    assert ((len(found.states), found.transitions), found.violated) == (counts, shortest)


@pytest.mark.parametrize(
    ("processes", "groups", "shortest"),
    [
        (3, (A, B), {}),
        (3, TRIANGLE, {"CausalOrder": 5}),
        (4, (A, B, frozenset({3, 4})), {}),
    ],
    ids=["chain", "cycle", "longer chain"],
)
def test_the_vectors_of_other_groups_are_needed_where_groups_form_a_cycle(
    processes: int, groups: tuple[frozenset[int], ...], shortest: dict[str, int]
) -> None:
    bounds: dict[str, Any] = {"processes": processes, "sends": 3, "dests": "groups", "groups": groups}
    assert explored(BSSGroups(groups, others="b"), **bounds).violated == shortest
    assert explored(BSSGroups(groups), **bounds).violated == {}


def test_only_the_given_groups_are_sent_to() -> None:
    found = explored(BSSGroups((A, B)))
    assert (len(found.states), found.violated) == (385, {})
    sent = {s.message for g in found.states for local in g.locals for s in local.past.sent}
    assert {m.dests | {m.sender} for m in sent} == {A, B}
