"""The points of a study on Spark: group by group as the study names them, the heavy ones first; each is kept as soon as
it is finished."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from ...errors import EnvironmentProblem, PrecedeError
from ..session import LOCAL, spark_session
from .points import Point
from .tables import finished, folder

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

POLL_SECONDS = 0.2
LEAST_TASKS = 60
"""Tasks have so much of the work at most, where that is not one point."""
Report = Callable[[int, int, float], None]
"""Told the points finished, all points and the seconds since the start."""


def run_points(
    points: Sequence[Point],
    out: Path,
    master: str = LOCAL,
    memory: int = 2 * 2**30,
    report: Report = lambda finished, points, seconds: None,
    session: SparkSession | None = None,
) -> int:
    """Run those points that `out` does not have yet, and return how many these were.

    `out` must be seen by all workers under this name. `session`: one that is running already. What is finished stays
    when the run is broken off. Raises EnvironmentProblem where Spark, or a point, fails.
    """
    try:
        folder(out).mkdir(parents=True, exist_ok=True)
        for stale in folder(out).glob(".*"):
            stale.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"{out}: cannot be written: {error.strerror}") from None
    there = finished(out)
    groups = list(dict.fromkeys(point.group for point in points))
    missing = sorted((p for p in points if p.key not in there), key=lambda p: (groups.index(p.group), -p.weight, p.key))
    if not missing:
        return 0
    if session is not None:
        _run(session, missing, out, len(points), report)
    else:
        with spark_session("study", master, memory) as own:
            _run(own, missing, out, len(points), report)
    return len(missing)


def _run(session: SparkSession, missing: Sequence[Point], out: Path, total: int, report: Report) -> None:
    """One job with a task for each heavy point and for each few light ones, watched by what is finished."""
    wanted = {point.key for point in missing}
    before = total - len(missing)
    tasks = [[json.dumps(point.as_dict()) for point in few] for few in shares(missing)]
    table = session.range(0, len(tasks), 1, len(tasks))
    place = str(out.absolute())

    def batches(tables: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        from precede.checker.pipeline.study.job import run_and_keep

        for batch in tables:
            keys = [run_and_keep(text, place) for task in batch.column("id").to_pylist() for text in tasks[task]]
            yield pa.RecordBatch.from_pydict({"key": keys})

    failure: list[BaseException] = []

    def collect() -> None:
        try:
            table.mapInArrow(batches, "key string").collect()
        except BaseException as error:
            failure.append(error)

    begun = time.monotonic()
    job = Thread(target=collect, daemon=True)
    job.start()
    try:
        while job.is_alive():
            job.join(POLL_SECONDS)
            report(before + len(finished(out) & wanted), total, time.monotonic() - begun)
    except BaseException:
        session.sparkContext.cancelAllJobs()
        raise
    if failure:
        raise EnvironmentProblem(f"Spark stopped before the study was finished: {_first_line(failure[0])}")
    if wanted - finished(out):
        raise EnvironmentProblem(f"{out}: is not seen by all workers: {len(wanted - finished(out))} points are missing")


def shares(points: Sequence[Point]) -> list[list[Point]]:
    """The points in tasks, in their order: a heavy point is a task, light ones make one together."""
    most = sum(point.weight for point in points) / LEAST_TASKS
    tasks: list[list[Point]] = []
    weight = most
    for point in points:
        if weight + point.weight > most:
            tasks.append([])
            weight = 0.0
        tasks[-1].append(point)
        weight += point.weight
    return tasks


def run_and_keep(text: str, place: str) -> str:
    """A task: run the point that `text` describes and keep its row in the folder `place`; its key."""
    from .points import point_of, run_point
    from .tables import write_point

    point = point_of(json.loads(text))
    write_point(Path(place), run_point(point))
    return point.key


def _first_line(error: BaseException) -> str:
    """What of Spark's message says what went wrong: the last line of a worker's traceback, where there is one."""
    if isinstance(error, PrecedeError):
        return str(error)
    lines: list[Any] = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if "Error:" in line or "Problem:" in line]
    return str((told or lines or [type(error).__name__])[0])
