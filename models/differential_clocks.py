"""SK: Singhal, Kshemkalyani, "An efficient implementation of vector clocks", IPL 43, 1992: differential vector clocks,
under the delivery condition of BSS in one group.

The form of algorithms.md, B12; the step labels s1 to s3 and those of BSS, d1 to d3, are those of that page; a1 and a2
are of this one. *Found* in public text, and recalled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .bss import Vector, with_component
from .interface import Message, Model, Packet, Step, Steps, reading

Entries = frozenset[tuple[int, int]]
"""Pairs (k, v): component k of a vector is v."""


class DifferentialClocksState(NamedTuple):
    """Process `j`. V as in BSS. c: the event counter; LS[d-1]: c at the last send to d; LU[k-1]: c when V[k] last
    changed; T[i-1]: the vector of i, as last rebuilt here; waiting: (M, T): what has arrived, with its vector."""

    j: int
    V: Vector
    c: int
    LS: Vector
    LU: Vector
    T: tuple[Vector, ...]
    waiting: frozenset[tuple[Message, Vector]]


@dataclass(frozen=True)
class DifferentialClocks(Model):
    """A copy carries the components of the sender's vector that have changed since its last copy to that process."""

    title = "Singhal-Kshemkalyani: differential vector clocks, under BSS"
    source = "M. Singhal, A. Kshemkalyani, Information Processing Letters 43:47-52, 1992"
    status = "found"
    assumes = "reliable FIFO channels; one group, every message goes to all others"
    load = "broadcast"
    size = "a pair for each component that has changed: 1 to n"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")
    channel = "fifo"
    direct = False

    counter: str = reading(
        "SK-1",
        "which events does c, the counter for LS and LU, count?",
        default="a",
        a="sends and deliveries",
        b="sends: c is V[i]",
    )
    rebuilt: str = reading(
        "SK-2",
        "when is the sender's vector rebuilt?",
        default="a",
        a="at the arrival of a copy",
        b="at its delivery: d1 rebuilds it from the vector of the last message delivered",
    )

    def start(self, me: int, processes: int) -> DifferentialClocksState:
        """All counters are 0."""
        zero = (0,) * processes
        return DifferentialClocksState(me, zero, 0, zero, zero, (zero,) * processes, frozenset())

    def send(self, state: DifferentialClocksState, message: Message) -> Steps:
        """Count the message and attach the components that have changed."""
        i, V, c, LS, LU, _, _ = state
        c = c + 1  # s1
        V = with_component(V, i, V[i - 1] + 1)  # s1 V
        LU = with_component(LU, i, c)  # s1 LU
        packets = []
        for d in sorted(message.dests):
            attached = frozenset((k, V[k - 1]) for k in range(1, len(V) + 1) if LU[k - 1] > LS[d - 1])
            packets.append(Packet(i, d, message, attached))  # s2
            LS = with_component(LS, d, c)  # s3
        return Step(state._replace(V=V, c=c, LS=LS, LU=LU), tuple(packets))

    def receive(self, state: DifferentialClocksState, packet: Packet) -> Steps:
        """SK-2a: rebuild the sender's vector and put the message with what waits. SK-2b: rebuild it and wait here."""
        i, _, message, attached = packet
        if i == state.j:
            return Step(state, delivered=(message,))
        T = with_entries(state.T[i - 1], attached)  # a1
        after = state._replace(T=(*state.T[: i - 1], T, *state.T[i:]))
        if self.rebuilt == "a":
            return Step(after._replace(waiting=state.waiting | {(message, T)}))  # a2
        return self.delivered(after, message, T)

    def internal(self, state: DifferentialClocksState) -> Iterator[Step]:
        """Deliver one of the messages that wait."""
        for message, T in sorted(state.waiting, key=lambda arrived: arrived[0][:2]):
            rest = state._replace(waiting=state.waiting - {(message, T)})
            step = self.delivered(rest, message, T)
            if step:
                yield step._replace(name=f"deliver {message.sender}.{message.number}")

    def delivered(self, state: DifferentialClocksState, message: Message, T: Vector) -> Step | None:
        """The step that delivers the message, unless it has to wait."""
        i, V, c, LU = message.sender, state.V, state.c, state.LU
        if T[i - 1] != V[i - 1] + 1 or any(T[k] > V[k] for k in range(len(V)) if k != i - 1):  # d1
            return None
        delivered = (message,)  # d2
        if self.counter == "a":
            c = c + 1  # d3 c
        V = with_component(V, i, T[i - 1])  # d3 V
        LU = with_component(LU, i, c)  # d3 LU
        return Step(state._replace(V=V, c=c, LU=LU), (), delivered)

    def control_units(self, packet: Packet) -> int:
        """Pairs."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """A process id and a counter for each pair."""
        return 6 * len(packet.control)


def with_entries(T: Vector, entries: Entries) -> Vector:
    """T with the components of `entries`."""
    new = dict(entries)
    return tuple(new.get(k, v) for k, v in enumerate(T, 1))
