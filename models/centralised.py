"""Centralised organisation: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1.

Every message goes to one process, which multicasts one after the other. The step labels are those of this page: s1 and
s2 send, c1 to c3 are those of the coordinator, d1 and d2 deliver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Step, Steps, reading

COORDINATOR = 1


class CentralisedState(NamedTuple):
    """Process `i`. With sequence numbers (KS-29seq), and 0 without: requested: the requests that it made; taken: the
    copies that it took; served[k-1], copies[k-1], at the coordinator: requests served of k and copies sent to k."""

    i: int
    requested: int
    taken: int
    served: tuple[int, ...]
    copies: tuple[int, ...]


@dataclass(frozen=True)
class Centralised(Model):
    """Process 1 multicasts for all; a message carries nothing."""

    title = "Kshemkalyani-Singhal, centralised: one process multicasts for all"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    status = "read in full; a sentence, the steps are ours"
    assumes = "reliable, asynchronous FIFO channels"
    size = "nothing; a relay for each message"
    claims = ("CausalOrder", "Delivery", "Integrity")
    channel = "fifo"
    direct = False

    path: str = reading(
        "KS-29",
        "what goes through the coordinator?",
        default="a",
        a="everything, own copies too",
        b="multicasts; a message to one destination goes there directly",
        c="everything, but the sender delivers its own copy at once",
    )
    numbered: str = reading(
        "KS-29seq",
        "which channels have sequence numbers, and so are FIFO even where the system's are not?",
        default="a",
        a="none",
        b="those to the coordinator",
        c="those from the coordinator",
        d="both",
    )

    def start(self, me: int, processes: int) -> CentralisedState:
        """Nothing is sent."""
        zeros = (0,) * processes
        return CentralisedState(me, 0, 0, zeros, zeros)

    def send(self, state: CentralisedState, message: Message) -> Steps:
        """Ask the coordinator to multicast the message; the coordinator does it at once."""
        i, Dests = state.i, message.dests
        if self.path == "b" and len(Dests) == 1:
            return Step(state, tuple(Packet(i, d, message, 0) for d in Dests))  # s1
        if i == COORDINATOR:
            return self.multicast(state, message)
        requested = state.requested + (self.numbered in ("b", "d"))
        request = Packet(i, COORDINATOR, message, requested)  # s2
        delivered = (message,) if i in Dests and self.path == "c" else ()
        return Step(state._replace(requested=requested), (request,), delivered)

    def receive(self, state: CentralisedState, packet: Packet) -> Steps:
        """Serve a request, or deliver a copy."""
        i, k, number = state.i, packet.sender, packet.control
        if self.path == "b" and len(packet.message.dests) == 1:
            return Step(state, (), (packet.message,))
        if i == COORDINATOR:
            if number and number != state.served[k - 1] + 1:
                return None  # c1
            served = (*state.served[: k - 1], number, *state.served[k:])
            return self.multicast(state._replace(served=served), packet.message)
        if number and number != state.taken + 1:
            return None  # d1
        return Step(state._replace(taken=number), (), (packet.message,))  # d2

    def multicast(self, state: CentralisedState, message: Message) -> Step:
        """The coordinator sends the copies, and delivers its own."""
        copies = state.copies
        Dests = message.dests - {message.sender} if self.path == "c" else message.dests
        if self.numbered in ("c", "d"):
            copies = tuple(x + (d in Dests) for d, x in enumerate(copies, 1))  # c2
        others = sorted(Dests - {COORDINATOR})
        packets = tuple(Packet(COORDINATOR, d, message, copies[d - 1]) for d in others)  # c3
        delivered = (message,) if COORDINATOR in message.dests else ()
        return Step(state._replace(copies=copies), packets, delivered)

    def control_units(self, packet: Packet) -> int:
        """Sequence numbers."""
        return int(packet.control > 0)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a sequence number."""
        return 4 * self.control_units(packet)
