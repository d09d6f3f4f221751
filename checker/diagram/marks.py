"""The marks of a diagram, drawn alike in the picture and in its legend."""

from __future__ import annotations

from collections.abc import Callable

from ..event_text import name_or_signal
from .elements import element, group, line, text
from .layout import LANE, MOST_SQUARES, SQUARES, Bar
from .style import INK, MUTED, OFFENDER, ORDINARY, RING, SIGNAL, Role

BAR = LANE - 3
FAULT = "#8f1d1d"


def send_mark(x: float, y: float, role: Role) -> list[str]:
    """A send: a disc."""
    return [element("circle", cx=x, cy=y, r=5, fill=ink(role), stroke="#ffffff", stroke_width=1.2)]


def deliver_mark(x: float, y: float, role: Role) -> list[str]:
    """A delivery: a white square."""
    return [element("rect", x=x - 5, y=y - 5, width=10, height=10, fill="#ffffff", stroke=ink(role), stroke_width=2)]


def arrival_mark(x: float, y: float, role: Role) -> list[str]:
    """A packet is taken, and nothing delivered: a small white disc."""
    return [element("circle", cx=x, cy=y, r=4, fill="#ffffff", stroke=ink(role), stroke_width=1.6)]


def signal_mark(x: float, y: float, role: Role = SIGNAL) -> list[str]:
    """A signal is taken: a smaller one."""
    return [element("circle", cx=x, cy=y, r=3, fill="#ffffff", stroke=SIGNAL.colour, stroke_width=1.4)]


def internal_mark(x: float, y: float, role: Role = ORDINARY) -> list[str]:
    """A step of a process by itself: a diamond."""
    return [element("polygon", points=_points((x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)), fill=MUTED)]


def joint_mark(x: float, y: float, role: Role = ORDINARY) -> list[str]:
    """A step of all processes together, at one of them: a white diamond on a double line."""
    corners = _points((x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y))
    return [element("polygon", points=corners, fill="#ffffff", stroke=MUTED, stroke_width=1.8)]


def crash_mark(x: float, y: float, role: Role = ORDINARY) -> list[str]:
    """A crash: a bold cross."""
    return cross(x, y, 6, 3)


def restart_mark(x: float, y: float, role: Role = ORDINARY) -> list[str]:
    """A restart: a triangle that points to what comes."""
    corners = _points((x - 4, y - 7), (x + 8, y), (x - 4, y + 7))
    return [element("polygon", points=corners, fill="#ffffff", stroke=FAULT, stroke_width=2)]


def lost_mark(x: float, y: float) -> list[str]:
    """A packet is lost: a cross at the end of its arrow."""
    return cross(x, y, 4.5, 2.2)


def twice_mark(x: float, y: float) -> list[str]:
    """A packet is duplicated: from here on there are two."""
    disc = element("circle", cx=x, cy=y, r=7, fill="#ffffff", stroke=FAULT, stroke_width=1.4)
    return [disc, text(x, y + 3.5, "2", font_size=10, font_weight="700", fill=FAULT, text_anchor="middle")]


def cross(x: float, y: float, size: float, width: float) -> list[str]:
    """A diagonal cross."""
    style: dict[str, str | float] = {"stroke": FAULT, "stroke_width": width, "stroke_linecap": "round"}
    return [
        line(x - size, y - size, x + size, y + size, **style),
        line(x - size, y + size, x + size, y - size, **style),
    ]


MARKS: dict[str, Callable[[float, float, Role], list[str]]] = {
    "send": send_mark,
    "delivery": deliver_mark,
    "arrival": arrival_mark,
    "signal": signal_mark,
    "internal": internal_mark,
    "joint": joint_mark,
    "crash": crash_mark,
    "restart": restart_mark,
    "none": lambda x, y, role: [],
}


def squares(x: float, y: float, roles: list[Role], is_delivery: bool) -> list[str]:
    """The deliveries of one step: the first at the mark if the step is one, the others to its right."""
    places = [x + SQUARES * (i + (not is_delivery)) for i in range(len(roles))]
    return [
        part for place, role in zip(places, roles[:MOST_SQUARES], strict=False) for part in deliver_mark(place, y, role)
    ]


def violation_mark(x: float, y: float, title: str) -> str:
    """Where the property is violated: a double ring."""
    rings = [
        element("circle", cx=x, cy=y, r=r, fill="none", stroke=OFFENDER.colour, stroke_width=1.8)
        for r in (RING - 4, RING)
    ]
    return group(title, *rings, class_="violation")


def wait_bar(x1: float, x2: float, y: float, process_y: float, bar: Bar, role: Role) -> list[str]:
    """A wait, or a time that a message is held: a hatched bar below the process's line, tied to the line where it
    begins and where it ends; a cross where what waits is lost."""
    kind = "held" if bar.is_held else "wait"
    body = element(
        "rect", x=x1, y=y, width=x2 - x1, height=BAR, rx=3,
        fill=f"url(#{kind}-{role.id})", stroke=role.colour, stroke_width=1,
    )  # fmt: skip
    ties = [line(x1 + 0.5, process_y, x1 + 0.5, y + 3, stroke=role.colour, stroke_width=1.2)]
    if bar.until is not None and not bar.is_lost:
        ties.append(line(x2 - 0.5, process_y, x2 - 0.5, y + 3, stroke=role.colour, stroke_width=1.2))
    label = text(
        x1 + 5, y + BAR - 3.5, name_or_signal(bar.message), font_size=10.5, font_weight="600", fill=ink(role),
        stroke="#ffffff", stroke_width=4, stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip
    return [*ties, body, *(lost_mark(x2, y + BAR / 2) if bar.is_lost else ()), label]


def ink(role: Role) -> str:
    """The colour of a mark or a name."""
    return INK if role is ORDINARY else role.colour


def _points(*corners: tuple[float, float]) -> str:
    return " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in corners)
