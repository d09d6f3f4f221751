"""The legend below a diagram: only what the diagram shows."""

from __future__ import annotations

from ..trace.data import Trace, name
from ..trace.values import printable
from .elements import average_width, element, line, text
from .layout import MARGIN, Flight, find_flights
from .marks import deliver_mark, send_mark, violation_mark, wait_bar
from .style import EARLIER, INK, OFFENDER, ORDINARY, Role, arrow_head, ringed_step

ROW = 28
MARK = 46
SIZE = 12

_OFFENDERS = {
    "CausalOrder": "delivered too early",
    "Delivery": "can never be delivered",
    "NoNeedlessDelay": "held back although it could be delivered",
    "Minimality": "the message that the wrong fact is about",
}


def draw_legend(trace: Trace, width: float) -> tuple[list[str], float]:
    """The legend as elements, from y = 0 down, and its height."""
    found: list[str] = [line(MARGIN, 0, width - MARGIN, 0, stroke="#e4e7eb")]
    x, y = float(MARGIN), float(ROW)
    for mark, words in _entries(trace):
        needed = MARK + average_width(SIZE) * len(words) + 24
        if x > MARGIN and x + needed > width - MARGIN:
            x, y = float(MARGIN), y + ROW
        found.append(element("g", *mark, transform=f"translate({round(x, 1):g} {y:g})"))
        found.append(text(x + MARK, y + 4, words, font_size=SIZE, fill=INK))
        x += needed
    return found, y + ROW / 2


def _entries(trace: Trace) -> list[tuple[list[str], str]]:
    flights = find_flights(trace)
    entries = [(send_mark(18, 0, ORDINARY), "send"), (deliver_mark(18, 0, ORDINARY), "delivery")]
    if any(f.waits for f in flights):
        sample = Flight((0, 0), 0, 0, 0, 0)
        entries.append(
            (wait_bar(2, 38, -7, -7, sample, ORDINARY)[-2:-1], "has arrived and waits for its delivery condition")
        )
    if any(f.received is None and not f.waits for f in flights):
        entries.append((_arrow(ORDINARY, dashes="3 4", hollow=True), "still in transit when the run ends"))
    violation = trace.violation
    if violation is None:
        return entries
    property = printable(violation.property)
    if violation.message:
        what = _OFFENDERS.get(violation.property, f"the message that {property} is about")
        entries.append((_arrow(OFFENDER), f"{name(violation.message)}: {what}"))
    if violation.before:
        entries.append(
            (_arrow(EARLIER, EARLIER.dashes), f"{name(violation.before)}: should have been delivered before")
        )
    if ringed_step(trace) is not None:
        entries.append(([violation_mark(18, 0, "violated")], f"here {property} is violated"))
    return entries


def _arrow(role: Role, dashes: str = "", hollow: bool = False) -> list[str]:
    dashed: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {}
    shaft = line(0, 0, 34, 0, stroke=role.colour, stroke_width=role.width, **dashed)
    return [shaft, arrow_head(0, 0, 38, 0, role, 0, hollow)]
