"""Spark jobs that can be stopped, and whose failures are told in one line."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...engine.limits import Watch
from ...errors import EnvironmentProblem

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

TICK = 0.25
"""Seconds between two looks at the limits while a job runs."""

SETTINGS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.driver.maxResultSize": "0",
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "100000",
    "parquet.enable.dictionary": "true",
}


class Jobs:
    """The jobs of one session, which `start` starts when it is first needed. `on_tick` is told, while a job runs, how
    many of its tasks are done, and how many there are."""

    def __init__(
        self,
        start: Callable[[], SparkSession],
        watch: Watch,
        on_tick: Callable[[int, int], None] | None = None,
    ) -> None:
        self._start = start
        self._session: SparkSession | None = None
        self.watch = watch
        self.on_tick = on_tick

    @property
    def session(self) -> SparkSession:
        """The session. Signals go on to where they went before it."""
        if self._session is None:
            before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
            self._session = self._start()
            for number, handler in before.items():
                if threading.current_thread() is threading.main_thread():
                    signal.signal(number, handler)
        return self._session

    def broadcast(self, value: Any) -> Any:
        """A value that is sent to each worker once."""
        return self.session.sparkContext.broadcast(value)

    def partitions(self, number: int) -> None:
        """How many tasks bring equal rows together in the next jobs."""
        self.session.conf.set("spark.sql.shuffle.partitions", number)

    def read(self, paths: list[str], schema: str) -> DataFrame:
        """The rows of one or more folders of this schema."""
        return self.session.read.schema(schema).parquet(*paths)

    def collect(self, frame: DataFrame) -> pa.Table | None:
        """All rows; None when stopped before the end."""
        with self._watched() as stopped:
            return frame.toArrow()
        assert stopped
        return None

    def write(self, frame: DataFrame, path: Path) -> bool:
        """Write a table as Parquet; False when stopped before the end."""
        with self._watched() as stopped:
            frame.write.option("parquet.enable.dictionary#high", "false").option(
                "parquet.enable.dictionary#low", "false"
            ).parquet(str(path))
            return True
        assert stopped
        return False

    @contextmanager
    def _watched(self) -> Iterator[list[bool]]:
        """Cancel what runs inside when the watch says so; then the failure that follows is none."""
        from py4j.protocol import Py4JError  # type: ignore[import-untyped]
        from pyspark.errors import PySparkException

        over = threading.Event()
        stopped: list[bool] = []
        ticker = threading.Thread(target=self._tick, args=(over, stopped), daemon=True)
        ticker.start()
        try:
            yield stopped
        except (PySparkException, Py4JError, OSError) as error:
            if not stopped:
                raise EnvironmentProblem(_in_one_line(error)) from None
        finally:
            over.set()
            ticker.join()

    def _tick(self, over: threading.Event, stopped: list[bool]) -> None:
        context = self.session.sparkContext
        while not over.wait(TICK):
            with suppress(Exception):  # the Java process may be gone; whoever waits for the job is told so
                if self.watch.interrupted():
                    stopped.append(True)
                    context.cancelAllJobs()
                elif self.on_tick is not None:
                    tracker = context.statusTracker()
                    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
                    known = [stage for stage in stages if stage is not None]
                    self.on_tick(sum(s.numCompletedTasks for s in known), sum(s.numTasks for s in known))


def _in_one_line(error: BaseException) -> str:
    """What went wrong, out of a Java or Python stack trace."""
    try:
        text = str(error)
    except Exception:  # the message of some errors has to be asked for, and the session may be gone
        text = getattr(error, "_desc", None) or type(error).__name__
    own = re.search(r"precede\.checker\.errors\.\w+: (.*)", text)
    if own:
        return own[1]
    for sign in ("No space left on device", "OutOfMemoryError", "Permission denied"):
        if sign in text:
            return f"Spark: {sign}"
    lines = [
        line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("at ", "File"))
    ]
    worst = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Problem)\b", line)]
    return f"Spark: {(worst or lines or [type(error).__name__])[-1][:300]}"
