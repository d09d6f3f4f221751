"""How much a past remembers of a send event: which events it cannot tell apart.

A past names the newest send event that it knows of each process. With full weight that is the event itself, with its
own past. With less weight events are named by what is remembered of them, and one of them stands for all: LIGHT, the
destinations of the message and of the sender's earlier ones; SETTLED, also what the event settles: the messages to its
destinations that lie in its past, and those delivered at its sender.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import mix
from .compiled import kernel

FULL = 0
LIGHT = 1
SETTLED = 2


@kernel
def earlier_of(pasts, sends, event):
    """The event that stands for the sender's event before this one; 0 for none."""
    return pasts.newest[sends.past[event], sends.sender[event]]


@kernel
def settles_alike(pasts, one, other, dest_bits):
    """Whether two pasts hold the same deliveries at their owner and the same messages to these destinations."""
    for word in range(pasts.own.shape[1]):
        if pasts.own[one, word] != pasts.own[other, word]:
            return False
        for destination in range(pasts.newest.shape[1]):
            is_addressed = (dest_bits >> np.uint64(destination)) & np.uint64(1) != np.uint64(0)
            if is_addressed and pasts.known[one, destination, word] != pasts.known[other, destination, word]:
                return False
    return True


@kernel
def is_remembered_alike(pasts, sends, dest_bits, one, other):
    """Whether pasts of this weight cannot tell two events of one sender apart."""
    if sends.dests[one] != sends.dests[other] or sends.sender[one] != sends.sender[other]:
        return False
    if earlier_of(pasts, sends, one) != earlier_of(pasts, sends, other):
        return False
    return sends.weight[0] == LIGHT or settles_alike(pasts, sends.past[one], sends.past[other], dest_bits)


@kernel
def event_that_stands_for(pasts, sends, event, dest_bits):
    """The event by which pasts name a new event: itself, or the first that is remembered alike."""
    if sends.weight[0] == FULL:
        return event
    hash = mix(mix(mix(np.uint64(8), sends.sender[event]), sends.dests[event]), earlier_of(pasts, sends, event))
    if sends.weight[0] == SETTLED:
        for word in range(pasts.own.shape[1]):
            hash = mix(hash, pasts.own[sends.past[event], word])
            for destination in range(pasts.newest.shape[1]):
                if (dest_bits >> np.uint64(destination)) & np.uint64(1) != np.uint64(0):
                    hash = mix(hash, pasts.known[sends.past[event], destination, word])
    mask = np.uint64(len(sends.kinds) - 1)
    place = hash & mask
    while sends.kinds[place] != 0:
        old = sends.kinds[place] - 1
        if sends.kind_hash[old] == hash and is_remembered_alike(pasts, sends, dest_bits, old, event):
            return old
        place = (place + np.uint64(1)) & mask
    sends.kinds[place] = event + 1
    sends.kind_hash[event] = hash
    return event
