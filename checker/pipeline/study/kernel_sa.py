"""SA compiled, with its extra messages: the matrix of constraints, by destination, and counts of what is not zero."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigurationError
from .compiled import clear, copy, part
from .drawing import fold
from .kernel_parts import READY, register
from .workload import Schedule


class SA(NamedTuple):
    """M[p, b, a]: b must have delivered so many messages of a; filled[p, b]: entries in column b; total[p] in M;
    Mm, filled_m, total_m: of a message; DELIV[p, a]; K[p]: the threshold of p. Extra messages: column[slot], a stack
    of free slots, those of the last step in to[e], at[e]; number[0]: free slots, [1]: of the last step, [2]: failed."""

    M: NDArray[np.int32]
    filled: NDArray[np.int64]
    total: NDArray[np.int64]
    Mm: NDArray[np.int32]
    total_m: NDArray[np.int64]
    DELIV: NDArray[np.int32]
    K: NDArray[np.int64]
    column: NDArray[np.int32]
    free: NDArray[np.int32]
    to: NDArray[np.int64]
    at: NDArray[np.int64]
    number: NDArray[np.int64]


def sa(schedule: Schedule, slots: int, room: int, thresholds: tuple[int, ...]) -> SA:
    """The initial state; `thresholds`: K of each process, or one of all; `room`: extra messages at one time, at most.

    Raises ConfigurationError.
    """
    n = schedule.processes
    if len(thresholds) not in (1, n):
        raise ConfigurationError(f"{len(thresholds)} thresholds for {n} processes: give one, or one for each")
    K = np.array(thresholds if len(thresholds) == n else thresholds * n, np.int64)
    return SA(
        np.zeros((n, n, n), np.int32),
        np.zeros((n, n), np.int64),
        np.zeros(n, np.int64),
        np.zeros((slots, n, n), np.int32),
        np.zeros(slots, np.int64),
        np.zeros((n, n), np.int32),
        K,
        np.zeros((room, n), np.int32),
        np.arange(room, dtype=np.int32),
        np.zeros(n * n + 1, np.int64),
        np.zeros(n * n + 1, np.int64),
        np.array([room, 0, 0], np.int64),
    )


def sa_send(a: Any, schedule: Any, out: Any, i: int, m: int, slot: int) -> None:
    """u1, u2, and x1, x2 after them."""
    total = a.total[i]
    a.number[1] = 0
    copy(a.Mm[slot], a.M[i])
    a.total_m[slot] = total
    for c in range(schedule.first[m], schedule.first[m + 1]):
        out.units[c] = total
        out.bytes[c] = 8 * total
        replace(a, i, schedule.dest[c])
    shed(a, i)


@part
def replace(a: Any, i: int, j: int) -> None:
    """u2: column j of i becomes the one entry of i, with this message counted."""
    own = a.M[i, j, i]
    clear(a.M[i, j])
    a.M[i, j, i] = own + 1
    a.total[i] += 1 - a.filled[i, j]
    a.filled[i, j] = 1


@part
def shed(a: Any, i: int) -> None:
    """x1, x2: extra messages until there are at most K entries, or none of them makes them fewer."""
    while a.total[i] > a.K[i]:
        victim, most = -1, 1
        for j in range(len(a.K)):
            if j != i and a.filled[i, j] > most:
                victim, most = j, a.filled[i, j]
        if victim < 0:
            return
        if a.number[0] == 0:
            a.number[2] = 1
            return
        a.number[0] -= 1
        slot = a.free[a.number[0]]
        copy(a.column[slot], a.M[i, victim])
        a.to[a.number[1]] = victim
        a.at[a.number[1]] = slot
        a.number[1] += 1
        before = a.total[i]
        replace(a, i, victim)
        if a.total[i] >= before:
            return


def sa_blocker(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> int:
    """d1."""
    for k in range(schedule.processes):
        if a.Mm[slot, j, k] > a.DELIV[j, k]:
            return k
    return READY


def sa_deliver(a: Any, schedule: Any, j: int, i: int, m: int, slot: int) -> None:
    """d2, and x1, x2 after it."""
    n = schedule.processes
    a.number[1] = 0
    M, Mm = a.M[j], a.Mm[slot]
    for d in range(n):
        filled = 0
        if d == j:
            clear(M[d])
        elif (schedule.mask[m, d >> 6] >> np.uint64(d & 63)) & np.uint64(1) != np.uint64(0):
            M[d, i] = max(M[d, i], Mm[d, i] + 1)
            for k in range(n):
                filled += M[d, k] > 0
        else:
            for k in range(n):
                M[d, k] = max(M[d, k], Mm[d, k])
                filled += M[d, k] > 0
        a.total[j] += filled - a.filled[j, d]
        a.filled[j, d] = filled
    a.DELIV[j, i] += 1
    shed(a, j)


def sa_digest(a: Any, schedule: Any, i: int, j: int, m: int, slot: int) -> Any:
    """Of the entries: (a, b, count)."""
    total = np.uint64(0)
    for b in range(schedule.processes):
        for k in range(schedule.processes):
            if a.Mm[slot, b, k]:
                total += fold(k, b, a.Mm[slot, b, k])
    return total


def sa_emitted(a: Any) -> int:
    """Extra messages of the last step."""
    return a.number[1]


def sa_emission(a: Any, e: int) -> tuple[int, int]:
    """To whom one goes, and where its column is."""
    return a.to[e], a.at[e]


def sa_signal_size(a: Any, slot: int) -> tuple[int, int]:
    """The entries of the column, 6 bytes each."""
    entries = 0
    for k in range(len(a.K)):
        entries += a.column[slot, k] > 0
    return entries, 6 * entries


def sa_signal_blocker(a: Any, j: int, slot: int) -> int:
    """x3: the wait."""
    for k in range(len(a.K)):
        if a.column[slot, k] > a.DELIV[j, k]:
            return k
    return READY


def sa_signal_receive(a: Any, j: int, i: int, slot: int) -> None:
    """x3."""
    a.number[1] = 0
    a.DELIV[j, i] += 1
    a.free[a.number[0]] = slot
    a.number[0] += 1


def sa_failed(a: Any) -> bool:
    """Whether there were too many extra messages in transit."""
    return a.number[2] != 0


register(
    SA,
    send=sa_send,
    blocker=sa_blocker,
    deliver=sa_deliver,
    digest=sa_digest,
    emitted=sa_emitted,
    emission=sa_emission,
    signal_size=sa_signal_size,
    signal_blocker=sa_signal_blocker,
    signal_receive=sa_signal_receive,
    failed=sa_failed,
)
