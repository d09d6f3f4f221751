"""Every JSON that precede writes has a format in checker/formats.py, and exactly the fields that it describes."""

import json
import shutil
from pathlib import Path

import click
import pytest

from precede.checker import bench, demo, formats, growth
from precede.checker.bounds import Bounds
from precede.checker.cli import cli, run

ROOT = Path(__file__).parent.parent
FORMATS = {name: found for name, found in vars(formats).items() if isinstance(found, formats.Format)}
SMALL = Bounds(processes=3, sends=2)

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")


def assert_described(value, fields, prefix=""):
    """Every object has the fields described below `prefix`; what has none described there is free."""
    below = {path.removeprefix(prefix) for path in fields if path.startswith(prefix)}
    names = {rest for rest in below if rest.isidentifier()}
    if not names or value is None:
        return
    assert set(value) == names, f"in {prefix or 'the whole'}"
    for name, part in value.items():
        path = prefix + name
        assert_described(part, fields, f"{path}.")
        for entry in part if isinstance(part, list) else ():
            assert_described(entry, fields, f"{path}[].")
        for entry in part.values() if isinstance(part, dict) else ():
            assert_described(entry, fields, f"{path}.*.")


def assert_is(document, expected):
    assert list(document)[:2] == ["format", "version"]
    assert (document.pop("format"), document.pop("version")) == (expected.name, expected.version)
    assert_described(document, expected.fields)


def written(capsys, *arguments):
    run([*arguments, "--json", "-"])
    return json.loads(capsys.readouterr().out)


def json_commands(group, path=()):
    """The commands that take --json."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from json_commands(command, (*path, name))
        elif any("--json" in parameter.opts for parameter in command.params):
            yield " ".join((*path, name))


def test_every_command_that_writes_json_is_among_these_tests():
    assert set(json_commands(cli)) == {
        "check", "list", "trace replay", "tlc", "demo", "bench", "ablate", "assumptions", "compare", "sizes", "bounded",
        "trace validate", "prove", "minimal", "audit", "explore", "query", "growth",
        "study claims", "study simulate", "study throughput", "claims", "readings", "trace shrink", "seek",
    }  # fmt: skip
    assert set(FORMATS) == {
        "RESULT", "TRACE", "REPLAY", "TLC", "DEMO", "LIST", "BENCH", "ABLATION", "ASSUMPTIONS", "SIZES", "COMPARE",
        "VALIDATION", "RUNS", "PROOFS", "BOUNDED", "MINIMAL", "AUDIT", "EXPLORATION", "LEVEL", "QUERY", "GROWTH",
        "STUDY", "STUDY_CLAIMS", "SIMULATION", "THROUGHPUT", "VERDICTS", "SEEK", "SHRUNK",
    }  # fmt: skip
    assert len({found.name for found in FORMATS.values()}) == len(FORMATS)


def test_check_writes_a_result_and_a_trace_which_replay_answers(capsys, tmp_path):
    trace = str(tmp_path / "x.json")
    result = written(capsys, "check", "rst", "--sends", "2", "--reading", "RST-1b", "--trace", trace)
    assert result["properties"]["CausalOrder"]["trace_length"] and result["labels"]
    assert_is(result, formats.RESULT)
    document = json.loads(Path(trace).read_text())
    assert document["violation"] and any(step["packets"] for step in document["steps"])
    assert_is(document, formats.TRACE)
    assert_is(written(capsys, "trace", "replay", trace), formats.REPLAY)


def test_the_trace_of_a_scenario_has_a_waiting_copy_and_the_script(capsys, tmp_path):
    trace = str(tmp_path / "x.json")
    scenario = str(ROOT / "tests" / "scenarios" / "triangle.txt")
    written(capsys, "check", "ks", "--scenario", scenario, "--property", own_property(tmp_path), "--trace", trace)
    document = json.loads(Path(trace).read_text())
    assert document["scenario"] and any(step["waiting"] for step in document["steps"])
    assert_is(document, formats.TRACE)


def own_property(folder):
    """Violated once process 3 has delivered something, which in the triangle is after m3 has waited."""
    (folder / "own.py").write_text("def none_at_3(process, past):\n    return process != 3 or not past.delivered\n")
    return f"{folder / 'own.py'}:none_at_3"


@needs_java
def test_validation_and_the_runs_of_the_manifest_write_their_formats(capsys, tmp_path):
    trace = str(tmp_path / "x.json")
    written(capsys, "check", "rst", "--sends", "2", "--reading", "RST-1b", "--trace", trace)
    assert_is(written(capsys, "trace", "validate", trace), formats.VALIDATION)
    assert_is(written(capsys, "tlc", "--all", "SES-3c"), formats.RUNS)


def test_proofs_write_their_format(capsys):
    document = written(capsys, "prove", "C-KS-L1", "--seeds", "1")
    assert document["claims"][0]["verdict"] == "proved"
    assert_is(document, formats.PROOFS)


def test_list_writes_its_format(capsys):
    assert_is(written(capsys, "list"), formats.LIST)


def test_the_demonstration_writes_its_format_without_java_too(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "EXPLORED", SMALL)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    document = written(capsys, "demo", "--into", str(tmp_path))
    for result in (*document["checked"], document["broken"]):
        assert_is(result, formats.RESULT)
    assert_is(document, formats.DEMO)


@needs_java
def test_tlc_writes_its_format(capsys):
    document = written(capsys, "tlc", "rst", "--sends", "1", "--states")
    assert document["state_sets"] and document["comparison"]
    assert_is(document["precede"], formats.RESULT)
    assert_is(document, formats.TLC)


def test_a_bounded_check_writes_its_format(capsys):
    document = written(capsys, "bounded", "rst", "--steps", "4", "--reading", "RST-1b")
    assert document["properties"]["CausalOrder"]["explanation"]
    assert_is(document, formats.BOUNDED)


def test_the_benchmark_writes_its_format():
    measurements = [bench.Measurement("ks", "precede", 10, 20, 0.5, 1000, 2.0)]
    assert_is(bench.as_json(measurements, SMALL), formats.BENCH)


def test_formats_are_named_in_one_file_only():
    named = [path.name for path in (ROOT / "checker").rglob("*.py") if '"format":' in path.read_text()]
    assert named == ["format_parts.py"]


def test_the_readme_names_every_field_of_results_and_traces():
    readme = (ROOT / "README.md").read_text()
    for found in (formats.RESULT, formats.TRACE):
        assert [name for name in found.fields if "." not in name and f"`{name}`" not in readme] == []
        assert found.name in readme


def test_minimal_writes_what_was_found_of_each_bound(capsys):
    document = written(capsys, "minimal", "ks", "--processes", "3", "--sends", "1")
    assert document["verdict"] == "holds"
    assert_is(document, formats.MINIMAL)


def test_growth_writes_a_row_for_each_engine_and_bound(capsys):
    document = written(capsys, "growth", "rst", "--sends", "2", "--engine", "histories", "--engine", "states")
    assert [(row["sends"], row["engine"], row["objects"]) for row in document["rows"]] == [
        (1, "histories", 24), (1, "states", 25), (2, "histories", 147), (2, "states", 484),
    ]  # fmt: skip
    assert_is(document, formats.GROWTH)


def test_growth_takes_the_median_of_engines_measured_in_turns(monkeypatch):
    asked, seconds = [], iter([3.0, 30.0, 1.0, 10.0, 2.0, 20.0])

    def measured(model, readings, bounds, engine, limit):
        asked.append((bounds.sends, engine))
        return growth.Row(bounds.sends, engine, "holds", 5, 6, next(seconds), len(asked))

    monkeypatch.setattr(growth, "_measure", measured)
    rows = list(growth.grow("rst", (), Bounds(sends=4), ("histories", "states"), 60, print, first=4, rounds=3))
    assert asked == [(4, "histories"), (4, "states")] * 3
    assert [(row.seconds, row.peak_memory_bytes) for row in rows] == [(2.0, 5), (20.0, 6)]
    assert [line[7] for line in growth.table(rows)] == ["factor", "10.0 x", "1.0 x"]


def test_growth_does_not_ask_an_engine_again_that_did_not_finish(monkeypatch):
    asked = []

    def measured(model, readings, bounds, engine, limit):
        asked.append((bounds.sends, engine))
        verdict = "incomplete" if engine == "states" and bounds.sends == 2 else "holds"
        return growth.Row(bounds.sends, engine, verdict, 5, 6, 1.0, None)

    monkeypatch.setattr(growth, "_measure", measured)
    rows = list(growth.grow("rst", (), Bounds(sends=3), ("histories", "states"), 60, print, first=2, rounds=2))
    assert asked == [(2, "histories"), (2, "states"), (2, "histories"), (3, "histories"), (3, "histories")]
    assert [(row.sends, row.engine, row.verdict) for row in rows] == [
        (2, "states", "incomplete"), (2, "histories", "holds"), (3, "histories", "holds"),
    ]  # fmt: skip
    assert [line[7] for line in growth.table(rows)] == ["factor", "", "", ""]


def test_audit_writes_its_report(capsys, tmp_path):
    log = tmp_path / "log.ndjson"
    log.write_text('{"process": "a", "kind": "send", "message": "m", "destinations": ["b"]}\n')
    assert_is(written(capsys, "audit", str(log)), formats.AUDIT)


def test_verdicts_on_claims_and_readings_write_one_format(capsys):
    for arguments in (["claims", "C-KS-S4"], ["readings", "KS-2a"]):
        document = written(capsys, *arguments, "--quick", "--check")
        assert document["rows"][0]["evidence"] and document["differences"] == []
        assert_is(document, formats.VERDICTS)


def test_what_is_sought_and_made_smaller_writes_its_formats(capsys, tmp_path):
    trace, small = str(tmp_path / "x.json"), str(tmp_path / "y.json")
    document = written(capsys, "seek", "rst", "--reading", "RST-1b", "--runs", "200", "--trace", trace)
    assert document["properties"]["CausalOrder"]["trace_length"] == 4
    assert_is(document, formats.SEEK)
    document = written(capsys, "trace", "shrink", trace, "-o", small)
    assert document["verdict"] == "proved smallest"
    assert_is(document, formats.SHRUNK)
    assert_is(json.loads(Path(small).read_text()), formats.TRACE)
