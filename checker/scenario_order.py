"""Whether any run can follow a script: its orders, drawn as one graph of events, must have no cycle."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .history import MessageId
    from .scenario import Scenario

_Event = tuple[str, "MessageId", int]
"""("send", message, sender), ("arrive", message, destination) or ("deliver", message, destination)."""


def contradiction(scenario: Scenario, in_order: bool) -> str | None:
    """A cycle of events that each wait for the one before, as text; None if the script can be followed.

    `in_order`: the copies of one channel arrive in the order in which they were sent.
    """
    graph: TopologicalSorter[_Event] = TopologicalSorter()
    for m in scenario.messages:
        graph.add(("send", m.id, m.sender), *(("deliver", other, m.sender) for other in m.after))
        if m.number > 1:
            graph.add(("send", m.id, m.sender), ("send", (m.sender, m.number - 1), m.sender))
        for d in sorted(m.dests):
            graph.add(("arrive", m.id, d), ("send", m.id, m.sender))
            graph.add(("deliver", m.id, d), ("arrive", m.id, d))
    for process, ids in _arrival_orders(scenario, in_order):
        for first, second in pairwise(ids):
            graph.add(("arrive", second, process), ("arrive", first, process))
    try:
        graph.prepare()
    except CycleError as error:
        return ", before ".join(_words(scenario, event) for event in error.args[1])
    return None


def _arrival_orders(scenario: Scenario, in_order: bool) -> list[tuple[int, tuple[MessageId, ...]]]:
    orders = list(scenario.arrivals)
    if in_order:
        copies = sorted((m.sender, d, m.id) for m in scenario.messages for d in m.dests)
        for (_, d), channel in groupby(copies, key=lambda copy: copy[:2]):
            orders.append((d, tuple(id for _, _, id in channel)))
    return orders


def _words(scenario: Scenario, event: _Event) -> str:
    what, id, process = event
    name = next(m.name for m in scenario.messages if m.id == id)
    if what == "send":
        return f"{process} sends {name}"
    return f"{name} {'arrives' if what == 'arrive' else 'is delivered'} at {process}"
