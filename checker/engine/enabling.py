"""Compiled questions about one global state: which local steps are known, which packets may be received, what a script
allows."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import Array, pair_key, place_of
from .compiled import kernel

UNORDERED = 0
FIFO = 1
FIFO_DELIVERY = 2


class Script(NamedTuple):
    """A scripted scenario as masks; `on` is empty when there is none.

    `choice` (n, s): the destination set of each process's sends, -1 beyond its last; `after` (n, s, w): what the sender
    must have delivered before; `arrived` (n, slots, w): what must have arrived at a process before it may receive a
    message.
    """

    on: Array
    choice: Array
    after: Array
    arrived: Array


class Missing(NamedTuple):
    """Local steps that a kernel needed and that are not known yet, some of them several times: (local state, packet)
    pairs, local states whose sends are not known; and the rows that wait for them."""

    pairs: Array
    pair_count: Array
    locals: Array
    local_count: Array
    rows: Array
    row_count: Array


@kernel
def look_up_receives(row, count, processes, packets, known_steps, missing, status):
    """Find the local step of each packet in transit; list what is not known. Returns whether all are known."""
    complete = True
    for index in range(count):
        packet = row[processes + index]
        local = row[packets.to[packet]]
        place = place_of(known_steps.keys, pair_key(local, packet))
        if known_steps.keys[place] == np.uint64(0):
            missing.pairs[missing.pair_count[0], 0] = local
            missing.pairs[missing.pair_count[0], 1] = packet
            missing.pair_count[0] += 1
            complete = False
        else:
            status[index] = known_steps.values[place]
    return complete


@kernel
def look_up_sends(row, processes, most_sends, most_sends_each, locals, missing):
    """Whether the send steps are known of all processes that may send (if not, they are listed), and whether the bound
    allows another send."""
    total = 0
    for process in range(processes):
        total += locals.sent[row[process]]
    if total >= most_sends:
        return True, False
    complete = True
    for process in range(processes):
        local = row[process]
        if locals.sent[local] < most_sends_each and locals.sends[local] < 0:
            missing.locals[missing.local_count[0]] = local
            missing.local_count[0] += 1
            complete = False
    return complete, True


@kernel
def select_receives(row, count, processes, channel, packets, status, allowed):
    """Which packets the channel lets through (design.md, section 5); returns how many."""
    total = 0
    for index in range(count):
        packet = row[processes + index]
        ok = status[index] >= 0
        if ok and channel != UNORDERED:
            for other in range(count):
                older = row[processes + other]
                if (
                    packets.channel[older] == packets.channel[packet]
                    and packets.position[older] < packets.position[packet]
                    and (channel == FIFO_DELIVERY or status[other] >= 0)
                ):
                    ok = False
                    break
        allowed[index] = ok
        total += ok
    return total


@kernel
def has_arrived(row, count, processes, index, script, pasts, locals, packets, allowed):
    """Whether the scripted arrivals before this packet's have happened: delivered, or here and not receivable now."""
    packet = row[processes + index]
    to = packets.to[packet]
    first = script.arrived[to, packets.slot[packet]]
    past = locals.past[row[to]]
    for word in range(len(first)):
        wanted = first[word] & ~pasts.own[past, word]
        for other in range(count):
            candidate = row[processes + other]
            slot = packets.slot[candidate]
            if packets.to[candidate] == to and not allowed[other] and slot >> 6 == word:
                wanted &= ~(np.uint64(1) << np.uint64(slot & 63))
        if wanted != np.uint64(0):
            return False
    return True
