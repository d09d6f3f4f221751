"""The compiled event loop: sends and arrivals in order of time, deliveries as soon as the algorithm allows them.

Of the packets that wait at a process the one that arrived first of those that may be delivered is delivered, and they
are looked at again after every delivery.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import inlined, kernel, part
from .drawing import drawn_delay
from .kernel_parts import (
    ANY,
    READY,
    blocker,
    deliver,
    digest,
    emission,
    emitted,
    failed,
    send,
    signal_blocker,
    signal_receive,
    signal_size,
)
from .truth import is_free, note_delivery, note_send

STALE = -2
"""Of a packet that waits: it has to be looked at again."""

DONE, UNDELIVERED, SLOTS, ROOM, SIGNALS = range(5)
"""How a run ends: every copy is delivered; one never is; or there is too little of something: of slots, of the room
that the algorithm has for its own, of places for signals."""

PARTS_OF_SIZE = 4
"""Sums over the measured copies: entries that are not empty, ids in them, constraints (DC), distinct senders."""


class Out(NamedTuple):
    """What a run gives. Of copy c: delivered (time, -1: never), buffered (whether it had to wait), free_since (from
    when on its wait was false, -1: never), units, bytes, digest and order of deliveries (if asked for). parts: sums
    over the measured copies. Of signal g: sender, to, sent, received, units and bytes."""

    delivered: NDArray[np.float64]
    buffered: NDArray[np.bool_]
    free_since: NDArray[np.float64]
    units: NDArray[np.int32]
    bytes: NDArray[np.int32]
    digest: NDArray[np.uint64]
    order: NDArray[np.int64]
    parts: NDArray[np.int64]
    signal_ends: NDArray[np.int32]
    signal_times: NDArray[np.float64]
    signal_sizes: NDArray[np.int64]
    signals: NDArray[np.int64]


class Queues(NamedTuple):
    """What is where. slot_of[m]; left[slot]: copies not yet delivered; free: a stack of slots, its length in size[0].
    head, tail[p], after: the packets waiting at p in order of arrival, copy c as c and signal g as copies + g;
    blocked: by whom. heap_time, heap_what: signals in transit, their number in size[1]; size[2]:
    1 when there were too many signals; size[3]: copies delivered; signal_slot[g].
    on_channel[i * n + j]: signals sent so far."""

    slot_of: NDArray[np.int32]
    left: NDArray[np.int32]
    free: NDArray[np.int32]
    size: NDArray[np.int64]
    head: NDArray[np.int64]
    tail: NDArray[np.int64]
    after: NDArray[np.int64]
    blocked: NDArray[np.int16]
    heap_time: NDArray[np.float64]
    heap_what: NDArray[np.int64]
    signal_slot: NDArray[np.int32]
    on_channel: NDArray[np.int64]


@kernel
def run(a: Any, schedule: Any, truth: Any, out: Any, q: Any) -> int:
    """Run the schedule until every copy is delivered, or cannot be; returns how it ended, see DONE."""
    copies = len(schedule.dest)
    at, events = 0, schedule.events
    while at < len(events) or (q.size[1] > 0 and q.size[3] < copies):
        now = np.inf
        if at < len(events):
            now = schedule.sent[events[at]] if events[at] >= 0 else schedule.arrived[~events[at]]
        if q.size[1] > 0 and q.heap_time[0] < now:
            now = q.heap_time[0]
            what = copies + popped(q)
        else:
            what = ~events[at]
            at += 1
        if what < 0:
            if q.size[0] == 0:
                return SLOTS
            begin(a, schedule, truth, out, q, now, ~what)
        else:
            arrive(a, schedule, truth, out, q, now, what)
        if failed(a):
            return ROOM
        if q.size[2] > 0:
            return SIGNALS
    return DONE if q.size[3] == copies else UNDELIVERED


@inlined
def begin(a: Any, schedule: Any, truth: Any, out: Any, q: Any, now: float, m: int) -> None:
    """The send of m."""
    i = schedule.sender[m]
    q.size[0] -= 1
    slot = q.free[q.size[0]]
    q.slot_of[m] = slot
    q.left[slot] = schedule.first[m + 1] - schedule.first[m]
    if truth.kind > 0:
        note_send(truth, schedule, i, m, slot)
    send(a, schedule, out, i, m, slot)
    if len(out.digest) > 0:
        for c in range(schedule.first[m], schedule.first[m + 1]):
            out.digest[c] = digest(a, schedule, i, schedule.dest[c], m, slot)
    if emitted(a) > 0:
        transmit(a, schedule, out, q, now, i)


@part
def transmit(a: Any, schedule: Any, out: Any, q: Any, now: float, i: int) -> None:
    """Put the signals that the last step of i has sent into the network."""
    for e in range(emitted(a)):
        to, slot = emission(a, e)
        g = out.signals[0]
        if g == len(q.signal_slot):
            q.size[2] = 1
            return
        out.signals[0] += 1
        channel = i * schedule.processes + to
        delay = drawn_delay(schedule.seed, channel, q.on_channel[channel], schedule.shape, schedule.mean)
        q.on_channel[channel] += 1
        q.signal_slot[g] = slot
        out.signal_ends[g, 0] = i
        out.signal_ends[g, 1] = to
        out.signal_times[g, 0] = now
        out.signal_times[g, 1] = -1
        units, size = signal_size(a, slot)
        out.signal_sizes[g, 0] = units
        out.signal_sizes[g, 1] = size
        pushed(q, now + delay, g)


@part
def pushed(q: Any, time: float, what: int) -> None:
    """Put a signal into the heap."""
    at = q.size[1]
    q.size[1] += 1
    while at > 0:
        above = (at - 1) // 2
        if q.heap_time[above] <= time:
            break
        q.heap_time[at] = q.heap_time[above]
        q.heap_what[at] = q.heap_what[above]
        at = above
    q.heap_time[at] = time
    q.heap_what[at] = what


@part
def popped(q: Any) -> int:
    """Take the earliest signal out of the heap."""
    first = q.heap_what[0]
    q.size[1] -= 1
    last = q.size[1]
    time, what = q.heap_time[last], q.heap_what[last]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= last:
            break
        if below + 1 < last and q.heap_time[below + 1] < q.heap_time[below]:
            below += 1
        if time <= q.heap_time[below]:
            break
        q.heap_time[at] = q.heap_time[below]
        q.heap_what[at] = q.heap_what[below]
        at = below
    q.heap_time[at] = time
    q.heap_what[at] = what
    return first


@inlined
def tested(a: Any, schedule: Any, q: Any, j: int, what: int) -> int:
    """The blocker of a packet at j, or READY."""
    copies = len(schedule.dest)
    if what >= copies:
        return signal_blocker(a, j, q.signal_slot[what - copies])
    m = schedule.message[what]
    return blocker(a, schedule, j, schedule.sender[m], m, q.slot_of[m])


@inlined
def arrive(a: Any, schedule: Any, truth: Any, out: Any, q: Any, now: float, what: int) -> None:
    """The arrival of a packet: it is taken, with those that waited for it, or it waits."""
    copies = len(schedule.dest)
    j = schedule.dest[what] if what < copies else out.signal_ends[what - copies, 1]
    by = tested(a, schedule, q, j, what)
    if by == READY:
        take(a, schedule, truth, out, q, now, j, what)
        if q.head[j] >= 0:
            look_again(a, schedule, truth, out, q, now, j)
        return
    q.blocked[what] = by
    q.after[what] = -1
    if q.head[j] < 0:
        q.head[j] = what
    else:
        q.after[q.tail[j]] = what
    q.tail[j] = what
    if what < copies:
        out.buffered[what] = True
        m = schedule.message[what]
        if truth.kind > 0 and is_free(truth, schedule, out.delivered, j, m, q.slot_of[m]):
            out.free_since[what] = now


@inlined
def take(a: Any, schedule: Any, truth: Any, out: Any, q: Any, now: float, j: int, what: int) -> None:
    """j delivers a copy, or receives a signal; what waited for its sender has to be looked at again."""
    copies = len(schedule.dest)
    if what < copies:
        m = schedule.message[what]
        i, slot = schedule.sender[m], q.slot_of[m]
        deliver(a, schedule, j, i, m, slot)
        out.delivered[what] = now
        if len(out.order) > 0:
            out.order[q.size[3]] = what
        if truth.kind > 0:
            note_delivery(truth, schedule, j, i, m, slot)
        q.size[3] += 1
        q.left[slot] -= 1
        if q.left[slot] == 0:
            q.free[q.size[0]] = slot
            q.size[0] += 1
    else:
        g = what - copies
        i = out.signal_ends[g, 0]
        signal_receive(a, j, i, q.signal_slot[g])
        out.signal_times[g, 1] = now
    if emitted(a) > 0:
        transmit(a, schedule, out, q, now, j)
    waiting = q.head[j]
    while waiting >= 0:
        if q.blocked[waiting] == i or q.blocked[waiting] == ANY:
            q.blocked[waiting] = STALE
        waiting = q.after[waiting]


@part
def look_again(a: Any, schedule: Any, truth: Any, out: Any, q: Any, now: float, j: int) -> None:
    """Take whatever may be taken at j, the oldest first, and note which waits have become false."""
    copies = len(schedule.dest)
    before, waiting = -1, q.head[j]
    while waiting >= 0:
        following = q.after[waiting]
        if q.blocked[waiting] == STALE:
            by = tested(a, schedule, q, j, waiting)
            if by == READY:
                if before < 0:
                    q.head[j] = following
                else:
                    q.after[before] = following
                if following < 0:
                    q.tail[j] = before
                take(a, schedule, truth, out, q, now, j, waiting)
                before, waiting = -1, q.head[j]
                continue
            q.blocked[waiting] = by
        before, waiting = waiting, following
    waiting = q.head[j]
    while truth.kind > 0 and waiting >= 0:
        if waiting < copies and out.free_since[waiting] < 0:
            m = schedule.message[waiting]
            if is_free(truth, schedule, out.delivered, j, m, q.slot_of[m]):
                out.free_since[waiting] = now
        waiting = q.after[waiting]
