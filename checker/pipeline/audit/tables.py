"""The tables of an audit as Arrow schemas, every column with its description in its metadata.

EVENTS is what the readers make of every log; EXECUTIONS, PROBLEMS and VIOLATIONS are what `--out` holds as Parquet,
beside PARTS, the finished executions from which they are made.
"""

from __future__ import annotations

import pyarrow as pa

OTHER, SEND, DELIVER, RECEIVE = range(4)
BROKEN = -1
"""A line that is no event: `text` says why."""
KINDS = ("other", "send", "deliver", "receive")
LONGEST_NAME = 1000
"""Characters of the name of a process, message or execution."""
LONGEST_TEXT = 2000


def _column(name: str, kind: pa.DataType, text: str) -> pa.Field:
    return pa.field(name, kind, metadata={"description": text})


EVENTS = pa.schema(
    [
        _column("execution", pa.string(), "the name of the execution"),
        _column("process", pa.string(), "the process of the event"),
        _column("kind", pa.int8(), "0 other, 1 send, 2 deliver, 3 receive, -1 a line that is no event"),
        _column("message", pa.string(), "the id of the message; null for other events, and where clocks stand for ids"),
        _column("destinations", pa.list_(pa.string()), "of a send; null where the log does not say"),
        _column("time", pa.float64(), "when, in the log's own unit; null where the log does not say"),
        _column("clock", pa.string(), "the vector clock as JSON text; null for logs with message ids"),
        _column("text", pa.string(), "what the log says of the event, or why a line is broken; or null"),
        _column("file", pa.int32(), "the number of the log among those given, from 0"),
        _column("line", pa.int64(), "the line, or the row of a Parquet file, from 1"),
    ]
)

PROBLEM = [
    _column("file", pa.string(), "the log"),
    _column("line", pa.int64(), "the line, or the row of a Parquet file, from 1"),
    _column("code", pa.string(), "what kind of problem: see `precede audit --help`"),
    _column("text", pa.string(), "what is wrong, in words"),
]
VIOLATION = [
    _column("early", pa.string(), "the message that was delivered too early"),
    _column("process", pa.string(), "where"),
    _column("early_file", pa.string(), "the log with that delivery"),
    _column("early_line", pa.int64(), "its line"),
    _column(
        "late", pa.string(), "the last one there that should have come before; null where the one is not delivered"
    ),
    _column("late_line", pa.int64(), "the line of its delivery, or null"),
    _column("fifo", pa.bool_(), "whether an earlier message of the same sender to the process came later or never"),
    _column("held_events", pa.int64(), "events of the process for which the early one should have been held; or null"),
    _column("held_time", pa.float64(), "the same in the time of the log, or null"),
]
EXECUTION = _column("execution", pa.string(), "the name of the execution")
PROBLEMS = pa.schema([EXECUTION, *PROBLEM])
VIOLATIONS = pa.schema([EXECUTION, *VIOLATION])
PARTS = pa.schema(
    [
        EXECUTION,
        _column("document", pa.string(), "what was found, as the JSON of one of the `executions` of precede-audit"),
        _column("problems", pa.list_(pa.struct(PROBLEM)), "what is not well-formed"),
        _column("violations", pa.list_(pa.struct(VIOLATION)), "deliveries too early"),
        _column("diagrams", pa.list_(pa.string()), "space-time diagrams around violations, SVG"),
        _column("traces", pa.list_(pa.string()), "the same as the texts of trace files"),
        _column("shiviz", pa.string(), "the execution as a log for ShiViz, or null where it is too long"),
    ]
)
EXECUTIONS = pa.schema(
    [
        EXECUTION,
        _column("verdict", pa.string(), "synchronous, causal, fifo, none, or incomplete where nothing is violated"),
        _column("processes", pa.int64(), "processes"),
        _column("events", pa.int64(), "events of the log"),
        _column("messages", pa.int64(), "messages with a send"),
        _column("copies", pa.int64(), "of them to their destinations"),
        _column("undelivered", pa.int64(), "copies that the log does not deliver"),
        _column("problems", pa.int64(), "what is not well-formed"),
        _column("early_deliveries", pa.int64(), "deliveries that violate causal order"),
        _column("held_events", pa.int64(), "events that holding back would have cost in all"),
    ]
)


def table_of_broken(lines: list[int], reasons: list[str], file: int, execution: str) -> pa.Table:
    """Rows for lines that are no events."""
    columns = {
        "execution": pa.array([execution] * len(lines), pa.string()),
        "kind": pa.array([BROKEN] * len(lines), pa.int8()),
        "text": pa.array(reasons, pa.string()),
        "file": pa.array([file] * len(lines), pa.int32()),
        "line": pa.array(lines, pa.int64()),
    }
    return filled(columns, len(lines))


def filled(columns: dict[str, pa.Array], rows: int) -> pa.Table:
    """A table of events with nulls where a column is not given."""
    return pa.table([columns.get(field.name, pa.nulls(rows, field.type)) for field in EVENTS], schema=EVENTS)
