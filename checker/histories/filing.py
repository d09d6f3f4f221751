"""Compiled filing of new local states and packets, and of the frontiers that can coexist."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from ..engine.bundles import mix
from ..engine.compiled import kernel
from ..engine.weights import earlier_of
from .compatible import can_coexist
from .symmetry import stands_for_orbit


@kernel
def add_cell(cells, heads, place, item):
    """Put an item in front of the list whose head is `heads[place]`."""
    new = cells.size[0]
    cells.item[new] = item
    cells.rest[new] = heads[place]
    heads[place] = new
    cells.size[0] = new + 1


@kernel
def find_frontier(frontiers, pasts, past):
    """The frontier of a past, or 0, and its hash."""
    hash = mix(np.uint64(9), pasts.owner[past])
    for process in range(frontiers.newest.shape[1]):
        hash = mix(hash, pasts.newest[past, process])
    mask = np.uint64(len(frontiers.table) - 1)
    place = hash & mask
    while frontiers.table[place] != 0:
        old = frontiers.table[place] - 1
        if frontiers.hash[old] == hash and frontiers.owner[old] == pasts.owner[past]:
            same = True
            for process in range(frontiers.newest.shape[1]):
                same = same and frontiers.newest[old, process] == pasts.newest[past, process]
            if same:
                return old, hash
        place = (place + np.uint64(1)) & mask
    return 0, hash


@kernel
def add_frontier(frontiers, pasts, sends, past, hash):
    """A new frontier, that of this past."""
    new = frontiers.size[0]
    frontiers.owner[new] = pasts.owner[past]
    frontiers.total[new] = 0
    for process in range(frontiers.newest.shape[1]):
        frontiers.newest[new, process] = pasts.newest[past, process]
        frontiers.sent[new, process] = 0
        frontiers.total[new] += sends.number[pasts.newest[past, process]]
    frontiers.locals[new] = frontiers.coexisting[new] = 0
    mask = np.uint64(len(frontiers.table) - 1)
    place = hash & mask
    while frontiers.table[place] != 0:
        place = (place + np.uint64(1)) & mask
    frontiers.hash[new] = hash
    frontiers.table[place] = new + 1
    frontiers.size[0] = new + 1
    return new


@kernel
def put_among_knowing(index, pasts, sends, dest_bits, new):
    """Note that a frontier knows the events that it knows, where its owner is addressed."""
    frontiers = index.frontiers
    owner = np.uint64(frontiers.owner[new])
    for process in range(frontiers.newest.shape[1]):
        event = frontiers.newest[new, process]
        while event > 0:
            if (dest_bits[sends.dests[event]] >> owner) & np.uint64(1) != np.uint64(0):
                add_cell(index.cells, index.events.known, event, new)
            event = earlier_of(pasts, sends, event)


@kernel
def add_if_coexisting(index, pasts, sends, new, other, most):
    """Note that two frontiers can coexist, if they can."""
    if can_coexist(index.frontiers, pasts, sends, new, other, most):
        add_cell(index.cells, index.frontiers.coexisting, new, other)
        add_cell(index.cells, index.frontiers.coexisting, other, new)


@kernel
def find_coexisting(index, pasts, sends, new, origin, most):
    """Note which frontiers met so far can coexist with a new one, first met in a step from `origin` (0 for none).

    What a process knows only grows, so those can that could coexist with `origin`, or, if that step was a send, that
    know of it. None are looked for where no room is left for a send.
    """
    frontiers, cells = index.frontiers, index.cells
    if frontiers.total[new] > most:
        return
    owner = frontiers.owner[new]
    if origin == 0:
        for other in range(1, new):
            add_if_coexisting(index, pasts, sends, new, other, most)
    else:
        cell = frontiers.coexisting[origin]
        while cell > 0:
            add_if_coexisting(index, pasts, sends, new, cells.item[cell], most)
            cell = cells.rest[cell]
        newest = frontiers.newest[new, owner]
        if newest != frontiers.newest[origin, owner]:
            cell = index.events.told[newest]
            while cell > 0:
                add_if_coexisting(index, pasts, sends, new, cells.item[cell], most)
                cell = cells.rest[cell]
    for process in range(frontiers.newest.shape[1]):
        if process != owner:
            add_cell(cells, index.events.told, frontiers.newest[new, process], new)


@kernel
def is_stood_for(pasts, sends, past, symmetry):
    """Whether a past knows all sends that the bound allows and its frontier does not stand for its orbit."""
    total = 0
    for process in range(pasts.newest.shape[1]):
        total += sends.number[pasts.newest[past, process]]
    return total == symmetry.most_sends and not stands_for_orbit(symmetry, sends, pasts.owner[past], pasts.newest[past])


@kernel
def file_locals(index, begin, end, pasts, sends, locals, dest_bits, most, symmetry):
    """File the local states begin to end - 1 under their frontiers, but for those that another stands for; comes back
    early where cells may not suffice. Returns the first local state that is not done."""
    frontiers, cells, places = index.frontiers, index.cells, index.locals
    for local in range(begin, end):
        past = locals.past[local]
        frontier, hash = find_frontier(frontiers, pasts, past)
        if frontier == 0:
            needed = 2 * frontiers.size[0] + most + 2 + 2 * frontiers.newest.shape[1]
            if cells.size[0] + needed > len(cells.item):
                return local
            if is_stood_for(pasts, sends, past, symmetry):
                continue
            frontier = add_frontier(frontiers, pasts, sends, past, hash)
            put_among_knowing(index, pasts, sends, dest_bits, frontier)
            find_coexisting(index, pasts, sends, frontier, places.origin[local], most)
        places.frontier[local] = frontier
        places.rest[local] = frontiers.locals[frontier]
        frontiers.locals[frontier] = local + 1
    return end


@kernel
def file_events(index, begin, end, sends):
    """File send events under those that stand for them."""
    events = index.events
    for event in range(begin, end):
        kind = sends.known_as[event]
        events.rest_alike[event] = events.alike[kind]
        events.alike[kind] = event


@kernel
def file_packets(index, begin, end, pasts, sends, packets):
    """File the packets begin to end - 1 of messages under their events and the frontiers of their senders."""
    frontiers, places, events = index.frontiers, index.packets, index.events
    for packet in range(begin, end):
        event = packets.event[packet]
        frontier, _ = find_frontier(frontiers, pasts, sends.past[event])
        to = packets.to[packet]
        places.rest_sent[packet] = frontiers.sent[frontier, to]
        frontiers.sent[frontier, to] = packet
        places.rest_event[packet] = events.packets[event]
        events.packets[event] = packet
