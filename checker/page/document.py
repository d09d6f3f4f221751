"""Everything that the page shows of one run, as one JSON object.

Values that occur often (states, control information, sentences) are kept once, in `values`, and named by their place
there. Steps and packets are counted from 1, as they are in a trace.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..diagram.happenings import Happening
from ..diagram.layout import Bar, Flight, lay_out
from ..diagram.style import ringed, role_of
from ..event_text import name, name_or_signal
from ..history import MessageId
from ..trace.data import Trace, TraceStep
from ..trace.text import heading, system
from ..trace.values import printable
from .executing import LONGEST_JUDGED, Execution, NotExecuted, execute
from .histories import Item, ordered_so_far
from .others import STATES_OF_ALL, Other
from .telling import Sentence, chain_of, chosen_readings, meaning_of, story_of
from .watching import Ran


class _Values:
    """Values that are kept once."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, value: Any) -> int:
        """The place of a value."""
        key = json.dumps(value, sort_keys=True)
        if key not in self._places:
            self._places[key] = len(self.all)
            self.all.append(value)
        return self._places[key]


def document_of(trace: Trace, called: str = "", model: str | None = None, ahead: int = STATES_OF_ALL) -> dict[str, Any]:
    """The object for one trace; `called` is what the page calls it, `model` what the user calls his own model,
    `ahead` at how many states to look to find out where other steps lead."""
    told = execute(trace, model, ahead)
    if isinstance(told, NotExecuted) and trace.violation and trace.violation.property == "CausalOrder":
        told = replace(told, ordered=tuple(ordered_so_far(trace)))
    trace = _pinpointed(trace, told)
    values = _Values()
    layout = lay_out(trace)
    return {
        "called": called or trace.title or trace.model,
        "title": trace.title,
        "model": trace.model,
        "source": trace.source,
        "tool": trace.tool,
        "heading": heading(trace),
        "system": system(trace),
        "readings": [f"{id}{letter}" for id, letter in trace.readings.items()],
        "chosen": [[one.id, one.question, one.answer] for one in chosen_readings(trace)],
        "processes": trace.bounds.processes,
        "loop": trace.loop,
        "sendsLeftOut": len(trace.steps) > LONGEST_JUDGED,
        "violation": _violation(trace),
        "story": [{"text": s.text, "step": s.step} for s in (*story_of(trace), *_wrong_items(trace, told))],
        "notExecuted": told.reason if isinstance(told, NotExecuted) else None,
        "properties": _properties(trace, told),
        "initial": [values.place(state) for state in trace.initial],
        "steps": [_step(trace, i, step, told, values) for i, step in enumerate(trace.steps)],
        "packets": [_packet(trace, flight, told, values) for flight in layout.flights],
        "bars": [_bar(trace, bar) for bar in layout.bars],
        "happenings": [_happening(trace, happening) for happening in layout.happenings],
        "atStart": _state(0, told, values),
        "values": values.all,
    }


def _pinpointed(trace: Trace, told: Execution | NotExecuted) -> Trace:
    """The trace with where its violation shows: TLC and Z3 say only what is violated."""
    if isinstance(told, NotExecuted) or told.witness is None or trace.violation is None:
        return trace
    found, old = told.witness, trace.violation
    said = f"{old.explanation}: {found.explanation}" if old.explanation else found.explanation
    violation = replace(old, explanation=said, process=found.process, message=found.message, before=found.before)
    return replace(trace, violation=violation)


def _wrong_items(trace: Trace, told: Execution | NotExecuted) -> Iterator[Sentence]:
    """Why the items that violate Minimality at the end are wrong."""
    last = len(trace.steps)
    if isinstance(told, NotExecuted) or trace.violation is None or trace.violation.property != "Minimality" or not last:
        return
    places = [(f"in the state of process {p}", told.state_items.get((last, p), ())) for p in trace.steps[-1].processes]
    places += [
        (f"on the copy of {name_or_signal(p.message)} to {p.to}", told.packet_items.get(p.number, ()))
        for p in trace.steps[-1].packets
    ]
    for where, items in places:
        for item in items:
            if item.status in ("redundant", "missing"):
                about = f"That {name(item.message)} must still reach {item.at} is {item.status} {where}"
                yield Sentence(f"{about}: {item.why}.", last)


def _violation(trace: Trace) -> dict[str, Any] | None:
    violation = trace.violation
    if violation is None:
        return None
    ring = _ring(trace)
    return {
        "property": violation.property,
        "meaning": meaning_of(violation.property, trace.model),
        "explanation": violation.explanation,
        "process": violation.process,
        "message": _name(violation.message),
        "before": _name(violation.before),
        "chain": [name(message) for message in chain_of(trace)],
        "ring": ring,
    }


def _ring(trace: Trace) -> list[int] | None:
    """The step and the process at which the violation shows: where the offending message is delivered too early, else
    as in the diagram."""
    violation = trace.violation
    if violation is not None and violation.property == "CausalOrder" and violation.message and violation.process:
        for i, step in enumerate(trace.steps, 1):
            if (violation.message, violation.process) in step.delivered:
                return [i, violation.process]
    found = ringed(trace)
    return None if found is None else [found[0] + 1, found[1]]


def _properties(trace: Trace, told: Execution | NotExecuted) -> list[dict[str, str]]:
    if isinstance(told, NotExecuted):
        names = [trace.violation.property] if trace.violation else []
    else:
        names = list(told.properties)
    return [{"name": property, "meaning": meaning_of(property, trace.model)} for property in names]


def _step(trace: Trace, i: int, step: TraceStep, told: Execution | NotExecuted, values: _Values) -> dict[str, Any]:
    ran: list[list[Any]] = []
    waits: dict[int, list[str]] = {}
    if not isinstance(told, NotExecuted):
        ran = [_ran(one, told, values) for one in told.ran[i]]
        waits = {number: [one.label for one in found] for number, found in told.waits[i].items()}
    return {
        "label": step.label,
        "kind": step.kind,
        "process": step.process,
        "processes": step.processes,
        "message": _name(step.id),
        "dests": sorted(step.message.dests) if step.message else [],
        "taken": step.taken,
        "alternative": step.alternative,
        "packets": [packet.number for packet in step.packets],
        "delivered": [[name(message), at] for message, at in step.delivered],
        "held": [[name(message), at] for message, at in step.held],
        "waiting": [[w.packet, waits.get(w.packet, [])] for w in step.waiting],
        "states": [{"process": s.process, "state": values.place(s.state), "down": s.down} for s in step.states],
        "ran": ran,
        **_state(i + 1, told, values),
    }


def _state(i: int, told: Execution | NotExecuted, values: _Values) -> dict[str, Any]:
    """What is told of the state after `i` steps."""
    if isinstance(told, NotExecuted):
        return {"truths": list(told.ordered[i : i + 1]), "others": [], "more": 0, "items": {}}
    others, more = told.others[i]
    return {
        "truths": list(told.truths[i].values()),
        "others": [_other(other, values) for other in others],
        "more": more,
        "items": {p: _items(items, values) for (step, p), items in told.state_items.items() if step == i},
    }


def _other(other: Other, values: _Values) -> list[Any]:
    label = values.place(other.label)
    return [label, other.outlook, other.states] if other.outlook else [label]


def _ran(ran: Ran, told: Execution, values: _Values) -> list[Any]:
    texts = dict.fromkeys(told.statements[line] for line in ran.lines if line in told.statements)
    return [ran.label, ran.changed, ran.waited, values.place(list(texts))]


def _items(items: tuple[Item, ...], values: _Values) -> list[list[Any]]:
    return [[name(item.message), item.at, item.status, values.place(item.why)] for item in items]


def _packet(trace: Trace, flight: Flight, told: Execution | NotExecuted, values: _Values) -> dict[str, Any]:
    packet = next(p for p in trace.steps[flight.sent].packets if p.number == flight.number)
    items = None if isinstance(told, NotExecuted) else told.packet_items.get(flight.number)
    return {
        "number": flight.number,
        "message": _name(flight.message),
        "sender": flight.sender,
        "to": flight.to,
        "sent": flight.sent + 1,
        "waitsAfter": _step_number(flight.waits_after),
        "received": _step_number(flight.received),
        "lost": _step_number(flight.lost),
        "copiedFrom": flight.copied_from,
        "slot": flight.slot,
        "role": role_of(trace, flight.message, flight.to).id,
        "control": values.place(packet.control),
        "units": packet.units,
        "bytes": packet.bytes,
        "items": None if items is None else _items(items, values),
    }


def _bar(trace: Trace, bar: Bar) -> dict[str, Any]:
    return {
        "message": _name(bar.message),
        "process": bar.process,
        "since": bar.since + 1,
        "until": _step_number(bar.until),
        "held": bar.is_held,
        "packet": bar.number or None,
        "lost": bar.is_lost,
        "lane": bar.lane,
        "role": role_of(trace, bar.message, bar.process).id,
    }


def _happening(trace: Trace, happening: Happening) -> dict[str, Any]:
    step = trace.steps[happening.step]
    role = role_of(trace, step.id or (0, 0), happening.process)
    if happening.shape == "send":
        roles = [role_of(trace, p.message, p.to) for p in step.packets if p.message == step.id]
        role = next((r for r in roles if r.id != "plain"), role_of(trace, (0, 0), happening.process))
    return {
        "step": happening.step + 1,
        "process": happening.process,
        "shape": happening.shape,
        "delivered": [
            [name(message), role_of(trace, message, happening.process).id] for message in happening.delivered
        ],
        "text": happening.text,
        "caption": printable(happening.caption),
        "role": role.id,
    }


def _step_number(step: int | None) -> int | None:
    return None if step is None else step + 1


def _name(message: MessageId | None) -> str | None:
    return None if message is None else name(message)
