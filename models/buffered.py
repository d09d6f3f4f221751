"""Buffered: any direct model whose packets are taken on arrival and delivered later, from a buffer.

The models of this package leave a packet that has to wait in the network. Here arrival is an event of its own, so that
rows X-3, X-4b and X-6 of algorithms.md can be asked: with FIFO channels, packets arrive in the order of their channel
and are picked from the buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Fact, Message, Model, Packet, State, Step, Steps, reading


class BufferedState(NamedTuple):
    """A process of the inner model, and the packets that have arrived and are not delivered: the oldest first, or
    sorted where their order does not count."""

    process: State
    buffer: tuple[Packet, ...]


@dataclass(frozen=True)
class Buffered(Model):
    """Every packet is taken when it arrives; a later step delivers it when the inner model's condition holds."""

    title = "delivery from a buffer"
    source = "algorithms.md, sections 0 and 1: Arrive and Deliver as two events"
    status = "a yardstick of this project"
    assumes = "what the inner model assumes; no semantic order"
    size = "that of the inner model"
    direct = False

    inner: Model
    choice: str = reading(
        "X-3",
        "which of the packets in the buffer that could be delivered is delivered next?",
        default="a",
        a="any",
        b="the one that arrived first",
        c="any that arrived first of those of its sender",
    )
    wait: str = reading(
        "X-6",
        "what else does a process do while the packet that arrived first waits?",
        default="a",
        a="everything",
        b="it delivers nothing else, but sends",
        c="it neither delivers nor sends",
    )

    @property
    def self_addressed(self) -> bool:
        """What the inner model says; with --self at-send the own copy arrives at the send."""
        return self.inner.self_addressed

    def start(self, me: int, processes: int) -> BufferedState:
        """Nothing has arrived."""
        return BufferedState(self.inner.start(me, processes), ())

    def send(self, state: BufferedState, message: Message) -> Steps:
        """The inner model sends, unless the process is blocked (X-6c)."""
        process, buffer = state
        if self.wait == "c" and buffer and not self.steps(process, buffer[0]):
            return None
        steps = listed(self.inner.send(process, message))
        return [step._replace(state=BufferedState(step.state, buffer)) for step in steps]

    def receive(self, state: BufferedState, packet: Packet) -> Steps:
        """The packet arrives."""
        buffer = (*state.buffer, packet)
        if self.wait == "a" and self.choice == "a":
            buffer = tuple(sorted(buffer, key=lambda p: p.message[:2]))
        elif self.wait == "a" and self.choice == "c":
            buffer = tuple(sorted(buffer, key=lambda p: p.sender))
        return Step(BufferedState(state.process, buffer))

    def internal(self, state: BufferedState) -> Iterator[Step]:
        """The process delivers one of the packets that it may pick now."""
        process, buffer = state
        senders = set()
        for place, packet in enumerate(buffer if self.wait == "a" else buffer[:1]):
            steps = self.steps(process, packet)
            if not steps or (self.choice == "c" and packet.sender in senders):
                continue
            senders.add(packet.sender)
            rest, name = buffer[:place] + buffer[place + 1 :], "deliver {}.{}".format(*packet.message)
            for step in steps:
                yield step._replace(state=BufferedState(step.state, rest), name=name)
            if self.choice == "b":
                return

    def steps(self, process: State, packet: Packet) -> list[Step]:
        """The steps of the inner model that take the packet; none while it has to wait."""
        return listed(self.inner.receive(process, packet))

    def control_units(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_units(packet)

    def control_bytes(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_bytes(packet)


@dataclass(frozen=True)
class BufferedWithFacts(Buffered):
    """The same for an inner model that says what its control information asserts."""

    def state_facts(self, state: Any) -> frozenset[Fact]:
        """What the process knows; a packet in the buffer tells it nothing yet."""
        return self.inner.state_facts(state.process)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """Those of the inner model."""
        return self.inner.packet_facts(packet)


def buffered(inner: Model, choice: str = "a", wait: str = "a") -> Buffered:
    """`inner`, which is direct, with arrivals; the letters are those of X-3 and X-6."""
    has_facts = type(inner).state_facts is not Model.state_facts
    return (BufferedWithFacts if has_facts else Buffered)(inner, choice, wait)


def listed(steps: Steps) -> list[Step]:
    """The alternatives as a list."""
    found: Any = () if steps is None else steps
    return [found] if isinstance(found, Step) else list(found)
