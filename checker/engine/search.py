"""What the searches share: their arrays, the first violations they met, and the filling in of missing local steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..result import Schedule
from .bundles import FULL, Array, Rows, new_table, reserve
from .decoding import Decoder
from .enabling import Missing
from .entering import refill_rows
from .expanding import Found, Scratch, Successors
from .judging import UserJudge
from .limits import Watch
from .space import StateSpace

BLOCK = 8192
"""Rows that are expanded before limits are looked at and missing local steps are computed."""

BITS = 31


class Worker(NamedTuple):
    """The arrays that one thread writes while it expands rows."""

    missing: Missing
    found: Found
    scratch: Scratch
    successors: Successors


class Hit:
    """The first violation of one bit: in the row (action -1) or by the action, `row` of level `depth`."""

    def __init__(self, depth: int, row: int, action: int) -> None:
        self.depth = depth
        self.row = row
        self.action = action

    @property
    def steps(self) -> int:
        """The length of the run that shows it."""
        return self.depth + (self.action >= 0)


class Search:
    """One search of a state space. `wanted` are the bits of each requested property; the search may stop when each of
    them has been met."""

    def __init__(self, space: StateSpace, decoder: Decoder, judge: UserJudge, watch: Watch, wanted: list[int]) -> None:
        self.space = space
        self.decoder = decoder
        self.judge = judge
        self.watch = watch
        self.wanted = wanted
        self.initial = space.initial_row()
        self.hits: dict[int, Hit] = {}
        self.states = 1
        self.transitions = 0
        self.depth = 0
        self.complete = False
        self.block = max(1, min(BLOCK, 200_000 // self.most_successors))

    def judge_initial_state(self) -> None:
        """Note what is wrong before any step; to be called before `run`."""
        if self.judge.active:
            self.judge.judge_objects()
        flags = int(np.bitwise_or.reduce(self.space.locals.flags[self.initial[: self.space.processes]]))
        for bit in bits_in(flags):
            self.hits[bit] = Hit(0, 0, -1)

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        raise NotImplementedError

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        raise NotImplementedError

    @property
    def decided(self) -> bool:
        """Whether there are requested properties and each has been violated."""
        return bool(self.wanted) and all(any(bit & bits for bit in self.hits) for bits in self.wanted)

    @property
    def most_successors(self) -> int:
        """More successors than any row can have."""
        space = self.space
        actions = space.most_packets + space.processes * int(space.choices.shape[1])
        return actions * space.model.most_alternatives + 1

    def tables(self, worker: Worker) -> tuple[Any, ...]:
        """The arguments that all kernels of `expanding` share."""
        space = self.space
        return (
            space.pasts, space.locals, space.packets, space.steps, space.known_steps, space.send_steps,
            space.local_packets, space.system, space.script, worker.missing, worker.found, worker.scratch,
            worker.successors,
        )  # fmt: skip

    def new_worker(self, rows: int) -> Worker:
        """Working space to expand `rows` rows at a time."""
        space = self.space
        capacity = rows * self.most_successors
        width = len(self.initial)
        return Worker(
            space.new_missing(rows),
            Found(np.zeros(1, np.int64), np.zeros(BITS, np.int64), np.zeros(BITS, np.int64)),
            Scratch(np.zeros(space.most_packets, np.int64), np.zeros(space.most_packets, np.bool_)),
            Successors(
                np.zeros((capacity, width), np.int32), np.zeros(capacity, np.uint64), np.zeros(capacity, np.int32),
                np.zeros(capacity, np.int32), np.zeros(1, np.int64),
            ),
        )  # fmt: skip

    def prepare(self, worker: Worker, rows: int) -> None:
        """Empty a worker's arrays, and make room for what `rows` rows can lead to or miss."""
        for count in (worker.missing.pair_count, worker.missing.local_count, worker.missing.row_count):
            count[0] = 0
        worker.successors.size[0] = 0
        worker.found.mask[0] = sum(self.hits)
        reserve(worker.successors, rows * self.most_successors)
        missing, space = worker.missing, self.space
        for array, each in ((missing.pairs, space.most_packets), (missing.locals, space.processes), (missing.rows, 1)):
            if len(array) < rows * each:
                array.resize((rows * each, *array.shape[1:]), refcheck=False)

    def fill_in(self, missing: Missing) -> bool:
        """Compute the missing local steps; False when interrupted."""
        if not self.space.complete(missing, self.watch.interrupted):
            return False
        if self.judge.active:
            self.judge.judge_new(missing)
        return True

    def new_rows(self, capacity: int) -> Rows:
        """An empty store; pages are taken from the system only when they are written."""
        width = len(self.initial)
        return Rows(
            np.zeros((capacity, width), np.int32), np.zeros(capacity, np.int32), np.zeros(capacity, np.int32),
            new_table(capacity, np.uint64), np.zeros(1, np.int64),
        )  # fmt: skip

    def first_rows(self) -> Rows:
        """A store that holds the initial state."""
        rows = self.new_rows(64)
        rows.row[0] = self.initial
        rows.parent[0] = rows.action[0] = -1
        rows.size[0] = 1
        refill_rows(rows.table, rows, self.space.processes)
        return rows

    def enlarge(self, rows: Rows, extra: int) -> Rows:
        """The store with room for `extra` more rows."""
        reserve(rows, extra)
        needed = int(rows.size[0]) + extra
        if needed > len(rows.table) * FULL:
            table: Array = new_table(needed, np.uint64)
            refill_rows(table, rows, self.space.processes)
            rows = rows._replace(table=table)
        return rows

    def run_of(self, actions: list[int]) -> tuple[Schedule, Array, Array]:
        """The events of a run given by its actions, and the rows before and after its last event."""
        schedule, before = self.decoder.schedule(self.initial, actions[:-1])
        if not actions:
            return schedule, before, before
        event, after = self.decoder.follow(before, actions[-1])
        return (*schedule, event), before, after

    def collect(self, found: Found, depth_of: Callable[[int], int]) -> None:
        """Take over the violations that a kernel has noted and that are the first of their kind."""
        for bit in bits_in(int(found.mask[0])):
            if bit not in self.hits:
                position = bit.bit_length() - 1
                row = int(found.row[position])
                self.hits[bit] = Hit(depth_of(row), row, int(found.action[position]))


def bits_in(flags: int) -> list[int]:
    """The single bits of a mask."""
    return [1 << position for position in range(BITS) if flags >> position & 1]
