"""The hierarchical organisation of Kshemkalyani and Singhal, Section 7.1, and what KS-30 changes."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Sets, Step
from precede.models.hierarchical import Hierarchical


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def sets(*groups: set[int]) -> Sets:
    return tuple(map(frozenset, groups))


def ordered(model: Hierarchical, processes: int) -> dict[tuple[int, ...], str]:
    """The zones, and what orders the messages in each."""
    return {tuple(sorted(zone)): type(inner).__name__ for zone, inner in model.orderings(processes).items()}


THREE_LEVELS = sets({1, 2}, {3, 4}, {1, 2, 3, 4}, {5, 6})


def test_by_default_clusters_are_pairs() -> None:
    assert ordered(Hierarchical(), 5) == {(1, 3, 5): "KS", (1, 2): "Null", (3, 4): "Null"}


def test_within_a_cluster_all_goes_by_the_representative_or_stays() -> None:
    clusters = sets({1, 2, 3}, {4, 5, 6})
    pairs = {(1, 2): "Null", (1, 3): "Null", (4, 5): "Null", (4, 6): "Null"}
    assert ordered(Hierarchical(clusters), 6) == {(1, 4): "KS"} | pairs
    assert ordered(Hierarchical(clusters, "d"), 6) == {(1, 4): "KS"} | pairs
    assert ordered(Hierarchical(clusters, "b"), 6) == {(1, 4): "KS", (1, 2, 3): "KS", (4, 5, 6): "KS"}
    assert ordered(Hierarchical(clusters, "c"), 6) == {(1, 4): "KS", (1, 2, 3): "Null", (4, 5, 6): "Null"}


def test_a_cluster_of_clusters_is_a_level() -> None:
    """1 represents {1,2} and {1,2,3,4}; 3 represents {3,4}, within which 1 stands above it."""
    levels = {(1, 5): "KS", (1, 3): "Null", (1, 2): "Null", (3, 4): "Null", (5, 6): "Null"}
    assert ordered(Hierarchical(THREE_LEVELS), 6) == levels
    assert ordered(Hierarchical(THREE_LEVELS, "b"), 6) == dict.fromkeys(levels, "KS")


def test_a_cluster_of_all_is_the_centralised_organisation() -> None:
    assert ordered(Hierarchical(sets({1, 2, 3, 4})), 4) == {(1, 2): "Null", (1, 3): "Null", (1, 4): "Null"}


def test_a_message_goes_up_across_and_down() -> None:
    """2 tells 4 and 6: to 1 without control information, by KS to 3 and 5, and to each in its cluster."""
    model, message = Hierarchical(), Message(2, 1, frozenset({4, 6}))
    (up,) = one(model.send(model.start(2, 6), message)).packets
    assert isinstance(up, Packet)
    assert (up.to, up.control.ahead, up.control.control) == (1, {4, 6}, None)
    at_1 = one(model.receive(model.start(1, 6), up))
    assert at_1.delivered == ()
    to_3, to_5 = at_1.packets
    assert isinstance(to_3, Packet) and isinstance(to_5, Packet)
    assert [(p.to, p.control.message) for p in (to_3, to_5)] == [
        (3, Message(1, 1, frozenset({2, 3}))),
        (5, Message(1, 1, frozenset({2, 3}))),
    ]
    at_3 = one(model.receive(model.start(3, 6), to_3))
    (down,) = at_3.packets
    assert isinstance(down, Packet)
    assert (at_3.delivered, down.to, down.control.control) == ((), 4, None)
    assert one(model.receive(model.start(4, 6), down)).delivered == (message,)


def test_only_the_representatives_pay_for_control_information() -> None:
    model, message = Hierarchical(), Message(2, 1, frozenset({4}))
    (up,) = one(model.send(model.start(2, 6), message)).packets
    assert isinstance(up, Packet)
    (across,) = one(model.receive(model.start(1, 6), up)).packets
    assert isinstance(across, Packet)
    assert (model.control_units(up), model.control_bytes(up)) == (0, 0)
    assert (model.control_units(across), model.control_bytes(across)) == (0, 18)


Verdict = dict[str, int]


def judged(model: Hierarchical, **bounds: Any) -> tuple[int, Verdict]:
    """States, and the lengths of the shortest violations of what is claimed."""
    found = explored(model, **bounds)
    return len(found.states), {name: length for name, length in found.violated.items() if name in model.claims}


def test_three_processes() -> None:
    assert judged(Hierarchical(), processes=3, sends=3) == (9258, {})


@pytest.mark.parametrize("letter", "acd")
def test_between_a_process_and_its_representative_channels_have_to_be_fifo(letter: str) -> None:
    found = judged(Hierarchical(local=letter), processes=3, sends=2, channel="unordered")
    assert found[1] == {"CausalOrder": 3}


def test_with_ks_in_the_clusters_they_need_not_be() -> None:
    assert judged(Hierarchical(local="b"), processes=3, sends=3, channel="unordered") == (9752, {})


TRIANGLE = sets({1, 2}, {1, 4}, {2, 4})
"""Of four processes three, which tell each other."""
LEVELS = sets({2, 3, 4}, {3, 4})
"""1; 2 above 3 above 4."""


@pytest.mark.parametrize(("letter", "states"), [("a", 3051), ("b", 4015), ("c", 3051)])
def test_three_levels(letter: str, states: int) -> None:
    found = judged(Hierarchical(LEVELS, letter), processes=4, sends=3, dests="groups", groups=TRIANGLE)
    assert found == (states, {})


@pytest.mark.parametrize(("letter", "verdict"), [("a", {}), ("b", {}), ("c", {}), ("d", {"CausalOrder": 6})])
def test_a_representative_forwards_on_delivery(letter: str, verdict: Verdict) -> None:
    """3 represents 4. 1 tells 4, then 2; 2 tells 4; at 3 the message of 2 arrives first, and is sent on."""
    clusters = sets({3, 4})
    found = judged(Hierarchical(clusters, letter), processes=4, sends=3, dests="groups", groups=TRIANGLE)
    assert found[1] == verdict


def test_two_representatives_may_forward_on_arrival() -> None:
    assert judged(Hierarchical(local="d"), processes=3, sends=2)[1] == {}


@pytest.mark.parametrize(("letter", "verdict"), [("a", {}), ("b", {}), ("c", {"CausalOrder": 4}), ("d", {})])
def test_what_stays_in_a_cluster_of_three_has_to_be_ordered(letter: str, verdict: Verdict) -> None:
    """1 tells 2 and 3; 2, which has it, tells 3."""
    assert judged(Hierarchical(sets({1, 2, 3}), letter), processes=3, sends=2)[1] == verdict
