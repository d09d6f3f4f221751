"""The verdict on one execution: well-formed or not, and its class.

The classes, each within the next, of the messages of which the log has the send: `synchronous` (realisable with
synchronous communication, `synchrony`), `causal` (a message that is delivered at d comes there after every message to d
that was sent in its past), `fifo` (the same for messages of one sender to d), `none`. A multicast is one send with a
delivery at each destination.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from . import clocks
from .chains import Pair, smallest_causal_pair, smallest_fifo_pair
from .clocks import Problem, short
from .crowns import Crown, smallest_crown
from .execution import Array, Execution, from_table
from .holding import NEVER, Held, held_back
from .pairing import (
    DELIVERED_TWICE,
    NEVER_SENT,
    NOT_ADDRESSED,
    RECEIVED_TWICE,
    SENT_TWICE,
    Ordered,
    Paired,
    cycle,
    ordered,
    pair,
)  # fmt: skip
from .tables import BROKEN

PROBLEM_CODES = {
    "broken-line": "a line that is no event",
    "sent-twice": "a message id that is sent a second time; the first send counts",
    "never-sent": "a message is delivered or received whose send the log does not have",
    "delivered-twice": "a process delivers a message again; the first delivery counts",
    "not-addressed": "a process delivers a message that is not addressed to it",
    "received-twice": "a message arrives again at a process",
    "cycle": "a delivery comes, by the orders of the processes, before the send of its message",
    "too-large": "the execution has too many processes to be judged",
    "bad-clock": "a clock that is no JSON object of whole numbers from 0 to 2^53, or is too large",
    "no-own-component": "a clock without an entry for its own process",
    "gap": "a process's own component grows by more than one: the log lacks events",
    "clock-decreases": "a process knows less than before",
    "ahead-of-owner": "a clock knows an event of another process that comes after all that the log has of it",
    "clocks-disagree": "a clock knows an event but not what that event knew, or each of two events knows the other",
}
FAULTS = {
    SENT_TWICE: ("sent-twice", "message {} is sent again (first in line {})"),
    NEVER_SENT: ("never-sent", "message {} is delivered or received, and never sent"),
    DELIVERED_TWICE: ("delivered-twice", "message {} is delivered again at {}"),
    NOT_ADDRESSED: ("not-addressed", "message {} is delivered at {}, to which it is not addressed"),
    RECEIVED_TWICE: ("received-twice", "message {} arrives again at {}"),
}
MOST_PROCESSES = 4096
LISTED = 100
"""Problems of one kind that are listed; all are counted."""


@dataclass
class Judged:
    """What is known of an execution; `early` are its copies that were delivered too early, in order of delivery."""

    name: str
    verdict: str
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """Problems by code."""
    untold: Counter[str] = field(default_factory=Counter)
    """What clocks did not tell, by what it is."""
    execution: Execution | None = None
    paired: Paired | None = None
    order: Ordered | None = None
    held: Held | None = None
    early: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    early_fifo: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    overtook_lost: int = 0
    causal_pair: Pair | None = None
    fifo_pair: Pair | None = None
    crown: Crown | None = None
    by_clocks: bool = False

    def report(self, problems: list[Problem]) -> None:
        """Count problems, and list the first of each kind."""
        for problem in problems:
            self.counts[problem.code] += 1
            if self.counts[problem.code] <= LISTED:
                self.problems.append(problem)


def judge(name: str, table: pa.Table) -> Judged:
    """Judge the EVENTS of one execution, in the order of their files and lines."""
    judged = Judged(name, "incomplete")
    kinds = table["kind"].to_numpy()
    if (kinds == BROKEN).any():
        _report_broken(judged, table.filter(pa.array(kinds == BROKEN)))
        table = table.filter(pa.array(kinds != BROKEN))
    has_clocks = table["clock"].null_count < table.num_rows
    if has_clocks and table["message"].null_count == table.num_rows:
        judged.by_clocks = True
        execution, problems, judged.untold = clocks.infer(table)
        judged.report(problems)
    else:
        execution = from_table(name, table) if table.num_rows else None
        if has_clocks:  # they are judged, but the ids say which message is which
            judged.report(clocks.infer(table.filter(pc.is_valid(table["clock"])))[1])
            judged.untold["clocks that are not needed, since there are ids"] = (
                table.num_rows - table["clock"].null_count
            )
    if execution is None:
        return judged
    judged.execution = execution
    if len(execution.processes) > MOST_PROCESSES:
        text = f"{len(execution.processes):,} processes, of which at most {MOST_PROCESSES:,} are judged"
        judged.report([Problem(int(execution.file[0]), int(execution.line[0]), "too-large", text)])
        return judged
    _classify(judged, execution)
    return judged


def _report_broken(judged: Judged, table: pa.Table) -> None:
    listed = table.slice(0, LISTED).to_pylist()
    judged.report([Problem(row["file"], row["line"], "broken-line", str(row["text"])) for row in listed])
    judged.counts["broken-line"] = table.num_rows


def _classify(judged: Judged, execution: Execution) -> None:
    paired = judged.paired = pair(execution)
    order = judged.order = ordered(execution, paired)
    _report_faults(judged, execution, paired)
    _report_cycle(judged, execution, paired, order)
    held = judged.held = held_back(execution, paired, order)
    is_early = np.zeros(len(paired.to), bool)
    is_early_fifo = np.zeros(len(paired.to), bool)
    if held is None:
        judged.report([Problem(int(execution.file[0]), int(execution.line[0]), "too-large",
                               "too many messages are in transit at once to be judged")])  # fmt: skip
        return
    is_early |= held.causal >= 0
    is_early_fifo |= held.fifo >= 0
    used = paired.send[paired.of] >= 0
    used &= np.arange(len(paired.to)) < paired.copy_end[paired.of]
    if (used & (paired.delivered < 0)).any():
        lost = held_back(execution, paired, order, undelivered=True)
        if lost is not None:
            judged.overtook_lost = int(((lost.causal == NEVER) & ~is_early).sum())
            is_early |= lost.causal == NEVER
            is_early_fifo |= lost.fifo == NEVER
    judged.early = _by_delivery(np.nonzero(is_early)[0], paired, order)
    judged.early_fifo = _by_delivery(np.nonzero(is_early_fifo)[0], paired, order)
    judged.crown = smallest_crown(execution, paired, order)
    if len(judged.early):
        judged.causal_pair = smallest_causal_pair(execution, paired, order, judged.early)
    if len(judged.early_fifo):
        judged.fifo_pair = smallest_fifo_pair(execution, paired, judged.early_fifo)
    if len(judged.early):
        judged.verdict = "none" if len(judged.early_fifo) else "fifo"
    else:
        judged.verdict = "causal" if judged.crown else "synchronous"


def _by_delivery(copies: Array, paired: Paired, order: Ordered) -> Array:
    return copies[np.argsort(order.place[paired.delivered[copies]], kind="stable")]


def _report_faults(judged: Judged, execution: Execution, paired: Paired) -> None:
    faulty = np.nonzero(paired.fault)[0]
    for fault, (code, words) in FAULTS.items():
        events = faulty[paired.fault[faulty] == fault]
        if not len(events):
            continue
        for e in events[:LISTED]:
            m = int(execution.message[e])
            first = int(execution.line[paired.send[m]]) if fault == SENT_TWICE else 0
            other = f"{first:,}" if first else short(execution.process_name(int(execution.process[e])))
            text = words.format(short(execution.message_name(m)), other)
            judged.report([Problem(int(execution.file[e]), int(execution.line[e]), code, text)])
        judged.counts[code] = len(events)


def _report_cycle(judged: Judged, execution: Execution, paired: Paired, order: Ordered) -> None:
    events = cycle(execution, paired, order)
    if not events:
        return
    left_out = execution.events - len(order.events)
    parts = []
    for e in events[:5]:
        message, process = int(execution.message[e]), int(execution.process[e])
        names = f"{short(execution.message_name(message))} at {short(execution.process_name(process))}"
        parts.append(f"{names} (line {int(execution.line[e]):,})")
    more = ", ..." if len(events) > 5 else ""
    text = (
        f"the deliveries of {', '.join(parts)}{more} wait for each other's sends: {left_out:,} events on or behind "
        "this cycle are not judged"
    )
    judged.report([Problem(int(execution.file[events[0]]), int(execution.line[events[0]]), "cycle", text)])
