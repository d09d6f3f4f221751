"""Unicasts: any direct model that transmits a multicast as one unicast after the other (row X-7 of algorithms.md).

For the inner model each copy is a message of its own to one destination. For the application, and the judge of causal
order, the multicast stays one message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .buffered import listed
from .interface import Message, Model, Packet, State, Step, Steps


class UnicastsState(NamedTuple):
    """A process of the inner model, how many unicasts it has sent, and the copies that it has not sent yet, the oldest
    first: (message, destination)."""

    process: State
    sent: int
    waiting: tuple[tuple[Message, int], ...] = ()


class UnicastsControl(NamedTuple):
    """The copy as the inner model knows it, a message to one process, with its control information."""

    unicast: Message
    control: object


@dataclass(frozen=True)
class Unicasts(Model):
    """A multicast is sent to its destinations one by one, in ascending order, with nothing in between (X-7b)."""

    title = "a multicast as consecutive unicasts"
    source = "algorithms.md, row X-7, variant b"
    status = "a yardstick of this project"
    assumes = "what the inner model assumes"
    size = "that of the inner model in unicast"

    inner: Model

    @property
    def self_addressed(self) -> bool:
        """What the inner model says."""
        return self.inner.self_addressed

    def start(self, me: int, processes: int) -> UnicastsState:
        """Nothing is sent."""
        return UnicastsState(self.inner.start(me, processes), 0)

    def send(self, state: UnicastsState, message: Message) -> Steps:
        """A unicast to each destination."""
        steps = [Step(state)]
        for d in sorted(message.dests):
            steps = [step for before in steps for step in self.transmitted(before, message, d)]
        return steps

    def transmitted(self, before: Step, message: Message, d: int) -> Iterator[Step]:
        """The step `before`, and after it the unicast to d."""
        state: Any = before.state
        process, sent, waiting = state
        unicast = Message(message.sender, sent + 1, frozenset({d}))
        for step in listed(self.inner.send(process, unicast)):
            (packet,) = step.packets
            copy = Packet(message.sender, d, message, UnicastsControl(unicast, packet.control))
            yield Step(UnicastsState(step.state, sent + 1, waiting), (*before.packets, copy))

    def receive(self, state: UnicastsState, packet: Packet) -> Steps:
        """The inner model takes the unicast."""
        unicast, control = packet.control
        steps = listed(self.inner.receive(state.process, Packet(packet.sender, packet.to, unicast, control)))
        return [Step(state._replace(process=step.state), (), (packet.message,)) for step in steps]

    def control_units(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_units(self.unicast(packet))

    def control_bytes(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_bytes(self.unicast(packet))

    def unicast(self, packet: Packet) -> Packet:
        """The packet as the inner model knows it."""
        return Packet(packet.sender, packet.to, packet.control.unicast, packet.control.control)


@dataclass(frozen=True)
class InterleavedUnicasts(Unicasts):
    """A multicast is sent to its destinations one by one, and other events may come in between (X-7c)."""

    title = "a multicast as unicasts with other events in between"
    source = "algorithms.md, row X-7, variant c"
    direct = False

    def send(self, state: UnicastsState, message: Message) -> Steps:
        """The copies wait behind those of earlier messages."""
        return Step(state._replace(waiting=state.waiting + tuple((message, d) for d in sorted(message.dests))))

    def internal(self, state: UnicastsState) -> Iterator[Step]:
        """The copy that waits longest is sent."""
        if state.waiting:
            (message, d), *rest = state.waiting
            for step in self.transmitted(Step(state._replace(waiting=tuple(rest))), message, d):
                yield step._replace(name=f"send {message.sender}.{message.number} to {d}")
