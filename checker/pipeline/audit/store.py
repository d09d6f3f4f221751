"""What `--out` holds: finished executions, one Parquet file for each batch of them, and what is made of all at the end.

audit.json               what is audited: logs (with size and time of change), expression, settings
parts/part-000000.parquet  finished executions (PARTS in `tables`); a batch is whole or not there
executions.parquet, problems.parquet, violations.parquet, summary.json, diagrams/*.svg, diagrams/*.json, shiviz/*.log
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from ...errors import EnvironmentProblem, UsageError
from ...files import write_text
from .tables import EXECUTIONS, PARTS, PROBLEMS, VIOLATIONS

IDENTITY = "audit.json"
READING = ".reading-"
"""How the folders begin in which Spark keeps, meanwhile, what it has read."""
MOST_FILES = 1000
"""Diagrams, and logs for ShiViz, that are written as files; the parts have all."""
COUNTED = ("verdict", "processes", "events", "messages", "copies", "undelivered", "early_deliveries")


class Store:
    """The folder of an audit; opened again, it goes on where it was stopped."""

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        """Raises UsageError for a folder with something else in it, EnvironmentProblem where it cannot be written."""
        self.folder = folder
        self.parts = folder / "parts"
        try:
            if folder.exists() and not folder.is_dir():
                raise UsageError(f"--out {folder}: not a folder")
            known = folder / IDENTITY
            if known.is_file():
                if _json(known) != identity:
                    raise UsageError(f"--out {folder}: holds an audit of other logs or settings; name another folder")
            elif folder.exists() and any(folder.iterdir()):
                raise UsageError(f"--out {folder}: not empty, and not an audit; name another folder")
            self.parts.mkdir(parents=True, exist_ok=True)
            for left in self.parts.glob(".*"):
                left.unlink()
            for left in folder.glob(f"{READING}*"):
                shutil.rmtree(left)
        except OSError as error:
            raise EnvironmentProblem(f"--out {folder}: {error.strerror}") from None
        write_text(folder / IDENTITY, json.dumps(identity, indent=2) + "\n")

    def done(self) -> set[str]:
        """The names of the executions that are finished."""
        return {row["execution"] for row in self.rows(["execution"])}

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        """Keep a batch of finished executions, all or none of it."""
        if not rows:
            return
        table = pa.Table.from_pylist(list(rows), schema=PARTS)
        last = max((int(p.stem[5:]) for p in self.parts.glob("part-*.parquet")), default=-1)
        _write(table, self.parts / f"part-{last + 1:06}.parquet")

    def rows(self, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
        """The finished executions, in the order in which they were finished. Raises EnvironmentProblem."""
        for path in sorted(self.parts.glob("part-*.parquet")):
            try:
                with parquet.ParquetFile(path) as file:
                    if not file.schema_arrow.equals(PARTS):
                        raise EnvironmentProblem(f"{path}: not a part of an audit by this version of precede")
                    for batch in file.iter_batches(64, columns=columns):
                        yield from batch.to_pylist()
            except (pa.ArrowException, OSError) as error:
                raise EnvironmentProblem(f"{path}: cannot be read: {str(error).splitlines()[0]}") from None

    def finish(self, summary: dict[str, Any]) -> None:
        """Write the tables, the diagrams and the logs for ShiViz out of the parts."""
        documents: list[dict[str, Any]] = []
        drawn = exported = MOST_FILES
        try:
            with (
                _Writer(self.folder / "problems.parquet", PROBLEMS) as problems,
                _Writer(self.folder / "violations.parquet", VIOLATIONS) as violations,
            ):
                for row in self.rows():
                    name = row["execution"]
                    document = json.loads(row["document"])
                    documents.append(
                        {"execution": name, "problems": sum(document["problem_counts"].values()),
                         "held_events": document["delays"]["events_total"]} | {k: document[k] for k in COUNTED}
                    )  # fmt: skip
                    problems.write([{"execution": name, **problem} for problem in row["problems"]])
                    violations.write([{"execution": name, **violation} for violation in row["violations"]])
                    pictures = list(zip(row["diagrams"], row["traces"], strict=True))
                    for number, (svg, trace) in enumerate(pictures[: max(0, drawn)], 1):
                        _text(self.folder / "diagrams" / f"{file_name(name)}-{number}.svg", svg)
                        _text(self.folder / "diagrams" / f"{file_name(name)}-{number}.json", trace)
                    if row["shiviz"] is not None and exported > 0:
                        _text(self.folder / "shiviz" / f"{file_name(name)}.log", row["shiviz"])
                    drawn -= len(row["diagrams"])
                    exported -= row["shiviz"] is not None
            _write(pa.Table.from_pylist(documents, schema=EXECUTIONS), self.folder / "executions.parquet")
        except OSError as error:
            raise EnvironmentProblem(f"--out {self.folder}: {error.strerror}") from None
        _text(self.folder / "summary.json", json.dumps(summary, indent=2) + "\n")


class _Writer:
    """A Parquet file that is there only once it is whole."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path, self._schema = path, schema
        self._new = path.with_name(f".{path.name}")
        self._writer = parquet.ParquetWriter(self._new, schema)

    def __enter__(self) -> _Writer:
        return self

    def write(self, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._writer.write_table(pa.Table.from_pylist(rows, schema=self._schema))

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        self._writer.close()
        if kind is None:
            os.replace(self._new, self._path)
        else:
            self._new.unlink(missing_ok=True)


def file_name(name: str) -> str:
    """A file name for an execution: what of its name is harmless, and a hash that tells it from all others."""
    harmless = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    return f"{harmless or 'execution'}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _write(table: pa.Table, path: Path) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        parquet.write_table(table, name, compression="zstd")
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError):
            raise EnvironmentProblem(f"{path}: cannot be written: {error.strerror}") from None
        raise


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    write_text(path, text)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise EnvironmentProblem(f"{path}: not the description of an audit") from None
