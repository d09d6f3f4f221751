"""Compiled: which deliveries came too early for causal order and for FIFO, and until when they should have waited.

A copy of M' to d is too early when, at d, some message to d that was sent in the past of M' is delivered after it.
Every process carries, for each d, the largest position at d of a message to d in its past; a message takes that along.
So a copy costs one comparison, an event of a send or delivery one vector, and no past is ever stored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiled import kernel
from .execution import Array, Execution
from .pairing import Ordered, Paired
from .tables import DELIVER, SEND

NEVER = 2**31 - 1
MOST_BYTES = 2 * 2**30
"""For the vectors of messages in transit."""


class Held(NamedTuple):
    """By copy: the position, at its destination, of the last delivery that should have come before it; -1 where all
    came before. `fifo` is the same for messages of the same sender to the same destination only."""

    causal: Array
    fifo: Array


def held_back(execution: Execution, paired: Paired, order: Ordered, undelivered: bool = False) -> Held | None:
    """Judge every delivered copy; `undelivered` asks instead for overtaken copies that are never delivered (`NEVER`).

    None where the vectors of the messages in transit would take more than `MOST_BYTES`.
    """
    p, n = paired, len(execution.processes)
    most = max(64, MOST_BYTES // (4 * n))
    found = _hold(order.events, order.place, execution.process, execution.message, p.role, p.position, p.copy_start,
                  p.copy_end, p.deliveries, p.to, p.delivered, n, undelivered, most)  # fmt: skip
    return Held(found[0], found[1]) if found[2] else None


@kernel
def _hold(  # type: ignore[no-untyped-def]
    order,
    place,
    process,
    message,
    role,
    position,
    copy_start,
    copy_end,
    deliveries,
    to,
    delivered,
    n,
    undelivered,
    most,
):
    latest = np.full((n, n), -1, np.int32)
    channel = np.full((n, n), -1, np.int32)
    causal = np.full(len(to), -1, np.int32)
    fifo = np.full(len(to), -1, np.int32)
    slot = np.full(len(copy_start), -1, np.int32)
    left = deliveries.copy()
    carried = np.empty((64, n), np.int32)
    free = np.arange(63, -1, -1).astype(np.int32)
    top = 64
    for e in order:
        p, m = process[e], message[e]
        if role[e] == SEND:
            for c in range(copy_start[m], copy_end[m]):
                if delivered[c] >= 0 and place[delivered[c]] >= 0:
                    d, here = to[c], position[delivered[c]]
                    if latest[p, d] > here:
                        causal[c] = latest[p, d]
                    if channel[p, d] > here:
                        fifo[c] = channel[p, d]
            for c in range(copy_start[m], copy_end[m]):
                d = to[c]
                is_delivered = delivered[c] >= 0
                if (is_delivered and undelivered) or (not is_delivered and not undelivered):
                    continue
                after = position[delivered[c]] if is_delivered else NEVER
                latest[p, d] = max(latest[p, d], after)
                channel[p, d] = max(channel[p, d], after)
            if left[m] == 0:
                continue
            if top == 0:
                size = len(carried)
                if size >= most:
                    return causal, fifo, False
                grown = np.empty((2 * size, n), np.int32)
                grown[:size] = carried
                carried = grown
                free = np.arange(2 * size - 1, -1, -1).astype(np.int32)
                top = size
            top -= 1
            slot[m] = free[top]
            carried[slot[m]] = latest[p]
        elif role[e] == DELIVER:
            s = slot[m]
            for d in range(n):
                if carried[s, d] > latest[p, d]:
                    latest[p, d] = carried[s, d]
            left[m] -= 1
            if left[m] == 0:
                free[top] = s
                top += 1
    return causal, fifo, True
