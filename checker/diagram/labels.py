"""Where the names of messages stand: beside their mark, where they cross the fewest arrows and bars.

Two names cannot overlap: every step has a column of its own, wide enough for a name on either side.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..trace.data import Trace, name
from .elements import text_width
from .layout import LABEL, LANE, Layout
from .style import RING, ringed_step

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge."""
Segment = tuple[float, float, float, float]
"""From (x1, y1) to (x2, y2)."""


@dataclass(frozen=True)
class Label:
    """A name at the left end `x` of its baseline `y`."""

    text: str
    x: float
    y: float

    @property
    def box(self) -> Box:
        """The space that it takes."""
        return self.x, self.y - LABEL + 2, self.x + text_width(self.text, LABEL), self.y + 2


@dataclass(frozen=True)
class Labels:
    """The name at each step's mark, and at the end of each packet still in transit: (sending step, destination)."""

    steps: tuple[Label, ...]
    in_transit: dict[tuple[int, int], Label]


def place_labels(trace: Trace, layout: Layout) -> Labels:
    """Place every name where it disturbs least."""
    arrows = [(layout.x(f.sent), layout.y(f.sender), *layout.landing(f)) for f in layout.flights]
    bars = [(x1, y, x2, y + LANE) for x1, x2, y in (layout.bar(f) for f in layout.flights if f.waits)]
    ringed = ringed_step(trace)
    steps = []
    for i, step in enumerate(trace.steps):
        away = RING + 2 if i == ringed else 7
        spots = _spots(name(step.id), layout.x(i), layout.y(step.process), away, to_the_left=step.is_send)
        steps.append(_best(spots, arrows, bars))
    in_transit: dict[tuple[int, int], Label] = {}
    for f in layout.flights:
        if not f.waits and f.received is None:
            right = _spots(name(f.message), *layout.landing(f), 4, to_the_left=False)[:2]
            in_transit[(f.sent, f.to)] = _best(right, arrows, bars)
    return Labels(tuple(steps), in_transit)


def _spots(text: str, x: float, y: float, away: float, to_the_left: bool) -> list[Label]:
    """The four places around a mark, the preferred one first: above, and away from the arrow at the mark."""
    width = text_width(text, LABEL)
    above, below = y - away - 2, y + away + LABEL - 3
    left, right = x - away - width, x + away
    sides = (left, right) if to_the_left else (right, left)
    return [Label(text, side, height) for side in sides for height in (above, below)]


def _best(spots: list[Label], arrows: list[Segment], bars: list[Box]) -> Label:
    def disturbs(label: Label) -> int:
        crossed_bars = sum(_overlap(label.box, bar) for bar in bars)
        return 5 * crossed_bars + sum(_crosses(arrow, label.box) for arrow in arrows)

    return min(spots, key=disturbs)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _crosses(segment: Segment, box: Box) -> bool:
    """Whether a segment meets a box: the part of it inside the box's columns, then its heights there."""
    x1, y1, x2, y2 = segment if segment[0] <= segment[2] else (*segment[2:], *segment[:2])
    left, right = max(x1, box[0]), min(x2, box[2])
    if left > right:
        return False
    slope = (y2 - y1) / (x2 - x1) if x2 > x1 else 0.0
    heights = (y1 + (left - x1) * slope, y1 + (right - x1) * slope)
    return min(heights) <= box[3] and max(heights) >= box[1]
