"""What one run gives, of a model or of a kernel, and the figures that are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .workload import Schedule


@dataclass(frozen=True)
class Outcome:
    """Of copy c: when it was delivered; whether it had to wait; from when on the wait was false (-1: never, or not
    judged); units and bytes of its control information (-1: the model has no such size); its digest. `order`: the
    copies in the order of their deliveries. `parts`: sums over the measured copies of entries that are not empty, ids,
    constraints (pairs of DC), distinct senders. Of signal g: (sender, to), (sent, received or -1), (units, bytes).
    `seconds`: of CPU time."""

    delivered: NDArray[np.float64]
    buffered: NDArray[np.bool_]
    free_since: NDArray[np.float64]
    units: NDArray[np.int32]
    bytes: NDArray[np.int32]
    digest: NDArray[np.uint64]
    order: NDArray[np.int64]
    parts: NDArray[np.int64]
    signals: NDArray[np.int32]
    signal_times: NDArray[np.float64]
    signal_sizes: NDArray[np.int64]
    seconds: float


def figures(schedule: Schedule, outcome: Outcome) -> dict[str, Any]:
    """The figures of one run by name; the columns of `tables.RESULTS` say what each is."""
    chosen = schedule.measured
    count = int(chosen.sum())
    start, stop = schedule.window
    sends = (schedule.sent >= start) & (schedule.sent <= stop)
    in_window = int(sends.sum())
    of_sends = sends[schedule.message]
    wait = (outcome.delivered - schedule.arrived)[chosen]
    late = outcome.free_since[chosen] >= 0
    false = np.where(late, outcome.delivered[chosen] - outcome.free_since[chosen], 0.0)
    late &= false > 0
    extra = (outcome.signal_times[:, 0] >= start) & (outcome.signal_times[:, 0] <= stop)
    filled, ids, constraints, senders = (float(x) / count for x in outcome.parts)
    per = max(1, in_window)
    return {
        "copies": count,
        "sends": in_window,
        "deliveries": len(schedule.dest),
        "copies_per_send": int(of_sends.sum()) / per,
        "units": float(outcome.units[chosen].mean(dtype=np.float64)),
        "units_most": int(outcome.units[chosen].max()),
        "bytes": float(outcome.bytes[chosen].mean(dtype=np.float64)),
        "bytes_most": int(outcome.bytes[chosen].max()),
        "bytes_per_send": float(outcome.bytes[of_sends].sum(dtype=np.float64)) / per,
        "filled": filled,
        "ids": ids,
        "constraints": constraints,
        "senders": senders,
        "buffered": float(outcome.buffered[chosen].mean()),
        "wait": float(wait.mean()),
        "wait_most": float(wait.max()),
        "falsely_buffered": float(late.mean()),
        "false_wait": float(false.mean()),
        "signals_per_send": float(extra.sum()) / per,
        "signal_units_per_send": float(outcome.signal_sizes[extra, 0].sum()) / per,
        "signal_bytes_per_send": float(outcome.signal_sizes[extra, 1].sum()) / per,
        "kernel_seconds": outcome.seconds,
    }
