"""Exact counts of the three algorithms: facts of the algorithms, equal to TLC's (tests/tla)."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.result import Result

MODELS = ("rst", "ks", "jang")


def explored(model: str, bounds: Bounds, *readings: str) -> Result:
    calls = ModelCalls(load_model(model, readings), bounds)
    return explore(calls, bounds, calls.model.claims)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("bounds", "states", "transitions", "local_states", "packets"),
    [
        (Bounds(processes=3, sends=3), 8_757, 17_634, 2_340, 876),
        (Bounds(processes=3, sends=4), 156_000, 352_785, 28_131, 9_360),
        (Bounds(processes=3, sends=4, channel="fifo"), 156_000, 352_785, 28_131, 9_360),
        (Bounds(processes=4, sends=3), 581_301, 1_567_512, 63_296, 24_624),
        (Bounds(processes=4, sends=3, dests="unicast"), 7_069, 13_632, 1_988, 660),
        (Bounds(processes=3, sends=4, dests="broadcast"), 9_305, 23_469, 1_185, 444),
    ],
    ids=str,
)
def test_every_claim_holds_and_the_counts_are_known(
    model: str, bounds: Bounds, states: int, transitions: int, local_states: int, packets: int
) -> None:
    result = explored(model, bounds)
    assert (result.verdict, result.complete) == ("holds", True)
    assert (result.distinct_states, result.transitions) == (states, transitions)
    assert (result.local_states, result.packets) == (local_states, packets)


@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("channel", ["unordered", "fifo"])
@pytest.mark.parametrize(
    ("bounds", "states", "transitions"),
    [
        ({"processes": 3, "sends": 5}, 2_789_328, 6_818_658),
        ({"processes": 4, "sends": 5, "dests": "unicast"}, 1_607_695, 3_932_376),
    ],
    ids=str,
)
def test_every_claim_holds_at_the_largest_bounds(
    model: str, channel: str, bounds: dict[str, object], states: int, transitions: int
) -> None:
    result = explored(model, Bounds(**bounds, channel=channel))  # type: ignore[arg-type]
    assert (result.verdict, result.distinct_states, result.transitions) == ("holds", states, transitions)


@pytest.mark.parametrize(
    ("model", "reading", "sends", "violated"),
    [
        ("rst", "RST-1b", 3, {"CausalOrder": 4}),
        ("rst", "RST-1c", 3, {"CausalOrder": 4}),
        ("rst", "RST-2b", 4, {"CausalOrder": 6, "Delivery": 8, "NoNeedlessDelay": 8}),
        ("ks", "KS-2a", 3, {"Minimality": 5}),
        ("ks", "KS-10b", 3, {"Minimality": 4}),
        ("ks", "KS-16b", 4, {"Minimality": 6}),
        ("jang", "J-1b", 3, {"Minimality": 2}),
        ("jang", "J-2c", 3, {"Minimality": 2}),
        ("jang", "J-7b", 3, {"Minimality": 4}),
    ],
)
def test_a_broken_reading_is_found_with_a_shortest_run(
    model: str, reading: str, sends: int, violated: dict[str, int]
) -> None:
    result = explored(model, Bounds(processes=3, sends=sends), reading)
    assert {p.name: p.trace_length for p in result.properties if p.witness} == violated


def test_deleting_in_place_in_r5_of_jang_leaves_redundant_information_only_from_five_multicasts_on() -> None:
    assert explored("jang", Bounds(processes=3, sends=4), "J-3a").verdict == "holds"
    calls = ModelCalls(load_model("jang", ["J-3a"]), Bounds(processes=3, sends=5))
    result = explore(calls, calls.bounds, ("Minimality",))
    (minimality,) = result.properties
    assert minimality.trace_length == 7
    assert "redundant in states" in minimality.note
