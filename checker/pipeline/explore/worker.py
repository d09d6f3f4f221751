"""What runs inside Arrow batches: rows of one level are looked up, expanded, or searched for predecessors.

A worker process keeps the local objects that it knows (`shipping`) from task to task; one that was started anew applies
all additions first. Nothing but the rows of the answer leaves a task, so a task may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ...engine.bundles import Array
from ...engine.enabling import Missing
from ...engine.expanding import expand_rows
from ...engine.moving import Found, Scratch, Successors
from ...engine.search import BITS, BLOCK, Worker
from .names import names_of_rows
from .rows import lay_out, take_apart
from .shipping import Addition, Known, Setting

PAIR, SENDS, OTHERS, JOINT, LENGTH, TRANSITIONS, REACHED_LOCAL, REACHED_PACKET, BIT = range(9)
"""What a row of a survey says: a local step that is missing (of a local state and a packet; all sends of a local state;
its other steps; the joint steps of several), how long a row would have to be, how many transitions there are, what was
reached for the first time, a violation."""

SURVEY = "kind int, first long, second long, third int, more array<int>"
SUCCESSORS = "high long, low long, locals array<int>, faults int, packets array<int>"
PREDECESSORS = "target int, high long, low long, action int"

Batches = Iterator[pa.RecordBatch]


class Room(NamedTuple):
    """How much a row may hold and lead to: packets, successors, and pairs whose steps are missing."""

    packets: int
    successors: int
    missing: int


class Level:
    """One level as a task sees it. `additions` are broadcasts, `setting` too; both are named by `run`."""

    _known: tuple[str, Known] | None = None

    def __init__(self, run: str, setting: Any, additions: list[Any], room: Room) -> None:
        self.run = run
        self._setting = setting
        self._additions = additions
        self.room = room

    def open(self) -> Known:
        """The local objects, up to the last addition."""
        setting: Setting = self._setting.value
        if Level._known is None or Level._known[0] != self.run:
            Level._known = self.run, Known(setting)
        known = Level._known[1]
        for broadcast in self._additions[known.applied :]:
            addition: Addition = broadcast.value
            known.apply(addition)
        return known


class Block(NamedTuple):
    """Some rows of a batch with their names, and what came of their expansion."""

    names: Array
    worker: Worker
    known: Known

    @property
    def new(self) -> Array:
        """The rows of the successors."""
        rows: Array = self.worker.successors.row[: self.worker.successors.size[0]]
        return rows

    @property
    def new_names(self) -> Array:
        """Their names."""
        return names_of_rows(self.new, self.known, self.known.local_names, self.known.packet_names)


def new_worker(processes: int, room: Room, rows: int, width: int) -> Worker:
    """Working space to expand `rows` rows at a time."""
    n, each = processes, room

    def count() -> Array:
        return np.zeros(1, np.int64)

    missing = Missing(
        np.zeros((rows * each.missing, 2), np.int32), count(), np.zeros(rows * n, np.int32), count(),
        np.zeros(rows * n, np.int32), count(), np.zeros((rows, n), np.int32), count(), np.zeros(rows, np.int32),
        count(), count(),
    )  # fmt: skip
    capacity = rows * each.successors
    return Worker(
        missing,
        Found(count(), np.zeros(BITS, np.int64), np.zeros(BITS, np.int64)),
        Scratch(np.zeros(each.packets, np.int64), np.zeros(each.packets, np.bool_)),
        Successors(
            np.zeros((capacity, width), np.int32), np.zeros(capacity, np.uint64), np.zeros(capacity, np.int32),
            np.zeros(capacity, np.int32), count(),
        ),
    )  # fmt: skip


def expanded(known: Known, room: Room, batches: Iterable[pa.RecordBatch]) -> Iterator[Block]:
    """Expand the rows of all batches, block by block, in the order of their names within a block."""
    width = known.system.head + room.packets
    size = max(1, min(BLOCK, 200_000 // room.successors))
    worker = new_worker(known.processes, room, size, width)
    known.locals.reached[:] = 0
    known.packets.reached[:] = 0
    for batch in batches:
        for begin in range(0, batch.num_rows, size):
            part = batch.slice(begin, min(size, batch.num_rows - begin))
            rows = lay_out(part, known, width)
            names = np.stack([part.column(c).to_numpy().view(np.uint64) for c in (0, 1)], axis=1)
            numbers = (2 * np.lexsort((names[:, 1], names[:, 0]))).astype(np.int32)
            for count in (c for field, c in worker.missing._asdict().items() if field.endswith(("count", "length"))):
                count[0] = 0
            worker.successors.size[0] = worker.found.mask[0] = 0
            expand_rows(rows, rows, numbers, 0, len(numbers), *known.tables(worker))
            yield Block(names, worker, known)


def survey(level: Level) -> Callable[[Batches], Batches]:
    """What the rows of a level lack, violate and reach, as rows of `SURVEY`."""

    def survey_part(batches: Batches) -> Batches:
        import pyspark

        found, known = Findings(), level.open()
        for block in expanded(known, level.room, batches):
            found.add(block)
        part = pyspark.TaskContext.get()
        yield found.rows(known, part.partitionId() if part else 0)

    return survey_part


class Findings:
    """What one task has found."""

    def __init__(self) -> None:
        self.transitions = self.length = 0
        self.missing: dict[str, list[Array]] = {"pairs": [], "locals": [], "others": [], "joints": []}
        self.violations: dict[int, tuple[int, int, int]] = {}

    def add(self, block: Block) -> None:
        """Take over what a block has found; of the violations of one bit that of the smallest name."""
        missing, found = block.worker.missing, block.worker.found
        self.transitions += int(block.worker.successors.size[0])
        self.length = max(self.length, int(missing.length[0]))
        for name, count in (
            ("pairs", missing.pair_count), ("locals", missing.local_count), ("others", missing.other_count),
            ("joints", missing.joint_count),
        ):  # fmt: skip
            if count[0]:
                self.missing[name].append(np.unique(getattr(missing, name)[: count[0]], axis=0))
        for bit in range(BITS):
            if int(found.mask[0]) >> bit & 1:
                high, low = block.names[int(found.row[bit]) >> 1].tolist()
                here = high, low, int(found.action[bit])
                self.violations[bit] = min(self.violations.get(bit, here), here)

    def rows(self, known: Known, part: int) -> pa.RecordBatch:
        """Everything as one batch. `part` tells equal counts of two tasks apart."""
        kinds: list[Array] = []
        firsts: list[Array] = []
        seconds: list[Array] = []
        thirds: list[Array] = []

        def say(kind: int, first: Any, second: Any = 0, third: Any = 0) -> None:
            columns = np.broadcast_arrays(np.atleast_1d(first), second, third)
            kinds.append(np.full(len(columns[0]), kind, np.int32))
            for target, column in zip((firsts, seconds, thirds), columns, strict=True):
                target.append(column.astype(np.int64))

        joints = distinct(self.missing["joints"], known.processes)
        pairs = distinct(self.missing["pairs"], 2)
        say(JOINT, np.zeros(len(joints), np.int64))
        say(PAIR, pairs[:, 0], pairs[:, 1])
        say(SENDS, distinct(self.missing["locals"], 0))
        say(OTHERS, distinct(self.missing["others"], 0))
        say(TRANSITIONS, self.transitions, part)
        if self.length:
            say(LENGTH, self.length)
        for kind, bundle, before in (
            (REACHED_LOCAL, known.locals, known.reached[0]), (REACHED_PACKET, known.packets, known.reached[1])
        ):  # fmt: skip
            size = int(bundle.size[0])  # type: ignore[attr-defined]
            say(kind, np.flatnonzero(bundle.reached[:size] > before[:size]))  # type: ignore[attr-defined]
        for bit, (high, low, action) in sorted(self.violations.items()):
            lanes = np.array([high, low], np.uint64).view(np.int64)
            say(BIT + bit, lanes[0], lanes[1], action)
        total = sum(map(len, kinds))
        offsets = np.minimum(np.arange(total + 1), len(joints)) * known.processes
        more = pa.ListArray.from_arrays(offsets.astype(np.int32), joints.reshape(-1).astype(np.int32))
        columns = [np.concatenate(c) for c in (kinds, firsts, seconds, thirds)]
        arrays = [*map(pa.array, (*columns[:3], columns[3].astype(np.int32))), more]
        return pa.RecordBatch.from_arrays(arrays, names=["kind", "first", "second", "third", "more"])


def distinct(found: list[Array], width: int) -> Array:
    """The distinct entries of several arrays (k, width), in ascending order; (k,) for width 0."""
    if not found:
        return np.zeros((0, width) if width else 0, np.int32)
    return np.unique(np.concatenate(found), axis=0)


def successors(level: Level) -> Callable[[Batches], Batches]:
    """The results of all transitions from the rows of a level, equal ones included, as rows of `SUCCESSORS`."""

    def expand_part(batches: Batches) -> Batches:
        for block in expanded(level.open(), level.room, batches):
            if block.worker.missing.row_count[0]:
                raise RuntimeError("a local step is missing although the level was surveyed")
            yield take_apart(block.new, block.new_names, block.known)

    return expand_part


def predecessors(level: Level, targets: Array) -> Callable[[Batches], Batches]:
    """The rows of a level that lead to the rows named in `targets` (k, 2), as rows of `PREDECESSORS`."""

    def search_part(batches: Batches) -> Batches:
        for block in expanded(level.open(), level.room, batches):
            successors, names = block.worker.successors, block.new_names
            for target, wanted in enumerate(targets):
                places = np.flatnonzero((names == wanted).all(axis=1))
                before = block.names[successors.parent[places] >> 1].view(np.int64)
                columns = [
                    np.full(len(places), target, np.int32), before[:, 0], before[:, 1],
                    successors.action[places],
                ]  # fmt: skip
                yield pa.RecordBatch.from_arrays(
                    [pa.array(c) for c in columns], names=["target", "high", "low", "action"]
                )

    return search_part
