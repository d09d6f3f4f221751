"""A trace as a log for ShiViz: two lines for each event, what happens and the vector clock.

ShiViz reads it with the expression `EXPRESSION`, its default. Every packet carries its sender's clock, signals too, and
a process takes over the clock of what it receives, whether it delivers it or not: happened-before as Lamport has it,
which for a held message is more than causal order needs.
"""

from __future__ import annotations

import json

from ..trace.data import Trace, TraceStep
from ..trace.values import printable

EXPRESSION = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"

Clock = dict[str, int]


def shiviz(trace: Trace) -> str:
    """The trace as the text of a log, an event for the part of each step at each process."""
    clocks: dict[int, Clock] = {p: {} for p in range(1, trace.bounds.processes + 1)}
    on_packets: dict[int, Clock] = {}
    lines: list[str] = []
    for step in trace.steps:
        before = {p: dict(clock) for p, clock in clocks.items()}
        for process in _acting(step):
            clock = clocks[process]
            clock[host(process)] = clock.get(host(process), 0) + 1
            for other in _merged(step, process, before, clocks, on_packets):
                _take_over(clock, other)
            for packet in step.packets:
                if packet.sender == process:
                    on_packets[packet.number] = dict(clock)
            lines += [printable(step.label), f"{host(process)} {json.dumps(dict(sorted(clock.items())))}"]
        for packet in step.packets:
            on_packets.setdefault(packet.number, on_packets.get(step.taken or 0, {}))
    return "\n".join(lines) + "\n"


def host(process: int) -> str:
    """What ShiViz calls a process."""
    return f"process{process}"


def _acting(step: TraceStep) -> list[int]:
    """The processes with an event of their own, the acting one first; a lost or duplicated packet has none."""
    if step.kind in ("duplicate", "lose"):
        return []
    return sorted((state.process for state in step.states), key=lambda p: (p != step.process, p))


def _merged(
    step: TraceStep, process: int, before: dict[int, Clock], clocks: dict[int, Clock], on_packets: dict[int, Clock]
) -> list[Clock]:
    """The clocks that a process takes over in its part of a step."""
    if step.kind == "joint":
        return list(before.values())
    if process != step.process:
        return [clocks[step.process]] if step.process else []
    return [on_packets[step.taken]] if step.taken in on_packets else []


def _take_over(clock: Clock, other: Clock) -> None:
    for name, count in other.items():
        clock[name] = max(clock.get(name, 0), count)
