"""Questions in SQL about an exploration: its tables as views of one Spark session that can only read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from ...errors import EnvironmentProblem, UsageError
from .folder import level_marks, read_question
from .tables import TABLES, spark_schema_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

VIEWS = {
    **{name: columns for name, columns in TABLES.items() if name != "asked"},
}
"""The tables that are there for questions; `levels` comes with them."""

LEVEL_COLUMNS = "level int, states long, transitions long, seconds double"
LEVELS_SAY = {
    "level": "steps to its states",
    "states": "how many global states the level has",
    "transitions": "how many transitions lead from the level before to it",
    "seconds": "from the start of the run that wrote it",
}
LISTING = ("ShowTables", "ShowColumns", "ShowFunctions", "DescribeRelation")
"""Commands that only list."""

CALLING = re.compile(r"'(java_method|reflect|try_reflect)\(", re.IGNORECASE)
COMMANDS = re.compile(
    r"^[\s:+\-']*((?:\w*(?:Create|Insert|Drop|Delete|Update|Merge|Replace|Alter|Truncate|Load|Cache|Refresh|Analyze|Set|Add|"
    r"Repair|Script|Describe|Show|Call|Declare|Execute|Explain)\w*|\w+Command|\w+Statement))\b",
    re.MULTILINE,
)
"""The beginnings of lines of a parsed question, by Spark's names of its parts."""

SETTINGS = {"spark.sql.shuffle.partitions": "4", "spark.sql.parquet.enableVectorizedReader": "true"}


class Answer(NamedTuple):
    """Some rows, and whether they are all."""

    columns: list[str]
    rows: list[list[Any]]
    complete: bool


def open_views(session: SparkSession, path: Path) -> None:
    """Register the tables of a folder as views: only levels that are whole. Raises EnvironmentProblem for a folder that
    no exploration wrote."""
    read_question(path)
    marks = level_marks(path)
    for name in VIEWS:
        last = len(marks) if name == "states" else len(marks) - 1
        parts = [part for level in range(last) if (part := path / name / f"level={level}").is_dir()]
        schema = f"{spark_schema_of(name)}, level int"
        frame: DataFrame
        if parts:
            reader = session.read.schema(schema).option("basePath", str(path / name))
            frame = reader.parquet(*map(str, parts))
        else:
            frame = session.createDataFrame([], schema)
        frame.createOrReplaceTempView(name)
    rows = [(mark.level, mark.states, mark.transitions, mark.seconds) for mark in marks]
    session.createDataFrame(rows, LEVEL_COLUMNS).createOrReplaceTempView("levels")


def ask_sql(session: SparkSession, sql: str) -> DataFrame:
    """The answer to a question that only reads. Raises UsageError, with Spark's own words, for any other."""
    from pyspark.errors import PySparkException

    try:
        plan = session._jsparkSession.sessionState().sqlParser().parsePlan(sql)  # type: ignore[union-attr]
        kind = _changing(plan)
        if kind:
            raise UsageError(f"only questions are answered, SELECT, WITH, VALUES, SHOW and DESCRIBE, and no {kind}")
        return session.sql(sql)
    except PySparkException as error:
        raise UsageError(_words(error)) from None


def _changing(plan: Any) -> str:
    """What in a parsed question does more than read: a command other than those that list views and columns, a script,
    a call of Java; empty for nothing."""
    if str(plan.nodeName()) in LISTING:
        return ""
    tree = str(plan.treeString())
    found = CALLING.search(tree) or COMMANDS.search(tree)
    return found[1] if found else ""


def rows_of(frame: DataFrame, most: int) -> Answer:
    """At most so many rows of an answer."""
    from pyspark.errors import PySparkException

    try:
        found = frame.limit(most + 1).toArrow()
    except PySparkException as error:
        raise UsageError(_words(error)) from None
    columns = [found.column(i).to_pylist() for i in range(found.num_columns)]
    rows = [list(row) for row in zip(*columns, strict=True)][:most]
    return Answer(list(found.column_names), rows, found.num_rows <= most)


def write_parquet(frame: DataFrame, path: Path) -> int:
    """Write an answer as one Parquet file; how many rows."""
    import pyarrow.parquet as pq
    from pyspark.errors import PySparkException

    try:
        found = frame.toArrow()
        pq.write_table(found, path)
    except PySparkException as error:
        raise UsageError(_words(error)) from None
    except (OSError, pa.ArrowException) as error:
        raise EnvironmentProblem(f"{path}: {str(error).splitlines()[0]}") from None
    return int(found.num_rows)


def cell(value: Any) -> str:
    """One value of an answer as text on one line without control characters."""
    from ...trace.values import printable

    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | dict | tuple):
        return printable(json.dumps(value, default=str, separators=(",", ":")))
    return printable(str(value))


def _words(error: Any) -> str:
    """Spark's message, its first lines in one."""
    try:
        text = str(error)
    except Exception:  # the session may be gone
        text = type(error).__name__
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    kept = []
    for line in lines:
        if line.startswith(("== SQL", "JVM stacktrace", "at ", "'", "+-")):
            break
        kept.append(line)
    return " ".join(kept or lines[:1])[:500]
