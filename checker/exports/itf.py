"""A trace in the Informal Trace Format (ITF), which Apalache and Quint write and ITF viewers open.

The variables: `action` (what led to the state), `event` (the same as a record), `states` (process -> its state),
`transit` (the packets in transit), `delivered` ({<<message, process>>}), `waiting` and `held`. `#meta` holds what is
needed to take the run again; `checker.exports.from_itf` reads it back.
"""

from __future__ import annotations

import json
from typing import Any

from ..event_text import name, name_or_signal
from ..result import FaultEvent, ReceiveEvent
from ..trace.data import Delivery, Trace, TracePacket, TraceStep
from ..trace.document import as_json
from ..trace.values import Value
from .states import GlobalState, global_states

VARIABLES = ("action", "event", "states", "transit", "delivered", "waiting", "held")
PARAMETERS = ("tool", "source", "model", "title", "readings", "settings", "bounds", "scenario", "violation")
"""The fields of a trace that `#meta.precede` holds, as they are there."""
LARGEST_NUMBER = 2**53


def itf(trace: Trace) -> str:
    """The trace as the text of an ITF file."""
    document = as_json(trace)
    meta = dict(
        format="ITF",
        source=trace.source,
        description=f"{trace.title} ({trace.model})",
        precede={field: document[field] for field in PARAMETERS},
    )
    found: dict[str, Any] = {
        "#meta": meta,
        "vars": list(VARIABLES),
        "states": [_state(state) for state in global_states(trace)],
    }
    if trace.loop is not None:
        found["loop"] = trace.loop
    return json.dumps(found, indent=1) + "\n"


def value(encoded: Value) -> Any:
    """An encoded value of a model as ITF has it."""
    if isinstance(encoded, list):
        return {"#tup": [value(part) for part in encoded]}
    if isinstance(encoded, dict):
        return _compound(encoded)
    if encoded is None:
        return "none"
    if isinstance(encoded, float):
        return {"#unserializable": repr(encoded)}
    return encoded


def _compound(encoded: dict[str, Value]) -> Any:
    if len(encoded) == 1:
        kind, content = next(iter(encoded.items()))
        if kind == "set" and isinstance(content, list):
            return {"#set": [value(part) for part in content]}
        if kind == "map" and isinstance(content, list):
            return {"#map": [[value(key), value(item)] for key, item in content]}
        if kind == "int" and isinstance(content, str):
            return {"#bigint": str(int(content, 16))}
        if kind == "text" and isinstance(content, str):
            return content
    return {field: value(part) for field, part in encoded.items()}


def _state(state: GlobalState) -> dict[str, Any]:
    return {
        "#meta": {"index": state.number},
        "action": "initial state" if state.step is None else state.step.label,
        "event": _event(state.step),
        "states": {"#map": [[p, value(own)] for p, own in enumerate(state.states, 1)]},
        "transit": {"#set": [_packet(packet) for packet in state.in_transit]},
        "delivered": _copies(state.delivered),
        "waiting": {"#set": [{"#tup": [name_or_signal(w.message), w.at, w.packet]} for w in state.waiting]},
        "held": _copies(state.held),
    }


def _event(step: TraceStep | None) -> dict[str, Any]:
    """A step as a record; 0 stands for none where a number is wanted."""
    if step is None:
        return _record("initial")
    event = step.event
    sender, place = (event.sender, event.place) if isinstance(event, ReceiveEvent | FaultEvent) else (None, 0)
    return _record(
        step.kind, step.process or 0, "none" if step.id is None else name(step.id),
        sorted(step.message.dests) if step.message else [], sender or 0, place, step.alternative, step.called,
    )  # fmt: skip


def _record(
    kind: str, process: int = 0, message: str = "none", dests: list[int] | None = None, sender: int = 0, place: int = 0,
    alternative: int = 0, called: str = "",
) -> dict[str, Any]:  # fmt: skip
    return {
        "kind": kind,
        "process": process,
        "message": message,
        "dests": {"#set": dests or []},
        "sender": sender,
        "place": place,
        "alternative": alternative,
        "called": called,
    }


def _packet(packet: TracePacket) -> dict[str, Any]:
    return {
        "number": packet.number,
        "sender": packet.sender,
        "to": packet.to,
        "message": name_or_signal(packet.message),
        "control": value(packet.control),
    }


def _copies(copies: tuple[Delivery, ...]) -> dict[str, Any]:
    return {"#set": [{"#tup": [name(message), at]} for message, at in copies]}
