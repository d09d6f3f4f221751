"""A killed driver, a killed worker and a cluster of processes: the same states in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.pipeline.explore import asking
from precede.checker.pipeline.explore.folder import level_marks
from precede.checker.pipeline.explore.jobs import SETTINGS
from precede.checker.pipeline.explore.outcome import explore_on_spark
from precede.checker.pipeline.session import spark_session
from precede.checker.properties import select_properties

from .exploring import said

BOUNDS = Bounds(sends=2, dests="unicast")

RUN = """
import sys
from pathlib import Path
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.pipeline.explore.outcome import explore_on_spark
loaded, bounds = load_model("rst"), Bounds(sends=2, dests="unicast")
explore_on_spark(ModelCalls(loaded, bounds), bounds, ("CausalOrder",), Path(sys.argv[1]), master="local[2]",
                 memory=2**30, few=int(sys.argv[2]))
"""


def calls() -> ModelCalls:
    return ModelCalls(load_model("rst"), BOUNDS)


def test_a_cluster_of_two_workers_gives_the_same_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two executors in processes of their own; they expand the larger levels, and ask the model."""
    monkeypatch.setattr(asking.AskingSpace, "many", 20)
    properties = select_properties((), load_model("rst").model, "rst")
    with spark_session("tests", "local-cluster[2,1,1024]", 2**30, SETTINGS) as session:
        from contextlib import nullcontext

        result = explore_on_spark(
            calls(), BOUNDS, properties, tmp_path / "out", few=20, start=lambda: nullcontext(session)
        )
    alone = explore(calls(), BOUNDS, properties)
    assert said(result) == said(alone)
    assert result.labels == alone.labels


@pytest.mark.sweep
@pytest.mark.parametrize("few", [0, 20_000])
def test_a_driver_that_is_killed_again_and_again_ends_as_one_that_is_not(tmp_path: Path, few: int) -> None:
    """kill -9 at moments that fall into every part of a level."""
    out, kills, delay = tmp_path / "out", 0, 4.0
    while kills < 30:
        run = subprocess.Popen([sys.executable, "-c", RUN, str(out), str(few)], start_new_session=True)
        try:
            assert run.wait(timeout=delay) == 0
            break
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            kills, delay = kills + 1, delay + 1.3
    result = explore_on_spark(calls(), BOUNDS, ("CausalOrder",), out, master="local[2]", memory=2**30)
    assert kills and said(result) == said(explore(calls(), BOUNDS, ("CausalOrder",)))


@pytest.mark.sweep
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """The Python processes that expand are killed while they do."""
    run = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path / "out"), "0"], start_new_session=True)
    killed = 0
    while run.poll() is None:
        time.sleep(1.5)
        for pid in descendants(run.pid):
            command = Path(f"/proc/{pid}/cmdline").read_bytes() if Path(f"/proc/{pid}").exists() else b""
            if b"pyspark.daemon" in command and killed < 3 and level_marks(tmp_path / "out"):
                os.kill(pid, signal.SIGKILL)
                killed += 1
                break
    result = explore_on_spark(calls(), BOUNDS, ("CausalOrder",), tmp_path / "out", master="local[2]", memory=2**30)
    assert killed and said(result) == said(explore(calls(), BOUNDS, ("CausalOrder",)))


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    found: list[int] = []
    for line in subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True).stdout.splitlines()[1:]:
        child, parent = map(int, line.split())
        if parent == pid:
            found += [child, *descendants(child)]
    return found
