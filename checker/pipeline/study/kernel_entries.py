"""KS and Jang compiled: what a copy carries and how large it is; the lists themselves are in `kernel_lists`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .compiled import clear, part
from .drawing import fold
from .kernel_lists import ONE, Entries, blocked, carried, entries_of, has, keep, merged, ones, sent
from .kernel_parts import register
from .workload import Schedule


class KS(NamedTuple):
    """LOG and O_M."""

    entries: Entries


class Jang(NamedTuple):
    """CI and CI_m."""

    tuples: Entries


def ks(schedule: Schedule, slots: int, room: int) -> KS:
    """The initial state: an empty entry (s, 0) of every sender."""
    entries = entries_of(schedule, slots, room)
    n = schedule.processes
    entries.key[:, :, :n] = np.arange(n) << 32
    entries.size[:] = n
    return KS(entries)


def jang(schedule: Schedule, slots: int, room: int) -> Jang:
    """The initial state: no tuples."""
    return Jang(entries_of(schedule, slots, room))


def ks_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """Procedure SND."""
    e = a.entries
    size = keep(e, i, slot)
    if size >= 0:
        ks_sizes(e, schedule, out, m, slot, size)
        sent(e, schedule, i, m, size, True)


@part
def ks_sizes(e: Any, schedule: Any, out: Any, m: int, slot: int, size: int) -> None:
    """The sizes of all copies: what all carry, and what is on the copy to d because d is in D."""
    words, Dests = e.D.shape[3], schedule.mask[m]
    units = ids = entries = filled = senders = 0
    for d in range(schedule.processes):
        e.scratch[0, d] = e.scratch[1, d] = e.scratch[2, d] = e.scratch[3, d] = 0
    begin = 0
    for x in range(size):
        blank = True
        for w in range(words):
            common = e.held_D[slot, x, w] & ~Dests[w]
            ids += ones(common)
            blank = blank and common == np.uint64(0)
        newest = x + 1 == size or (e.held_key[slot, x + 1] >> 32) != (e.held_key[slot, x] >> 32)
        senders += newest
        entries += newest or not blank
        filled += not blank
        for w in range(words):
            own = e.held_D[slot, x, w] & Dests[w]
            while own != np.uint64(0):
                d = (w << 6) + ones((own & (~own + ONE)) - ONE)
                own &= own - ONE
                e.scratch[0, d] += 1
                e.scratch[1, d] += blank and not newest
                e.scratch[2, d] += blank
        if newest:
            units += ks_units(e, Dests, slot, begin, x + 1)
            begin = x + 1
    for c in range(schedule.first[m], schedule.first[m + 1]):
        d = schedule.dest[c]
        out.units[c] = units + e.scratch[3, d]
        out.bytes[c] = 6 * (entries + e.scratch[1, d]) + 2 * (ids + e.scratch[0, d])
        if schedule.measured[c]:
            out.parts[0] += filled + e.scratch[2, d]
            out.parts[1] += ids + e.scratch[0, d]
            out.parts[3] += senders


@part
def ks_units(e: Any, Dests: Any, slot: int, begin: int, end: int) -> int:
    """nd of one sender as far as it is on all copies; that on the copy to d alone is added to its scratch."""
    common = 0
    for w in range(len(Dests)):
        union = np.uint64(0)
        for x in range(begin, end):
            union |= e.held_D[slot, x, w]
        common += ones(union & ~Dests[w])
        own = union & Dests[w]
        while own != np.uint64(0):
            e.scratch[3, (w << 6) + ones((own & (~own + ONE)) - ONE)] += 1
            own &= own - ONE
    return common


def ks_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """RCV(1)."""
    return blocked(a.entries, j, slot)


def ks_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """RCV(2) to RCV(5)."""
    merged(a.entries, schedule, j, i, m, slot, True)


def ks_failed(a: Any) -> bool:
    """Whether a list was too long."""
    return a.entries.flag[0] != 0


def ks_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of O_M for j: (s, t, 0) of every entry and (s, t, 1 + d) of every id."""
    return of_entries(a.entries, schedule, j, m, slot, True)


@part
def of_entries(e: Any, schedule: Any, j: int, m: int, slot: int, ks: bool) -> Any:
    """The digest of the entries on the copy of m to j."""
    total = np.uint64(0)
    for x in range(e.held[slot]):
        k, t = e.held_key[slot, x] >> 32, e.held_key[slot, x] & 0xFFFFFFFF
        newest = x + 1 == e.held[slot] or (e.held_key[slot, x + 1] >> 32) != k
        if newest or carried(e.held_D[slot, x], schedule.mask[m], j, ks):
            total += fold(k, t, 0)
            for d in range(schedule.processes):
                if has(e.held_D[slot, x], d) and (not has(schedule.mask[m], d) or (ks and d == j)):
                    total += fold(k, t, 1 + d)
    return total


register(KS, send=ks_send, blocker=ks_blocker, deliver=ks_deliver, digest=ks_digest, failed=ks_failed)


def jang_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """Procedure SEND."""
    e = a.tuples
    size = keep(e, i, slot)
    if size >= 0:
        jang_sizes(e, schedule, out, m, slot, size)
        sent(e, schedule, i, m, size, False)


@part
def jang_sizes(e: Any, schedule: Any, out: Any, m: int, slot: int, size: int) -> None:
    """The sizes of all copies: the tuples of CI_m are the same on all, the pairs of DC are counted by destination."""
    words, Dests = e.D.shape[3], schedule.mask[m]
    tuples = ids = filled = senders = 0
    clear(e.scratch[0])
    for x in range(size):
        blank = True
        for w in range(words):
            left = e.held_D[slot, x, w] & ~Dests[w]
            ids += ones(left)
            blank = blank and left == np.uint64(0)
            struck = e.held_D[slot, x, w] & Dests[w]
            while struck != np.uint64(0):
                e.scratch[0, (w << 6) + ones((struck & (~struck + ONE)) - ONE)] += 1
                struck &= struck - ONE
        newest = x + 1 == size or (e.held_key[slot, x + 1] >> 32) != (e.held_key[slot, x] >> 32)
        senders += newest
        tuples += newest or not blank
        filled += not blank
    for c in range(schedule.first[m], schedule.first[m + 1]):
        DC = e.scratch[0, schedule.dest[c]]
        out.units[c] = tuples
        out.bytes[c] = 4 * tuples + 2 * ids + 6 * DC
        if schedule.measured[c]:
            out.parts[0] += filled
            out.parts[1] += ids
            out.parts[2] += DC
            out.parts[3] += senders


def jang_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """R1."""
    return blocked(a.tuples, j, slot)


def jang_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """R3 to R9."""
    merged(a.tuples, schedule, j, i, m, slot, False)


def jang_failed(a: Any) -> bool:
    """Whether a list was too long."""
    return a.tuples.flag[0] != 0


def jang_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of CI_m as those of KS; and (n + k, t, 0) of every pair in DC_m."""
    e = a.tuples
    total = of_entries(e, schedule, j, m, slot, False)
    for x in range(e.held[slot]):
        if has(e.held_D[slot, x], j):
            total += fold(schedule.processes + (e.held_key[slot, x] >> 32), e.held_key[slot, x] & 0xFFFFFFFF, 0)
    return total


register(Jang, send=jang_send, blocker=jang_blocker, deliver=jang_deliver, digest=jang_digest, failed=jang_failed)
