"""Hostile logs: broken lines, control characters, markup, expressions that backtrack for ever, files that are none."""

import json

import pyarrow as pa
import pytest
from audit_logs import TRIANGLE, audited, written
from pyarrow import parquet

from precede.checker.cli import run
from precede.checker.pipeline.audit.ndjson import LONGEST_LINE

BROKEN = {
    b"{": "not JSON",
    b"[1]": "not a JSON object",
    b'{"kind": "send", "message": "x"}': "no process",
    b'{"process": 1, "kind": "sent", "message": "x"}': "the kind is none of",
    b'{"process": 1, "kind": "send"}': "no message id",
    b'{"process": "' + b"p" * 2000 + b'", "kind": "other"}': "more than 1000 characters",
    b'{"process": {"a": 1}, "kind": "other"}': "process is neither",
    b'{"process": "\\ud800"}': "can be encoded",
    b'{"process": "a", "kind": "send", "message": "y", "destinations": "b"}': "destinations is not a list",
    b'{"process": "a", "time": "noon"}': "time is neither",
    b'{"process": "\xff\xfe"}': "not UTF-8",
    b"[" * 100_000: "not JSON",
    b'{"process": 1} {"process": 2}': "not JSON",
    b'{"process": "' + b"x" * LONGEST_LINE + b'"}': "a line of more than 16 MiB",
}


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: line[:40].decode(errors="replace"))
def test_a_broken_line_costs_only_itself_and_is_reported_with_its_number(capsys, tmp_path, line):
    lines = TRIANGLE.encode().splitlines()
    log = written(tmp_path, b"\n".join([*lines[:3], b"", line, *lines[3:]]))
    code, found = audited(capsys, log)
    (one,) = found["executions"]
    assert code == 12 and one["causal_pair"]["late_delivered"]["line"] == 9
    assert one["problem_counts"] == {"broken-line": 1}
    problem = one["problems"][0]
    assert problem["line"] == 5 and BROKEN[line] in problem["text"] and len(problem["text"]) < 200


def test_control_characters_and_markup_are_escaped_everywhere(capsys, tmp_path):
    evil = "</text><script>alert(1)</script>\x1b[31m\u202e"
    lines = [json.loads(line) for line in TRIANGLE.splitlines()]
    for row in lines:
        row["process"] = evil + row["process"]
        row["execution"] = "../../" + evil
        if "destinations" in row:
            row["destinations"] = [evil + d for d in row["destinations"]]
        if "message" in row:
            row["message"] = evil + row["message"]
    log = written(tmp_path, "\n".join(map(json.dumps, lines)))
    assert run(["audit", str(log), "--out", str(tmp_path / "out")]) == 12
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\u202e" not in printed
    files = [p for p in (tmp_path / "out").rglob("*") if p.is_file()]
    assert all(p.resolve().is_relative_to(tmp_path / "out") for p in files)
    svgs = [p.read_text() for p in files if p.suffix == ".svg"]
    assert svgs and not any("<script" in svg or "\x1b" in svg for svg in svgs)
    (export,) = (p.read_text() for p in files if p.suffix == ".log")
    assert "\x1b" not in export and len(export.splitlines()) == 2 + 14


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["none.log"], 153, "no such log"),
        (["empty.log"], 153, "an empty file"),
        (["binary.log"], 153, "--parser"),
        (["bad.parquet"], 153, "not a Parquet file"),
        (["other.parquet"], 153, "no column `process`"),
        (["typed.parquet"], 153, "has type"),
        (["trace.json"], 153, "missing"),
        (["empty"], 153, "a folder without logs"),
        (["text.log", "--parser", "(?<host>x)"], 2, "it lacks clock"),
        (["text.log", "--parser", "(?<host>x"], 2, "not a regular expression"),
        (["text.log", "--parser", "nothing (?<host>x) (?<clock>y)"], 153, "no event of the log matches"),
        (["text.log", "--delimiter", "x"], 2, "not given"),
        (["slow.log", "--parser", "(?<host>(a+)+)b(?<clock>x)", "--parse-limit", "2"], 2, "did not come to its end"),
        (["text.log", "--out", "text.log"], 2, "not a folder"),
        (["ok.ndjson", "--out", "."], 2, "not empty"),
        (["ok.ndjson", "--master", "nowhere"], 2, "--master nowhere"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_cannot_be_audited_is_one_line(capsys, tmp_path, monkeypatch, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "", "empty.log")
    written(tmp_path, bytes(range(256)) * 100, "binary.log")
    written(tmp_path, b"PAR1 and nothing else", "bad.parquet")
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    parquet.write_table(pa.table({"process": [1.5]}), tmp_path / "typed.parquet")
    written(tmp_path, '{"format": "precede-trace", "version": 2}', "trace.json")
    written(tmp_path, "a line\n", "text.log")
    written(tmp_path, "a" * 5000, "slow.log")
    written(tmp_path, TRIANGLE, "ok.ndjson")
    (tmp_path / "empty").mkdir()
    assert run(["audit", *arguments]) == code
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1 and words in printed.err and not printed.out
