"""The commands that run TLC: comparison, demonstration, benchmark."""

import json
import shutil
from importlib import import_module
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


@needs_java
def test_random_walks_are_evidence_and_a_violation_is_executed_by_the_python_model(capsys, tmp_path):
    trace = str(tmp_path / "tlc.json")
    asked = ("tlc", "rst", "--sends", "2", "--simulate", "200", "--depth", "9", "--coverage")
    assert run([*asked]) == 3
    out = capsys.readouterr().out
    assert "200 random walks of at most 9 steps, seed 0" in out
    assert (
        "incomplete: all 200 random walks are taken: evidence, not proof; no violation found so far in runs of" in out
    )
    assert "never taken so far: SendAndDeliverOwn" in out and "distinct states" not in out
    assert run([*asked, "--reading", "RST-1c", "--trace", trace, "--json", str(tmp_path / "answer.json")]) == 12
    out = capsys.readouterr().out
    assert "the counterexample, to CausalOrder: TLC found that invariant CausalOrder does not hold here" in out
    assert "takes the same steps, and CausalOrder is violated there too" in out and "steps tried" not in out
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert (answer["precede"], answer["comparison"], answer["executed"]) == (None, [], "there")
    assert answer["tlc"]["simulation"] == {"walks": 200, "depth": 9, "seed": 0} and answer["agree"]
    assert run(["trace", "replay", trace]) == 0


@needs_java
def test_with_symmetry_the_sets_are_compared_under_all_names(capsys):
    assert run(["tlc", "rst", "--sends", "2", "--symmetry", "--states", "--coverage"]) == 0
    out = capsys.readouterr().out
    assert "of states that differ in the names of processes only, TLC keeps and counts one" in out
    assert "484 in both, 0 only in precede, 0 only in TLC; up to the names of processes 88, and TLC kept 88" in out
    assert "actions of RST.tla, counted by TLC" in out


@needs_java
def test_temporal_formulas_are_judged_with_what_they_are_about(capsys, tmp_path):
    trace = str(tmp_path / "tlc.json")
    asked = ("--sends", "2", "--reading", "RST-1c", "--property", "Delivery", "--temporal")
    assert run(["tlc", "rst", *asked, "--trace", trace]) == 12
    out = capsys.readouterr().out
    assert "temporal formulas that TLC judged as well: ImplementsCausalMulticast, EveryMessageIsDelivered" in out
    assert [line.split() for line in out.splitlines() if "violated first" in line] == [
        ["violated", "first", "CausalOrder", "CausalOrder", "equal"]
    ]
    assert run(["trace", "replay", trace]) == 0
    assert "ImplementsCausalMulticast does not hold of the last step" in Path(trace).read_text()


@needs_java
def test_a_counterexample_that_the_python_model_does_not_have_is_a_disagreement(capsys, monkeypatch):
    monkeypatch.setattr(import_module("precede.checker.cli.tlc"), "executed", lambda question, theirs: (None, "gone"))
    assert run(["tlc", "rst", "--sends", "2", "--simulate", "200", "--reading", "RST-1c"]) == 1
    assert "takes the same steps, and CausalOrder is not violated there" in capsys.readouterr().out


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
