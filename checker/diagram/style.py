"""How a diagram looks: colours that colour-blind readers can tell apart, each with a line style of its own."""

from __future__ import annotations

from dataclasses import dataclass

from ..history import MessageId
from ..trace.data import Trace
from .elements import element

INK = "#1f2933"
MUTED = "#5b6875"
RING = 13
"""The radius of the ring around the mark where a property is violated."""


@dataclass(frozen=True)
class Role:
    """What a packet is in the story, and how its arrow and bar are drawn."""

    id: str
    colour: str
    width: float
    dashes: str
    head: float = 8
    """The length of its arrow's head, less its width."""


ORDINARY = Role("plain", MUTED, 1.5, "")
OFFENDER = Role("offender", "#c2410c", 3.2, "")
EARLIER = Role("earlier", "#0369a1", 3.2, "9 4")
SIGNAL = Role("signal", "#6d4fa3", 1.0, "5 3", 5)
ABOUT_ONE_COPY = ("CausalOrder", "Delivery", "NoNeedlessDelay")
"""Properties that are violated by what happens to the copies to one process; others are about messages as such."""
ROLES = (ORDINARY, OFFENDER, EARLIER, SIGNAL)


def role_of(trace: Trace, message: MessageId | None, to: int) -> Role:
    """The role of the copy of `message` to process `to`; None: of a signal."""
    violation = trace.violation
    if message is None:
        return SIGNAL
    if violation is None or (violation.property in ABOUT_ONE_COPY and violation.process not in (None, to)):
        return ORDINARY
    if message == violation.message:
        return OFFENDER
    return EARLIER if message == violation.before else ORDINARY


def ringed(trace: Trace) -> tuple[int, int] | None:
    """The step, from 0, and the process at which the violation shows; None where it shows in a loop, or at a process
    that took no part in the last step."""
    if trace.violation is None or not trace.steps or trace.loop is not None:
        return None
    last, process = len(trace.steps) - 1, trace.violation.process
    processes = trace.steps[last].processes
    if process is None:
        return last, trace.steps[last].process or processes[0]
    return (last, process) if process in processes else None


def patterns() -> list[str]:
    """The hatchings of the bars, for each role: slanting for waits, level for what is held."""
    return [
        element(
            "pattern",
            element("rect", width=size, height=size, fill="#ffffff"),
            element("rect", width=width, height=size, fill=role.colour, fill_opacity=opacity),
            id=f"{kind}-{role.id}",
            width=size,
            height=size,
            patternUnits="userSpaceOnUse",
            patternTransform=f"rotate({angle})",
        )
        for kind, size, width, angle, opacity in (("wait", 7, 2.2, 45, 0.45), ("held", 4, 1, 90, 0.4))
        for role in ROLES
    ]


def arrow_head(x1: float, y1: float, x2: float, y2: float, role: Role, gap: float, hollow: bool) -> str:
    """The head of an arrow from (x1, y1) to (x2, y2), its tip `gap` short of the end."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    size = role.head + role.width
    tip = (x2 - gap * ux, y2 - gap * uy)
    base = (tip[0] - size * ux, tip[1] - size * uy)
    half = size * 0.42
    corners = [tip, (base[0] - half * uy, base[1] + half * ux), (base[0] + half * uy, base[1] - half * ux)]
    points = " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in corners)
    return element(
        "polygon", points=points, fill="#ffffff" if hollow else role.colour, stroke=role.colour, stroke_width=1.2
    )
