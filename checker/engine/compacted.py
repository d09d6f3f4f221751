"""Breadth-first search that keeps only fingerprints of states in memory (hash compaction).

The rows of the level that is expanded, and of the next, go through files; so do each state's first parent and its
action, from which the run to a state is executed again. In memory are the names of one level where the state graph is
graded (see `breadth_first`), else those of all states, and the interned objects, which are few. Cycles are not looked
for, since their rows are gone; but where no step leads to a state of its own or an earlier level, there are none.

A level is kept in two halves by the first bit of the names, as in `breadth_first`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..result import Schedule
from .breadth_first import FEW
from .bundles import Array
from .expanding import expand_rows
from .fingerprints import enlarged, enter_names, joined, new_fresh, new_seen, omission_probability, pairs_of
from .naming import name_rows
from .search import Hit, Search, Worker, widened
from .spilling import RowFile

CYCLES = "there may be cycles, and they are not looked for where only fingerprints are kept"


class Compacted(Search):
    """Explores the levels in turn; counterexamples are shortest ones. Row 2 i + h of a level is row i of its half h."""

    def __init__(self, *question: Any) -> None:
        super().__init__(*question)
        self.kept = 1
        self.pairs = 0
        self.returns = False
        self.earlier = [new_seen(0), new_seen(0)]
        self.seen = [new_seen(0), new_seen(0)]
        self.origins = (RowFile(), RowFile())
        self.begins: list[list[int]] = []

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        self.workers = (self.new_worker(1), self.new_worker(1))
        self._begin_level(1)
        self._enter_initial_row()
        with ThreadPoolExecutor(2) as self.pool:
            while not self.decided:
                self.level = self.following
                self._begin_level(sum(rows.size for rows in self.level))
                if not self._expand_level():
                    return
                if not any(rows.size for rows in self.following):
                    self.complete = True
                    return
                self.depth += 1

    def _begin_level(self, likely: int) -> None:
        """Begin to fill a level, which likely gets so many rows."""
        self.following = [RowFile(), RowFile()]
        self.begins.append([rows.size for rows in self.origins])
        if self.space.graded:
            self.pairs += pairs_of(sum(int(seen.size[0]) for seen in self.seen))
        else:
            self.earlier = [joined(old, seen) for old, seen in zip(self.earlier, self.seen, strict=True)]
        self.seen = []
        self.seen = [new_seen(likely // 2), new_seen(likely // 2)]

    def _enter_initial_row(self) -> None:
        hashes, orbits = np.zeros(1, np.uint64), np.zeros(1, np.int64)
        self.name(self.initial[None], 1, hashes, orbits)
        half = int(hashes[0] >> np.uint64(63))
        self.seen[half].names[hashes[0] & np.uint64(len(self.seen[half].names) - 1)] = hashes[0]
        self.seen[half].size[0] = 1
        self.following[half].append(np.concatenate([[1], self.initial])[None].astype(np.int32))
        self.origins[half].append(np.full((1, 2), -1, np.int32))

    def name(self, rows: Array, count: int, hashes: Array, orbits: Array) -> None:
        """Write the names of rows into `hashes`, and how many states each stands for."""
        name_rows(rows, count, self.space.system.head, hashes, orbits)

    def objects_pairs(self) -> int:
        """Pairs of other objects than rows that are told apart by 64-bit names."""
        return 0

    @property
    def omission(self) -> float:
        """At most how likely it is that a state was taken for another one."""
        pairs = self.pairs if self.space.graded else pairs_of(self.kept)
        return omission_probability(pairs + self.objects_pairs())

    def _expand_level(self) -> bool:
        """Fill the next level; False when stopped."""
        before = self.kept
        places = [0, 0]
        left = sum(rows.size for rows in self.level)
        while left:
            each = max(1, self.block_size(self.kept) // 2)
            width = len(self.initial) + 1
            ends = [min(place + each, rows.size) for place, rows in zip(places, self.level, strict=True)]
            blocks = [rows.read(place, end, width) for rows, place, end in zip(self.level, places, ends, strict=True)]
            self.offsets = np.array(places)
            self.rows = [np.ascontiguousarray(block[:, 1:]) for block in blocks]
            self.sizes = [block[:, 0].astype(np.int64) for block in blocks]
            waiting = np.concatenate([2 * np.arange(len(b), dtype=np.int32) + h for h, b in enumerate(blocks)])
            left -= len(waiting)
            while len(waiting):
                self._expand_block(waiting)
                waiting = np.concatenate([w.missing.rows[: w.missing.row_count[0]] for w in self.workers])
                self.kept = before + sum(rows.size for rows in self.following)
                if len(waiting) and not all([self.fill_in(worker.missing) for worker in self.workers]):
                    return False
            places = ends
            frontier = left + self.kept - before
            if self.watch.must_stop(self.kept, self.transitions, frontier, self.depth) or self.decided:
                return False
        return True

    def widen(self, length: int) -> None:
        """Make all rows long enough for more packets in transit."""
        super().widen(length)
        self.rows = [widened(rows, len(self.initial)) for rows in self.rows]

    def _expand_block(self, numbers: Array) -> None:
        """Expand rows of the block into the next level; those with missing local steps are left out."""
        middle = len(numbers) // 2
        parts = (numbers[:middle], numbers[middle:])
        for worker, part in zip(self.workers, parts, strict=True):
            self.prepare(worker, len(part))
        even, odd = self.rows
        orbits: list[Array] = [np.zeros(0, np.int64)] * 2

        def expand(index: int) -> None:
            part, successors = parts[index], self.workers[index].successors
            expand_rows(even, odd, part, 0, len(part), *self.tables(self.workers[index]))
            orbits[index] = np.zeros(int(successors.size[0]), np.int64)
            self.name(successors.row, int(successors.size[0]), successors.hash, orbits[index])

        self._on_both(expand, len(numbers))
        for worker in self.workers:
            worker.found.row[:] += 2 * self.offsets[worker.found.row & 1]
            self.collect(worker.found, lambda _: self.depth)
        self.transitions += sum(map(self._transitions_of, self.workers))
        most = sum(len(sizes) for sizes in orbits)
        fresh = [new_fresh(most, len(self.initial)) for _ in self.following]
        self.seen = [enlarged(seen, most) for seen in self.seen]

        def enter(half: int) -> None:
            for worker, sizes in zip(self.workers, orbits, strict=True):
                enter_names(
                    self.earlier[half], self.seen[half], half, worker.successors, sizes, self.offsets, fresh[half]
                )

        self._on_both(enter, len(numbers))
        for half, found in enumerate(fresh):
            size = int(found.size[0])
            self.following[half].append(found.row[:size])
            self.origins[half].append(found.origin[:size])
            self.returns |= bool(found.returns[0])
            self.states += int(found.row[:size, 0].sum(dtype=np.int64))

    def _transitions_of(self, worker: Worker) -> int:
        """How many transitions the successors of a worker stand for."""
        parents = worker.successors.parent[: worker.successors.size[0]]
        return sum(int(sizes[parents[parents & 1 == half] >> 1].sum()) for half, sizes in enumerate(self.sizes))

    def _on_both(self, task: Callable[[int], None], rows: int) -> None:
        """Do task 0 and task 1, at the same time when there are rows enough."""
        if rows < FEW:
            task(0)
            task(1)
        else:
            list(self.pool.map(task, (0, 1)))

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        actions = [hit.action] if hit.action >= 0 else []
        number = hit.row
        for begins in reversed(self.begins[1 : hit.depth + 1]):
            place = begins[number & 1] + (number >> 1)
            number, action = self.origins[number & 1].read(place, place + 1, 2)[0].tolist()
            actions.append(action)
        return self.run_of(actions[::-1])
