"""Compiled names of objects and rows: 64-bit hashes that do not depend on how processes are numbered, and some that do.

The name of a past, a send event or a packet under a renaming of the processes is a hash of what it is made of, renamed:
who sent, the number, the destinations, what was known, what was delivered. So two objects of which one is the other
renamed have the same names, in another order (design.md, section 7: content hashes instead of running numbers).
Names are taken for objects, with the probability of a mistake that `fingerprints` computes.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import Array
from .compiled import kernel
from .pasts import has_bit

SEMANTIC = 1
STATE_AND_PAST = 2
PACKET_AND_PAST = 3
"""Codes of `Names.error`: why a global state is not told by its pasts."""


class Renamings(NamedTuple):
    """All r = n! renamings of the processes, the identity first: process to process, and set to set as bits."""

    process: Array  # (r, n)
    dests: Array  # (number of destination sets, r)


class Names(NamedTuple):
    """The names of all objects under every renaming, how many are named, and the first error met.

    `model` and `copies` hold what was seen with each past, and with each event and destination: one model state and one
    packet, where a global state is told by its pasts."""

    past: Array  # (pasts, r)
    event: Array  # (events, r)
    packet: Array  # (packets, r)
    model: Array  # (pasts): the model state seen with it; -1 for none
    copies: Array  # (events, n): the packet of the event to each destination; 0 for none
    size: Array  # pasts, events, packets, local states
    error: Array


@kernel
def scramble(value):
    """A bijection of 64-bit numbers without any pattern (the finaliser of splitmix64)."""
    z = np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def join(name, value):
    """The name of a pair, in this order."""
    return scramble(scramble(name) + np.uint64(value))


@kernel
def name_event(event, renamings, pasts, sends, names):
    """Name a send event; its past has its names."""
    for renaming in range(len(renamings.process)):
        sender = renamings.process[renaming, sends.sender[event]]
        name = join(join(np.uint64(1), sender), sends.number[event])
        name = join(name, renamings.dests[sends.dests[event], renaming])
        names.event[event, renaming] = join(name, names.past[sends.past[event], renaming])


@kernel
def name_past(past, slots_per_process, renamings, pasts, names):
    """Name a past; the events in it have their names."""
    n = pasts.newest.shape[1]
    for renaming in range(len(renamings.process)):
        known = np.uint64(0)
        delivered = np.uint64(0)
        for process in range(n):
            if pasts.newest[past, process] > 0:
                known += names.event[pasts.newest[past, process], renaming]
            sender = join(np.uint64(2), renamings.process[renaming, process])
            for number in range(slots_per_process):
                if has_bit(pasts.own[past], process * slots_per_process + number):
                    delivered += join(sender, number + 1)
        owner = join(np.uint64(3), renamings.process[renaming, pasts.owner[past]])
        names.past[past, renaming] = join(join(owner, known), delivered)


@kernel
def name_objects(slots_per_process, renamings, pasts, sends, locals, packets, names):
    """Name all pasts, events and packets that are new; note where two states or packets have one past."""
    pasts_done, events_done = names.size[0], max(1, names.size[1])
    for past in range(pasts_done, pasts.size[0]):
        if pasts.timeline[past] != 0:
            names.error[0] = SEMANTIC
        for process in range(pasts.newest.shape[1]):
            while events_done <= pasts.newest[past, process]:
                name_event(events_done, renamings, pasts, sends, names)
                events_done += 1
        name_past(past, slots_per_process, renamings, pasts, names)
        names.model[past] = -1
    while events_done < sends.size[0]:
        name_event(events_done, renamings, pasts, sends, names)
        events_done += 1
    for packet in range(max(1, names.size[2]), packets.size[0]):
        event, to = packets.event[packet], packets.to[packet]
        if event == 0 or names.copies[event, to] != 0:
            names.error[0] = PACKET_AND_PAST
        names.copies[event, to] = packet
        for renaming in range(len(renamings.process)):
            target = join(np.uint64(4), renamings.process[renaming, to])
            names.packet[packet, renaming] = join(target, names.event[event, renaming])
    for local in range(names.size[3], locals.size[0]):
        past = locals.past[local]
        if names.model[past] >= 0 and names.model[past] != locals.model[local]:
            names.error[0] = STATE_AND_PAST
        names.model[past] = locals.model[local]
    names.size[0], names.size[1] = pasts.size[0], sends.size[0]
    names.size[2], names.size[3] = packets.size[0], locals.size[0]


@kernel
def name_orbit(images):
    """The name of what has these names under the renamings, whatever its numbering; and how many renamings change
    nothing. It is a sum over all names, not the least of them, so that it takes all 64-bit values alike."""
    total = np.uint64(0)
    same = 0
    for renaming in range(len(images)):
        total += scramble(images[renaming])
        same += images[renaming] == images[0]
    total = scramble(total)
    return (total if total != np.uint64(0) else np.uint64(1)), same


@kernel
def name_rows_by_orbit(rows, count, processes, locals, names, images, hashes, orbits):
    """The names of the orbits of rows, and how many states each orbit has. `images` is room for a name under each
    renaming."""
    renamings = len(images)
    for index in range(count):
        images[:] = 0
        for place in range(rows.shape[1]):
            item = rows[index, place]
            if place < processes:
                past = locals.past[item]
                for renaming in range(renamings):
                    images[renaming] += names.past[past, renaming]
            elif item == 0:
                break
            else:
                for renaming in range(renamings):
                    images[renaming] += names.packet[item, renaming]
        hashes[index], same = name_orbit(images)
        orbits[index] = renamings // same


@kernel
def name_rows(rows, count, head, hashes, orbits):
    """The names of rows as they are."""
    for index in range(count):
        name = np.uint64(5)
        for place in range(rows.shape[1]):
            item = rows[index, place]
            if place >= head and item == 0:
                break
            name = join(name, item)
        hashes[index] = name if name != np.uint64(0) else np.uint64(1)
        orbits[index] = 1


@kernel
def name_orbit_of_each(images, hashes, orbits):
    """The names and the sizes of the orbits of objects with these names."""
    for index in range(len(images)):
        hashes[index], same = name_orbit(images[index])
        orbits[index] = images.shape[1] // same
