"""One Spark session for every job: its settings, and its end with everything that it started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    with tempfile.TemporaryDirectory(prefix="precede-spark-") as scratch:
        logging = Path(scratch) / "log4j2.properties"
        logging.write_text(QUIET, encoding="utf-8")
        session = _start(job, master, _settings(master, memory, Path(scratch), logging) | (settings or {}))
        try:
            yield session
        finally:
            _end(session)


def _settings(master: str, memory: int, scratch: Path, logging: Path) -> dict[str, str]:
    megabytes = f"{memory // 2**20}m"
    java = f"-Dlog4j2.configurationFile={logging.as_uri()} -Djava.io.tmpdir={scratch}"
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

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName(f"precede {job}")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise EnvironmentProblem(f"Spark does not start with --master {master}: {str(error).splitlines()[0]}") from None


def _end(session: SparkSession) -> None:
    """Stop Spark and wait for its Java process: a later session may have other settings, and none is left behind."""
    from pyspark import SparkContext

    gateway = session.sparkContext._gateway
    process: subprocess.Popen[bytes] | None = getattr(gateway, "proc", None)
    session.stop()
    if gateway is not None:
        gateway.shutdown()
    if process is not None:
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    SparkContext._gateway = None
    SparkContext._jvm = None
