"""Compiled interning of local states, packets, held messages and joint states: equal contents get equal numbers."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import mix
from .compiled import inlined, kernel
from .pasts import is_delivered


@kernel
def intern_held(held, event, rest):
    """The list with `event` in front of `rest`."""
    hash = mix(mix(np.uint64(6), event), rest)
    mask = np.uint64(len(held.table) - 1)
    place = hash & mask
    while held.table[place] != 0:
        old = held.table[place] - 1
        if held.event[old] == event and held.rest[old] == rest:
            return old
        place = (place + np.uint64(1)) & mask
    new = held.size[0]
    held.event[new] = event
    held.rest[new] = rest
    held.hash[new] = hash
    held.table[place] = new + 1
    held.size[0] = new + 1
    return new


@kernel
def held_after(held, pasts, sends, slots_per_process, items, past, added):
    """The list `items` with the event `added` (0 for none), less what is delivered in `past`; in descending order."""
    result = 0
    last = 0
    while True:
        following = 0
        item = items
        while item > 0:
            event = held.event[item]
            fresh = event > last and not is_delivered(pasts, sends, slots_per_process, past, event)
            if fresh and (following == 0 or event < following):
                following = event
            item = held.rest[item]
        fresh = added > last and not is_delivered(pasts, sends, slots_per_process, past, added)
        if fresh and (following == 0 or added < following):
            following = added
        if following == 0:
            return result
        result = intern_held(held, following, result)
        last = following


@inlined
def intern_local(locals, pasts, sends, model, past, held, earlier):
    """The number of the local state with this model state, past, held messages and count before its restart."""
    hash = mix(mix(mix(mix(np.uint64(3), model), past), held), earlier)
    mask = np.uint64(len(locals.table) - 1)
    place = hash & mask
    while locals.table[place] != 0:
        old = locals.table[place] - 1
        if (
            locals.model[old] == model
            and locals.past[old] == past
            and locals.held[old] == held
            and locals.earlier[old] == earlier
        ):
            return old
        place = (place + np.uint64(1)) & mask
    new = locals.size[0]
    locals.model[new] = model
    locals.past[new] = past
    locals.held[new] = held
    locals.earlier[new] = earlier
    locals.sent[new] = sends.number[pasts.newest[past, pasts.owner[past]]]
    locals.sends[new] = -1
    locals.internal[new] = -1
    locals.fault[new] = -1
    locals.flags[new] = 0
    locals.reached[new] = 0
    locals.hash[new] = hash
    locals.table[place] = new + 1
    locals.size[0] = new + 1
    return new


@kernel
def intern_packet(packets, sends, slots_per_process, processes, event, copy, sender, to):
    """The number of the packet that carries `copy` of the message of `event` (0: a signal) from `sender` to `to`."""
    hash = mix(mix(np.uint64(4), event), copy)
    mask = np.uint64(len(packets.table) - 1)
    place = hash & mask
    while packets.table[place] != 0:
        old = packets.table[place] - 1
        if packets.event[old] == event and packets.copy[old] == copy:
            return old
        place = (place + np.uint64(1)) & mask
    new = packets.size[0]
    packets.event[new] = event
    packets.copy[new] = copy
    packets.to[new] = to
    packets.slot[new] = sends.sender[event] * slots_per_process + sends.number[event] - 1 if event > 0 else -1
    packets.channel[new] = sender * processes + to
    packets.flags[new] = 0
    packets.reached[new] = 0
    packets.hash[new] = hash
    packets.table[place] = new + 1
    packets.size[0] = new + 1
    return new


@kernel
def joint_of(joints, row, processes):
    """The entry of the local states at the start of `row`, or -1 and its hash."""
    hash = np.uint64(7)
    for process in range(processes):
        hash = mix(hash, row[process])
    mask = np.uint64(len(joints.table) - 1)
    place = hash & mask
    while joints.table[place] != 0:
        old = joints.table[place] - 1
        same = True
        for process in range(processes):
            same = same and joints.locals[old, process] == row[process]
        if same:
            return old
        place = (place + np.uint64(1)) & mask
    return -1


@kernel
def enter_joint(joints, row, processes):
    """The entry of the local states at the start of `row`, made if need be."""
    old = joint_of(joints, row, processes)
    if old >= 0:
        return old
    hash = np.uint64(7)
    for process in range(processes):
        hash = mix(hash, row[process])
    mask = np.uint64(len(joints.table) - 1)
    place = hash & mask
    while joints.table[place] != 0:
        place = (place + np.uint64(1)) & mask
    new = joints.size[0]
    for process in range(processes):
        joints.locals[new, process] = row[process]
    joints.first[new] = -1
    joints.hash[new] = hash
    joints.table[place] = new + 1
    joints.size[0] = new + 1
    return new
