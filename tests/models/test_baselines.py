"""What exhaustive exploration of small bounds says of the baselines, and of each of their readings."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from sweeping import quick

from naive import Naive
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.properties import BUILT_IN
from precede.checker.result import Result

Shortest = dict[str, int]
"""Property -> the number of steps of a shortest run that violates it."""

ALL_ORDERED = {"multicast": (8_757, 17_634), "broadcast": (1_085, 2_424)}
"""Distinct states and transitions when every delivery is made exactly when causal order allows it."""

NO_FACTS = ("rst", "ses", "bss")


@cache
def explored(spec: str, **bound: Any) -> Result:
    """The result of "model" or "model reading reading", at 3 processes and 3 sends of its widest load by default.

    A search that ends because everything is violated is repeated without properties, for the counts.
    """
    name, *readings = spec.split()
    loaded = load_model(name, readings)
    bounds = Bounds(**({"processes": 3, "sends": 3, "dests": loaded.model.load} | bound))
    calls = ModelCalls(loaded, bounds)
    result = explore(calls, bounds, BUILT_IN)
    if result.complete:
        return result
    whole = explore(calls, bounds, ())
    return replace(whole, properties=result.properties)


def violated(result: Result) -> Shortest:
    return {p.name: p.trace_length for p in result.properties if p.trace_length is not None}


def counts(result: Result) -> tuple[int, int]:
    return result.distinct_states, result.transitions


VERDICTS: list[tuple[str, tuple[int, int] | None, Shortest]] = [
    ("null", (13_281, 30_393), {"CausalOrder": 3, "Minimality": 1}),
    ("oracle", None, {}),
    ("ses", None, {}),
    ("ses SES-1b", (9_810, 20_262), {"CausalOrder": 4}),
    ("ses SES-2b", None, {}),
    ("ses SES-2c", (12_675, 28_443), {"CausalOrder": 3}),
    ("ses SES-3b", (8_904, 17_748), {}),
    ("ses SES-3c", (334, 576), {"Delivery": 1, "NoNeedlessDelay": 1}),
    ("bss", None, {}),
    ("bss BSS-2b", (605, 1_434), {"Delivery": 4, "NoNeedlessDelay": 3}),
    ("bss BSS-5b", (1_400, 3_276), {"CausalOrder": 4}),
    ("bss BSS-5c", (2_648, 6_048), {"CausalOrder": 3, "NoNeedlessDelay": 6, "Delivery": 8}),
    ("bss BSS-5d", (1_664, 3_657), {"CausalOrder": 3, "NoNeedlessDelay": 3, "Delivery": 4}),
    ("prs", None, {"Minimality": 2}),
    ("prs PRS-1b", None, {"Minimality": 2}),
    ("prs PRS-1c", None, {"Minimality": 2}),
    ("prs PRS-1d", None, {"Minimality": 2}),
    ("prs PRS-2b", None, {"Minimality": 2}),
    ("prs PRS-3b", None, {"Minimality": 2}),
    ("prs PRS-3c", None, {"Minimality": 2}),
    ("prs PRS-3d", None, {"Minimality": 2}),
    ("prs PRS-4b", None, {"Minimality": 4}),
    ("prs PRS-4c", None, {"Minimality": 2}),
    ("prs PRS-4d", None, {"Minimality": 2}),
    ("kimkim", None, {}),
    ("kimkim KK-1b", None, {}),
]


@pytest.mark.parametrize(("spec", "own_counts", "shortest"), VERDICTS, ids=[spec for spec, _, _ in VERDICTS])
def test_three_processes_three_sends_of_the_widest_load(
    spec: str, own_counts: tuple[int, int] | None, shortest: Shortest
) -> None:
    """Where no counts are given, they are those of causal order itself."""
    found = explored(spec)
    load = load_model(spec.split()[0]).model.load
    assert counts(found) == (own_counts or ALL_ORDERED[load])
    assert violated(found) == shortest
    judged = {p.name for p in found.properties if p.verdict != "not applicable"}
    assert ("Minimality" in judged) == (spec.split()[0] not in NO_FACTS)


AGREEMENTS = [(spec, "forbidden") for spec, _, _ in VERDICTS] + [
    (spec, self_addressed)
    for spec in ("null", "oracle", "ses", "prs PRS-1b", "prs PRS-1d", "bss", "bss BSS-1b", "bss BSS-1c", "kimkim")
    for self_addressed in ("network", "at-send")
]


SLOW = [(spec, "network") for spec in ("null", "oracle", "prs PRS-1b", "prs PRS-1d")]


@pytest.mark.parametrize(("spec", "self_addressed"), quick(AGREEMENTS, lambda case: case not in SLOW))
def test_the_engine_agrees_with_the_naive_explorer(spec: str, self_addressed: str) -> None:
    name, *readings = spec.split()
    loaded = load_model(name, readings)
    broadcast = loaded.model.load == "broadcast"
    processes, sends = (3, 3) if broadcast and self_addressed != "network" else (2, 3)
    bounds = Bounds(processes, sends, dests=loaded.model.load, self_addressed=self_addressed)
    found = Naive(ModelCalls(loaded, bounds)).explore()
    result = explored(spec, processes=processes, sends=sends, self_addressed=self_addressed)
    assert (*counts(result), result.depth) == (len(found.states), found.transitions, found.depth)
    assert violated(result) == {name: steps for name, steps in found.violated.items() if name in BUILT_IN}


@pytest.mark.parametrize(
    "bound",
    [
        {"processes": 2, "sends": 4, "dests": "multicast"},
        {"processes": 4, "sends": 2, "dests": "multicast"},
        {"processes": 3, "sends": 4, "dests": "unicast", "channel": "fifo"},
        {"processes": 3, "sends": 3, "dests": "multicast", "channel": "fifo-delivery"},
        {"processes": 2, "sends": 3, "dests": "multicast", "self_addressed": "at-send"},
        {"processes": 3, "sends": 4, "dests": "broadcast"},
        {"processes": 4, "sends": 3, "dests": "broadcast"},
        {"processes": 3, "sends": 3, "dests": "broadcast", "self_addressed": "at-send"},
    ],
    ids=str,
)
def test_correct_baselines_have_the_states_of_the_oracle_at_every_bound_of_their_load(bound: dict[str, Any]) -> None:
    oracle = explored("oracle", **bound)
    own = bound.get("self_addressed") == "at-send"
    specs = ["ses", "ses SES-2b", *(["prs PRS-1b", "prs PRS-1c", "prs PRS-1d"] if own else ["prs", "prs PRS-3d"])]
    specs += ["bss", "kimkim", "kimkim KK-1b"] if bound["dests"] == "broadcast" else []
    assert violated(oracle) == {}
    for spec in specs:
        found = explored(spec, **bound)
        assert (spec, *counts(found), found.depth) == (spec, *counts(oracle), oracle.depth)
        assert set(violated(found)) <= {"Minimality"}


@pytest.mark.parametrize(
    ("spec", "shortest"),
    [
        ("oracle", {}),
        ("ses", {"CausalOrder": 3}),
        ("prs PRS-1b", {"CausalOrder": 5}),
        ("prs PRS-1c", {}),
        ("prs PRS-1d", {"CausalOrder": 3}),
        ("bss BSS-1a", {"CausalOrder": 3}),
        ("bss BSS-1b", {"CausalOrder": 3, "NoNeedlessDelay": 6, "Delivery": 8}),
        ("bss BSS-1c", {"CausalOrder": 4, "NoNeedlessDelay": 1, "Delivery": 2}),
        ("kimkim", {"CausalOrder": 3}),
    ],
)
def test_own_copies_through_the_network(spec: str, shortest: Shortest) -> None:
    """The sender's clock and counts already contain a message whose own copy is still in transit."""
    found = explored(spec, processes=2, self_addressed="network")
    assert {name: steps for name, steps in violated(found).items() if name != "Minimality"} == shortest


def test_bss_never_sends_when_the_own_copy_is_tested_at_the_send() -> None:
    assert counts(explored("bss BSS-1c", self_addressed="at-send")) == (1, 0)


@pytest.mark.parametrize(
    ("load", "in_state", "in_copy"),
    quick([("broadcast", 4, 5), ("multicast", 4, 5), ("unicast", 6, 7)], lambda case: case[0] == "broadcast"),
)
def test_prs_is_optimal_in_no_load_per_state_and_copy(load: str, in_state: int, in_copy: int) -> None:
    """PRS-5: in broadcast a covered pair stays in CB from 4 steps on, in unicast from 6 steps on."""
    bounds = Bounds(processes=3, sends=3 if load != "unicast" else 4, dests=load)
    found = Naive(ModelCalls(load_model("prs", ["PRS-4b"]), bounds)).explore()
    expected = {"Minimality": in_state, "RedundantInState": in_state, "RedundantInPacket": in_copy}
    assert found.violated == expected


@pytest.mark.parametrize("model", ["ses", "bss", "prs", "kimkim"])
def test_every_step_runs_every_wait_is_entered_and_every_rewriting_step_changes_something(model: str) -> None:
    labels = {count.label: count for count in explored(model).labels or ()}
    assert [label for label, count in labels.items() if not count.fired] == []
    assert labels["d1"].waited
    assert [label for label, count in labels.items() if count.changed == 0] == []
