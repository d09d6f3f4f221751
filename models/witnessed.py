"""What counters assert, as facts: RST and SES with a record of the messages that are known (X-8).

A counter speaks of the first so many messages of k to d, and of these the newest stands for all: one fact for each
counter that is not zero. Counters do not say which messages they count, so every packet carries the messages that its
sender knows. The record is the checker's and changes nothing that the inner model does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .buffered import listed
from .interface import Fact, Message, Model, Packet, State, Step, Steps
from .rst import Matrix, has_first
from .ses import Pairs

Messages = frozenset[Message]


class Known(NamedTuple):
    """The state of the inner model, or what it attaches, and the messages known."""

    inner: Any
    messages: Messages = frozenset()


@dataclass(frozen=True)
class Witnessed(Model):
    """RST or SES, with what its counters assert to be outstanding."""

    title = "with what the counters assert"
    source = "algorithms.md, section 1: redundant and missing facts"
    status = "a yardstick of this project"
    size = "that of the inner model"

    inner: Model

    @property
    def self_addressed(self) -> bool:
        """What the inner model says."""
        return self.inner.self_addressed

    @property
    def has_vectors(self) -> bool:
        """Whether there is a vector for each destination, V, as in SES, and not a matrix SENT, as in RST."""
        return name_of(self.inner) == "SES"

    def start(self, me: int, processes: int) -> State:
        """Nothing is known."""
        return Known(self.inner.start(me, processes))

    def send(self, state: Any, message: Message) -> Steps:
        """The send of the inner model."""
        inner, messages = state
        return [
            Step(
                Known(step.state, messages | {message}),
                tuple(p._replace(control=Known(p.control, messages)) for p in step.packets),
            )
            for step in listed(self.inner.send(inner, message))
        ]

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The delivery of the inner model."""
        inner, messages = state
        known = messages | packet.control.messages | {packet.message}
        steps = listed(self.inner.receive(inner, plain(packet)))
        return [step._replace(state=Known(step.state, known)) for step in steps]

    def state_facts(self, state: Any) -> frozenset[Fact]:
        """Those of SENT, but for what DELIV says to be delivered here; those of V."""
        inner, messages = state
        if self.has_vectors:
            return frozenset(newest_up_to(inner.V, messages))
        j, SENT, DELIV = inner
        here = {k for k, row in enumerate(SENT, 1) if has_first(DELIV[k - 1], row[j - 1])}
        return frozenset((m, d) for m, d in newest_of_first(SENT, messages) if d != j or m[0] not in here)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """Those of ST or VM."""
        control, messages = packet.control
        if self.has_vectors:
            return frozenset(newest_up_to(control.V, messages))
        return frozenset(newest_of_first(control, messages))

    def control_units(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_units(plain(packet))

    def control_bytes(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_bytes(plain(packet))


def witnessed(inner: Model) -> Witnessed:
    """`inner` with the record. Raises ValueError for a model whose facts are not looked at here."""
    if name_of(inner) not in ("RST", "SES"):
        raise ValueError("only the counters of rst and ses are looked at")
    return Witnessed(inner)


def name_of(model: Model) -> str:
    """The name of its class, which is another object where the checker counts labels in a copy of the module."""
    return type(model).__name__


def newest_of_first(SENT: Matrix, messages: Messages) -> Iterator[Fact]:
    """SENT[k][d] = x: the x-th message of k to d."""
    for k, row in enumerate(SENT, 1):
        for d, x in enumerate(row, 1):
            to_d = sorted(m[:2] for m in messages if m.sender == k and d in m.dests)
            if 0 < x <= len(to_d):
                yield to_d[x - 1], d


def newest_up_to(V: Pairs, messages: Messages) -> Iterator[Fact]:
    """(d, v) in V: for each k the newest message of k to d among the first v[k] of k, if there is one."""
    for d, v in V:
        for k, x in enumerate(v, 1):
            to_d = [m[:2] for m in messages if m.sender == k and d in m.dests and m.number <= x]
            if to_d:
                yield max(to_d), d


def plain(packet: Packet) -> Packet:
    """The packet of the inner model."""
    return packet._replace(control=packet.control.inner)
