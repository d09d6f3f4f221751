"""Compiled: a smallest crown of an execution that is not realisable with synchronous communication.

A crown is a cycle of messages M1 .. Mk in which the send of each causally precedes a delivery of the next. Two messages
are the fewest; whether some two make a crown is decided in windows of the order, each of which holds all causality
among its own events. Otherwise shortest cycles are searched in a bounded part, and a crown that is only found, not
shown to be smallest, says so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .chains import chain
from .compiled import kernel, part
from .execution import Array, Execution
from .pairing import Ordered, Paired, by_process
from .synchrony import stuck_messages
from .tables import DELIVER, SEND

WINDOW_CELLS = 16_000_000
MOST_WINDOW = 200_000
MOST_SEARCHED = 1500
"""Messages among which a crown of three or more is searched."""


class Crown(NamedTuple):
    """`messages` in their order, `chains[i]` the messages of a chain from the send of the i-th to a delivery of the
    next (none where both are at one process), which is the event `reached[i]`; `exact`: whether no crown has fewer
    messages."""

    messages: tuple[int, ...]
    chains: tuple[tuple[int, ...], ...]
    reached: tuple[int, ...]
    exact: bool


def smallest_crown(execution: Execution, paired: Paired, order: Ordered) -> Crown | None:
    """None exactly if the execution is realisable with synchronous communication."""
    stands, taken = stuck_messages(execution, paired, order)
    if (stands < 0).all():
        return None
    messages, is_exact = _two(execution, paired, order), True
    if not messages:
        messages, is_exact = _several(execution, paired, order, taken)
    if not messages:
        messages, is_exact = _walked(execution, paired, order, stands, taken), False
    links = [
        _to_delivery(execution, paired, order, m, messages[(i + 1) % len(messages)]) for i, m in enumerate(messages)
    ]
    return Crown(messages, tuple(found for found, _ in links), tuple(event for _, event in links), is_exact)


def _to_delivery(
    execution: Execution, paired: Paired, order: Ordered, one: int, other: int
) -> tuple[tuple[int, ...], int]:
    """A shortest chain from the send of one message to a delivery of another, and that delivery."""
    best: tuple[tuple[int, ...], int] = ((), -1)
    for c in range(paired.copy_start[other], paired.copy_end[other]):
        event = int(paired.delivered[c])
        found = chain(execution, order, paired.role, int(paired.send[one]), event) if event >= 0 else None
        if found is not None and (best[1] < 0 or len(found) < len(best[0])):
            best = found, event
    return best


def _two(execution: Execution, paired: Paired, order: Ordered) -> tuple[int, ...]:
    """Two messages that make a crown, the first in the order within a window; or none."""
    n = len(execution.processes)
    window = int(max(64, min(MOST_WINDOW, WINDOW_CELLS // n)))
    length = len(order.events)
    for begin in range(0, max(1, length), window):
        end = min(length, begin + 2 * window)
        found = _two_in(order.events[begin:end], execution.process, execution.message, paired.role, n,
                        len(execution.messages))  # fmt: skip
        if found[0] >= 0:
            return int(found[0]), int(found[1])
        if end == length:
            break
    return ()


@part
def _reach(events, process, message, role, n, messages):  # type: ignore[no-untyped-def]
    """The messages sent among `events`, numbered per process from 1, and what their deliveries know.

    Returns their ids, senders, numbers, and known[i, q]: of the sends of q, how many precede some delivery of the i-th.
    """
    local = np.full(messages, -1, np.int32)
    count = 0
    for e in events:
        if role[e] == SEND:
            local[message[e]] = count
            count += 1
    ids = np.empty(count, np.int64)
    sender = np.empty(count, np.int32)
    number = np.empty(count, np.int32)
    known = np.zeros((count, n), np.int32)
    carried = np.zeros((count, n), np.int32)
    clock = np.zeros((n, n), np.int32)
    for e in events:
        i = local[message[e]] if message[e] >= 0 else -1
        if i < 0:
            continue
        p = process[e]
        if role[e] == SEND:
            clock[p, p] += 1
            ids[i], sender[i], number[i] = message[e], p, clock[p, p]
            carried[i] = clock[p]
        elif role[e] == DELIVER:
            for q in range(n):
                clock[p, q] = max(clock[p, q], carried[i, q])
                known[i, q] = max(known[i, q], clock[p, q])
    return ids, sender, number, known


@kernel
def _two_in(events, process, message, role, n, messages):  # type: ignore[no-untyped-def]
    ids, sender, number, known = _reach(events, process, message, role, n, messages)
    count = len(ids)
    start, sent = by_process(sender, n)
    best = np.empty((count, n), np.int32)
    which = np.empty((count, n), np.int32)
    for p in range(n):
        for k in range(start[p], start[p + 1]):
            i = sent[k]
            for q in range(n):
                best[i, q], which[i, q] = known[i, q], i
                if k > start[p] and best[sent[k - 1], q] >= known[i, q]:
                    best[i, q], which[i, q] = best[sent[k - 1], q], which[sent[k - 1], q]
    for j in range(count):
        if known[j, sender[j]] == 0:
            continue
        for p in range(n):
            most = number[j] - 1 if p == sender[j] else known[j, p]
            if most > 0:
                i = sent[start[p] + most - 1]
                if best[i, sender[j]] >= number[j]:
                    return ids[which[i, sender[j]]], ids[j]
    return -1, -1


def _several(execution: Execution, paired: Paired, order: Ordered, taken: Array) -> tuple[tuple[int, ...], bool]:
    """A shortest cycle among the first messages that are left; exact if these are all."""
    left = np.nonzero((taken == 0) & (paired.send >= 0))[0]
    left = left[order.place[paired.send[left]] >= 0]
    left = left[np.argsort(order.place[paired.send[left]], kind="stable")]
    searched = left[:MOST_SEARCHED]
    among = np.zeros(len(execution.messages), np.uint8)
    among[searched] = 1
    mine = (execution.message >= 0) & (among[execution.message] == 1)
    events = order.events[mine[order.events]]
    is_whole = len(searched) == len(left)
    if not len(events):
        return (), False
    found = _shortest(events, execution.process, execution.message, paired.role, len(execution.processes),
                      len(execution.messages))  # fmt: skip
    return tuple(int(m) for m in found), is_whole


@kernel
def _shortest(events, process, message, role, n, messages):  # type: ignore[no-untyped-def]
    """A shortest cycle by a breadth-first search from every message; empty without one."""
    ids, sender, number, known = _reach(events, process, message, role, n, messages)
    count = len(ids)
    parent = np.empty(count, np.int32)
    depth = np.empty(count, np.int32)
    queue = np.empty(count, np.int32)
    shortest = np.empty(0, np.int64)
    for root in range(count):
        parent[:] = -1
        depth[:] = -1
        queue[0], depth[root] = root, 0
        first, last, is_closed = 0, 1, False
        while first < last and not is_closed:
            i = queue[first]
            first += 1
            if len(shortest) and depth[i] + 1 >= len(shortest):
                break
            for j in range(count):
                if j == i or known[j, sender[i]] < number[i]:
                    continue
                if j == root:
                    shortest = np.empty(depth[i] + 1, np.int64)
                    while i >= 0:
                        shortest[depth[i]] = ids[i]
                        i = parent[i]
                    is_closed = True
                    break
                if depth[j] < 0:
                    depth[j], parent[j] = depth[i] + 1, i
                    queue[last] = j
                    last += 1
    return shortest


def _walked(execution: Execution, paired: Paired, order: Ordered, stands: Array, taken: Array) -> tuple[int, ...]:
    """Some crown: from a message that is left to one that stands before it at a process, until one comes again."""
    current = int(execution.message[int(stands[stands >= 0][0])])
    path: list[int] = []
    while current not in path:
        path.append(current)
        events = [int(paired.send[current])]
        events += [
            int(paired.delivered[c])
            for c in range(paired.copy_start[current], paired.copy_end[current])
            if paired.delivered[c] >= 0 and order.place[paired.delivered[c]] >= 0
        ]
        before = [int(stands[execution.process[e]]) for e in events]
        others = [int(execution.message[b]) for b in before if b >= 0 and execution.message[b] != current]
        if not others:
            return _between(execution, paired, order, current)
        current = others[0]
    return tuple(reversed(path[path.index(current) :]))


def _between(execution: Execution, paired: Paired, order: Ordered, message: int) -> tuple[int, int]:
    """A message to its own sender, and one with an event between its send and that delivery."""
    process = execution.process[paired.send[message]]
    for e in range(int(paired.send[message]) + 1, execution.events):
        other = int(execution.message[e])
        is_here = execution.process[e] == process and paired.role[e] in (SEND, DELIVER) and order.place[e] >= 0
        if is_here and other != message and paired.deliveries[other]:
            return message, other
    raise AssertionError("no message stands in the way")
