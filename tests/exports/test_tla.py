"""TLA+: TLC follows the exported module, and what TLC printed becomes a trace."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from exported import images_of, refuting, run_of
from runs import hostile_trace

from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.errors import UsageError
from precede.checker.exports.from_tlc import read_tlc
from precede.checker.exports.tla import tla
from precede.checker.tlc.configuration import write_specification
from precede.checker.tlc.running import tlc_command
from precede.checker.tlc.tools import find_jar, find_java
from precede.checker.tlc.values import show
from precede.checker.trace import read_trace, write_trace
from precede.checker.trace.replay import reload

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")


def printed_by_tlc(images, violated="CausalOrder"):
    """A counterexample as TLC prints it without -tool."""
    lines = [f"Error: Invariant {violated} is violated.", "Error: The behavior up to this point is:"]
    for number, image in enumerate(images, 1):
        lines.append(f"State {number}: <{'Initial predicate' if number == 1 else 'Next line 9 of module M'}>")
        lines += [f"/\\ {name} = {show(value)}" for name, value in image.items()]
        lines.append("")
    return "\n".join([*lines, "12 states generated, 10 distinct states found, 2 states left on queue."])


@pytest.mark.parametrize("name", ["C-B-1-RST-1b", "KS-6c"])
def test_what_tlc_printed_becomes_the_same_trace(name, tmp_path, capsys):
    trace = refuting(name)
    calls = ModelCalls(reload(trace), trace.bounds)
    file = tmp_path / "tlc.txt"
    file.write_text(printed_by_tlc(images_of(calls, trace.bounds, trace.schedule)))
    assert read_tlc(file).violated == "CausalOrder"
    readings = [part for id, letter in trace.readings.items() for part in ("--reading", f"{id}{letter}")]
    out = tmp_path / "out.json"
    sizes = ["--processes", str(trace.bounds.processes), "--sends", str(trace.bounds.sends)]
    assert run(["trace", "import", str(file), "-o", str(out), "--model", trace.model, *readings, *sizes]) == 0
    found = read_trace(out)
    assert found.source == "TLC" and found.violation.property == "CausalOrder"
    assert found.schedule == trace.schedule
    assert run(["trace", "replay", str(out)]) == 0


def test_states_of_another_model_are_refused(tmp_path, capsys):
    trace = refuting("KS-6c")
    file = tmp_path / "tlc.txt"
    calls = ModelCalls(reload(trace), trace.bounds)
    file.write_text(printed_by_tlc(images_of(calls, trace.bounds, trace.schedule)))
    assert run(["trace", "import", str(file), "-o", str(tmp_path / "x.json"), "--model", "rst"]) == 150
    assert capsys.readouterr().err.count("\n") == 1


def test_a_name_that_tla_does_not_allow_is_refused():
    with pytest.raises(UsageError, match="no name of a TLA"):
        tla(refuting("KS-6c"), "my-run")


@needs_java
@pytest.mark.parametrize("name", ["KS-6c", "C-B-3"])
def test_tlc_follows_the_module_to_its_end(name, tmp_path):
    trace = refuting(name)
    write_trace(trace, tmp_path / "kept.json")
    assert run(["trace", "export", str(tmp_path / "kept.json"), "--to", "tla", "-o", str(tmp_path / "Kept.tla")]) == 0
    write_specification(tmp_path, trace.model, "")
    command = tlc_command(find_java(), find_jar(), tmp_path, "Kept", 1, None, False)
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stdout[-2000:]
    assert f"{len(trace.steps) + 1} distinct states found" in found.stdout


@needs_java
@pytest.mark.parametrize("kind", ["faults", "hostile"])
def test_a_run_without_a_specification_is_a_module_that_tla_parses(kind, tmp_path):
    evil = '---- MODULE x ----\n"\\ EXTENDS {'
    trace = run_of("faults") if kind == "faults" else hostile_trace(tmp_path, evil, {evil: [evil, {"set": [evil, 1]}]})
    module, configuration = tla(trace, "Kept")
    assert configuration is None
    (tmp_path / "Kept.tla").write_text(module)
    command = [find_java(), "-cp", str(find_jar()), "tla2sany.SANY", "Kept.tla"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0 and "Semantic processing of module Kept" in found.stdout, found.stdout
