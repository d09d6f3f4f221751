"""BSS in overlapping groups, of whose vectors only the changed ones are sent: Birman, Schiper, Stephenson, "Lightweight
causal and atomic group multicast", ACM TOCS 9(3), 1991.

The reduction of algorithms.md, B4 ("send only changed vectors"); s1, s2 and d1 to d3 are the labels of that page, s3,
a1 and a2 of this one. *Reconstructed*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .bss import with_component
from .bss_groups import Clocks, Group, groups_of, is_next, merged
from .interface import Message, Model, Packet, Step, Steps, parameter, reading


class BSSChangedState(NamedTuple):
    """Process `j`. V as in BSS-groups. sent: (to, T): the vectors when it last sent to `to`, a destination or a group
    (BSS-4); known: ((i, to), T): those of i when it last did, as rebuilt here. waiting: (M, T): what has arrived."""

    j: int
    V: Clocks
    sent: frozenset[tuple[Group, Clocks]]
    known: frozenset[tuple[tuple[int, Group], Clocks]]
    waiting: frozenset[tuple[Message, Clocks]]


@dataclass(frozen=True)
class BSSChanged(Model):
    """A copy carries the vectors that have changed since an earlier one; the receiver completes them."""

    title = "Birman-Schiper-Stephenson, overlapping groups: only changed vectors"
    source = "K. Birman, A. Schiper, P. Stephenson, ACM TOCS 9(3):272-314, 1991"
    status = "reconstructed"
    assumes = "reliable FIFO channels; every message goes to the other members of a group"
    size = "a counter for each member of each group whose vector has changed"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")
    channel = "fifo"
    direct = False

    groups: tuple[frozenset[int], ...] = parameter(
        (), "the groups of the system; none: every set of two or more processes is a group"
    )
    since: str = reading(
        "BSS-4",
        "changed since when, and when are the others filled in?",
        default="a",
        a="for FIFO channels: since the last copy to the same destination; at the arrival",
        b="for any channels: since the last message in the same group; at the delivery",
    )

    def start(self, me: int, processes: int) -> BSSChangedState:
        """All vectors are 0; nothing was sent."""
        V = tuple((g, (0,) * processes) for g in groups_of(self.groups, processes))
        return BSSChangedState(me, V, frozenset(), frozenset(), frozenset())

    def send(self, state: BSSChangedState, message: Message) -> Steps:
        """Count the message in its group and attach the vectors that have changed."""
        i, V, sent = state.j, dict(state.V), dict(state.sent)
        k = message.dests | {i}
        if k not in V:
            return None
        V[k] = with_component(V[k], i, V[k][i - 1] + 1)  # s1
        T, packets = tuple(V.items()), []
        for d in sorted(message.dests):
            to = frozenset({d}) if self.since == "a" else k
            packets.append(Packet(i, d, message, changed(T, dict(state.sent).get(to))))  # s2
            sent[to] = T  # s3
        return Step(state._replace(V=T, sent=frozenset(sent.items())), tuple(packets))

    def receive(self, state: BSSChangedState, packet: Packet) -> Steps:
        """BSS-4a: complete the vectors and put the message with what waits. BSS-4b: complete them and wait here."""
        i, _, message, _ = packet
        if i == state.j:
            return Step(state, delivered=(message,))
        source = i, frozenset({state.j}) if self.since == "a" else message.dests | {i}
        known: dict[Any, Clocks] = dict(state.known)
        T = completed(known.get(source, ()), packet.control)  # a1
        known[source] = T
        after = state._replace(known=frozenset(known.items()))
        if self.since == "a":
            return Step(after._replace(waiting=state.waiting | {(message, T)}))  # a2
        return self.delivered(after, message, T)

    def internal(self, state: BSSChangedState) -> Iterator[Step]:
        """Deliver one of the messages that wait."""
        for message, T in sorted(state.waiting, key=lambda arrived: arrived[0][:2]):
            rest = state._replace(waiting=state.waiting - {(message, T)})
            step = self.delivered(rest, message, T)
            if step:
                yield step._replace(name=f"deliver {message.sender}.{message.number}")

    def delivered(self, state: BSSChangedState, message: Message, T: Clocks) -> Step | None:
        """The step that delivers the message, unless it has to wait."""
        if not is_next(T, state.V, message, state.j):  # d1
            return None
        delivered = (message,)  # d2
        V = merged(state.V, T)  # d3
        return Step(state._replace(V=V), (), delivered)

    def control_units(self, packet: Packet) -> int:
        """Counters: the sum of the sizes of the groups whose vectors are carried."""
        return sum(len(g) for g, _ in packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter, and 2 to name each group."""
        return 4 * self.control_units(packet) + 2 * len(packet.control)


def changed(T: Clocks, before: Clocks | None) -> Clocks:
    """The vectors of T that are not as they were `before`: nothing was sent, and all were 0."""
    old = dict(before or ())
    return tuple((g, T_g) for g, T_g in T if T_g != old.get(g, (0,) * len(T_g)))


def completed(known: Clocks, carried: Clocks) -> Clocks:
    """The sender's vectors: those carried, and otherwise those known; a vector in neither is 0."""
    vectors = dict(known) | dict(carried)
    return tuple(sorted(vectors.items(), key=lambda pair: (len(pair[0]), sorted(pair[0]))))
