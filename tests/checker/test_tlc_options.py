"""Temporal formulas, symmetry, coverage and random walks, with a Java that prints what TLC prints."""

from __future__ import annotations

import os

import pytest
from test_tlc_running import DEPTH, PROGRESS, STARTED, SUCCESS, TOTALS, java, said

from precede.checker.bounds import Bounds
from precede.checker.errors import EnvironmentProblem, ModelError, UsageError
from precede.checker.tlc import Simulation, run_tlc, temporal_of
from precede.checker.tlc.coverage import ActionCount

__all__ = ["java"]

BOUNDS = Bounds(processes=2, sends=1)
REFINEMENT, LIVENESS = TEMPORAL = ("ImplementsCausalMulticast", "EveryMessageIsDelivered")
UNNAMED = (2116, 1, "Temporal properties were violated.")
PLACED = (2112, 1, "Action property line 49, col 21 to line 49, col 33 of module CausalMulticast is violated.")
STATES = tuple((2217, 4, f"{n}: <Send line 1, col 1 to line 1, col 2 of module RST>\n/\\ x = {n}\n") for n in (1, 2, 3))
SIMULATING = (2188, 0, "Running Random Simulation with seed 5 with 1 worker.")
WALKED = (2209, 0, "Progress(-1) at now: 127 states generated, -1 distinct states found, -1 states left on queue.")
ENDED = (2186, 0, "Finished in 1159ms at (now)")
SEND = (2772, 0, "<Send line 999, col 1 to line 999, col 14 of module RST>: 42:78")


def run(**options):
    return run_tlc("rst", {}, BOUNDS, ("CausalOrder",), **options)


def test_the_options_reach_tlc_and_its_configuration(java, tmp_path):
    keep = f"cp RST.cfg '{tmp_path}'; echo \"$@\" > '{tmp_path}/command'"
    java(said(STARTED, SUCCESS, TOTALS, DEPTH), keep)
    run(temporal=TEMPORAL, coverage=True)
    cfg, command = ((tmp_path / name).read_text() for name in ("RST.cfg", "command"))
    assert cfg.endswith(f"PROPERTIES\n    {REFINEMENT}\n    {LIVENESS}\n") and "Procs = {1, 2}" in cfg
    assert "-coverage 1" in command and "-simulate" not in command
    run(symmetry=True)
    cfg, command = ((tmp_path / name).read_text() for name in ("RST.cfg", "command"))
    assert "Procs = {p1, p2}" in cfg and cfg.endswith("SYMMETRY Symmetry\n") and "-coverage" not in command
    java(said(STARTED, SIMULATING, WALKED, ENDED), keep)
    run(simulate=Simulation(20, 8, 5))
    assert "-simulate num=20 -depth 8 -seed 5 RST.tla" in (tmp_path / "command").read_text()


def test_where_the_order_is_semantic_the_refinement_is_another():
    assert temporal_of("rst") == TEMPORAL
    assert temporal_of("gk") == ("ImplementsSemanticMulticast", LIVENESS)


def test_the_parameters_of_the_model_reach_the_configuration(java, tmp_path):
    java(said(STARTED, SUCCESS, TOTALS, DEPTH), f"cp SA.cfg '{tmp_path}'")
    run_tlc("sa", {}, Bounds(dests="unicast"), (), settings={"K": 5})
    assert "    K = 5\n" in (tmp_path / "SA.cfg").read_text()


@pytest.mark.parametrize(
    ("violation", "temporal", "name"),
    [
        (UNNAMED, TEMPORAL, LIVENESS),
        (UNNAMED, (LIVENESS,), LIVENESS),
        (PLACED, TEMPORAL, REFINEMENT),
        ((2112, 1, f"Action property {REFINEMENT} is violated."), TEMPORAL, REFINEMENT),
        ((2116, 1, f"Temporal property {LIVENESS} was violated."), TEMPORAL, LIVENESS),
        ((2116, 1, f"Temporal properties {REFINEMENT} and {LIVENESS} were violated."), TEMPORAL[1:], LIVENESS),
    ],
)
def test_the_violated_formula_is_known_whether_or_not_tlc_names_it(java, violation, temporal, name):
    java(said(STARTED, violation, *STATES, TOTALS), "exit 13")
    result = run(temporal=temporal)
    assert (result.verdict, result.violated, result.is_shortest) == ("violated", name, name == REFINEMENT)
    assert result.as_json()["violated_formula"] == name and result.as_json()["violated_invariant"] is None


def test_the_exit_codes_tell_disorder_a_stuck_state_and_a_run_that_goes_on(java):
    back = (2122, 4, "2: Back to state: <Receive line 1, col 1 to line 1, col 2 of module RST>")
    found = []
    for messages in ((PLACED, *STATES), (UNNAMED, *STATES, (2218, 4, "4: Stuttering")), (UNNAMED, *STATES, back)):
        java(said(STARTED, *messages, TOTALS), "exit 13")
        result = run(temporal=TEMPORAL)
        found.append((result.violated_property, result.exit_code, result.trace_length, result.loop))
    assert found == [("CausalOrder", 12, 2, None), ("Delivery", 11, 2, None), ("Delivery", 13, 3, 1)]


def test_random_walks_without_a_violation_prove_nothing(java):
    java(said(STARTED, SIMULATING, WALKED, ENDED))
    result = run(simulate=Simulation(1000))
    assert (result.verdict, result.exit_code, result.transitions) == ("incomplete", 3, 126)
    assert result.stopped == "all 1,000 random walks are taken: evidence, not proof"
    assert result.as_json()["simulation"] == {"walks": 1000, "depth": 100, "seed": 0}


def test_a_random_walk_finds_a_violation_that_need_not_be_the_shortest(java):
    violated = (2110, 1, "Invariant CausalOrder is violated.")
    java(said(STARTED, SIMULATING, violated, *STATES, WALKED, ENDED), "exit 12")
    result = run(simulate=Simulation(1000))
    assert (result.verdict, result.exit_code, result.trace_length) == ("violated", 12, 2)
    assert not result.is_shortest and result.stopped is None


def test_random_walks_keep_to_the_time_limit(java):
    java(said(STARTED, SIMULATING, WALKED), "exec sleep 60")
    result = run(simulate=Simulation(1000), time_limit=0.5)
    assert (result.verdict, result.stopped) == ("incomplete", "the time limit of 0.5 s was reached")


def test_random_walks_that_die_are_no_evidence(java):
    java(said(STARTED, SIMULATING, WALKED), "kill -9 $$")
    with pytest.raises(EnvironmentProblem, match="killed by signal 9"):
        run(simulate=Simulation(1000))
    java(said(STARTED, SIMULATING, WALKED, ENDED), "exit 1")
    with pytest.raises(EnvironmentProblem, match="exit code 1"):
        run(simulate=Simulation(1000))
    java(said(STARTED, SIMULATING, (2102, 1, "Attempted to apply nothing"), WALKED, ENDED), "exit 75")
    with pytest.raises(ModelError, match="Attempted to apply nothing"):
        run(simulate=Simulation(1000))


def test_the_coverage_is_in_the_result_where_it_was_asked_for(java):
    java(said(STARTED, SUCCESS, (2201, 0, "The coverage statistics"), SEND, TOTALS, DEPTH))
    assert run().coverage is None
    assert run(coverage=True).coverage == (ActionCount("Send", 78, 42, False),)
    assert run(coverage=True, temporal=TEMPORAL).coverage == (ActionCount("Send", None, 42, False),)
    java(said(STARTED, SIMULATING, SEND, WALKED, ENDED))
    assert run(coverage=True, simulate=Simulation(9)).coverage == (ActionCount("Send", 78, None, False),)


def test_coverage_before_the_first_report_is_empty(java):
    java(said(STARTED, PROGRESS), "exec sleep 60")
    assert run(coverage=True, time_limit=0.5).coverage == ()


def test_symmetry_is_refused_before_java_is_looked_for(monkeypatch):
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(UsageError, match="may miss violations of liveness"):
        run(symmetry=True, temporal=TEMPORAL)
