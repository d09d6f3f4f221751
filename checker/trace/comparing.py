"""What differs between a recorded step and the same step executed again, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from .data import Delivery, TracePacket, TraceStep, name
from .text import packet_name, waiting_names
from .values import Value, differences, printable, same, show


def difference(old: TraceStep, new: TraceStep) -> str | None:
    """What differs between a recorded and an executed step; None if nothing does."""
    if new.message != old.message:
        return f"the message is {new.message}, in the trace {old.message}"
    if new.called != old.called:
        return f"the step is called {printable(new.called)!r}, in the trace {printable(old.called)!r}"
    if [_address(p) for p in new.packets] != [_address(p) for p in old.packets]:
        return f"the packets go to {_addresses(new.packets)}, in the trace to {_addresses(old.packets)}"
    for then, now in zip(old.packets, new.packets, strict=True):
        what = packet_name(now)
        if not same(now.control, then.control):
            return f"the {what} carries {show(now.control)}, in the trace {show(then.control)}"
        if (now.units, now.bytes) != (then.units, then.bytes):
            sizes = f"{now.units} units and {now.bytes} bytes, in the trace {then.units} and {then.bytes}"
            return f"the {what} has {sizes}"
    if new.delivered != old.delivered:
        return f"it delivers {_copies(new.delivered, new)}, in the trace {_copies(old.delivered, old)}"
    if [state.process for state in new.states] != [state.process for state in old.states]:
        return "other processes take part than in the trace"
    for before, after in zip(old.states, new.states, strict=True):
        if not same(after.state, before.state):
            return f"the state of process {after.process}: {between(before.state, after.state)}"
    if new.waiting != old.waiting:
        return f"the waiting packets are {waiting_names(new.waiting)}, in the trace {waiting_names(old.waiting)}"
    if new.held != old.held:
        return f"it leaves held {_copies(new.held)}, in the trace {_copies(old.held)}"
    return None


def between(recorded: Value, now: Value) -> str:
    """What changed from the recorded state to that of today."""
    changes = "; ".join(f"{printable(field)}: {change}" for field, change in differences(recorded, now))
    return f"from the trace to now, {changes}"


def _address(packet: TracePacket) -> tuple[object, ...]:
    return packet.number, packet.sender, packet.to, packet.message, packet.met


def _addresses(packets: Sequence[TracePacket]) -> str:
    return ", ".join(f"{'signal ' if p.message is None else ''}{p.to}" for p in packets) or "nobody"


def _copies(copies: Sequence[Delivery], step: TraceStep | None = None) -> str:
    """Messages with their process, where it is not that of `step` alone."""
    alone = step is not None and len(step.states) == 1
    return ", ".join(name(message) + ("" if alone else f" at {at}") for message, at in copies) or "nothing"
