"""All executions of some logs audited, in this process or by Spark; both run `auditing.audit`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...errors import HOLDS, INCOMPLETE, VIOLATED
from ..session import LOCAL
from .auditing import Wanted, audit
from .compiled import FOLDER
from .sources import Log, Reading, find_logs, read_all
from .store import Store

SPARK_FROM = 2**30
"""Bytes of logs from which on Spark reads and distributes, even where no master is named."""
LONG = 100_000
"""Events from which on the costs are computed by compiled algorithms."""
BATCH_EVENTS = 2_000_000
BATCH = 1000
SHOWN = 1000
"""Executions whose documents are kept for the answer; all are in --out."""


@dataclass(frozen=True)
class Request:
    """What is asked: logs or folders of them, where the results go, a master for Spark (None: as the size says)."""

    paths: Sequence[Path]
    reading: Reading
    out: Path | None = None
    master: str | None = None
    memory: int = 2 * 2**30
    diagrams: int = 5


@dataclass
class Audited:
    """The answer: the documents of the executions (`SHOWN` at most), counts over all, the exit code, how it was
    done."""

    documents: list[dict[str, Any]]
    verdicts: dict[str, int]
    executions: int
    events: int
    problems: int
    kept: int
    engine: str
    notes: list[str]

    @property
    def exit_code(self) -> int:
        """12 where causal order is violated somewhere, 3 where not everything could be judged, else 0."""
        if self.verdicts["none"] or self.verdicts["fifo"]:
            return VIOLATED
        return INCOMPLETE if self.verdicts["incomplete"] or self.problems else HOLDS


VERDICTS = ("synchronous", "causal", "fifo", "none", "incomplete")
Rows = Iterator[list[dict[str, Any]]]
"""Batches of rows of PARTS."""


def run(request: Request, progress: Callable[[str], None]) -> Audited:
    """Audit. Raises EnvironmentProblem for what cannot be read or written, UsageError."""
    logs = find_logs(request.paths, request.reading)
    size = sum(log.path.stat().st_size for log in logs)
    master = request.master or (LOCAL if size > SPARK_FROM else None)
    store = Store(request.out, identity(request, logs)) if request.out else None
    done = store.done() if store else set()
    wanted = Wanted([str(log.path) for log in logs], request.diagrams if store else 0, store is not None)
    if master:
        from .on_spark import audited_by_spark

        batches = audited_by_spark(logs, request.reading, wanted, done, master, request.memory, request.out, progress)
    else:
        batches = _audited_here(logs, request.reading, wanted, done, progress)
    engine = f"Spark on {master}" if master else "one process"
    answer = Audited([], dict.fromkeys(VERDICTS, 0), 0, 0, 0, len(done), engine, request.reading.notes)
    for rows in batches:
        if store:
            store.add(rows)
        else:
            for row in rows:
                _count(answer, row["document"])
    if store:
        for row in store.rows(["document"]):
            _count(answer, row["document"])
    answer.documents.sort(key=lambda document: document["execution"])
    if store:
        from .report import document_of

        store.finish(document_of(answer))
    return answer


def _count(answer: Audited, text: str) -> None:
    document = json.loads(text)
    answer.executions += 1
    answer.events += document["events"]
    answer.problems += sum(document["problem_counts"].values())
    answer.verdicts[document["verdict"]] += 1
    answer.documents.append(document)
    if len(answer.documents) > 2 * SHOWN:
        answer.documents.sort(key=_interest)
        del answer.documents[SHOWN:]


def _interest(document: dict[str, Any]) -> tuple[bool, int, str]:
    """Those with violations first, then those with problems."""
    return not document["early_deliveries"], -len(document["problem_counts"]), document["execution"]


def identity(request: Request, logs: Sequence[Log]) -> dict[str, Any]:
    """What an audit in --out is of."""
    stats = [log.path.stat() for log in logs]
    return {
        "logs": [
            {
                "path": str(log.path.absolute()),
                "bytes": stat.st_size,
                "changed": stat.st_mtime_ns,
                "read_as": log.format,
            }
            for log, stat in zip(logs, stats, strict=True)
        ],
        "parser": request.reading.parser and list(request.reading.parser),
        "together": request.reading.together,
        "diagrams": request.diagrams,
    }


def _audited_here(
    logs: Sequence[Log], reading: Reading, wanted: Wanted, done: set[str], progress: Callable[[str], None]
) -> Rows:
    table = read_all(logs, reading, progress)
    rows: list[dict[str, Any]] = []
    events, count = 0, 0
    groups = list(by_execution(table))
    wanted = wanted._replace(long=table.num_rows > LONG)
    hint = "" if FOLDER and any(FOLDER.glob("**/*.nbi")) else " (the first run compiles for about half a minute)"
    for count, (name, slice_of) in enumerate(groups, 1):
        if name in done:
            continue
        progress(f"execution {count:,} of {len(groups):,}, {table.num_rows:,} events in all{hint}")
        part = slice_of(table)
        rows.append(audit(name, part, wanted))
        events += part.num_rows
        if events >= BATCH_EVENTS or len(rows) >= BATCH:
            yield rows
            rows, events = [], 0
    yield rows


Slice = Callable[[pa.Table], pa.Table]


def by_execution(table: pa.Table) -> Iterator[tuple[str, Slice]]:
    """The names of the executions of a table, in the order in which they come, each with what takes its rows out."""
    encoded = table["execution"].combine_chunks().dictionary_encode()
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    names = encoded.dictionary.to_pylist()
    if len(names) == 1:
        yield names[0], lambda whole: whole
        return
    codes = encoded.indices.to_numpy()
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    for number, name in enumerate(names):
        rows = order[ends[number - 1] if number else 0 : ends[number]]
        yield name, lambda whole, rows=rows: whole.take(rows)  # type: ignore[misc]
