"""SES compiled: a vector clock, and one vector for each destination."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import copy, part
from .drawing import fold
from .kernel_parts import ANY, READY, register
from .workload import Schedule


class SES(NamedTuple):
    """T[p]: the clock; V[p, d]: the vector of the pair for d, has[p, d] whether there is one; tm, VM, hasM[slot]: what
    a message carries."""

    T: NDArray[np.int32]
    V: NDArray[np.int32]
    has: NDArray[np.bool_]
    tm: NDArray[np.int32]
    VM: NDArray[np.int32]
    hasM: NDArray[np.bool_]


def ses(schedule: Schedule, slots: int) -> SES:
    """The initial state: clocks are 0, and there are no pairs."""
    n = schedule.processes
    return SES(
        np.zeros((n, n), np.int32),
        np.zeros((n, n, n), np.int32),
        np.zeros((n, n), np.bool_),
        np.zeros((slots, n), np.int32),
        np.zeros((slots, n, n), np.int32),
        np.zeros((slots, n), np.bool_),
    )


def ses_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """s1 to s3."""
    n = schedule.processes
    a.T[i, i] += 1
    copy(a.tm[slot], a.T[i])
    copy(a.hasM[slot], a.has[i])
    pairs = 0
    for d in range(n):
        if a.has[i, d]:
            pairs += 1
            copy(a.VM[slot, d], a.V[i, d])
    for c in range(schedule.first[m], schedule.first[m + 1]):
        d = schedule.dest[c]
        out.units[c] = n * (1 + pairs)
        out.bytes[c] = 4 * n * (1 + pairs) + 2 * pairs
        copy(a.V[i, d], a.T[i])
        a.has[i, d] = True


def ses_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """d1: any delivery may raise a component of the clock."""
    if a.hasM[slot, j]:
        for k in range(schedule.processes):
            if a.VM[slot, j, k] > a.T[j, k]:
                return ANY
    return READY


def ses_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """d3 to d5."""
    n = schedule.processes
    for d in range(n):
        if a.hasM[slot, d] and d != j:
            raise_to(a, j, d, a.VM[slot, d])
    for c in range(schedule.first[m], schedule.first[m + 1]):
        if schedule.dest[c] != j:
            raise_to(a, j, schedule.dest[c], a.tm[slot])
    for k in range(n):
        a.T[j, k] = max(a.T[j, k], a.tm[slot, k])


@part
def raise_to(a: Any, j: int, d: int, v: Any) -> None:
    """V[d] of j becomes the maximum with v."""
    if not a.has[j, d]:
        a.has[j, d] = True
        copy(a.V[j, d], v)
    else:
        row = a.V[j, d]
        for k in range(len(v)):
            row[k] = max(row[k], v[k])


def ses_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of the counters that are not 0: (0, k, count) of tm, (1 + d, k, count) of V[d]."""
    total = np.uint64(0)
    for k in range(schedule.processes):
        if a.tm[slot, k]:
            total += fold(0, k, a.tm[slot, k])
    for d in range(schedule.processes):
        for k in range(schedule.processes):
            if a.hasM[slot, d] and a.VM[slot, d, k]:
                total += fold(1 + d, k, a.VM[slot, d, k])
    return total


register(SES, send=ses_send, blocker=ses_blocker, deliver=ses_deliver, digest=ses_digest)
