"""What is wrong at the end of one run (`checker.run`), in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from precede.models import Packet

from .event_text import name
from .history import MessageId, required_on_copy
from .local import is_due
from .result import ReceiveEvent, Schedule, Witness
from .run import Run, StepTaken
from .trace.rejudge import waits_needlessly

Holder = tuple[str, int, frozenset[Any], frozenset[Any]]
"""Who holds facts, in words and by its process; those that it holds, and those that are required there."""


def explained(run: Run, property: str, schedule: Schedule, last: StepTaken | None = None) -> Witness:
    """What is wrong at the end of `run`, which took `schedule`; `last` is its last step, where it may be another than
    a receipt that delivers too early."""
    if property == "CausalOrder":
        return _too_early(run, schedule, last)
    if property == "Integrity":
        process = getattr(schedule[-1], "process", None)
        text = f"process {process} delivers a message that it has delivered before"
        return Witness(schedule, text, process, getattr(schedule[-1], "message", None))
    if property == "NoNeedlessDelay":
        p, message = next(_held_needlessly(run))
        shown = name(message)
        text = f"process {p} holds {shown} back although every message to it that must precede {shown} is delivered"
        return Witness(schedule, f"{text} there", p, message)
    if property == "Delivery":
        left = run.undelivered()
        listed = ", ".join(f"{name(message)} to {to}" for message, to in left)
        text = f"nothing can happen any more, and these are not delivered: {listed}"
        return Witness(schedule, text, left[0][1], left[0][0])
    if property == "Minimality":
        return _inexact(run, schedule)
    return Witness(schedule, f"{property} does not hold", getattr(schedule[-1], "process", None) if schedule else None)


def _too_early(run: Run, schedule: Schedule, last: StepTaken | None) -> Witness:
    """The first message of the last step that is delivered although one that must precede it is not."""
    event = schedule[-1]
    if last is not None:
        delivered = [(p, (message.sender, message.number)) for message, p in last.deliveries]
    else:
        assert isinstance(event, ReceiveEvent) and event.message is not None
        delivered = [(event.process, event.message)]
    for p, message in delivered:
        sent = next(s for s in run.pasts[p].sent if s.id == message)
        missing = (sent.must_precede() & sent.past.to(p)) - run.pasts[p].delivered_at(p)
        if missing:
            first = min(missing)
            behind = "in the causal past of" if sent.depends_on is None else "on which depends"
            text = f"process {p} delivers {name(sent.id)} although {name(first)}, sent to it {behind} {name(sent.id)}"
            return Witness(schedule, f"{text}, is not delivered there", p, sent.id, first)
    p, message = delivered[0]
    text = f"process {p} delivers {name(message)} before a message, delivered in the same step, that must precede it"
    return Witness(schedule, text, p, message)


def _held_needlessly(run: Run) -> Iterator[tuple[int, MessageId]]:
    """(process, message): held back although all that must precede it is delivered."""
    for transit in run.waiting_packets():
        if transit.sent is not None and waits_needlessly(run, transit):
            yield transit.packet.to, transit.sent.id
    for p, local in run.locals.items():
        ready = {m for step in run.calls.internal(p, local.state) for m in step.delivered} if local.held else set()
        for sent in sorted(local.held, key=lambda s: s.id):
            if is_due(sent, local.past, p) and sent.shown not in ready:
                yield p, sent.id


def _inexact(run: Run, schedule: Schedule) -> Witness:
    """The smallest fact that is missing or redundant: in the state of the last step's process, else in a copy, else in
    another state."""
    for holder, p, asserted, required in _holders(run, getattr(schedule[-1], "process", 1) if schedule else 1):
        if asserted != required:
            is_missing = bool(required - asserted)
            message, d = min(required - asserted if is_missing else asserted - required)
            verb = "does not hold the required" if is_missing else "holds the redundant"
            text = f"{holder} {verb} fact that {name(message)} must still reach {d}"
            return Witness(schedule, text, p, message)
    raise AssertionError("the run has no fact missing or redundant at its end")


def _holders(run: Run, acting: int) -> Iterator[Holder]:
    processes = [p for p in run.processes if not run.locals[p].down]
    yield from (_state_of(run, p) for p in processes if p == acting)
    for transit in run.in_transit.values():
        packet, sent = transit.packet, transit.sent
        if sent is not None and isinstance(packet, Packet):
            asserted = run.calls.facts_of_packet(packet) or frozenset()
            holder = f"the copy of {name(sent.id)} to {packet.to}"
            yield holder, acting, asserted, required_on_copy(sent, packet.to)
    yield from (_state_of(run, p) for p in processes if p != acting)


def _state_of(run: Run, process: int) -> Holder:
    stored = run.calls.facts_of_state(run.locals[process].state) or frozenset()
    return f"process {process}", process, stored, run.pasts[process].required()
