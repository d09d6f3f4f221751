"""Refinement, liveness, symmetry, coverage and random walks, by TLC itself."""

from __future__ import annotations

import pytest
from tla_runs import calls_of, needs_java

from precede.checker.bounds import Bounds
from precede.checker.engine import explore, whole_states
from precede.checker.loading import load_model
from precede.checker.result import Witness
from precede.checker.tlc import (
    Simulation,
    TlcResult,
    compare,
    compare_orbits,
    run_tlc,
    running,
    schedule_of,
    temporal_of,
)
from precede.checker.trace import record
from precede.checker.trace.replay import replay

pytestmark = needs_java

TWO = Bounds(processes=3, sends=2)
TO_ITSELF = Bounds(processes=2, sends=2, self_addressed="network")


def tlc(model: str, bounds: Bounds, readings: str, properties: tuple[str, ...], **options) -> TlcResult:
    return run_tlc(model, load_model(model, readings.split()).readings, bounds, properties, **options)


def executed(model: str, bounds: Bounds, readings: str, theirs: TlcResult) -> str:
    """What the Python model makes of TLC's counterexample."""
    calls = calls_of(model, readings, bounds)
    schedule = schedule_of(calls, bounds, theirs.trace, theirs.loop)
    assert len(schedule) == theirs.trace_length
    witness = Witness(schedule, "", loop=theirs.loop)
    return replay(record(calls, bounds, schedule, property=theirs.violated_property, witness=witness)).violation


def test_a_correct_algorithm_implements_causal_multicast_and_delivers_everything():
    bounds = Bounds(processes=3, sends=2, dests="unicast")
    theirs = tlc("rst", bounds, "", ("CausalOrder",), temporal=temporal_of("rst"), coverage=True)
    assert (theirs.verdict, theirs.temporal) == ("holds", ("ImplementsCausalMulticast", "EveryMessageIsDelivered"))
    ours = explore(calls_of("rst", "", bounds), bounds, ("CausalOrder", "Delivery"))
    assert all(row.equal for row in compare(ours, theirs))
    assert theirs.coverage is not None
    assert [(count.action, count.never) for count in theirs.coverage] == [
        ("Init", False), ("Send", False), ("SendAndDeliverOwn", True), ("Receive", False),
    ]  # fmt: skip
    assert sum(count.states or 0 for count in theirs.coverage) == theirs.distinct_states


def test_an_algorithm_that_loses_causal_order_does_not_implement_causal_multicast():
    theirs = tlc("rst", TWO, "RST-1c", (), temporal=temporal_of("rst"))
    assert (theirs.violated, theirs.violated_property) == ("ImplementsCausalMulticast", "CausalOrder")
    assert (theirs.exit_code, theirs.trace_length, theirs.loop) == (12, 4, None)
    ours = explore(calls_of("rst", "RST-1c", TWO), TWO, ("CausalOrder", "Delivery"))
    rows = {row.what: row.equal for row in compare(ours, theirs)}
    assert rows["verdict"] and rows["violated first"] and rows["trace length"]
    assert executed("rst", TWO, "RST-1c", theirs) == "there"


def test_a_stuck_state_is_a_run_that_ends_there():
    theirs = tlc("rst", TO_ITSELF, "RST-3c", ("CausalOrder",), temporal=temporal_of("rst"))
    assert (theirs.violated, theirs.exit_code, theirs.loop) == ("EveryMessageIsDelivered", 11, None)
    ours = explore(calls_of("rst", "RST-3c", TO_ITSELF), TO_ITSELF, ("CausalOrder", "Delivery"))
    rows = {row.what: row.equal for row in compare(ours, theirs)}
    assert rows["verdict"] and rows["trace length"] is None
    assert executed("rst", TO_ITSELF, "RST-3c", theirs) == "there"


def test_without_fairness_of_each_step_a_token_goes_round_for_ever(monkeypatch):
    """The Python model judges fairness step by step, so it takes the steps and finds the run unfair."""
    write = running.write_specification

    def weakened(folder, model, cfg):
        write(folder, model, cfg)
        source = folder / "SerialisedBroadcast.tla"
        text = source.read_text()
        assert "[][Next]_vars /\\ Fairness" in text
        source.write_text(text.replace("[][Next]_vars /\\ Fairness", "[][Next]_vars /\\ WF_vars(Next)"))

    monkeypatch.setattr(running, "write_specification", weakened)
    bounds = Bounds(processes=2, sends=1, dests="broadcast")
    theirs = tlc("serialised-broadcast", bounds, "", (), temporal=("EveryMessageIsDelivered",))
    assert (theirs.violated_property, theirs.exit_code) == ("Delivery", 13)
    assert theirs.loop is not None and theirs.trace_length > theirs.loop + 1
    assert executed("serialised-broadcast", bounds, "", theirs) == "gone"


def test_states_up_to_the_names_of_processes_stand_for_all_of_ours(tmp_path):
    dump = tmp_path / "states.dump"
    theirs = tlc("jang", TWO, "", ("CausalOrder", "Delivery"), symmetry=True, dump=dump)
    calls = calls_of("jang", "", TWO)
    sets = compare_orbits("jang", whole_states(calls, TWO), dump)
    assert sets.equal and (sets.common, sets.orbits) == (484, 88) and theirs.distinct_states == 88
    rows = {row.what: row.equal for row in compare(explore(calls, TWO, ("CausalOrder", "Delivery")), theirs)}
    assert rows == {"verdict": True, "distinct states": None, "transitions": None, "depth": True}


@pytest.mark.sweep
def test_with_symmetry_a_counterexample_is_a_run_of_ours_and_as_short():
    theirs = tlc("rst", TWO, "RST-1c", ("CausalOrder",), symmetry=True)
    assert (theirs.violated, theirs.trace_length) == ("CausalOrder", 4)
    assert executed("rst", TWO, "RST-1c", theirs) == "there"


@pytest.mark.parametrize(
    ("readings", "verdict", "code"),
    [pytest.param("", "incomplete", 3, marks=pytest.mark.sweep), ("RST-1c", "violated", 12)],
)
def test_random_walks_find_a_violation_or_prove_nothing(readings, verdict, code):
    bounds = Bounds(processes=3, sends=4)
    theirs = tlc("rst", bounds, readings, ("CausalOrder",), simulate=Simulation(500, 30, 3), coverage=True)
    assert (theirs.verdict, theirs.exit_code) == (verdict, code)
    assert theirs.coverage is not None and any(count.taken for count in theirs.coverage)
    if theirs.trace:
        assert executed("rst", bounds, readings, theirs) == "there"
