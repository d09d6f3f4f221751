"""RST and PRS compiled: matrices of counters, kept by destination so that what is compared lies side by side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import clear, copy, part
from .drawing import fold
from .kernel_parts import READY, register
from .workload import Schedule

Counts = NDArray[np.int32]


class RST(NamedTuple):
    """SENT[p, l, k]: messages from k to l known at p to be sent; ST[slot]: what a message carries; DELIV[p, k]."""

    SENT: Counts
    ST: Counts
    DELIV: Counts


def rst(schedule: Schedule, slots: int) -> RST:
    """The initial state: all counters are 0."""
    n = schedule.processes
    return RST(np.zeros((n, n, n), np.int32), np.zeros((slots, n, n), np.int32), np.zeros((n, n), np.int32))


def rst_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """s1, s2."""
    n = schedule.processes
    copy(a.ST[slot], a.SENT[i])
    for c in range(schedule.first[m], schedule.first[m + 1]):
        a.SENT[i, schedule.dest[c], i] += 1
        out.units[c] = n * n
        out.bytes[c] = 4 * n * n


def rst_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """d1."""
    for k in range(schedule.processes):
        if a.ST[slot, j, k] > a.DELIV[j, k]:
            return k
    return READY


def rst_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """d3 to d5."""
    SENT, ST = a.SENT[j].ravel(), a.ST[slot].ravel()
    for x in range(len(SENT)):
        SENT[x] = max(SENT[x], ST[x])
    for c in range(schedule.first[m], schedule.first[m + 1]):
        d = schedule.dest[c]
        a.SENT[j, d, i] = max(a.SENT[j, d, i], a.ST[slot, d, i] + 1)
    a.DELIV[j, i] += 1


def rst_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of the counters that are not 0: (k, l, count)."""
    total = np.uint64(0)
    for d in range(schedule.processes):
        for k in range(schedule.processes):
            if a.ST[slot, d, k]:
                total += fold(k, d, a.ST[slot, d, k])
    return total


register(RST, send=rst_send, blocker=rst_blocker, deliver=rst_deliver, digest=rst_digest)


UNITES, LEARNS, PRUNES, LESS = range(4)
"""What a form of PRS does, by readings PRS-2 to PRS-4: unite in s3 and d4 (PRS-2b) instead of replacing; d3; d6; carry
nothing about the other destinations (PRS-4b, d)."""


class PRS(NamedTuple):
    """CB[p, d, k]: the count of the pair (k, count) in CB[d] of p, 0 for none; CBM[slot]: what a message carries;
    DELIV[p, l, k]: the last message of k known at p to be delivered at l; form: what is done, see UNITES."""

    CB: Counts
    CBM: Counts
    DELIV: Counts
    form: NDArray[np.bool_]


def prs(schedule: Schedule, slots: int, readings: tuple[str, ...] = ()) -> PRS:
    """The initial state: nothing is known. `readings`: those that are not the default, such as PRS-2b."""
    n, changed = schedule.processes, set(readings)
    return PRS(
        np.zeros((n, n, n), np.int32),
        np.zeros((slots, n, n), np.int32),
        np.zeros((n, n, n), np.int32),
        np.array([
            "PRS-2b" in changed,
            not changed & {"PRS-3b", "PRS-3d"},
            not changed & {"PRS-3c", "PRS-3d"},
            bool(changed & {"PRS-4b", "PRS-4d"}),
        ]),
    )  # fmt: skip


def prs_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """s1 to s3."""
    CB, CBM = a.CB[i].ravel(), a.CBM[slot].ravel()
    pairs = np.int32(0)
    for x in range(len(CB)):
        CBM[x] = CB[x]
        pairs += np.int32(CB[x] > 0)
    copies = range(schedule.first[m], schedule.first[m + 1])
    if a.form[LESS]:
        for c in copies:
            pairs -= filled(a.CB[i, schedule.dest[c]])
    for c in copies:
        d = schedule.dest[c]
        own = filled(a.CB[i, d]) if a.form[LESS] else np.int32(0)
        out.units[c] = pairs + own
        out.bytes[c] = 6 * (pairs + own)
        if not a.form[UNITES]:
            clear(a.CB[i, d])
        a.CB[i, d, i] = schedule.number[m]


@part
def filled(row: Any) -> Any:
    """Pairs in CB[d]."""
    pairs = np.int32(0)
    for k in range(len(row)):
        pairs += np.int32(row[k] > 0)
    return pairs


def prs_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """d1."""
    for k in range(schedule.processes):
        if a.CBM[slot, j, k] > a.DELIV[j, j, k]:
            return k
    return READY


def prs_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """d2 to d6."""
    x, n = schedule.number[m], schedule.processes
    a.DELIV[j, j, i] = x
    for k in range(n if a.form[LEARNS] else 0):
        a.DELIV[j, i, k] = max(a.DELIV[j, i, k], a.CBM[slot, i, k])
    CB, CBM, DELIV = a.CB[j], a.CBM[slot], a.DELIV[j]
    for d in range(n):
        addressed = (schedule.mask[m, d >> 6] >> np.uint64(d & 63)) & np.uint64(1) != np.uint64(0)
        if addressed:
            CB[d, i] = max(CB[d, i], x)
        if not addressed or (a.form[UNITES] and (d == j or not a.form[LESS])):
            for k in range(n):
                CB[d, k] = max(CB[d, k], CBM[d, k])
        if d != j and a.form[PRUNES]:
            for k in range(n):
                CB[d, k] = CB[d, k] if CB[d, k] > DELIV[d, k] else 0


def prs_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of the pairs: (d, k, count)."""
    total = np.uint64(0)
    for d in range(schedule.processes):
        addressed = (schedule.mask[m, d >> 6] >> np.uint64(d & 63)) & np.uint64(1) != np.uint64(0)
        for k in range(0 if addressed and d != j and a.form[LESS] else schedule.processes):
            if a.CBM[slot, d, k]:
                total += fold(d, k, a.CBM[slot, d, k])
    return total


register(PRS, send=prs_send, blocker=prs_blocker, deliver=prs_deliver, digest=prs_digest)
