"""KS with the complement encoding of Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 6.2.

An entry of O_M carries PROC - Dests instead of Dests where that is smaller.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from precede.models.interface import Fact, Message, Model, Packet, Step, Steps, parameter, reading
from precede.models.ks import KS, FrozenEntries, Id, KSState


class Encoded(NamedTuple):
    """An entry as it is transmitted: Dests, or with the flag PROC - Dests."""

    st: Id
    flag: bool
    ids: frozenset[int]


class Encoding(NamedTuple):
    """O_M as it is transmitted. PROC is 1..processes at the sender; it is agreed on and not transmitted."""

    processes: int
    entries: frozenset[Encoded]


def encoded(O_M: FrozenEntries, processes: int) -> Encoding:
    """O_M with the smaller of Dests and PROC - Dests in each entry."""
    PROC = frozenset(range(1, processes + 1))
    entries = (Encoded(st, True, PROC - D) if len(PROC - D) < len(D) else Encoded(st, False, D) for st, D in O_M)
    return Encoding(processes, frozenset(entries))


def decoded(entries: Iterable[Encoded], processes: int) -> FrozenEntries:
    """The entries as one reads them whose PROC is 1..processes."""
    PROC = frozenset(range(1, processes + 1))
    return frozenset((st, PROC - ids if flag else ids) for st, flag, ids in entries)


def encoded_copy(packet: Packet, processes: int) -> Packet:
    """The copy with its O_M encoded."""
    return packet._replace(control=encoded(packet.control, processes))


@dataclass(frozen=True)
class KSComplement(KS):
    """KS; a copy names the destinations of an entry or all others, whichever are fewer."""

    title = "Kshemkalyani-Singhal with complement encoding"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 6.2"
    size = "the sum over senders s of the ids that entries of s name: said to be 0 to n/2 for each s"

    counted: str = reading(
        "KS-4",
        "what is nd_i, which the encoding is said to bound by n/2?",
        default="c",
        a="the size of the union of the transmitted sets of sender i",
        b="the sum of their sizes",
        c="the size of the largest of them",
    )

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j, with encoded copies."""
        after, copies = self.sent(state, message)
        return Step(after, tuple(encoded_copy(copy, len(state.SR)) for copy in copies))

    def receive(self, state: Any, packet: Packet) -> Steps:
        """Procedure RCV at j."""
        return super().receive(state, packet._replace(control=decoded(packet.control.entries, len(state.SR))))

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The entries of O_M, decoded as the sender encoded them."""
        processes, entries = packet.control
        return super().packet_facts(packet._replace(control=decoded(entries, processes)))

    def nd(self, packet: Packet) -> dict[int, int]:
        """nd_i for each sender i that has an entry."""
        sets: dict[int, list[frozenset[int]]] = {}
        for (i, _), _, ids in packet.control.entries:
            sets.setdefault(i, []).append(ids)
        if self.counted == "a":
            return {i: len(frozenset().union(*of_i)) for i, of_i in sets.items()}
        return {i: (sum if self.counted == "b" else max)(map(len, of_i)) for i, of_i in sets.items()}

    def control_units(self, packet: Packet) -> int:
        """The sum of nd_i."""
        return sum(self.nd(packet).values())

    def control_bytes(self, packet: Packet) -> int:
        """A process id, a clock and the ids for each entry; the flags take a bit each."""
        entries = packet.control.entries
        return sum(2 + 4 + 2 * len(ids) for _, _, ids in entries) + -(-len(entries) // 8)


class PROCState(NamedTuple):
    """The state of KS, and how many processes the process knows of: its PROC is 1..known."""

    ks: KSState
    known: int


@dataclass(frozen=True)
class KSComplementChanging(KSComplement):
    """The same while PROC changes: each process hears of the last processes at a time of its own."""

    title = "Kshemkalyani-Singhal with complement encoding, PROC changing"
    claims = ("CausalOrder", "Delivery")
    direct = False
    state_facts = Model.state_facts
    packet_facts = Model.packet_facts

    late: int = parameter(1, "how many processes, the last ones, the others hear of only later")

    def start(self, me: int, processes: int) -> Any:
        """The last processes know all, the others all but the last."""
        known = processes if me > processes - self.late else processes - self.late
        return PROCState(super().start(me, processes), known)

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j, to processes that it knows of."""
        if max(message.dests) > state.known:
            return None
        ks, copies = self.sent(state.ks, message)
        return Step(state._replace(ks=ks), tuple(encoded_copy(copy, state.known) for copy in copies))

    def receive(self, state: Any, packet: Packet) -> Steps:
        """Procedure RCV at j."""
        packet = packet._replace(control=decoded(packet.control.entries, state.known))
        if self.waits(state.ks, packet.control):
            return None
        return [Step(state._replace(ks=ks), (), (packet.message,)) for ks in self.delivered(state.ks, packet)]

    def internal(self, state: Any) -> Steps:
        """PROC grows."""
        if state.known == len(state.ks.SR):
            return None
        return Step(state._replace(known=state.known + 1), name=f"hear of process {state.known + 1}")
