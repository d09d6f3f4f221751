"""The event-driven simulation of any model, in Python: slow, and what the kernels are held against.

Sends happen when the workload says so; every packet of a send arrives after the delay that the workload gives to its
copy; what else a model transmits (signals, relayed or late packets) has a delay of its own. A packet that arrives is
offered to the model at once; if it waits, it is offered again after every step of its process, the oldest first. Where
a model offers several steps the first is taken (of internal ones each in turn); an internal step is taken as soon as
there is one, steps of all processes at once (changes of the view) are not.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from precede.models import Message, Model, Packet, Signal, Step

from ...errors import ModelError, UsageError
from ...packet_size import size_of
from .drawing import drawn_delay
from .loop import PARTS_OF_SIZE
from .outcome import Outcome
from .reference import digest_of
from .workload import Schedule

MOST_PACKETS = 200
"""Packets for each copy of the workload; where there are more, the missing ones are taken to be lost for ever."""
MOST_STEPS = 1000
"""Internal steps of one process in a row; more is taken for an endless loop."""


class Transit(NamedTuple):
    """A packet on its way: `copy` is its place in the workload, `number` that among the signals; one of them is -1.

    What passes a message on, to a relay or a second time, counts as a signal."""

    packet: Packet | Signal
    copy: int
    number: int


class Simulation:
    """One run of a model under a schedule. Processes are 1..n here, as models have them."""

    def __init__(self, model: Model, schedule: Schedule, truth: str = "none", channel: str = "unordered") -> None:
        if model.channel == "rendezvous":
            raise UsageError(f"{model.title}: made for rendezvous, and messages with delays cannot be simulated so")
        if model.channel.startswith("fifo") and channel != "fifo":
            raise UsageError(f"{model.title}: made for fifo channels; give --channel fifo")
        self.model, self.schedule, self.truth, self.fifo = model, schedule, truth, channel == "fifo"
        n = schedule.processes
        self.states: list[Any] = [model.start(p, n) for p in range(1, n + 1)]
        self.waiting: list[list[Transit]] = [[] for _ in range(n)]
        self.queued: list[list[int]] = [[] for _ in range(n)]
        self.network: list[tuple[float, int, Transit]] = []
        self.transmitted = 0
        self.drawn: dict[int, int] = {}
        self.latest: dict[int, float] = {}
        self.copy_of: dict[tuple[int, int, int], int] = {}
        self.signals: list[tuple[int, int, int, int]] = []
        self.signal_times: list[list[float]] = []
        self.pasts = Pasts(schedule, truth)
        copies = len(schedule.dest)
        self.delivered = np.full(copies, -1.0)
        self.buffered = np.zeros(copies, np.bool_)
        self.free_since = np.full(copies, -1.0)
        self.units, self.bytes = np.full(copies, -1, np.int32), np.full(copies, -1, np.int32)
        self.digest = np.zeros(copies, np.uint64)
        self.order: list[int] = []
        self.under_way: set[int] = set()
        self.events = [0] * n
        self.taken = [0] * n

    def run(self) -> Outcome:
        """Carry the whole schedule out. Raises ModelError where a copy is never delivered."""
        begun, s = time.process_time(), self.schedule
        sends, m = len(s.sent), 0
        while m < sends or (self.network and len(self.order) < len(s.dest)):
            if m < sends and (not self.network or s.sent[m] <= self.network[0][0]):
                self.queued[s.sender[m]].append(m)
                self.advance(float(s.sent[m]), int(s.sender[m]) + 1)
                m += 1
            else:
                now, _, transit = heapq.heappop(self.network)
                self.arrive(now, transit)
            if self.transmitted > MOST_PACKETS * (len(s.dest) + 10):
                break
        if (self.delivered < 0).any():
            c = int(np.flatnonzero(self.delivered < 0)[0])
            what = f"{s.sender[s.message[c]] + 1}.{s.number[s.message[c]]} at {s.dest[c] + 1}"
            raise ModelError(f"{self.model.title}: {what} was never delivered")
        return self.outcome(time.process_time() - begun)

    def advance(self, now: float, p: int) -> None:
        """Everything that process p can do now: queued sends, internal steps, packets that wait."""
        for _ in range(MOST_STEPS):
            if not (self.send_next(now, p) or self.internal(now, p) or self.take_waiting(now, p)):
                return
        raise ModelError(f"{self.model.title}: a process takes steps for ever at one moment")

    def send_next(self, now: float, p: int) -> bool:
        """The first queued send of p, if its model lets it send."""
        if not self.queued[p - 1]:
            return False
        s, m = self.schedule, self.queued[p - 1][0]
        dests = frozenset(int(d) + 1 for d in s.dest[s.first[m] : s.first[m + 1]])
        message = Message(p, int(s.number[m]), dests)
        step = self.chosen(self.model.send(self.states[p - 1], message), p, m)
        if step is None:
            return False
        self.queued[p - 1].pop(0)
        for c in range(s.first[m], s.first[m + 1]):
            self.copy_of[p, message.number, int(s.dest[c]) + 1] = c
        self.pasts.sent(p, m)
        self.carry_out(now, p, step, m)
        return True

    def internal(self, now: float, p: int) -> bool:
        """An internal step that p may take, of several each in turn, so that a token comes to everybody; a semantic
        model's internal events are no part of a workload."""
        if self.model.semantic:
            return False
        steps: Any = self.model.internal(self.states[p - 1])
        offered = [steps] if isinstance(steps, Step) else list(steps or ())
        if not offered:
            return False
        self.taken[p - 1] += 1
        self.carry_out(now, p, offered[self.taken[p - 1] % len(offered)])
        return True

    def take_waiting(self, now: float, p: int) -> bool:
        """The oldest packet that waits at p and need not any more."""
        for place, transit in enumerate(self.waiting[p - 1]):
            step = self.received(p, transit)
            if step is not None:
                del self.waiting[p - 1][place]
                self.took(now, p, transit, step)
                return True
        return False

    def received(self, p: int, transit: Transit) -> Step | None:
        """The step in which p takes a packet, or None."""
        packet = transit.packet
        call = self.model.receive if isinstance(packet, Packet) else self.model.signal
        return first(call(self.states[p - 1], packet))  # type: ignore[arg-type]

    def took(self, now: float, p: int, transit: Transit, step: Step) -> None:
        """p takes a packet."""
        if transit.number >= 0:
            self.signal_times[transit.number][1] = now
        self.carry_out(now, p, step)

    def arrive(self, now: float, transit: Transit) -> None:
        """A packet arrives: p takes it, or it waits."""
        p = transit.packet.to
        step = self.received(p, transit)
        if step is None:
            self.waiting[p - 1].append(transit)
            if transit.copy >= 0:
                self.buffered[transit.copy] = True
        else:
            self.took(now, p, transit, step)
            self.advance(now, p)
        self.note_false_waits(now, p)

    def note_false_waits(self, now: float, p: int) -> None:
        """Which packets at p wait although nothing that must come before them is outstanding any more."""
        if self.truth == "none":
            return
        for transit in self.waiting[p - 1]:
            c = transit.copy
            if c >= 0 and self.free_since[c] < 0 and self.pasts.free(p, int(self.schedule.message[c])):
                self.free_since[c] = now

    def chosen(self, steps: Any, p: int, m: int) -> Step | None:
        """The step of a send: where order is semantic, the one that depends on what the workload says."""
        if not self.model.semantic:
            return first(steps)
        depends = len(self.schedule.dependent) > 0 and self.schedule.dependent[m]
        wanted = self.events[p - 1] if depends else 0
        found: Iterator[Step] = (step for step in steps if step.depends_on == wanted)
        return next(found)

    def carry_out(self, now: float, p: int, step: Step, m: int = -1) -> None:
        """The new state, what it transmits, what it delivers."""
        self.states[p - 1] = step.state
        for message in step.delivered:
            c = self.copy_of[message.sender, message.number, p]
            self.delivered[c] = now
            self.order.append(c)
            self.pasts.delivered(p, c)
        self.events[p - 1] += 1
        for packet in step.packets:
            self.transmit(now, packet, m)

    def transmit(self, now: float, packet: Packet | Signal, m: int) -> None:
        """Put a packet into the network, and note its size."""
        channel = (packet.sender - 1) * self.schedule.processes + packet.to - 1
        c = self.copy_of.get((*packet.message[:2], packet.to), -1) if isinstance(packet, Packet) else -1
        if c >= 0 and c in self.under_way:
            c = -1
        self.under_way.add(c)
        number = -1
        if c >= 0 and self.schedule.message[c] == m:
            delay = float(self.schedule.delay[c])
        else:
            count = self.drawn.get(channel, 0)
            self.drawn[channel] = count + 1
            delay = drawn_delay(self.schedule.seed, channel, count, self.schedule.shape, self.schedule.mean)
        sizes = [size_of(self.model, measure, packet) for measure in ("units", "bytes")]
        if c >= 0:
            self.units[c], self.bytes[c] = (-1 if size is None else size for size in sizes)
            digest = digest_of(self.model, packet, self.schedule.processes)  # type: ignore[arg-type]
            self.digest[c] = np.uint64(digest or 0)
        else:
            number = len(self.signals)
            self.signals.append((packet.sender - 1, packet.to - 1, sizes[0] or 0, sizes[1] or 0))
            self.signal_times.append([now, -1.0])
        at = now + delay
        if self.fifo:
            at = self.latest[channel] = max(at, self.latest.get(channel, 0.0))
        self.transmitted += 1
        heapq.heappush(self.network, (at, self.transmitted, Transit(packet, c, number)))

    def outcome(self, seconds: float) -> Outcome:
        """What the run gives; sums over parts of sizes are the kernels' alone."""
        return Outcome(
            delivered=self.delivered,
            buffered=self.buffered,
            free_since=self.free_since,
            units=self.units,
            bytes=self.bytes,
            digest=self.digest,
            order=np.array(self.order, np.int64),
            parts=np.zeros(PARTS_OF_SIZE, np.int64),
            signals=np.array([s[:2] for s in self.signals], np.int32).reshape(-1, 2),
            signal_times=np.array(self.signal_times, np.float64).reshape(-1, 2),
            signal_sizes=np.array([s[2:] for s in self.signals], np.int64).reshape(-1, 2),
            seconds=seconds,
        )


def first(steps: Any) -> Step | None:
    """The first of the steps that a model offers."""
    if steps is None or isinstance(steps, Step):
        return steps
    found: Iterator[Step] = iter(steps)
    return next(found, None)


class Pasts:
    """Sets of messages before each event, against which waits are judged: slow and plain."""

    def __init__(self, schedule: Schedule, truth: str) -> None:
        self.schedule, self.truth = schedule, truth
        n = schedule.processes
        self.known: list[frozenset[int]] = [frozenset()] * n
        self.before: dict[int, frozenset[int]] = {}
        self.latest: list[frozenset[int]] = [frozenset()] * n
        self.here: list[set[int]] = [set() for _ in range(n)]
        self.to: list[set[int]] = [set() for _ in range(n)]
        if truth != "none":
            for c, m in enumerate(schedule.message):
                self.to[schedule.dest[c]].add(int(m))

    def sent(self, p: int, m: int) -> None:
        """Process p sends m."""
        if self.truth == "causal":
            self.before[m] = self.known[p - 1]
            self.known[p - 1] |= {m}
        elif self.truth == "semantic":
            self.before[m] = self.latest[p - 1] if self.schedule.dependent[m] else frozenset()
            self.latest[p - 1] = self.before[m] | {m}

    def delivered(self, p: int, c: int) -> None:
        """Process p delivers copy c."""
        m = int(self.schedule.message[c])
        self.here[p - 1].add(m)
        if self.truth == "causal":
            self.known[p - 1] |= self.before[m] | {m}
        elif self.truth == "semantic":
            self.latest[p - 1] = self.before[m] | {m}

    def free(self, p: int, m: int) -> bool:
        """Whether every message to p that must come before m is delivered there."""
        return not (self.before[m] & self.to[p - 1]) - self.here[p - 1]
