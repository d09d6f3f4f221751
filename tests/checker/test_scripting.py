"""The scripted scenario of a trace: exploring all runs that follow it finds the violation of the trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import toys
from runs import TRIANGLE, random_trace
from toys import trace_of

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.properties import select_properties
from precede.checker.result import ReceiveEvent, Result
from precede.checker.run import Run
from precede.checker.scenario import parse_scenario, scripted_bounds
from precede.checker.seeking.scripting import scenario_of
from precede.checker.trace import Trace, read_trace, write_trace
from precede.checker.trace.replay import reload

COMMITTED = sorted((Path(__file__).parents[2] / "proofs" / "refutations").glob("*.json"))


def explored(trace: Trace, text: str) -> Result:
    loaded = reload(trace)
    scenario = parse_scenario(text, "of-the-trace")
    bounds = scripted_bounds(scenario, trace.bounds)
    assert trace.violation is not None
    properties = select_properties([trace.violation.property], loaded.model, trace.model)
    return explore(ModelCalls(loaded, bounds), bounds, properties, scenario=scenario)


def assert_follows(trace: Trace, model: str | None = None) -> None:
    """The recorded run is one of those that follow its scenario."""
    scenario = parse_scenario(scenario_of(trace), "of-the-trace")
    bounds = scripted_bounds(scenario, trace.bounds)
    following = Run(ModelCalls(reload(trace, model), bounds), bounds, scenario)
    for event in trace.schedule:
        following.apply(event)


@pytest.mark.parametrize("file", COMMITTED, ids=lambda file: file.stem)
def test_exploring_the_scenario_finds_the_violation_in_as_few_steps(file: Path) -> None:
    trace = read_trace(file)
    assert_follows(trace)
    (found,) = explored(trace, scenario_of(trace)).properties
    assert found.verdict == "violated"
    assert found.trace_length is not None and found.trace_length <= len(trace.steps)


@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
@pytest.mark.parametrize("model", ["ks", "sa", "gk", "null", "ks-lookahead", "mattern-fuenfrocken", "centralised"])
def test_a_random_run_follows_its_own_scenario(model: str, channel: str) -> None:
    for seed in range(8):
        bounds = Bounds(4, 6, dests=load_model(model).model.load, channel=channel)
        trace = random_trace(model, bounds, 24, seed)
        if trace.steps:
            assert_follows(trace)


def test_the_text_says_who_sends_after_what_and_in_which_order_it_arrives() -> None:
    trace = trace_of(toys.Anywhere(), *TRIANGLE, ReceiveEvent(3, (2, 1)), ReceiveEvent(3, (1, 1)))
    assert scenario_of(trace).splitlines()[2:] == [
        "processes 3",
        "m1: 1 -> 3",
        "m2: 1 -> 2",
        "m3: 2 -> 3 after m2",
        "arrive at 3: m3, m1",
    ]


def test_the_order_of_the_receipts_matters() -> None:
    """With the opposite order of arrivals nothing is violated."""
    trace = read_trace(next(file for file in COMMITTED if file.stem == "C-B-1-RST-1b"))
    text = scenario_of(trace)
    line = next(line for line in text.splitlines() if line.startswith("arrive"))
    process, order = line.split(": ")
    turned = text.replace(line, f"{process}: {', '.join(reversed(order.split(', ')))}")
    assert explored(trace, turned).verdict == "holds"


def test_what_a_hostile_trace_names_stays_in_its_comment(tmp_path: Path) -> None:
    trace = read_trace(COMMITTED[0])
    assert trace.violation is not None
    evil = replace(trace, violation=replace(trace.violation, explanation="x\nprocesses 9\r\n\x1b[31m\u2028processes 8"))
    text = scenario_of(evil)
    assert [line for line in text.split("\n") if line.startswith("processes")] == ["processes 3"]
    assert "\x1b" not in text and parse_scenario(text, "evil").processes == 3


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = str(COMMITTED[0]), tmp_path / "x.txt"
    assert run(["trace", "scenario", file, "-o", str(out)]) == 0
    assert run(["trace", "scenario", file, "-o", "-"]) == 0
    assert capsys.readouterr().out == out.read_text() == scenario_of(read_trace(file))
    empty = replace(read_trace(file), steps=())
    write_trace(empty, tmp_path / "empty.json")
    assert run(["trace", "scenario", str(tmp_path / "empty.json"), "-o", str(out)]) == 2
    assert "has no send" in capsys.readouterr().err
