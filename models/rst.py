"""RST: Raynal, Schiper, Toueg, "The causal ordering abstraction and a simple way to implement it", IPL 39, 1991.

The multicast form of algorithms.md, B1; the step labels s1 to d5 are those of that page.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Message, Model, Packet, Step, Steps, reading

Matrix = tuple[tuple[int, ...], ...]


class RSTState(NamedTuple):
    """Process `j`. SENT[k-1][l-1]: messages from k to l known to be sent; DELIV[k-1]: messages of k delivered here."""

    j: int
    SENT: Matrix
    DELIV: tuple[int, ...]


@dataclass(frozen=True)
class RST(Model):
    """Every copy carries the sender's matrix SENT, and waits for what the matrix says was sent to its destination."""

    title = "Raynal-Schiper-Toueg: matrix counters"
    source = "M. Raynal, A. Schiper, S. Toueg, Information Processing Letters 39:343-350, 1991"
    status = "found"
    assumes = "reliable, asynchronous channels, FIFO or not; no self-addressed messages (RST-3)"
    size = "n^2 counters"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    recorded: str = reading(
        "RST-1",
        "which copies of a multicast does the receiver record (d4)?",
        default="a",
        a="the copies to all destinations",
        b="its own copy only",
        c="none: the maximum only",
    )
    order: str = reading(
        "RST-2",
        "where are the copies counted: increment and maximum",
        default="a",
        a="increments on the message's ST, then maximum",
        b="increments on the local SENT, then maximum",
        c="maximum, then increments on the local SENT",
    )
    own_copy: str = reading(
        "RST-3",
        "what does d4 do with a self-addressed message?",
        default="a",
        a="self-addressed messages are forbidden",
        b="the same as with any other message",
        c="increments on the local SENT, although the send has counted the copies",
        d="nothing",
    )

    @property
    def self_addressed(self) -> bool:
        """Reading RST-3a forbids self-addressed messages."""
        return self.own_copy != "a"

    def start(self, me: int, processes: int) -> RSTState:
        """All counters are 0."""
        zeros = (0,) * processes
        return RSTState(me, (zeros,) * processes, zeros)

    def send(self, state: RSTState, message: Message) -> Steps:
        """Attach SENT as it was before the message is counted."""
        i, SENT, DELIV = state
        Dests = message.dests
        packets = tuple(Packet(i, d, message, SENT) for d in sorted(Dests))  # s1
        SENT = incremented(SENT, i, Dests)  # s2
        return Step(RSTState(i, SENT, DELIV), packets)

    def receive(self, state: RSTState, packet: Packet) -> Steps:
        """Wait until everything that ST says was sent to j is delivered here; then record what is now known."""
        j, SENT, DELIV = state
        i, ST = packet.sender, packet.control
        if any(row[j - 1] > delivered for row, delivered in zip(ST, DELIV, strict=True)):  # d1
            return None
        delivered = (packet.message,)  # d2
        DELIV = tuple(x + 1 if k == i else x for k, x in enumerate(DELIV, 1))  # d3
        counted, order = self._record(i, j, packet.message.dests)
        if order == "a":
            ST = incremented(ST, i, counted)  # d4
            SENT = maximum(SENT, ST)  # d5
        elif order == "b":
            SENT = incremented(SENT, i, counted)  # d4
            SENT = maximum(SENT, ST)  # d5
        else:
            SENT = maximum(SENT, ST)  # d5
            SENT = incremented(SENT, i, counted)  # d4
        return Step(RSTState(j, SENT, DELIV), delivered=delivered)

    def _record(self, i: int, j: int, Dests: frozenset[int]) -> tuple[Set[int], str]:
        """The destinations that d4 counts, and the letter of RST-2 to do it by."""
        counted: Set[int] = {"a": Dests, "b": {j}, "c": frozenset[int]()}[self.recorded]
        if i == j and self.own_copy == "c":
            return counted, "b"
        if i == j and self.own_copy == "d":
            return frozenset(), self.order
        return counted, self.order

    def control_units(self, packet: Packet) -> int:
        """Counters: n^2."""
        return len(packet.control) ** 2

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter."""
        return 4 * self.control_units(packet)


def incremented(matrix: Matrix, i: int, dests: Set[int]) -> Matrix:
    """`matrix` with one message more from i to each of `dests`."""
    row = tuple(x + 1 if d in dests else x for d, x in enumerate(matrix[i - 1], 1))
    return (*matrix[: i - 1], row, *matrix[i:])


def maximum(left: Matrix, right: Any) -> Matrix:
    """The componentwise maximum of two matrices."""
    return tuple(tuple(map(max, a, b)) for a, b in zip(left, right, strict=True))
