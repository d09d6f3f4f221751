"""Breadth-first search, level by level, on two threads.

Where every step adds an event to the history, the number of steps to a state is a function of the state (design.md,
section 7): equal states meet within one level, and only the current level and the next are in memory. Of older levels
only each state's first parent and its action are kept, from which the run to a state is executed again. With signals,
buffers or faults all states are kept.

A level is kept in two halves by a bit of the rows' hashes. Two threads first expand one half of a block of rows each,
then enter the successors into one half of the next level each: nothing is shared while it is written, and the result
does not depend on which thread is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..result import Schedule
from .bundles import Array, Rows
from .cycles import find_lasso
from .entering import enter_half, half_of
from .expanding import expand_rows
from .search import Hit, Search, widened

FEW = 256
"""Below so many rows a second thread costs more than it saves."""


class BreadthFirst(Search):
    """Explores the levels in turn; counterexamples are shortest ones. Row 2 i + h of a level is row i of its half h.

    `level` and `following` are the halves being expanded and those being filled. Where the state graph is not graded
    they are the same: all rows stay, and the rows of the level are those from `begin` on.
    """

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        for _ in self.levels():
            pass

    def levels(self) -> Generator[list[Array], None, None]:
        """The rows of each level, in two halves, until the search is over or stopped."""
        self.parents: list[list[tuple[Array, Array]]] = []
        self.begin = [0, 0]
        self.workers = (self.new_worker(1), self.new_worker(1))
        self.level = [self.new_rows(0), self.new_rows(0)]
        self.level[self.first_half()] = self.first_rows()
        with ThreadPoolExecutor(2) as self.pool:
            while True:
                self._set_parents_aside()
                yield [half.row[begin : half.size[0]] for half, begin in zip(self.level, self.begin, strict=True)]
                if self.decided:
                    return
                numbers = self._numbers()
                ends = [int(half.size[0]) for half in self.level]
                if not self._expand(numbers):
                    return
                if self.space.graded:
                    self.level = self.following
                else:
                    self.begin = ends
                if size_of(self.level) == sum(self.begin):
                    self.complete = True
                    return
                self.depth += 1

    def first_half(self) -> int:
        """The half to which the initial state belongs."""
        return int(half_of(self.initial, self.space.system.head))

    def _numbers(self) -> Array:
        """The numbers of the rows of the level."""
        return np.concatenate(
            [
                2 * np.arange(begin, half.size[0], dtype=np.int32) + number
                for number, (half, begin) in enumerate(zip(self.level, self.begin, strict=True))
            ]
        )

    def _set_parents_aside(self) -> None:
        """Keep a graded level as it is while it is expanded: rows only."""
        if not self.space.graded:
            return
        nothing = np.zeros(0, np.int32)
        parents = []
        for number, half in enumerate(self.level):
            size = int(half.size[0])
            parents.append((half.parent[:size].copy(), half.action[:size].copy()))
            half.row.resize((size, half.row.shape[1]), refcheck=False)
            self.level[number] = half._replace(parent=nothing, action=nothing, table=np.zeros(0, np.uint64))
        self.parents.append(parents)

    def _expand(self, numbers: Array) -> bool:
        """Fill the next level; False when stopped."""
        if self.space.graded:
            self.following = [self.new_rows(int(half.size[0])) for half in self.level]
            before = self.states
        else:
            self.following = self.level
            before = 0
        place = 0
        while place < len(numbers):
            end = min(place + self.block_size(self.states), len(numbers))
            waiting = numbers[place:end]
            while len(waiting):
                self._expand_block(waiting)
                waiting = np.concatenate([w.missing.rows[: w.missing.row_count[0]] for w in self.workers])
                self.states = before + size_of(self.following)
                if len(waiting) and not all([self.fill_in(worker.missing) for worker in self.workers]):
                    return False
            place = end
            frontier = len(numbers) - place + self.states - before
            if self.watch.must_stop(self.states, self.transitions, frontier, self.depth) or self.decided:
                return False
        return True

    def widen(self, length: int) -> None:
        """Make all rows long enough for more packets in transit."""
        super().widen(length)
        length = len(self.initial)
        for halves in (self.level, self.following):
            for number, half in enumerate(halves):
                halves[number] = half._replace(row=widened(half.row, length))

    def _expand_block(self, numbers: Array) -> None:
        """Expand the rows with these numbers into the next level; those with missing local steps are left out."""
        middle = len(numbers) // 2
        parts = (numbers[:middle], numbers[middle:])
        for worker, part in zip(self.workers, parts, strict=True):
            self.prepare(worker, len(part))
        even, odd = self.level[0].row, self.level[1].row

        def expand(index: int) -> None:
            part = parts[index]
            expand_rows(even, odd, part, 0, len(part), *self.tables(self.workers[index]))

        self._on_both(expand, len(numbers))
        for worker in self.workers:
            self.collect(worker.found, lambda _: self.depth)
        successors = [worker.successors for worker in self.workers]
        total = sum(int(own.size[0]) for own in successors)
        self.transitions += total
        for number, half in enumerate(self.following):
            self.following[number] = self.enlarge(half, total)

        def enter(half: int) -> None:
            for own in successors:
                enter_half(self.following[half], half, own)

        self._on_both(enter, len(numbers))

    def _on_both(self, task: Callable[[int], None], rows: int) -> None:
        """Do task 0 and task 1, at the same time when there are rows enough."""
        if rows < FEW:
            task(0)
            task(1)
        else:
            list(self.pool.map(task, (0, 1)))

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        return self.run_of(self.actions_to(hit.row, hit.depth) + ([hit.action] if hit.action >= 0 else []))

    def actions_to(self, number: int, depth: int) -> list[int]:
        """The actions that lead to a row of the level at this depth."""
        actions: list[int] = []
        if depth == 0:
            return actions
        if self.space.graded:
            for halves in reversed(self.parents[1 : depth + 1]):
                parents, first_actions = halves[number & 1]
                actions.append(int(first_actions[number >> 1]))
                number = int(parents[number >> 1])
        else:
            while (parent := int(self.level[number & 1].parent[number >> 1])) >= 0:
                actions.append(int(self.level[number & 1].action[number >> 1]))
                number = parent
        return actions[::-1]

    def lasso(self) -> tuple[list[int], list[int]] | None:
        """The actions that lead to a fair cycle without delivery, and those of the cycle; None without one."""
        found = None if self.space.graded else find_lasso(self, self.level, split=True)
        return found and (self.actions_to(found.start, -1), found.actions)


def size_of(level: list[Rows]) -> int:
    """The number of rows in both halves."""
    return int(level[0].size[0] + level[1].size[0])
