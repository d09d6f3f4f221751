"""`precede audit` from end to end: formats of logs, planted violations, answers, exit codes."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from audit_logs import TRIANGLE, audited, written
from pyarrow import parquet
from runs import random_trace, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.history import Past, Sent
from precede.checker.pipeline.audit import generating
from precede.checker.pipeline.audit.expressions import KNOWN
from precede.checker.trace.file import write_trace

DATA = Path(__file__).parent / "data"
PUBLIC = {  # execution: events, processes, messages, verdict
    "chord.log": (1235, 8, 535, "causal"),
    "ewd998-first.log: 78 actions (EWD998Chan!EWD998!terminationDetected)": (77, 7, 18, "causal"),
    "facebook-multiple.log: Execution #1": (47, 4, 23, "synchronous"),
    "facebook-multiple.log: Execution #2": (41, 4, 20, "synchronous"),
    "reliable-broadcast.log": (116, 4, 48, "causal"),
    "simple-reliable-broadcast.log": (39, 3, 16, "causal"),
    "simpledb.log": (509, 5, 88, "causal"),
}


def test_the_public_logs_load_by_themselves_with_exactly_these_messages(capsys):
    code, found = audited(capsys, *sorted(DATA.glob("*.log")))
    sizes = {e["execution"]: (e["events"], e["processes"], e["messages"], e["verdict"]) for e in found["executions"]}
    assert code == 0 and sizes == PUBLIC
    assert found["problems_total"] == 0
    assert all("do not show" in e["notes"][0] for e in found["executions"])


def test_a_public_log_by_its_expression_or_its_name(capsys):
    guessed = audited(capsys, DATA / "facebook-multiple.log")
    expression, delimiter = KNOWN["facebook"]
    given = audited(capsys, DATA / "facebook-multiple.log", "--parser", expression, "--delimiter", delimiter)
    named = audited(capsys, DATA / "facebook-multiple.log", "--parser", "facebook")
    assert guessed[1]["executions"] == given[1]["executions"] == named[1]["executions"]


def test_the_triangle_is_judged_with_its_chain_its_delay_and_its_costs(capsys, tmp_path):
    log = written(tmp_path, TRIANGLE)
    code, found = audited(capsys, log)
    assert code == 12
    (one,) = found["executions"]
    assert one["verdict"] == "fifo" and one["well_formed"] and one["early_deliveries"] == 1
    pair = one["causal_pair"]
    assert (pair["late"], pair["early"], pair["process"], pair["smallest"]) == ("m1", "m3", "c", True)
    assert [link["message"] for link in pair["chain"]] == ["m2"]
    lines = [pair[name]["line"] for name in ("late_sent", "early_sent", "early_delivered", "late_delivered")]
    assert lines == [1, 4, 5, 7]
    assert one["delays"] == {
        "held": 1, "held_for_ever": 0, "events_total": 2, "events_most": 2, "time_total": 2.5, "time_most": 2.5
    }  # fmt: skip
    assert one["crown"]["size"] == 2
    costs = one["control_information"]
    assert {name: cost["held"] for name, cost in costs.items()} == dict.fromkeys(("ks", "rst", "ses", "jang"), 1)
    assert (costs["rst"]["bytes_total"], costs["rst"]["copies"]) == (3 * 36, 3)
    assert one["violations"][0]["held_events"] == 2


@pytest.mark.parametrize("zone", ["", "Z", "+02:00"])
def test_times_may_be_dates(capsys, tmp_path, zone):
    rows = [json.loads(line) for line in TRIANGLE.splitlines()]
    for row in rows:
        row["time"] = f"2024-02-29T10:00:{row['time']:04.1f}{zone}"
    lines = [json.dumps(row) for row in rows]
    for log in ("\n".join(lines), "\n".join([*lines, "broken"])):  # by Arrow, and line by line
        _, found = audited(capsys, written(tmp_path, log))
        assert found["executions"][0]["delays"]["time_total"] == 2.5


def test_planted_violations_are_found_and_none_is_invented(capsys, tmp_path):
    for name in ("x.ndjson", "x.parquet"):
        log = tmp_path / name
        generating.write_log(log, generating.traffic(60_000, 16, 3, 80, seed=7))
        planted = [json.loads(line) for line in (tmp_path / f"{name}.planted").read_text().splitlines()]
        assert len(planted) == 80 and sum(p["fifo"] for p in planted) == 40
        code, found = audited(capsys, log, "--out", tmp_path / f"out-{name}")
        assert code == 12 and found["executions"][0]["early_in_channel"] == 40
        violations = parquet.read_table(tmp_path / f"out-{name}" / "violations.parquet").to_pylist()
        assert {(v["early"], v["late"], v["process"], v["fifo"], v["early_line"]) for v in violations} == {
            (p["early"], p["late"], p["process"], p["fifo"], p["line"]) for p in planted
        }
        assert len(violations) == 80


def test_traffic_without_planted_violations_has_none(capsys, tmp_path):
    generating.write_log(tmp_path / "x.ndjson", generating.traffic(60_000, 16, 3, 0, seed=8))
    code, found = audited(capsys, tmp_path / "x.ndjson")
    assert code == 0 and found["executions"][0]["verdict"] == "causal"


def test_whole_numbers_and_texts_as_names_and_parquet_give_one_answer(capsys, tmp_path):
    rows = [json.loads(line) for line in TRIANGLE.splitlines()]
    numbers = {"a": 1, "b": 2, "c": 3, "m1": 11, "m2": 12, "m3": 13}
    for row in rows:
        row.update({k: numbers[row[k]] for k in ("process", "message") if k in row})
        row["destinations"] = [numbers[d] for d in row["destinations"]] if "destinations" in row else None
    lines = audited(capsys, written(tmp_path, "\n".join(json.dumps(row) for row in rows), "log"))
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet")
    columns = audited(capsys, tmp_path / "log.parquet")
    for code, found in (lines, columns):
        assert code == 12
        pair = found["executions"][0]["causal_pair"]
        assert (pair["late"], pair["early"], pair["process"]) == ("11", "13", "3")


def test_one_execution_in_several_logs_one_for_each_process(capsys, tmp_path):
    lines = TRIANGLE.splitlines(keepends=True)
    logs = [written(tmp_path, "".join(x for x in lines if f'"process": "{p}"' in x), f"{p}.ndjson") for p in "cba"]
    code, found = audited(capsys, *logs, "--together", "run")
    assert code == 12 and found["executions"][0]["execution"] == "run"
    assert found["executions"][0]["causal_pair"]["late_sent"]["file"].endswith("a.ndjson")
    apart, found = audited(capsys, *logs)
    assert apart == 3 and len(found["executions"]) == 3


def test_our_own_traces_are_logs(capsys, tmp_path):
    trace = triangle_trace(tmp_path)
    write_trace(trace, tmp_path / "x.json")
    code, found = audited(capsys, tmp_path / "x.json")
    pair = found["executions"][0]["causal_pair"]
    assert code == 12
    assert (pair["late"], pair["early"], pair["process"], pair["late_delivered"]) == ("1.1", "2.1", "3", None)


@pytest.mark.parametrize("model", ["null", "rst", "ks-lookahead"])
def test_a_random_trace_is_judged_as_the_checker_judges_its_pasts(capsys, tmp_path, model):
    verdicts = set()
    for seed in range(12):
        trace = random_trace(model, Bounds(3, 6), 25, seed)
        write_trace(trace, tmp_path / "x.json")
        code, _ = audited(capsys, tmp_path / "x.json")
        is_violated = not holds_along(trace)
        assert code == (12 if is_violated else 0), seed
        verdicts.add(code)
    assert verdicts == ({0, 12} if model == "null" else {0})


def holds_along(trace):
    """CausalOrder by the checker's own pasts, which it builds from sends and deliveries."""
    pasts, sent, delivered = {}, {}, {p: set() for p in range(1, 4)}
    for step in trace.steps:
        if step.is_send:
            before = pasts.get(step.process, Past())
            sent[step.id] = Sent(step.message, before)
            pasts[step.process] = before.after_send(step.message)
        for message, at in step.delivered:
            if sent[message].past.to(at) - delivered[at]:
                return False
            delivered[at].add(message)
            pasts[at] = pasts.get(at, Past()).after_delivery(sent[message], at)
    return True


def test_ids_by_the_expression_show_what_clocks_do_not(capsys, tmp_path):
    text = "a {'a':1} send m1 to b\na {'a':2} send m2 to b\nb {'b':1,'a':2} deliver m2\nb {'b':2,'a':2} deliver m1\n"
    log = written(tmp_path, text.replace("'", '"'), "x.log")
    clocks = r"(?<host>\S*) (?<clock>{.*}) (?<event>.*)"
    ids = r"(?<host>\S*) (?<clock>{.*}) (?<event>(?<kind>\w+) (?<message>\w+)( to (?<to>.*))?)"
    assert audited(capsys, log, "--parser", clocks)[0] == 0
    code, found = audited(capsys, log, "--parser", ids)
    (one,) = found["executions"]
    assert code == 12 and one["fifo_pair"]["late"] == "m1" and one["well_formed"]
    written(tmp_path, text.replace("'", '"').replace('{"b":2', '{"b":4'), "x.log")
    _, found = audited(capsys, log, "--parser", ids)
    assert found["executions"][0]["problem_counts"] == {"gap": 1}


def test_an_export_for_shiviz_is_read_again_with_the_same_class(capsys, tmp_path):
    generating.write_log(tmp_path / "x.ndjson", generating.traffic(800, 5, 2, 0, seed=3))
    code, first = audited(capsys, tmp_path / "x.ndjson", "--out", tmp_path / "out")
    (export,) = (tmp_path / "out" / "shiviz").glob("*.log")
    again, second = audited(capsys, export)
    assert code == again == 0
    assert second["executions"][0]["messages"] == first["executions"][0]["messages"]
    assert second["executions"][0]["verdict"] == first["executions"][0]["verdict"] == "causal"


def test_a_folder_of_logs_leaves_out_what_is_none(capsys, tmp_path):
    (tmp_path / "logs").mkdir()
    written(tmp_path, TRIANGLE, "logs/x.ndjson")
    written(tmp_path, "# What is here\n", "logs/README.md")
    code, found = audited(capsys, tmp_path / "logs", tmp_path / "logs" / "x.ndjson")
    assert code == 12 and found["executions_total"] == 1 and found["problems_total"] == 0
    assert "README.md" in found["notes"][0]


def test_the_expression_in_the_first_line_of_a_log_is_used(capsys, tmp_path):
    text = (
        '(?<clock>{.*}) @(?<host>\\S+) (?<event>.*)\n^--- (?<trace>.*)$\n--- one\n{"a":1} @a x\n--- two\n{"b":1} @b y\n'
    )
    code, found = audited(capsys, written(tmp_path, text, "own.log"))
    assert code == 0 and [e["execution"] for e in found["executions"]] == ["own.log: one", "own.log: two"]


def test_every_problem_that_can_be_reported_is_in_the_help(capsys):
    from precede.checker.pipeline.audit.judging import PROBLEM_CODES

    run(["audit", "--help"])
    printed = capsys.readouterr().out
    assert [code for code in PROBLEM_CODES if code not in printed] == []
