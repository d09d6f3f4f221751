"""Newline-delimited JSON: one object a line, with the fields that `FIELDS` describes.

A block of lines goes through Arrow's own parser; a block that it refuses is read line by line, and the lines that are
no events become rows that say why.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json

from ...trace.values import printable
from .tables import BROKEN, EVENTS, KINDS, LONGEST_NAME, LONGEST_TEXT, OTHER, table_of_broken

FIELDS = {
    "process": "text or whole number: the process of the event (must be there)",
    "kind": "send, deliver, receive (arrival at the process; it counts as the delivery where the process has no "
    "deliver event for the message) or other; without it, other",
    "message": "text or whole number: the id of the message (must be there unless the kind is other)",
    "destinations": "of a send, a list of processes; without it the processes that deliver the message",
    "execution": "text or whole number: the execution that the event belongs to; without it, the log's own name",
    "time": "a number in any unit, or a date and time as ISO 8601 has them (then seconds), for delays",
    "text": "anything, shown with the event",
}
BLOCK = 32 * 2**20
LONGEST_LINE = 16 * 2**20
ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$")
NAMES = ("process", "message", "execution")
PEEKED = 50


def blocks(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Whole lines of a file in blocks, each with the number of its first line; a line that is too long comes as one
    that is no JSON."""
    rest, line = b"", 1
    while data := file.read(BLOCK):
        data = rest + data
        cut = data.rfind(b"\n") + 1
        if cut:
            yield data[:cut], line
            line += data.count(b"\n", 0, cut)
        rest = data[cut:]
        if len(rest) > LONGEST_LINE:
            rest = _skipped(file)
            yield b"(too long)\n", line
            line += 1
    if rest:
        yield rest, line


def _skipped(file: BinaryIO) -> bytes:
    """Read on to the end of the line, and return what follows it."""
    while data := file.read(BLOCK):
        if (cut := data.find(b"\n")) >= 0:
            return data[cut + 1 :]
    return b""


def read(path: Path, file: int, default: str) -> pa.Table:
    """The EVENTS of a log; `default` names the execution of events that name none."""
    with path.open("rb") as stream:
        return pa.concat_tables(
            [EVENTS.empty_table(), *(parse(block, file, line, default) for block, line in blocks(stream))]
        )


def parse(data: bytes, file: int, first_line: int, default: str) -> pa.Table:
    """The EVENTS of some whole lines."""
    fast = _by_arrow(data, first_line)
    if fast is None:
        return _by_lines(data, file, first_line, default)
    return normalised(*fast, file, default)


def _by_arrow(data: bytes, first_line: int) -> tuple[pa.Table, Any] | None:
    """The fields and the number of each line; None where Arrow refuses the block."""
    schema = _schema(data)
    if schema is None or not _is_utf8(data):
        return None
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    count = len(ends) + (not data.endswith(b"\n"))
    starts = np.concatenate([[0], ends + 1])[:count]
    lengths = np.concatenate([ends, [len(data)]])[:count] - starts
    if (lengths > LONGEST_LINE).any():
        return None
    numbers = np.arange(first_line, first_line + count)
    if (lengths <= 1).any():
        blank = np.array([not data[s : s + n].strip() for s, n in zip(starts[lengths <= 1], lengths[lengths <= 1],
                                                                      strict=True)])  # fmt: skip
        numbers = np.delete(numbers, np.flatnonzero(lengths <= 1)[blank])
    try:
        table = arrow_json.read_json(
            io.BytesIO(data),
            read_options=arrow_json.ReadOptions(block_size=max(2**22, int(lengths.max(initial=0)) + 2)),
            parse_options=arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
    except pa.ArrowException:
        return None
    return (table, numbers) if table.num_rows == len(numbers) else None


def _is_utf8(data: bytes) -> bool:
    """Whether all of it is: Arrow's parser takes strings as they are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _schema(data: bytes) -> pa.Schema | None:
    """The fields with the types that the first lines have: ids may be texts or numbers."""
    kinds: dict[str, pa.DataType] = {name: pa.string() for name in (*NAMES, "kind", "text")}
    kinds |= {"destinations": pa.list_(pa.string()), "time": pa.float64()}
    seen: set[str] = set()
    for line in data[:65536].split(b"\n", PEEKED)[:PEEKED]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(found, dict):
            return None
        for name in NAMES:
            if name not in seen and found.get(name) is not None:
                seen.add(name)
                kinds[name] = pa.int64() if type(found[name]) is int else pa.string()
        if isinstance(time := found.get("time"), str) and "time" not in seen:
            seen.add("time")
            kinds["time"] = pa.timestamp("us", "UTC" if ZONE.search(time) else None)
        dests = found.get("destinations")
        if dests and isinstance(dests, list) and "destinations" not in seen:
            seen.add("destinations")
            kinds["destinations"] = pa.list_(pa.int64() if type(dests[0]) is int else pa.string())
    return pa.schema(list(kinds.items()))


def normalised(table: pa.Table, lines: Any, file: int, default: str) -> pa.Table:
    """EVENTS out of columns with the names of FIELDS (any may be missing); rows that are no events say why."""
    rows = table.num_rows
    nulls = pa.chunked_array([pa.nulls(rows, pa.string())])
    given = {name: table[name] if name in table.column_names else nulls for name in FIELDS}
    texts = {name: given[name].cast(pa.string()) for name in NAMES}
    kind = pc.index_in(given["kind"].cast(pa.string()), pa.array(KINDS))
    kind = pc.if_else(pc.is_null(given["kind"]), OTHER, kind).cast(pa.int8())
    if "destinations" in table.column_names:
        dests = given["destinations"].cast(pa.list_(pa.string()))
    else:
        dests = pa.chunked_array([pa.nulls(rows, pa.list_(pa.string()))])
    is_message = pc.fill_null(pc.not_equal(kind, OTHER), False)
    longest = pc.max_element_wise(*(pc.fill_null(pc.utf8_length(text), 0) for text in texts.values()))
    faults = (
        (pc.is_null(kind), f"the kind is none of {', '.join(KINDS)}"),
        (pc.is_null(texts["process"]), "no process"),
        (pc.and_(is_message, pc.is_null(texts["message"])), "no message id"),
        (pc.greater(longest, LONGEST_NAME), f"a name of more than {LONGEST_NAME} characters"),
    )
    why: Any = pa.chunked_array([pa.nulls(rows, pa.string())])
    for is_wrong, text in faults:
        why = pc.if_else(pc.and_(is_wrong, pc.is_null(why)), text, why)
    broken = pc.is_valid(why)
    columns = {
        "execution": pc.if_else(broken, default, pc.fill_null(texts["execution"], default)),
        "process": texts["process"],
        "kind": pc.if_else(broken, pa.scalar(BROKEN, pa.int8()), kind),
        "message": pc.if_else(is_message, texts["message"], None),
        "destinations": dests,
        "time": _times(given["time"]),
        "clock": pa.chunked_array([pa.nulls(rows, pa.string())]),
        "text": pc.if_else(broken, why, pc.utf8_slice_codeunits(given["text"].cast(pa.string()), 0, LONGEST_TEXT)),
        "file": pa.chunked_array([pa.repeat(pa.scalar(file, pa.int32()), rows)]),
        "line": pa.chunked_array([pa.array(lines, pa.int64())]),
    }
    return pa.table([columns[field.name] for field in EVENTS], schema=EVENTS)


def _times(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        return pc.divide(pc.cast(pc.cast(column, pa.timestamp("us")), pa.int64()).cast(pa.float64()), 1e6)
    return column.cast(pa.float64())


def _by_lines(data: bytes, file: int, first_line: int, default: str) -> pa.Table:
    """Line by line, so that one broken line costs only itself."""
    rows: list[dict[str, Any]] = []
    lines, broken, reasons = [], [], []
    for number, line in enumerate(data.split(b"\n"), first_line):
        if not line.strip():
            continue
        found = _event(line)
        if isinstance(found, str):
            broken.append(number)
            reasons.append(found)
        else:
            rows.append(found)
            lines.append(number)
    columns = {name: [row.get(name) for row in rows] for name in FIELDS}
    kinds: dict[str, pa.DataType] = {"destinations": pa.list_(pa.string()), "time": pa.float64()}
    table = pa.table({name: pa.array(column, kinds.get(name, pa.string())) for name, column in columns.items()})
    return pa.concat_tables([normalised(table, lines, file, default), table_of_broken(broken, reasons, file, default)])


def _event(line: bytes) -> dict[str, Any] | str:
    """The fields of one line as texts, or why it is no event."""
    if len(line) > LONGEST_LINE or line == b"(too long)":
        return f"a line of more than {LONGEST_LINE // 2**20} MiB"
    try:
        found = json.loads(line)
    except UnicodeDecodeError:
        return "not UTF-8 text"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {printable(str(error))[:100]}"
    if not isinstance(found, dict):
        return "not a JSON object"
    event: dict[str, Any] = {}
    for name in (*NAMES, "kind", "text"):
        value = found.get(name)
        if isinstance(value, bool | list | dict | float) and name != "text":
            return f"{name} is neither a text nor a whole number"
        event[name] = None if value is None else value if isinstance(value, str) else json.dumps(value)
        if event[name] is not None and not _is_text(event[name]):
            return f"{name} is not text that can be encoded"
    dests, time = found.get("destinations"), found.get("time")
    if dests is not None:
        if not isinstance(dests, list) or any(type(d) not in (int, str) or not _is_text(str(d)) for d in dests):
            return "destinations is not a list of texts or whole numbers"
        event["destinations"] = [str(d) for d in dests]
    if time is not None:
        seconds = _seconds(time)
        if seconds is None:
            return "time is neither a number nor a date and time"
        event["time"] = seconds
    return event


def _seconds(time: object) -> float | None:
    if isinstance(time, str):
        try:
            moment = datetime.fromisoformat(time)
        except ValueError:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return float(time) if isinstance(time, int | float) and type(time) is not bool and abs(time) < 1e300 else None


def _is_text(value: str) -> bool:
    """Whether it has no half of a surrogate pair."""
    return value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)
