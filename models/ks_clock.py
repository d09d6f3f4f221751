"""KS with a clock that ticks at more than sends: Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 2.1.

There the local clock ticks at least at every send; Section 4.3 lets it tick at sends only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Message, Model, Packet, Step, Steps, parameter, reading
from .ks import KS, FrozenEntries, KSState


class ClockState(NamedTuple):
    """The state of KS, and how many internal events may still come."""

    ks: KSState
    left: int


class Stamped(NamedTuple):
    """What a copy carries: the clock at its send, which names the message in O_M and LOG, and O_M."""

    t: int
    O_M: FrozenEntries


@dataclass(frozen=True)
class KSClock(KS):
    """KS; messages are named by a clock that counts other events too."""

    title = "Kshemkalyani-Singhal with a clock that ticks at deliveries"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")
    direct = False
    state_facts = Model.state_facts
    packet_facts = Model.packet_facts

    ticks: str = reading(
        "KS-15",
        "at which events does the local clock tick?",
        default="b",
        b="at sends and deliveries",
        c="at every event: internal ones as well",
    )
    events: int = parameter(1, "the most internal events of a process (KS-15c)")

    def start(self, me: int, processes: int) -> Any:
        """The clock is 0."""
        return ClockState(super().start(me, processes), self.events if self.ticks == "c" else 0)

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j; the clock says which message it is."""
        ks, copies = self.sent(state.ks, message)
        packets = [copy._replace(control=Stamped(ks.clock, copy.control)) for copy in copies]
        return Step(state._replace(ks=ks), tuple(packets))

    def receive(self, state: Any, packet: Packet) -> Steps:
        """Procedure RCV at j; the delivery is a tick."""
        t, O_M = packet.control
        if self.waits(state.ks, O_M):
            return None
        named = packet._replace(message=packet.message._replace(number=t), control=O_M)
        ticked = [ks._replace(clock=ks.clock + 1) for ks in self.delivered(state.ks, named)]
        return [Step(state._replace(ks=ks), (), (packet.message,)) for ks in ticked]

    def internal(self, state: Any) -> Steps:
        """An internal event of the application, which is a tick."""
        if state.left == 0:
            return None
        ks = state.ks._replace(clock=state.ks.clock + 1)
        return Step(ClockState(ks, state.left - 1), name="an internal event")

    def control_units(self, packet: Packet) -> int:
        """As KS: the clock is in the header."""
        return super().control_units(packet._replace(control=packet.control.O_M))

    def control_bytes(self, packet: Packet) -> int:
        """As KS: the clock is in the header."""
        return super().control_bytes(packet._replace(control=packet.control.O_M))
