"""What the searches share: their arrays, the first violations they met, and the filling in of missing local steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bundles import Array, Rows, new_table, reserve, reserve_map
from .decoding import Decoder
from .expanding import Found, Missing, Scratch, refill_rows
from .judging import UserJudge
from .limits import Watch
from .space import StateSpace

BLOCK = 8192
"""Rows that are expanded before limits are looked at and missing local steps are computed."""

BITS = 31


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
        if judge.active:
            judge.judge_objects()
        self.hits: dict[int, Hit] = {}
        self.states = 1
        self.transitions = 0
        self.depth = 0
        self.complete = False
        self.block = max(1, min(BLOCK, 200_000 // self.most_successors))
        self.found = Found(np.zeros(1, np.int64), np.zeros(BITS, np.int64), np.zeros(BITS, np.int64))
        self.scratch = Scratch(np.zeros(space.most_packets, np.int64), np.zeros(space.most_packets, np.bool_))
        self.missing: Missing = space.new_missing(self.block)
        self.progress = np.zeros(2, np.int64)
        flags = int(np.bitwise_or.reduce(space.locals.flags[self.initial[: space.processes]]))
        for bit in bits_in(flags):
            self.hits[bit] = Hit(0, 0, -1)
            self.found.mask[0] |= bit

    @property
    def decided(self) -> bool:
        """Whether every requested property has been violated."""
        return all(any(bit & bits for bit in self.hits) for bits in self.wanted)

    @property
    def most_successors(self) -> int:
        """More successors than any row can have."""
        space = self.space
        return (space.most_packets + space.processes * space.choices.shape[1]) * space.most_alternatives + 1

    def tables(self) -> tuple[Any, ...]:
        """The arguments that all kernels of `expanding` share."""
        space = self.space
        return (
            space.pasts, space.locals, space.packets, space.steps, space.known_steps, space.send_steps,
            space.local_packets, space.system, space.script, self.missing, self.found, self.scratch,
        )  # fmt: skip

    def prepare(self, rows: int) -> None:
        """Forget what was missing, and make room for what `rows` more rows may ask."""
        for count in (self.missing.pair_count, self.missing.local_count, self.missing.row_count, self.progress):
            count[:] = 0
        self.space.known_steps = reserve_map(self.space.known_steps, rows * self.space.most_packets)

    def fill_in(self) -> bool:
        """Compute the missing local steps; False when interrupted."""
        if not self.space.complete(self.missing, self.watch.interrupted):
            return False
        if self.judge.active:
            self.judge.judge_new(self.missing)
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
        rows = self.new_rows(max(64, 2 * self.most_successors))
        rows.row[0] = self.initial
        rows.parent[0] = rows.action[0] = -1
        rows.size[0] = 1
        refill_rows(rows.table, rows, self.space.processes)
        return rows

    def enlarge(self, rows: Rows) -> Rows:
        """The store with room for at least one more row's successors."""
        needed = int(rows.size[0]) + self.most_successors
        if needed > len(rows.row):
            reserve(rows, max(self.most_successors, int(rows.size[0]) // 2))
        if needed > len(rows.table) * 0.6:
            table: Array = new_table(needed, np.uint64)
            refill_rows(table, rows, self.space.processes)
            rows = rows._replace(table=table)
        return rows

    def collect(self, depth_of: Any) -> None:
        """Take over the violations that the kernels have noted since the last call."""
        for bit in bits_in(int(self.found.mask[0])):
            if bit not in self.hits:
                position = bit.bit_length() - 1
                row = int(self.found.row[position])
                self.hits[bit] = Hit(depth_of(row), row, int(self.found.action[position]))


def bits_in(flags: int) -> list[int]:
    """The single bits of a mask."""
    return [1 << position for position in range(BITS) if flags >> position & 1]
