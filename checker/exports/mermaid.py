"""A trace as a Mermaid sequence diagram: an arrow where a packet is received, a note where one is sent or something
happens at a process by itself. Mermaid has no arrows that take time, so the time on the way is between note and arrow.
"""

from __future__ import annotations

from ..event_text import name, name_or_signal
from ..trace.data import Trace, TracePacket, TraceStep
from ..trace.journeys import in_transit_at_end
from ..trace.values import printable

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,()-+/='")


def mermaid(trace: Trace) -> str:
    """The trace as the text of a Mermaid diagram."""
    processes = range(1, trace.bounds.processes + 1)
    lines = ["sequenceDiagram", *(f"    participant p{p} as process {p}" for p in processes)]
    packets = {packet.number: packet for step in trace.steps for packet in step.packets}
    for step in trace.steps:
        lines += [f"    {line}" for line in _step(step, packets)]
    if trace.violation is not None:
        where = trace.violation.process or 1
        lines.append(f"    Note over p{where}: {escaped(f'{trace.violation.property}: {trace.violation.explanation}')}")
    left = [f"{name_or_signal(packet.message)} to {packet.to}" for packet in in_transit_at_end(trace)]
    if left:
        said = escaped(f"still in transit: {', '.join(left)}")
        lines.append(f"    Note over p1,p{trace.bounds.processes}: {said}")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text for a label: everything that could mean something to Mermaid as the code of its character."""
    return "".join(c if c in _PLAIN else f"#{ord(c)};" for c in printable(text))


def _step(step: TraceStep, packets: dict[int, TracePacket]) -> list[str]:
    label = escaped(step.label)
    if step.kind == "receive" and step.taken is not None:
        packet = packets[step.taken]
        shaft = "-)" if packet.message is not None else "--)"
        delivers = ", ".join(name(message) for message, _ in step.delivered)
        text = f"{name_or_signal(packet.message)}{f', delivers {delivers}' if delivers else ', not delivered yet'}"
        if packet.message is None and not delivers:
            text = "signal"
        return [f"p{packet.sender}{shaft}p{packet.to}: {escaped(text)}"]
    if step.kind == "lose" and step.taken is not None:
        packet = packets[step.taken]
        return [f"p{packet.sender}-xp{packet.to}: {label}"]
    if step.kind == "joint":
        return [f"Note over p{min(step.processes)},p{max(step.processes)}: {label}"]
    met = [
        f"p{p.sender}->>p{p.to}: {escaped(name_or_signal(p.message))}, received at once" for p in step.packets if p.met
    ]
    return [f"Note over p{step.process or 1}: {label}", *met]
