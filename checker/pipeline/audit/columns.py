"""Parquet logs: columns with the names and meanings of `ndjson.FIELDS`, one row an event."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from ...errors import EnvironmentProblem
from .ndjson import FIELDS, NAMES, normalised

MAGIC = b"PAR1"
MOST_ROWS = 1_000_000


def is_parquet(path: Path) -> bool:
    """Whether a file begins as Parquet files do."""
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def read(path: Path, file: int, default: str) -> pa.Table:
    """The EVENTS of a Parquet file. Raises EnvironmentProblem for one that cannot be read or has other columns."""
    try:
        source = parquet.ParquetFile(path)
        check_columns(source.schema_arrow, path)
        wanted = [name for name in FIELDS if name in source.schema_arrow.names]
        tables, row = [], 1
        for batch in source.iter_batches(MOST_ROWS, columns=wanted):
            table = pa.Table.from_batches([batch])
            table.validate(full=True)  # texts from outside may hold anything
            tables.append(normalised(table, np.arange(row, row + table.num_rows), file, default))
            row += table.num_rows
    except (pa.ArrowException, OSError) as error:
        raise EnvironmentProblem(f"{path}: not a Parquet file that can be read: {str(error).splitlines()[0]}") from None
    return pa.concat_tables(tables) if tables else normalised(pa.table({"process": pa.array([], pa.string())}),
                                                              [], file, default)  # fmt: skip


def check_columns(schema: pa.Schema, path: Path) -> None:
    """Raises EnvironmentProblem where a needed column is missing or one has a type that does not fit."""
    if "process" not in schema.names:
        raise EnvironmentProblem(f"{path}: no column `process`; a log has the columns {', '.join(FIELDS)}")
    for name in FIELDS:
        if name in schema.names and not _fits(name, schema.field(name).type):
            raise EnvironmentProblem(f"{path}: column `{name}` has type {schema.field(name).type}: {FIELDS[name]}")


def _fits(name: str, kind: pa.DataType) -> bool:
    if pa.types.is_null(kind):
        return True
    if pa.types.is_dictionary(kind):
        return _fits(name, kind.value_type)
    if name == "destinations":
        return _is_any(kind, "list", "large_list") and _is_name(kind.value_type)
    if name == "time":
        return _is_any(kind, "floating", "integer", "timestamp")
    return _is_name(kind) if name in NAMES else _is_any(kind, "string", "large_string")


def _is_name(kind: pa.DataType) -> bool:
    return _is_any(kind, "string", "large_string", "integer")


def _is_any(kind: pa.DataType, *names: str) -> bool:
    return any(bool(getattr(pa.types, f"is_{name}")(kind)) for name in names)
