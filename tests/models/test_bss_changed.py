"""BSS in overlapping groups, only changed vectors sent: BSS-4."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.bss_changed import BSSChanged, BSSChangedState

A, B, ALL = frozenset({1, 2}), frozenset({2, 3}), frozenset({1, 2, 3})
TRIANGLE = (A, B, frozenset({1, 3}))


def sent_by_1(model: BSSChanged, *destinations: set[int]) -> list[dict[int, Any]]:
    """What process 1 of 3 attaches to its first messages: for each message, destination -> control information."""
    state, attached = model.start(1, 3), []
    for number, dests in enumerate(destinations, 1):
        step = model.send(state, Message(1, number, frozenset(dests)))
        assert isinstance(step, Step)
        state = step.state
        attached.append({packet.to: packet.control for packet in step.packets})
    return attached


def test_bss_4a_attaches_what_has_changed_since_the_last_copy_to_the_same_destination() -> None:
    in_a, in_all = (A, (1, 0, 0)), (ALL, (1, 0, 0))
    assert sent_by_1(BSSChanged(), {2}, {2, 3}, {2}) == [
        {2: (in_a,)},
        {2: (in_all,), 3: (in_a, in_all)},
        {2: ((A, (2, 0, 0)),)},
    ]


def test_bss_4b_attaches_what_has_changed_since_the_last_message_in_the_same_group() -> None:
    in_a, in_all = (A, (1, 0, 0)), (ALL, (1, 0, 0))
    assert sent_by_1(BSSChanged(since="b"), {2}, {2, 3}, {2}) == [
        {2: (in_a,)},
        {2: (in_a, in_all), 3: (in_a, in_all)},
        {2: ((A, (2, 0, 0)), in_all)},
    ]


def arrived(letter: str) -> tuple[BSSChanged, Any]:
    """Process 2 of 3 after the first message of process 1, in group A, has arrived, and under BSS-4b is delivered."""
    model = BSSChanged((A, ALL), since=letter)
    step = model.receive(model.start(2, 3), Packet(1, 2, Message(1, 1, frozenset({2})), ((A, (1, 0, 0)),)))
    assert isinstance(step, Step)
    return model, step


def test_bss_4a_completes_vectors_at_the_arrival_and_delivers_later() -> None:
    model, step = arrived("a")
    assert step.delivered == ()
    second = model.receive(step.state, Packet(1, 2, Message(1, 2, frozenset({2, 3})), ((ALL, (1, 0, 0)),)))
    assert isinstance(second, Step)
    state: BSSChangedState = second.state
    both = ((A, (1, 0, 0)), (ALL, (1, 0, 0)))
    assert state.waiting == {
        (Message(1, 1, frozenset({2})), both[:1]),
        (Message(1, 2, frozenset({2, 3})), both),
    }
    only = list(model.internal(state))
    assert [(s.name, s.delivered) for s in only] == [("deliver 1.1", (Message(1, 1, frozenset({2})),))]
    assert [s.name for s in model.internal(only[0].state)] == ["deliver 1.2"]


def test_bss_4b_delivers_or_leaves_the_packet_where_it_is() -> None:
    model, step = arrived("b")
    assert step.delivered == (Message(1, 1, frozenset({2})),)
    assert step.state.known == {((1, A), ((A, (1, 0, 0)),))}
    later = Packet(1, 2, Message(1, 3, frozenset({2})), ((A, (3, 0, 0)),))
    assert model.receive(step.state, later) is None


def test_sizes() -> None:
    copy = Packet(1, 2, Message(1, 2, frozenset({2, 3})), ((A, (1, 0, 0)), (ALL, (1, 0, 0))))
    assert (BSSChanged().control_units(copy), BSSChanged().control_bytes(copy)) == (5, 24)


@pytest.mark.parametrize(
    ("letter", "channel", "counts", "shortest"),
    [
        ("a", "fifo", (1_447, 3_030), {}),
        ("a", "unordered", (1_807, 3_750), {"CausalOrder": 4, "NoNeedlessDelay": 4}),
        ("b", "fifo", (484, 801), {}),
        ("b", "unordered", (484, 801), {}),
    ],
)
def test_three_processes_two_multicasts(
    letter: str, channel: str, counts: tuple[int, int], shortest: dict[str, int]
) -> None:
    """BSS-4a needs FIFO: 1 sends in {1,2}, then in {1,2,3}; the second copy to 2 says nothing of the first group, and
    arrives first. BSS-4b does not: a message always carries its group's vector, so the one before it there is known."""
    found = explored(BSSChanged(since=letter), sends=2, channel=channel)
    assert ((len(found.states), found.transitions), found.violated) == (counts, shortest)


@pytest.mark.parametrize("groups", [TRIANGLE, (A, B, ALL)], ids=["triangle", "nested"])
def test_three_groups(groups: tuple[frozenset[int], ...]) -> None:
    """With three messages, FIFO matters only where two processes have two groups in common."""
    bounds: dict[str, Any] = {"sends": 3 if groups == TRIANGLE else 2, "dests": "groups", "groups": groups}
    assert explored(BSSChanged(groups), **bounds).violated == {}
    broken = explored(BSSChanged(groups), channel="unordered", **bounds).violated
    assert broken == ({} if groups == TRIANGLE else {"CausalOrder": 4, "NoNeedlessDelay": 4})


def test_bss_4b_delivers_exactly_when_causal_order_allows_it() -> None:
    """Three multicasts over unordered channels: the states of causal order itself."""
    found = explored(BSSChanged(since="b"), channel="unordered")
    assert (len(found.states), found.transitions, found.violated) == (8_757, 17_634, {})
