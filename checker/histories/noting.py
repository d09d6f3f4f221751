"""Compiled noting of what completed steps led to: where new local states come from, and the violations met.

A violation is noted with its *cost*: with full pasts the length of the shortest run that shows it, since that makes
exactly the events of the past (each a step of its own, unless own copies are taken at the send or there are internal
events); with lighter ones only the number of messages sent. Of each property bit the cheapest
are kept.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..engine.bundles import Array
from ..engine.compiled import inlined, kernel
from ..engine.completing import WAITS_NEEDLESSLY
from ..engine.local_verdicts import NEEDLESS_DELAY
from ..engine.weights import FULL

BITS = 31
KEPT = 64
"""Candidates of each bit."""

SENT = -1
BY_ITSELF = -2
"""What stands in a candidate for the packet where the local step is a send or an internal one."""


class Noted(NamedTuple):
    """Per property bit: how many violating steps were met; the cheapest of them, with their cost, local state, packet
    (or SENT, BY_ITSELF), and the local state after the step (-1: the packet is held back)."""

    met: Array
    kept: Array
    cost: Array  # (KEPT)
    local: Array
    packet: Array
    after: Array


def new_noted() -> Noted:
    """Nothing noted."""

    def ints() -> Array:
        return np.zeros((BITS, KEPT), np.int32)

    return Noted(np.zeros(BITS, np.int64), np.zeros(BITS, np.int64), ints(), ints(), ints(), ints())


@kernel
def ones(word):
    """How many bits of a word are set."""
    count = 0
    while word != np.uint64(0):
        word &= word - np.uint64(1)
        count += 1
    return count


@kernel
def own_deliveries(pasts, past):
    """How many messages are delivered at the owner of a past."""
    count = 0
    for word in range(pasts.own.shape[1]):
        count += ones(pasts.own[past, word])
    return count


@kernel
def newest_together(pasts, sends, packets, past, packet, process):
    """The newest send of a process that a past or a packet (0 for none) knows."""
    mine = pasts.newest[past, process]
    if packet <= 0:
        return mine
    event = packets.event[packet]
    theirs = event if sends.sender[event] == process else pasts.newest[sends.past[event], process]
    return theirs if sends.number[theirs] > sends.number[mine] else mine


@kernel
def events_in(pasts, sends, packets, past, packet):
    """How many sends, and with full pasts deliveries, lie in a past and in that of a packet (0 for none)."""
    owner = pasts.owner[past]
    total = 0
    for process in range(pasts.newest.shape[1]):
        newest = newest_together(pasts, sends, packets, past, packet, process)
        total += sends.number[newest]
        if sends.weight[0] == FULL:
            if process == owner:
                total += own_deliveries(pasts, past)
            elif newest > 0:
                total += own_deliveries(pasts, sends.past[newest])
    return total


@kernel
def note_violation(noted, bits, cost, local, packet, after):
    """Note a violating step for each of its bits."""
    for bit in range(BITS):
        if (bits >> bit) & 1 == 0:
            continue
        noted.met[bit] += 1
        place = noted.kept[bit]
        if place == KEPT:
            if cost >= noted.cost[bit, KEPT - 1]:
                continue
            place = KEPT - 1
        else:
            noted.kept[bit] += 1
        while place > 0 and noted.cost[bit, place - 1] > cost:
            noted.cost[bit, place] = noted.cost[bit, place - 1]
            noted.local[bit, place] = noted.local[bit, place - 1]
            noted.packet[bit, place] = noted.packet[bit, place - 1]
            noted.after[bit, place] = noted.after[bit, place - 1]
            place -= 1
        noted.cost[bit, place] = cost
        noted.local[bit, place] = local
        noted.packet[bit, place] = packet
        noted.after[bit, place] = after


@kernel
def note_initial(noted, locals, processes):
    """Note what is wrong with the initial states."""
    for local in range(processes):
        note_violation(noted, locals.flags[local], 0, local, BY_ITSELF, local)


@inlined
def note_steps(step, local, packet, known_packet, first_new, places, noted, steps, pasts, sends, packets, locals):
    """Note where a step and its alternatives lead, and what is wrong with them. `known_packet` is the packet received,
    0 for none; where local states before `first_new` come from is noted already."""
    while step >= 0:
        after = steps.next[step]
        if after >= first_new:
            if places.origin[after] == 0:
                places.origin[after] = places.frontier[local]
                places.received[after] = packets.event[known_packet]
            locals.reached[after] = 1
        if steps.flags[step] != 0:
            if known_packet > 0:
                cost = events_in(pasts, sends, packets, locals.past[local], known_packet)
                if sends.weight[0] == FULL:
                    cost += 1
            else:
                cost = events_in(pasts, sends, packets, locals.past[after], 0)
            note_violation(noted, steps.flags[step], cost, local, packet, after)
        step = steps.alternative[step]


@kernel
def note_receives(pairs, results, first_new, places, noted, steps, pasts, sends, packets, locals):
    """Note the receipts of pairs that are complete: `results` are their first steps, or what waits."""
    for index in range(len(results)):
        local, packet = pairs[index, 0], pairs[index, 1]
        step = results[index]
        if step == WAITS_NEEDLESSLY:
            cost = events_in(pasts, sends, packets, locals.past[local], packet)
            note_violation(noted, NEEDLESS_DELAY, cost, local, packet, -1)
        note_steps(step, local, packet, packet, first_new, places, noted, steps, pasts, sends, packets, locals)


@kernel
def note_sends(
    wanted, width, send_steps, first_new, places, noted, steps, pasts, sends, packets, local_packets, locals
):
    """Note the sends of local states, and the packets that they transmit."""
    for local in wanted:
        for choice in range(width):
            step = send_steps.items[locals.sends[local] + choice]
            note_steps(step, local, SENT, 0, first_new, places, noted, steps, pasts, sends, packets, locals)
            while step >= 0:
                for item in range(steps.first[step], steps.first[step] + steps.length[step]):
                    packets.reached[local_packets.items[item]] = 1
                step = steps.alternative[step]


@kernel
def note_internals(wanted, first_new, places, noted, steps, pasts, sends, packets, locals):
    """Note the internal steps of local states."""
    for local in wanted:
        note_steps(
            locals.internal[local], local, BY_ITSELF, 0, first_new, places, noted, steps, pasts, sends, packets, locals
        )
