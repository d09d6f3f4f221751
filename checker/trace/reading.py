"""A trace from outside, every value checked before it is used.

Version 1 of the format is still read: what it lacks, it could not say, or follows from the rest.
"""

from __future__ import annotations

from typing import Any

from precede.models import Message

from ..bounds import MOST_FAULTS, Bounds
from ..errors import PrecedeError
from ..formats import TRACE
from ..result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, SendEvent
from ..system import FAULTS
from .data import MOST_STEPS, Delivery, Trace, TracePacket, TraceState, TraceStep, Violation, Waiting
from .fields import Fields, Wrong
from .settings import is_setting
from .story import check_story
from .values import printable
from .version1 import read_steps as read_steps_of_version_1

MOST_SENDS = 1_000_000
MOST_COPIES = 100_000
MOST_PACKETS = 10_000_000
MOST_GROUPS = 10_000
KINDS = ("send", "receive", "internal", "joint", *FAULTS)


def parse_trace(found: object) -> Trace:
    """Check a decoded JSON value and return the trace that it describes. Raises `Wrong`, which says where."""
    if not isinstance(found, dict) or found.get("format") != TRACE.name:
        raise Wrong(f"not a precede trace: a trace is a JSON object with format {TRACE.name!r}")
    top = Fields(found, "")
    version = top.integer("version", 1, 2**31)
    if version > TRACE.version:
        raise Wrong(f"trace version {version} is newer than this precede reads ({TRACE.version}); install a newer one")
    is_old = version == 1
    bounds = _bounds(top.object("bounds"), is_old)
    steps = top.objects("steps", MOST_STEPS)
    trace = Trace(
        tool=top.text("tool"),
        source=top.text("source"),
        model=top.text("model"),
        title=top.text("title"),
        readings={k: top.object("readings").text(k) for k in top.object("readings").names()},
        bounds=bounds,
        scenario=_scenario(top),
        violation=_violation(top, bounds, is_old),
        initial=_initial(top, bounds),
        steps=read_steps_of_version_1(steps, bounds) if is_old else tuple(_step(step, bounds) for step in steps),
        settings={} if is_old else _settings(top.object("settings")),
    )
    check_story(trace)
    return trace


def _bounds(found: Fields, is_old: bool) -> Bounds:
    processes = found.integer("processes", 2, 62)
    counts = [0] * 4
    groups: tuple[frozenset[int], ...] = ()
    if not is_old:
        counts = [found.integer(name, 0, MOST_FAULTS) for name in ("duplicates", "losses", "crashes", "restarts")]
        groups = tuple(map(frozenset, found.lists_of_integers("groups", MOST_GROUPS, 1, processes)))
    try:
        return Bounds(
            processes=processes,
            sends=found.integer("sends", 1, MOST_SENDS),
            sends_per_process=found.optional_integer("sends_per_process", 1, MOST_SENDS),
            dests=found.text("dests"),
            channel=found.text("channel"),
            self_addressed=found.text("self_addressed"),
            groups=groups,
            duplicates=counts[0],
            losses=counts[1],
            crashes=counts[2],
            restarts=counts[3],
        )
    except PrecedeError as error:
        raise Wrong(f"bounds: {error}") from None


def _settings(found: Fields) -> dict[str, Any]:
    """The parameters of the model: whole numbers, or sets of processes, as they are encoded."""
    settings = {name: found.value(name) for name in found.names()}
    for name, value in settings.items():
        if not is_setting(value):
            raise Wrong(f"settings.{printable(name[:60])}: must be a whole number, or sets of processes")
    return settings


def _scenario(top: Fields) -> tuple[str, str] | None:
    found = top.optional_object("scenario")
    return None if found is None else (found.text("name"), found.text("text"))


def _violation(top: Fields, bounds: Bounds, is_old: bool) -> Violation | None:
    found = top.optional_object("violation")
    if found is None:
        return None
    return Violation(
        property=found.text("property"),
        explanation=found.text("explanation"),
        process=found.optional_integer("process", 1, bounds.processes),
        message=found.optional_message("message", bounds.processes),
        before=found.optional_message("before", bounds.processes),
        loop=None if is_old else found.optional_integer("loop", 0, MOST_STEPS),
    )


def _initial(top: Fields, bounds: Bounds) -> tuple[Any, ...]:
    found = top.objects("initial", bounds.processes)
    if [f.integer("process", 1, bounds.processes) for f in found] != list(range(1, bounds.processes + 1)):
        raise Wrong(f"initial: must hold the processes 1 to {bounds.processes}, in order")
    return tuple(f.value("state") for f in found)


def _step(found: Fields, bounds: Bounds) -> TraceStep:
    event, message = _event(found, bounds)
    taken = found.optional_integer("packet", 1, MOST_PACKETS)
    if (taken is None) != (not isinstance(event, ReceiveEvent) and not _is_about_packet(event)):
        raise Wrong(f"{found.where}.packet: must name the packet of a step that takes one, and else be null")
    return TraceStep(
        event=event,
        message=message,
        taken=taken,
        called=found.text("name"),
        packets=tuple(_packet(p, bounds) for p in found.objects("packets", MOST_COPIES)),
        delivered=_copies(found, "delivered", bounds),
        waiting=tuple(_waiting(w, bounds) for w in found.objects("waiting", MOST_COPIES)),
        held=_copies(found, "held", bounds),
        states=tuple(
            TraceState(s.integer("process", 1, bounds.processes), s.value("state"), s.truth("down"))
            for s in found.objects("states", bounds.processes)
        ),
    )


def _event(found: Fields, bounds: Bounds) -> tuple[Event, Message | None]:
    kind = found.text("kind")
    if kind not in KINDS:
        raise Wrong(f"{found.where}.kind: must be one of {', '.join(KINDS)}")
    n = bounds.processes
    alternative = found.integer("alternative", 0, 10**6)
    id = found.optional_message("message", n)
    message = None if id is None else Message(*id, frozenset(found.integers("dests", 1, n)))
    if message is not None and kind not in ("send", "receive", "duplicate", "lose"):
        raise Wrong(f"{found.where}.message: must be null in such a step")
    if kind == "joint":
        return JointEvent(alternative), None
    process = found.integer("process", 1, n)
    if kind == "internal":
        return InternalEvent(process, alternative), None
    if kind == "send":
        if message is None:
            raise Wrong(f"{found.where}.message: missing in a send")
        return SendEvent(process, message.dests, alternative), message
    packet: tuple[int | None, int] = found.optional_integer("sender", 1, n), found.integer("place", 0, MOST_COPIES)
    if kind == "receive":
        return ReceiveEvent(process, id, alternative, *packet), message
    return FaultEvent(kind, process, *packet), message


def _is_about_packet(event: Event) -> bool:
    return isinstance(event, FaultEvent) and event.kind in FAULTS[:2]


def _packet(found: Fields, bounds: Bounds) -> TracePacket:
    return TracePacket(
        number=found.integer("number", 1, MOST_PACKETS),
        sender=found.integer("sender", 1, bounds.processes),
        to=found.integer("to", 1, bounds.processes),
        message=found.optional_message("message", bounds.processes),
        control=found.value("control"),
        units=found.optional_integer("units", 0, 2**53),
        bytes=found.optional_integer("bytes", 0, 2**53),
        met=found.truth("met"),
    )


def _waiting(found: Fields, bounds: Bounds) -> Waiting:
    n = bounds.processes
    return Waiting(
        found.integer("packet", 1, MOST_PACKETS), found.optional_message("message", n), found.integer("at", 1, n)
    )


def _copies(found: Fields, name: str, bounds: Bounds) -> tuple[Delivery, ...]:
    n = bounds.processes
    return tuple((c.message("message", n), c.integer("at", 1, n)) for c in found.objects(name, MOST_COPIES))
