"""KS with sequence numbers: Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 7.1, last case.

Messages are numbered on each channel, and a process has a vector of the last number in sequence from every other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Fact, Message, Packet, Step, Steps, reading
from .ks import KS, FrozenEntries, KSState
from .ks_arrival import Copy, KSArrival


class Numbered(NamedTuple):
    """What a copy carries: its number on the channel, from 1, and O_M."""

    seq: int
    O_M: FrozenEntries


class SequenceState(NamedTuple):
    """The state of KS with arrivals; messages sent to each process; the last number in sequence from each."""

    ks: KSState
    buffer: frozenset[Copy]
    sent: tuple[int, ...]
    last: tuple[int, ...]


@dataclass(frozen=True)
class KSSequence(KSArrival):
    """KS; a copy is taken only in the order of its channel."""

    title = "Kshemkalyani-Singhal with sequence numbers for non-FIFO channels"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    assumes = "reliable, asynchronous channels, FIFO or not"

    in_sequence: str = reading(
        "KS-31",
        "where are the numbers tested, and is the vector one of arrivals or of deliveries?",
        default="b",
        b="before RCV(1): a copy arrives in sequence, and then waits",
        c="together with RCV(1): a copy is delivered in sequence",
    )

    def start(self, me: int, processes: int) -> Any:
        """All numbers are 0."""
        zeros = (0,) * processes
        return SequenceState(KS.start(self, me, processes), frozenset(), zeros, zeros)

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j, each copy with the next number of its channel."""
        ks, copies = self.sent(state.ks, message)
        numbers = tuple(x + 1 if d in message.dests else x for d, x in enumerate(state.sent, 1))
        packets = [copy._replace(control=Numbered(numbers[copy.to - 1], copy.control)) for copy in copies]
        return Step(state._replace(ks=ks, sent=numbers), tuple(packets))

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The next copy of its channel arrives (KS-31b), or is delivered (KS-31c)."""
        k, (seq, O_M) = packet.sender, packet.control
        if seq != state.last[k - 1] + 1:
            return None
        if self.in_sequence == "c" and self.waits(state.ks, O_M):
            return None
        state = state._replace(last=(*state.last[: k - 1], seq, *state.last[k:]))
        return super().receive(state, packet._replace(control=O_M))

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The explicit entries of O_M."""
        return super().packet_facts(packet._replace(control=packet.control.O_M))

    def control_units(self, packet: Packet) -> int:
        """As KS: the number on the channel is not counted."""
        return super().control_units(packet._replace(control=packet.control.O_M))

    def control_bytes(self, packet: Packet) -> int:
        """As KS, and 4 bytes for the number on the channel."""
        return super().control_bytes(packet._replace(control=packet.control.O_M)) + 4
