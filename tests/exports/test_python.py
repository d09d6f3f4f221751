"""The exported program takes the run again; what it prints and asserts is the trace's story."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace

import pytest
from exported import KINDS, REFUTATIONS, run_of
from runs import TRIANGLE, hostile_trace, own_model, scripted, triangle_trace

from precede.checker.errors import PrecedeError, UsageError
from precede.checker.exports.from_itf import from_ours, read_itf
from precede.checker.exports.itf import itf
from precede.checker.exports.python import python
from precede.checker.page import document_of
from precede.checker.trace import read_trace, record
from precede.checker.trace.values import encode


def executed(program):
    printed, names = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "exported", "exec"), names)
    return names, printed.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_the_program_takes_the_same_steps(kind):
    trace = run_of(kind)
    names, printed = executed(python(trace))
    assert tuple(names["schedule"]) == trace.schedule and names["bounds"] == trace.bounds
    assert [line.split(" | ")[0] for line in printed.splitlines()[: len(trace.steps)]] == [
        f"{i} {step.label}" for i, step in enumerate(trace.steps, 1)
    ]
    last = {p: state for p, state in enumerate(trace.initial, 1)}
    last.update({new.process: new.state for step in trace.steps for new in step.states})
    assert {p: encode(state) for p, state in names["run"].states.items()} == last


@pytest.mark.parametrize("file", REFUTATIONS, ids=lambda file: file.stem)
def test_the_program_of_every_committed_trace_still_finds_it_wrong(file):
    """The program checks that itself; the next test shows that it fails where the run is right."""
    trace = read_trace(file)
    program = python(trace)
    assert "\nassert " in program
    assert tuple(executed(program)[0]["schedule"]) == trace.schedule


def test_a_program_whose_run_is_right_fails_where_the_trace_was_wrong():
    trace = read_trace(next(file for file in REFUTATIONS if file.stem == "C-B-1-RST-1b"))
    with pytest.raises(AssertionError):
        executed(python(trace).replace("ReceiveEvent(2, (1, 1)),", "ReceiveEvent(2, (3, 1)),"))


def test_the_script_of_a_scenario_is_in_the_program():
    scenario, bounds, run = scripted("triangle", "ks")
    trace = record(run.calls, bounds, TRIANGLE, scenario=scenario)
    assert executed(python(trace))[0]["scenario"].text == scenario.text


def test_a_program_never_names_a_model_that_only_a_file_names(tmp_path):
    trace = triangle_trace(tmp_path)
    with pytest.raises(UsageError, match="--model"):
        python(trace)
    own = own_model(tmp_path)
    assert "CausalOrder" in executed(python(trace, own))[0]["wrong"]


@pytest.mark.parametrize("name", ["ks@evil.py:Model", "evil.py", "ks@", "ks@none", "evil"])
def test_a_name_that_only_begins_like_one_of_ours_is_none_of_ours(name, tmp_path, monkeypatch):
    """precede would run such a file."""
    monkeypatch.chdir(tmp_path)
    for file in ("ks@evil.py", "evil.py"):
        (tmp_path / file).write_text("raise SystemExit('run')")
    trace = replace(run_of("multicasts"), model=name)
    if name != "ks@":  # which means no wrapper
        with pytest.raises(UsageError):
            python(trace)
    told = document_of(trace)["notExecuted"]
    assert told and "raised" not in told and "SystemExit" not in told
    (tmp_path / "x.json").write_text(itf(trace))
    with pytest.raises(PrecedeError) as refused:
        from_ours(read_itf(tmp_path / "x.json"))
    assert "SystemExit" not in str(refused.value)


def test_texts_of_a_hostile_trace_stay_texts(tmp_path):
    evil = '"""\nimport os\nraise SystemExit(3)\n\\'
    program = python(hostile_trace(tmp_path, evil, 1), "ks")
    compile(program, "exported", "exec")
    assert "\nraise" not in program and "\nimport os" not in program
