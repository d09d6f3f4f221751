"""The commands that run TLC: comparison, demonstration, benchmark."""

import json
import shutil
from pathlib import Path

import pytest

from precede.checker.cli import run

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")


@pytest.fixture
def without_java(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)


@needs_java
def test_tlc_agrees_on_a_broken_reading_and_its_counterexample_replays(capsys, tmp_path):
    trace = str(tmp_path / "tlc.json")
    assert run(["tlc", "rst", "--sends", "2", "--reading", "RST-1c", "--trace", trace, "--json", "-"]) == 12
    answer = json.loads(capsys.readouterr().out)
    assert (
        answer["agree"]
        and answer["tlc"]["trace_length"] == answer["precede"]["properties"]["CausalOrder"]["trace_length"]
    )
    assert json.loads(Path(trace).read_text())["source"] == "TLC"
    assert run(["trace", "replay", trace]) == 0


@pytest.mark.parametrize(
    ("hint", "arguments"),
    [
        ("no script", ("tlc", "rst", "--scenario", "{folder}/s.txt")),
        ("no TLA+ counterpart", ("tlc", "rst", "--property", "{folder}/mine.py:fine")),
    ],
)
def test_what_has_no_specification_is_refused(capsys, tmp_path, hint, arguments):
    (tmp_path / "s.txt").write_text("processes 2\nm: 1 -> 2\n")
    (tmp_path / "mine.py").write_text("def fine(state):\n    return True\n")
    assert run([argument.format(folder=tmp_path) for argument in arguments]) == 2
    assert hint in capsys.readouterr().err


def test_without_java_tlc_is_one_line(capsys, without_java):
    assert run(["tlc", "rst", "--sends", "1"]) == 153
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("precede: no Java was found") and err.count("\n") == 1


def test_without_java_the_demo_does_the_rest_and_says_so(capsys, tmp_path, without_java):
    assert run(["demo", "--into", str(tmp_path)]) == 153
    out = capsys.readouterr().out
    assert out.count(" holds ") == 3 and "TLC was not run: no Java was found" in out
    assert {path.name for path in tmp_path.iterdir()} == {"precede-demo.json", "precede-demo.svg"}


@needs_java
def test_the_benchmark_prints_and_writes_what_it_measured(capsys):
    assert run(["bench", "rst", "--sends", "1", "--workers", "1", "--json", "-"]) == 0
    answer = json.loads(capsys.readouterr().out)
    ours, theirs = answer["measurements"]
    assert (ours["tool"], theirs["tool"]) == ("precede", "TLC -workers 1")
    assert ours["distinct_states"] == theirs["distinct_states"] and ours["transitions"] == theirs["transitions"]
    assert ours["peak_memory_bytes"] > 0 and answer["machine"]["cores"] >= 1
