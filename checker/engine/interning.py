"""Compiled interning of pasts, send events, local states and packets: equal contents get equal numbers.

A message slot is sender * (sends per process) + number - 1, a bit in masks of 64-bit words.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import mix
from .compiled import kernel


@kernel
def set_bit(words, slot):
    """Add one message slot to a mask."""
    words[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)


@kernel
def has_bit(words, slot):
    """Whether a mask holds a message slot."""
    return (words[slot >> 6] >> np.uint64(slot & 63)) & np.uint64(1) != np.uint64(0)


@kernel
def is_subset(small, large):
    """Whether every message of one mask is in the other."""
    for word in range(len(small)):
        if small[word] & ~large[word] != np.uint64(0):
            return False
    return True


@kernel
def is_same_past(pasts, one, other):
    """Whether two entries hold the same past."""
    same = pasts.owner[one] == pasts.owner[other]
    for process in range(pasts.newest.shape[1]):
        same = same and pasts.newest[one, process] == pasts.newest[other, process]
    for word in range(pasts.own.shape[1]):
        same = same and pasts.own[one, word] == pasts.own[other, word]
    return same


@kernel
def intern_past(pasts):
    """The number of the past that was written at index `size`; it becomes a new entry only if there is no equal one."""
    new = pasts.size[0]
    hash = mix(np.uint64(1), pasts.owner[new])
    for process in range(pasts.newest.shape[1]):
        hash = mix(hash, pasts.newest[new, process])
    for word in range(pasts.own.shape[1]):
        hash = mix(hash, pasts.own[new, word])
    mask = np.uint64(len(pasts.table) - 1)
    place = hash & mask
    while pasts.table[place] != 0:
        old = pasts.table[place] - 1
        if pasts.hash[old] == hash and is_same_past(pasts, old, new):
            return old
        place = (place + np.uint64(1)) & mask
    pasts.table[place] = new + 1
    pasts.hash[new] = hash
    pasts.size[0] = new + 1
    return new


@kernel
def copy_past(pasts, past):
    """Write a copy of `past` at index `size`, to be changed and interned."""
    new = pasts.size[0]
    pasts.owner[new] = pasts.owner[past]
    for word in range(pasts.own.shape[1]):
        pasts.own[new, word] = pasts.own[past, word]
    for process in range(pasts.newest.shape[1]):
        pasts.newest[new, process] = pasts.newest[past, process]
        for word in range(pasts.own.shape[1]):
            pasts.known[new, process, word] = pasts.known[past, process, word]
            pasts.cover[new, process, word] = pasts.cover[past, process, word]
    return new


@kernel
def add_message(pasts, new, before, slot, bits):
    """Add one message to the known ones, and what the past `before` its send knows to what it covers."""
    for destination in range(pasts.newest.shape[1]):
        if (bits >> np.uint64(destination)) & np.uint64(1) != np.uint64(0):
            for word in range(pasts.own.shape[1]):
                pasts.cover[new, destination, word] |= pasts.known[before, destination, word]
            set_bit(pasts.known[new, destination], slot)


@kernel
def past_after_send(pasts, sends, dest_bits, slots_per_process, past, event):
    """The past of the sender just after it has sent `event`."""
    new = copy_past(pasts, past)
    sender = sends.sender[event]
    slot = sender * slots_per_process + sends.number[event] - 1
    bits = dest_bits[sends.dests[event]]
    pasts.newest[new, sender] = event
    add_message(pasts, new, past, slot, bits)
    return intern_past(pasts)


@kernel
def past_after_delivery(pasts, sends, dest_bits, slots_per_process, past, event):
    """The past of a process just after it has delivered the message of `event`."""
    new = copy_past(pasts, past)
    before = sends.past[event]
    sender = sends.sender[event]
    slot = sender * slots_per_process + sends.number[event] - 1
    bits = dest_bits[sends.dests[event]]
    for process in range(pasts.newest.shape[1]):
        theirs = event if process == sender else pasts.newest[before, process]
        if sends.number[theirs] > sends.number[pasts.newest[new, process]]:
            pasts.newest[new, process] = theirs
        for word in range(pasts.own.shape[1]):
            pasts.known[new, process, word] |= pasts.known[before, process, word]
            pasts.cover[new, process, word] |= pasts.cover[before, process, word]
    set_bit(pasts.own[new], slot)
    add_message(pasts, new, before, slot, bits)
    return intern_past(pasts)


@kernel
def past_of_deliveries(pasts, sends, past, destination):
    """A past whose `own` are the deliveries at `destination` that lie in `past`. Elsewhere than at its owner those are
    the deliveries before the newest send known from there; without one, none, as in the initial past, the entry
    `destination`."""
    if destination == pasts.owner[past]:
        return past
    newest = pasts.newest[past, destination]
    return sends.past[newest] if newest > 0 else destination


@kernel
def intern_send(pasts, sends, past, dests):
    """The number of the event in which the owner of `past` sends its next message to the set `dests`."""
    hash = mix(mix(np.uint64(2), past), dests)
    mask = np.uint64(len(sends.table) - 1)
    place = hash & mask
    while sends.table[place] != 0:
        old = sends.table[place] - 1
        if sends.past[old] == past and sends.dests[old] == dests:
            return old
        place = (place + np.uint64(1)) & mask
    new = sends.size[0]
    owner = pasts.owner[past]
    sends.past[new] = past
    sends.dests[new] = dests
    sends.sender[new] = owner
    sends.number[new] = sends.number[pasts.newest[past, owner]] + 1
    sends.hash[new] = hash
    sends.table[place] = new + 1
    sends.size[0] = new + 1
    return new


@kernel
def intern_local(locals, pasts, sends, model, past):
    """The number of the local state with this model state and past."""
    hash = mix(mix(np.uint64(3), model), past)
    mask = np.uint64(len(locals.table) - 1)
    place = hash & mask
    while locals.table[place] != 0:
        old = locals.table[place] - 1
        if locals.model[old] == model and locals.past[old] == past:
            return old
        place = (place + np.uint64(1)) & mask
    new = locals.size[0]
    locals.model[new] = model
    locals.past[new] = past
    locals.sent[new] = sends.number[pasts.newest[past, pasts.owner[past]]]
    locals.sends[new] = -1
    locals.flags[new] = 0
    locals.reached[new] = 0
    locals.hash[new] = hash
    locals.table[place] = new + 1
    locals.size[0] = new + 1
    return new


@kernel
def intern_packet(packets, pasts, sends, dest_bits, slots_per_process, event, copy, to):
    """The number of the packet that carries `copy` of the message of `event` to process index `to`.

    Its position in the channel is the number of earlier messages from this sender to `to`, all in the sender's past.
    """
    hash = mix(mix(np.uint64(4), event), copy)
    mask = np.uint64(len(packets.table) - 1)
    place = hash & mask
    while packets.table[place] != 0:
        old = packets.table[place] - 1
        if packets.event[old] == event and packets.copy[old] == copy:
            return old
        place = (place + np.uint64(1)) & mask
    new = packets.size[0]
    sender = sends.sender[event]
    position = 0
    earlier = pasts.newest[sends.past[event], sender]
    while earlier > 0:
        if (dest_bits[sends.dests[earlier]] >> np.uint64(to)) & np.uint64(1) != np.uint64(0):
            position += 1
        earlier = pasts.newest[sends.past[earlier], sender]
    packets.event[new] = event
    packets.copy[new] = copy
    packets.to[new] = to
    packets.slot[new] = sender * slots_per_process + sends.number[event] - 1
    packets.channel[new] = sender * pasts.newest.shape[1] + to
    packets.position[new] = position
    packets.flags[new] = 0
    packets.reached[new] = 0
    packets.hash[new] = hash
    packets.table[place] = new + 1
    packets.size[0] = new + 1
    return new
