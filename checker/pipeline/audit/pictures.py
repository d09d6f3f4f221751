"""Space-time diagrams around violations: the messages of a pair or crown, their chain, and some of what happens
meanwhile.

An excerpt of the log becomes a trace with numbered processes and messages, which `checker.diagram` draws; the names of
the log stand beside the lines of the processes, in the heading, and in the tooltips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import NamedTuple

from precede.models import Message

from ...bounds import Bounds
from ...diagram import draw
from ...diagram.elements import characters
from ...errors import PrecedeError
from ...history import MessageId
from ...result import ReceiveEvent, SendEvent
from ...trace.data import Trace, TracePacket, TraceState, TraceStep, Violation
from ...trace.file import as_text
from .chains import chain
from .clocks import short
from .delays import Delays
from .execution import Execution
from .judging import Judged
from .pairing import Ordered, Paired
from .tables import DELIVER, SEND

MOST_CONTEXT = 24
"""Events beside those that the violation is about."""
MOST_INVOLVED = 12
LOOKED_AT = 2000
TOOL = f"precede {version('precede')}"
NAME = 10
"""Characters of a process's name beside its line."""


class Scene(NamedTuple):
    """What a diagram is about: all `messages`, the offending one and the one before it, and the process (or -1)."""

    property: str
    explanation: str
    messages: tuple[int, ...]
    message: int
    before: int
    process: int


class Picture(NamedTuple):
    """A scene as SVG and as the text of a trace file, which `precede trace html` makes a page of."""

    svg: str
    trace: str


def pictures(judged: Judged, delays: Delays, most: int) -> list[Picture]:
    """At most so many: the smallest pairs and the crown, then the first deliveries that came too early."""
    found: list[Picture] = []
    for scene in _scenes(judged, delays, most):
        if len(found) < most and (picture := _drawn(judged, scene)):
            found.append(picture)
    return found


def _scenes(judged: Judged, delays: Delays, most: int) -> list[Scene]:
    execution, paired, order = judged.execution, judged.paired, judged.order
    if execution is None or paired is None or order is None:
        return []
    scenes: list[Scene] = []
    pairs = [(p.late, p.early, p.chain) for p in (judged.causal_pair, judged.fifo_pair) if p]
    for copy, until in zip(judged.early[:most].tolist(), delays.until[:most].tolist(), strict=True):
        if until >= 0:
            late = int(execution.message[until])
            between = chain(execution, order, paired.role, int(paired.send[late]), int(paired.send[paired.of[copy]]))
            pairs.append((late, copy, between or ()))
    for late, copy, between in dict.fromkeys(pairs):
        early, d = int(paired.of[copy]), int(paired.to[copy])
        text = (
            f"{short(execution.message_name(early))} was delivered at {short(execution.process_name(d))} before "
            f"{short(execution.message_name(late))}, which was sent in its past"
        )
        scenes.append(Scene("CausalOrder", text, (late, early, *between), early, late, d))
    if judged.crown and len(scenes) < most + 1:
        crown = judged.crown
        names = ", ".join(short(execution.message_name(m)) for m in crown.messages[:4])
        text = f"a crown of {len(crown.messages)}: {names}: the send of each comes before a delivery of the next"
        involved = tuple(dict.fromkeys([*crown.messages, *(m for part in crown.chains for m in part)]))
        scenes.insert(
            min(len(scenes), 2), Scene("Synchronous", text, involved, crown.messages[0], crown.messages[1], -1)
        )
    return scenes


def _drawn(judged: Judged, scene: Scene) -> Picture | None:
    """The picture of a scene; None where too many processes take part to be legible."""
    execution, paired, order = judged.execution, judged.paired, judged.order
    assert execution is not None and paired is not None and order is not None
    involved, events = _excerpt(execution, paired, order, scene)
    if not 2 <= len(involved) <= MOST_INVOLVED:
        return None
    numbers = {p: i for i, p in enumerate(involved, 1)}
    try:
        trace = _trace(judged.name, execution, paired, numbers, events, scene)
        svg = draw(trace)
    except PrecedeError:
        return None
    names = ", ".join(f"process {i} is {short(execution.process_name(p))}" for p, i in numbers.items())
    for p, i in numbers.items():
        name = short(execution.process_name(p))
        beside = name if len(name) <= NAME else name[: NAME - 1] + "…"
        svg = svg.replace(f">process {i}</text>", f"><title>{characters(name)}</title>{characters(beside)}</text>")
    return Picture(svg, as_text(_with_names(trace, names)))


def _with_names(trace: Trace, names: str) -> Trace:
    """The trace with the names of its processes, which it numbers, behind the explanation."""
    assert trace.violation is not None
    violation = replace(trace.violation, explanation=f"{trace.violation.explanation}; {names}")
    return replace(trace, violation=violation)


def _excerpt(execution: Execution, paired: Paired, order: Ordered, scene: Scene) -> tuple[list[int], list[int]]:
    """The processes, and the events in their order: all of the scene's messages, some others of the same processes."""
    copies = {m: range(paired.copy_start[m], paired.copy_end[m]) for m in scene.messages}
    senders = {int(execution.process[paired.send[m]]) for m in scene.messages}
    crowned = {int(paired.to[c]) for m in scene.messages for c in copies[m]} if scene.process < 0 else {scene.process}
    involved = sorted(senders | crowned if len(senders | crowned) <= MOST_INVOLVED else senders)
    own = [int(paired.send[m]) for m in scene.messages]
    own += [int(paired.delivered[c]) for m in scene.messages for c in copies[m] if int(paired.to[c]) in involved]
    places = sorted({int(order.place[e]) for e in own if e >= 0 and order.place[e] >= 0})
    chosen, sent, count = set(places), set(scene.messages), 0
    for place in range(places[0], min(places[-1], places[0] + LOOKED_AT)):
        e = int(order.events[place])
        m, p = int(execution.message[e]), int(execution.process[e])
        if place in chosen or count >= MOST_CONTEXT or p not in involved:
            continue
        if paired.role[e] == SEND and any(
            int(d) in involved for d in paired.to[paired.copy_start[m] : paired.copy_end[m]]
        ):
            sent.add(m)
        elif paired.role[e] != DELIVER or m not in sent:
            continue
        chosen.add(place)
        count += 1
    return involved, [int(order.events[place]) for place in sorted(chosen)]


def _trace(
    name: str, execution: Execution, paired: Paired, numbers: dict[int, int], events: Sequence[int], scene: Scene
) -> Trace:
    ids: dict[int, MessageId] = {}
    messages: dict[int, Message] = {}
    packets: dict[tuple[int, int], int] = {}
    steps: list[TraceStep] = []
    transmitted = 0
    for e in events:
        m, p = int(execution.message[e]), numbers[int(execution.process[e])]
        if paired.role[e] == SEND:
            dests = [numbers[int(d)] for d in paired.to[paired.copy_start[m] : paired.copy_end[m]] if int(d) in numbers]
            ids[m] = (p, 1 + sum(sender == p for sender, _ in ids.values()))
            messages[m] = Message(*ids[m], frozenset(dests))
            said = {"message": short(execution.message_name(m)), "line": int(execution.line[e])}
            sent = []
            for d in sorted(dests):
                transmitted += 1
                packets[m, d] = transmitted
                sent.append(TracePacket(packets[m, d], p, d, ids[m], said))
            here = (TraceState(p, None),)
            steps.append(TraceStep(SendEvent(p, frozenset(dests)), messages[m], packets=tuple(sent), states=here))
        elif (m, p) in packets:
            step = TraceStep(ReceiveEvent(p, ids[m]), messages[m], packets.pop((m, p)), delivered=((ids[m], p),))
            steps.append(replace(step, states=(TraceState(p, None),)))
    known = ", ".join(
        f"{s}.{k} = {short(execution.message_name(m))}" for m, (s, k) in ids.items() if m in scene.messages
    )
    return Trace(
        tool=TOOL,
        source="precede audit",
        model="an excerpt",
        title=f"execution {short(name)}",
        readings={},
        bounds=Bounds(processes=len(numbers), sends=max(1, len(ids)), dests="multicast"),
        scenario=None,
        violation=Violation(
            scene.property,
            f"{scene.explanation} ({known})",
            numbers.get(scene.process),
            ids.get(scene.message),
            ids.get(scene.before),
        ),
        initial=(None,) * len(numbers),
        steps=tuple(steps),
    )
