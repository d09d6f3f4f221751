"""Compiled causal pasts: what a process knows after a send, a delivery or an internal event, what must precede what.

A message slot is sender * (sends per process) + number - 1, a bit in masks of 64-bit words. Equal contents get equal
numbers.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import mix
from .compiled import inlined, kernel
from .weights import event_that_stands_for


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


@inlined
def is_same_past(pasts, one, other):
    """Whether two entries hold the same past."""
    same = pasts.owner[one] == pasts.owner[other] and pasts.timeline[one] == pasts.timeline[other]
    for process in range(pasts.newest.shape[1]):
        same = same and pasts.newest[one, process] == pasts.newest[other, process]
    for word in range(pasts.own.shape[1]):
        same = same and pasts.own[one, word] == pasts.own[other, word]
    return same


@inlined
def intern_past(pasts):
    """The number of the past that was written at index `size`; it becomes a new entry only if there is no equal one."""
    new = pasts.size[0]
    hash = mix(mix(np.uint64(1), pasts.owner[new]), pasts.timeline[new])
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


@inlined
def copy_past(pasts, past):
    """Write a copy of `past` at index `size`, to be changed and interned."""
    new = pasts.size[0]
    pasts.owner[new] = pasts.owner[past]
    pasts.timeline[new] = pasts.timeline[past]
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
def behind(timelines, timeline, number, word):
    """One word of the messages that event `number` of a process depends on, its own included; none for 0."""
    if number <= 0:
        return np.uint64(0)
    while timelines.length[timeline] > number:
        timeline = timelines.earlier[timeline]
    return timelines.behind[timeline, word]


@kernel
def timeline_after(timelines, sends, slots_per_process, timeline, event, delivery, depends):
    """The timeline with one event more: a send, a delivery, or (`event` 0) an internal event."""
    hash = mix(mix(mix(mix(np.uint64(5), timeline), event), delivery), depends)
    mask = np.uint64(len(timelines.table) - 1)
    place = hash & mask
    while timelines.table[place] != 0:
        old = timelines.table[place] - 1
        if (
            timelines.earlier[old] == timeline
            and timelines.event[old] == event
            and timelines.delivery[old] == delivery
            and timelines.depends[old] == depends
        ):
            return old
        place = (place + np.uint64(1)) & mask
    new = timelines.size[0]
    timelines.earlier[new] = timeline
    timelines.event[new] = event
    timelines.delivery[new] = delivery
    timelines.depends[new] = depends
    timelines.length[new] = timelines.length[timeline] + 1
    for word in range(timelines.behind.shape[1]):
        own = behind(timelines, timeline, depends, word)
        timelines.behind[new, word] = own | (sends.before[event, word] if event > 0 else np.uint64(0))
    if event > 0:
        set_bit(timelines.behind[new], sends.sender[event] * slots_per_process + sends.number[event] - 1)
    timelines.hash[new] = hash
    timelines.table[place] = new + 1
    timelines.size[0] = new + 1
    return new


@kernel
def past_after_internal(pasts, timelines, sends, slots_per_process, past, depends):
    """The past of a process just after an internal event on which others may depend."""
    new = copy_past(pasts, past)
    pasts.timeline[new] = timeline_after(timelines, sends, slots_per_process, pasts.timeline[past], 0, 0, depends)
    return intern_past(pasts)


@kernel
def past_after_send(pasts, sends, timelines, dest_bits, slots_per_process, past, event):
    """The past of the sender just after it has sent `event`."""
    new = copy_past(pasts, past)
    depends = sends.depends[event]
    if depends >= 0:
        pasts.timeline[new] = timeline_after(
            timelines, sends, slots_per_process, pasts.timeline[past], event, 0, depends
        )
    sender = sends.sender[event]
    slot = sender * slots_per_process + sends.number[event] - 1
    bits = dest_bits[sends.dests[event]]
    pasts.newest[new, sender] = sends.known_as[event]
    add_message(pasts, new, past, slot, bits)
    return intern_past(pasts)


@inlined
def past_after_delivery(pasts, sends, timelines, dest_bits, slots_per_process, past, event, depends):
    """The past of a process just after it has delivered the message of `event`. `depends` is -1 unless the order is
    semantic."""
    new = copy_past(pasts, past)
    if depends >= 0:
        pasts.timeline[new] = timeline_after(
            timelines, sends, slots_per_process, pasts.timeline[past], event, 1, depends
        )
    before = sends.past[event]
    sender = sends.sender[event]
    slot = sender * slots_per_process + sends.number[event] - 1
    bits = dest_bits[sends.dests[event]]
    for process in range(pasts.newest.shape[1]):
        theirs = sends.known_as[event] if process == sender else pasts.newest[before, process]
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
def intern_send(pasts, sends, timelines, dest_bits, past, dests, depends, earlier):
    """The number of the event in which the owner of `past` sends its next message to the set `dests`."""
    hash = mix(mix(mix(mix(np.uint64(2), past), dests), depends), earlier)
    mask = np.uint64(len(sends.table) - 1)
    place = hash & mask
    while sends.table[place] != 0:
        old = sends.table[place] - 1
        if (
            sends.past[old] == past
            and sends.dests[old] == dests
            and sends.depends[old] == depends
            and sends.earlier[old] == earlier
        ):
            return old
        place = (place + np.uint64(1)) & mask
    new = sends.size[0]
    owner = pasts.owner[past]
    sends.past[new] = past
    sends.dests[new] = dests
    sends.depends[new] = depends
    sends.earlier[new] = earlier
    sends.sender[new] = owner
    sends.number[new] = sends.number[pasts.newest[past, owner]] + 1
    for word in range(sends.before.shape[1]):
        if depends < 0:
            sends.before[new, word] = ~np.uint64(0)
        else:
            sends.before[new, word] = behind(timelines, pasts.timeline[past], depends, word)
    sends.hash[new] = hash
    sends.table[place] = new + 1
    sends.size[0] = new + 1
    sends.known_as[new] = event_that_stands_for(pasts, sends, new, dest_bits[dests])
    return new


@inlined
def is_due(pasts, sends, past, event):
    """Whether all messages to the owner of `past` that must precede the message of `event` are delivered there."""
    before = sends.past[event]
    owner = pasts.owner[past]
    for word in range(pasts.own.shape[1]):
        needed = pasts.known[before, owner, word] & sends.before[event, word]
        if needed & ~pasts.own[past, word] != np.uint64(0):
            return False
    return True


@inlined
def is_delivered(pasts, sends, slots_per_process, past, event):
    """Whether the message of `event` is delivered at the owner of `past`."""
    return has_bit(pasts.own[past], sends.sender[event] * slots_per_process + sends.number[event] - 1)
