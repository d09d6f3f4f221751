"""Breadth-first search, level by level, on two threads.

Every step adds an event to the history, so the number of steps to a state is a function of the state (design.md,
section 7): equal states meet within one level, and only the current level and the next are in memory. Of older levels
only each state's first parent and its action are kept, from which the run to a state is executed again.

A level is kept in two halves by a bit of the rows' hashes. Two threads first expand one half of a block of rows each,
then enter the successors into one half of the next level each: nothing is shared while it is written, and the result
does not depend on which thread is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..result import Schedule
from .bundles import Array, Rows
from .entering import enter_half
from .expanding import expand_rows
from .search import Hit, Search

Level = tuple[Rows, Rows]
FEW = 256
"""Below so many rows a second thread costs more than it saves."""


class BreadthFirst(Search):
    """Explores the levels in turn; counterexamples are shortest ones. Row 2 i + h of a level is row i of its half h."""

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        for _ in self.levels():
            pass

    def levels(self) -> Iterator[Level]:
        """Each level, until the search is over or stopped."""
        self.parents: list[list[tuple[Array, Array]]] = []
        self.workers = (self.new_worker(1), self.new_worker(1))
        first = self.first_rows()
        level = (first, self.new_rows(0))
        with ThreadPoolExecutor(2) as self.pool:
            while True:
                level = self._set_parents_aside(level)
                yield level
                if self.decided:
                    return
                following = self._expand(level)
                if following is None:
                    return
                if size_of(following) == 0:
                    self.complete = True
                    return
                self.depth += 1
                level = following

    def _set_parents_aside(self, level: Level) -> Level:
        """A level as it is kept while it is expanded: rows only."""
        nothing = np.zeros(0, np.int32)
        halves, parents = [], []
        for half in level:
            size = int(half.size[0])
            parents.append((half.parent[:size].copy(), half.action[:size].copy()))
            half.row.resize((size, half.row.shape[1]), refcheck=False)
            halves.append(half._replace(parent=nothing, action=nothing, table=np.zeros(0, np.uint64)))
        self.parents.append(parents)
        return halves[0], halves[1]

    def _expand(self, level: Level) -> Level | None:
        """The next level; None when stopped."""
        sizes = [int(half.size[0]) for half in level]
        numbers = np.concatenate([2 * np.arange(size, dtype=np.int32) + half for half, size in enumerate(sizes)])
        following = (self.new_rows(sizes[0]), self.new_rows(sizes[1]))
        before = self.states
        place = 0
        while place < len(numbers):
            end = min(place + self._block_size(), len(numbers))
            following = self._expand_block(level, numbers[place:end], following)
            waiting = [worker.missing.rows[: worker.missing.row_count[0]].copy() for worker in self.workers]
            self.states = before + size_of(following)
            if any(len(rows) for rows in waiting):
                if not all(self.fill_in(worker.missing) for worker in self.workers):
                    return None
                following = self._expand_block(level, np.concatenate(waiting), following)
            place = end
            self.states = before + size_of(following)
            frontier = len(numbers) - place + size_of(following)
            if self.watch.must_stop(self.states, self.transitions, frontier, self.depth) or self.decided:
                return None
        return following

    def _block_size(self) -> int:
        """Smaller blocks near the limit of states, so that it is not passed by much."""
        if self.watch.limits.states is None:
            return self.block
        return max(1, min(self.block, (self.watch.limits.states - self.states) // self.most_successors))

    def _expand_block(self, level: Level, numbers: Array, following: Level) -> Level:
        """Expand the rows with these numbers into the next level; those with missing local steps are left out."""
        middle = len(numbers) // 2
        parts = (numbers[:middle], numbers[middle:])
        for worker, part in zip(self.workers, parts, strict=True):
            self.prepare(worker, len(part))

        def expand(index: int) -> None:
            part = parts[index]
            expand_rows(level[0].row, level[1].row, part, 0, len(part), *self.tables(self.workers[index]))

        self._on_both(expand, len(numbers))
        for worker in self.workers:
            self.collect(worker.found, lambda _: self.depth)
        successors = [worker.successors for worker in self.workers]
        total = sum(int(own.size[0]) for own in successors)
        self.transitions += total
        following = self.enlarge(following[0], total), self.enlarge(following[1], total)

        def enter(half: int) -> None:
            for own in successors:
                enter_half(following[half], half, own)

        self._on_both(enter, len(numbers))
        return following

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
        for halves in reversed(self.parents[1 : hit.depth + 1]):
            parents, first_actions = halves[number & 1]
            actions.append(int(first_actions[number >> 1]))
            number = int(parents[number >> 1])
        actions.reverse()
        return self.run_of(actions)


def size_of(level: Level) -> int:
    """The number of rows of a level."""
    return int(level[0].size[0] + level[1].size[0])
