"""A trace as a space-time diagram: one line per process, time to the right, messages as arrows, waits as bars."""

from __future__ import annotations

import textwrap

from ..errors import UsageError
from ..trace.data import Trace, TraceStep, name
from ..trace.text import heading
from ..trace.values import differences, show_named
from .elements import FONT, average_width, characters, element, group, line, text
from .labels import Label, Labels, place_labels
from .layout import LABEL, MARGIN, Flight, Layout, lay_out
from .legend import draw_legend
from .marks import deliver_mark, send_mark, violation_mark, wait_bar
from .style import INK, MUTED, ORDINARY, Role, arrow_head, patterns, ringed_step, role_of

LINE = 19
MOST_STEPS_DRAWN = 300
LONGEST_HEADING = 500


def draw(trace: Trace) -> str:
    """The diagram as the text of an SVG file: deterministic, self-contained, everything from the trace escaped.

    Raises UsageError for a run of more than `MOST_STEPS_DRAWN` steps, which nobody could read.
    """
    if len(trace.steps) > MOST_STEPS_DRAWN:
        raise UsageError(
            f"a diagram of {len(trace.steps)} steps would not be legible, at most {MOST_STEPS_DRAWN} are drawn; "
            "`precede trace show FILE --differences` prints longer runs"
        )
    layout = lay_out(trace)
    head, top = _heading(trace, layout.width)
    legend, legend_height = draw_legend(trace, layout.width)
    height = top + layout.bottom + legend_height + MARGIN
    svg = element(
        "svg",
        element("title", characters("; ".join(heading(trace)))),
        element("defs", *patterns()),
        element("rect", width=layout.width, height=height, fill="#ffffff"),
        *head,
        element("g", *_picture(trace, layout), transform=f"translate(0 {top:g})"),
        element("g", *legend, transform=f"translate(0 {top + layout.bottom:g})"),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        viewBox=f"0 0 {layout.width:g} {height:g}",
        width=layout.width,
        height=height,
        font_family=FONT,
    )
    return svg + "\n"


def _heading(trace: Trace, width: float) -> tuple[list[str], float]:
    """The lines above the picture, wrapped to its width, and their height."""
    lines = heading(trace)
    violated = next((i for i, content in enumerate(lines) if trace.violation and content.startswith("violates ")), -1)
    found: list[str] = []
    y = 14.0
    for i, content in enumerate(lines):
        size = 17 if i == 0 else 14 if i == violated else 12.5
        content = textwrap.shorten(content, LONGEST_HEADING, placeholder=" ...")
        for part in textwrap.wrap(content, int((width - 2 * MARGIN) / average_width(size))) or [""]:
            y += LINE + (3 if i in (0, violated) else 0)
            fill = INK if i in (0, violated) else MUTED
            weight = "600" if i in (0, violated) else "400"
            found.append(text(MARGIN, y, part, font_size=size, fill=fill, font_weight=weight))
    return found, round(y + 14)


def _picture(trace: Trace, layout: Layout) -> list[str]:
    """Everything between heading and legend, what lies below first."""
    order = sorted(layout.flights, key=lambda f: (role_of(trace, f.message, f.to) is not ORDINARY, f.sent, f.to))
    labels = place_labels(trace, layout)
    return [
        *_grid(trace, layout),
        *(_bar(trace, layout, f) for f in order if f.waits),
        *(_arrow(trace, layout, f, labels) for f in order),
        *(_event(trace, layout, i, label) for i, label in enumerate(labels.steps)),
        *_ring(trace, layout),
    ]


def _grid(trace: Trace, layout: Layout) -> list[str]:
    """Process lines, a thin line for each step with its number, and the end of the run."""
    first, last = layout.rows[0] - 26, layout.bottom - 16
    found = [text(layout.end + 4, first - 7, "end", font_size=10.5, fill=MUTED)]
    found.append(
        element("rect", x=layout.end, y=first, width=layout.right - layout.end, height=last - first, fill="#f5f7fa")
    )
    for i in range(len(trace.steps)):
        found.append(line(layout.x(i), first, layout.x(i), last, stroke="#eef1f4"))
        found.append(text(layout.x(i), first - 7, str(i + 1), font_size=10.5, fill=MUTED, text_anchor="middle"))
    for p, y in enumerate(layout.rows, 1):
        found.append(line(layout.left, y, layout.end, y, stroke="#8896a4", stroke_width=1.6))
        found.append(line(layout.end, y, layout.right, y, stroke="#8896a4", stroke_width=1.6, stroke_dasharray="2 4"))
        found.append(text(MARGIN, y + 4.5, f"process {p}", font_size=LABEL, font_weight="600", fill=INK))
    found.append(text(MARGIN, first - 7, "step", font_size=10.5, fill=MUTED))
    return found


def _arrow(trace: Trace, layout: Layout, flight: Flight, labels: Labels) -> str:
    role = role_of(trace, flight.message, flight.to)
    x1, y1 = layout.x(flight.sent), layout.y(flight.sender)
    x2, y2 = layout.landing(flight)
    lost = flight.received is None and not flight.waits
    style = _stroke(role, dashed=lost)
    if y1 == y2:
        lift = 30
        shaft = element(
            "path", d=f"M{x1:g} {y1:g} Q{(x1 + x2) / 2:g} {y1 - 2 * lift:g} {x2:g} {y2:g}", fill="none", **style
        )
        head = arrow_head((x1 + x2) / 2, y1 - 2 * lift, x2, y2, role, _gap(flight), hollow=lost)
    else:
        shaft = line(x1, y1, x2, y2, **style)
        head = arrow_head(x1, y1, x2, y2, role, _gap(flight), hollow=lost)
    parts = [shaft, head]
    if lost:
        parts.append(_name(labels.in_transit[(flight.sent, flight.to)], role))
    if flight.waits:
        parts.append(element("circle", cx=x2, cy=y2, r=3.2, fill="#ffffff", stroke=role.colour, stroke_width=1.6))
    return group(_flight_title(trace, flight), *parts, class_="message")


def _bar(trace: Trace, layout: Layout, flight: Flight) -> str:
    role = role_of(trace, flight.message, flight.to)
    x1, x2, y = layout.bar(flight)
    return group(_flight_title(trace, flight), *wait_bar(x1, x2, y, layout.y(flight.to), flight, role), class_="wait")


def _event(trace: Trace, layout: Layout, i: int, label: Label) -> str:
    step = trace.steps[i]
    x, y = layout.x(i), layout.y(step.process)
    if step.is_send:
        role = _role_of_send(trace, step)
        parts = [*send_mark(x, y, role), _name(label, role)]
        if step.delivered:
            parts += deliver_mark(x + 14, y, role)
    else:
        role = role_of(trace, step.id, step.process)
        parts = [*deliver_mark(x, y, role), _name(label, role)]
    return group(_event_title(trace, i), *parts, class_="event")


def _ring(trace: Trace, layout: Layout) -> list[str]:
    i = ringed_step(trace)
    if i is None or trace.violation is None:
        return []
    x, y = layout.x(i), layout.y(trace.steps[i].process)
    return [violation_mark(x, y, f"here {trace.violation.property} is violated")]


def _role_of_send(trace: Trace, step: TraceStep) -> Role:
    """The role of a send is that of its most remarkable copy."""
    roles = [role_of(trace, step.id, p.to) for p in step.packets]
    return next((role for role in roles if role is not ORDINARY), ORDINARY)


def _name(label: Label, role: Role) -> str:
    return text(
        label.x,
        label.y,
        label.text,
        font_size=LABEL,
        font_weight="400" if role is ORDINARY else "700",
        fill=INK if role is ORDINARY else role.colour,
        stroke="#ffffff",
        stroke_width=3.5,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def _stroke(role: Role, dashed: bool) -> dict[str, str | float]:
    style: dict[str, str | float] = {"stroke": role.colour, "stroke_width": role.width}
    if role.dashes or dashed:
        style["stroke_dasharray"] = role.dashes or "3 4"
    return style


def _gap(flight: Flight) -> float:
    """How far the tip of an arrow stays away from the middle of the mark that it points at."""
    return 4.5 if flight.waits else 6.5 if flight.received is not None else 1


def _flight_title(trace: Trace, flight: Flight) -> str:
    packet = next(p for p in trace.steps[flight.sent].packets if p.to == flight.to)
    lines = [f"{name(flight.message)} from {flight.sender} to {flight.to}: sent in step {flight.sent + 1}"]
    if flight.waits_after is not None:
        lines.append(f"has to wait after step {flight.waits_after + 1}")
    lines.append("not delivered" if flight.received is None else f"delivered in step {flight.received + 1}")
    lines.append(f"control information: {show_named(packet.control)}")
    return "\n".join(lines)


def _event_title(trace: Trace, i: int) -> str:
    step = trace.steps[i]
    changes = [f"{field}: {change}" for field, change in differences(trace.state_before(i), step.state)]
    return "\n".join([f"step {i + 1}: {step.label}", *changes])
