"""Our own traces as logs: a send is a send, what a step delivers is delivered, what it only receives has arrived."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from ...event_text import name
from ...trace import read_trace
from .tables import DELIVER, EVENTS, OTHER, RECEIVE, SEND


def is_trace(path: Path) -> bool:
    """Whether a file begins as traces do."""
    with path.open("rb") as file:
        return b'"precede-trace"' in file.read(200)


def read(path: Path, file: int, default: str) -> pa.Table:
    """The EVENTS of a trace, the number of the step in place of a line. Raises EnvironmentProblem."""
    trace = read_trace(path)
    rows: list[dict[str, Any]] = []
    for number, step in enumerate(trace.steps, 1):
        before = len(rows)

        def add(
            process: int | None, kind: int, message: str | None = None, dests: Any = None, line: int = number
        ) -> None:
            text = trace.steps[line - 1].label
            rows.append({"process": str(process), "kind": kind, "message": message, "destinations": dests, "line": line,
                         "text": text, "file": file, "execution": default})  # fmt: skip

        if step.is_send and step.message is not None:
            add(step.process, SEND, name(step.message[:2]), [str(d) for d in sorted(step.message.dests)])
        delivered = [(name(message), at) for message, at in step.delivered]
        if step.kind == "receive" and step.message is not None:
            arrived = (name(step.message[:2]), step.process)
            if arrived not in delivered and step.process in step.message.dests:
                add(step.process, RECEIVE, arrived[0])
        for message, at in delivered:
            add(at, DELIVER, message)
        if len(rows) == before and step.process is not None:
            add(step.process, OTHER)
    return pa.Table.from_pylist(rows, schema=EVENTS)
