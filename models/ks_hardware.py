"""KS on hardware multicast: Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 4.5, first note.

All destinations get the same packet; each of them does for itself what SND(2) does for all.
"""

from __future__ import annotations

from dataclasses import dataclass

from .interface import Message, Packet, Step, Steps, reading
from .ks import KS, KSState


@dataclass(frozen=True)
class KSHardware(KS):
    """KS; the copies carry LOG as it is, and the receiver reduces it."""

    title = "Kshemkalyani-Singhal on hardware multicast"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 4.5"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    reduction: str = reading(
        "KS-9",
        "where does the receiver carry out the logic of SND(2)?",
        default="a",
        a="at the start of RCV(3)",
        b="at arrival, before RCV(1)",
        c="as a, without the deletion of empty entries",
    )

    def send(self, state: KSState, message: Message) -> Steps:
        """Procedure SND at j, with one O_M for all destinations: LOG."""
        after, copies = self.sent(state, message)
        own = {} if self.own_entry == "a" else {(after.j, after.clock): message.dests}
        O_M = frozenset({**dict(state.LOG), **own}.items())
        return Step(after, tuple(copy._replace(control=O_M) for copy in copies))

    def receive(self, state: KSState, packet: Packet) -> Steps:
        """Procedure RCV at j."""
        if self.reduction == "b":
            packet = self.reduced_copy(packet)
        if self.waits(state, packet.control):  # RCV(1)
            return None
        if self.reduction != "b":
            packet = self.reduced_copy(packet)
        return [Step(after, (), (packet.message,)) for after in self.delivered(state, packet)]

    def reduced_copy(self, packet: Packet) -> Packet:
        """The copy that the sender would have made for this destination."""
        O_M, Dests, d = dict(packet.control), packet.message.dests, packet.to
        if self.reduction == "c":
            O_M = {st: self.reduced(D, Dests, d) for st, D in O_M.items()}  # SND(2)
        else:
            O_M = self.carried(O_M, Dests, d)  # SND(2)
        return packet._replace(control=frozenset(O_M.items()))
