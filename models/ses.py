"""SES: Schiper, Eggli, Sandoz, "A new algorithm to implement causal ordering", LNCS 392, 1989.

The multicast form of algorithms.md, B2; the step labels s1 to d5 are those of that page. *Reconstructed*: the original
was not available.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Step, Steps, reading

Vector = tuple[int, ...]
Pairs = frozenset[tuple[int, Vector]]
"""V: at most one pair (d, vector) for each destination d."""


class SESState(NamedTuple):
    """Process `j`. T: its vector clock; V: for each destination d, the clock of the messages to d before now."""

    j: int
    T: Vector
    V: Pairs


class SESControl(NamedTuple):
    """What all copies of a message carry: its clock tm, and V."""

    tm: Vector
    V: Pairs


@dataclass(frozen=True)
class SES(Model):
    """A copy names, for each destination, the clock that its destination must have reached before it delivers."""

    title = "Schiper-Eggli-Sandoz: list of destination vectors"
    source = "A. Schiper, J. Eggli, A. Sandoz, 3rd Int. Workshop on Distributed Algorithms, LNCS 392:219-232, 1989"
    status = "reconstructed"
    assumes = "reliable, asynchronous channels, FIFO or not; no self-addressed messages through the network"
    size = "a vector of n counters, and another for each of at most n - 1 destinations"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    others: str = reading(
        "SES-1", "does the receiver record the copies to the other destinations (d4)?", default="a", a="yes", b="no"
    )
    ticks: str = reading(
        "SES-2",
        "when does the clock tick?",
        default="a",
        a="at a send, before its tm is taken",
        b="as a, and at a delivery",
        c="at a send, after its tm is taken",
    )
    pairs: str = reading(
        "SES-3",
        "which pairs are kept and sent?",
        default="a",
        a="all, without that of the message itself",
        b="as a, but (d,v) is dropped once a message of d with tm >= v is delivered here",
        c="all, with that of the message itself (s3 before s2)",
    )

    def start(self, me: int, processes: int) -> SESState:
        """T is 0 and V is empty."""
        return SESState(me, (0,) * processes, frozenset())

    def send(self, state: SESState, message: Message) -> Steps:
        """Attach the clock, and V as it was before this message."""
        i, T, V = state
        before, Dests = T, message.dests
        T = ticked(T, i)  # s1
        tm = before if self.ticks == "c" else T
        if self.pairs == "c":
            V = overwritten(V, Dests, tm)  # s3
        packets = tuple(Packet(i, d, message, SESControl(tm, V)) for d in sorted(Dests))  # s2
        V = overwritten(V, Dests, tm)  # s3
        return Step(SESState(i, T, V), packets)

    def receive(self, state: SESState, packet: Packet) -> Steps:
        """Wait until the clock has reached the vector of VM for j; then record what is now known."""
        j, T, V = state
        i, Dests = packet.sender, packet.message.dests
        tm, VM = packet.control
        if any(d == j and not at_most(v, T) for d, v in VM):  # d1
            return None
        delivered = (packet.message,)  # d2
        V = merged(V, ((d, v) for d, v in VM if d != j))  # d3
        if self.others == "a":
            V = merged(V, ((d, tm) for d in Dests if d != j))  # d4
        if self.pairs == "b":
            V = frozenset((d, v) for d, v in V if d != i or not at_most(v, tm))  # d4
        T = maximum(T, tm)  # d5
        if self.ticks == "b":
            T = ticked(T, j)  # d5
        return Step(SESState(j, T, V), delivered=delivered)

    def control_units(self, packet: Packet) -> int:
        """Counters: n for tm, n for each pair of V."""
        tm, V = packet.control
        return len(tm) * (1 + len(V))

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter, 2 for the destination of each pair."""
        return 4 * self.control_units(packet) + 2 * len(packet.control.V)


def ticked(T: Vector, i: int) -> Vector:
    """T with component i one larger."""
    return (*T[: i - 1], T[i - 1] + 1, *T[i:])


def at_most(v: Vector, w: Vector) -> bool:
    """v <= w in every component."""
    return all(x <= y for x, y in zip(v, w, strict=True))


def maximum(v: Vector, w: Vector) -> Vector:
    """The componentwise maximum."""
    return tuple(map(max, v, w))


def overwritten(V: Pairs, Dests: frozenset[int], tm: Vector) -> Pairs:
    """V with the pair (d, tm) for every d in Dests."""
    return frozenset((d, v) for d, v in V if d not in Dests) | {(d, tm) for d in Dests}


def merged(V: Pairs, pairs: Iterable[tuple[int, Vector]]) -> Pairs:
    """V with `pairs`: where both have one for a destination, the maximum of the two."""
    known = dict(V)
    for d, v in pairs:
        known[d] = maximum(known.get(d, v), v)
    return frozenset(known.items())
