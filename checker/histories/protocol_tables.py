"""The arrays of the closure for models with packets of their own: what a process knows of what was transmitted.

Here the events are *transmissions*: every step that sends a message or transmits a packet, whatever it carries. What a
process *knows* are the newest transmission of each process and the packets that it has received; a *part* is a local
state of the engine with what its process knows, a *parcel* a packet of the engine with the transmission that it is of.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..engine.bundles import Array, Held, new_table
from .tables import Cells, Frontiers


class Knowledge(NamedTuple):
    """What a process knows."""

    owner: Array
    newest: Array  # (n): newest transmission of each process, 0 for none
    received: Array  # the parcels received, as a list of `Net.received`
    hash: Array
    table: Array
    size: Array


class Transmissions(NamedTuple):
    """Steps that transmit: one local step of the engine, with what was known before. Transmission 0 is "none"."""

    before: Array  # what was known, the packet received in the same step included
    step: Array
    sender: Array
    number: Array  # its place among those of its process, from 1
    sent: Array  # how many messages its process has sent, up to here
    is_send: Array
    previous: Array  # that of the same process before it
    origin: Array  # the frontier of a part that takes the step
    received: Array  # the transmission that it receives in the step, 0 for none
    frontier: Array  # that of what was known before
    first: Array  # its first parcel, 0 for none
    told: Array  # cells: the frontiers that know it
    length: Array  # of that list
    hash: Array
    table: Array
    size: Array


class Parts(NamedTuple):
    """Local states of the engine with what their processes know; where they come from as in `Transmissions`, and the
    next part of the same frontier."""

    state: Array
    knowledge: Array
    frontier: Array
    origin: Array
    received: Array
    rest: Array
    hash: Array
    table: Array
    size: Array


class Parcels(NamedTuple):
    """Packets of the engine with their transmissions; those of one stand together. Parcel 0 is "none"."""

    packet: Array
    transmission: Array
    to: Array
    rest_sent: Array  # the next of the same frontier and destination
    size: Array


class Net(NamedTuple):
    """All of it together. The last three (of one entry) tell that a process takes the same transmitting step twice in a
    run; that a send transmits no packet to one of the destinations; that steps transmit which are no sends."""

    knowledge: Knowledge
    events: Transmissions
    parts: Parts
    parcels: Parcels
    received: Held
    frontiers: Frontiers
    cells: Cells
    endless: Array
    passes_on: Array
    has_others: Array


def new_net(processes: int) -> Net:
    """Nothing but the entries that stand for "none"."""
    room = 256

    def ints(*shape: int) -> Array:
        return np.zeros((room, *shape), np.int32)

    def hashes() -> Array:
        return np.zeros(room, np.uint64)

    def table() -> Array:
        return new_table(room)

    def size(start: int) -> Array:
        return np.array([start], np.int64)

    n = processes
    return Net(
        Knowledge(ints(), ints(n), ints(), hashes(), table(), size(0)),
        Transmissions(
            ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(),
            hashes(), table(), size(1),
        ),
        Parts(ints(), ints(), ints(), ints(), ints(), ints(), hashes(), table(), size(0)),
        Parcels(ints(), ints(), ints(), ints(), size(1)),
        Held(ints(), ints(), hashes(), table(), size(1)),
        Frontiers(ints(), ints(n), ints(), ints(), ints(n), ints(), ints(), hashes(), table(), size(1)),
        Cells(ints(), ints(), size(1)),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )  # fmt: skip
