"""What order asks for, tracked beside an algorithm: which waits are false because nothing is outstanding any more.

CAUSAL: every message to j in the causal past of m is delivered at j (matrices of counts, as in RST). SEMANTIC: every
message to j on which m depends is; a send depends on at most one event of its process, the latest, and a delivery on
its send, so what m depends on is a chain of messages.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import copy, part
from .workload import Schedule

NONE, CAUSAL, SEMANTIC = range(3)
TRUTHS = {"none": NONE, "causal": CAUSAL, "semantic": SEMANTIC}


class Truth(NamedTuple):
    """known[p, d, k]: messages from k to d in the past of p; carried[slot] the same of a message; taken[p, k]: messages
    of k delivered at p. parent[m]: the message on which m directly depends, or -1; latest[p]: that of the latest event
    of p; settled[m]: m and all before it are delivered everywhere; left[m]: copies not yet delivered."""

    kind: int
    known: NDArray[np.int32]
    carried: NDArray[np.int32]
    taken: NDArray[np.int32]
    parent: NDArray[np.int64]
    latest: NDArray[np.int64]
    settled: NDArray[np.bool_]
    left: NDArray[np.int64]


def truth_of(kind: str, schedule: Schedule, slots: int) -> Truth:
    """The beginning: nothing sent."""
    n = schedule.processes if kind == "causal" else 0
    messages = len(schedule.sent) if kind == "semantic" else 0
    return Truth(
        TRUTHS[kind],
        np.zeros((n, n, n), np.int32),
        np.zeros((slots if n else 0, n, n), np.int32),
        np.zeros((n, n), np.int32),
        np.full(messages, -1, np.int64),
        np.full(schedule.processes, -1, np.int64),
        np.zeros(messages, np.bool_),
        np.diff(schedule.first) if messages else np.zeros(0, np.int64),
    )


@part
def note_send(t: Any, schedule: Any, i: int, m: int, slot: int) -> None:
    """Process i sends m."""
    if t.kind == CAUSAL:
        copy(t.carried[slot], t.known[i])
        for c in range(schedule.first[m], schedule.first[m + 1]):
            t.known[i, schedule.dest[c], i] += 1
    elif t.kind == SEMANTIC:
        if schedule.dependent[m]:
            t.parent[m] = t.latest[i]
        t.latest[i] = m


@part
def note_delivery(t: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """Process j delivers m of i."""
    if t.kind == CAUSAL:
        n = schedule.processes
        for d in range(n):
            for k in range(n):
                t.known[j, d, k] = max(t.known[j, d, k], t.carried[slot, d, k])
        for c in range(schedule.first[m], schedule.first[m + 1]):
            d = schedule.dest[c]
            t.known[j, d, i] = max(t.known[j, d, i], t.carried[slot, d, i] + 1)
        t.taken[j, i] += 1
    elif t.kind == SEMANTIC:
        t.latest[j] = m
        t.left[m] -= 1


@part
def is_free(t: Any, schedule: Any, delivered: Any, j: int, m: int, slot: int) -> bool:
    """Whether the order that is tracked lets j deliver m now. Without one nothing is known, and the answer is no."""
    if t.kind == CAUSAL:
        for k in range(schedule.processes):
            if t.carried[slot, j, k] > t.taken[j, k]:
                return False
        return True
    if t.kind == SEMANTIC:
        before = t.parent[m]
        while before >= 0 and not t.settled[before]:
            for c in range(schedule.first[before], schedule.first[before + 1]):
                if schedule.dest[c] == j and delivered[c] < 0:
                    return False
            above = t.parent[before]
            if t.left[before] == 0 and (above < 0 or t.settled[above]):
                t.settled[before] = True
            before = above
        return True
    return False
