"""What holding back would have cost: each delivery that came too early, held until what must come before it has
come."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .execution import Array
from .judging import Judged
from .pairing import by_process


class Delays(NamedTuple):
    """By early copy, in the order of `Judged.early`: the delivery that it should have waited for (an event, or -1 where
    that is never delivered), the events of the process in between, the time (NaN where the log does not say)."""

    until: Array
    events: Array
    time: Array


def delays_of(judged: Judged) -> Delays:
    """The delays of the copies that were delivered too early."""
    execution, paired, held = judged.execution, judged.paired, judged.held
    if execution is None or paired is None or held is None or not len(judged.early):
        nothing = np.zeros(0, np.int64)
        return Delays(nothing, nothing, np.zeros(0))
    start, lines = by_process(execution.process, len(execution.processes))
    last = held.causal[judged.early].astype(np.int64)
    here = paired.delivered[judged.early]
    until = np.where(last >= 0, lines[start[paired.to[judged.early]] + np.maximum(last, 0)], -1)
    events = np.where(last >= 0, last - paired.position[here], -1)
    time = np.where(until >= 0, execution.time[until] - execution.time[here], np.nan)
    return Delays(until, events, time)


def summary(judged: Judged, delays: Delays) -> dict[str, Any]:
    """The figures of `delays` in the JSON."""
    late = delays.events[delays.events >= 0]
    time = delays.time[np.isfinite(delays.time)]
    return {
        "held": len(late),
        "held_for_ever": int((delays.events < 0).sum()),
        "events_total": int(late.sum()),
        "events_most": int(late.max(initial=0)),
        "time_total": float(time.sum()) if len(time) else None,
        "time_most": float(time.max()) if len(time) else None,
    }
