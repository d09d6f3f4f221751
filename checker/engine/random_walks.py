"""Random walks from the initial state, each to its end. That they find no violation is evidence, not proof."""

from __future__ import annotations

import numpy as np

from ..result import Schedule
from .bundles import Array
from .expanding import walk_at_random
from .search import Hit, Search, bits_in, widened

BUDGET = 256
"""Steps between two looks at the limits."""

LONGEST = 1000
"""Steps of one walk where a run need not end."""


class RandomWalks(Search):
    """Takes `walks` walks; `seed` selects them. States are not counted, since walks meet again unnoticed."""

    walks = 10_000
    seed = 0

    def run(self) -> None:
        """Walk until all walks are taken, a limit is reached or every property is decided."""
        longest = self.space.bounds.sends + self.space.most_packets + 1
        if not self.space.graded:
            longest = LONGEST
        self.path = np.zeros(longest, np.int64)
        self.length = np.zeros(1, np.int64)
        self.random = np.array([mixed(self.seed)], np.uint64)
        self.row = self.initial.copy()
        self.workers = (self.new_worker(1),)
        self.paths: dict[int, list[int]] = {}
        taken = 0
        while taken < self.walks and not self.decided:
            if self._walk_on():
                taken += 1
                self.depth = max(self.depth, int(self.length[0]))
                self.length[0] = 0
                self.row[:] = self.initial
            if self.watch.must_stop(0, self.transitions, 0, self.depth):
                return
        self.watch.reason = f"all {taken:,} random walks are taken: evidence, not proof"

    def _walk_on(self) -> bool:
        """Go on with the walk; whether it is over."""
        worker = self.workers[0]
        self.prepare(worker, 1)
        taken, found = int(self.length[0]), worker.found
        over = walk_at_random(self.row, self.path, self.length, self.random, *self.tables(worker), BUDGET)
        self.transitions += int(self.length[0]) - taken
        for bit in bits_in(int(found.mask[0])):
            if bit not in self.hits:
                self.hits[bit] = Hit(int(self.length[0]), 0, int(found.action[bit.bit_length() - 1]))
                self.paths[bit] = self.path[: self.length[0]].tolist()
        if worker.missing.row_count[0]:
            self.fill_in(worker.missing)
        return bool(over)

    def widen(self, length: int) -> None:
        """Make the row long enough for more packets in transit."""
        super().widen(length)
        self.row = widened(self.row, len(self.initial))

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        bit = next(bit for bit, own in self.hits.items() if own is hit)
        actions = self.paths.get(bit, []) + ([hit.action] if hit.action >= 0 else [])
        return self.run_of(actions)


def mixed(seed: int) -> int:
    """A generator state, never 0, that differs for every seed."""
    return (seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) % 2**64 or 1
