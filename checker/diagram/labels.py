"""Where the names of messages stand: beside their mark, where they cross the fewest arrows and bars.

Two names cannot overlap: every step has a column of its own, wide enough for a name on either side.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..event_text import name
from ..trace.data import Trace
from .elements import text_width
from .happenings import Happening
from .layout import LABEL, LANE, Layout
from .style import RING, ringed

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
    """The name at the mark of each happening, and at the end of each packet still in transit, by its number."""

    marks: tuple[Label, ...]
    in_transit: dict[int, Label]


def place_labels(trace: Trace, layout: Layout) -> Labels:
    """Place every name where it disturbs least."""
    arrows = [(*layout.start(f), *layout.landing(f)) for f in layout.flights]
    bars = [(x1, y, x2, y + LANE) for x1, x2, y in map(layout.edges, layout.bars)]
    marks = tuple(_best(_spots_of(happening, trace, layout), arrows, bars) for happening in layout.happenings)
    in_transit: dict[int, Label] = {}
    for f in layout.flights:
        if f.is_left and f.message is not None:
            right = _spots(name(f.message), *layout.landing(f), 4, to_the_left=False)[:2]
            in_transit[f.number] = _best(right, arrows, bars)
    return Labels(marks, in_transit)


def _spots_of(happening: Happening, trace: Trace, layout: Layout) -> list[Label]:
    at = (happening.step, happening.process)
    away = RING + 2 if at == ringed(trace) else 7
    spots = _spots(happening.text, layout.x(at[0]), layout.y(at[1]), away, to_the_left=happening.shape == "send")
    return spots[:1] if happening.caption else spots


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
    if x1 == x2:
        return min(y1, y2) <= box[3] and max(y1, y2) >= box[1]
    slope = (y2 - y1) / (x2 - x1)
    heights = (y1 + (left - x1) * slope, y1 + (right - x1) * slope)
    return min(heights) <= box[3] and max(heights) >= box[1]
