"""What is sent when, to whom, and when it arrives: drawn once from a seed, and the same for every algorithm."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ConfigurationError
from .arranging import events, grouped, in_order, masks, places, ranks
from .drawing import COUNTS, DELAYS, DEPENDENCES, DESTINATIONS, INTERVALS, SHAPES, many, stream

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LOADS = ("unicast", "multicast", "broadcast")
DESTINATION_COUNTS = ("uniform", "half", "binomial", "with-none")
CHANNELS = ("unordered", "fifo")
MOST_PROCESSES = 1000
MOST_COPIES = 100_000_000


@dataclass(frozen=True)
class Workload:
    """The parameters of a load; times are in seconds.

    `processes` n; `load`: unicast (destination uniform among the others), multicast, broadcast (all others);
    `destinations`: how many a multicast has: "uniform" on 1..n-1, "half" (n/2, rounded down), "binomial" (each
    other process with 1/2, at least one) or "with-none" (uniform on 0..n-1 or, for an even n, 0..n, cut to n-1; a
    send to nobody is none). `interval`, `delay`: means; their shapes are names in `drawing.SHAPES`. `warmup`,
    `measured`: copies that every process receives before and while it is measured. `dependence`: the share of sends
    that depend on the latest event of their process (semantic order); None where no such order is wanted.
    """

    processes: int
    load: str = "multicast"
    seed: int = 1
    warmup: int = 200
    measured: int = 1000
    interval: float = 0.1
    interval_shape: str = "exponential"
    delay: float = 0.1
    delay_shape: str = "exponential"
    destinations: str = "uniform"
    channel: str = "unordered"
    dependence: float | None = None

    def __post_init__(self) -> None:
        """Raises ConfigurationError for what describes no load."""
        choices = {
            "load": LOADS,
            "destinations": DESTINATION_COUNTS,
            "channel": CHANNELS,
            "interval_shape": tuple(SHAPES),
            "delay_shape": tuple(SHAPES),
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise ConfigurationError(f"{name} {getattr(self, name)!r}: choose one of {', '.join(allowed)}")
        if not 2 <= self.processes <= MOST_PROCESSES:
            raise ConfigurationError(f"{self.processes} processes: 2 to {MOST_PROCESSES} can be simulated")
        if self.warmup < 0 or self.measured < 1:
            raise ConfigurationError("warmup is at least 0 and measured at least 1, in copies received by each process")
        if self.processes * (self.warmup + self.measured) > MOST_COPIES:
            raise ConfigurationError(f"more than {MOST_COPIES:,} copies in one run do not fit into memory")
        for name, smallest in (("interval", 1e-6), ("delay", 0.0)):
            if not smallest <= getattr(self, name) <= 1e6:
                raise ConfigurationError(f"{name} {getattr(self, name)}: a mean of {smallest} to 1e6 seconds")
        if self.delay > 1000 * self.interval:
            raise ConfigurationError("the mean delay is at most 1000 times the mean interval")
        if not 0 <= self.seed < 2**63:
            raise ConfigurationError("a seed is a whole number of at least 0")
        if self.dependence is not None and not 0 <= self.dependence <= 1:
            raise ConfigurationError("dependence is a share between 0 and 1")

    def as_dict(self) -> dict[str, Any]:
        """The parameters by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


class Schedule(NamedTuple):
    """A drawn load as arrays, for the kernels too. Processes are 0..n-1, messages m are in the order of their sends,
    and copies c are in the order of messages, destinations ascending.

    Attributes:
        sender, number: of message m; its number among those of its sender, from 1.
        sent: when it is sent.
        first: copies of m are first[m] .. first[m + 1] - 1.
        mask: (messages, words) the destinations as a set of bits.
        dest, message, delay: of copy c.
        arrived: when it arrives, in order of its channel where that is fifo.
        measured: whether it is measured, by its rank among those that arrive at its destination.
        events: in order of time: m for the send of m, ~c for the arrival of c.
        dependent: whether m depends on the latest event of its process; empty where no such order is wanted.
        window: (start, stop) of the time in which all processes are measured; sends count there.
        seed, shape, mean: of the delays, for packets that the load does not know of.
        processes: n.
    """

    sender: NDArray[np.int32]
    number: NDArray[np.int32]
    sent: Floats
    first: Ints
    mask: NDArray[np.uint64]
    dest: NDArray[np.int32]
    message: NDArray[np.int32]
    delay: Floats
    arrived: Floats
    measured: NDArray[np.bool_]
    events: Ints
    dependent: NDArray[np.bool_]
    window: tuple[float, float]
    seed: int
    shape: int
    mean: float
    processes: int


def draw(load: Workload) -> Schedule:
    """The schedule of a load: sends go on until every process has received its warm-up and its measured copies.

    Every process draws from streams of its own, so the beginning of a longer run is the shorter run.
    """
    copies_each = load.warmup + load.measured
    sends = copies_each / _mean_count(load)
    for attempt in range(20):
        enough = int(1.05 * sends + 12 * np.sqrt(sends) + 40 + 8 * load.delay / load.interval) * 2**attempt
        schedule = _cut(load, *_drawn(load, enough))
        if schedule is not None:
            return schedule
    raise ConfigurationError("some process receives almost nothing under this load, so nothing can be measured")


def _mean_count(load: Workload) -> float:
    n = load.processes
    if load.load == "unicast":
        return 1.0
    return float(n - 1) if load.load == "broadcast" else max(1.0, n / 2)


def _drawn(load: Workload, sends: int) -> tuple[Ints, Floats, NDArray[Any], NDArray[np.bool_], list[Floats]]:
    """Sender, time, destinations, dependence of all sends in order of time; and the delays by process.

    The destinations are a matrix (sends, n) of truth values, or of unicasts a vector.
    """
    n = load.processes
    senders, times, chosen, dependent, delays = [], [], [], [], []
    for i in range(n):
        intervals = many(stream(load.seed, i, INTERVALS), sends, load.interval_shape, load.interval)
        at = np.cumsum(intervals) - (0 if load.interval_shape != "constant" else load.interval * (n - i - 1) / n)
        to: NDArray[Any] = _destination(load, i, sends) if load.load == "unicast" else _destinations(load, i, sends)
        kept = to.any(axis=1) if to.ndim == 2 else np.ones(sends, dtype=np.bool_)
        share = -1.0 if load.dependence is None else load.dependence
        depends = stream(load.seed, i, DEPENDENCES).random(sends) < share
        senders.append(np.full(int(kept.sum()), i))
        times.append(at[kept])
        chosen.append(to[kept])
        dependent.append(depends[kept])
        delays.append(many(stream(load.seed, i, DELAYS), len(_copies(to)[1]), load.delay_shape, load.delay))
    time = np.concatenate(times)
    order = np.argsort(time, kind="stable")
    return (
        np.concatenate(senders)[order],
        time[order],
        np.concatenate(chosen)[order],
        np.concatenate(dependent)[order],
        delays,
    )


def _destination(load: Workload, i: int, sends: int) -> Ints:
    """The destinations of the unicasts of process i: uniform among the others."""
    drawn = stream(load.seed, i, DESTINATIONS).integers(0, load.processes - 1, sends)
    return drawn + (drawn >= i)


def _copies(chosen: NDArray[Any]) -> tuple[Ints, Ints]:
    """Message and destination of every copy."""
    if chosen.ndim == 1:
        return np.arange(len(chosen)), chosen
    message, dest = np.nonzero(chosen)
    return message, dest


def _destinations(load: Workload, i: int, sends: int) -> NDArray[np.bool_]:
    """(sends, n) the destinations of the sends of process i."""
    n = load.processes
    others = n - 1
    generator = stream(load.seed, i, DESTINATIONS)
    chosen = np.zeros((sends, n), dtype=np.bool_)
    at = np.delete(np.arange(n), i)
    if load.load == "broadcast":
        chosen[:, at] = True
    elif load.destinations == "binomial":
        for row in range(0, sends, 4096):
            block = generator.random((min(4096, sends - row), others)) < 0.5
            empty = ~block.any(axis=1)
            block[empty, generator.integers(0, others, int(empty.sum()))] = True
            chosen[row : row + len(block), at] = block
    else:
        counts = _counts(load, i, sends)
        for row in range(0, sends, 4096):
            rank = generator.random((min(4096, sends - row), others)).argsort(axis=1).argsort(axis=1)
            chosen[row : row + len(rank), at] = rank < counts[row : row + len(rank), None]
    return chosen


def _counts(load: Workload, i: int, sends: int) -> Ints:
    """How many destinations each multicast has."""
    n = load.processes
    if load.destinations == "half":
        return np.full(sends, max(1, n // 2))
    generator = stream(load.seed, i, COUNTS)
    if load.destinations == "uniform":
        return generator.integers(1, n, sends)
    most = n if n % 2 == 0 else n - 1
    return np.minimum(generator.integers(0, most + 1, sends), n - 1)


def _cut(
    load: Workload, sender: Ints, sent: Floats, chosen: NDArray[Any], dependent: NDArray[np.bool_],
    delays: list[Floats],
) -> Schedule | None:  # fmt: skip
    """The schedule up to the time at which every process has received enough; None where it was not drawn so far."""
    n = load.processes
    message, dest = _copies(chosen)
    delay = np.empty(len(dest))
    delay[grouped(sender[message])] = np.concatenate(delays)  # a process draws for its copies in their order
    arrived = in_order(sender[message] * n + dest, sent[message] + delay, load.channel)
    rank = ranks(dest, arrived, n)
    needed = load.warmup + load.measured
    last = rank == needed - 1
    if int(last.sum()) < n:
        return None
    stop = float(arrived[last].max())
    if stop > min(float(sent[sender == i].max()) for i in range(n)):
        return None
    messages = int(np.searchsorted(sent, stop, side="right"))
    copies = int(np.searchsorted(message, messages))
    sender, sent, chosen, message = sender[:messages], sent[:messages], chosen[:messages], message[:copies]
    dest, delay, arrived, rank = dest[:copies], delay[:copies], arrived[:copies], rank[:copies]
    warm = arrived[rank == load.warmup - 1]
    window = (float(warm.max()) if len(warm) else 0.0, float(arrived[rank == needed - 1].min()))
    return Schedule(
        sender=sender.astype(np.int32),
        number=(places(sender, n) + 1).astype(np.int32),
        sent=sent,
        first=np.searchsorted(message, np.arange(messages + 1)).astype(np.int64),
        mask=masks(chosen, n),
        dest=dest.astype(np.int32),
        message=message.astype(np.int32),
        delay=delay,
        arrived=arrived,
        measured=(rank >= load.warmup) & (rank < needed),
        events=events(sent, arrived),
        dependent=dependent[:messages] if load.dependence is not None else np.zeros(0, dtype=np.bool_),
        window=window,
        seed=load.seed,
        shape=SHAPES[load.delay_shape],
        mean=load.delay,
        processes=n,
    )
