"""One Spark session for every job: its settings, and its end with everything that it started."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EnvironmentProblem, UsageError
from ..tlc.tools import find_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*]"
MASTERS = re.compile(r"local|local\[(\*|\d+)(,\d+)?\]|local-cluster\[\d+,\d+,\d+\]|(spark|k8s|mesos)://\S+|yarn")
SMALLEST_MEMORY = 512 * 2**20
QUIET = """\
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n
"""
"""Log4j's own properties format: only errors."""


@contextmanager
def spark_session(
    job: str, master: str = LOCAL, memory: int = 4 * 2**30, settings: dict[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session for one job, which ends with its Java process and its temporary files.

    `memory` is the heap, in bytes, of the driver (which is the executor with a local master) and of each executor;
    `settings` are Spark's own, and win. Raises UsageError for a master that Spark does not know, EnvironmentProblem
    where Java or pyspark do not start.
    """
    if not MASTERS.fullmatch(master):
        raise UsageError(f"--master {master}: write local[N], local[*], local-cluster[N,CORES,MIB], spark://HOST:PORT")
    if memory < SMALLEST_MEMORY:
        raise UsageError("--memory: Spark needs 512M at least")
    find_java()
    on_interrupt = signal.getsignal(signal.SIGINT)
    with tempfile.TemporaryDirectory(prefix="precede-spark-") as scratch:
        quiet = Path(scratch) / "log4j2.properties"
        quiet.write_text(QUIET, encoding="utf-8")
        session = _start(job, master, _settings(master, memory, Path(scratch), quiet) | (settings or {}))
        try:
            yield session
        finally:
            _end(session)
            if on_interrupt is not None and threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, on_interrupt)  # pyspark's own handler asks the session, which is gone


def _settings(master: str, memory: int, scratch: Path, quiet: Path) -> dict[str, str]:
    megabytes = f"{memory // 2**20}m"
    java = f"-Dlog4j2.configurationFile={quiet.as_uri()} -Djava.io.tmpdir={scratch}"
    chosen = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.driver.extraJavaOptions": java,
        "spark.driver.memory": megabytes,
        "spark.executor.memory": megabytes,
    }
    if master.startswith("local"):
        chosen |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": str(scratch),
            "spark.executor.extraJavaOptions": java,
        }
    if master.startswith("local-cluster"):  # its workers have just the memory that the master's name says
        chosen["spark.executor.memory"] = f"{master.rstrip(']').rsplit(',', 1)[1]}m"
    return chosen


def _start(job: str, master: str, settings: dict[str, str]) -> SparkSession:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # what it says is raised as well
    logging.getLogger().addFilter(_not_of_py4j)
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName(f"precede {job}")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with tempfile.TemporaryFile() as said:
        try:
            with _stderr_into(said.fileno()):
                return builder.getOrCreate()
        except (PySparkException, RuntimeError, OSError) as error:
            said.seek(0)
            told = said.read().decode(errors="replace").splitlines()
            lines = [line for line in told if re.search(r"ERROR|Error|Exception", line)]
            why = (lines or str(error).splitlines() or [type(error).__name__])[0]
            raise EnvironmentProblem(f"Spark does not start with --master {master}: {why[:300]}") from None


def _not_of_py4j(record: logging.LogRecord) -> bool:
    """The connection to the Java process logs each failure, which it also raises."""
    return "py4j" not in Path(record.pathname).parts


@contextmanager
def _stderr_into(file: int) -> Iterator[None]:
    """Let what is started here, the Java process above all, write its errors into a file.

    Spark prints remarks when it starts, and later the stack traces of failures that it also reports to its caller.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    os.dup2(file, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _end(session: SparkSession) -> None:
    """Stop Spark and wait for its Java process: a later session may have other settings, and none is left behind."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway = session.sparkContext._gateway
    process: subprocess.Popen[bytes] | None = getattr(gateway, "proc", None)
    with suppress(Exception), warnings.catch_warnings(action="ignore"):
        session.stop()  # the Java process may be gone, killed by hand or by a signal to all of us
    if gateway is not None:
        with suppress(Exception):
            gateway.shutdown()
    if process is not None:
        with suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    SparkSession._instantiatedSession = None
    SparkContext._active_spark_context = None
    SparkContext._gateway = None
    SparkContext._jvm = None
