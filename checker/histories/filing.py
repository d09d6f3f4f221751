"""Compiled filing of new local states and packets, and of the frontiers that can coexist."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from ..engine.bundles import mix
from ..engine.compiled import kernel
from ..engine.weights import earlier_of
from .compatible import can_coexist
from .symmetry import is_compared, stands_for_orbit
from .tables import COMPARED, COMPLETE


@kernel
def add_cell(cells, heads, place, item):
    """Put an item in front of the list whose head is `heads[place]`."""
    new = cells.size[0]
    cells.item[new] = item
    cells.rest[new] = heads[place]
    heads[place] = new
    cells.size[0] = new + 1


@kernel
def find_frontier(frontiers, owner, newest):
    """The frontier of an owner that knows these newest events, or 0, and its hash."""
    hash = mix(np.uint64(9), owner)
    for event in newest:
        hash = mix(hash, event)
    mask = np.uint64(len(frontiers.table) - 1)
    place = hash & mask
    while frontiers.table[place] != 0:
        old = frontiers.table[place] - 1
        if frontiers.hash[old] == hash and frontiers.owner[old] == owner:
            same = True
            for process in range(len(newest)):
                same = same and frontiers.newest[old, process] == newest[process]
            if same:
                return old, hash
        place = (place + np.uint64(1)) & mask
    return 0, hash


@kernel
def add_frontier(frontiers, owner, newest, sent, hash):
    """A new frontier; `sent` counts the sends up to each event."""
    new = frontiers.size[0]
    frontiers.owner[new] = owner
    frontiers.total[new] = 0
    for process in range(len(newest)):
        frontiers.newest[new, process] = newest[process]
        frontiers.sent[new, process] = 0
        frontiers.total[new] += sent[newest[process]]
    frontiers.locals[new] = frontiers.coexisting[new] = frontiers.length[new] = 0
    mask = np.uint64(len(frontiers.table) - 1)
    place = hash & mask
    while frontiers.table[place] != 0:
        place = (place + np.uint64(1)) & mask
    frontiers.hash[new] = hash
    frontiers.table[place] = new + 1
    frontiers.size[0] = new + 1
    return new


@kernel
def add_if_coexisting(index, numbers, sent, new, other, most):
    """Note that two frontiers can coexist, if they can."""
    frontiers = index.frontiers
    if can_coexist(frontiers.owner, frontiers.newest, index.events.previous, numbers, sent, new, other, most):
        add_cell(index.cells, frontiers.coexisting, new, other)
        add_cell(index.cells, frontiers.coexisting, other, new)
        frontiers.length[new] += 1
        frontiers.length[other] += 1


@kernel
def add_coexisting(index, numbers, sent, new, cell, process, number, most):
    """Note which frontiers of a list of cells can coexist with a new one; only those that know fewer than `number`
    events of `process`."""
    while cell > 0:
        other = index.cells.item[cell]
        if numbers[index.frontiers.newest[other, process]] < number:
            add_if_coexisting(index, numbers, sent, new, other, most)
        cell = index.cells.rest[cell]


@kernel
def add_knowing(index, numbers, sent, new, event, most):
    """Note which of the frontiers that know an event can coexist with a new one."""
    cell = index.events.told[event]
    while cell > 0:
        add_if_coexisting(index, numbers, sent, new, index.cells.item[cell], most)
        cell = index.cells.rest[cell]


@kernel
def find_coexisting(index, numbers, sent, new, origin, received, sender, most):
    """Note which frontiers met so far can coexist with a new one, first met in a step from `origin` (0 for none), which
    was the receipt of the event `received` (0 for none) from a process that had the frontier `sender` just after it.

    What a process knows only grows. So those can that could coexist with `origin`, or, if that step was a send, that
    know of it. Or, the other way round: those that know what was received, or could coexist with `sender`. The fewer
    candidates are taken.
    """
    frontiers, events = index.frontiers, index.events
    owner = frontiers.owner[new]
    if origin == 0:
        for other in range(1, new):
            add_if_coexisting(index, numbers, sent, new, other, most)
    elif received > 0 and frontiers.length[sender] + events.length[received] < frontiers.length[origin]:
        before = numbers[received]
        add_coexisting(index, numbers, sent, new, frontiers.coexisting[sender], frontiers.owner[sender], before, most)
        add_knowing(index, numbers, sent, new, received, most)
    else:
        newest = frontiers.newest[new, owner]
        add_coexisting(index, numbers, sent, new, frontiers.coexisting[origin], owner, numbers[newest] + 1, most)
        if newest != frontiers.newest[origin, owner]:
            add_knowing(index, numbers, sent, new, newest, most)
    for event in frontiers.newest[new]:
        while event > 0:
            add_cell(index.cells, events.told, event, new)
            events.length[event] += 1
            event = events.previous[event]


@kernel
def sends_known(numbers, newest):
    """How many sends those are that have these as the newest of each process."""
    total = 0
    for event in newest:
        total += numbers[event]
    return total


@kernel
def frontier_with(frontiers, owner, newest, event):
    """The frontier of an owner that knows these newest events but for its own, which is `event`; 0 for none. The row
    behind the last frontier, for which there must be room, serves to write it down."""
    changed = frontiers.newest[frontiers.size[0]]
    for process in range(len(newest)):
        changed[process] = newest[process]
    changed[owner] = event
    frontier, _ = find_frontier(frontiers, owner, changed)
    return frontier


@kernel
def frontier_after(frontiers, pasts, sends, event):
    """The frontier of the sender just after a send."""
    return frontier_with(frontiers, sends.sender[event], pasts.newest[sends.past[event]], sends.known_as[event])


@kernel
def file_locals(index, begin, end, most_frontiers, pasts, sends, locals, symmetry):
    """File the local states begin to end - 1 under their frontiers, but for those that another stands for; comes back
    early where cells may not suffice or there are `most_frontiers`. Returns the first local state that is not done."""
    frontiers, cells, places = index.frontiers, index.cells, index.locals
    for local in range(begin, end):
        past = locals.past[local]
        if sends_known(sends.number, pasts.newest[past]) == symmetry.most_sends:
            if stands_for_orbit(symmetry, sends, pasts.owner[past], pasts.newest[past]):
                places.frontier[local] = COMPLETE
            elif is_compared(symmetry, pasts.owner[past], pasts.newest[past]):
                places.frontier[local] = COMPARED
            continue
        owner, newest = pasts.owner[past], pasts.newest[past]
        frontier, hash = find_frontier(frontiers, owner, newest)
        if frontier == 0:
            needed = 2 * frontiers.size[0] + symmetry.most_sends
            if cells.size[0] + needed > len(cells.item) or frontiers.size[0] >= most_frontiers:
                return local
            received = places.received[local]
            sender = frontier_after(frontiers, pasts, sends, received) if received > 0 else 0
            frontier = add_frontier(frontiers, owner, newest, sends.number, hash)
            find_coexisting(
                index, sends.number, sends.number, frontier, places.origin[local],
                sends.known_as[received] if sender > 0 else 0, sender, symmetry.most_sends - 1,
            )  # fmt: skip
        places.frontier[local] = frontier
        places.rest[local] = frontiers.locals[frontier]
        frontiers.locals[frontier] = local + 1
    return end


@kernel
def file_events(index, begin, end, pasts, sends):
    """File send events under those that stand for them."""
    events = index.events
    for event in range(begin, end):
        events.previous[event] = earlier_of(pasts, sends, event)
        kind = sends.known_as[event]
        events.rest_alike[event] = events.alike[kind]
        events.alike[kind] = event


@kernel
def file_packets(index, begin, end, first_event, pasts, sends, packets):
    """File the packets begin to end - 1 of messages under their events and the frontiers of their senders. Returns how
    many are late: filed after what stands for their events, which are the events before `first_event`."""
    frontiers, places, events = index.frontiers, index.packets, index.events
    late = 0
    for packet in range(begin, end):
        event = packets.event[packet]
        past = sends.past[event]
        frontier, _ = find_frontier(frontiers, pasts.owner[past], pasts.newest[past])
        to = packets.to[packet]
        places.rest_sent[packet] = frontiers.sent[frontier, to]
        frontiers.sent[frontier, to] = packet
        places.rest_event[packet] = events.packets[event]
        events.packets[event] = packet
        kind = sends.known_as[event]
        if kind < first_event:
            places.rest_late[packet] = events.late[kind]
            events.late[kind] = packet
            late += 1
    return late
