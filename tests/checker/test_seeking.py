"""Directed search finds planted and known violations of four and five processes, again and again the same ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.properties import select_properties
from precede.checker.result import Event
from precede.checker.run import Run
from precede.checker.seeking import walking
from precede.checker.seeking.found import SeekResult, seek
from precede.checker.seeking.judging import Judge
from precede.checker.seeking.preferring import preference
from precede.checker.seeking.remembering import RememberedCalls
from precede.checker.seeking.smallest import shrink_trace
from precede.checker.seeking.walking import Walk
from precede.checker.trace import read_trace
from precede.checker.trace.rejudge import broken_at_end
from precede.checker.trace.replay import replay

PLANTED = Path(__file__).parent / "planted.py"
MODELS = Path(__file__).parent / "toys.py"


def within(model: str, processes: int, sends: int, readings: tuple[str, ...] = (), **bounds: Any) -> Bounds:
    kind = load_model(model, readings).model
    return Bounds(processes, sends, **({"dests": kind.load, "channel": kind.channel} | bounds))


def sought(
    model: str, bounds: Bounds, property: str, *, readings: tuple[str, ...] = (), settings: tuple[str, ...] = (),
    seed: int = 0, runs: int = 4000,
) -> SeekResult:  # fmt: skip
    loaded = load_model(model, readings, settings)
    return seek(loaded, bounds, select_properties([property], loaded.model, model), runs=runs, seed=seed)


@pytest.mark.parametrize(
    ("name", "processes", "sends", "after"),
    [
        ("Capped", 3, 6, {(2, 5), (3, 5)}),
        ("Hasty", 4, 6, {(2, 5), (3, 5)}),
        pytest.param("Tired", 5, 6, {(5, 4)}, marks=pytest.mark.sweep),  # some 2,000 runs
    ],
)
def test_a_planted_bug_is_found_and_made_as_small_as_it_is(
    name: str, processes: int, sends: int, after: set[tuple[int, int]]
) -> None:
    """All runs of three processes and three sends are right."""
    model = f"{PLANTED}:{name}"
    small = within(model, 3, 3)
    calls = ModelCalls(load_model(model), small)
    assert explore(calls, small, ("CausalOrder",)).verdict == "holds"
    result = sought(model, within(model, processes, sends), "CausalOrder")
    found = result.violations["CausalOrder"]
    assert (found.trace.bounds.processes, found.trace.bounds.sends) in after
    assert replay(found.trace, model).violation == "there"


@pytest.mark.parametrize(
    ("model", "readings", "settings", "bounds", "property"),
    [
        ("ks", ("KS-2a",), (), Bounds(5, 6), "Minimality"),
        ("ks", ("KS-6c",), (), Bounds(5, 6), "CausalOrder"),
        ("ks-lookahead", ("KS-3a",), (), Bounds(5, 6), "CausalOrder"),
        ("ks-differences", ("KS-8a",), (), Bounds(5, 6, channel="fifo"), "CausalOrder"),
        ("chains-two", (), (), Bounds(5, 6), "CausalOrder"),
        ("rst", ("RST-2b",), (), Bounds(5, 6), "CausalOrder"),
        ("sa", ("SA-6b",), ("K=1",), Bounds(4, 5, dests="unicast", channel="fifo"), "CausalOrder"),
        ("gk", (), (), Bounds(4, 6), "CausalOrder"),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_violated_readings_are_found_among_five_processes(
    model: str, readings: tuple[str, ...], settings: tuple[str, ...], bounds: Bounds, property: str, seed: int
) -> None:
    result = sought(model, bounds, property, readings=readings, settings=settings, seed=seed)
    assert result.verdict == "violated"
    trace = result.violations[property].trace
    assert replay(trace).violation == "there"
    assert trace.bounds.processes <= 4


def test_nothing_is_found_where_nothing_is_wrong_and_that_is_no_verdict() -> None:
    result = seek(load_model("ks"), Bounds(4, 5), ("CausalOrder", "Minimality", "Delivery"), runs=200)
    assert (result.verdict, result.exit_code, result.violations) == ("incomplete", 3, {})
    assert result.sought.stopped == "all 200 runs are done"


def test_a_loss_leaves_a_message_undelivered() -> None:
    result = seek(load_model("ks"), Bounds(4, 4, losses=1), ("Delivery",), runs=500)
    assert result.exit_code == 11
    trace = result.violations["Delivery"].trace
    assert [step.kind for step in trace.steps] == ["send", "lose"]


@pytest.mark.parametrize("model", ["rst", "gk", "mattern-fuenfrocken", "separators", "ks@any", "serialised-multicast"])
def test_remembered_calls_and_a_search_that_judges_what_a_step_changes_see_the_same(model: str) -> None:
    """The same walks with a model that is asked each time, and with all states and packets judged after each step."""
    loaded, properties = load_model(model), ("CausalOrder", "Integrity", "Delivery", "NoNeedlessDelay")
    bounds = within(model, 4, 5)
    remembered = RememberedCalls(loaded, bounds)
    for seed in range(8):
        walks = [
            walk_of(calls, bounds, properties, seed) for calls in (remembered, ModelCalls(load_model(model), bounds))
        ]
        assert walks[0].schedule == walks[1].schedule and walks[0].wrong == walks[1].wrong


@pytest.mark.parametrize(
    ("model", "reading", "property"),
    [
        ("ks", "KS-6c", "Minimality"), ("prs", "PRS-2a", "Minimality"), ("ks", "KS-32b", "NoNeedlessDelay"),
        ("rst", "RST-5b", "NoNeedlessDelay"), ("ks@oldest", "KS-2b", "NoNeedlessDelay"),
    ],
)  # fmt: skip
def test_a_violation_is_seen_at_the_step_that_makes_it(model: str, reading: str, property: str) -> None:
    loaded, bounds = load_model(model, [reading]), within(model, 4, 5)
    seen = 0
    for seed in range(15):
        walk = walk_of(RememberedCalls(loaded, bounds), bounds, (property,), seed)
        assert walk.wrong.get(property) == first_broken(loaded, bounds, tuple(walk.schedule), property)
        seen += property in walk.wrong
    assert seen, "the walks are too few to show anything"


def walk_of(calls: ModelCalls, bounds: Bounds, properties: tuple[str, ...], seed: int) -> Walk:
    choose = Random(seed)
    walk = Walk(calls, bounds, Judge(properties), preference(bounds, choose), choose)
    walk.go()
    return walk


def first_broken(loaded: Any, bounds: Bounds, schedule: tuple[Event, ...], property: str) -> int | None:
    """The steps to the first state that is wrong as a whole."""
    of = Run(ModelCalls(loaded, bounds), bounds)
    for number, event in enumerate(schedule, 1):
        of.apply(event)
        if broken_at_end(of, property):
            return number
    return None


COMMAND = "import sys; from precede.checker.cli import run; sys.exit(run(sys.argv[1:]))"


def test_a_seed_gives_the_same_runs_everywhere(tmp_path: Path) -> None:
    """Sets of texts have another order in another process."""
    answers = []
    for hashing in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, "seek", "ks", "--reading", "KS-2a", "--processes", "4", "--sends", "5",
             "--runs", "150", "--seed", "7", "--json", "-"],
            env=os.environ | {"PYTHONHASHSEED": hashing}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        answer = json.loads(done.stdout)
        del answer["seconds"], answer["properties"]["Minimality"]["seconds"]
        answers.append(answer)
    assert answers[0] == answers[1]
    assert answers[0]["properties"]["Minimality"]["run"] is not None
    assert answers[0]["runs"] == 150


def test_the_trace_can_be_replayed_and_made_smaller_by_exploration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "x.json")
    asked = ["seek", "rst", "--reading", "RST-1b", "--processes", "5", "--sends", "6", "--property", "CausalOrder"]
    assert run([*asked, "--trace", file]) == 12
    out = capsys.readouterr().out
    assert "made smaller" in out and "3 processes, 2 sends, 4 steps" in out and f"trace written to {file}" in out
    trace = read_trace(file)
    assert replay(trace).same and trace.source == "precede seek"
    small = shrink_trace(load_model("rst", ["RST-1b"]), trace, "CausalOrder", explore_seconds=60)
    assert small.verdict == "proved smallest"


def test_ctrl_c_and_the_time_limit_end_a_search_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["seek", "ks", "--time-limit", "0.3"]) == 3
    assert "the time limit of 0.3 s was reached" in capsys.readouterr().out
    calls = iter(range(10**9))
    take = walking.Walk.go

    def interrupted(walk: Walk, script: Any = ()) -> None:
        if next(calls) == 20:
            os.kill(os.getpid(), signal.SIGINT)
        take(walk, script)

    monkeypatch.setattr(walking.Walk, "go", interrupted)
    assert run(["seek", "ks"]) == 3
    assert "the search ended: interrupted" in capsys.readouterr().out


def test_every_run_of_a_seed_is_another_one() -> None:
    bounds = Bounds(4, 5)
    walks = [walk_of(RememberedCalls(load_model("ks"), bounds), bounds, (), seed) for seed in range(30)]
    assert len({tuple(walk.schedule) for walk in islice(walks, 30)}) == 30
