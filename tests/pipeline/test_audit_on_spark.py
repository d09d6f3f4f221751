"""The audit through Spark gives the answer of one process; it can be stopped and goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from precede.checker.cli import run
from precede.checker.errors import EnvironmentProblem
from precede.checker.pipeline.audit import generating, on_spark, running
from precede.checker.pipeline.audit.running import Request
from precede.checker.pipeline.audit.sources import Reading

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Several executions in every format, with broken and blank lines, in names that Spark would take for patterns."""
    folder = tmp_path_factory.mktemp("logs with [a] space")
    lines = folder / "many.ndjson"
    for number in range(6):
        generating.write_log(lines, generating.traffic(600, 6, 3, 4, number), f"run {number}", append=number > 0)
    text = lines.read_text().split("\n")
    text[1000:1000] = ["", "broken", '{"process": 1, "kind": "deliver", "message": "none", "execution": "run 3"}']
    lines.write_text("\n".join(text))
    generating.write_log(folder / "one.parquet", generating.traffic(1000, 6, 3, 5, 9))
    (folder / "facebook.log").write_bytes((DATA / "facebook-multiple.log").read_bytes())
    return [lines, folder / "one.parquet", folder / "facebook.log"]


def answer(logs, out=None, **more):
    found = running.run(Request(logs, Reading(), out, **more), lambda text: None)
    return found, [json.dumps(document, sort_keys=True) for document in found.documents]


@pytest.mark.sweep
def test_two_workers_give_the_answer_of_one_process(logs, tmp_path, monkeypatch):
    here, documents = answer(logs)
    assert here.engine == "one process" and here.exit_code == 12
    splits = on_spark.SETTINGS | {
        "spark.sql.files.maxPartitionBytes": "40000",
        "spark.sql.files.openCostInBytes": "1000",
    }
    monkeypatch.setattr(on_spark, "SETTINGS", splits)
    monkeypatch.setattr(on_spark, "LARGEST", 800)  # so that the largest is taken out and judged here
    monkeypatch.setattr(on_spark, "BATCH", 5)
    memory = 2**30
    there, others = answer(logs, tmp_path / "out", master="local-cluster[2,1,1024]", memory=memory)
    assert others == documents
    assert (there.verdicts, there.problems, there.events) == (here.verdicts, here.problems, here.events)
    assert len(list((tmp_path / "out" / "parts").iterdir())) > 2
    assert not list((tmp_path / "out").glob(".*"))
    problems = next(d for d in here.documents if d["execution"] == "run 3")["problems"]
    assert [(p["code"], p["line"]) for p in problems] == [("never-sent", 1003)]


def test_an_audit_that_was_stopped_goes_on_where_it_was(logs, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "BATCH", 2)
    _, documents = answer(logs)
    real, judged = running.audit, []

    def stop_at_five(name, table, wanted):
        judged.append(name)
        if len(judged) == 5:
            raise KeyboardInterrupt
        return real(name, table, wanted)

    monkeypatch.setattr(running, "audit", stop_at_five)
    with pytest.raises(KeyboardInterrupt):
        answer(logs, tmp_path / "out")
    monkeypatch.setattr(running, "audit", lambda *given: judged.append(given[0]) or real(*given))
    found, again = answer(logs, tmp_path / "out")
    assert again == documents and found.kept == 4
    assert len(judged) == 5 + found.executions - 4
    same, third = answer(logs, tmp_path / "out")
    assert third == documents and same.kept == found.executions == len(judged) - 1


def test_a_folder_goes_on_only_with_the_same_logs_and_settings(logs, tmp_path, capsys):
    assert run(["audit", str(logs[2]), "--out", str(tmp_path / "out")]) == 0
    assert run(["audit", str(logs[2]), "--out", str(tmp_path / "out"), "--diagrams", "1"]) == 2
    assert run(["audit", str(logs[1]), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.count("holds an audit of other logs or settings") == 2


def test_a_kill_at_any_time_leaves_whole_parts_and_the_rest_is_done_later(logs, tmp_path):
    out = tmp_path / "out"
    code = (
        "import time; from precede.checker.pipeline.audit import running; running.BATCH = 1; real = running.audit\n"
        "def slow(*given):\n    time.sleep(0.3)\n    return real(*given)\n"
        "running.audit = slow\nfrom precede.checker.cli import main; main()"
    )
    child = subprocess.Popen([sys.executable, "-c", code, "audit", *map(str, logs), "--out", str(out)])
    for _ in range(1200):
        if len(list(out.glob("parts/part-*.parquet"))) >= 2:
            break
        time.sleep(0.1)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    found, documents = answer(logs, out)
    assert 2 <= found.kept < found.executions
    assert documents == answer(logs)[1]


@pytest.mark.sweep
@pytest.mark.parametrize("moment", [".reading-*/events/*", "parts/part-000001.parquet"], ids=["reads", "judges"])
def test_a_kill_while_spark_works_leaves_whole_parts_and_the_rest_is_done_later(logs, tmp_path, moment):
    """kill -9 of the driver and of its Java process, when Spark has begun to read or has judged two batches of many."""
    out = tmp_path / "out"
    code = (
        "from precede.checker.pipeline.audit import on_spark; on_spark.BATCH = 2\n"
        "from precede.checker.cli import main; main()"
    )
    spark = ["--master", "local[2]", "--memory", "1G"]
    command = [sys.executable, "-c", code, "audit", *map(str, logs), "--out", str(out), *spark]
    child = subprocess.Popen(command, start_new_session=True)
    while child.poll() is None and not list(out.glob(moment)):
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL, "it had not come to its end"
    assert list(out.glob(".reading-*")), "Spark was at work"
    found, documents = answer(logs, out, master="local[2]", memory=2**30)
    assert (found.kept >= 4) == moment.startswith("parts") and found.kept < found.executions
    assert documents == answer(logs)[1]
    assert not list(out.glob(".*"))


def test_a_part_that_is_not_ours_is_refused(logs, tmp_path):
    out = tmp_path / "out"
    answer(logs[2:], out)
    next(out.glob("parts/*")).write_bytes(b"PAR1")
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        answer(logs[2:], out)
