"""Compiled: the sends, copies and deliveries of an execution, and an order of its events that follows causality."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .compiled import kernel, part
from .execution import Array, Execution
from .tables import DELIVER, OTHER, RECEIVE, SEND

SENT_TWICE, NEVER_SENT, DELIVERED_TWICE, NOT_ADDRESSED, RECEIVED_TWICE = range(1, 6)
ARRIVAL = RECEIVE
"""What a receive event is when the same process also has a deliver event for the message."""


class Paired(NamedTuple):
    """What belongs together. A copy is (message, destination); those of message m are `copy_start[m]:copy_end[m]`.

    By event: `role` (other, send, deliver, arrival), `copy` (that it delivers, or -1), `fault` (why it is left out, or
    0), `position` (its number among the events of its process). By message: `send` (its event, -1 without one),
    `deliveries`. By copy: `to`, `delivered` and `arrived` (events, or -1), `of` (its message).
    """

    role: Array
    copy: Array
    fault: Array
    position: Array
    send: Array
    copy_start: Array
    copy_end: Array
    deliveries: Array
    to: Array
    delivered: Array
    arrived: Array
    of: Array


def pair(execution: Execution) -> Paired:
    """Find the send of every delivery."""
    e = execution
    return Paired(
        *_pair(e.kind, e.process, e.message, e.known, e.dest_start, e.dest, len(e.processes), len(e.messages))
    )


@kernel
def _pair(kind, process, message, known, dest_start, dest, processes, messages):  # type: ignore[no-untyped-def]
    events = len(kind)
    role = np.zeros(events, np.int8)
    copy = np.full(events, -1, np.int64)
    fault = np.zeros(events, np.int8)
    position = np.zeros(events, np.int32)
    send = np.full(messages, -1, np.int64)
    room = np.zeros(messages + 1, np.int64)
    count = np.zeros(processes, np.int32)
    for e in range(events):
        p, m = process[e], message[e]
        position[e] = count[p]
        count[p] += 1
        if m < 0 or kind[e] == OTHER:
            continue
        if kind[e] != SEND:
            room[m + 1] += 1
        elif send[m] < 0:
            send[m] = e
            role[e] = SEND
        else:
            fault[e] = SENT_TWICE
    for m in range(messages):
        if send[m] < 0:
            room[m + 1] = 0
        elif known[send[m]]:
            room[m + 1] = dest_start[send[m] + 1] - dest_start[send[m]]
    start = np.cumsum(room)
    end = start[:messages].copy()
    to = np.zeros(start[messages], np.int32)
    of = np.zeros(start[messages], np.int32)
    delivered = np.full(start[messages], -1, np.int64)
    arrived = np.full(start[messages], -1, np.int64)
    for m in range(messages):
        if send[m] >= 0 and known[send[m]]:
            last = -1
            for d in np.sort(dest[dest_start[send[m]] : dest_start[send[m] + 1]]):
                if d != last:
                    to[end[m]] = d
                    of[end[m]] = m
                    end[m] += 1
                    last = d
    for wanted in (DELIVER, RECEIVE):
        for e in range(events):
            m = message[e]
            if kind[e] != wanted or m < 0:
                continue
            if send[m] < 0:
                fault[e] = NEVER_SENT
                continue
            c = _find(to, start[m], end[m], process[e], known[send[m]])
            if c < 0 and known[send[m]]:
                fault[e] = NOT_ADDRESSED
                continue
            if c < 0:
                c = end[m]
                to[c] = process[e]
                of[c] = m
                end[m] += 1
            if delivered[c] < 0:
                delivered[c] = e
                copy[e] = c
                role[e] = DELIVER
            elif wanted == DELIVER or kind[delivered[c]] == RECEIVE:
                fault[e] = DELIVERED_TWICE
            elif arrived[c] >= 0:
                fault[e] = RECEIVED_TWICE
            else:
                arrived[c] = e
                copy[e] = c
                role[e] = ARRIVAL
    deliveries = np.zeros(messages, np.int32)
    for c in range(len(to)):
        if delivered[c] >= 0:
            deliveries[of[c]] += 1
    return role, copy, fault, position, send, start[:messages], end, deliveries, to, delivered, arrived, of


@part
def _find(to, low, high, process, is_sorted):  # type: ignore[no-untyped-def]
    """The place of `process` in to[low:high], or -1."""
    if is_sorted and high - low > 8:
        place = low + np.searchsorted(to[low:high], process)
        return place if place < high and to[place] == process else -1
    for c in range(low, high):
        if to[c] == process:
            return c
    return -1


class Ordered(NamedTuple):
    """Events so that every delivery follows its send: that of the log where it does so, otherwise the processes' own.

    `place` is the place of each event in `events`, -1 for those behind a cycle; `blocked` holds, for each process, the
    delivery at which it stands for ever, or -1.
    """

    events: Array
    place: Array
    blocked: Array
    is_of_log: bool


def ordered(execution: Execution, paired: Paired) -> Ordered:
    """An order of the events; without those that a cycle keeps from happening."""
    if _follows(paired.role, execution.message, len(execution.messages)):
        events = np.arange(execution.events, dtype=np.int64)
        return Ordered(events, events, np.full(len(execution.processes), -1, np.int64), True)
    found = _sorted(
        execution.process, execution.message, paired.role, len(execution.processes), len(execution.messages)
    )
    return Ordered(found[0], found[1], found[2], False)


@kernel
def _follows(role, message, messages):  # type: ignore[no-untyped-def]
    sent = np.zeros(messages, np.uint8)
    for e in range(len(role)):
        if role[e] == SEND:
            sent[message[e]] = 1
        elif role[e] == DELIVER and not sent[message[e]]:
            return False
    return True


@kernel
def by_process(process, processes):  # type: ignore[no-untyped-def]
    """The events of each process in their order: those of p are events[start[p]:start[p + 1]]."""
    start = np.zeros(processes + 1, np.int64)
    for p in process:
        start[p + 1] += 1
    start = np.cumsum(start)
    next = start.copy()
    events = np.empty(len(process), np.int64)
    for e in range(len(process)):
        events[next[process[e]]] = e
        next[process[e]] += 1
    return start, events


@kernel
def _sorted(process, message, role, processes, messages):  # type: ignore[no-untyped-def]
    """Each process runs until it waits for a send; the send wakes those that wait for it."""
    start, lines = by_process(process, processes)
    head = start[:processes].copy()
    order = np.empty(len(process), np.int64)
    place = np.full(len(process), -1, np.int64)
    sent = np.zeros(messages, np.uint8)
    first_waiting = np.full(messages, -1, np.int32)
    next_waiting = np.full(processes, -1, np.int32)
    ready = np.arange(processes - 1, -1, -1)
    top, done = processes, 0
    while top > 0:
        top -= 1
        p = ready[top]
        while head[p] < start[p + 1]:
            e = lines[head[p]]
            m = message[e]
            if role[e] == DELIVER and not sent[m]:
                next_waiting[p] = first_waiting[m]
                first_waiting[m] = p
                break
            order[done] = e
            place[e] = done
            done += 1
            head[p] += 1
            if role[e] == SEND:
                sent[m] = 1
                q = first_waiting[m]
                while q >= 0:
                    ready[top] = q
                    top += 1
                    q = next_waiting[q]
                first_waiting[m] = -1
    blocked = np.full(processes, -1, np.int64)
    for p in range(processes):
        if head[p] < start[p + 1]:
            blocked[p] = lines[head[p]]
    return order[:done], place, blocked


def cycle(execution: Execution, paired: Paired, found: Ordered) -> list[int]:
    """Deliveries, each at the process that sends, later, what the one before waits for; empty without a cycle."""
    blocked: list[Any] = found.blocked.tolist()
    waiting = next((e for e in blocked if e >= 0), None)
    seen: list[int] = []
    while waiting is not None and waiting not in seen:
        seen.append(waiting)
        waiting = blocked[execution.process[paired.send[execution.message[waiting]]]]
    return seen[seen.index(waiting) :] if waiting is not None else []
