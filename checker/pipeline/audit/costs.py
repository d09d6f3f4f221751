"""The control information that the algorithms would have carried on the very traffic of a log.

The models of `models/` are driven by the log: they send when it sends, and a copy arrives when the log delivers it;
what its delivery condition does not let through yet is held back. Long logs go to the compiled algorithms
(`long_costs`). A message to its own sender is left out, since not all of them have such.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from precede.models import Message, Model, Packet
from precede.models.catalog import CATALOG

from .execution import Execution
from .judging import Judged
from .long_costs import long_costs
from .pairing import Ordered, Paired
from .tables import DELIVER, SEND

ALGORITHMS = ("ks", "rst", "ses", "jang")
MOST_COPIES = 5000
MOST_PROCESSES = 60
MOST_CELLS = 3_000_000
"""Copies times processes squared, which the time of the models grows with."""


def costs_of(judged: Judged, compiled: bool = False) -> dict[str, Any]:
    """By algorithm: copies, units and bytes in all, the mean and the largest; null where the execution is too large.

    `compiled` asks for the compiled algorithms also where the models would do.
    """
    execution, paired, order = judged.execution, judged.paired, judged.order
    if execution is None or paired is None or order is None:
        return {}
    n = len(execution.processes)
    copies = int((paired.copy_end - paired.copy_start).sum())
    if n < 2 or copies == 0:
        return {}
    if compiled or n > MOST_PROCESSES or copies > MOST_COPIES or copies * n * n > MOST_CELLS:
        return long_costs(execution, paired, order, ALGORITHMS) or dict.fromkeys(ALGORITHMS)
    events = _traffic(execution, paired, order)
    return {name: _cost(CATALOG[name](), n, events) for name in ALGORITHMS}


TOO_LARGE = "control information: not computed for so many processes, or so many messages in transit at once"


Traffic = list[tuple[int, Message]]
"""(the process of the event, the message that it sends or takes), processes from 1."""


def _traffic(execution: Execution, paired: Paired, order: Ordered) -> Traffic:
    """The sends and deliveries in their order; messages are numbered for each sender from 1."""
    counts: dict[int, int] = {}
    messages: dict[int, Message] = {}
    traffic: Traffic = []
    for e in order.events.tolist():
        p, m = int(execution.process[e]) + 1, int(execution.message[e])
        if paired.role[e] == SEND:
            dests = frozenset(int(d) + 1 for d in paired.to[paired.copy_start[m] : paired.copy_end[m]]) - {p}
            if dests:
                counts[p] = counts.get(p, 0) + 1
                messages[m] = Message(p, counts[p], dests)
                traffic.append((p, messages[m]))
        elif paired.role[e] == DELIVER and m in messages and messages[m].sender != p:
            traffic.append((p, messages[m]))
    return traffic


def _cost(model: Model, n: int, traffic: Traffic) -> dict[str, Any]:
    states = {p: model.start(p, n) for p in range(1, n + 1)}
    arrived: dict[int, deque[Packet]] = {p: deque() for p in states}
    in_transit: dict[tuple[int, int, int], Packet] = {}
    units, sizes, held = [], [], 0
    for p, message in traffic:
        if message.sender == p:
            step = _first(model.send(states[p], message))
            states[p] = step.state
            for packet in step.packets:
                in_transit[p, message.number, packet.to] = packet
                units.append(model.control_units(packet))
                sizes.append(model.control_bytes(packet))
            continue
        arrived[p].append(in_transit.pop((message.sender, message.number, p)))
        before = len(arrived[p])
        states[p] = _take(model, states[p], arrived[p])
        held += len(arrived[p]) >= before
    count = max(1, len(sizes))
    return {
        "copies": len(sizes),
        "units_total": sum(units),
        "units_mean": sum(units) / count,
        "units_most": max(units, default=0),
        "bytes_total": sum(sizes),
        "bytes_mean": sum(sizes) / count,
        "bytes_most": max(sizes, default=0),
        "held": held,
    }


def _take(model: Model, state: Any, arrived: deque[Packet]) -> Any:
    """Deliver whatever can be delivered of what has arrived."""
    waiting = len(arrived)
    while waiting:
        packet = arrived.popleft()
        step = _first(model.receive(state, packet))
        if step is None:
            arrived.append(packet)
            waiting -= 1
        else:
            state, waiting = step.state, len(arrived)
    return state


def _first(steps: Any) -> Any:
    """The first of the steps of a model, whose default readings are deterministic; None while it waits."""
    return steps if steps is None or hasattr(steps, "state") else next(iter(steps), None)
