"""The legend below a diagram: only what the diagram shows."""

from __future__ import annotations

from ..event_text import name
from ..trace.data import Trace
from ..trace.values import printable
from .elements import average_width, element, line, text
from .layout import MARGIN, Bar, Layout
from .marks import MARKS, arrival_mark, deliver_mark, lost_mark, send_mark, twice_mark, violation_mark, wait_bar
from .style import EARLIER, INK, OFFENDER, ORDINARY, SIGNAL, Role, arrow_head, ringed

ROW = 28
MARK = 46
SIZE = 12

_OFFENDERS = {
    "CausalOrder": "delivered too early",
    "Delivery": "can never be delivered",
    "NoNeedlessDelay": "held back although it could be delivered",
    "Minimality": "the message that the wrong fact is about",
    "Integrity": "delivered twice",
}
_STEPS = {
    "internal": "step of a process by itself",
    "joint": "step of all processes together",
    "crash": "crash",
    "restart": "restart in the initial state",
}


def draw_legend(trace: Trace, layout: Layout) -> tuple[list[str], float]:
    """The legend as elements, from y = 0 down, and its height."""
    width = layout.width
    found: list[str] = [line(MARGIN, 0, width - MARGIN, 0, stroke="#e4e7eb")]
    x, y = float(MARGIN), float(ROW)
    for mark, words in _entries(trace, layout):
        needed = MARK + average_width(SIZE) * len(words) + 24
        if x > MARGIN and x + needed > width - MARGIN:
            x, y = float(MARGIN), y + ROW
        found.append(element("g", *mark, transform=f"translate({round(x, 1):g} {y:g})"))
        found.append(text(x + MARK, y + 4, words, font_size=SIZE, fill=INK))
        x += needed
    return found, y + ROW / 2


def _entries(trace: Trace, layout: Layout) -> list[tuple[list[str], str]]:
    shapes = {happening.shape for happening in layout.happenings}
    kinds = {step.kind for step in trace.steps}
    flights = layout.flights
    entries = [(send_mark(18, 0, ORDINARY), "send"), (deliver_mark(18, 0, ORDINARY), "delivery")]
    if "arrival" in shapes:
        entries.append((arrival_mark(18, 0, ORDINARY), "arrival without a delivery"))
    if any(f.message is None for f in flights):
        entries.append((_arrow(SIGNAL, SIGNAL.dashes, hollow=True), "signal: a packet of the protocol itself"))
    entries += [(MARKS[shape](18, 0, ORDINARY), words) for shape, words in _STEPS.items() if shape in shapes]
    if any(not bar.is_held for bar in layout.bars):
        entries.append((_sample_bar(is_held=False), "has arrived and waits for its delivery condition"))
    if any(bar.is_held for bar in layout.bars):
        entries.append((_sample_bar(is_held=True), "has been taken and is kept until its delivery"))
    if "duplicate" in kinds:
        entries.append((twice_mark(18, 0), "a packet is duplicated"))
    if "lose" in kinds:
        entries.append((lost_mark(18, 0), "a packet is lost"))
    if any(f.is_left and f.message is not None for f in flights):
        entries.append((_arrow(ORDINARY, dashes="3 4", hollow=True), "still in transit when the run ends"))
    return entries + _violation(trace)


def _violation(trace: Trace) -> list[tuple[list[str], str]]:
    violation = trace.violation
    if violation is None:
        return []
    entries: list[tuple[list[str], str]] = []
    property = printable(violation.property)
    if violation.message:
        what = _OFFENDERS.get(violation.property, f"the message that {property} is about")
        entries.append((_arrow(OFFENDER), f"{name(violation.message)}: {what}"))
    if violation.before:
        entries.append(
            (_arrow(EARLIER, EARLIER.dashes), f"{name(violation.before)}: should have been delivered before")
        )
    if ringed(trace) is not None:
        entries.append(([violation_mark(18, 0, "violated")], f"here {property} is violated"))
    return entries


def _sample_bar(is_held: bool) -> list[str]:
    return wait_bar(2, 38, -7, -7, Bar(None, 0, 0, None, is_held), ORDINARY)[-2:-1]


def _arrow(role: Role, dashes: str = "", hollow: bool = False) -> list[str]:
    dashed: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {}
    shaft = line(0, 0, 34, 0, stroke=role.colour, stroke_width=role.width, **dashed)
    return [shaft, arrow_head(0, 0, 38, 0, role, 0, hollow)]
