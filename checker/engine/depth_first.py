"""Depth-first search: the newest state first, every state remembered. For bounds that do not fit it reaches whole runs
early; its counterexamples are not the shortest."""

from __future__ import annotations

import numpy as np

from ..result import Schedule
from .breadth_first import run_of
from .bundles import Array
from .expanding import FULL_ROWS, expand_depth_first
from .search import Hit, Search


class DepthFirst(Search):
    """Keeps all rows, so a run is read from the parents."""

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property."""
        self.rows = self.first_rows()
        self.depths = np.zeros(len(self.rows.row), np.int32)
        stack = np.zeros(max(1024, 2 * self.most_successors), np.int64)
        stack_size = np.ones(1, np.int64)
        while stack_size[0] > 0:
            self.rows = self.enlarge(self.rows)
            self.depths.resize(len(self.rows.row), refcheck=False)
            if stack_size[0] + self.most_successors > len(stack):
                stack.resize(2 * len(stack) + self.most_successors, refcheck=False)
            self.prepare(self.block)
            full = FULL_ROWS == expand_depth_first(
                stack, stack_size, self.depths, *self.tables(), self.rows, self.most_successors, self.progress,
                self._budget(),
            )  # fmt: skip
            self.transitions += int(self.progress[1])
            self.states = int(self.rows.size[0])
            self.depth = int(self.depths[: self.states].max())
            self.collect(lambda row: int(self.depths[row]))
            if self.missing.row_count[0] and not self.fill_in():
                return
            if self.decided:
                return
            if not full and self.watch.must_stop(self.states, self.transitions, int(stack_size[0]), self.depth):
                return
        self.complete = True

    def _budget(self) -> int:
        if self.watch.limits.states is None:
            return self.block
        return max(1, min(self.block, (self.watch.limits.states - self.states) // 4))

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        actions = [hit.action] if hit.action >= 0 else []
        number = hit.row
        while self.rows.parent[number] >= 0:
            actions.append(int(self.rows.action[number]))
            number = int(self.rows.parent[number])
        actions.reverse()
        return run_of(self, actions)
