"""Depth-first search: the newest state first, every state remembered. For bounds that do not fit it reaches whole runs
early; its counterexamples are not the shortest."""

from __future__ import annotations

import numpy as np

from ..result import Schedule
from .bundles import Array
from .cycles import find_lasso
from .entering import expand_depth_first
from .search import Hit, Search, widened

BLOCK = 256
"""Rows that are expanded before limits are looked at."""


class DepthFirst(Search):
    """Keeps all rows, so a run is read from the parents."""

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        self.workers = (self.new_worker(1),)
        self.rows = self.first_rows()
        self.depths = np.zeros(0, np.int32)
        stack = np.zeros(1, np.int64)
        stack_size = np.ones(1, np.int64)
        done = np.zeros(3, np.int64)
        while stack_size[0] > 0:
            budget = self._budget()
            room = budget * self.most_successors
            worker = self.workers[0]
            self.prepare(worker, 1)
            self.rows = self.enlarge(self.rows, room)
            self.depths.resize(len(self.rows.row), refcheck=False)
            if len(stack) < stack_size[0] + room:
                stack.resize(2 * int(stack_size[0] + room), refcheck=False)
            done[:2] = 0
            expand_depth_first(stack, stack_size, self.depths, *self.tables(worker), self.rows, budget, done)
            self.transitions += int(done[1])
            self.states = int(self.rows.size[0])
            self.depth = int(done[2])
            self.collect(worker.found, lambda row: int(self.depths[row]))
            if worker.missing.row_count[0] and not self.fill_in(worker.missing):
                return
            if self.decided:
                return
            if self.watch.must_stop(self.states, self.transitions, int(stack_size[0]), self.depth):
                return
        self.complete = True

    def widen(self, length: int) -> None:
        """Make all rows long enough for more packets in transit."""
        super().widen(length)
        self.rows = self.rows._replace(row=widened(self.rows.row, len(self.initial)))

    def _budget(self) -> int:
        if self.watch.limits.states is None:
            return BLOCK
        return max(1, min(BLOCK, (self.watch.limits.states - self.states) // self.most_successors))

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        return self.run_of(self._actions_to(hit.row) + ([hit.action] if hit.action >= 0 else []))

    def _actions_to(self, number: int) -> list[int]:
        actions = []
        while self.rows.parent[number] >= 0:
            actions.append(int(self.rows.action[number]))
            number = int(self.rows.parent[number])
        return actions[::-1]

    def lasso(self) -> tuple[list[int], list[int]] | None:
        """The actions that lead to a fair cycle without delivery, and those of the cycle; None without one."""
        if self.space.graded:
            return None
        found = find_lasso(self, [self.rows, self.new_rows(0)], split=False)
        return found and (self._actions_to(found.start >> 1), found.actions)
