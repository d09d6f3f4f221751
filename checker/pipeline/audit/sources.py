"""The logs that are given: which format each has, and all their events as one table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from ...errors import EnvironmentProblem
from . import columns, ndjson, own_traces, shiviz

NDJSON, PARQUET, SHIVIZ, TRACE = "NDJSON", "Parquet", "ShiViz", "trace"
LOOKED_AT = 20
MOST_LOGS = 100_000


@dataclass(frozen=True)
class Log:
    """A log file. `default` names the execution of its events that name none; one that is only `inside` a folder that
    was named may turn out to be no log."""

    path: Path
    number: int
    format: str
    default: str
    inside: bool = False


@dataclass
class Reading:
    """How logs are read, and what should be said about it."""

    parser: tuple[str, str | None] | None = None
    seconds: float = 60.0
    together: str | None = None
    notes: list[str] = field(default_factory=list)


def find_logs(paths: Sequence[Path], reading: Reading) -> list[Log]:
    """The logs that the paths name, files or folders of them. Raises EnvironmentProblem."""
    files: dict[Path, bool] = {}  # whether it was found in a folder
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and p.name[0] not in "._" and p.stat().st_size)
            if not inside:
                raise EnvironmentProblem(f"{path}: a folder without logs")
            files |= dict.fromkeys(inside, True) | files
        else:
            files[path] = False
    if len(files) > MOST_LOGS:
        raise EnvironmentProblem(f"{len(files):,} logs, of which at most {MOST_LOGS:,} are read")
    names = [path.name for path in files]
    return [
        Log(path, number, format_of(path, reading), reading.together or _default(path, names), is_inside)
        for number, (path, is_inside) in enumerate(files.items())
    ]


def _default(path: Path, names: list[str]) -> str:
    return path.name if names.count(path.name) == 1 else str(path)


def format_of(path: Path, reading: Reading) -> str:
    """The format of a log, by its first bytes. Raises EnvironmentProblem for a file that is missing or empty."""
    try:
        if not path.exists():
            raise EnvironmentProblem(f"{path}: no such log")
        if not path.is_file():
            raise EnvironmentProblem(f"{path}: not a regular file")
        if path.stat().st_size == 0:
            raise EnvironmentProblem(f"{path}: an empty file")
        if columns.is_parquet(path):
            return PARQUET
        if own_traces.is_trace(path):
            return TRACE
        if reading.parser:
            return SHIVIZ
        return NDJSON if _is_ndjson(path) else SHIVIZ
    except OSError as error:
        raise EnvironmentProblem(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise EnvironmentProblem(f"{str(path)!r}: not a file name") from None


def _is_ndjson(path: Path) -> bool:
    with path.open("rb") as file:
        lines = file.read(2**20).split(b"\n")
    for line in [line for line in lines if line.strip()][:LOOKED_AT]:
        try:
            if isinstance(json.loads(line), dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def read_log(log: Log, reading: Reading) -> pa.Table:
    """The EVENTS of one log. Raises EnvironmentProblem, or UsageError for an expression that takes too long."""
    try:
        if log.format == NDJSON:
            return ndjson.read(log.path, log.number, log.default)
        if log.format == PARQUET:
            return columns.read(log.path, log.number, log.default)
        if log.format == TRACE:
            return own_traces.read(log.path, log.number, log.default)
        return _read_shiviz(log, reading)
    except OSError as error:
        raise EnvironmentProblem(f"{log.path}: cannot be read: {error.strerror}") from None


def _read_shiviz(log: Log, reading: Reading) -> pa.Table:
    parser = reading.parser or shiviz.own_parser(log.path)
    if parser:
        table, note = shiviz.read(log.path, log.number, log.default, parser, reading.seconds)
    else:
        found = shiviz.guessed(log.path, reading.seconds)
        if found is None:
            raise shiviz.nothing_matched(log.path)
        reading.notes.append(f"{log.path.name}: read with --parser {found[0]}, which fits it best")
        table, note = shiviz.as_table(found[1], log.number, log.default)
    if table.num_rows == 0:
        raise EnvironmentProblem(f"{log.path}: no event of the log matches the expression of --parser")
    if note:
        reading.notes.append(f"{log.path.name}: {note}")
    return table


def read_all(logs: Sequence[Log], reading: Reading, progress: Callable[[str], None]) -> pa.Table:
    """The EVENTS of all logs, in their order."""
    tables = []
    for log in logs:
        progress(f"reading {log.path.name}")
        tables += read_usable(log, reading)
    if not tables:
        raise EnvironmentProblem("none of the files of the folder is a log")
    return pa.concat_tables(tables)


def read_usable(log: Log, reading: Reading) -> list[pa.Table]:
    """The EVENTS of one log; nothing, and a note, for a file in a folder that is none."""
    try:
        return [read_log(log, reading)]
    except EnvironmentProblem as problem:
        if not log.inside:
            raise
        reading.notes.append(f"left out: {problem}")
        return []
