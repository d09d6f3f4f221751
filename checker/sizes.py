"""How large the control information is: over every packet and signal that is in transit in some run at a bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from precede.models import Model, Packet, Signal

from .bounds import Bounds
from .calls import ModelCalls
from .engine import Limits, copies_in_transit, explore
from .history import MessageId
from .packet_size import size_of
from .progress import Progress
from .properties import UserProperty
from .result import Schedule
from .run import Run

OnProgress = Callable[[Progress], None] | None
NO_SIZE = "no size given"
"""What a report says of a measure that the model does not define."""


@dataclass(frozen=True)
class Spread:
    """Smallest, mean and largest of the sizes of `count` objects."""

    count: int
    smallest: int
    mean: float
    largest: int


@dataclass(frozen=True)
class Measured:
    """The distinct packets or signals that were in transit; `units` and `bytes` are None where no size is given."""

    count: int
    units: Spread | None
    bytes: Spread | None


@dataclass(frozen=True)
class Largest:
    """A shortest run to a packet of the largest size: the copy of `message` that its last step transmits to `to`."""

    measure: str
    """bytes, or units where the model gives no bytes."""
    size: int
    message: MessageId
    to: int
    schedule: Schedule


@dataclass(frozen=True)
class Sizes:
    """What was measured. Where the search was stopped it is about what it had reached by then."""

    packets: Measured
    signals: Measured
    largest: Largest | None
    distinct_states: int
    stopped: str | None
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether the whole bound was explored."""
        return self.stopped is None


def measure_sizes(
    calls: ModelCalls, bounds: Bounds, *, limits: Limits | None = None, on_progress: OnProgress = None
) -> Sizes:
    """Explore every run within the bounds and measure each distinct packet once, with the past before its send.

    Limits and Ctrl-C end in sizes that are incomplete. Raises ModelError when the model fails.
    """
    limits = limits or Limits()
    found = copies_in_transit(calls, bounds, limits, on_progress)
    counts, stopped = found.counts, found.stopped
    packets = Counter({copy: count for copy, count in counts.items() if isinstance(copy, Packet)})
    signals = Counter({copy: count for copy, count in counts.items() if isinstance(copy, Signal)})
    measured = _measured(calls.model, packets)
    largest = _largest(calls, bounds, measured, limits, on_progress) if stopped is None else None
    return Sizes(measured, _measured(calls.model, signals), largest, found.states, stopped, found.seconds)


def as_json(sizes: Sizes) -> dict[str, Any]:
    """The sizes alone, as they appear in the document of the command."""
    return {"packets": asdict(sizes.packets), "signals": asdict(sizes.signals)}


def _measured(model: Model, counts: Counter[Any]) -> Measured:
    units, sizes = (_spread(model, measure, counts) for measure in ("units", "bytes"))
    return Measured(counts.total(), units, sizes)


def _spread(model: Model, measure: str, counts: Counter[Any]) -> Spread | None:
    """The spread of one measure; None where the model does not have it, or there is nothing to measure."""
    sizes: Counter[int] = Counter()
    for copy, count in counts.items():
        size = size_of(model, measure, copy)
        if size is None:
            return None
        sizes[size] += count
    if not sizes:
        return None
    total = sizes.total()
    return Spread(total, min(sizes), sum(size * count for size, count in sizes.items()) / total, max(sizes))


def _largest(
    calls: ModelCalls, bounds: Bounds, packets: Measured, limits: Limits, on_progress: OnProgress
) -> Largest | None:
    """A second search, which stops at the first packet of the largest size."""
    measure = "bytes" if packets.bytes else "units"
    spread = packets.bytes or packets.units
    if spread is None:
        return None

    def is_smaller(packet: Packet) -> bool:
        size = size_of(calls.model, measure, packet)
        return size is None or size < spread.largest

    smaller = UserProperty(f"fewer than {spread.largest} {measure}", "packet", frozenset({"packet"}), is_smaller)
    found = explore(calls, bounds, (smaller,), limits=limits, on_progress=on_progress).properties[0].witness
    if found is None:
        return None
    run = Run(calls, bounds)
    taken = [run.apply(event) for event in found.schedule][-1]
    sent = [t for t in taken.transmitted if isinstance(t.packet, Packet) and not is_smaller(t.packet)]
    message = sent[0].message
    assert message is not None
    return Largest(measure, spread.largest, message, sent[0].packet.to, found.schedule)
