"""Compiled verdicts on local states and packets: what they assert against what is required."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .compiled import inlined, kernel
from .pasts import is_due, past_of_deliveries

CAUSAL_ORDER = 1
NEEDLESS_DELAY = 2
STUCK = 4
STATE_MISSING = 8
STATE_REDUNDANT = 16
PACKET_MISSING = 32
PACKET_REDUNDANT = 64
TWICE = 128
USER = 256
"""The first bit for a user's own properties."""


@inlined
def judge_local(pasts, sends, facts, local, locals):
    """Compare what a model state asserts with the required set of its past (algorithms.md, section 1)."""
    past = locals.past[local]
    model = locals.model[local]
    missing = False
    redundant = facts.strange[model] != 0
    for destination in range(pasts.newest.shape[1]):
        there = past_of_deliveries(pasts, sends, past, destination)
        for word in range(pasts.own.shape[1]):
            settled = pasts.cover[past, destination, word] | pasts.own[there, word]
            required = pasts.known[past, destination, word] & ~settled
            asserted = facts.asserted[model, destination, word]
            missing = missing or required & ~asserted != np.uint64(0)
            redundant = redundant or asserted & ~required != np.uint64(0)
    return (STATE_MISSING if missing else 0) | (STATE_REDUNDANT if redundant else 0)


@kernel
def judge_packet(pasts, sends, dest_bits, facts, packet, packets):
    """Compare what a copy asserts with what was required just before the send, less its other destinations."""
    event = packets.event[packet]
    past = sends.past[event]
    copy = packets.copy[packet]
    bits = dest_bits[sends.dests[event]]
    missing = False
    redundant = facts.strange[copy] != 0
    for destination in range(pasts.newest.shape[1]):
        addressed = (bits >> np.uint64(destination)) & np.uint64(1) != np.uint64(0)
        there = past_of_deliveries(pasts, sends, past, destination)
        for word in range(pasts.own.shape[1]):
            settled = pasts.cover[past, destination, word] | pasts.own[there, word]
            required = pasts.known[past, destination, word] & ~settled
            if addressed and destination != packets.to[packet]:
                required = np.uint64(0)
            asserted = facts.asserted[copy, destination, word]
            missing = missing or required & ~asserted != np.uint64(0)
            redundant = redundant or asserted & ~required != np.uint64(0)
    return (PACKET_MISSING if missing else 0) | (PACKET_REDUNDANT if redundant else 0)


@inlined
def holds_needlessly(pasts, sends, held, locals, local, answers, answer, delivered, messages):
    """Whether a message is held that is due and that no internal step (first `answer`, -1: none) delivers."""
    past = locals.past[local]
    item = locals.held[local]
    while item > 0:
        event = held.event[item]
        if is_due(pasts, sends, past, event):
            ready = False
            alternative = answer
            while alternative >= 0:
                first = answers.first_delivered[alternative]
                for place in range(first, first + answers.delivered[alternative]):
                    message = delivered.items[place]
                    if (
                        messages.sender[message] == sends.sender[event]
                        and messages.number[message] == sends.number[event] - sends.earlier[event]
                    ):
                        ready = True
                alternative = alternative + 1 if answers.more[alternative] != 0 else -1
            if not ready:
                return True
        item = held.rest[item]
    return False
