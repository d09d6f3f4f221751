"""KS for broadcasts: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Sections 4.3 and 7.1.

Where every message goes to all, Dests is the same in all entries and is left out: LOG and O_M keep one clock for each
sender. The step labels are those of Section 4.3; the steps that only change Dests are gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Clocks = tuple[int, ...]
"""The clock of the latest broadcast of each process, 0 for none."""


class KSBroadcastState(NamedTuple):
    """Process `j`. SR[k-1]: clock of the last broadcast of k delivered here; LOG: the latest broadcasts known."""

    j: int
    clock: int
    SR: Clocks
    LOG: Clocks


@dataclass(frozen=True)
class KSBroadcast(Model):
    """A copy carries the clock of the latest broadcast of each process."""

    title = "Kshemkalyani-Singhal for broadcasts: one clock for each sender"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    status = "read in full"
    assumes = "reliable, asynchronous channels; every message goes to all others"
    load = "broadcast"
    size = "n clocks"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    constant: str = reading(
        "KS-24",
        "is the sender in the constant Dests?",
        default="a",
        a="no",
        b="yes (--self network or at-send)",
    )

    @property
    def self_addressed(self) -> bool:
        """Only where Dests includes the sender."""
        return self.constant == "b"

    def start(self, me: int, processes: int) -> KSBroadcastState:
        """No broadcast is known."""
        return KSBroadcastState(me, 0, (0,) * processes, (0,) * processes)

    def send(self, state: KSBroadcastState, message: Message) -> Steps:
        """Procedure SND at j."""
        j, clock, SR, LOG = state
        clock = clock + 1  # SND(1)
        O_M = LOG  # SND(2) copy
        packets = tuple(Packet(j, d, message, O_M) for d in sorted(message.dests))  # SND(2) send
        LOG = with_clock(LOG, j, clock)  # SND(4)
        return Step(KSBroadcastState(j, clock, SR, LOG), packets)

    def receive(self, state: KSBroadcastState, packet: Packet) -> Steps:
        """Procedure RCV at j."""
        j, clock, SR, LOG = state
        O_M, (k, tk, _) = packet.control, packet.message
        if any(t > SR[m - 1] for m, t in enumerate(O_M, 1) if j in self.dests(m, len(SR))):
            return None  # RCV(1)
        delivered, SR = (packet.message,), with_clock(SR, k, tk)  # RCV(2)
        O_M = with_clock(O_M, k, tk)  # RCV(3)
        LOG = tuple(map(max, LOG, O_M))  # RCV(4)
        return Step(KSBroadcastState(j, clock, SR, LOG), delivered=delivered)

    def dests(self, m: int, processes: int) -> frozenset[int]:
        """The Dests of every broadcast of m."""
        everyone = frozenset(range(1, processes + 1))
        return everyone if self.constant == "b" else everyone - {m}

    def facts(self, clocks: Clocks) -> frozenset[Fact]:
        """Every clock stands for an entry with the constant Dests."""
        n = len(clocks)
        return frozenset(((m, t), d) for m, t in enumerate(clocks, 1) if t for d in self.dests(m, n))

    def state_facts(self, state: KSBroadcastState) -> frozenset[Fact]:
        """What LOG asserts, less what SR shows to be delivered here."""
        return frozenset((mt, d) for mt, d in self.facts(state.LOG) if d != state.j or mt[1] > state.SR[mt[0] - 1])

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """What O_M asserts."""
        return self.facts(packet.control)

    def control_units(self, packet: Packet) -> int:
        """Clocks: n."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a clock."""
        return 4 * len(packet.control)


def with_clock(clocks: Clocks, k: int, clock: int) -> Clocks:
    """The clocks with another one of k."""
    return (*clocks[: k - 1], clock, *clocks[k:])
