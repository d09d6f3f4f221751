"""What the searches share: their arrays, the first violations they met, and the filling in of missing local steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import ModelError
from ..result import Schedule
from .bundles import FULL, Array, Rows, new_table, reserve
from .decoding import Decoder
from .enabling import Missing
from .entering import refill_rows
from .expanding import expand_rows
from .judging import UserJudge
from .limits import Watch
from .moving import Found, Scratch, Successors
from .space import StateSpace

BLOCK = 8192
"""Rows that are expanded before limits are looked at and missing local steps are computed."""

BITS = 31

FIRST = np.zeros(1, np.int32)

MOST_IN_TRANSIT = 500
"""Packets in transit in one state."""


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
        self.workers: tuple[Worker, ...] = ()
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
    def orbits(self) -> int | None:
        """How many states were kept, where each stands for all its renamings; None where it does not."""
        return None

    @property
    def omission(self) -> float | None:
        """At most how likely it is that a state was taken for another one; None where states are compared exactly."""
        return None

    def weights(self, bundle: str) -> Array:
        """For each of the `locals` or `packets` how many reached ones it stands for: 1 if reached, else 0."""
        objects = getattr(self.space, bundle)
        reached: Array = objects.reached[: objects.size[0]]
        return reached

    def lasso(self) -> tuple[list[int], list[int]] | None:
        """The actions that lead to a fair cycle without delivery, and those of the cycle; None without one."""
        return None

    @property
    def decided(self) -> bool:
        """Whether there are requested properties and each has been violated."""
        return bool(self.wanted) and all(any(bit & bits for bit in self.hits) for bits in self.wanted)

    @property
    def most_successors(self) -> int:
        """More successors than any row can have."""
        space = self.space
        actions = 3 * space.most_packets + space.processes * (int(space.choices.shape[1]) + 3) + 1
        if space.graded:
            actions = space.most_packets + space.processes * (int(space.choices.shape[1]) + 1)
        return actions * space.model.most_alternatives + 1

    def block_size(self, kept: int) -> int:
        """Rows that are expanded at a time: fewer near the limit of states, so that it is not passed by much."""
        if self.watch.limits.states is None:
            return self.block
        return max(1, min(self.block, (self.watch.limits.states - kept) // self.most_successors))

    def tables(self, worker: Worker) -> tuple[Any, ...]:
        """The arguments that all kernels of `expanding` share."""
        space = self.space
        return (
            space.pasts, space.sends, space.held, space.locals, space.packets, space.steps, space.known_steps,
            space.send_steps, space.local_packets, space.joints, space.joint_steps, space.system, space.script,
            worker.missing, worker.found, worker.scratch, worker.successors,
        )  # fmt: skip

    def new_worker(self, rows: int) -> Worker:
        """Working space to expand `rows` rows at a time."""
        space = self.space
        capacity = rows * self.most_successors
        width = len(self.initial)
        return Worker(
            space.new_missing(rows, self.most_successors),
            Found(np.zeros(1, np.int64), np.zeros(BITS, np.int64), np.zeros(BITS, np.int64)),
            Scratch(np.zeros(space.most_packets, np.int64), np.zeros(space.most_packets, np.bool_)),
            Successors(
                np.zeros((capacity, width), np.int32), np.zeros(capacity, np.uint64), np.zeros(capacity, np.int32),
                np.zeros(capacity, np.int32), np.zeros(1, np.int64),
            ),
        )  # fmt: skip

    def prepare(self, worker: Worker, rows: int) -> None:
        """Empty a worker's arrays, and make room for what `rows` rows can lead to or miss."""
        missing, space = worker.missing, self.space
        for count in (
            missing.pair_count, missing.local_count, missing.other_count, missing.joint_count, missing.row_count,
            missing.length,
        ):  # fmt: skip
            count[0] = 0
        worker.successors.size[0] = 0
        worker.found.mask[0] = sum(self.hits)
        reserve(worker.successors, rows * self.most_successors)
        for array, each in (
            (missing.pairs, space.most_missing_pairs(self.most_successors)), (missing.locals, space.processes),
            (missing.others, space.processes), (missing.joints, 1), (missing.rows, 1),
        ):  # fmt: skip
            if len(array) < rows * each:
                array.resize((rows * each, *array.shape[1:]), refcheck=False)

    def fill_in(self, missing: Missing) -> bool:
        """Compute the missing local steps; False when interrupted."""
        if missing.length[0]:
            self.widen(int(missing.length[0]))
        if not self.space.complete(missing, self.watch.interrupted):
            return False
        if self.judge.active:
            self.judge.judge_new(missing)
        return True

    def widen(self, length: int) -> None:
        """Make all rows long enough for more packets in transit than were thought of."""
        if length - self.space.system.head > MOST_IN_TRANSIT:
            raise ModelError(
                f"{self.space.calls.loaded.name}: more than {MOST_IN_TRANSIT} packets in transit: does a step transmit "
                "without end? Bound what it repeats"
            )
        length += 8
        self.space.most_packets = length - self.space.system.head
        self.initial = widened(self.initial, length)
        for worker in self.workers:
            worker.successors.size[0] = 0
        self.workers = tuple(self.new_worker(1) for _ in self.workers)

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
        refill_rows(rows.table, rows, self.space.system.head)
        return rows

    def enlarge(self, rows: Rows, extra: int) -> Rows:
        """The store with room for `extra` more rows."""
        reserve(rows, extra)
        needed = int(rows.size[0]) + extra
        if needed > len(rows.table) * FULL:
            table: Array = new_table(needed, np.uint64)
            refill_rows(table, rows, self.space.system.head)
            rows = rows._replace(table=table)
        return rows

    def run_of(self, actions: list[int]) -> tuple[Schedule, Array, Array]:
        """The events of a run given by its actions, and the rows before and after its last event."""
        self.decoder.successor = self.successor
        _, before = self.decoder.schedule(self.initial, actions[:-1])
        schedule, after = self.decoder.schedule(self.initial, actions)
        return schedule, before, after

    def successor(self, row: Array, action: int) -> Array:
        """The row to which an action of the expansion leads."""
        return next(new for other, new in self.successors(row) if other == action)

    def successors(self, row: Array) -> list[tuple[int, Array]]:
        """The actions that are possible in a row, and the rows to which they lead."""
        while True:
            row = widened(row, len(self.initial))
            worker = self.workers[0]
            self.prepare(worker, 1)
            expand_rows(row[None], row[None], FIRST, 0, 1, *self.tables(worker))
            if not worker.missing.row_count[0]:
                break
            if worker.missing.length[0]:
                self.widen(int(worker.missing.length[0]))
            self.space.complete(worker.missing, lambda: False)
        size = int(worker.successors.size[0])
        return list(zip(worker.successors.action[:size].tolist(), worker.successors.row[:size].copy(), strict=True))

    def collect(self, found: Found, depth_of: Callable[[int], int]) -> None:
        """Take over the violations that a kernel has noted and that are the first of their kind."""
        for bit in bits_in(int(found.mask[0])):
            if bit not in self.hits:
                position = bit.bit_length() - 1
                row = int(found.row[position])
                self.hits[bit] = Hit(depth_of(row), row, int(found.action[position]))


def widened(rows: Array, length: int) -> Array:
    """The same rows with zeros at their ends."""
    missing = length - rows.shape[-1]
    return np.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(0, missing)]) if missing > 0 else rows


def bits_in(flags: int) -> list[int]:
    """The single bits of a mask."""
    return [1 << position for position in range(BITS) if flags >> position & 1]
