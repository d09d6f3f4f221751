"""What exhaustive exploration of small bounds says of each algorithm and of each of its readings."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest
from sweeping import quick

from naive import Naive
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import LabelCount

THREE = Bounds(processes=3, sends=3)
Shortest = dict[str, int]
"""Property -> the number of steps of a shortest run that violates it."""


class Explored(NamedTuple):
    states: int
    transitions: int
    depth: int
    violated: Shortest
    labels: dict[str, LabelCount]


@cache
def explored(model: str, readings: str = "", bounds: Bounds = THREE) -> Explored:
    calls = ModelCalls(load_model(model, readings.split()), bounds)
    found = Naive(calls).explore()
    labels = {count.label: count for count in calls.labels() or ()}
    return Explored(len(found.states), found.transitions, found.depth, found.violated, labels)


MORE_THAN_REQUIRED = {"Minimality": 4, "RedundantInState": 4, "RedundantInPacket": 5}


REDUNDANT_AT_ONCE = {"Minimality": 2, "RedundantInState": 2, "RedundantInPacket": 2}
REDUNDANT_STATE_FIRST = {"Minimality": 2, "RedundantInState": 2, "RedundantInPacket": 3}

READINGS = [
    ("rst", "", 8757, {}),
    ("rst", "RST-1b", 9738, {"CausalOrder": 4}),
    ("rst", "RST-1c", 9738, {"CausalOrder": 4}),
    ("rst", "RST-2b", 8829, {"CausalOrder": 6}),
    ("rst", "RST-2c", 8757, {}),
    ("ks", "", 8757, {}),
    ("ks", "KS-2a", 8757, {"Minimality": 5, "RedundantInState": 5}),
    ("ks", "KS-10b", 8775, MORE_THAN_REQUIRED),
    ("ks", "KS-10c", 8757, {}),
    ("ks", "KS-10d", 8757, {}),
    ("ks", "KS-16b", 8757, {}),
    ("jang", "", 8757, {}),
    ("jang", "J-1b", 8757, REDUNDANT_AT_ONCE),
    ("jang", "J-2b", 8757, {}),
    ("jang", "J-2c", 8775, REDUNDANT_STATE_FIRST),
    ("jang", "J-2d", 8757, {}),
    ("jang", "J-3a", 8757, {}),
    ("jang", "J-4b", 8757, {}),
    ("jang", "J-7b", 8757, MORE_THAN_REQUIRED),
    ("jang", "J-7c", 8757, {}),
    ("jang", "J-7d", 8829, {}),
]
QUICK_READINGS = ("", "RST-2b", "KS-10b", "J-7d")


@pytest.mark.parametrize(
    ("model", "readings", "states", "violated"), quick(READINGS, lambda row: row[1] in QUICK_READINGS)
)
def test_three_processes_three_multicasts(model: str, readings: str, states: int, violated: Shortest) -> None:
    found = explored(model, readings)
    assert (found.states, found.violated) == (states, violated)


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(processes=2, sends=4),
        pytest.param(Bounds(processes=4, sends=2), marks=pytest.mark.sweep),
        pytest.param(Bounds(processes=4, sends=3, dests="unicast"), marks=pytest.mark.sweep),
        Bounds(processes=2, sends=4, channel="fifo"),
        Bounds(processes=3, sends=3, dests="unicast", channel="fifo-delivery"),
        Bounds(processes=2, sends=3, self_addressed="network"),
        Bounds(processes=2, sends=3, self_addressed="at-send"),
    ],
    ids=str,
)
def test_all_three_deliver_exactly_when_causal_order_allows(bounds: Bounds) -> None:
    own = "RST-3b" if bounds.self_addressed != "forbidden" else ""
    results = [explored("rst", own, bounds), explored("ks", "", bounds), explored("jang", "", bounds)]
    assert [found.violated for found in results] == [{}, {}, {}]
    assert len({(found.states, found.transitions, found.depth) for found in results}) == 1


@pytest.mark.parametrize("self_addressed", ["network", "at-send"])
@pytest.mark.parametrize(
    ("readings", "twice"),
    [("RST-3b", False), ("RST-3d", False), ("RST-3c", True), ("RST-3b RST-2c", True), ("RST-3d RST-2c", False)],
)
def test_rst_is_stuck_when_it_counts_its_own_copy_twice(self_addressed: str, readings: str, twice: bool) -> None:
    found = explored("rst", readings, Bounds(processes=2, sends=3, self_addressed=self_addressed))
    assert found.violated == ({"Delivery": 3, "NoNeedlessDelay": 3} if twice else {})


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_every_step_of_the_paper_runs_and_every_wait_is_entered(model: str) -> None:
    labels = explored(model).labels
    assert [label for label, count in labels.items() if not count.fired] == []
    assert [bool(count.waited) for label, count in labels.items() if label in ("d1", "RCV(1)", "R1")] == [True]


def test_every_pruning_step_prunes_except_r8() -> None:
    ks, jang = explored("ks").labels, explored("jang").labels
    pruning = "SND(2) purge,SND(3),SND(5),RCV(3) delete,RCV(4) loop 1 O_M,RCV(4) loop 1 LOG,RCV(4) loop 2,RCV(5)"
    assert [label for label in pruning.split(",") if not ks[label].changed] == []
    pruning = "S2 strike,S3,R5 CI,R5 CI_m,R6 CI,R6 CI_m,R8,R9"
    assert [label for label in pruning.split(",") if not jang[label].changed] == ["R8"]
