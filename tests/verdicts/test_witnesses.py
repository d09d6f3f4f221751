"""The runs that come with refuted rows: taken again they are the same and still wrong; so are runs of their scripts."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.choosing import examine
from precede.checker.properties import select_properties
from precede.checker.refutations import is_violated
from precede.checker.scenario import load_scenario, scripted_bounds
from precede.checker.trace import read_trace
from precede.checker.trace.replay import reload, replay
from precede.checker.verdicts import Session, load_registry
from precede.checker.verdicts.deriving import FALSE
from precede.checker.verdicts.findings import showing
from precede.checker.verdicts.showing import FOLDER, committed, witness_of

REFUTED = {row.id: row for row in load_registry() if row.verdict == "refuted"}
IDS = sorted(file.stem for file in FOLDER.glob("*.json"))
TRACES = {id: read_trace(committed(id)) for id in IDS}
VIOLATED = [id for id, trace in TRACES.items() if trace.violation is not None and ":" not in trace.model]
"""All but those of differences between two algorithms and of sizes, which violate nothing, and of models that are no
built-in ones, whose code is not run because a trace names it."""
QUICK = [id for id in VIOLATED[:6] if id != "BJ-1b"]
"""Those whose scenarios are explored by default."""


@pytest.mark.parametrize("id", VIOLATED)
def test_the_run_is_taken_again_and_is_still_wrong(id):
    trace = TRACES[id]
    assert replay(trace).same
    assert is_violated(trace)


@pytest.mark.parametrize("id", IDS)
def test_the_run_has_the_steps_that_the_registry_expects(id):
    expected = {e.steps for evidence in REFUTED[id].deciding for e in evidence.expect.values() if e.verdict in FALSE}
    assert len(TRACES[id].steps) in expected


def found_by_its_scenario(id):
    trace = TRACES[id]
    script = load_scenario(committed(id).with_suffix(".txt"))
    bounds = scripted_bounds(script, trace.bounds)
    calls = ModelCalls(reload(trace), bounds)
    properties = select_properties([trace.violation.property], calls.model, trace.model)
    return examine(calls, bounds, properties, scenario=script).verdict


@pytest.mark.parametrize("id", QUICK)
def test_exploring_the_scenario_finds_the_violation_again(id):
    assert found_by_its_scenario(id) == "violated"


@pytest.mark.sweep
@pytest.mark.parametrize("id", [id for id in VIOLATED if id not in QUICK])
def test_exploring_every_other_scenario_finds_its_violation_again(id):
    assert found_by_its_scenario(id) == "violated"


@pytest.mark.parametrize("id", REFUTED)
def test_every_row_that_a_run_refutes_has_it(id):
    """`precede claims --witnesses checker/verdicts/witnesses`, and readings."""
    shown = showing(REFUTED[id])
    by_a_run = shown is not None and any(e.verdict == "violated" for e in shown.expect.values())
    assert bool(committed(id)) or not by_a_run or shown.engine in ("tlc", "study", "minimal")


def test_the_command_writes_the_run_that_is_kept():
    (found,) = Session([REFUTED["KS-2a"]], quick=True).decide()
    written, kept = witness_of(found), read_trace(committed("KS-2a"))
    assert (written.steps, written.violation, written.bounds) == (kept.steps, kept.violation, kept.bounds)


def test_bounds_of_scripts_are_their_own():
    assert scripted_bounds(load_scenario(FOLDER / "KS-2a.txt"), Bounds()).sends == 3
