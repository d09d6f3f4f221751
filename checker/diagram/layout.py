"""Where everything of a space-time diagram goes: columns for steps, rows for processes, lanes for waits."""

from __future__ import annotations

from dataclasses import dataclass

from ..history import MessageId
from ..trace.data import Trace, name
from .elements import text_width

MARGIN = 28
LEFT = 78
FIRST_ROW = 46
ROW = 92
LANE = 17
FIRST_LANE = 9
LABEL = 13
NARROWEST_COLUMN = 58
WIDEST_COLUMN = 96
SMALLEST_WIDTH = 760


@dataclass(frozen=True)
class Flight:
    """The way of one packet. `waits_after` is the step after which it first had to wait, `received` the step that took
    it (both from 0, None if it never did); `lane` numbers the bars of waits at one process."""

    message: MessageId
    to: int
    sent: int
    waits_after: int | None
    received: int | None
    lane: int = 0
    slot: int = 0

    @property
    def sender(self) -> int:
        """The process that sent it."""
        return self.message[0]

    @property
    def waits(self) -> bool:
        """Whether it ever had to wait."""
        return self.waits_after is not None


@dataclass(frozen=True)
class Layout:
    """The geometry of one diagram, in pixels. `rows` holds the y of each process's line, process 1 first."""

    column: float
    left: float
    steps: int
    slots: int
    rows: tuple[float, ...]
    bottom: float
    flights: tuple[Flight, ...]

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

    def landing(self, flight: Flight) -> tuple[float, float]:
        """Where a packet reaches its process's line: where it is received or first has to wait, or beyond the end."""
        if flight.waits_after is not None:
            return self.x(flight.waits_after + 0.5), self.y(flight.to)
        if flight.received is not None:
            return self.x(flight.received), self.y(flight.to)
        return self.end + (flight.slot + 0.6) * self.column * 0.75, self.y(flight.to)

    def bar(self, flight: Flight) -> tuple[float, float, float]:
        """The bar of a wait: its left end, its right end, its upper edge."""
        assert flight.waits_after is not None
        stop = self.end if flight.received is None else self.x(flight.received)
        return self.x(flight.waits_after + 0.5), stop, self.y(flight.to) + FIRST_LANE + flight.lane * LANE


def lay_out(trace: Trace) -> Layout:
    """Place everything, from y = 0 down."""
    processes = range(1, trace.bounds.processes + 1)
    flights = tuple(f for p in processes for f in _placed([f for f in find_flights(trace) if f.to == p]))
    rows: list[float] = []
    y: float = FIRST_ROW
    for p in processes:
        rows.append(y)
        lanes = max((f.lane + 1 for f in flights if f.to == p and f.waits), default=0)
        y += ROW + max(0, lanes - 1) * LANE
    lanes = max((f.lane + 1 for f in flights if f.to == processes[-1] and f.waits), default=0)
    longest = max((text_width(name(step.id), LABEL) for step in trace.steps), default=0)
    slots = max((f.slot + 1 for f in flights if not f.waits and f.received is None), default=0)
    room = (SMALLEST_WIDTH - 2 * MARGIN - LEFT) / (len(trace.steps) + slots + 1)
    return Layout(
        column=max(NARROWEST_COLUMN, 2 * longest + 22, min(room, WIDEST_COLUMN)),
        left=MARGIN + LEFT,
        steps=len(trace.steps),
        slots=slots,
        rows=tuple(rows),
        bottom=rows[-1] + FIRST_LANE + max(1, lanes) * LANE + 14,
        flights=flights,
    )


def find_flights(trace: Trace) -> list[Flight]:
    """The way of every packet of the run, in the order of the sends."""
    received = {(s.id, s.process): i for i, s in enumerate(trace.steps) if not s.is_send}
    waits: dict[tuple[MessageId, int], int] = {}
    for i, step in enumerate(trace.steps):
        for copy in step.waiting:
            waits.setdefault(copy, i)
    return [
        Flight(step.id, p.to, i, waits.get((step.id, p.to)), received.get((step.id, p.to)))
        for i, step in enumerate(trace.steps)
        for p in step.packets
    ]


def _placed(flights: list[Flight]) -> list[Flight]:
    """The flights to one process: bars that overlap in different lanes, packets in transit at the end side by side."""
    free_from: list[float] = []
    placed = []
    slot = 0
    for f in sorted(flights, key=lambda f: (-1 if f.waits_after is None else f.waits_after, f.sent)):
        lane = 0
        if f.waits_after is not None:
            lane = next((i for i, free in enumerate(free_from) if free <= f.waits_after), len(free_from))
            free_from[lane : lane + 1] = [float("inf") if f.received is None else f.received]
        placed.append(Flight(f.message, f.to, f.sent, f.waits_after, f.received, lane, slot))
        slot += not f.waits and f.received is None
    return placed
