"""Logs whose violations are known: causally ordered traffic with planted exceptions, of any size, without a loop over
events.

    python -m precede.checker.pipeline.audit.generating FILE --events 1000000 --violations 100

Every message to d takes the same time, so that what is sent later comes later and causal order holds. A planted
violation exchanges two deliveries that follow each other at a process, the second of a message that causally follows
the first: of the same sender (FIFO is violated too), or sent by a process after it delivered a copy of the first. So
each makes exactly one delivery too early. FILE.planted holds them as JSON lines: early, late, process, fifo, line (of
the early delivery). Sends have numbers as processes and texts "s.k" as ids; each execution has its own processes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from .execution import Array
from .tables import DELIVER, KINDS, OTHER, SEND

PAUSE = 8.0
"""The mean time between sends of one process; a message is under way for 0.1 to 1."""


Planted = tuple[int, int, int, bool, int]
"""(early, late, process, fifo, event of the early delivery), the messages by number."""


class Traffic(NamedTuple):
    """Events in their order: `kind` as in `tables`, `message` (-1 for none), `time`; by message: `sender`, `number`,
    `dests` (one column for each destination, -1 for none)."""

    process: Array
    kind: Array
    message: Array
    time: Array
    sender: Array
    number: Array
    dests: Array
    planted: list[Planted]


def traffic(events: int, processes: int, most_dests: int, violations: int, seed: int) -> Traffic:
    """About so many events of one execution, with at most so many planted violations."""
    random = np.random.default_rng(seed)
    per_message = 1 + (1 + most_dests) / 2 + 0.2
    count = max(1, int(events / per_message))
    sent = np.sort(random.uniform(0, PAUSE * count / processes, count))
    sender = random.integers(0, processes, count, dtype=np.int32)
    dests = _dests(random, sender, processes, most_dests)
    delay = random.uniform(0.1, 1.0, processes)
    m, column = np.nonzero(dests >= 0)
    to = dests[m, column]
    others = int(0.2 * count)
    process = np.concatenate([sender, to, random.integers(0, processes, others, dtype=np.int32)])
    kind = np.repeat(np.array([SEND, DELIVER, OTHER], np.int8), [count, len(m), others])
    message = np.concatenate([np.arange(count), m, np.full(others, -1)]).astype(np.int32)
    time = np.concatenate([sent, sent[m] + delay[to], random.uniform(0, sent[-1] + 1, others)])
    order = np.argsort(time, kind="stable")
    process, kind, message, time = process[order], kind[order], message[order], time[order]
    planted = _plant(random, process, kind, message, time, sender, sent, dests, delay, violations)
    return Traffic(process, kind, message, time, sender, _numbers(sender, processes), dests, planted)


def _dests(random: np.random.Generator, sender: Array, processes: int, most: int) -> Array:
    """For each message 1 to `most` different destinations, its sender not among them: steps around the circle."""
    most = min(most, processes - 1)
    steps = np.sort(random.integers(1, processes - most + 1, (len(sender), most)), axis=1) + np.arange(most)
    dests = (sender[:, None] + steps) % processes
    wanted = random.integers(1, most + 1, len(sender))
    return np.where(np.arange(most) < wanted[:, None], dests, -1).astype(np.int32)


def _numbers(sender: Array, processes: int) -> Array:
    """The number of each message among those of its sender, from 1."""
    order = np.argsort(sender, kind="stable")
    starts = np.searchsorted(sender[order], np.arange(processes))
    numbers = np.empty(len(sender), np.int64)
    numbers[order] = np.arange(len(sender)) - starts[sender[order]] + 1
    return numbers


def _plant(
    random: np.random.Generator, process: Array, kind: Array, message: Array, time: Array, sender: Array, sent: Array,
    dests: Array, delay: Array, wanted: int,
) -> list[Planted]:  # fmt: skip
    """Exchange deliveries, in place, that follow each other at their process and are apart from one another."""
    at = np.nonzero(kind == DELIVER)[0]
    at = at[np.argsort(process[at], kind="stable")]
    one, two = at[:-1], at[1:]
    first, second = message[one], message[two]
    fits = (process[one] == process[two]) & (sent[second] < time[one])
    same = sender[first] == sender[second]
    passed = (dests[first] == sender[second][:, None]).any(axis=1) & (
        sent[first] + delay[sender[second]] < sent[second]
    )
    kinds = [np.nonzero(fits & ok & (sent[first] < sent[second]))[0] for ok in (same, ~same & passed)]
    planted: list[Planted] = []
    used: set[int] = set()
    for candidates, share in zip(kinds, (wanted // 2, wanted - wanted // 2), strict=True):
        left = share
        for i in random.permutation(candidates).tolist():
            if left == 0:
                break
            a, b = int(one[i]), int(two[i])
            near = {int(message[a]), int(message[b])}
            if near & used:
                continue
            used |= near
            left -= 1
            message[a], message[b] = message[b], message[a]
            planted.append((int(message[a]), int(message[b]), int(process[a]), bool(same[i]), a))
    return planted


def as_table(made: Traffic, execution: str | None) -> pa.Table:
    """The traffic as a table with the fields of a log."""
    ids = pc.binary_join_element_wise(
        pa.array(made.sender).cast(pa.string()), pa.array(made.number).cast(pa.string()), "."
    )
    is_send = made.kind == SEND
    sizes = np.where(is_send, (made.dests[np.maximum(made.message, 0)] >= 0).sum(axis=1), 0)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    rows = made.dests[made.message[is_send]]
    dests = pa.ListArray.from_arrays(pa.array(offsets), pa.array(rows[rows >= 0]), mask=pa.array(~is_send))
    columns: dict[str, Any] = {
        "process": pa.array(made.process),
        "kind": pa.array(KINDS).take(pa.array(made.kind)),
        "message": ids.take(pa.array(made.message, mask=made.message < 0)),
        "destinations": dests,
        "time": pa.array(np.round(made.time, 6)),
    }
    if execution is not None:
        columns["execution"] = pa.repeat(pa.scalar(execution), len(made.process))
    return pa.table(columns)


def as_lines(table: pa.Table) -> bytes:
    """The same as newline-delimited JSON."""
    text = {name: table[name].cast(pa.string()) for name in ("process", "time")}
    lists = table["destinations"].combine_chunks()
    joined = pc.binary_join(lists.cast(pa.list_(pa.string())), ",")
    parts = [
        '{"process":', text["process"], ',"kind":"', table["kind"], '","time":', text["time"],
        _optional(',"message":"', table["message"], '"'),
        _optional(',"destinations":[', joined, "]"),
    ]  # fmt: skip
    if "execution" in table.column_names:
        parts.append(_optional(',"execution":"', table["execution"], '"'))
    lines = pc.binary_join_element_wise(*parts, "}\n", "")
    return b"".join(chunk.buffers()[2].to_pybytes() for chunk in pa.chunked_array(lines).chunks if len(chunk))


def _optional(before: str, column: Any, after: str) -> Any:
    return pc.fill_null(pc.binary_join_element_wise(before, column, after, ""), "")


def write_log(path: Path, made: Traffic, execution: str | None = None, append: bool = False) -> None:
    """Write a log: Parquet if its name ends so, otherwise JSON lines; and what is planted beside it."""
    table = as_table(made, execution)
    lines_before = 0
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        if append and path.exists():
            with path.open("rb") as file:
                lines_before = sum(block.count(b"\n") for block in iter(lambda: file.read(2**24), b""))
        with path.open("ab" if append else "wb") as file:
            for begin in range(0, table.num_rows, 1_000_000):
                file.write(as_lines(table.slice(begin, 1_000_000).combine_chunks()))
    names = (
        [f"{s}.{k}" for s, k in zip(made.sender.tolist(), made.number.tolist(), strict=True)] if made.planted else []
    )
    with path.with_name(path.name + ".planted").open("a" if append else "w", encoding="utf-8") as file:
        for early, late, process, fifo, event in made.planted:
            found = {"early": names[early], "late": names[late], "process": str(process), "fifo": fifo,
                     "line": lines_before + event + 1, "execution": execution}  # fmt: skip
            file.write(json.dumps(found) + "\n")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--events", default=100_000, show_default=True, help="Of each execution, about.")
@click.option("--executions", default=0, help="Named executions in the file; 0: one without a name.")
@click.option("--processes", default=16, show_default=True)
@click.option("--most-dests", default=3, show_default=True, help="Destinations of a message, at most.")
@click.option("--violations", default=20, show_default=True, help="Planted in each execution.")
@click.option("--seed", default=1, show_default=True)
def main(file: Path, events: int, executions: int, processes: int, most_dests: int, violations: int, seed: int) -> None:
    """Write a log whose violations are known, and what is planted to FILE.planted."""
    for number in range(max(1, executions)):
        made = traffic(events, processes, most_dests, violations, seed + number)
        write_log(file, made, f"run {number}" if executions else None, append=number > 0)


if __name__ == "__main__":
    main()
