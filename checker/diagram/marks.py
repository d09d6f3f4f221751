"""The marks of a diagram, drawn alike in the picture and in its legend."""

from __future__ import annotations

from ..trace.data import name
from .elements import element, group, line, text
from .layout import LANE, Flight
from .style import INK, OFFENDER, ORDINARY, RING, Role

BAR = LANE - 3


def send_mark(x: float, y: float, role: Role) -> list[str]:
    """A send: a disc."""
    return [element("circle", cx=x, cy=y, r=5, fill=_ink(role), stroke="#ffffff", stroke_width=1.2)]


def deliver_mark(x: float, y: float, role: Role) -> list[str]:
    """A delivery: a white square."""
    return [element("rect", x=x - 5, y=y - 5, width=10, height=10, fill="#ffffff", stroke=_ink(role), stroke_width=2)]


def violation_mark(x: float, y: float, title: str) -> str:
    """Where the property is violated: a double ring."""
    rings = [
        element("circle", cx=x, cy=y, r=r, fill="none", stroke=OFFENDER.colour, stroke_width=1.8)
        for r in (RING - 4, RING)
    ]
    return group(title, *rings, class_="violation")


def wait_bar(x1: float, x2: float, y: float, process_y: float, flight: Flight, role: Role) -> list[str]:
    """A wait: a hatched bar below the process's line, tied to the line where it begins and where it ends."""
    bar = element(
        "rect", x=x1, y=y, width=x2 - x1, height=BAR, rx=3,
        fill=f"url(#wait-{role.id})", stroke=role.colour, stroke_width=1,
    )  # fmt: skip
    ties = [line(x1 + 0.5, process_y, x1 + 0.5, y + 3, stroke=role.colour, stroke_width=1.2)]
    if flight.received is not None:
        ties.append(line(x2 - 0.5, process_y, x2 - 0.5, y + 3, stroke=role.colour, stroke_width=1.2))
    label = text(
        x1 + 5, y + BAR - 3.5, name(flight.message), font_size=10.5, font_weight="600",
        fill=INK if role is ORDINARY else role.colour,
        stroke="#ffffff", stroke_width=4, stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip
    return [*ties, bar, label]


def _ink(role: Role) -> str:
    return INK if role is ORDINARY else role.colour
