"""Exploration on Spark against the engine in memory: the same counts, verdicts, lengths; and whole levels on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from precede.checker.bounds import Bounds
from precede.checker.engine import Limits
from precede.checker.errors import EnvironmentProblem, UsageError
from precede.checker.loading import load_model
from precede.checker.pipeline.explore.folder import level_marks
from precede.checker.pipeline.explore.names import collision_probability
from precede.checker.properties import UserProperty
from precede.models import Model
from precede.models.catalog import CATALOG

from ..engine.systems import Acknowledged, Dependent, Relay, Token, Views
from .exploring import assert_runs, calls_of, in_memory, on_spark, said

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RST, KS, NULL = CATALOG["rst"](), CATALOG["ks"](), CATALOG["null"]()
JANG = load_model("jang", ["J-3a"]).model
UNICAST: dict[str, Any] = {"dests": "unicast"}

CASES: list[tuple[Model, dict[str, Any]]] = [
    (RST, {}),
    (NULL, {}),
    (JANG, {"sends": 2, **UNICAST}),
    (KS, UNICAST | {"duplicates": 1, "channel": "fifo"}),
    (KS, UNICAST | {"crashes": 1, "restarts": 1, "sends": 1}),
    (KS, UNICAST | {"channel": "rendezvous"}),
    (Relay(), UNICAST | {"losses": 1, "channel": "fifo-delivery"}),
    (Acknowledged(False), {"sends": 1}),
    (Views(), UNICAST | {"sends": 1}),
    (Token(held_to="receive", ring=True), UNICAST | {"sends": 1}),
    (Dependent(1), {"processes": 2}),
]


def bounds_of(settings: dict[str, Any]) -> Bounds:
    return Bounds(**({"sends": 2, "dests": "multicast"} | settings))


@pytest.mark.parametrize(("model", "settings"), CASES, ids=lambda case: str(case)[:40])
def test_counts_verdicts_and_lengths_are_those_of_the_engine(
    spark: SparkSession, tmp_path: Path, model: Model, settings: dict[str, Any]
) -> None:
    bounds = bounds_of(settings)
    result = on_spark(spark, model, bounds, tmp_path / "out")
    assert said(result) == said(in_memory(model, bounds))
    assert_runs(model, bounds, result)


def test_workers_find_what_the_driver_finds(spark: SparkSession, tmp_path: Path) -> None:
    bounds = Bounds(sends=3, dests="unicast")
    here = on_spark(spark, NULL, bounds, tmp_path / "here")
    there = on_spark(spark, NULL, bounds, tmp_path / "there", few=0)
    assert said(here) == said(there) == said(in_memory(NULL, bounds))
    assert [p.witness for p in here.properties] == [p.witness for p in there.properties]
    assert table(tmp_path / "here", "states") == table(tmp_path / "there", "states")
    assert table(tmp_path / "here", "locals") == table(tmp_path / "there", "locals")


@pytest.mark.sweep
@pytest.mark.parametrize("name", CATALOG)
def test_every_model_of_the_catalog(spark: SparkSession, tmp_path: Path, name: str) -> None:
    model = CATALOG[name]()
    bounds = Bounds(sends=2, dests="multicast" if model.load == "groups" else model.load, channel=model.channel)
    result = on_spark(spark, model, bounds, tmp_path / "out", few=100)
    assert said(result) == said(in_memory(model, bounds))
    assert_runs(model, bounds, result)


def test_the_states_on_disk_are_all_states_once(spark: SparkSession, tmp_path: Path) -> None:
    result = on_spark(spark, RST, Bounds(sends=2, dests="multicast"), tmp_path / "out")
    states = table(tmp_path / "out", "states")
    assert len(states) == len({(row["high"], row["low"]) for row in states}) == result.distinct_states == 484
    assert sum(row["ways"] for row in states) == result.transitions == 801
    assert {row["local"] for row in table(tmp_path / "out", "locals")} == {o for row in states for o in row["locals"]}


def test_names_are_contents_and_not_numbers(spark: SparkSession, tmp_path: Path) -> None:
    """The smaller bound's states are among the larger's, by name; numbers differ."""
    for sends in (1, 2):
        on_spark(spark, RST, Bounds(sends=sends, dests="unicast"), tmp_path / str(sends))
    small, large = ({(r["high"], r["low"]) for r in table(tmp_path / str(sends), "states")} for sends in (1, 2))
    assert small < large


def test_a_collision_is_improbable() -> None:
    assert 1e-23 < collision_probability(10**8) < 2e-23
    assert collision_probability(1) == 0


def test_what_was_committed_is_taken_over(spark: SparkSession, tmp_path: Path) -> None:
    """Stopped after any level, with rubbish of the next one left behind, the search ends as if never stopped."""
    bounds = Bounds(sends=2, dests="multicast")
    whole = on_spark(spark, RST, bounds, tmp_path / "whole")
    part = on_spark(spark, RST, bounds, tmp_path / "part", limits=Limits(states=100))
    assert (part.verdict, part.complete, part.exit_code) == ("incomplete", False, 3)
    levels = len(level_marks(tmp_path / "part"))
    shutil.copytree(tmp_path / "whole" / "states" / "level=1", tmp_path / "part" / "states" / f"level={levels}")
    shutil.copytree(tmp_path / "whole" / "asked" / "level=1", tmp_path / "part" / "asked" / f"level={levels - 1}")
    (tmp_path / "part" / ".writing").mkdir(exist_ok=True)
    resumed = on_spark(spark, RST, bounds, tmp_path / "part", few=0)
    assert said(resumed) == said(whole)
    assert resumed.labels == whole.labels
    for name in ("states", "locals", "packets", "steps"):
        assert table(tmp_path / "part", name) == table(tmp_path / "whole", name)


def test_a_finished_exploration_is_only_reported(tmp_path: Path, spark: SparkSession) -> None:
    bounds = Bounds(sends=2, dests="unicast")
    first = on_spark(spark, NULL, bounds, tmp_path / "out")
    again = on_spark(None, NULL, bounds, tmp_path / "out")  # type: ignore[arg-type] # no session is needed
    assert said(first) == said(again)
    assert [p.witness for p in first.properties] == [p.witness for p in again.properties]


def test_another_question_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    on_spark(spark, NULL, Bounds(sends=1, dests="unicast"), tmp_path / "out")
    with pytest.raises(UsageError, match=r"holds another exploration \(bounds.sends is 1 there, 2 here\)"):
        on_spark(spark, NULL, Bounds(sends=2, dests="unicast"), tmp_path / "out")
    with pytest.raises(UsageError, match=r"holds another exploration \(properties is"):
        on_spark(spark, NULL, Bounds(sends=1, dests="unicast"), tmp_path / "out", properties=("CausalOrder",))


def test_a_folder_of_something_else_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="there are files there already"):
        on_spark(spark, NULL, Bounds(sends=1), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_changed_model_is_noticed(spark: SparkSession, tmp_path: Path) -> None:
    bounds = Bounds(sends=2, dests="unicast")
    on_spark(spark, RST, bounds, tmp_path / "out", limits=Limits(states=20))
    with pytest.raises(EnvironmentProblem, match="damaged, or of another version of the model"):
        on_spark(spark, KS, bounds, tmp_path / "out")


@pytest.mark.parametrize("column", ["locals", "packets"])
def test_numbers_that_mean_nothing_are_refused(spark: SparkSession, tmp_path: Path, column: str) -> None:
    bounds = Bounds(sends=2, dests="unicast")
    on_spark(spark, RST, bounds, tmp_path / "out", limits=Limits(states=20))
    last = len(level_marks(tmp_path / "out")) - 1
    for file in (tmp_path / "out" / "states" / f"level={last}").glob("*.parquet"):
        rows = pq.ParquetFile(file).read()
        place = rows.column_names.index(column)
        values = [[10**6 for _ in row] for row in rows.column(column).to_pylist()]
        wrong = pa.array(values, rows.schema.field(place).type)
        pq.write_table(rows.set_column(place, rows.schema.field(place), wrong), file)
        (file.parent / f".{file.name}.crc").unlink(missing_ok=True)
    for few in (0, 1000):
        with pytest.raises(EnvironmentProblem, match="changed or damaged"):
            on_spark(spark, RST, bounds, tmp_path / "out", few=few)


def test_the_search_stops_when_all_is_decided_unless_told_otherwise(spark: SparkSession, tmp_path: Path) -> None:
    bounds = Bounds(sends=2, dests="unicast")
    early = on_spark(spark, NULL, bounds, tmp_path / "early", properties=("CausalOrder",))
    assert not early.complete and early.stopped == "every requested property is decided"
    assert said(early) == said(in_memory(NULL, bounds, ("CausalOrder",)))
    late = on_spark(spark, NULL, bounds, tmp_path / "late", properties=("CausalOrder",), to_the_end=True)
    assert late.complete and late.verdict == "violated"
    assert late.distinct_states == in_memory(NULL, bounds).distinct_states


def test_properties_of_the_user_are_judged(spark: SparkSession, tmp_path: Path) -> None:
    bounds = Bounds(sends=2, dests="unicast")

    def quiet(past: Any) -> bool:
        return len(past.delivered) < 2

    own = (UserProperty("quiet", "state", frozenset({"past"}), quiet),)
    result = on_spark(spark, RST, bounds, tmp_path / "out", properties=own)
    assert said(result) == said(in_memory(RST, bounds, own))
    assert result.verdict == "violated"


def test_the_question_is_kept_with_the_answer(spark: SparkSession, tmp_path: Path) -> None:
    on_spark(spark, RST, Bounds(sends=1, dests="unicast"), tmp_path / "out")
    kept = json.loads((tmp_path / "out" / "exploration.json").read_text())
    assert (kept["format"], kept["version"], kept["bounds"]["sends"]) == ("precede-exploration", 1, 1)
    assert calls_of(RST, Bounds(sends=1)).loaded.name == kept["model"]


def table(out: Path, name: str) -> list[dict[str, Any]]:
    """All rows of a table, in an order of their own."""
    rows: list[dict[str, Any]] = []
    for part in sorted((out / name).glob("level=*")):
        rows += pq.read_table(part, partitioning=None).to_pylist()
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
