"""Trace files: written whole or not at all; read as untrusted input, every value checked before it is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from precede.models import Message

from ..bounds import Bounds
from ..errors import EnvironmentProblem, PrecedeError
from ..files import read_bytes, write_text
from ..formats import TRACE
from ..history import MessageId
from ..result import ReceiveEvent, SendEvent
from ..run import Copy
from .data import MOST_STEPS, Trace, TracePacket, TraceStep, Violation
from .fields import Fields, Wrong

LARGEST_FILE = 64 * 2**20
MOST_SENDS = 1_000_000
MOST_COPIES = 100_000
WIDTH = 120


def write_trace(trace: Trace, path: Path | str) -> None:
    """Write a trace. Raises EnvironmentProblem (full disk, no permission), with nothing half-written left behind."""
    write_text(Path(path), as_text(trace))


def as_text(trace: Trace) -> str:
    """A trace as the text of its file."""
    return _pretty(trace.as_json(), 0) + "\n"


def read_trace(path: Path | str) -> Trace:
    """Read a trace file. Raises EnvironmentProblem, one line, for anything that is not a trace of this version."""
    data = read_bytes(Path(path), "trace", LARGEST_FILE)
    try:
        return parse_trace(_json(data))
    except Wrong as error:
        raise EnvironmentProblem(f"{path}: {error}") from None


def parse_trace(found: object) -> Trace:
    """Check a decoded JSON value and return the trace that it describes. Raises `Wrong`, which says where."""
    if not isinstance(found, dict) or found.get("format") != TRACE.name:
        raise Wrong(f"not a precede trace: a trace is a JSON object with format {TRACE.name!r}")
    top = Fields(found, "")
    version = top.integer("version", 1, 2**31)
    if version > TRACE.version:
        raise Wrong(f"trace version {version} is newer than this precede reads ({TRACE.version}); install a newer one")
    bounds = _bounds(top.object("bounds"))
    trace = Trace(
        tool=top.text("tool"),
        source=top.text("source"),
        model=top.text("model"),
        title=top.text("title"),
        readings={k: top.object("readings").text(k) for k in top.object("readings").names()},
        bounds=bounds,
        scenario=_scenario(top),
        violation=_violation(top, bounds),
        initial=_initial(top, bounds),
        steps=tuple(_step(step, bounds) for step in top.objects("steps", MOST_STEPS)),
    )
    _check_story(trace)
    return trace


def _json(data: bytes) -> object:
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise Wrong("not a trace: the file is binary, not JSON text") from None
    except json.JSONDecodeError as error:
        raise Wrong(
            f"not a trace: JSON ends or breaks in line {error.lineno} ({error.msg}); is it truncated?"
        ) from None
    except RecursionError:
        raise Wrong("not a trace: JSON nested too deeply") from None
    except ValueError:
        raise Wrong("not a trace: it holds a number that no trace holds") from None


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _bounds(found: Fields) -> Bounds:
    try:
        return Bounds(
            processes=found.integer("processes", 2, 62),
            sends=found.integer("sends", 1, MOST_SENDS),
            sends_per_process=found.optional_integer("sends_per_process", 1, MOST_SENDS),
            dests=found.text("dests"),
            channel=found.text("channel"),
            self_addressed=found.text("self_addressed"),
        )
    except PrecedeError as error:
        raise Wrong(f"bounds: {error}") from None


def _scenario(top: Fields) -> tuple[str, str] | None:
    found = top.optional_object("scenario")
    return None if found is None else (found.text("name"), found.text("text"))


def _violation(top: Fields, bounds: Bounds) -> Violation | None:
    found = top.optional_object("violation")
    if found is None:
        return None
    return Violation(
        property=found.text("property"),
        explanation=found.text("explanation"),
        process=found.optional_integer("process", 1, bounds.processes),
        message=found.optional_message("message", bounds.processes),
        before=found.optional_message("before", bounds.processes),
    )


def _initial(top: Fields, bounds: Bounds) -> tuple[Any, ...]:
    found = top.objects("initial", bounds.processes)
    if [f.integer("process", 1, bounds.processes) for f in found] != list(range(1, bounds.processes + 1)):
        raise Wrong(f"initial: must hold the processes 1 to {bounds.processes}, in order")
    return tuple(f.value("state") for f in found)


def _step(found: Fields, bounds: Bounds) -> TraceStep:
    process = found.integer("process", 1, bounds.processes)
    sender, number = found.message("message", bounds.processes)
    dests = frozenset(found.integers("dests", 1, bounds.processes))
    alternative = found.integer("alternative", 0, 10**6)
    kind = found.text("kind")
    if kind not in ("send", "receive"):
        raise Wrong(f"{found.where}.kind: must be 'send' or 'receive'")
    event = (
        SendEvent(process, dests, alternative)
        if kind == "send"
        else ReceiveEvent(process, (sender, number), alternative)
    )
    return TraceStep(
        event=event,
        message=Message(sender, number, dests),
        packets=tuple(_packet(p, bounds) for p in found.objects("packets", bounds.processes)),
        delivered=found.messages("delivered", bounds.processes),
        waiting=tuple(_copy(w, bounds) for w in found.objects("waiting", MOST_COPIES)),
        state=found.value("state"),
    )


def _packet(found: Fields, bounds: Bounds) -> TracePacket:
    return TracePacket(
        to=found.integer("to", 1, bounds.processes),
        control=found.value("control"),
        units=found.optional_integer("units", 0, 2**53),
        bytes=found.optional_integer("bytes", 0, 2**53),
    )


def _copy(found: Fields, bounds: Bounds) -> Copy:
    return found.message("message", bounds.processes), found.integer("at", 1, bounds.processes)


def _check_story(trace: Trace) -> None:
    """The steps must tell one story: messages numbered in order, received once, only where they were sent."""
    sent: dict[MessageId, frozenset[int]] = {}
    in_transit: set[Copy] = set()
    count = [0] * (trace.bounds.processes + 1)
    for number, step in enumerate(trace.steps, 1):
        where, copy = f"step {number} ({step.label})", (step.id, step.process)
        if step.is_send:
            count[step.process] += 1
            if step.id != (step.process, count[step.process]) or not step.message.dests:
                raise Wrong(
                    f"{where}: process {step.process} must send its message {count[step.process]} next, to someone"
                )
            sent[step.id] = step.message.dests
            addressed = [p.to for p in step.packets]
            in_transit |= {(step.id, to) for to in addressed}
            if len(set(addressed)) < len(addressed) or not set(addressed) <= step.message.dests:
                raise Wrong(f"{where}: the packets must go to different destinations of the message")
        elif copy not in in_transit or sent[step.id] != step.message.dests:
            raise Wrong(f"{where}: no such packet is in transit")
        else:
            in_transit.remove(copy)
        if not set(step.delivered) <= {step.id}:
            raise Wrong(f"{where}: a step can deliver only the message it sends or receives")
        if not set(step.waiting) <= in_transit:
            raise Wrong(f"{where}: a waiting packet is not in transit")


def _pretty(value: Any, indent: int) -> str:
    """JSON with short values on one line, so that a matrix stays readable."""
    line = json.dumps(value)
    if not isinstance(value, dict | list) or not value or (indent and len(line) + indent <= WIDTH):
        return line
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {_pretty(item, indent + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + _pretty(item, indent + 1) for item in value) + "\n" + " " * indent + "]"
