"""The same as `costs` for long logs, by the compiled algorithms of the study, which are verified against the models.

The log becomes a schedule of the study: a send happens, and a copy arrives, at its place in the order of events. Copies
that the log never delivers arrive after everything else, and are not counted as held.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ...errors import PrecedeError
from .execution import Execution
from .pairing import Ordered, Paired

MOST_PROCESSES = 256
MOST_CELLS = 5_000_000_000
"""Copies times processes squared, which the time of the kernels grows with."""
THREADS = 2
"""The kernels run without the interpreter's lock."""
MOST_IN_TRANSIT = 100_000_000
"""Messages in transit at once times processes squared, which their memory grows with."""


def long_costs(
    execution: Execution, paired: Paired, order: Ordered, algorithms: tuple[str, ...]
) -> dict[str, Any] | None:
    """By algorithm as `costs.costs_of`; None where the execution is too large for these too."""
    n = len(execution.processes)
    if n > MOST_PROCESSES:
        return None
    schedule, is_real = _schedule(execution, paired, order)
    if len(schedule.dest) * n * n > MOST_CELLS or _most_in_transit(schedule) * n * n > MOST_IN_TRANSIT:
        return None
    with ThreadPoolExecutor(THREADS) as threads:
        found = threads.map(lambda name: _cost(name, schedule, is_real), algorithms)
        return dict(zip(algorithms, found, strict=True))


def _cost(name: str, schedule: Any, is_real: Any) -> dict[str, Any] | None:
    """The figures of one algorithm; None where it does not come to its end."""
    from ..study.kernels import simulate

    try:
        outcome = simulate(name, schedule)
    except (PrecedeError, MemoryError):
        return None
    units, sizes = outcome.units.astype(np.int64), outcome.bytes.astype(np.int64)
    return {
        "copies": len(units),
        "units_total": int(units.sum()),
        "units_mean": float(units.mean()) if len(units) else 0.0,
        "units_most": int(units.max(initial=0)),
        "bytes_total": int(sizes.sum()),
        "bytes_mean": float(sizes.mean()) if len(sizes) else 0.0,
        "bytes_most": int(sizes.max(initial=0)),
        "held": int(outcome.buffered[is_real].sum()),
    }


def _schedule(execution: Execution, paired: Paired, order: Ordered) -> tuple[Any, Any]:
    """The schedule, and which of its copies the log delivers."""
    from ..study.workload import Schedule

    n = len(execution.processes)
    p, place = paired, order.place
    sent = np.where(p.send >= 0, place[np.maximum(p.send, 0)], -1)
    sender = execution.process[np.maximum(p.send, 0)]
    used = np.arange(len(p.to)) < p.copy_end[p.of]
    copies = np.nonzero(used & (sent[p.of] >= 0) & (p.to != sender[p.of]))[0]
    copies = copies[np.lexsort((p.to[copies], sent[p.of[copies]]))]
    messages, first = np.unique(sent[p.of[copies]], return_index=True)
    events = order.events[messages]
    senders = execution.process[events].astype(np.int32)
    numbers = np.empty(len(events), np.int32)
    by_sender = np.argsort(senders, kind="stable")
    starts = np.searchsorted(senders[by_sender], np.arange(n))
    numbers[by_sender] = np.arange(len(events)) - starts[senders[by_sender]] + 1
    first = np.append(first, len(copies)).astype(np.int64)
    message = np.repeat(np.arange(len(messages)), np.diff(first)).astype(np.int32)
    dest = p.to[copies].astype(np.int32)
    delivered = p.delivered[copies]
    arrival = np.where(delivered >= 0, place[np.maximum(delivered, 0)], -1)
    is_real = arrival >= 0
    arrived = np.where(is_real, arrival, execution.events + np.arange(len(copies))).astype(np.float64)
    mask = np.zeros((len(messages), (n + 63) // 64), np.uint64)
    np.bitwise_or.at(mask, (message, dest >> 6), np.uint64(1) << (dest & 63).astype(np.uint64))
    what = np.concatenate([np.arange(len(messages)), ~np.arange(len(copies))])
    times = np.concatenate([messages.astype(np.float64), arrived])
    schedule = Schedule(
        sender=senders,
        number=numbers,
        sent=messages.astype(np.float64),
        first=first,
        mask=mask,
        dest=dest,
        message=message,
        delay=arrived - messages[message],
        arrived=arrived,
        measured=np.ones(len(copies), np.bool_),
        events=what[np.argsort(times, kind="stable")].astype(np.int64),
        dependent=np.zeros(0, np.bool_),
        window=(0.0, float(execution.events)),
        seed=0,
        shape=0,
        mean=1.0,
        processes=n,
    )
    return schedule, is_real


def _most_in_transit(schedule: Any) -> int:
    last = np.maximum.reduceat(schedule.arrived, schedule.first[:-1]) if len(schedule.sent) else np.zeros(0)
    gone = np.searchsorted(np.sort(last), schedule.sent)
    return int((np.arange(1, len(schedule.sent) + 1) - gone).max(initial=0))
