"""Null: no control information at all, the lower end of every comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps


class NullState(NamedTuple):
    """Process `j`, which remembers nothing."""

    j: int


@dataclass(frozen=True)
class Null(Model):
    """A copy carries nothing and is delivered whenever it is received: the channel alone decides on the order."""

    title = "no control information"
    source = "none: it shows what the channels alone preserve, and lacks CausalOrder"
    status = "a yardstick of this project"
    assumes = "reliable, asynchronous channels"
    size = "nothing"
    claims = ("Delivery", "NoNeedlessDelay")

    def start(self, me: int, processes: int) -> NullState:
        """There is nothing to initialise."""
        return NullState(me)

    def send(self, state: NullState, message: Message) -> Steps:
        """One copy to each destination."""
        return Step(state, tuple(Packet(state.j, d, message, None) for d in sorted(message.dests)))

    def receive(self, state: NullState, packet: Packet) -> Steps:
        """Deliver."""
        return Step(state, delivered=(packet.message,))

    def state_facts(self, state: NullState) -> frozenset[Fact]:
        """Nothing is asserted."""
        return frozenset()

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """Nothing is asserted."""
        return frozenset()

    def control_units(self, packet: Packet) -> int:
        """None."""
        return 0

    def control_bytes(self, packet: Packet) -> int:
        """None."""
        return 0
