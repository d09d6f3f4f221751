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
    """Process `j`. SENT[k-1][l-1]: messages from k to l known to be sent; DELIV[k-1]: messages of k delivered here,
    their number or, under X-5b, the set of their numbers in the channel from k."""

    j: int
    SENT: Matrix
    DELIV: tuple[int | frozenset[int], ...]


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

    diagonal: str = reading(
        "RST-4",
        "does the matrix have a diagonal: the messages of each process to itself?",
        default="a",
        a="yes",
        b="no: they are not counted",
    )
    copies: str = reading(
        "RST-5",
        "which matrix is on the copies of one multicast?",
        default="a",
        a="the same, before all increments",
        b="on each copy that after the increments of the earlier copies, in ascending order",
    )
    maxima: str = reading(
        "RST-6",
        "of which cells does d5 take the maximum?",
        default="a",
        a="of all",
        b="of that of the pair (i,j): the indices of the restatement of Gambhire and Kshemkalyani, Section 1",
    )
    tested: str = reading(
        "GK-19",
        "which matrix does d1 test?",
        default="b",
        a="the local SENT, as the restatement of Gambhire and Kshemkalyani, Section 1, prints it",
        b="the message's ST",
    )
    compared: str = reading(
        "X-5",
        "what does d1 compare?",
        default="a",
        a="counts: as many messages of k are delivered as were sent",
        b="identities: the first, second, ... message in the channel from k",
    )

    @property
    def self_addressed(self) -> bool:
        """Reading RST-3a forbids self-addressed messages."""
        return self.own_copy != "a"

    def start(self, me: int, processes: int) -> RSTState:
        """All counters are 0."""
        zeros = (0,) * processes
        nothing = (frozenset[int](),) * processes
        return RSTState(me, (zeros,) * processes, zeros if self.compared == "a" else nothing)

    def send(self, state: RSTState, message: Message) -> Steps:
        """Attach SENT as it was before the message is counted."""
        i, SENT, DELIV = state
        packets: tuple[Packet, ...] = ()
        if self.copies == "b":
            for d in sorted(message.dests):
                packets += (Packet(i, d, message, SENT),)  # s1
                SENT = incremented(SENT, i, self.cells(i, {d}))  # s2
        else:
            packets = tuple(Packet(i, d, message, SENT) for d in sorted(message.dests))  # s1
            SENT = incremented(SENT, i, self.cells(i, message.dests))  # s2
        return Step(RSTState(i, SENT, DELIV), packets)

    def receive(self, state: RSTState, packet: Packet) -> Steps:
        """Wait until everything that ST says was sent to j is delivered here; then record what is now known."""
        j, SENT, DELIV = state
        i, ST = packet.sender, packet.control
        sent = SENT if self.tested == "a" else ST
        if not all(has_first(delivered, row[j - 1]) for row, delivered in zip(sent, DELIV, strict=True)):  # d1
            return None
        delivered = (packet.message,)  # d2
        number = ST[i - 1][j - 1] + 1
        DELIV = tuple(with_next(x, number) if k == i else x for k, x in enumerate(DELIV, 1))  # d3
        counted, order = self._record(i, j, packet.message.dests)
        if order == "a":
            ST = incremented(ST, i, counted)  # d4
            SENT = maximum(SENT, self.part(ST, i, j))  # d5
        elif order == "b":
            SENT = incremented(SENT, i, counted)  # d4
            SENT = maximum(SENT, self.part(ST, i, j))  # d5
        else:
            SENT = maximum(SENT, self.part(ST, i, j))  # d5
            SENT = incremented(SENT, i, counted)  # d4
        return Step(RSTState(j, SENT, DELIV), delivered=delivered)

    def _record(self, i: int, j: int, Dests: frozenset[int]) -> tuple[Set[int], str]:
        """The destinations that d4 counts, and the letter of RST-2 to do it by."""
        counted: Set[int] = self.cells(i, {"a": Dests, "b": {j}, "c": frozenset[int]()}[self.recorded])
        if i == j and self.own_copy == "c":
            return counted, "b"
        if i == j and self.own_copy == "d":
            return frozenset(), self.order
        return counted, self.order

    def cells(self, i: int, dests: Set[int]) -> Set[int]:
        """The destinations of a message of i that have a cell in its row."""
        return dests - {i} if self.diagonal == "b" else dests

    def part(self, ST: Matrix, i: int, j: int) -> Matrix:
        """ST as far as d5 takes it into account."""
        if self.maxima == "a":
            return ST
        return tuple(tuple(x if (k, d) == (i, j) else 0 for d, x in enumerate(row, 1)) for k, row in enumerate(ST, 1))

    def control_units(self, packet: Packet) -> int:
        """Counters: n^2, or n(n-1) without the diagonal."""
        n = len(packet.control)
        return n * n if self.diagonal == "a" else n * (n - 1)

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


def has_first(delivered: int | frozenset[int], x: int) -> bool:
    """Whether the first x messages of a channel are among those delivered: by their number, or one by one."""
    return x <= delivered if isinstance(delivered, int) else delivered.issuperset(range(1, x + 1))


def with_next(delivered: int | frozenset[int], number: int) -> int | frozenset[int]:
    """The messages delivered and one more, message `number` of its channel."""
    return delivered + 1 if isinstance(delivered, int) else delivered | {number}
