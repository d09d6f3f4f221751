"""Compiled questions about one global state: which local steps are known, which packets may be received, what a script
allows."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import DOWN, Array, pair_key, place_of
from .compiled import kernel
from .completing import UNKNOWN
from .interning import joint_of

UNORDERED = 0
FIFO = 1
FIFO_DELIVERY = 2
RENDEZVOUS = 3
UNKNOWN_STEP = -9


class System(NamedTuple):
    """The system around the model: sizes and rules, as numbers.

    `queued`: whether channels keep an order; `width`: most destination sets of a process; `head`: where the packets of
    a row begin; then the most faults of each kind, and whether the model is direct, takes internal and joint steps.
    """

    processes: int
    channel: int
    queued: bool
    most_sends: int
    most_sends_each: int
    width: int
    head: int
    duplicates: int
    losses: int
    crashes: int
    restarts: int
    direct: bool
    has_internal: bool
    has_joint: bool


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
    pairs, local states whose sends are not known, local states whose other steps are not, and local states of all
    processes whose joint steps are not; the rows that wait for them, and how long a row would have to be."""

    pairs: Array
    pair_count: Array
    locals: Array
    local_count: Array
    others: Array
    other_count: Array
    joints: Array
    joint_count: Array
    rows: Array
    row_count: Array
    length: Array


@kernel
def look_up_receive(local, packet, known_steps, missing):
    """The local step in which `packet` is received, WAITS or WAITS_NEEDLESSLY; UNKNOWN_STEP, and listed, if unknown."""
    place = place_of(known_steps.keys, pair_key(local, packet))
    if known_steps.keys[place] != np.uint64(0):
        return known_steps.values[place]
    missing.pairs[missing.pair_count[0], 0] = local
    missing.pairs[missing.pair_count[0], 1] = packet
    missing.pair_count[0] += 1
    return np.int32(UNKNOWN_STEP)


@kernel
def look_up_receives(row, count, system, packets, known_steps, missing, status):
    """Find the local step of each packet in transit; list what is not known. Returns whether all are known."""
    complete = True
    for index in range(count):
        packet = row[system.head + index]
        local = row[packets.to[packet]]
        place = place_of(known_steps.keys, pair_key(local, packet))
        if known_steps.keys[place] != np.uint64(0):
            status[index] = known_steps.values[place]
        else:
            missing.pairs[missing.pair_count[0], 0] = local
            missing.pairs[missing.pair_count[0], 1] = packet
            missing.pair_count[0] += 1
            complete = False
    return complete


@kernel
def look_up_sends(row, system, locals, missing):
    """Whether the send steps are known of all processes that may send (if not, they are listed), and whether the bound
    allows another send."""
    total = 0
    for process in range(system.processes):
        total += locals.sent[row[process]]
    if total >= system.most_sends:
        return True, False
    complete = True
    for process in range(system.processes):
        local = row[process]
        if locals.sent[local] < system.most_sends_each and locals.sends[local] < 0:
            missing.locals[missing.local_count[0]] = local
            missing.local_count[0] += 1
            complete = False
    return complete, True


@kernel
def look_up_others(row, system, locals, joints, missing):
    """Whether the internal, joint and fault steps are known; if not, they are listed."""
    complete = True
    if system.has_internal or system.crashes > 0:
        for process in range(system.processes):
            if locals.internal[row[process]] == UNKNOWN:
                missing.others[missing.other_count[0]] = row[process]
                missing.other_count[0] += 1
                complete = False
    if system.has_joint:
        joint = joint_of(joints, row, system.processes)
        if joint < 0 or joints.first[joint] == UNKNOWN:
            for process in range(system.processes):
                missing.joints[missing.joint_count[0], process] = row[process]
            missing.joint_count[0] += 1
            complete = False
    return complete


@kernel
def select_receives(row, count, system, packets, status, allowed):
    """Which packets the channel lets through (design.md, section 5); returns how many. Where channels have an order,
    the packets of one channel stand in it; of equal packets that stand together one is let through."""
    total = 0
    for index in range(count):
        packet = row[system.head + index]
        ok = status[index] >= 0
        if system.channel == UNORDERED or system.channel == RENDEZVOUS:
            ok = ok and (index == 0 or row[system.head + index - 1] != packet)
        else:
            other = index - 1
            while ok and other >= 0 and packets.channel[row[system.head + other]] == packets.channel[packet]:
                if system.channel == FIFO_DELIVERY or status[other] >= 0:
                    ok = False
                other -= 1
        allowed[index] = ok
        total += ok
    return total


@kernel
def is_undelivered(row, system, pasts, locals):
    """Whether a message is not delivered at a destination that has not crashed."""
    for process in range(system.processes):
        past = locals.past[row[process]]
        for destination in range(system.processes):
            local = row[destination]
            if locals.model[local] == DOWN:
                continue
            there = locals.past[local]
            for word in range(pasts.own.shape[1]):
                if pasts.known[past, destination, word] & ~pasts.own[there, word] != np.uint64(0):
                    return True
    return False


@kernel
def can_move(row, system, locals, joints):
    """Whether an internal or a joint step is enabled."""
    if system.has_internal:
        for process in range(system.processes):
            if locals.internal[row[process]] >= 0:
                return True
    return system.has_joint and joints.first[joint_of(joints, row, system.processes)] >= 0


@kernel
def has_arrived(row, count, head, index, script, pasts, sends, held, locals, packets, allowed):
    """Whether the scripted arrivals before this packet's have happened: delivered, or here and not receivable now."""
    packet = row[head + index]
    if packets.slot[packet] < 0:
        return True
    to = packets.to[packet]
    first = script.arrived[to, packets.slot[packet]]
    past = locals.past[row[to]]
    for word in range(len(first)):
        wanted = first[word] & ~pasts.own[past, word]
        for other in range(count):
            candidate = row[head + other]
            slot = packets.slot[candidate]
            if packets.to[candidate] == to and not allowed[other] and slot >= 0 and slot >> 6 == word:
                wanted &= ~(np.uint64(1) << np.uint64(slot & 63))
        item = locals.held[row[to]]
        while item > 0:
            event = held.event[item]
            slot = sends.sender[event] * script.choice.shape[1] + sends.number[event] - 1
            if slot >> 6 == word:
                wanted &= ~(np.uint64(1) << np.uint64(slot & 63))
            item = held.rest[item]
        if wanted != np.uint64(0):
            return False
    return True
