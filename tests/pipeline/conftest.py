"""One Spark session for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from precede.checker.pipeline.explore.jobs import SETTINGS
from precede.checker.pipeline.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """A session on two threads."""
    with spark_session("tests", "local[2]", 2**30, SETTINGS) as session:
        yield session
