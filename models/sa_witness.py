"""SA with a record of what was sent before: which message is behind each count (SA-10), which sends happen before
which when extra messages are part of the relation (SA-12b; the source says that they are not), and how long the chains
of extra messages are that wait for each other (SA-18).

The record is the checker's and changes nothing that SA does; every packet and every extra message carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from precede.models.buffered import listed
from precede.models.interface import Fact, Message, Packet, Signal, Step, Steps
from precede.models.sa import SA, SAState
from precede.models.sa_matrix import Matrix, Vector, column

Messages = frozenset[Message]
Count = tuple[int, int, int, tuple[int, int] | int]
"""(k, d, x, id): the x-th message of k to d; for an extra message, which has no id, the length of the longest chain of
extra messages to d that begins with it, each of which asks for the next one."""


class Recorded(NamedTuple):
    """The state of SA; what its counts may stand for; the user messages whose sends happen before now, over user and
    extra messages; those delivered here; and the pairs (first, second) delivered here, the second before the first."""

    sa: SAState
    counted: frozenset[Count] = frozenset()
    known: Messages = frozenset()
    delivered: Messages = frozenset()
    overtaken: frozenset[tuple[Message, Message]] = frozenset()


class Carried(NamedTuple):
    """What SA attaches; what its counts may stand for; the user messages whose sends happen before this one."""

    control: Any
    counted: frozenset[Count]
    known: Messages


@dataclass(frozen=True)
class SAWitness(SA):
    """SA, with what its matrix asserts, and with happens-before from an extra message to its delivery."""

    title = "Sanchez-Alvarez, with a record of what was sent before"
    claims = ("CausalOrder", "Delivery")

    def start(self, me: int, processes: int) -> Any:
        """Nothing has happened."""
        return Recorded(super().start(me, processes))  # type: ignore[arg-type]

    def send(self, state: Any, message: Message) -> Steps:
        """The send of SA."""
        return [self.transmitting(step, state, message) for step in listed(super().send(state.sa, message))]

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The delivery of a user message."""
        message, (Mm, counted, known) = packet.message, packet.control
        steps = super().receive(state.sa, packet._replace(control=Mm))
        wrong = {(first, message) for first in known - state.delivered if packet.to in first.dests}
        after = Recorded(
            state.sa,
            state.counted | counted | set(copies(packet.sender, message, Mm)),
            state.known | known | {message},
            state.delivered | {message},
            state.overtaken | wrong,
        )
        return [self.transmitting(step, after) for step in listed(steps)]

    def signal(self, state: Any, signal: Signal) -> Steps:
        """The delivery of an extra message."""
        steps = super().signal(state.sa, signal._replace(control=signal.control.control))
        after = state._replace(known=state.known | signal.control.known)
        return [self.transmitting(step, after) for step in listed(steps)]

    def transmitting(self, step: Step, state: Recorded, message: Message | None = None) -> Step:
        """A step of SA, which may send `message`, with the record of `state` and what comes to it in this step."""
        counted, known, sent = state.counted, state.known, []
        for t in step.packets:
            sent.append(t._replace(control=Carried(t.control, counted, known)))
            if isinstance(t, Signal):
                asked = carried_column(t.control, t.to)
                counted |= {(t.sender, t.to, asked[t.sender - 1] + 1, 1 + longest_chain(asked, t.to, counted))}
            elif t.to == max(t.message.dests):
                counted, known = counted | set(copies(t.sender, t.message, t.control)), known | {t.message}
        sa: Any = step.state
        return step._replace(state=state._replace(sa=sa, counted=counted, known=known), packets=tuple(sent))

    def state_facts(self, state: Any) -> frozenset[Fact]:
        """The newest user message behind each entry of M; an extra message is none."""
        return facts(state.sa.M, state.counted)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The same of Mm."""
        Mm, counted, _ = packet.control
        return facts(Mm, counted)

    def control_units(self, packet: Packet) -> int:
        """That of SA."""
        return super().control_units(packet._replace(control=packet.control.control))

    def signal_units(self, signal: Signal) -> int:
        """That of SA."""
        return super().signal_units(signal._replace(control=signal.control.control))


def copies(i: int, message: Message, Mm: Matrix) -> Iterator[Count]:
    """The counts that the copies of a user message come to be behind."""
    return ((i, d, Mm[i - 1][d - 1] + 1, message[:2]) for d in message.dests)


def carried_column(control: Any, d: int) -> Vector:
    """The column of d that a message of SA carries, alone or in a matrix."""
    return control if isinstance(control[0], int) else column(control, d)


def longest_chain(asked: Vector, d: int, counted: Iterable[Count]) -> int:
    """The longest chain of extra messages to d whose first one is among those that a column asks for."""
    lengths = (id for k, to, x, id in counted if to == d and x <= asked[k - 1] and isinstance(id, int))
    return max(lengths, default=0)


def facts(M: Matrix, counted: Iterable[Count]) -> frozenset[Fact]:
    """What the entries of M assert."""
    ids = {(k, d, x): id for k, d, x, id in counted if not isinstance(id, int)}
    cells = [(k, d, x) for k, row in enumerate(M, 1) for d, x in enumerate(row, 1) if x]
    return frozenset((ids[cell], cell[1]) for cell in cells if cell in ids)
