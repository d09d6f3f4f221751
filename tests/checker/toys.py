"""Small models for the tests of runs and traces, each with one thing that RST and its like do not do."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.event_text import kind_of
from precede.checker.loading import LoadedModel
from precede.checker.result import Event, SendEvent, Witness
from precede.checker.run import Run
from precede.checker.trace import Trace, record
from precede.models import Joint, Message, Model, Packet, Signal, Step, parameter


def calls_of_toy(model: Model, **bounds: Any) -> ModelCalls:
    """The toy as a user's own model within `bounds`, on its own channel unless they say otherwise."""
    name = f"{Path(__file__)}:{type(model).__name__}"
    return ModelCalls(LoadedModel(name, model, {}, False), Bounds(**({"channel": model.channel} | bounds)))


def send(process: int, *dests: int) -> SendEvent:
    return SendEvent(process, frozenset(dests))


def trace_of(
    model: Model, *events: Event, property: str | None = None, witness: Witness | None = None, **bounds: Any
) -> Trace:
    """The run of a toy that `events` describe."""
    calls = calls_of_toy(model, **bounds)
    return record(calls, calls.bounds, events, property=property, witness=witness)


def random_trace(model: Model, seed: int, steps: int = 20, **bounds: Any) -> Trace:
    """A random run of a toy, every kind of step as likely as another."""
    calls = calls_of_toy(model, **bounds)
    run, choose, schedule = Run(calls, calls.bounds), random.Random(seed), []
    while len(schedule) < steps and (events := run.enabled()):
        kind = choose.choice(sorted({kind_of(event) for event in events}))
        schedule.append(choose.choice([event for event in events if kind_of(event) == kind]))
        run.apply(schedule[-1])
    return record(calls, calls.bounds, tuple(schedule))


class Anywhere(Model):
    """Packets to all destinations, and no order."""

    direct: ClassVar[bool] = False

    def start(self, me: int, processes: int) -> Any:
        return me

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(message.sender, d, message, ()) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, delivered=(packet.message,))


class Unacknowledged(NamedTuple):
    me: int
    awaited: frozenset[int]


@dataclass(frozen=True)
class Ack(Anywhere):
    """A process sends again once all copies of its last message are acknowledged, each by a signal."""

    def start(self, me: int, processes: int) -> Any:
        return Unacknowledged(me, frozenset())

    def send(self, state: Any, message: Message) -> Any:
        step = super().send(state, message)
        return None if state.awaited else step._replace(state=Unacknowledged(state.me, message.dests))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, (Signal(state.me, packet.sender, "ack"),), (packet.message,))

    def signal(self, state: Any, signal: Signal) -> Any:
        return Step(state._replace(awaited=state.awaited - {signal.sender}))


class Arrived(NamedTuple):
    me: int
    buffer: frozenset[Message]
    next: tuple[int, ...]


@dataclass(frozen=True)
class Buffer(Anywhere):
    """Every packet is taken; messages of one sender to one process are delivered two and two, in a step by itself or,
    with `eager`, in that which takes the second."""

    eager: int = parameter(1, "whether an arrival delivers")

    def start(self, me: int, processes: int) -> Any:
        return Arrived(me, frozenset(), (1,) * processes)

    def receive(self, state: Any, packet: Packet) -> Any:
        arrived = state._replace(buffer=state.buffer | {packet.message})
        steps = self.internal(arrived) if self.eager else ()
        return steps[0] if steps else Step(arrived)

    def internal(self, state: Any) -> Any:
        pairs = [
            pair
            for first in sorted(state.buffer, key=lambda m: m[:2])
            if (pair := [m for m in sorted(state.buffer, key=lambda m: m[:2]) if m.sender == first.sender][:2])
            and len(pair) == 2
        ]
        return tuple(
            Step(
                state._replace(buffer=state.buffer - set(pair)), (), tuple(pair), name=f"deliver from {pair[0].sender}"
            )
            for pair in pairs[:1]
        )


class Turn(NamedTuple):
    me: int
    processes: int
    token: bool


@dataclass(frozen=True)
class TokenRing(Anywhere):
    """Only the holder of the token sends; the token goes round for ever."""

    load = "broadcast"

    def start(self, me: int, processes: int) -> Any:
        return Turn(me, processes, me == 1)

    def send(self, state: Any, message: Message) -> Any:
        return super().send(state, message) if state.token else None

    def internal(self, state: Any) -> Any:
        if not state.token:
            return None
        to = state.me % state.processes + 1
        return Step(state._replace(token=False), (Signal(state.me, to, "token"),), name=f"pass the token to {to}")

    def signal(self, state: Any, signal: Signal) -> Any:
        return Step(state._replace(token=True))


@dataclass(frozen=True)
class Deaf(TokenRing):
    """The token goes round, and no message is ever taken."""

    def receive(self, state: Any, packet: Packet) -> Any:
        return None


@dataclass(frozen=True)
class Meeting(Anywhere):
    """A send and its receipts are one step; nobody receives more than `most` messages; the receiver says so."""

    channel = "rendezvous"
    most: int = parameter(2, "the most messages that a process takes")

    def start(self, me: int, processes: int) -> Any:
        return me, 0

    def receive(self, state: Any, packet: Packet) -> Any:
        if state[1] == self.most:
            return None
        return Step((state[0], state[1] + 1), (Signal(state[0], packet.sender, "seen"),), (packet.message,))

    def signal(self, state: Any, signal: Signal) -> Any:
        return Step(state)


@dataclass(frozen=True)
class Relay(Anywhere):
    """Every message goes to process 1, which passes it on; and once more by itself, if it was for 1 too."""

    def start(self, me: int, processes: int) -> Any:
        return me, None

    def send(self, state: Any, message: Message) -> Any:
        if state[0] == 1:
            return super().send(state, message)
        return Step(state, (Packet(state[0], 1, message, "up"),))

    def receive(self, state: Any, packet: Packet) -> Any:
        me, message = state[0], packet.message
        if me != 1:
            return Step(state, (), (message,))
        down = tuple(Packet(1, d, message, "down") for d in sorted(message.dests - {1}))
        return Step((1, message), down, (message,) if 1 in message.dests else ())

    def internal(self, state: Any) -> Any:
        me, message = state
        if message is None or 1 not in message.dests or message.dests == {1}:
            return None
        return Step((me, None), (Packet(1, max(message.dests), message, "again"),), name="again")


@dataclass(frozen=True)
class Views(Anywhere):
    """All processes go to the next view together, twice; a message is taken in the view in which it was sent."""

    def start(self, me: int, processes: int) -> Any:
        return me, 1

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(message.sender, d, message, state[1]) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, (), (packet.message,)) if packet.control == state[1] else None

    def joint(self, states: tuple[Any, ...]) -> Any:
        view = states[0][1]
        if view < 3:
            yield Joint(f"go to view {view + 1}", tuple((me, view + 1) for me, _ in states))


@dataclass(frozen=True)
class Counting(Anywhere):
    """Takes the messages of a sender in their order, numbered as the model counts them: a restart confuses it."""

    direct = True

    def start(self, me: int, processes: int) -> Any:
        return (0,) * processes

    def receive(self, state: Any, packet: Packet) -> Any:
        s, number = packet.message.sender, packet.message.number
        if number != state[s - 1] + 1:
            return None
        return Step((*state[: s - 1], number, *state[s:]), (), (packet.message,))

    def state_facts(self, state: Any) -> Any:
        return frozenset({((1, 1), 2)} if state[0] else ())

    def packet_facts(self, packet: Packet) -> Any:
        return frozenset()


@dataclass(frozen=True)
class Choosing(Anywhere):
    """Only what depends on each other is ordered: every event depends on any earlier one, or on none."""

    direct = True
    semantic = True

    def start(self, me: int, processes: int) -> Any:
        return me, 0

    def send(self, state: Any, message: Message) -> Any:
        packets = super().send(state, message).packets
        return [Step((state[0], state[1] + 1), packets, depends_on=k) for k in range(state[1] + 1)]

    def receive(self, state: Any, packet: Packet) -> Any:
        return [Step((state[0], state[1] + 1), (), (packet.message,), k) for k in range(state[1] + 1)]

    def internal(self, state: Any) -> Any:
        if state[1] == 1:
            yield Step((state[0], 2), depends_on=1, name="think")


@dataclass(frozen=True)
class Forgetful(Anywhere):
    """Delivers a message that it cannot know of."""

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, (), (packet.message._replace(number=9),))
