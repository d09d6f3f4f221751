"""A trace as a graph for Graphviz: the events of each process in a row, an edge for each packet that is received."""

from __future__ import annotations

from ..diagram.style import role_of
from ..event_text import name, name_or_signal
from ..trace.data import Trace, TraceStep
from ..trace.journeys import journeys
from ..trace.values import printable

_COLOURS = {"plain": "#556371", "offender": "#c2410c", "earlier": "#0369a1", "signal": "#6d4fa3"}


def dot(trace: Trace) -> str:
    """The trace as the text of a DOT file."""
    lines = [
        "digraph run {",
        "  rankdir=LR;",
        '  node [shape=box, fontname="Helvetica", fontsize=10];',
        f"  label={quoted(trace.title or trace.model)};",
    ]
    for p in range(1, trace.bounds.processes + 1):
        lines += _process(trace, p)
    for journey in journeys(trace):
        packet = journey.packet
        role = role_of(trace, packet.message, packet.to)
        style = [f'color="{_COLOURS[role.id]}"', f"label={quoted(name_or_signal(packet.message))}", "constraint=true"]
        start = f"s{journey.sent + 1}p{packet.sender}"
        if journey.copied_from is not None:
            continue
        if journey.ended is None or journey.is_lost:
            end = f"left{packet.number}"
            lines.append(f'  {end} [shape=plaintext, label="{"lost" if journey.is_lost else "in transit"}"];')
            style.append("style=dashed")
        else:
            end = f"s{journey.ended + 1}p{packet.to}"
        lines.append(f"  {start} -> {end} [{', '.join(style)}];")
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    """A quoted string of DOT."""
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _process(trace: Trace, process: int) -> list[str]:
    """The row of a process."""
    nodes = [f"start{process}"]
    lines = [
        f"  subgraph cluster_{process} {{",
        f'    label="process {process}";',
        f"    start{process} [shape=point];",
    ]
    for i, step in enumerate(trace.steps, 1):
        if process in step.processes and step.kind not in ("duplicate", "lose"):
            nodes.append(f"s{i}p{process}")
            lines.append(f"    s{i}p{process} [label={quoted(_label(i, step, process))}];")
    lines.append("  }")
    lines.append(f"  {' -> '.join(nodes)} [color=gray, weight=10];" if len(nodes) > 1 else "")
    return [line for line in lines if line]


def _label(number: int, step: TraceStep, process: int) -> str:
    delivered = [name(message) for message, at in step.delivered if at == process]
    return f"{number}: {step.label}" + (f", delivers {', '.join(delivered)}" if delivered else "")
