"""The arrays of the histories engine: local states and packets filed by what they know of the sends of each process.

A *frontier* is an owner and the newest send event that it knows of each process, as pasts name them (`engine.weights`).
Whether two parts of a run are compatible depends on their frontiers alone. What knows all sends that the bound allows
can meet only what it knows, so nothing is filed under its frontier. Lists are linked: a head, and for each item
the next one; 0 ends a list, so local states are counted from 1 in them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..engine.bundles import Array, new_table

Script = tuple[tuple[frozenset[int], ...], ...]
"""For each process the destinations of its messages, in the order of their sends."""

COMPLETE = -1
"""What stands for the frontier of a local state that knows all sends that the bound allows."""

COMPARED = -2
"""The same, where another one stands for it and it is kept to be compared (`comparing.py`)."""


class Frontiers(NamedTuple):
    """Frontiers that leave room for a send. Entry 0 is "none"; entries 1 to n are those of the initial states."""

    owner: Array
    newest: Array  # (n): as in `Pasts`
    total: Array  # messages that it knows
    locals: Array  # its local states
    sent: Array  # (n): the packets to each process that were sent by local states with this frontier
    coexisting: Array  # cells: the frontiers of other processes that can coexist
    length: Array  # of that list
    hash: Array
    table: Array
    size: Array


class Cells(NamedTuple):
    """Lists whose items stand in several of them."""

    item: Array
    rest: Array
    size: Array


class LocalPlaces(NamedTuple):
    """One entry for each local state: its frontier (COMPLETE, or 0 if another one stands for it), that of the local
    state whose step led to it, the event received in that step (0 for none), the next local state of its frontier."""

    frontier: Array
    origin: Array
    received: Array
    rest: Array
    size: Array


class PacketPlaces(NamedTuple):
    """One entry for each packet: the next of the same frontier and destination, of the same event, and of those in
    `EventPlaces.late`."""

    rest_sent: Array
    rest_event: Array
    rest_late: Array
    size: Array


class EventPlaces(NamedTuple):
    """One entry for each send event: the one before it of the same sender; its packets. Of an event that stands for
    others: those (`alike` is the first, `rest_alike` the next); cells with the frontiers that know it, and how many;
    the packets of these events that were filed in a later round than it, the newest first."""

    previous: Array
    packets: Array
    alike: Array
    rest_alike: Array
    told: Array
    length: Array
    late: Array
    size: Array


class Buffer(NamedTuple):
    """Pairs of a local state and a packet that are to be completed."""

    pairs: Array
    size: Array


class Index(NamedTuple):
    """All of it together."""

    frontiers: Frontiers
    cells: Cells
    locals: LocalPlaces
    packets: PacketPlaces
    events: EventPlaces


def new_index(processes: int) -> Index:
    """An empty index."""
    room = 256

    def ints(*shape: int) -> Array:
        return np.zeros((room, *shape), np.int32)

    def size(start: int) -> Array:
        return np.array([start], np.int64)

    n = processes
    return Index(
        Frontiers(
            ints(), ints(n), ints(), ints(), ints(n), ints(), ints(), np.zeros(room, np.uint64), new_table(room),
            size(1),
        ),
        Cells(ints(), ints(), size(1)),
        LocalPlaces(ints(), ints(), ints(), ints(), size(0)),
        PacketPlaces(ints(), ints(), ints(), size(0)),
        EventPlaces(ints(), ints(), ints(), ints(), ints(), ints(), ints(), size(0)),
    )  # fmt: skip
