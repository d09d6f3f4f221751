"""Where everything of a space-time diagram goes: columns for steps, rows for processes, lanes for waits."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..history import MessageId
from ..trace.data import Trace
from ..trace.journeys import holds, journeys
from ..trace.values import printable
from .elements import average_width, text_width
from .happenings import Happening, happenings

MARGIN = 28
LEFT = 78
FIRST_ROW = 46
ROW = 92
LANE = 17
FIRST_LANE = 9
LABEL = 13
CAPTION = 10.5
CAPTION_LINE = 12
NAME_LINE = 14
MOST_CAPTION_LINES = 2
TOP = 20
"""The y of the upper end of the picture, below the numbers of the steps."""
NARROWEST_COLUMN = 58
NARROWEST_WITH_CAPTIONS = 90
WIDEST_COLUMN = 96
SMALLEST_WIDTH = 760
SQUARES = 13
"""The space that one of several deliveries in a step takes."""
MOST_SQUARES = 4
LOOP = 34
"""The height of the mark of a loop, below the processes."""
LOST_AFTER = 0.6
"""The part of its way that a lost packet makes."""
CURVE = 30
Point = tuple[float, float]


@dataclass(frozen=True)
class Flight:
    """The way of one packet, as an arrow. `waits_after` is the step after which it first had to wait, `received` the
    step that took it, `lost` the fault that lost it (from 0, None if none did). `slot` places what is in transit at the
    end."""

    number: int
    message: MessageId | None
    sender: int
    to: int
    sent: int
    waits_after: int | None = None
    received: int | None = None
    lost: int | None = None
    copied_from: int | None = None
    slot: int = 0

    @property
    def waits(self) -> bool:
        """Whether it ever had to wait."""
        return self.waits_after is not None

    @property
    def is_left(self) -> bool:
        """Whether its arrow runs beyond the end."""
        return not self.waits and self.received is None and self.lost is None


@dataclass(frozen=True)
class Bar:
    """A time at one process, between steps that may be halves: a packet waits there, or an arrived message is held."""

    message: MessageId | None
    process: int
    since: float
    until: int | None
    is_held: bool
    number: int = 0
    """That of the packet that waits."""
    is_lost: bool = False
    lane: int = 0


@dataclass(frozen=True)
class Layout:
    """The geometry of one diagram, in pixels. `rows` holds the y of each process's line, process 1 first."""

    column: float
    left: float
    steps: int
    slots: int
    rows: tuple[float, ...]
    below: float
    """The y below the last process and its bars."""
    loop: int | None
    flights: tuple[Flight, ...]
    bars: tuple[Bar, ...]
    happenings: tuple[Happening, ...]

    def x(self, step: float) -> float:
        """The x of a step, counted from 0."""
        return self.left + (step + 0.6) * self.column

    def y(self, process: int) -> float:
        """The y of a process's line."""
        return self.rows[process - 1]

    @property
    def end(self) -> float:
        """Where the run ends; what lies to the right has not happened."""
        return self.x(self.steps)

    @property
    def right(self) -> float:
        """Where the process lines end."""
        return self.end + (self.slots * self.column * 0.75 if self.slots else 0) + 18

    @property
    def width(self) -> float:
        """The width of the whole picture."""
        return max(SMALLEST_WIDTH, self.right + MARGIN)

    @property
    def bottom(self) -> float:
        """Where the picture ends and the legend begins."""
        return self.below + (LOOP if self.loop is not None else 0)

    def start(self, flight: Flight) -> Point:
        """Where an arrow begins: at its sender, or where a fault duplicated another packet."""
        if flight.copied_from is None:
            return self.x(flight.sent), self.y(flight.sender)
        return self.on_way(self.flight(flight.copied_from), flight.sent)

    def landing(self, flight: Flight) -> Point:
        """Where a packet reaches its process's line: where it is received or first has to wait, or beyond the end; or
        where it is lost."""
        if flight.waits_after is not None:
            return self.x(flight.waits_after + 0.5), self.y(flight.to)
        if flight.received is not None:
            return self.x(flight.received), self.y(flight.to)
        if flight.lost is not None:
            y1, y2 = self.start(flight)[1], self.y(flight.to)
            return self.x(flight.lost), y1 - CURVE if y1 == y2 else y1 + LOST_AFTER * (y2 - y1)
        return self.end + (flight.slot + 0.6) * self.column * 0.75, self.y(flight.to)

    def on_way(self, flight: Flight, step: int) -> Point:
        """Where a packet in transit is at a step: on its arrow, or on the bar of its wait."""
        (x1, y1), (x2, y2), x = self.start(flight), self.landing(flight), self.x(step)
        if x > x2:
            bar = next(bar for bar in self.bars if bar.number == flight.number)
            return x, self.edges(bar)[2] + LANE / 2 - 1.5
        t = (x - x1) / (x2 - x1) if x2 > x1 else 1.0
        return x, y1 - 4 * t * (1 - t) * CURVE if y1 == y2 else y1 + t * (y2 - y1)

    def flight(self, number: int) -> Flight:
        """The arrow of a packet."""
        return self.flights[number - 1]

    def edges(self, bar: Bar) -> tuple[float, float, float]:
        """The left end of a bar, its right end, its upper edge."""
        stop = self.end if bar.until is None else self.x(bar.until)
        return self.x(bar.since), stop, self.y(bar.process) + FIRST_LANE + bar.lane * LANE


def lay_out(trace: Trace) -> Layout:
    """Place everything, from y = 0 down."""
    processes = range(1, trace.bounds.processes + 1)
    flights = tuple(_in_slots(find_flights(trace)))
    bars = tuple(_in_lanes(find_bars(trace)))
    found = happenings(trace)
    lanes = {p: max((bar.lane + 1 for bar in bars if bar.process == p), default=0) for p in processes}
    slots = max((f.slot + 1 for f in flights if f.is_left), default=0)
    room = (SMALLEST_WIDTH - 2 * MARGIN - LEFT) / (len(trace.steps) + slots + 1)
    column = max(_narrowest_column(found), min(room, WIDEST_COLUMN))
    rows: list[float] = []
    y = FIRST_ROW + _room_above(found, column)
    for p in processes:
        rows.append(y)
        y += ROW + max(0, lanes[p] - 1) * LANE
    return Layout(
        column=column,
        left=MARGIN + LEFT,
        steps=len(trace.steps),
        slots=slots,
        rows=tuple(rows),
        below=rows[-1] + FIRST_LANE + max(1, lanes[processes[-1]]) * LANE + 14,
        loop=trace.loop,
        flights=flights,
        bars=bars,
        happenings=found,
    )


def find_flights(trace: Trace) -> list[Flight]:
    """The way of every packet of the run, in the order of transmission: that of number n is the n-th."""
    return [
        Flight(
            number=j.packet.number,
            message=j.packet.message,
            sender=j.packet.sender,
            to=j.packet.to,
            sent=j.sent,
            waits_after=j.waits_after,
            received=None if j.is_lost else j.ended,
            lost=j.ended if j.is_lost else None,
            copied_from=j.copied_from,
        )
        for j in journeys(trace)
    ]


def find_bars(trace: Trace) -> list[Bar]:
    """Every wait of a packet and every time that a message is held, in no lane yet."""
    waits = [
        Bar(j.packet.message, j.packet.to, j.waits_after + 0.5, j.ended, False, j.packet.number, j.is_lost)
        for j in journeys(trace)
        if j.waits_after is not None
    ]
    return waits + [Bar(hold.message, hold.process, hold.since, hold.until, True) for hold in holds(trace)]


def caption_lines(caption: str, column: float) -> list[str]:
    """The model's name for a step, in lines that fit a column."""
    width = int((column - 4) / average_width(CAPTION))
    return textwrap.wrap(printable(caption), width, max_lines=MOST_CAPTION_LINES, placeholder=" ...")


def _room_above(found: Sequence[Happening], column: float) -> float:
    """The room that the captions of process 1 need above its line, beside that of a name."""
    heights = [
        (len(caption_lines(h.caption, column)) - 1) * CAPTION_LINE + (NAME_LINE if h.text else 0)
        for h in found
        if h.process == 1 and h.caption
    ]
    return max(heights, default=0)


def _narrowest_column(found: Sequence[Happening]) -> float:
    """Names stand left or right of their mark, deliveries to its right; captions are as wide as the column."""
    longest = max((text_width(h.text, LABEL) for h in found), default=0)
    squares = max((min(len(h.delivered), MOST_SQUARES) for h in found), default=0)
    caption = NARROWEST_WITH_CAPTIONS if any(h.caption for h in found) else NARROWEST_COLUMN
    return max(caption, 2 * longest + 22, 2 * SQUARES * squares)


def _in_lanes(bars: list[Bar]) -> list[Bar]:
    """The bars at one process: those that overlap in different lanes."""
    free_from: dict[int, list[float]] = {}
    placed = []
    for bar in sorted(bars, key=lambda bar: (bar.process, bar.since, bar.number, bar.message or ())):
        free = free_from.setdefault(bar.process, [])
        lane = next((i for i, since in enumerate(free) if since < bar.since), len(free))
        free[lane : lane + 1] = [float("inf") if bar.until is None else bar.until]
        placed.append(replace(bar, lane=lane))
    return placed


def _in_slots(flights: list[Flight]) -> list[Flight]:
    """The packets in transit to one process at the end, side by side."""
    taken: dict[int, int] = {}
    placed = []
    for flight in flights:
        slot = taken.get(flight.to, 0)
        placed.append(replace(flight, slot=slot))
        taken[flight.to] = slot + flight.is_left
    return placed
