"""What lies below the arrows of a diagram: process lines, the steps with their numbers, the loop of a lasso."""

from __future__ import annotations

from ..trace.data import Trace
from ..trace.text import loop_in_words
from .elements import element, line, text
from .layout import LABEL, LOOP, MARGIN, TOP, Layout
from .style import INK, MUTED, ORDINARY, arrow_head

PROCESS = "#8896a4"


def draw_ground(trace: Trace, layout: Layout) -> list[str]:
    """Process lines, a thin line for each step with its number, and the end of the run."""
    first, last = TOP, layout.below - 16
    found = [text(layout.end + 4, first - 7, "end", font_size=10.5, fill=MUTED)]
    found.append(
        element("rect", x=layout.end, y=first, width=layout.right - layout.end, height=last - first, fill="#f5f7fa")
    )
    found += _loop(trace, layout, first, last)
    for i in range(len(trace.steps)):
        found.append(line(layout.x(i), first, layout.x(i), last, stroke="#eef1f4"))
        found.append(text(layout.x(i), first - 7, str(i + 1), font_size=10.5, fill=MUTED, text_anchor="middle"))
    for p, y in enumerate(layout.rows, 1):
        for x1, x2, is_down in _lives(trace, layout, p):
            dashes: dict[str, str | float] = {"stroke_dasharray": "1 7"} if is_down else {}
            found.append(line(x1, y, x2, y, stroke=PROCESS, stroke_width=1.6, **dashes))
        found.append(line(layout.end, y, layout.right, y, stroke=PROCESS, stroke_width=1.6, stroke_dasharray="2 4"))
        found.append(text(MARGIN, y + 4.5, f"process {p}", font_size=LABEL, font_weight="600", fill=INK))
    for i, step in enumerate(trace.steps):
        if step.kind == "joint":
            ends = (layout.y(step.processes[0]), layout.y(step.processes[-1]))
            found += [line(layout.x(i) + d, ends[0], layout.x(i) + d, ends[1], stroke=MUTED) for d in (-2, 2)]
    found.append(text(MARGIN, first - 7, "step", font_size=10.5, fill=MUTED))
    return found


def _lives(trace: Trace, layout: Layout, process: int) -> list[tuple[float, float, bool]]:
    """The parts of a process's line: from, to, and whether it is down."""
    parts, since, is_down = [], layout.left, False
    for i, step in enumerate(trace.steps):
        if step.kind in ("crash", "restart") and step.process == process:
            parts.append((since, layout.x(i), is_down))
            since, is_down = layout.x(i), step.kind == "crash"
    return [*parts, (since, layout.end, is_down)]


def _loop(trace: Trace, layout: Layout, first: float, last: float) -> list[str]:
    """The steps that repeat for ever: their background, and an arrow back from the end to where they begin."""
    if trace.loop is None:
        return []
    x1, x2, y = layout.x(trace.loop - 0.5), layout.end, layout.below + LOOP / 2
    style: dict[str, str | float] = {"stroke": INK, "stroke_width": 1.6}
    return [
        element("rect", x=x1, y=first, width=x2 - x1, height=last - first, fill="#fdf3d7"),
        line(x2, last, x2, y, **style),
        line(x2, y, x1, y, **style),
        line(x1, y, x1, last, **style),
        arrow_head(x1, y, x1, last, ORDINARY, 0, hollow=False),
        text(
            x2 - 6, y - 5, f"{loop_in_words(trace).lower()} for ever", font_size=12, font_weight="600", fill=INK,
            text_anchor="end", stroke="#ffffff", stroke_width=3.5, stroke_linejoin="round", paint_order="stroke",
        ),
    ]  # fmt: skip
