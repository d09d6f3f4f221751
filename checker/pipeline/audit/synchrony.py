"""Compiled: is an execution realisable with synchronous communication, where a message is one instant?

The theorem of Charron-Bost, Mattern and Tel (Synchronous, asynchronous, and causally ordered communication, Distributed
Computing 9, 1996): it is, exactly if it has no crown, that is, if the relation "some event of M comes before some event
of M' at the same process" has no cycle on messages. Here a multicast is one instant for its send and all its
deliveries, and a message that is never delivered is left out. Instants are taken one by one, each as soon as all its
events are next at their processes; what is left when none can be taken are the messages on cycles or behind them.
"""

from __future__ import annotations

import numpy as np

from .compiled import kernel, part
from .execution import Array, Execution
from .pairing import Ordered, Paired, by_process
from .tables import DELIVER, SEND


def stuck_messages(execution: Execution, paired: Paired, order: Ordered) -> tuple[Array, Array]:
    """What is left: (the event at which each process stands, or -1; whether each message was taken)."""
    return _instants(  # type: ignore[no-any-return]
        execution.process, execution.message, paired.role, order.place, paired.send, paired.delivered,
        paired.copy_start, paired.copy_end, len(execution.processes),
    )  # fmt: skip


@kernel
def _instants(process, message, role, place, send, delivered, copy_start, copy_end, n):  # type: ignore[no-untyped-def]
    messages = len(send)
    needed = np.zeros(messages, np.int32)
    for m in range(messages):
        if send[m] >= 0 and place[send[m]] >= 0:
            needed[m] = 1
            for c in range(copy_start[m], copy_end[m]):
                if delivered[c] >= 0 and place[delivered[c]] >= 0:
                    needed[m] += 1
    start, lines = by_process(process, n)
    head = start[:n].copy()
    present = np.zeros(messages, np.int32)
    taken = np.zeros(messages, np.uint8)
    ready = np.empty(messages, np.int32)
    top = 0
    for p in range(n):
        top = _advance(p, head, start, lines, message, role, place, present, needed, ready, top)
    while top > 0:
        top -= 1
        m = ready[top]
        taken[m] = 1
        p = process[send[m]]
        top = _pass(p, m, head, start, lines, message, role, place, present, needed, ready, top)
        for c in range(copy_start[m], copy_end[m]):
            if delivered[c] >= 0 and place[delivered[c]] >= 0:
                p = process[delivered[c]]
                top = _pass(p, m, head, start, lines, message, role, place, present, needed, ready, top)
    stands = np.full(n, -1, np.int64)
    for p in range(n):
        if head[p] < start[p + 1]:
            stands[p] = lines[head[p]]
    return stands, taken


@part
def _pass(p, m, head, start, lines, message, role, place, present, needed, ready, top):  # type: ignore[no-untyped-def]
    """Leave the events of a taken message behind, if p still stands there."""
    if head[p] == start[p + 1] or message[lines[head[p]]] != m:
        return top
    while head[p] < start[p + 1]:
        e = lines[head[p]]
        if place[e] >= 0 and (role[e] == SEND or role[e] == DELIVER) and needed[message[e]] > 1 and message[e] != m:
            break
        head[p] += 1
    return _advance(p, head, start, lines, message, role, place, present, needed, ready, top)


@part
def _advance(p, head, start, lines, message, role, place, present, needed, ready, top):  # type: ignore[no-untyped-def]
    """Go to the next event of a message, and count those of the same message that follow without another between."""
    current = -1
    i = head[p]
    while i < start[p + 1]:
        e = lines[i]
        if place[e] >= 0 and (role[e] == SEND or role[e] == DELIVER) and needed[message[e]] > 1:
            if current < 0:
                current = message[e]
                head[p] = i
            if message[e] != current:
                break
            present[current] += 1
        i += 1
    if current < 0:
        head[p] = start[p + 1]
        return top
    if present[current] == needed[current]:
        ready[top] = current
        top += 1
    return top
