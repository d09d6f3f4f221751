"""The audit on Spark: it reads NDJSON and Parquet, groups the events by execution and audits the groups in its workers.

Executions of more than `LARGEST` events are taken out of what Spark has read and normalised, one at a time, and audited
by the compiled kernels here: such a group would not fit a worker. Logs for regular expressions and traces are read here
and handed over.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

import numpy as np
import pyarrow as pa
from pyarrow import dataset

from ...errors import EnvironmentProblem
from ..session import spark_session
from . import columns, ndjson
from .auditing import Wanted, audit
from .running import LONG
from .sources import NDJSON, PARQUET, Log, Reading, read_usable
from .store import READING
from .tables import EVENTS, PARTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LARGEST = 2_000_000
BATCH_EVENTS = 8_000_000
BATCH = 5000
MOST_OF_READ = 500
"""Parquet logs that one plan reads."""
SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
    "spark.sql.shuffle.partitions": "16",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.files.maxPartitionBytes": str(32 * 2**20),
}


def audited_by_spark(
    logs: Sequence[Log],
    reading: Reading,
    wanted: Wanted,
    done: set[str],
    master: str,
    memory: int,
    scratch: Path | None,
    progress: Callable[[str], None],
) -> Iterator[list[dict[str, Any]]]:
    """Batches of rows of PARTS, for the executions that are not done yet. What Spark has read lies, meanwhile, in a
    folder within `scratch` (None: a temporary one), which a cluster's workers must share. Raises EnvironmentProblem,
    UsageError."""
    from pyspark.errors import PySparkException

    progress("starting Spark")
    with (
        spark_session("audit", master, memory, SETTINGS) as spark,
        tempfile.TemporaryDirectory(prefix=READING, dir=scratch) as own,
    ):
        try:
            yield from _audited(spark, logs, reading, wanted, done, Path(own).absolute() / "events", progress)
        except PySparkException as error:
            raise EnvironmentProblem(f"Spark failed: {_reason(error)}") from None


def _audited(
    spark: SparkSession,
    logs: Sequence[Log],
    reading: Reading,
    wanted: Wanted,
    done: set[str],
    folder: Path,
    progress: Callable[[str], None],
) -> Iterator[list[dict[str, Any]]]:
    progress("Spark reads the logs")
    _all_events(spark, logs, reading).write.parquet(folder.as_uri())
    events = spark.read.parquet(folder.as_uri())
    counts = [(row["execution"], row["count"]) for row in events.groupBy("execution").count().collect()]
    left = sorted((name, count) for name, count in counts if name not in done)
    finished = len(counts) - len(left)
    wanted = wanted._replace(long=sum(count for _, count in counts) > LONG)
    for names in _batches(left):
        progress(f"{finished:,} of {len(counts):,} executions")
        yield _small(spark, events, names, wanted)
        finished += len(names)
    for name, count in left:
        if count > LARGEST:
            progress(f"{finished:,} of {len(counts):,} executions, now one of {count:,} events")
            table = dataset.dataset(folder, format="parquet").to_table(filter=dataset.field("execution") == name)
            yield [audit(name, _sorted(table), wanted)]
            finished += 1


def _batches(left: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """The executions that fit a worker, in batches that are finished together."""
    names: list[str] = []
    events = 0
    for name, count in left:
        if count > LARGEST:
            continue
        if names and (events + count > BATCH_EVENTS or len(names) >= BATCH):
            yield names
            names, events = [], 0
        names.append(name)
        events += count
    if names:
        yield names


def _small(spark: SparkSession, events: DataFrame, names: list[str], wanted: Wanted) -> list[dict[str, Any]]:
    from pyspark.sql.pandas.types import from_arrow_schema

    chosen = spark.createDataFrame(pa.table({"execution": pa.array(names, pa.string())}))
    found = events.join(chosen.hint("broadcast"), "execution", "left_semi")

    def audit_group(group: pa.Table) -> pa.Table:
        table = _sorted(group)
        return pa.Table.from_pylist([audit(table["execution"][0].as_py(), table, wanted)], schema=PARTS)

    result = found.groupBy("execution").applyInArrow(audit_group, from_arrow_schema(PARTS))
    rows: list[dict[str, Any]] = result.toArrow().to_pylist()
    return rows


def _sorted(table: pa.Table) -> pa.Table:
    """EVENTS in the order of their files and lines."""
    table = table.select(EVENTS.names).cast(EVENTS)
    place = np.lexsort((table["line"].to_numpy(), table["file"].to_numpy()))
    return table.take(place)


def _all_events(spark: SparkSession, logs: Sequence[Log], reading: Reading) -> DataFrame:
    """The EVENTS of all logs."""
    lines = [log for log in logs if log.format == NDJSON]
    parts = [_ndjson(spark, lines)] if lines else []
    parts += [_parquet(spark, log) for log in logs if log.format == PARQUET]
    here = [table for log in logs if log.format not in (NDJSON, PARQUET) for table in read_usable(log, reading)]
    if here:
        parts.append(spark.createDataFrame(pa.concat_tables(here)).select(*EVENTS.names))
    if len(parts) > MOST_OF_READ:
        raise EnvironmentProblem(f"more than {MOST_OF_READ} Parquet logs: put them into fewer files")
    if not parts:
        raise EnvironmentProblem("none of the files of the folder is a log")
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.unionByName(part)
    return whole


def _ndjson(spark: SparkSession, logs: Sequence[Log]) -> DataFrame:
    """Lines by Spark's own reader. The number of a line is its place in its split of the file, and the lines of the
    splits before it, which are counted first."""
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import from_arrow_schema

    text = (
        spark.read.option("lineSep", "\n")
        .text([_escaped(log.path) for log in logs])
        .select(
            F.col("value").cast("binary").alias("value"),
            F.col("_metadata.file_path").alias("path"),
            F.col("_metadata.file_block_start").alias("start"),
        )
    )
    counts: dict[str, list[tuple[int, int]]] = {}
    for row in text.groupBy("path", "start").count().collect():
        counts.setdefault(row["path"], []).append((row["start"], row["count"]))
    first: dict[tuple[str, int], int] = {}
    for path, splits in counts.items():
        line = 1
        for start, count in sorted(splits):
            first[path, start] = line
            line += count
    numbers = {str(log.path.absolute()): (log.number, log.default) for log in logs}

    def parse(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        passed: dict[tuple[str, int], int] = {}
        for batch in batches:
            for path, start, values in _runs(batch):
                number, default = numbers[_local(path)]
                line = first[path, start] + passed.get((path, start), 0)
                passed[path, start] = passed.get((path, start), 0) + len(values)
                data = b"\n".join(value.as_py() for value in values) + b"\n"
                yield from ndjson.parse(data, number, line, default).combine_chunks().to_batches()

    return text.mapInArrow(parse, from_arrow_schema(EVENTS))


def _runs(batch: pa.RecordBatch) -> Iterator[tuple[str, int, pa.Array]]:
    """The parts of a batch that come from one split of one file."""
    path, start = batch.column("path").dictionary_encode(), batch.column("start").to_numpy()
    codes = path.indices.to_numpy()
    cuts = np.flatnonzero((np.diff(codes) != 0) | (np.diff(start) != 0)) + 1
    for begin, end in zip([0, *cuts], [*cuts, batch.num_rows], strict=True):
        if end > begin:
            values = batch.column("value").slice(begin, end - begin)
            yield path.dictionary[int(codes[begin])].as_py(), int(start[begin]), values


def _parquet(spark: SparkSession, log: Log) -> DataFrame:
    from pyarrow import parquet
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = parquet.read_schema(log.path)
    columns.check_columns(schema, log.path)
    wanted = [name for name in ndjson.FIELDS if name in schema.names]
    row = F.col("_metadata.row_index").alias("row")
    found = spark.read.parquet(_escaped(log.path)).select(*wanted, row)
    number, default = log.number, log.default

    def normalise(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            table = pa.Table.from_batches([batch])
            lines = table["row"].to_numpy() + 1
            yield from (
                ndjson.normalised(table.drop_columns(["row"]), lines, number, default).combine_chunks().to_batches()
            )

    return found.mapInArrow(normalise, from_arrow_schema(EVENTS))


def _escaped(path: Path) -> str:
    """A path as Spark reads it, which takes some characters for patterns."""
    return "".join(f"\\{c}" if c in "*?[]{}\\" else c for c in str(path.absolute()))


def _local(uri: str) -> str:
    return unquote(urlparse(uri).path)


def _reason(error: Exception) -> str:
    """The line of Spark's message that says what happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if "Error" in line or "Exception" in line]
    return json.dumps((told or lines or ["no reason given"])[-1][:300])
