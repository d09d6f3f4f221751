"""One execution as arrays of integers: no Python object for an event, whatever its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Execution:
    """The events of one execution, each process's in their order. Names are looked up by number.

    `process`, `kind` (as in `tables`), `message` (-1 for none), `file`, `line` and `time` (NaN for unknown) have an
    entry for each event. The destinations of a send e are `dest[dest_start[e]:dest_start[e + 1]]` where `known[e]`;
    elsewhere the log does not say and they are the processes that deliver. `source` is the row of the log that an event
    was read from, for its `text`.
    """

    name: str
    processes: pa.Array
    messages: pa.Array
    process: Array
    kind: Array
    message: Array
    dest_start: Array
    dest: Array
    known: Array
    time: Array
    file: Array
    line: Array
    text: pa.ChunkedArray | None = None
    source: Array | None = None

    @property
    def events(self) -> int:
        """How many there are."""
        return len(self.process)

    def process_name(self, number: int) -> str:
        """The name of a process."""
        return str(self.processes[number].as_py())

    def message_name(self, number: int) -> str:
        """The id of a message."""
        return str(self.messages[number].as_py())

    def text_of(self, event: int) -> str | None:
        """What the log says of an event."""
        if self.text is None:
            return None
        row = event if self.source is None else int(self.source[event])
        text = self.text[row].as_py()
        return None if text is None else str(text)


def from_table(name: str, table: pa.Table) -> Execution:
    """The execution of a table of EVENTS with message ids, in the order of its rows."""
    lists = table["destinations"].combine_chunks()
    lists = pa.concat_arrays(lists.chunks) if isinstance(lists, pa.ChunkedArray) else lists
    known = pc.is_valid(lists).to_numpy(zero_copy_only=False).astype(np.uint8)
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    starts = np.zeros(table.num_rows + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    own = _joined(table["process"])
    names, numbers = _numbered(pa.concat_arrays([own, pc.list_flatten(lists).cast(pa.string())]))
    ids, message = _numbered(_joined(table["message"]))
    return Execution(
        name=name,
        processes=names,
        messages=ids,
        process=numbers[: table.num_rows],
        kind=np.array(
            _joined(table["kind"]).to_numpy(zero_copy_only=False)
        ),  # a copy: kernels take what can be written
        message=message,
        dest_start=starts,
        dest=numbers[table.num_rows :],
        known=known,
        time=pc.fill_null(_joined(table["time"]), float("nan")).to_numpy(zero_copy_only=False),
        file=_joined(table["file"]).to_numpy(zero_copy_only=False),
        line=_joined(table["line"]).to_numpy(zero_copy_only=False),
        text=None if table["text"].null_count == table.num_rows else table["text"],
    )


def _joined(column: pa.ChunkedArray) -> pa.Array:
    found = column.combine_chunks()
    return pa.concat_arrays(found.chunks) if isinstance(found, pa.ChunkedArray) else found


def _numbered(names: pa.Array) -> tuple[pa.Array, Array]:
    """The different names, in the order in which they come, and the number of each entry; -1 for null."""
    encoded = names.dictionary_encode()
    numbers = np.array(pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False), np.int32)
    return encoded.dictionary, numbers
