"""A trace as a space-time diagram: one line per process, time to the right, messages as arrows, waits as bars."""

from __future__ import annotations

import textwrap

from ..errors import UsageError
from ..event_text import name_or_signal
from ..trace.data import Trace, TraceStep
from ..trace.text import heading
from ..trace.values import differences, show_named
from .elements import FONT, average_width, characters, element, group, line, text
from .ground import draw_ground
from .happenings import Happening
from .labels import Label, Labels, place_labels
from .layout import (
    CAPTION,
    CAPTION_LINE,
    CURVE,
    LABEL,
    MARGIN,
    NAME_LINE,
    Bar,
    Flight,
    Layout,
    caption_lines,
    lay_out,
)  # fmt: skip
from .legend import draw_legend
from .marks import MARKS, ink, lost_mark, squares, twice_mark, violation_mark, wait_bar
from .style import INK, MUTED, ORDINARY, SIGNAL, Role, arrow_head, patterns, ringed, role_of

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
    legend, legend_height = draw_legend(trace, layout)
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
    order = sorted(layout.flights, key=lambda f: (_rank(role_of(trace, f.message, f.to)), f.sent, f.to))
    labels = place_labels(trace, layout)
    return [
        *draw_ground(trace, layout),
        *(_bar(trace, layout, bar) for bar in layout.bars),
        *(_arrow(trace, layout, f, labels) for f in order),
        *(_event(trace, layout, i, labels) for i in range(len(trace.steps))),
        *_ring(trace, layout),
    ]


def _rank(role: Role) -> int:
    return {SIGNAL.id: 0, ORDINARY.id: 1}.get(role.id, 2)


def _arrow(trace: Trace, layout: Layout, flight: Flight, labels: Labels) -> str:
    role = role_of(trace, flight.message, flight.to)
    (x1, y1), (x2, y2) = layout.start(flight), layout.landing(flight)
    style = _stroke(role, dashed=flight.is_left)
    hollow = flight.is_left or role is SIGNAL
    if y1 == layout.y(flight.to) and not flight.copied_from:
        turn = ((x1 + x2) / 2, y1 - 2 * CURVE)
        if flight.lost is not None and not flight.waits:
            turn = ((x1 + x2) / 2, y1 - CURVE)
        shaft = element("path", d=f"M{x1:g} {y1:g} Q{turn[0]:g} {turn[1]:g} {x2:g} {y2:g}", fill="none", **style)
        head = arrow_head(*turn, x2, y2, role, _gap(flight), hollow)
    else:
        shaft = line(x1, y1, x2, y2, **style)
        head = arrow_head(x1, y1, x2, y2, role, _gap(flight), hollow)
    parts = [shaft, head]
    if flight.number in labels.in_transit:
        parts.append(_name(labels.in_transit[flight.number], role))
    if flight.waits:
        parts.append(element("circle", cx=x2, cy=y2, r=3.2, fill="#ffffff", stroke=role.colour, stroke_width=1.6))
    return group(_flight_title(trace, flight), *parts, class_="message" if flight.message else "signal")


def _bar(trace: Trace, layout: Layout, bar: Bar) -> str:
    role = role_of(trace, bar.message, bar.process)
    title = _flight_title(trace, layout.flight(bar.number)) if not bar.is_held else _held_title(bar)
    parts = wait_bar(*layout.edges(bar), layout.y(bar.process), bar, role)
    return group(title, *parts, class_="held" if bar.is_held else "wait")


def _event(trace: Trace, layout: Layout, i: int, labels: Labels) -> str:
    """All marks of a step."""
    parts: list[str] = []
    for happening, label in zip(layout.happenings, labels.marks, strict=True):
        if happening.step == i:
            parts += _mark(trace, layout, happening, label)
    step = trace.steps[i]
    if step.taken is not None and step.kind in ("duplicate", "lose"):
        taken = layout.flight(step.taken)
        if step.kind == "duplicate":
            parts += twice_mark(*layout.on_way(taken, i))
        elif not taken.waits:
            parts += lost_mark(*layout.landing(taken))
    return group(_event_title(trace, i), *parts, class_="event")


def _mark(trace: Trace, layout: Layout, happening: Happening, label: Label) -> list[str]:
    p, x, y = happening.process, layout.x(happening.step), layout.y(happening.process)
    step = trace.steps[happening.step]
    role = _role_of_send(trace, step) if happening.shape == "send" else role_of(trace, step.id or (0, 0), p)
    roles = [role_of(trace, message, p) for message in happening.delivered]
    is_delivery = happening.shape == "delivery"
    parts = [] if is_delivery else MARKS[happening.shape](x, y, role)
    parts += squares(x, y, roles, is_delivery)
    if happening.text:
        named = [role, *roles] if happening.shape in ("send", "arrival") else [*roles, ORDINARY]
        parts.append(_name(label, next((r for r in named if r is not ORDINARY), ORDINARY)))
    foot = y - 11 - (NAME_LINE if happening.text else 0)
    for number, words in enumerate(reversed(caption_lines(happening.caption, layout.column))):
        parts.append(
            text(
                x, foot - CAPTION_LINE * number, words, font_size=CAPTION, fill=MUTED, text_anchor="middle",
                stroke="#ffffff", stroke_width=3, stroke_linejoin="round", paint_order="stroke",
            )
        )  # fmt: skip
    return parts


def _ring(trace: Trace, layout: Layout) -> list[str]:
    where = ringed(trace)
    if where is None or trace.violation is None:
        return []
    step, process = where
    return [violation_mark(layout.x(step), layout.y(process), f"here {trace.violation.property} is violated")]


def _role_of_send(trace: Trace, step: TraceStep) -> Role:
    """The role of a send is that of its most remarkable copy."""
    roles = [role_of(trace, p.message, p.to) for p in step.packets if p.message == step.id]
    return next((role for role in roles if role is not ORDINARY), ORDINARY)


def _name(label: Label, role: Role) -> str:
    return text(
        label.x,
        label.y,
        label.text,
        font_size=LABEL,
        font_weight="400" if role is ORDINARY else "700",
        fill=ink(role),
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
    if flight.waits or flight.message is None:
        return 4.5
    return 6.5 if flight.received is not None or flight.lost is not None else 1


def _flight_title(trace: Trace, flight: Flight) -> str:
    packet = next(p for p in trace.steps[flight.sent].packets if p.number == flight.number)
    verb = "sent" if flight.copied_from is None else "duplicated"
    what = name_or_signal(flight.message)
    lines = [f"{what} from {flight.sender} to {flight.to}: {verb} in step {flight.sent + 1}"]
    if flight.waits_after is not None:
        lines.append(f"has to wait after step {flight.waits_after + 1}")
    lines.append(_fate(trace, flight))
    lines.append(f"control information: {show_named(packet.control)}")
    return "\n".join(lines)


def _fate(trace: Trace, flight: Flight) -> str:
    if flight.lost is not None:
        return f"lost in step {flight.lost + 1}"
    if flight.received is None:
        return "not received" if flight.message is None else "not delivered"
    is_delivered = (flight.message, flight.to) in trace.steps[flight.received].delivered
    return f"{'delivered' if is_delivered else 'received'} in step {flight.received + 1}"


def _held_title(bar: Bar) -> str:
    until = "to the end" if bar.until is None else f"to step {bar.until + 1}"
    return f"{name_or_signal(bar.message)} has arrived at {bar.process}: held from step {int(bar.since) + 1} {until}"


def _event_title(trace: Trace, i: int) -> str:
    step = trace.steps[i]
    lines = [f"step {i + 1}: {step.label}"]
    for new in step.states:
        own = f"process {new.process}, " if len(step.states) > 1 else ""
        is_other = new.down or step.kind == "restart"
        changes = [] if is_other else differences(trace.state_before(i, new.process), new.state)
        lines += [f"{own}{field}: {change}" for field, change in changes]
    return "\n".join(lines)
