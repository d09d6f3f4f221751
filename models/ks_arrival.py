"""KS with arrival events: a copy that has to wait is taken out of the channel and kept at its process.

The algorithm is that of Kshemkalyani and Singhal, Section 4.3. Its variants that do something when a copy arrives
build on this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Fact, Message, Packet, Step, Steps
from .ks import KS, FrozenEntries, KSState


class Copy(NamedTuple):
    """A copy that has arrived and waits; `tested` is the O_M that RCV(1) looks at."""

    packet: Packet
    tested: FrozenEntries


class ArrivalState(NamedTuple):
    """The state of KS, and the copies that have arrived and wait."""

    ks: KSState
    buffer: frozenset[Copy] = frozenset()


@dataclass(frozen=True)
class KSArrival(KS):
    """KS; what can be delivered when it arrives is, and what cannot is delivered in a step of its own later."""

    title = "Kshemkalyani-Singhal with arrival events"
    direct = False

    def start(self, me: int, processes: int) -> Any:
        """Nothing has arrived."""
        return ArrivalState(super().start(me, processes))

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j."""
        ks, packets = self.sent(state.ks, message)
        return Step(state._replace(ks=ks), packets)

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The arrival of a copy: procedure RCV, or the wait begins."""
        if self.waits(state.ks, packet.control):
            return self.begin(state, packet)
        return self.complete(state, packet)

    def begin(self, state: Any, packet: Packet) -> list[Step]:
        """The steps in which the wait of a copy begins."""
        return [Step(state._replace(buffer=state.buffer | {Copy(packet, packet.control)}))]

    def complete(self, state: Any, packet: Packet) -> list[Step]:
        """RCV(2) to RCV(5)."""
        return [Step(state._replace(ks=ks), (), (packet.message,)) for ks in self.delivered(state.ks, packet)]

    def internal(self, state: Any) -> Iterator[Step]:
        """The end of a wait: a copy for which RCV(1) holds is delivered."""
        for copy in sorted(state.buffer, key=lambda copy: copy.packet.message[:2]):
            if not self.waits(state.ks, copy.tested):
                rest = state._replace(buffer=state.buffer - {copy})
                name = "deliver {}.{}".format(*copy.packet.message[:2])
                yield from (step._replace(name=name) for step in self.complete(rest, copy.packet))

    def state_facts(self, state: Any) -> frozenset[Fact]:
        """The explicit entries of LOG."""
        return super().state_facts(state.ks)
