"""Psync: Peterson, Buchholz, Schlichting, "Preserving and using context information in interprocess communication",
ACM TOCS 7(3), 1989.

The form of algorithms.md, B6, for channels that lose nothing (`psync_requests` is for the others); the step labels s1
to d2 are those of that page. *Reconstructed* from abstract and summary, and recalled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Messages = frozenset[Message]
Graph = frozenset[tuple[Message, Messages]]
"""The context graph: each message with those that it names."""


class PsyncState(NamedTuple):
    """Process `j` of a conversation. G: the part of the context graph that it knows, its view."""

    j: int
    participants: int
    G: Graph


@dataclass(frozen=True)
class Psync(Model):
    """A copy names the messages that directly precede it, the leaves of its sender's view, and waits for them."""

    title = "Psync: the context graph of a conversation"
    source = "L. Peterson, N. Buchholz, R. Schlichting, ACM TOCS 7(3):217-246, 1989"
    status = "reconstructed"
    assumes = "reliable, asynchronous channels, FIFO or not; every message goes to all participants"
    load = "broadcast"
    size = "the leaves of the sender's view: 0 to n ids"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    subsets: str = reading(
        "PS-1",
        "a message need not go to all: what of the named messages that are not addressed to the receiver?",
        default="a",
        a="not defined: every message goes to all",
        b="they are awaited",
        c="they are ignored",
    )

    def start(self, me: int, processes: int) -> PsyncState:
        """The view is empty."""
        return PsyncState(me, processes, frozenset())

    def send(self, state: PsyncState, message: Message) -> Steps:
        """Name the leaves of the view; the message is then the only leaf."""
        i, participants, G = state
        if self.subsets == "a" and len(message.dests | {i}) < participants:
            return None
        named = leaves(G)
        packets = tuple(Packet(i, d, message, named) for d in sorted(message.dests))  # s1
        G = G | {(message, named)}  # s2
        return Step(PsyncState(i, participants, G), packets)

    def receive(self, state: PsyncState, packet: Packet) -> Steps:
        """Wait for the named messages; the own copy waits for nothing."""
        j, participants, G = state
        message, named = packet.message, packet.control
        if message.sender == j:
            return Step(state, delivered=(message,))
        awaited = frozenset(m for m in named if self.subsets != "c" or j in m.dests | {m.sender})
        if not awaited <= view(G):  # d1
            return None
        G = G | {(message, named)}  # d2
        return Step(PsyncState(j, participants, G), delivered=(message,))

    def state_facts(self, state: PsyncState) -> frozenset[Fact]:
        """All but its sender and j must still get each leaf."""
        return frozenset((m[:2], d) for m in leaves(state.G) for d in m.dests - {m.sender, state.j})

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The destination must still get the named messages that are not its own."""
        return frozenset((m[:2], packet.to) for m in packet.control if packet.to in m.dests - {m.sender})

    def control_units(self, packet: Packet) -> int:
        """Ids."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes an id, and 2 for each of its destinations where PS-1c has to know them."""
        return sum(6 + (2 * len(m.dests) if self.subsets == "c" else 0) for m in packet.control)


def view(G: Graph) -> Messages:
    """The messages of G."""
    return frozenset(m for m, _ in G)


def leaves(G: Graph) -> Messages:
    """The messages of G that no other names."""
    return view(G).difference(*(named for _, named in G))
