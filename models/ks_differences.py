"""KS without duplicate information: Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 3.5.

"A node must not transmit the same information more than once to the same node and not store information that has been
sent once on each outgoing channel." The paper does not say how; KS-8 lists forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Message, Model, Packet, Step, Steps, reading
from .ks import KS, Entries, FrozenEntries, Id, KSState
from .ks_arrival import Copy, KSArrival


class Difference(NamedTuple):
    """What a copy carries: entries of O_M, and ids whose entries are no longer part of it."""

    entries: FrozenEntries
    removed: frozenset[Id]


class DifferencesState(NamedTuple):
    """The state of KS with arrivals; the entries told to each process, and heard from each."""

    ks: KSState
    buffer: frozenset[Copy]
    told: tuple[FrozenEntries, ...]
    heard: tuple[FrozenEntries, ...]


@dataclass(frozen=True)
class KSDifferences(KSArrival):
    """KS; a copy leaves out what earlier copies on the same channel have said."""

    title = "Kshemkalyani-Singhal without duplicate information"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 3.5"
    assumes = "reliable FIFO channels"
    claims = ("CausalOrder", "Delivery")
    channel = "fifo"
    packet_facts = Model.packet_facts

    duplicates: str = reading(
        "KS-8",
        "which information is not sent again to a process, and what does the receiver make of it?",
        default="b",
        a="entries as they were last sent to it; it takes what arrives for O_M",
        b="what has not changed since the last copy to it; in the order of arrival it rebuilds O_M",
        d="as a; LOG loses the entries that were sent as they are to every other process",
    )

    def start(self, me: int, processes: int) -> Any:
        """Nothing was told or heard."""
        nothing = (frozenset[Any](),) * processes
        return DifferencesState(KS.start(self, me, processes), frozenset(), nothing, nothing)

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j, with what is new for each destination."""
        ks, copies = self.sent(state.ks, message)
        told, packets = list(state.told), []
        for packet in copies:
            before, O_M = told[packet.to - 1], packet.control
            removed = {st for st, _ in before} - {st for st, _ in O_M} if self.duplicates == "b" else ()
            packets.append(packet._replace(control=Difference(O_M - before, frozenset(removed))))
            kept: Entries = {} if self.duplicates == "b" else dict(before)
            told[packet.to - 1] = frozenset({**kept, **dict(O_M)}.items())
        if self.duplicates == "d":
            everywhere = frozenset[Any]().union(*told).intersection(*told[: ks.j - 1], *told[ks.j :])
            ks = ks._replace(LOG=ks.LOG - everywhere)
        return Step(state._replace(ks=ks, told=tuple(told)), tuple(packets))

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The arrival of a copy."""
        k, (entries, removed) = packet.sender, packet.control
        if self.duplicates == "b":
            earlier = {st: D for st, D in state.heard[k - 1] if st not in removed}
            entries = frozenset({**earlier, **dict(entries)}.items())
            state = state._replace(heard=(*state.heard[: k - 1], entries, *state.heard[k:]))
        return super().receive(state, packet._replace(control=entries))

    def control_units(self, packet: Packet) -> int:
        """As KS, and one for each id that is removed."""
        return super().control_units(packet._replace(control=packet.control.entries)) + len(packet.control.removed)

    def control_bytes(self, packet: Packet) -> int:
        """As KS, and a process id and a clock for each id that is removed."""
        return super().control_bytes(packet._replace(control=packet.control.entries)) + 6 * len(packet.control.removed)
