"""Compiled enumeration of compatible pairs of a local state and a packet, each once; the cost follows their number.

A packet that a process can receive carries a message that it knows of, or does not. If it does, the message's past lies
in its own; usually it was met first with the packet, but with light pasts, and where a past has several states, the
packet may be late. If not, the frontiers of receiver and sender can coexist just before the send.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..engine.compiled import kernel
from ..engine.pasts import has_bit
from ..engine.weights import FULL
from .compatible import is_within
from .filing import find_frontier
from .symmetry import is_left_out


@kernel
def add_pair(buffer, local, packet):
    """Keep a pair; what does not fit is only counted."""
    size = buffer.size[0]
    if size < len(buffer.pairs):
        buffer.pairs[size, 0] = local
        buffer.pairs[size, 1] = packet
    buffer.size[0] = size + 1


@kernel
def add_known(index, buffer, local, pasts, sends, locals, packets, dest_bits, per_process):
    """The packets of messages that a local state knows and has not delivered."""
    past = locals.past[local]
    owner = pasts.owner[past]
    events = index.events
    for process in range(pasts.newest.shape[1]):
        kind = pasts.newest[past, process]
        while kind > 0:
            addressed = (dest_bits[sends.dests[kind]] >> owner) & 1 != 0
            if addressed and not has_bit(pasts.own[past], process * per_process + sends.number[kind] - 1):
                event = events.alike[kind]
                while event > 0:
                    if sends.weight[0] == FULL or is_within(
                        events.previous, sends.number, pasts.newest, sends.past[event], past
                    ):
                        packet = events.packets[event]
                        while packet > 0:
                            if packets.to[packet] == owner:
                                add_pair(buffer, local, packet)
                            packet = index.packets.rest_event[packet]
                    event = events.rest_alike[event]
            kind = events.previous[kind]


@kernel
def add_late(index, buffer, local, first, pasts, sends, locals, packets):
    """Of the packets of messages that a local state knows and has not delivered, those from `first` on."""
    past = locals.past[local]
    owner = pasts.owner[past]
    events = index.events
    for process in range(pasts.newest.shape[1]):
        kind = pasts.newest[past, process]
        while kind > 0:
            packet = events.late[kind]
            while packet >= first:
                if (
                    packets.to[packet] == owner
                    and not has_bit(pasts.own[past], packets.slot[packet])
                    and is_within(events.previous, sends.number, pasts.newest, sends.past[packets.event[packet]], past)
                ):
                    add_pair(buffer, local, packet)
                packet = index.packets.rest_late[packet]
            kind = events.previous[kind]


@kernel
def add_unknown(index, buffer, local, owner, sends, packets, symmetry, room):
    """The packets of messages that a local state does not know, from processes whose frontiers can coexist with its."""
    frontier = index.locals.frontier[local]
    cell = index.frontiers.coexisting[frontier]
    while cell > 0:
        other = index.cells.item[cell]
        packet = index.frontiers.sent[other, owner]
        while packet > 0:
            if not is_left_out(symmetry, index.frontiers, frontier, other, packets.event[packet], sends, room):
                add_pair(buffer, local, packet)
            packet = index.packets.rest_sent[packet]
        cell = index.cells.rest[cell]


@kernel
def pair_locals(index, buffer, begin, end, pasts, sends, locals, packets, dest_bits, per_process, symmetry, room):
    """Pair the local states begin to end - 1 with all packets that are filed. Returns the first that is not done, whose
    pairs may not fit."""
    for local in range(begin, end):
        frontier = index.locals.frontier[local]
        if frontier == 0:
            continue
        size = buffer.size[0]
        add_known(index, buffer, local, pasts, sends, locals, packets, dest_bits, per_process)
        if frontier > 0:
            add_unknown(index, buffer, local, pasts.owner[locals.past[local]], sends, packets, symmetry, room)
        if buffer.size[0] > len(buffer.pairs):
            buffer.size[0] = size
            return local
    return end


@kernel
def pair_late(index, buffer, begin, end, first, pasts, sends, locals, packets):
    """Pair the local states begin to end - 1 with the packets from `first` on of messages that they know. Returns as
    `pair_locals`."""
    for local in range(begin, end):
        if index.locals.frontier[local] == 0:
            continue
        size = buffer.size[0]
        add_late(index, buffer, local, first, pasts, sends, locals, packets)
        if buffer.size[0] > len(buffer.pairs):
            buffer.size[0] = size
            return local
    return end


@kernel
def add_older(index, buffer, frontier, before, packet):
    """Pair a packet with the local states of a frontier that are older than `before`."""
    local = index.frontiers.locals[frontier]
    while local > 0:
        if local - 1 < before:
            add_pair(buffer, local - 1, packet)
        local = index.locals.rest[local - 1]


@kernel
def pair_packets(index, buffer, begin, end, before, pasts, sends, packets, symmetry, room):
    """Pair the packets begin to end - 1 with the local states filed before local state `before` that do not know their
    messages. Returns the first that is not done, whose pairs may not fit."""
    frontiers = index.frontiers
    for packet in range(begin, end):
        size = buffer.size[0]
        event = packets.event[packet]
        to = packets.to[packet]
        if sends.sender[event] == to:
            continue
        past = sends.past[event]
        from_here, _ = find_frontier(frontiers, pasts.owner[past], pasts.newest[past])
        cell = frontiers.coexisting[from_here]
        while cell > 0:
            frontier = index.cells.item[cell]
            if frontiers.owner[frontier] == to and not is_left_out(
                symmetry, frontiers, frontier, from_here, event, sends, room
            ):
                add_older(index, buffer, frontier, before, packet)
            cell = index.cells.rest[cell]
        if buffer.size[0] > len(buffer.pairs):
            buffer.size[0] = size
            return packet
    return end
