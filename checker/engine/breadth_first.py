"""Breadth-first search, level by level.

Every step adds an event to the history, so the number of steps to a state is a function of the state (design.md,
section 7): equal states meet within one level, and only the current level and the next are in memory. Of older levels
only each state's first parent and its action are kept, from which the run to a state is executed again.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..result import Schedule
from .bundles import Array, Rows
from .expanding import FULL_ROWS, expand_rows
from .search import Hit, Search


class BreadthFirst(Search):
    """Explores the levels in turn; counterexamples are shortest ones."""

    def levels(self) -> Iterator[Rows]:
        """Each level's rows, until the search is over or stopped."""
        self.parents: list[tuple[Array, Array]] = []
        level = self.first_rows()
        while True:
            level = self._only_rows(level)
            yield level
            if self.decided:
                return
            following = self._expand(level)
            if following is None:
                return
            if following.size[0] == 0:
                self.complete = True
                return
            self.depth += 1
            level = following

    def _only_rows(self, level: Rows) -> Rows:
        """A level as it is kept while it is expanded: without table, its parents set aside."""
        size = int(level.size[0])
        self.parents.append((level.parent[:size].copy(), level.action[:size].copy()))
        level.row.resize((size, level.row.shape[1]), refcheck=False)
        nothing = np.zeros(0, np.int32)
        return level._replace(parent=nothing, action=nothing, table=np.zeros(0, np.uint64))

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        for _ in self.levels():
            pass

    def _expand(self, level: Rows) -> Rows | None:
        """The next level; None when stopped."""
        size = int(level.size[0])
        following = self.new_rows(size + size // 2 + 2 * self.most_successors)
        before = self.states
        numbers = np.arange(size)
        place = 0
        while place < size:
            block = self._block_size()
            end = min(place + block, size)
            self.prepare(end - place)
            following = self._expand_numbers(level, numbers, place, end, following)
            self.transitions += int(self.progress[1])
            if self.missing.row_count[0]:
                if not self.fill_in():
                    self.states = before + int(following.size[0])
                    return None
                waiting = self.missing.rows[: self.missing.row_count[0]].copy()
                self.prepare(0)
                following = self._expand_numbers(level, waiting, 0, len(waiting), following)
                self.transitions += int(self.progress[1])
            self.collect(lambda _: self.depth)
            place = end
            self.states = before + int(following.size[0])
            frontier = size - place + int(following.size[0])
            if self.watch.must_stop(self.states, self.transitions, frontier, self.depth) or self.decided:
                return None
        return following

    def _block_size(self) -> int:
        """Smaller blocks near the limit of states, so that it is not passed by much."""
        if self.watch.limits.states is None:
            return self.block
        return max(1, min(self.block, (self.watch.limits.states - self.states) // 4))

    def _expand_numbers(self, level: Rows, numbers: Array, begin: int, end: int, following: Rows) -> Rows:
        done = begin
        while True:
            following = self.enlarge(following)
            transitions = int(self.progress[1])
            self.progress[:] = 0
            code = expand_rows(
                level.row, numbers, done, end, *self.tables(), following, self.most_successors, self.progress
            )
            done += int(self.progress[0])
            self.progress[1] += transitions
            if code != FULL_ROWS:
                return following

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        actions = [hit.action] if hit.action >= 0 else []
        number = hit.row
        for parents, first_actions in reversed(self.parents[1 : hit.depth + 1]):
            actions.append(int(first_actions[number]))
            number = int(parents[number])
        actions.reverse()
        return run_of(self, actions)


def run_of(search: Search, actions: list[int]) -> tuple[Schedule, Array, Array]:
    """The events of a run given by its actions, and the rows before and after its last event."""
    schedule, before = search.decoder.schedule(search.initial, actions[:-1])
    if not actions:
        return schedule, before, before
    event, after = search.decoder.follow(before, actions[-1])
    return (*schedule, event), before, after
