"""An execution as a log for ShiViz, with the vector clocks that its messages give, whatever the log itself had.

Its first line is the expression that reads it, its second the delimiter (none), which is what ShiViz wants of a log.
"""

from __future__ import annotations

import json
import re

import numpy as np

from ...trace.values import printable
from .clocks import short
from .execution import Array
from .expressions import KNOWN
from .judging import Judged
from .tables import DELIVER, KINDS, SEND

MOST_EVENTS = 20_000
MOST_CELLS = 2_000_000
LONGEST = 300


def shiviz_log(judged: Judged) -> str | None:
    """The log; None for an execution that is too long for ShiViz, or without usable events."""
    execution, paired, order = judged.execution, judged.paired, judged.order
    if execution is None or paired is None or order is None:
        return None
    n = len(execution.processes)
    if execution.events > MOST_EVENTS or execution.events * n > MOST_CELLS:
        return None
    hosts = _hosts([execution.process_name(p) for p in range(n)])
    clocks = np.zeros((n, n), np.int64)
    carried: dict[int, Array] = {}
    lines = []
    for e in order.events.tolist():
        p, m = int(execution.process[e]), int(execution.message[e])
        clocks[p, p] += 1
        text = execution.text_of(e)
        if paired.role[e] == DELIVER:
            np.maximum(clocks[p], carried[m], out=clocks[p])
        if paired.role[e] == SEND:
            carried[m] = clocks[p].copy()
            to = ", ".join(hosts[d] for d in paired.to[paired.copy_start[m] : paired.copy_end[m]])
            said = f"send {short(execution.message_name(m))} to {to}"
        else:
            said = KINDS[paired.role[e]] + (f" {short(execution.message_name(m))}" if m >= 0 else "")
        said = f"{said}: {text}" if text else said
        clock = {hosts[q]: int(clocks[p, q]) for q in np.flatnonzero(clocks[p])}
        lines += [f"{hosts[p]} {json.dumps(clock)}", printable(said)[:LONGEST]]
    return "\n".join([KNOWN["chord"][0], "", *lines]) + "\n"


def _hosts(names: list[str]) -> list[str]:
    """Names without spaces, quotes and braces, all different."""
    found: list[str] = []
    for name in names:
        host = re.sub(r"[^\w.:@/+-]", "_", short(name), flags=re.ASCII) or "_"
        while host in found:
            host += "_"
        found.append(host)
    return found
