"""ITF: read by the package of its makers, and back again as the same trace; nothing of a file is believed."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace

import itf_py
import pytest
from exported import KINDS, REFUTATIONS, images_of, in_itf, refuting, run_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from runs import calls_of, own_model, random_schedule, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.errors import EnvironmentProblem, PrecedeError, UsageError
from precede.checker.exports.from_itf import from_ours, images, is_ours, read_itf
from precede.checker.exports.itf import VARIABLES, itf
from precede.checker.exports.specified import trace_of
from precede.checker.run import Run
from precede.checker.trace import read_trace


def there_and_back(trace, folder, model=None):
    file = folder / "x.itf.json"
    file.write_text(itf(trace))
    found = read_itf(file)
    assert is_ours(found)
    return from_ours(found, model)


@pytest.mark.parametrize("kind", KINDS)
def test_the_package_itf_py_reads_every_kind_of_run(kind):
    trace = run_of(kind)
    found = itf_py.trace_from_json(json.loads(itf(trace)))
    assert found.vars == list(VARIABLES) and len(found.states) == len(trace.steps) + 1
    assert [state.values["action"] for state in found.states[1:]] == [step.label for step in trace.steps]
    delivered = {(f"{m[0]}.{m[1]}", at) for step in trace.steps for m, at in step.delivered}
    assert found.states[-1].values["delivered"] == delivered


@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back_is_the_same_run(kind, tmp_path):
    trace = run_of(kind)
    assert there_and_back(trace, tmp_path) == trace


@pytest.mark.parametrize("file", REFUTATIONS, ids=lambda file: file.stem)
def test_there_and_back_a_committed_trace_is_the_same(file, tmp_path):
    trace = read_trace(file)
    assert replace(there_and_back(trace, tmp_path), tool=trace.tool) == trace


def test_a_model_of_the_users_own_is_read_back_only_when_the_user_names_it(tmp_path):
    trace = triangle_trace(tmp_path)
    with pytest.raises(UsageError, match="code is not run"):
        there_and_back(trace, tmp_path)
    assert there_and_back(trace, tmp_path, own_model(tmp_path)).steps == trace.steps


def test_states_that_the_model_does_not_reach_are_refused(tmp_path):
    found = json.loads(itf(refuting("C-B-1-RST-1b")))
    found["states"][2]["states"]["#map"][0][1]["SENT"]["#tup"][0]["#tup"][0] = 7
    with pytest.raises(EnvironmentProblem, match="state 2 of the ITF trace is not that"):
        from_ours(found)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_with_anything_anywhere_is_refused_in_one_line(data, tmp_path):
    found = json.loads(itf(refuting("KS-6c")))
    place, key = found, None
    for _ in range(data.draw(st.integers(1, 6))):
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            break
        key, before = data.draw(st.sampled_from(list(keys))), place
        if not isinstance(before[key], dict | list):
            break
        place = before[key]
    junk = data.draw(st.sampled_from([None, -1, 10**30, "x", [], {}, {"#set": 3}, [[]], 1.5, True]))
    parent = found
    if key is not None and isinstance(before, dict | list):
        before[key] = deepcopy(junk)
    (tmp_path / "bad.json").write_text(json.dumps(parent))
    try:
        read = read_itf(tmp_path / "bad.json")
        if is_ours(read):
            from_ours(read)
        images(read)
    except PrecedeError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(("model", "bounds"), [("ks", Bounds(3, 3)), ("sa", Bounds(3, 3)), ("gk", Bounds(3, 3))])
def test_states_of_a_specification_from_another_tool_are_a_run(model, bounds):
    calls = calls_of(model, bounds)
    schedule = random_schedule(Run(calls, bounds), 9, 4)
    states = [{name: in_itf(v) for name, v in image.items()} for image in images_of(calls, bounds, schedule)]
    found, loop = images({"vars": list(states[0]), "states": states})
    trace = trace_of(calls, bounds, found, loop=loop, source="Apalache")
    assert images_of(calls, bounds, trace.schedule) == images_of(calls, bounds, schedule)


def test_the_commands_write_and_read(tmp_path, capsys):
    kept = tmp_path / "kept.json"
    kept.write_text(REFUTATIONS[0].read_text())
    assert run(["trace", "export", str(kept), "--to", "itf", "-o", str(tmp_path / "x.itf.json")]) == 0
    assert run(["trace", "import", str(tmp_path / "x.itf.json"), "-o", str(tmp_path / "back.json")]) == 0
    assert json.loads((tmp_path / "back.json").read_text())["steps"] == json.loads(kept.read_text())["steps"]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("{}", 153, "no list of states"),
        ('{"states": [{}]}', 2, "--model"),
        ("hello", 153, "no output of TLC"),
        ("[" * 100_000, 153, "no ITF trace"),
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(text, code, said, tmp_path, capsys):
    file = tmp_path / "x"
    file.write_text(text)
    assert run(["trace", "import", str(file), "-o", str(tmp_path / "out.json")]) == code
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1 and not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_another_tool_has_written_again_is_read(kind):
    trace = run_of(kind)
    again = itf_py.trace_to_json(itf_py.trace_from_json(json.loads(itf(trace))))
    assert again["states"] != json.loads(itf(trace))["states"]  # it writes integers in its own way
    assert from_ours(json.loads(json.dumps(again))) == trace


def test_a_violation_that_the_run_does_not_have_is_refused():
    found = json.loads(itf(refuting("C-B-1-RST-1b")))
    found["states"].pop()
    with pytest.raises(EnvironmentProblem, match="does not violate CausalOrder"):
        from_ours(found)
