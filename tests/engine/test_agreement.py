"""The compiled engine against the naive explorer: the same states, transitions, depth and shortest counterexamples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeping import quick

from naive import Found, Naive, plain
from precede.checker.bounds import CHANNELS, DESTS, Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import all_states, explore
from precede.checker.loading import LoadedModel, load_model
from precede.checker.result import Result
from precede.checker.run import Run
from random_models import Tables, tables

LOADS = tuple(load for load in DESTS if load != "groups")
QUEUES = tuple(channel for channel in CHANNELS if channel != "rendezvous")
EVERYTHING = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Minimality")


bounds = st.builds(
    Bounds,
    processes=st.integers(2, 3),
    sends=st.integers(1, 3),
    sends_per_process=st.sampled_from([None, 1, 2]),
    dests=st.sampled_from(LOADS),
    channel=st.sampled_from(QUEUES),
    self_addressed=st.just("forbidden"),
)


def compare(calls: ModelCalls, result: Result, found: Found) -> None:
    bounds = calls.bounds
    states = set(map(plain, found.states))
    assert set(all_states(calls, bounds)) == states
    assert len(states) == len(found.states)
    if result.complete:
        assert (result.distinct_states, result.transitions) == (len(found.states), found.transitions)
        assert result.depth == found.depth
        locals_ = {(p, local) for state in states for p, local in enumerate(state[0])}
        assert result.local_states == len(locals_)
        assert result.packets == len({packet for state in states for packet in state[1]})
    for item in result.properties:
        expected = found.violated.get(item.name)
        assert item.trace_length == expected, item
        if item.verdict != "not applicable":
            assert item.verdict == ("holds" if expected is None else "violated")
        if item.witness is not None:
            run = Run(calls, bounds)
            for event in item.witness.schedule:
                run.apply(event)


@settings(max_examples=60, deadline=None)
@given(tables(), bounds)
def test_the_engine_agrees_with_the_naive_explorer_on_random_models(model: Tables, bounds: Bounds) -> None:
    calls = ModelCalls(LoadedModel("tables", model, {}, True), bounds)
    compare(calls, explore(calls, bounds, EVERYTHING), Naive(calls).explore())


BROKEN = [("rst", "RST-2b"), ("ks", "KS-10b"), ("jang", "J-2c"), ("jang", "J-3a")]
IN_CHANNELS = [(*broken, channel) for broken in BROKEN for channel in QUEUES]
QUICK = [
    ("rst", "RST-2b", "fifo"),
    ("rst", "RST-2b", "fifo-arrival"),
    ("ks", "KS-10b", "unordered"),
    ("jang", "J-3a", "fifo-delivery"),
]


@pytest.mark.parametrize(("model", "reading", "channel"), quick(IN_CHANNELS, QUICK))
def test_the_engine_agrees_with_the_naive_explorer_on_broken_readings(model: str, reading: str, channel: str) -> None:
    bounds = Bounds(processes=3, sends=3, channel=channel)
    calls = ModelCalls(load_model(model, [reading]), bounds)
    compare(calls, explore(calls, bounds, EVERYTHING), Naive(calls).explore())


@pytest.mark.parametrize("self_addressed", ["network", "at-send"])
@pytest.mark.parametrize("reading", ["RST-3b", "RST-3c", "RST-3d"])
def test_the_engine_agrees_with_the_naive_explorer_on_self_addressed_messages(
    reading: str, self_addressed: str
) -> None:
    bounds = Bounds(processes=2, sends=3, self_addressed=self_addressed)
    calls = ModelCalls(load_model("rst", [reading]), bounds)
    compare(calls, explore(calls, bounds, EVERYTHING), Naive(calls).explore())


@settings(max_examples=30, deadline=None)
@given(tables(), bounds)
def test_depth_first_search_visits_the_same_states(model: Tables, bounds: Bounds) -> None:
    calls = ModelCalls(LoadedModel("tables", model, {}, True), bounds)
    breadth, depth = (explore(calls, bounds, EVERYTHING, search=search) for search in ("bfs", "dfs"))
    assert {p.name: p.verdict for p in breadth.properties} == {p.name: p.verdict for p in depth.properties}
    if breadth.complete and depth.complete:
        assert (breadth.distinct_states, breadth.transitions) == (depth.distinct_states, depth.transitions)


@settings(max_examples=30, deadline=None)
@given(tables(), bounds, st.integers(0, 5))
def test_random_walks_find_only_real_violations(model: Tables, bounds: Bounds, seed: int) -> None:
    calls = ModelCalls(LoadedModel("tables", model, {}, True), bounds)
    found = Naive(calls).explore()
    walked = explore(calls, bounds, EVERYTHING, search="random", walks=50, seed=seed)
    for item in walked.properties:
        if item.verdict == "violated":
            assert item.trace_length is not None and item.trace_length >= found.violated[item.name]
