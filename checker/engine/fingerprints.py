"""Compiled deduplication by fingerprints: of what was met only 64-bit names are kept.

Two states with one name are taken for one, so a state may be left out; `omission_probability` says how likely.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import FULL, Array, new_table
from .compiled import kernel


class Seen(NamedTuple):
    """A set of names (never 0), by open addressing."""

    names: Array
    size: Array


class Fresh(NamedTuple):
    """Rows that were met for the first time: each with the size of its orbit in front; its parent and the action; and
    whether a step led to a row of this or an earlier level."""

    row: Array
    origin: Array
    size: Array
    returns: Array


def new_seen(capacity: int) -> Seen:
    """An empty set with room for so many names."""
    return Seen(new_table(capacity, np.uint64), np.zeros(1, np.int64))


def new_fresh(rows: int, width: int) -> Fresh:
    """Room for so many rows."""
    size, returns = np.zeros(1, np.int64), np.zeros(1, np.bool_)
    return Fresh(np.zeros((rows, width + 1), np.int32), np.zeros((rows, 2), np.int32), size, returns)


def joined(seen: Seen, more: Seen) -> Seen:
    """The names of both sets, which have none in common."""
    seen = enlarged(seen, int(more.size[0]))
    refill_names(seen.names, more.names)
    seen.size[0] += more.size[0]
    return seen


def enlarged(seen: Seen, extra: int) -> Seen:
    """The set with room for `extra` more names."""
    needed = int(seen.size[0]) + extra
    if needed <= len(seen.names) * FULL:
        return seen
    names = new_table(needed, np.uint64)
    refill_names(names, seen.names)
    return Seen(names, seen.size)


def omission_probability(pairs: int) -> float:
    """At most how likely it is that among so many pairs of different objects two have the same 64-bit name.

    Names are taken for random numbers; the probabilities of all pairs are added up.
    """
    return min(1.0, pairs / 2**64)


def pairs_of(count: int) -> int:
    """The number of pairs among so many."""
    return count * (count - 1) // 2


@kernel
def place_of_name(names, name):
    """Where a name is, or the free place where it belongs."""
    mask = np.uint64(len(names) - 1)
    place = name & mask
    while names[place] != np.uint64(0) and names[place] != name:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def refill_names(names, old):
    """Enter all names of another table."""
    for index in range(len(old)):
        if old[index] != np.uint64(0):
            names[place_of_name(names, old[index])] = old[index]


@kernel
def enter_names(earlier, seen, half, successors, orbits, offsets, fresh):
    """Put those successors into `fresh` whose names begin with the bit `half` and are neither in `earlier` nor in
    `seen`, the names of the level being filled. Their parents are numbered within a block: row i of half h is row
    `offsets[h]` + i of that half of the level."""
    for index in range(successors.size[0]):
        name = successors.hash[index]
        if name >> np.uint64(63) != np.uint64(half):
            continue
        place = place_of_name(seen.names, name)
        if seen.names[place] != np.uint64(0):
            continue
        if earlier.size[0] > 0 and earlier.names[place_of_name(earlier.names, name)] != np.uint64(0):
            fresh.returns[0] = True
            continue
        seen.names[place] = name
        seen.size[0] += 1
        new = fresh.size[0]
        fresh.row[new, 0] = orbits[index]
        for item in range(successors.row.shape[1]):
            fresh.row[new, item + 1] = successors.row[index, item]
        parent = successors.parent[index]
        fresh.origin[new, 0] = parent + 2 * offsets[parent & 1]
        fresh.origin[new, 1] = successors.action[index]
        fresh.size[0] = new + 1
