"""The compiled algorithms by name, and one run of one of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from .kernel_counters import prs, rst
from .kernel_entries import jang, ks
from .kernel_gk import gk
from .kernel_sa import sa
from .kernel_vectors import ses
from .loop import DONE, PARTS_OF_SIZE, ROOM, SIGNALS, SLOTS, UNDELIVERED, Out, Queues, run
from .outcome import Outcome
from .truth import truth_of
from .workload import Schedule


@dataclass(frozen=True)
class Kernel:
    """How a compiled algorithm begins: `state(schedule, slots, **parameters)`. `room`: it has to be told a `room`, for
    entries of a list or its own messages in transit; `signals`: it sends messages of its own; `readings`: the ids of
    those it has every letter of (of others, the default)."""

    state: Callable[..., Any]
    room: bool = False
    signals: bool = False
    readings: tuple[str, ...] = ()


KERNELS: dict[str, Kernel] = {
    "rst": Kernel(rst),
    "prs": Kernel(prs, readings=("PRS-2", "PRS-3", "PRS-4")),
    "jang": Kernel(jang, room=True),
    "ks": Kernel(ks, room=True),
    "ses": Kernel(ses),
    "sa": Kernel(sa, room=True, signals=True),
    "gk": Kernel(gk),
}


def simulate(name: str, schedule: Schedule, truth: str = "none", detailed: bool = False, **parameters: Any) -> Outcome:
    """Run algorithm `name` under a schedule.

    `truth`: none, causal or semantic: against which order waits are judged false. `detailed`: with the digest of every
    copy and the order of deliveries. `parameters`: of SA, `thresholds`: K of each process; of PRS, `readings`. What
    turns out too small is doubled, and the run begins again.
    """
    kernel = KERNELS[name]
    slots = min(len(schedule.sent), _in_transit(schedule) * 5 // 4 + 64)
    room, signals = 8 * schedule.processes + 64, schedule.processes * len(schedule.sent) if kernel.signals else 0
    begun = time.process_time()
    while True:
        extra = {"room": room} if kernel.room else {}
        state = kernel.state(schedule, slots, **extra, **parameters)
        out, queues = _out(schedule, signals, detailed), _queues(schedule, slots, signals)
        code = run(state, schedule, truth_of(truth, schedule, slots), out, queues)
        if code == DONE:
            return _outcome(schedule, out, time.process_time() - begun)
        if code == UNDELIVERED:
            raise ModelError(f"{name}: a message was never delivered in a simulation")
        slots = min(2 * slots, len(schedule.sent)) if code == SLOTS else slots
        room, signals = (2 * room if code == ROOM else room), (2 * signals if code == SIGNALS else signals)


def _in_transit(schedule: Schedule) -> int:
    """The largest number of messages with a copy in transit at one time."""
    last = np.maximum.reduceat(schedule.arrived, schedule.first[:-1])
    gone = np.searchsorted(np.sort(last), schedule.sent, side="left")
    return int((np.arange(1, len(schedule.sent) + 1) - gone).max())


def _out(schedule: Schedule, signals: int, detailed: bool) -> Out:
    copies = len(schedule.dest)
    some = copies if detailed else 0
    return Out(
        np.full(copies, -1.0),
        np.zeros(copies, np.bool_),
        np.full(copies, -1.0),
        np.zeros(copies, np.int32),
        np.zeros(copies, np.int32),
        np.zeros(some, np.uint64),
        np.zeros(some, np.int64),
        np.zeros(PARTS_OF_SIZE, np.int64),
        np.zeros((signals, 2), np.int32),
        np.zeros((signals, 2), np.float64),
        np.zeros((signals, 2), np.int64),
        np.zeros(1, np.int64),
    )


def _queues(schedule: Schedule, slots: int, signals: int) -> Queues:
    n, copies = schedule.processes, len(schedule.dest)
    return Queues(
        np.full(len(schedule.sent), -1, np.int32),
        np.zeros(slots, np.int32),
        np.arange(slots, dtype=np.int32)[::-1].copy(),
        np.array([slots, 0, 0, 0], np.int64),
        np.full(n, -1, np.int64),
        np.full(n, -1, np.int64),
        np.full(copies + signals, -1, np.int64),
        np.zeros(copies + signals, np.int16),
        np.zeros(signals + 1, np.float64),
        np.zeros(signals + 1, np.int64),
        np.zeros(signals, np.int32),
        np.zeros(n * n, np.int64),
    )


def _outcome(schedule: Schedule, out: Out, seconds: float) -> Outcome:
    sent: NDArray[np.float64] = out.signal_times[: out.signals[0]]
    return Outcome(
        delivered=out.delivered,
        buffered=out.buffered,
        free_since=out.free_since,
        units=out.units,
        bytes=out.bytes,
        digest=out.digest,
        order=out.order,
        parts=out.parts,
        signals=out.signal_ends[: out.signals[0]],
        signal_times=sent,
        signal_sizes=out.signal_sizes[: out.signals[0]],
        seconds=seconds,
    )
