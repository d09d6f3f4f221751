"""Questions in SQL: worked ones with known answers, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.cli.query import as_csv, as_json
from precede.checker.errors import EnvironmentProblem, UsageError
from precede.checker.pipeline.explore.querying import Answer, ask_sql, cell, open_views, rows_of
from precede.models.catalog import CATALOG

from .exploring import on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def asked(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    """The session with the views of KS, 3 processes and 2 multicasts."""
    out = tmp_path_factory.mktemp("ks") / "out"
    on_spark(spark, CATALOG["ks"](), Bounds(sends=2, dests="multicast"), out)
    open_views(spark, out)
    return spark


def answer(session: SparkSession, sql: str) -> list[list[Any]]:
    return rows_of(ask_sql(session, sql), 1000).rows


def test_levels_add_up_to_the_search(asked: SparkSession) -> None:
    assert answer(asked, "SELECT sum(states), sum(transitions), max(level) - 1 FROM levels") == [[484, 801, 6]]
    assert answer(asked, "SELECT count(*), sum(ways) FROM states") == [[484, 801]]


def test_local_objects_are_those_that_states_refer_to(asked: SparkSession) -> None:
    assert answer(asked, "SELECT count(*) FROM locals") == [[219]]
    assert answer(asked, "SELECT count(*) FROM packets") == [[96]]
    transit = "SELECT explode(packets) AS packet FROM states"
    assert answer(asked, f"SELECT count(*) FROM ({transit}) LEFT ANTI JOIN packets USING (packet)") == [[0]]


def test_waits_are_steps_without_a_next_state(asked: SparkSession) -> None:
    sql = "SELECT outcome, count(next), count(*) FROM steps WHERE event = 'receive' GROUP BY outcome ORDER BY outcome"
    waits = answer(asked, sql)
    assert [(outcome, reached == (total if outcome == "step" else 0)) for outcome, reached, total in waits] == [
        ("step", True), ("waits", True),
    ]  # fmt: skip


def test_ks_stores_just_what_is_required(asked: SparkSession) -> None:
    differ = "SELECT count(*) FROM locals JOIN model_states USING (model_state) WHERE facts <> required"
    assert answer(asked, differ) == [[0]]
    assert answer(asked, "SELECT max(required) > 0 FROM locals") == [[True]]


@pytest.mark.parametrize(
    "sql",
    [
        "DROP VIEW states", "CREATE TABLE x AS SELECT 1", "INSERT INTO states SELECT * FROM states", "SET a=1",
        "INSERT OVERWRITE DIRECTORY '/tmp/x' USING parquet SELECT 1", "CACHE TABLE states", "REFRESH TABLE states",
        "SELECT java_method('java.lang.System', 'exit', 3)", "SELECT Reflect('java.lang.Math', 'abs', -1)",
        "SELECT TRANSFORM(level) USING 'cat' FROM states", "EXPLAIN SELECT 1", "ADD JAR 'x.jar'",
    ],
)  # fmt: skip
def test_only_questions_are_answered(asked: SparkSession, sql: str) -> None:
    with pytest.raises(UsageError, match="only questions are answered"):
        ask_sql(asked, sql)


def test_a_wrong_question_is_told_in_one_line(asked: SparkSession) -> None:
    for sql in ("SELECT nothing FROM states", "SELEC 1", "SELECT * FROM nowhere"):
        with pytest.raises(UsageError) as caught:
            ask_sql(asked, sql)
        assert "\n" not in str(caught.value) and len(str(caught.value)) <= 500
    with pytest.raises(UsageError, match="DIVIDE_BY_ZERO"):
        rows_of(ask_sql(asked, "SELECT 1/0"), 1)


def test_rows_are_bounded_and_said_to_be(asked: SparkSession) -> None:
    assert rows_of(ask_sql(asked, "SELECT * FROM states"), 3)[2] is False
    assert len(rows_of(ask_sql(asked, "SELECT * FROM states"), 3).rows) == 3


def test_what_is_printed_is_escaped() -> None:
    assert cell("a\x1b[31m\nb") == "a�[31m�b"
    assert (cell(None), cell([1, 2]), cell(0.1)) == ("-", "[1,2]", "0.1")
    found = Answer(["x", "y"], [[1, None], ['"', [1]]], True)
    assert as_csv(found) == 'x,y\n1,\n"""",[1]\n'
    assert as_json(found) == {"columns": ["x", "y"], "rows": [[1, None], ['"', [1]]], "complete": True}


def test_a_folder_of_something_else_has_no_tables(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="no such exploration file"):
        open_views(spark, tmp_path)
