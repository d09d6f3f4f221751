"""Points on Spark: the same on one worker and on many, each whole or not there, and only the missing ones are run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path

import pytest

from precede.checker.errors import EnvironmentProblem
from precede.checker.pipeline.session import spark_session
from precede.checker.pipeline.study import job
from precede.checker.pipeline.study.job import run_points
from precede.checker.pipeline.study.points import Point, point_of, run_point, with_seeds
from precede.checker.pipeline.study.studies import STUDIES, Settings
from precede.checker.pipeline.study.tables import RESULTS, TIMES, finished, folder, read_points, write_point
from precede.checker.pipeline.study.workload import Workload

POINTS = [
    point
    for name in ("rst", "jang")
    for point in with_seeds([Point("jang", "base", name, Workload(5, "unicast", warmup=10, measured=60))], 3)
]
KEYS = [point.key for point in POINTS]


def rows(out: Path) -> list[dict[str, object]]:
    """What was found, without what differs from run to run."""
    return [{k: v for k, v in row.items() if k not in TIMES} for row in read_points(out, KEYS)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The points, run here one after the other."""
    out = tmp_path_factory.mktemp("whole")
    folder(out).mkdir()
    for point in POINTS:
        write_point(out, run_point(point))
    return out


def test_points_run_on_spark_and_only_those_that_are_missing(whole: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with spark_session("test", "local[2]", 2**30) as session:
        ran = run_points(POINTS, tmp_path, session=session, report=lambda done, every, _: seen.append((done, every)))
        assert ran == len(POINTS)
        assert rows(tmp_path) == rows(whole)
        assert seen[-1] == (len(POINTS), len(POINTS))
        lost = folder(tmp_path) / f"{KEYS[2]}.parquet"
        times = {path: path.stat().st_mtime_ns for path in folder(tmp_path).iterdir()}
        lost.unlink()
        (folder(tmp_path) / ".half-written").write_bytes(b"PAR1")
        assert run_points(POINTS, tmp_path, session=session) == 1
        assert rows(tmp_path) == rows(whole)
        assert {p for p in folder(tmp_path).iterdir() if times.get(p) != p.stat().st_mtime_ns} == {lost}
        table = session.read.parquet(str(folder(tmp_path)))
        assert table.count() == len(POINTS)
        assert table.columns == RESULTS.names
    assert run_points(POINTS, tmp_path) == 0, "nothing is missing, so Spark is not started"


@pytest.mark.parametrize(("name", "first"), [("jang", "base"), ("ks", "delay 0.1 intervals"), ("sa", "delay 0.1 s")])
def test_a_group_is_finished_before_the_next_and_the_heavy_points_go_first(
    name: str, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Point] = []
    monkeypatch.setattr(job, "spark_session", lambda *given: nullcontext())
    monkeypatch.setattr(job, "_run", lambda session, missing, *rest: asked.extend(missing))
    points = Settings(name, 0.001, 2).points()
    assert run_points(points, tmp_path) == len(points) == len(asked)
    groups = [group for group, _ in groupby(asked, key=lambda point: point.group)]
    assert groups[0] == first and len(groups) == len(set(groups)), "each group is one stretch"
    in_first = [point.weight for point in asked if point.group == first]
    assert in_first == sorted(in_first, reverse=True)


@pytest.mark.sweep
def test_several_workers_give_the_same(whole: Path, tmp_path: Path) -> None:
    with spark_session("test", "local-cluster[2,1,1024]", 2**30) as session:
        run_points(POINTS, tmp_path, session=session)
    assert rows(tmp_path) == rows(whole)


@pytest.mark.sweep
def test_a_failing_point_is_one_line_and_the_others_stay(whole: Path, tmp_path: Path) -> None:
    bad = Point("jang", "base", "sa", Workload(3, "unicast", warmup=0, measured=5))  # without a threshold
    with pytest.raises(EnvironmentProblem, match="stopped before the study was finished") as caught:
        run_points([POINTS[0], bad], tmp_path, master="local[1]", memory=2**30)
    assert "\n" not in str(caught.value)
    assert finished(tmp_path) == {KEYS[0]}


@pytest.mark.sweep
def test_a_killed_study_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "study"
    command = [sys.executable, "-m", "precede.checker.cli", "study", "jang", "--out", str(out), "--scale", "0.001"]
    command = [sys.executable, "-c", "import sys; from precede.checker.cli import main; main()", *command[3:]]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 120
    while len(finished(out)) < 5 and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = {key: (folder(out) / f"{key}.parquet").stat().st_mtime_ns for key in finished(out)}
    everything = Settings("jang", 0.001).points()
    assert 5 <= len(kept) < len(everything)
    read_points(out, kept)
    some = sorted(everything, key=lambda point: point.weight)[:10]
    ran = run_points([*some, *(p for p in everything if p.key in kept)], out, master="local[1]", memory=2**30)
    assert ran == len({point.key for point in some} - kept.keys())
    assert all((folder(out) / f"{key}.parquet").stat().st_mtime_ns == at for key, at in kept.items())
    with pytest.raises(ProcessLookupError):
        os.kill(running.pid, 0)


@pytest.mark.parametrize("name", STUDIES)
def test_points_are_described_by_their_columns(name: str) -> None:
    points = Settings(name, 0.01, 2).points()
    assert len({point.key for point in points}) == len(points)
    assert all(point_of(point.as_dict()) == point for point in points)
    assert set(points[0].as_dict()) < set(RESULTS.names)


def test_more_seeds_keep_the_points_of_fewer() -> None:
    fewer, more = ({p.key for p in Settings("sa", 0.01, seeds).points()} for seeds in (2, 3))
    assert fewer < more


def test_foreign_files_among_the_points_are_refused(whole: Path, tmp_path: Path) -> None:
    folder(tmp_path).mkdir()
    target = folder(tmp_path) / f"{KEYS[0]}.parquet"
    target.write_bytes(b"PAR1 and no more")
    with pytest.raises(EnvironmentProblem, match="not a finished point"):
        read_points(tmp_path, KEYS)
    target.write_bytes((folder(whole) / f"{KEYS[1]}.parquet").read_bytes())
    with pytest.raises(EnvironmentProblem, match="not the finished point that its name says"):
        read_points(tmp_path, KEYS)
