"""SA: Sanchez, Alvarez, "A lightweight asynchronous algorithm for causal delivery using extra message insertion",
short paper, DISC 2000; the algorithm of Section 3.

The source has no numbered steps; the labels u1 to x3 are those of algorithms.md, Section 6. An extra message goes out
in the same step as the send or the delivery that exceeds the threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Signal, Step, Steps, parameter, reading
from .rst import incremented, maximum
from .sa_matrix import Matrix, Vector, column, counted, entries, nonzero, reset, satisfied, without_column

Outcome = tuple[Matrix, tuple[Packet | Signal, ...]]
"""M after a part of a step, and what that part transmits."""

CHECKED = {"a": ("delivery", "send"), "b": ("delivery",), "c": ("send",), "d": ("before a send",)}
"""The moments at which the threshold is checked, by the letter of SA-4."""


class SAState(NamedTuple):
    """Process `i`. M[a-1][b-1]: b must have delivered so many messages of a, extra ones included; DELIV[a-1]: the
    messages of a delivered here, extra ones included."""

    i: int
    M: Matrix
    DELIV: Vector


@dataclass(frozen=True)
class SA(Model):
    """A copy carries the matrix of constraints; extra messages replace a column of it by one entry when it fills up."""

    title = "Sanchez-Alvarez: extra messages keep the matrix small"
    source = "C. Sanchez, A. Alvarez, short paper, DISC 2000, Section 3"
    status = "read in full"
    assumes = "reliable, asynchronous channels, FIFO or not; unicast in the source (SA-9); no self-addressed messages"
    size = "the non-zero entries of the matrix: about K, n < K <= n^2; an extra message carries at most n"
    direct = False

    K: int = parameter(0, "the threshold k of the source, n < k <= n^2; 0 stands for n + 1, and any from 1 on is taken")

    attached: str = reading(
        "SA-1",
        "which matrix is attached to a user message?",
        default="a",
        a="M before any change",
        b="M after the reset of the column, before the increment",
        c="M after both",
    )
    exceeded: str = reading(
        "SA-2", "how many non-zero entries are too many?", default="a", a="more than K", b="K or more"
    )
    repeated: str = reading(
        "SA-3",
        "how many extra messages does one detection send?",
        default="b",
        a="one",
        b="as many as it takes to meet the limit",
    )
    checked: str = reading(
        "SA-4",
        "after which events is the threshold checked?",
        default="a",
        a="deliveries and sends",
        b="deliveries",
        c="sends",
        d="none: before each user send, in the step of that send",
    )
    extras_counted: str = reading(
        "SA-6", "where do extra messages count?", default="a", a="in DELIV and M", b="nowhere", c="in M", d="in DELIV"
    )
    extras_merged: str = reading(
        "SA-7",
        "what does the delivery of an extra message do to M?",
        default="a",
        a="nothing",
        b="the same as that of a user message: merge, and check of the threshold",
    )
    own_column: str = reading(
        "SA-8",
        "what becomes of the own column when a process sends to itself?",
        default="a",
        a="self-addressed messages are forbidden",
        b="it is zeroed at deliveries only",
        c="it is zeroed at once",
    )
    multicast: str = reading(
        "SA-9",
        "the source has unicasts only: what is a multicast?",
        default="a",
        a="one matrix to all; sender and receivers reset the columns of Dests and count the message in them",
        b="one matrix to all; the receivers do not know Dests",
        c="unicasts, one after the other, in ascending order, in one step",
    )
    victim: str = reading(
        "SA-11",
        "which column does an extra message replace, of those with the most non-zero entries?",
        default="a",
        a="the one of the lowest process id",
        b="the one of the highest",
        c="any",
    )
    single: str = reading("SA-11single", "may it be a column with one non-zero entry?", default="a", a="no", b="yes")
    own_victim: str = reading("SA-11own", "may it be the own column?", default="a", a="no", b="yes")
    carried: str = reading("SA-13", "what does an extra message carry?", default="a", a="the column", b="all of M")

    @property
    def self_addressed(self) -> bool:
        """Reading SA-8a forbids self-addressed messages."""
        return self.own_column != "a"

    def threshold(self, i: int, n: int) -> int:
        """K of process i of n, which is the same for all."""
        return self.K or n + 1

    def start(self, me: int, processes: int) -> SAState:
        """All counts are 0. Raises ValueError for a negative K."""
        if self.K < 0:
            raise ValueError(f"K = {self.K}: give a threshold of 1 or more, or 0 for n + 1")
        zeros = (0,) * processes
        return SAState(me, (zeros,) * processes, zeros)

    def send(self, state: SAState, message: Message) -> Steps:
        """Attach M; from then on the message stands for the constraints of its destination."""
        i, M, DELIV = state
        outcomes: list[Outcome] = [(M, ())]
        for Dests in [{j} for j in sorted(message.dests)] if self.multicast == "c" else [message.dests]:
            outcomes = [
                (after, (*packets, *more)) for M, packets in outcomes for after, more in self.sent(i, M, message, Dests)
            ]
        return [Step(SAState(i, M, DELIV), packets) for M, packets in outcomes]

    def sent(self, i: int, M: Matrix, message: Message, Dests: Set[int]) -> Iterator[Outcome]:
        """The copies of `message` to Dests, and the extra messages before and after them."""
        for before, extras in self.cleared(i, M, "before a send"):
            M = before
            for j in Dests:
                M = reset(M, i, j)  # u2 reset
            Mm = before if self.attached == "a" else M
            M = incremented(M, i, Dests)  # u2 count
            if self.own_column == "c":
                M = without_column(M, i)
            Mm = M if self.attached == "c" else Mm
            copies = tuple(Packet(i, j, message, Mm) for j in sorted(Dests))  # u1
            for after, more in self.cleared(i, M, "send"):
                yield after, (*extras, *copies, *more)

    def receive(self, state: SAState, packet: Packet) -> Steps:
        """Wait for what the column of j asks for; then take over the other constraints."""
        j, M, DELIV = state
        i, Mm, Dests = packet.sender, packet.control, packet.message.dests
        if not satisfied(column(Mm, j), DELIV):
            return None  # d1
        delivered = (packet.message,)  # d2
        if self.multicast == "a":
            for d in Dests:
                Mm = reset(Mm, i, d)  # d2 reset
            Mm = incremented(Mm, i, Dests)  # d2 copies
        M = maximum(M, Mm)  # d2 merge
        M = without_column(M, j)  # d2 zero
        DELIV = counted(DELIV, i)  # d2 count
        return [Step(SAState(j, M, DELIV), more, delivered) for M, more in self.cleared(j, M, "delivery")]

    def signal(self, state: SAState, signal: Signal) -> Steps:
        """Wait as for a user message; then count the extra message."""
        j, M, DELIV = state
        i, Mm = signal.sender, signal.control
        if not satisfied(Mm if self.carried == "a" else column(Mm, j), DELIV):
            return None  # x3
        if self.extras_counted in ("a", "d"):
            DELIV = counted(DELIV, i)  # x3 count
        if self.extras_merged == "a":
            return Step(SAState(j, M, DELIV))
        if self.carried == "b":
            M = without_column(maximum(M, Mm), j)
        return [Step(SAState(j, M, DELIV), more) for M, more in self.cleared(j, M, "delivery")]

    def cleared(self, i: int, M: Matrix, moment: str) -> Iterator[Outcome]:
        """The threshold: M after the extra messages that it takes now, and these.

        SA-3b stops when an extra message leaves as many entries as there were, since it would never end (SA-5).
        """
        victims = self.victims(i, M) if moment in CHECKED[self.checked] else []  # x1
        if not victims:
            yield M, ()
        for j in victims:
            after, extra = self.replaced(i, M, j)
            if self.repeated == "b" and entries(after) < entries(M):
                yield from ((last, (extra, *more)) for last, more in self.cleared(i, after, moment))
            else:
                yield after, (extra,)

    def over(self, i: int, M: Matrix) -> bool:
        """Whether process i finds too many entries in M."""
        most = self.threshold(i, len(M))
        return entries(M) > most if self.exceeded == "a" else entries(M) >= most

    def victims(self, i: int, M: Matrix) -> list[int]:
        """The columns that an extra message may replace, if there are too many entries: alternatives."""
        if not self.over(i, M):
            return []
        allowed = [j for j in range(1, len(M) + 1) if j != i or self.own_victim == "b"]
        counts = {j: nonzero(column(M, j)) for j in allowed}
        most = max(counts.values())
        if most < (2 if self.single == "a" else 1):
            return []
        fullest = [j for j in allowed if counts[j] == most]
        return {"a": fullest[:1], "b": fullest[-1:], "c": fullest}[self.victim]

    def replaced(self, i: int, M: Matrix, j: int) -> tuple[Matrix, Signal]:
        """M after an extra message to j, and that message."""
        extra = Signal(i, j, column(M, j) if self.carried == "a" else M)  # x2
        M = reset(M, i, j)  # x2 reset
        if self.extras_counted in ("a", "c"):
            M = incremented(M, i, {j})  # x2 count
        return M, extra

    def control_units(self, packet: Packet) -> int:
        """Non-zero entries of the matrix."""
        return entries(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """8 bytes a triple (a, b, count)."""
        return 8 * self.control_units(packet)

    def signal_units(self, signal: Signal) -> int:
        """Non-zero entries of the column, or of the matrix under SA-13b."""
        return nonzero(signal.control) if self.carried == "a" else entries(signal.control)

    def signal_bytes(self, signal: Signal) -> int:
        """6 bytes a pair (a, count), or 8 bytes a triple under SA-13b."""
        return (6 if self.carried == "a" else 8) * self.signal_units(signal)
