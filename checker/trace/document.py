"""A trace as the JSON object that `checker.formats` describes."""

from __future__ import annotations

from typing import Any

from ..event_text import name
from ..formats import TRACE
from ..history import MessageId
from ..result import FaultEvent, ReceiveEvent
from .data import Trace, TraceStep, Violation


def as_json(trace: Trace) -> dict[str, Any]:
    """The trace as a JSON object."""
    return TRACE.document(
        tool=trace.tool,
        source=trace.source,
        model=trace.model,
        title=trace.title,
        readings=trace.readings,
        settings=dict(trace.settings),
        bounds=trace.bounds.as_json(),
        scenario=None if trace.scenario is None else {"name": trace.scenario[0], "text": trace.scenario[1]},
        violation=None if trace.violation is None else _violation(trace.violation),
        initial=[{"process": p, "state": state} for p, state in enumerate(trace.initial, 1)],
        steps=[_step(number, step) for number, step in enumerate(trace.steps, 1)],
    )


def _violation(violation: Violation) -> dict[str, Any]:
    return {
        "property": violation.property,
        "explanation": violation.explanation,
        "process": violation.process,
        "message": _name(violation.message),
        "before": _name(violation.before),
        "loop": violation.loop,
    }


def _step(number: int, step: TraceStep) -> dict[str, Any]:
    event = step.event
    place = (event.sender, event.place) if isinstance(event, ReceiveEvent | FaultEvent) else (None, 0)
    return {
        "number": number,
        "label": step.label,
        "kind": step.kind,
        "process": step.process,
        "message": _name(step.id),
        "dests": sorted(step.message.dests) if step.message else [],
        "packet": step.taken,
        "sender": place[0],
        "place": place[1],
        "alternative": step.alternative,
        "name": step.called,
        "packets": [
            {
                "number": p.number,
                "sender": p.sender,
                "to": p.to,
                "message": _name(p.message),
                "control": p.control,
                "units": p.units,
                "bytes": p.bytes,
                "met": p.met,
            }
            for p in step.packets
        ],
        "delivered": [{"message": name(message), "at": at} for message, at in step.delivered],
        "waiting": [{"packet": packet, "message": _name(message), "at": at} for packet, message, at in step.waiting],
        "held": [{"message": name(message), "at": at} for message, at in step.held],
        "states": [{"process": s.process, "state": s.state, "down": s.down} for s in step.states],
    }


def _name(message: MessageId | None) -> str | None:
    return None if message is None else name(message)
