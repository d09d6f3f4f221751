"""BJ with a stability protocol: Birman, Joseph, "Reliable communication in the presence of failures", ACM TOCS 5(1),
1987: CBCAST as in ISIS.

The form of algorithms.md, B5; s1, s2 and d1 to d3 are the labels of that page. The stability protocol is not spelt out
there: who receives a packet acknowledges what it contains (d4, g1); a message leaves BUF when all its destinations are
known to have it (g2); what may be lost is sent again by anyone who holds it (r1). *Reconstructed*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .birman_joseph import Buffer, Held, Ids, contents, known_at, known_in
from .interface import Message, Model, Packet, Signal, Step, Steps, parameter


class BirmanJosephStableState(NamedTuple):
    """Process `j`. BUF as in BJ; delivered: those delivered here; again: (k, t, d): what it has sent again to d, once
    for each time, while it is in BUF."""

    j: int
    BUF: Buffer
    delivered: Ids
    again: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class BirmanJosephStable(Model):
    """A packet carries the messages that happen before it; they are acknowledged, sent again, and forgotten."""

    title = "Birman-Joseph with acknowledgements: what is stable does not travel (CBCAST in ISIS)"
    source = "K. Birman, T. Joseph, ACM TOCS 5(1):47-76, 1987"
    status = "reconstructed; the stability protocol is ours"
    assumes = "fail-stop processes; channels that are asynchronous, FIFO or not, and may lose or duplicate"
    size = "every message before it that is not stable"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Integrity")
    direct = False

    repeats: int = parameter(1, "how often a process sends a message again to a destination not known to have it")

    def start(self, me: int, processes: int) -> BirmanJosephStableState:
        """BUF is empty, and nothing is delivered."""
        return BirmanJosephStableState(me, frozenset(), frozenset(), ())

    def send(self, state: BirmanJosephStableState, message: Message) -> Steps:
        """Send the message after those of BUF, which all happen before it."""
        i, BUF = state.j, state.BUF
        new = Held(message, known_in(BUF), frozenset({i}))
        BUF = BUF | {new}  # s1
        packets = tuple(Packet(i, d, message, contents(BUF, new, d)) for d in sorted(message.dests))  # s2
        return Step(state._replace(BUF=BUF), packets)

    def receive(self, state: BirmanJosephStableState, packet: Packet) -> Steps:
        """Deliver all that the packet contains and that is addressed here, in order; acknowledge it."""
        j, BUF, delivered, _ = state
        i = packet.sender
        messages: tuple[Message, ...] = ()
        for message, before in packet.control:
            if message[:2] not in delivered | {held.id for held in BUF}:  # d1
                BUF = BUF | {Held(message, before, frozenset({j, message.sender}))}  # d2
            if j in message.dests and message[:2] not in delivered:
                messages += (message,)  # d3
                delivered = delivered | {message[:2]}
        BUF = known_at(BUF, i, packet.control)  # d2 at
        after = without_stable(state._replace(BUF=BUF, delivered=delivered))
        return Step(after, (Signal(j, i, packet.control),), messages)  # d4

    def signal(self, state: BirmanJosephStableState, signal: Signal) -> Steps:
        """An acknowledgement: its sender has what the packet contained."""
        BUF = known_at(state.BUF, signal.sender, signal.control)  # g1
        return Step(without_stable(state._replace(BUF=BUF)))

    def internal(self, state: BirmanJosephStableState) -> Iterator[Step]:
        """Send a message of BUF again, whoever sent it first, to a destination that may not have it."""
        j, BUF, _, again = state
        for held in sorted(BUF, key=lambda held: held.id):
            for d in sorted(held.message.dests - held.at):
                sent = (*held.id, d)
                if again.count(sent) < self.repeats:
                    packet = Packet(j, d, held.message, contents(BUF, held, d))  # r1
                    after = state._replace(again=tuple(sorted((*again, sent))))
                    yield Step(after, (packet,), name=f"send {held.id[0]}.{held.id[1]} to {d} again")

    def control_units(self, packet: Packet) -> int:
        """Messages, its own left out."""
        return len(packet.control) - 1

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes and 2 for each destination of each message before its own; their contents count as nothing."""
        return sum(6 + 2 * len(message.dests) for message, _ in packet.control[:-1])


def without_stable(state: BirmanJosephStableState) -> BirmanJosephStableState:
    """The state without the messages that are known to be at all their destinations."""
    BUF = frozenset(held for held in state.BUF if not held.message.dests <= held.at)  # g2
    left = {(*held.id, d) for held in BUF for d in held.message.dests - held.at}
    return state._replace(BUF=BUF, again=tuple(sent for sent in state.again if sent in left))
