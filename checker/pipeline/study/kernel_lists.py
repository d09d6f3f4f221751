"""The lists of entries (s, t, D) of KS and Jang, compiled: ordered by sender and number, D as a set of bits.

What differs: KS reduces D for the copy to each destination, Jang puts what a destination must wait for into DC and
strikes it from all copies alike; Jang's R8 strikes an id from older tuples; and KS purges after its own entry is in. A
message keeps the list as it was before its send; what a copy carries of it follows from Dests.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import copy, part
from .kernel_parts import READY
from .workload import Schedule

ONE = np.uint64(1)


class Entries(NamedTuple):
    """Of process p, in buffer turn[p] of two: size[., p] entries, key s * 2^32 + t, set of ids D. Of a message in
    `slot`: held entries, its keys and sets. last[p, k]: SR or DLV, the last message of k delivered at p. scratch: of
    counts by destination; flag[0]: 1 when a list became too long."""

    key: NDArray[np.int64]
    D: NDArray[np.uint64]
    size: NDArray[np.int32]
    turn: NDArray[np.int8]
    held_key: NDArray[np.int64]
    held_D: NDArray[np.uint64]
    held: NDArray[np.int32]
    last: NDArray[np.int32]
    scratch: NDArray[np.int64]
    flag: NDArray[np.int8]


def entries_of(schedule: Schedule, slots: int, room: int) -> Entries:
    """Empty lists with room for so many entries each."""
    n, words = schedule.processes, schedule.mask.shape[1]
    return Entries(
        np.zeros((2, n, room), np.int64),
        np.zeros((2, n, room, words), np.uint64),
        np.zeros((2, n), np.int32),
        np.zeros(n, np.int8),
        np.zeros((slots, room), np.int64),
        np.zeros((slots, room, words), np.uint64),
        np.zeros(slots, np.int32),
        np.zeros((n, n), np.int32),
        np.zeros((4, n), np.int64),
        np.zeros(1, np.int8),
    )


@part
def ones(x: Any) -> Any:
    """How many bits of a word are set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@part
def has(D: Any, d: int) -> bool:
    """Whether d is in a set."""
    return (D[d >> 6] >> np.uint64(d & 63)) & ONE != np.uint64(0)


@part
def empty(D: Any) -> bool:
    """Whether a set is empty."""
    for w in range(len(D)):
        if D[w] != np.uint64(0):
            return False
    return True


@part
def blocked(e: Any, j: int, slot: int) -> int:
    """RCV(1) and R1: a sender of which a message to j is named that is not delivered there."""
    word, bit, last = j >> 6, ONE << np.uint64(j & 63), e.last[j]
    keys, D = e.held_key[slot], e.held_D[slot]
    for x in range(e.held[slot]):
        if D[x, word] & bit != np.uint64(0) and (keys[x] & 0xFFFFFFFF) > last[keys[x] >> 32]:
            return keys[x] >> 32
    return READY


@part
def keep(e: Any, i: int, slot: int) -> int:
    """The list of i as the message in `slot` keeps it; its length, or -1 where there is no room for another entry."""
    turn = e.turn[i]
    size = e.size[turn, i]
    if size + 1 >= e.key.shape[2]:
        e.flag[0] = 1
        return -1
    e.held[slot] = size
    copy(e.held_key[slot, :size], e.key[turn, i, :size])
    copy(e.held_D[slot, :size], e.D[turn, i, :size])
    return size


@part
def sent(e: Any, schedule: Any, i: int, m: int, size: int, own_purged: bool) -> None:
    """SND(3) to SND(5), S2, S3 and S5: the list without Dests and what is empty and old, and the entry of m.

    KS purges when the entry of m is in (`own_purged`), Jang before.
    """
    old, new = e.turn[i], 1 - e.turn[i]
    A, AD, C, CD, Dests = e.key[old, i], e.D[old, i], e.key[new, i], e.D[new, i], schedule.mask[m]
    own = (np.int64(i) << 32) + schedule.number[m]
    at, placed, words = 0, False, len(Dests)
    for x in range(size):
        key = A[x]
        if not placed and key > own:
            at, placed = appended(C, CD, at, own, Dests), True
        newest = x + 1 == size or (A[x + 1] >> 32) != (key >> 32)
        blank = True
        for w in range(words):
            CD[at, w] = AD[x, w] & ~Dests[w]
            blank = blank and CD[at, w] == np.uint64(0)
        if not blank or (newest and not (own_purged and (key >> 32) == i)):
            C[at] = key
            at += 1
    if not placed:
        at = appended(C, CD, at, own, Dests)
    e.size[new, i] = at
    e.turn[i] = new


@part
def appended(C: Any, CD: Any, at: int, key: int, D: Any) -> int:
    """Put an entry at place `at`; the place after it."""
    C[at] = key
    for w in range(len(D)):
        CD[at, w] = D[w]
    return at + 1


@part
def merged(e: Any, schedule: Any, j: int, i: int, m: int, slot: int, ks: bool) -> None:
    """RCV(2) to RCV(5), R3 to R9: sender by sender, the list of j and what the copy of m carries become one."""
    e.last[j, i] = schedule.number[m]
    old, new = e.turn[j], 1 - e.turn[j]
    size, held, room, at = e.size[old, j], e.held[slot], e.key.shape[2], 0
    A, AD, B, BD = e.key[old, j], e.D[old, j], e.held_key[slot], e.held_D[slot]
    C, CD, Dests = e.key[new, j], e.D[new, j], schedule.mask[m]
    own = (np.int64(i) << 32) + schedule.number[m]
    x = y = 0
    for k in range(schedule.processes):
        above = (np.int64(k) + 1) << 32
        x_end, y_end = x, y
        while x_end < size and A[x_end] < above:
            x_end += 1
        while y_end < held and B[y_end] < above:
            y_end += 1
        if at + x_end - x + y_end - y + 2 >= room:
            e.flag[0] = 1
            return
        begin = at
        last_y = own if k == i else (B[y_end - 1] if y_end > y else np.int64(-1))
        at = united(A, AD, x, x_end, B, BD, y, y_end, last_y, own, Dests, C, CD, at, j, ks)
        if k == i:
            at = with_own(C, CD, begin, at, own, A[x_end - 1] if x_end > x else np.int64(-1), Dests, j)
        if at > begin + 1:
            at = pruned(C, CD, begin, at, ks)
        x, y = x_end, y_end
    e.size[new, j] = at
    e.turn[j] = new


@part
def united(
    A: Any, AD: Any, x: int, x_end: int, B: Any, BD: Any, y: int, y_end: int, last_y: int, own: int, Dests: Any, C: Any,
    CD: Any, at: int, j: int, ks: bool,
) -> int:  # fmt: skip
    """RCV(4) and R5 to R7 for one sender: entries x.. of the list (keys A, sets AD) and y.. of what m carries (B, BD)
    merged into C, CD from `at` on; the place after them.

    An entry that only one side has goes when the other side has a later one; of one on both sides the ids stay that
    both have. `last_y`: the last key of the side of m, which ends with its `own` entry where that has this sender.
    """
    words = len(Dests)
    last_x = A[x_end - 1] if x_end > x else np.int64(-1)
    while x < x_end or y < y_end:
        key = A[x] if x < x_end else B[y]
        if y < y_end and B[y] <= key:
            if y == y_end - 1 or carried(BD[y], Dests, j, ks):
                if x < x_end and A[x] == B[y]:
                    for w in range(words):
                        CD[at, w] = AD[x, w] & BD[y, w] & ~Dests[w]
                    C[at] = key
                    at += 1
                    x += 1
                elif B[y] > last_x:
                    for w in range(words):
                        CD[at, w] = BD[y, w] & ~Dests[w]
                    C[at] = B[y]
                    at += 1
            y += 1
        else:
            if key > last_y or key == own:
                for w in range(words):
                    CD[at, w] = AD[x, w]
                C[at] = key
                at += 1
            x += 1
    return at


@part
def with_own(C: Any, CD: Any, begin: int, at: int, own: int, last_x: int, Dests: Any, j: int) -> int:
    """RCV(3) and R4: the entry of m without j, the latest of what its copy carries of its sender; the place after all.

    The list may have later ones of that sender, and then not this one; or have it, which leaves the common ids.
    """
    place = at - 1
    while place >= begin and C[place] > own:
        place -= 1
    if place >= begin and C[place] == own:
        for w in range(len(Dests)):
            CD[place, w] &= Dests[w]
    elif own < last_x:
        return at
    else:
        place = at
        C[place] = own
        for w in range(len(Dests)):
            CD[place, w] = Dests[w]
        at += 1
    CD[place, j >> 6] &= ~(ONE << np.uint64(j & 63))
    return at


@part
def carried(D: Any, Dests: Any, j: int, ks: bool) -> bool:
    """Whether the copy of a message to j has an entry that is not the newest of its sender: the empty ones are purged.

    With KS, j itself still counts, if it is in D.
    """
    for w in range(len(D)):
        if D[w] & ~Dests[w] != np.uint64(0):
            return True
    return ks and has(D, j)


@part
def pruned(C: Any, CD: Any, begin: int, end: int, ks: bool) -> int:
    """RCV(5), R8 and R9 for one sender: entries begin.. end without what is empty and old; the place after them."""
    words = CD.shape[1]
    if not ks:
        for w in range(words):
            later = np.uint64(0)
            for x in range(end - 1, begin - 1, -1):
                D = CD[x, w]
                CD[x, w] = D & ~later
                later |= D
    at = begin
    for x in range(begin, end):
        if x == end - 1 or not empty(CD[x]):
            if at != x:
                C[at] = C[x]
                for w in range(words):
                    CD[at, w] = CD[x, w]
            at += 1
    return at
