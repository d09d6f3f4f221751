"""The session: quiet, ended with its Java process, and refused in one line where it cannot be."""

from __future__ import annotations

import subprocess
import sys

import pytest

from precede.checker.errors import EnvironmentProblem, UsageError
from precede.checker.pipeline.session import spark_session

QUIET = """
import signal, sys
from precede.checker.pipeline.session import spark_session
before = signal.getsignal(signal.SIGINT)
with spark_session("tests", "local[1]", 2**29) as session:
    process = session.sparkContext._gateway.proc
    if sys.argv[1] == "stays":
        assert session.range(3).count() == 3
    else:
        process.kill()
assert process.poll() is not None
assert signal.getsignal(signal.SIGINT) is before
"""


@pytest.mark.parametrize("java", ["stays", "dies"])
def test_nothing_is_said_and_nothing_is_left_behind(java: str) -> None:
    """With a Java process that stays until the end, and with one that dies."""
    done = subprocess.run([sys.executable, "-c", QUIET, java], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("master", ["nowhere", "local[x]", "", "local-cluster[2,1]"])
def test_a_master_that_is_none_is_refused(master: str) -> None:
    with pytest.raises(UsageError, match="--master"), spark_session("tests", master):
        pass


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="512M"), spark_session("tests", "local[1]", 2**20):
        pass


def test_a_start_that_fails_is_told_in_one_line() -> None:
    wrong = {"spark.driver.extraJavaOptions": "-Xmx1k"}
    with (
        pytest.raises(EnvironmentProblem, match="Spark does not start") as caught,
        spark_session("tests", "local[1]", 2**29, wrong),
    ):
        pass
    assert "\n" not in str(caught.value)
