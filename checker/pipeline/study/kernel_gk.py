"""GK compiled: two matrices of counters, kept by destination; a send may depend on the latest event of its process."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import copy
from .drawing import fold
from .kernel_parts import READY, register
from .workload import Schedule


class GK(NamedTuple):
    """PREV, CONC[p, l, k]: messages from k to l sent up to MCV and after it; SP, SC[slot]: of a message; DELIV[p, k];
    event[p], MCV[p]: the number of the latest event of p, and of the latest that semantically precedes (GK-5a)."""

    PREV: NDArray[np.int32]
    CONC: NDArray[np.int32]
    SP: NDArray[np.int32]
    SC: NDArray[np.int32]
    DELIV: NDArray[np.int32]
    event: NDArray[np.int64]
    MCV: NDArray[np.int64]


def gk(schedule: Schedule, slots: int) -> GK:
    """The initial state: no event yet."""
    n = schedule.processes
    return GK(
        np.zeros((n, n, n), np.int32),
        np.zeros((n, n, n), np.int32),
        np.zeros((slots, n, n), np.int32),
        np.zeros((slots, n, n), np.int32),
        np.zeros((n, n), np.int32),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )


def gk_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """E1 to E7."""
    n = schedule.processes
    depends_on = a.event[i] if len(schedule.dependent) > 0 and schedule.dependent[m] else 0
    a.event[i] += 1
    if depends_on > a.MCV[i]:
        PREV, CONC = a.PREV[i].ravel(), a.CONC[i].ravel()
        for x in range(len(PREV)):
            PREV[x] += CONC[x]
            CONC[x] = 0
        a.MCV[i] = a.event[i]
    copy(a.SP[slot], a.PREV[i])
    copy(a.SC[slot], a.CONC[i])
    for c in range(schedule.first[m], schedule.first[m + 1]):
        out.units[c] = 2 * n * n
        out.bytes[c] = 8 * n * n
        a.CONC[i, schedule.dest[c], i] += 1


def gk_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """R1."""
    for k in range(schedule.processes):
        if a.SP[slot, j, k] > a.DELIV[j, k]:
            return k
    return READY


def gk_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """R3 to R8; the copies of m are counted for the time of R7 on what m carries, of which other copies are in use."""
    a.event[j] += 1
    for c in range(schedule.first[m], schedule.first[m + 1]):
        a.SC[slot, schedule.dest[c], i] += 1
    PREV, CONC, SP, SC = a.PREV[j].ravel(), a.CONC[j].ravel(), a.SP[slot].ravel(), a.SC[slot].ravel()
    for x in range(len(PREV)):
        latest = max(PREV[x], SP[x])
        CONC[x] = max(CONC[x] + PREV[x], SP[x] + SC[x]) - latest
        PREV[x] = latest
    for c in range(schedule.first[m], schedule.first[m + 1]):
        a.SC[slot, schedule.dest[c], i] -= 1
    a.DELIV[j, i] += 1


def gk_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of the counters that are not 0: (k, l, count) of SP and (n + k, l, count) of SC."""
    n = schedule.processes
    total = np.uint64(0)
    for d in range(n):
        for k in range(n):
            if a.SP[slot, d, k]:
                total += fold(k, d, a.SP[slot, d, k])
            if a.SC[slot, d, k]:
                total += fold(n + k, d, a.SC[slot, d, k])
    return total


register(GK, send=gk_send, blocker=gk_blocker, deliver=gk_deliver, digest=gk_digest)
