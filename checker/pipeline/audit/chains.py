"""Compiled: the smallest violating pairs, and the causal chains between events.

A chain from one event to another is a sequence of messages, each sent after the one before was delivered at its sender;
the fewest messages make the smallest. Everything between two events lies between them in the order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiled import kernel, part
from .execution import Array, Execution
from .pairing import Ordered, Paired
from .tables import DELIVER, SEND

FAR = 2**30
MOST_STEPS = 500_000_000
"""Events looked at in search of the smallest pair of one execution."""


class Pair(NamedTuple):
    """`early` is the copy that was delivered before message `late`, which should have come before it; `chain` the
    messages between their sends; `exact` whether no pair has a shorter chain (None: not all were looked at)."""

    early: int
    late: int
    chain: tuple[int, ...]
    exact: bool


def chain(execution: Execution, order: Ordered, role: Array, first: int, last: int) -> tuple[int, ...] | None:
    """The messages of a shortest causal chain from one event to another; None where there is none."""
    begin, end = int(order.place[first]), int(order.place[last])
    if begin < 0 or end < begin:
        return None
    found = _chain(order.events, execution.process, execution.message, role, begin, end,
                   len(execution.processes), len(execution.messages))  # fmt: skip
    return None if found[0] == -2 else tuple(int(m) for m in found if m >= 0)


@kernel
def _chain(order, process, message, role, begin, end, n, messages):  # type: ignore[no-untyped-def]
    hops = np.full(n, FAR, np.int64)
    via = np.full(n, -1, np.int64)
    sent_hops = np.full(messages, FAR, np.int32)
    sent_via = np.full(messages, -1, np.int32)
    hops[process[order[begin]]] = 0
    for i in range(begin, end + 1):
        e = order[i]
        p, m = process[e], message[e]
        if role[e] == SEND:
            sent_hops[m] = hops[p]
            sent_via[m] = via[p]
        elif role[e] == DELIVER and i > begin and sent_hops[m] + 1 < hops[p]:
            hops[p] = sent_hops[m] + 1
            via[p] = m
    p = process[order[end]]
    if hops[p] >= FAR:
        return np.full(1, -2, np.int64)
    found = np.full(hops[p] + 1, -1, np.int64)
    m = via[p]
    for i in range(hops[p] - 1, -1, -1):
        found[i] = m
        m = sent_via[m]
    return found


def smallest_causal_pair(execution: Execution, paired: Paired, order: Ordered, early: Array) -> Pair:
    """Of the copies `early`, delivered too early, in order of their deliveries, the first with a shortest chain from
    the send of a message that should have come before."""
    oldest = _oldest_behind(execution, paired, order, early)
    copy, late, is_exact = _smallest(
        order.events, order.place, execution.process, execution.message, paired.role, paired.position, paired.send,
        paired.copy_start, paired.copy_end, paired.to, paired.of, paired.delivered, early, oldest,
        len(execution.processes), MOST_STEPS,
    )  # fmt: skip
    between = chain(execution, order, paired.role, int(paired.send[late]), int(paired.send[paired.of[copy]]))
    return Pair(int(copy), int(late), between or (), bool(is_exact))


def _oldest_behind(execution: Execution, paired: Paired, order: Ordered, early: Array) -> Array:
    """For each early copy the place of the oldest send whose message comes to the same process after it, or never."""
    sent = order.place[paired.send[paired.of]]
    position = np.where(paired.delivered >= 0, paired.position[paired.delivered], FAR)
    wanted = np.isin(paired.to, np.unique(paired.to[early])) & (sent >= 0)
    copies = np.nonzero(wanted)[0]
    copies = copies[np.lexsort((position[copies], paired.to[copies]))]
    oldest = np.full(len(paired.to), np.iinfo(np.int64).max)
    if len(copies):
        _suffix_minima(copies, paired.to, sent, oldest)
    return oldest[early]  # type: ignore[no-any-return]


@kernel
def _suffix_minima(copies, to, sent, oldest):  # type: ignore[no-untyped-def]
    least = sent[copies[-1]]
    for i in range(len(copies) - 1, -1, -1):
        c = copies[i]
        if i + 1 < len(copies) and to[copies[i + 1]] != to[c]:
            least = sent[c]
        least = min(least, sent[c])
        oldest[c] = least


@kernel
def _smallest(  # type: ignore[no-untyped-def]
    order,
    place,
    process,
    message,
    role,
    position,
    send,
    copy_start,
    copy_end,
    to,
    of,
    delivered,
    early,
    oldest,
    n,
    most,
):
    best, best_copy, best_late = FAR, early[0], -1
    hops = np.empty(n, np.int64)
    message_hops = np.full(len(send), FAR, np.int32)
    seen_in = np.full(len(send), -1, np.int32)
    steps = 0
    for k in range(len(early)):
        c = early[k]
        d, here = to[c], position[delivered[c]]
        hops[:] = FAR
        begin = place[send[of[c]]]
        hops[process[send[of[c]]]] = 0
        for i in range(begin - 1, oldest[k] - 1, -1):
            e = order[i]
            p, m = process[e], message[e]
            if role[e] == DELIVER:
                if hops[p] + 1 < best:
                    if seen_in[m] != k:
                        seen_in[m] = k
                        message_hops[m] = hops[p] + 1
                    elif hops[p] + 1 < message_hops[m]:
                        message_hops[m] = hops[p] + 1
            elif role[e] == SEND:
                if seen_in[m] == k and message_hops[m] < hops[p]:
                    hops[p] = message_hops[m]
                if hops[p] < best and _overtaken(copy_start, copy_end, to, delivered, position, m, d, here):
                    best, best_copy, best_late = hops[p], c, m
        if best == 0:
            return best_copy, best_late, True
        steps += max(0, begin - oldest[k])
        if steps > most and best_late >= 0:
            return best_copy, best_late, k + 1 == len(early)
    return best_copy, best_late, True


@part
def _overtaken(copy_start, copy_end, to, delivered, position, m, d, here):  # type: ignore[no-untyped-def]
    """Whether m is addressed to d and not delivered there up to position `here`."""
    for c in range(copy_start[m], copy_end[m]):
        if to[c] == d:
            return delivered[c] < 0 or position[delivered[c]] > here
    return False


def smallest_fifo_pair(execution: Execution, paired: Paired, early: Array) -> Pair:
    """Of the copies `early`, overtaken on their channel, the first whose sends are closest together at the sender."""
    p = paired
    copy, late = _closest(
        execution.process, execution.message, p.role, p.position, p.send, p.copy_start, p.copy_end, p.to, p.of,
        p.delivered, early,
    )  # fmt: skip
    return Pair(int(copy), int(late), (), True)


@kernel
def _closest(  # type: ignore[no-untyped-def]
    process, message, role, position, send, copy_start, copy_end, to, of, delivered, early
):
    best, best_copy, best_late = FAR, early[0], -1
    for c in early:
        last = send[of[c]]
        p, d, here = process[last], to[c], position[delivered[c]]
        e = last - 1
        while e >= 0:
            if process[e] == p:
                if position[last] - position[e] >= best:
                    break
                if role[e] == SEND and _overtaken(copy_start, copy_end, to, delivered, position, message[e], d, here):
                    best, best_copy, best_late = position[last] - position[e], c, message[e]
                    break
            e -= 1
    return best_copy, best_late
