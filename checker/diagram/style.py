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


ORDINARY = Role("plain", MUTED, 1.5, "")
OFFENDER = Role("offender", "#c2410c", 3.2, "")
EARLIER = Role("earlier", "#0369a1", 3.2, "9 4")
ABOUT_ONE_COPY = ("CausalOrder", "Delivery", "NoNeedlessDelay")
"""Properties that are violated by what happens to the copies to one process; others are about messages as such."""
ROLES = (ORDINARY, OFFENDER, EARLIER)


def role_of(trace: Trace, message: MessageId, to: int) -> Role:
    """The role of the copy of `message` to process `to`."""
    violation = trace.violation
    if violation is None or (violation.property in ABOUT_ONE_COPY and violation.process not in (None, to)):
        return ORDINARY
    if message == violation.message:
        return OFFENDER
    return EARLIER if message == violation.before else ORDINARY


def ringed_step(trace: Trace) -> int | None:
    """The step, from 0, at which the violation shows; None where it shows at a process that did not act last."""
    if trace.violation is None or not trace.steps:
        return None
    last = len(trace.steps) - 1
    return last if trace.violation.process in (None, trace.steps[last].process) else None


def patterns() -> list[str]:
    """The hatchings of the bars of waits, one for each role."""
    return [
        element(
            "pattern",
            element("rect", width=7, height=7, fill="#ffffff"),
            element("rect", width=2.2, height=7, fill=role.colour, fill_opacity=0.45),
            id=f"wait-{role.id}",
            width=7,
            height=7,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        )
        for role in ROLES
    ]


def arrow_head(x1: float, y1: float, x2: float, y2: float, role: Role, gap: float, hollow: bool) -> str:
    """The head of an arrow from (x1, y1) to (x2, y2), its tip `gap` short of the end."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    size = 8 + role.width
    tip = (x2 - gap * ux, y2 - gap * uy)
    base = (tip[0] - size * ux, tip[1] - size * uy)
    half = size * 0.42
    corners = [tip, (base[0] - half * uy, base[1] + half * ux), (base[0] + half * uy, base[1] - half * ux)]
    points = " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in corners)
    return element(
        "polygon", points=points, fill="#ffffff" if hollow else role.colour, stroke=role.colour, stroke_width=1.2
    )
