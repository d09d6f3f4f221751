"""Compiled filing of parts and parcels by frontier, and the pairs of them that can meet, each once.

A parcel is never known before it is filed, since its transmission is an event with all that was known before. So a new
parcel meets those older parts that do not know its transmission.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..engine.compiled import kernel
from .compatible import sends_together
from .filing import add_frontier, find_coexisting, find_frontier, frontier_with
from .pairing import add_pair
from .protocol_steps import has_received


@kernel
def frontier_after(net, event):
    """The frontier of a process just after a transmission."""
    events = net.events
    newest = net.knowledge.newest[events.before[event]]
    return frontier_with(net.frontiers, events.sender[event], newest, event)


@kernel
def frontier_of(net, known, origin, received, most_sends):
    """The frontier of what is known, filed if need be; -1 where cells may not suffice."""
    frontiers, events = net.frontiers, net.events
    owner, newest = net.knowledge.owner[known], net.knowledge.newest[known]
    frontier, hash = find_frontier(frontiers, owner, newest)
    if frontier > 0:
        return frontier
    needed = 2 * frontiers.size[0]
    for event in newest:
        needed += events.number[event]
    if net.cells.size[0] + needed > len(net.cells.item):
        return -1
    sender = frontier_after(net, received) if received > 0 else 0
    frontier = add_frontier(frontiers, owner, newest, events.sent, hash)
    if frontiers.total[frontier] <= most_sends:
        find_coexisting(net, events.number, events.sent, frontier, origin, received, sender, most_sends)
    return frontier


@kernel
def file_transmissions(net, begin, end, most_frontiers, most_sends):
    """File what was known before the transmissions begin to end - 1. Returns the first that is not done: cells may not
    suffice, or there are `most_frontiers`. Frontiers can coexist that know at most `most_sends` together."""
    events = net.events
    for event in range(begin, end):
        if net.frontiers.size[0] >= most_frontiers:
            return event
        frontier = frontier_of(net, events.before[event], events.origin[event], events.received[event], most_sends)
        if frontier < 0:
            return event
        events.frontier[event] = frontier
    return end


@kernel
def file_parts(net, begin, end, most_frontiers, most_sends):
    """File the parts begin to end - 1 under their frontiers. Returns as `file_transmissions`."""
    parts = net.parts
    for part in range(begin, end):
        if net.frontiers.size[0] >= most_frontiers:
            return part
        frontier = frontier_of(net, parts.knowledge[part], parts.origin[part], parts.received[part], most_sends)
        if frontier < 0:
            return part
        parts.frontier[part] = frontier
        parts.rest[part] = net.frontiers.locals[frontier]
        net.frontiers.locals[frontier] = part + 1
    return end


@kernel
def file_parcels(net, begin, end):
    """File the parcels begin to end - 1 under the frontiers before their transmissions."""
    parcels = net.parcels
    for parcel in range(begin, end):
        frontier = net.events.frontier[parcels.transmission[parcel]]
        to = parcels.to[parcel]
        parcels.rest_sent[parcel] = net.frontiers.sent[frontier, to]
        net.frontiers.sent[frontier, to] = parcel


@kernel
def leaves_room(net, frontier, event, most_sends):
    """Whether a transmission that a frontier does not know may happen beside it: one that is a send needs room."""
    if net.events.is_send[event] == 0:
        return True
    frontiers = net.frontiers
    before = net.events.frontier[event]
    return sends_together(frontiers.newest, net.events.sent, frontier, before) < most_sends


@kernel
def add_known(net, buffer, part):
    """The parcels of transmissions that a part knows, to its process and not received."""
    knowledge, parcels = net.knowledge, net.parcels
    known = net.parts.knowledge[part]
    for process in range(knowledge.newest.shape[1]):
        event = knowledge.newest[known, process]
        while event > 0:
            parcel = net.events.first[event]
            while parcel > 0 and parcel < parcels.size[0] and parcels.transmission[parcel] == event:
                if parcels.to[parcel] == knowledge.owner[known] and not has_received(
                    net.received, knowledge.received[known], parcel
                ):
                    add_pair(buffer, part, parcel)
                parcel += 1
            event = net.events.previous[event]


@kernel
def pair_parts(net, buffer, begin, end, most_sends):
    """Pair the parts begin to end - 1 with all parcels that are filed. Returns the first that is not done, whose pairs
    may not fit."""
    for part in range(begin, end):
        size = buffer.size[0]
        add_known(net, buffer, part)
        frontier = net.parts.frontier[part]
        owner = net.frontiers.owner[frontier]
        cell = net.frontiers.coexisting[frontier]
        while cell > 0:
            parcel = net.frontiers.sent[net.cells.item[cell], owner]
            while parcel > 0:
                if leaves_room(net, frontier, net.parcels.transmission[parcel], most_sends):
                    add_pair(buffer, part, parcel)
                parcel = net.parcels.rest_sent[parcel]
            cell = net.cells.rest[cell]
        if buffer.size[0] > len(buffer.pairs):
            buffer.size[0] = size
            return part
    return end


@kernel
def pair_parcels(net, buffer, begin, end, before, most_sends):
    """Pair the parcels begin to end - 1 with the parts filed before part `before`. Returns as `pair_parts`."""
    frontiers = net.frontiers
    for parcel in range(begin, end):
        size = buffer.size[0]
        event = net.parcels.transmission[parcel]
        cell = frontiers.coexisting[net.events.frontier[event]]
        while cell > 0:
            frontier = net.cells.item[cell]
            if frontiers.owner[frontier] == net.parcels.to[parcel] and leaves_room(net, frontier, event, most_sends):
                part = frontiers.locals[frontier]
                while part > 0:
                    if part - 1 < before:
                        add_pair(buffer, part - 1, parcel)
                    part = net.parts.rest[part - 1]
            cell = net.cells.rest[cell]
        if buffer.size[0] > len(buffer.pairs):
            buffer.size[0] = size
            return parcel
    return end
