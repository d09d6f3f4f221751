"""Kim-Kim: J. Kim, C. Kim, "An efficient causal ordering protocol in group communications", ICOIN-10, 1996.

The form of algorithms.md, B11; the step labels s1 to d3 are those of that page. *Reconstructed* from what Kshemkalyani
and Singhal say of it; the n x n arrays that the original also sends are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Id = tuple[int, int]
"""(k, c): message number c of process k."""
Ids = frozenset[Id]


class KimKimState(NamedTuple):
    """Process `j`. V[k-1]: number of the last message of k delivered here, or sent if k = j; DP: the direct
    predecessors of its next message; graph: known messages with their own DP, kept under KK-1b only."""

    j: int
    V: tuple[int, ...]
    DP: Ids
    graph: frozenset[tuple[Id, Ids]]


@dataclass(frozen=True)
class KimKim(Model):
    """A copy names the messages that directly precede it, and waits for them."""

    title = "Kim-Kim: direct predecessors in one group"
    source = "J. Kim, C. Kim, 10th Int. Conf. on Information Networking, 121-128, 1996"
    status = "reconstructed"
    assumes = "reliable, asynchronous channels, FIFO or not; one group, every message goes to all others"
    load = "broadcast"
    size = "the direct predecessors of the message: 0 to n pairs"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    removed: str = reading(
        "KK-1",
        "which predecessors does d3 remove from DP?",
        default="a",
        a="the direct ones of the message",
        b="all, also those over other messages",
    )

    def start(self, me: int, processes: int) -> KimKimState:
        """V is 0, and there are no predecessors."""
        return KimKimState(me, (0,) * processes, frozenset(), frozenset())

    def send(self, state: KimKimState, message: Message) -> Steps:
        """Attach DP; the message is then the only direct predecessor of the next."""
        i, V, DP, graph = state
        c = V[i - 1] + 1  # s1
        packets = tuple(Packet(i, d, message, DP) for d in sorted(message.dests))  # s1 attach
        graph = self.extended(graph, (i, c), DP)
        V = (*V[: i - 1], c, *V[i:])  # s2
        DP = frozenset({(i, c)})  # s2 DP
        return Step(KimKimState(i, V, DP, graph), packets)

    def receive(self, state: KimKimState, packet: Packet) -> Steps:
        """Wait for the message of i before this one and for its direct predecessors; the own copy waits for nothing."""
        j, V, DP, graph = state
        i, c, _ = packet.message
        if i == j:
            return Step(state, delivered=(packet.message,))
        if V[i - 1] != c - 1 or any(V[k - 1] < c_k for k, c_k in packet.control):  # d1
            return None
        delivered = (packet.message,)  # d2
        V = (*V[: i - 1], c, *V[i:])  # d2 count
        DP = DP - self.predecessors(graph, packet.control) | {(i, c)}  # d3
        graph = self.extended(graph, (i, c), packet.control)
        return Step(KimKimState(j, V, DP, graph), delivered=delivered)

    def extended(self, graph: frozenset[tuple[Id, Ids]], id: Id, DP: Ids) -> frozenset[tuple[Id, Ids]]:
        """The graph with one message more, where KK-1 needs it."""
        return graph | {(id, DP)} if self.removed == "b" else graph

    def predecessors(self, graph: frozenset[tuple[Id, Ids]], DP: Ids) -> Ids:
        """DP, and under KK-1b everything before it."""
        found, edges = DP, dict(graph)
        todo = list(DP) if self.removed == "b" else []
        while todo:
            before = edges[todo.pop()] - found
            found |= before
            todo.extend(before)
        return found

    def state_facts(self, state: KimKimState) -> frozenset[Fact]:
        """Every process but its sender and j must still get each message of DP."""
        processes = range(1, len(state.V) + 1)
        return frozenset(((k, c), d) for k, c in state.DP for d in processes if d not in (k, state.j))

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The destination must still get the messages of DP that are not its own."""
        return frozenset(((k, c), packet.to) for k, c in packet.control if k != packet.to)

    def control_units(self, packet: Packet) -> int:
        """Pairs of DP."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes a pair."""
        return 6 * len(packet.control)
