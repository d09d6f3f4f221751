"""Breadth-first search that keeps one state of those that differ in the numbers of processes only (process symmetry).

A global state is told by its pasts and its packets' pasts where the model's states are functions of the past; then a
state renamed is the state of the renamed pasts, and its orbit is told by their names (`naming`). What the search relies
on is that the model treats all processes alike. That cannot be read off a model, so it is looked for: the first levels
are explored in full, and each must hold with every state all its renamings; when the search is over, random walks go
through all states; and throughout, calls that are renamings of each other must have answers that are. What is kept of
an orbit was really reached, from a parent that was: a counterexample needs no renaming.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np

from ..errors import UsageError
from .agreeing import first_disagreement, new_agreed
from .breadth_first import BreadthFirst
from .bundles import Array
from .compacted import Compacted
from .enabling import Missing
from .fingerprints import pairs_of
from .limits import Limits, Watch
from .naming import (
    PACKET_AND_PAST,
    SEMANTIC,
    STATE_AND_PAST,
    Names,
    Renamings,
    name_objects,
    name_orbit_of_each,
    name_rows_by_orbit,
)
from .random_walks import RandomWalks
from .space import StateSpace

TRIED = 5_000
"""States after which no further level is explored in full."""

WALKS = 300
"""Random walks through all states when the search is over."""

ALIKE = "--symmetry does not apply"
NUMBERS_MATTER = "process numbers matter to the model"
REASONS = {
    SEMANTIC: "the order of messages is semantic",
    STATE_AND_PAST: "two states of a process with one causal past differ, so that states are not told by their pasts",
    PACKET_AND_PAST: "two packets of one message to one process differ, so that states are not told by their pasts",
}


class InFull(BreadthFirst):
    """Explores all states of the first levels."""

    compare: Callable[[Missing], bool]

    def fill_in(self, missing: Missing) -> bool:
        """Compute the missing local steps, and hold them against those of renamed calls; False when interrupted."""
        return super().fill_in(missing) and self.compare(missing)


class Sample(RandomWalks):
    """Walks through all states at random."""

    walks = WALKS
    compare: Callable[[Missing], bool]

    def fill_in(self, missing: Missing) -> bool:
        """Compute the missing local steps, and hold them against those of renamed calls; False when interrupted."""
        return super().fill_in(missing) and self.compare(missing)


class Orbits(Compacted):
    """Explores one state of each orbit; `states` and `transitions` count what they stand for."""

    def __init__(self, *question: Any) -> None:
        super().__init__(*question)
        self.names = new_names(self.space)
        self.renamings = renamings_of(self.space)
        self.agreed = new_agreed()
        self._name_objects()

    def run(self) -> None:
        """Search to the end, the limits or the decision of every property; complete only when the checks are."""
        if len(set(self.space.locals.flags[self.initial[: self.space.processes]].tolist())) > 1:
            raise UsageError(f"{ALIKE}: {NUMBERS_MATTER}, whose initial states assert different facts")
        self._try_first_levels()
        super().run()
        if self.complete:
            self.complete = False
            self._walk()
            self.complete = True

    def name(self, rows: Array, count: int, hashes: Array, orbits: Array) -> None:
        """Write the names of the rows' orbits into `hashes`, and the sizes of the orbits."""
        images = np.zeros(self.names.past.shape[1], np.uint64)
        name_rows_by_orbit(rows, count, self.space.processes, self.space.locals, self.names, images, hashes, orbits)

    def fill_in(self, missing: Missing) -> bool:
        """Compute the missing local steps, and hold them against those of renamed calls; False when interrupted."""
        return super().fill_in(missing) and self.compare(missing)

    def compare(self, missing: Missing) -> bool:
        """Hold the local steps that were missing against those of renamed calls; UsageError where they differ."""
        self._name_objects()
        space = self.space
        call, images = np.zeros((2, len(self.renamings.process)), np.uint64)
        if first_disagreement(
            missing.pairs, int(missing.pair_count[0]), missing.locals, int(missing.local_count[0]), space.pasts,
            space.locals, space.packets, space.steps, space.known_steps, space.send_steps, space.choices, self.names,
            self.renamings, self.agreed, call, images,
        ):  # fmt: skip
            raise UsageError(f"{ALIKE}: {NUMBERS_MATTER}, which answers a renamed call differently")
        return True

    @property
    def orbits(self) -> int:
        """How many states were kept, one of each orbit."""
        return self.kept

    def objects_pairs(self) -> int:
        """Pairs of names of events, and of packets, under all renamings: a state is told by its objects' names."""
        return sum(pairs_of(int(size) * len(self.renamings.process)) for size in self.names.size[:3])

    def weights(self, bundle: str) -> Array:
        """For each local state or packet how many it stands for: the size of its orbit at the first of it that was
        reached, else 0."""
        self._name_objects()
        objects = getattr(self.space, bundle)
        size = int(objects.size[0])
        names = self.names.packet[:size] if bundle == "packets" else self.names.past[objects.past[:size]]
        hashes, orbits = np.zeros(size, np.uint64), np.zeros(size, np.int64)
        name_orbit_of_each(names, hashes, orbits)
        reached = np.flatnonzero(objects.reached[:size])
        first = reached[np.unique(hashes[reached], return_index=True)[1]]
        found = np.zeros(size, np.int64)
        found[first] = orbits[first]
        return found

    def _name_objects(self) -> None:
        space, names = self.space, self.names
        for array, needed in (
            (names.past, space.pasts.size), (names.model, space.pasts.size), (names.event, space.sends.size),
            (names.copies, space.sends.size), (names.packet, space.packets.size),
        ):  # fmt: skip
            if len(array) < needed[0]:
                array.resize((max(int(needed[0]), len(array) + len(array) // 2), *array.shape[1:]), refcheck=False)
        name_objects(space.per_process, self.renamings, space.pasts, space.sends, space.locals, space.packets, names)
        if names.error[0]:
            raise UsageError(f"{ALIKE}: {REASONS[int(names.error[0])]}")

    def _walk(self) -> None:
        """Raise UsageError where random walks meet calls that are answered otherwise than in the search."""
        walks = Sample(self.space, self.decoder, self.judge, self._own_watch(), [])
        walks.compare = self.compare
        walks.run()

    def _own_watch(self) -> Watch:
        return Watch(Limits(seconds=self.watch.limits.seconds), None)

    def _try_first_levels(self) -> None:
        """Raise UsageError unless each of the first levels is closed under renaming."""
        search = InFull(self.space, self.decoder, self.judge, self._own_watch(), [])
        search.compare = self.compare
        for level in search.levels():
            rows = np.concatenate(level)
            self._name_objects()
            hashes, orbits = np.zeros(len(rows), np.uint64), np.zeros(len(rows), np.int64)
            self.name(rows, len(rows), hashes, orbits)
            first = np.unique(hashes, return_index=True)[1]
            if orbits[first].sum() != len(rows):
                raise UsageError(
                    f"{ALIKE}: {NUMBERS_MATTER}, since of a state at depth {search.depth} not every renaming is there"
                )
            if search.states > TRIED:
                return


def renamings_of(space: StateSpace) -> Renamings:
    """All renamings, the identity first."""
    process = np.array(list(permutations(range(space.processes))), np.int64)
    dests = [[sum(1 << int(renaming[d - 1]) for d in dests) for renaming in process] for dests in space.sets]
    return Renamings(process, np.array(dests, np.uint64))


def new_names(space: StateSpace) -> Names:
    """Nothing is named yet."""
    renamings, room = len(list(permutations(range(space.processes)))), 256
    return Names(
        np.zeros((room, renamings), np.uint64), np.zeros((room, renamings), np.uint64),
        np.zeros((room, renamings), np.uint64), np.zeros(room, np.int32), np.zeros((room, space.processes), np.int32),
        np.zeros(4, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip
