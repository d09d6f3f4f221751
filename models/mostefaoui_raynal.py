"""Mostefaoui-Raynal: A. Mostefaoui, M. Raynal, "Causal multicasts in overlapping groups: towards a low cost approach",
IEEE Workshop on Future Trends of Distributed Computing Systems, 1993.

The form of algorithms.md, B9; the step labels s1 to d2 are those of that page. *Reconstructed* from the abstract and
from what Kshemkalyani and Singhal say of it. A message is delivered in the step in which d1 comes to hold, the smallest
phase first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .bss_groups import Group, groups_of
from .interface import Message, Model, Packet, Sets, Signal, Step, Steps, parameter, reading

Phases = tuple[tuple[Group, int], ...]
"""(g, phase) for each group g."""
Seen = tuple[tuple[tuple[Group, int], int], ...]
"""((g, q), phase) for each other member q of each own group g."""


class MRState(NamedTuple):
    """Process `p`. K: the largest phase of each group in its past; C: its own phase in each of its groups; seen: the
    last phase heard from each other member; buffer: the messages that wait."""

    p: int
    K: Phases
    C: Phases
    seen: Seen
    buffer: frozenset[Packet]


@dataclass(frozen=True)
class MostefaouiRaynal(Model):
    """A copy carries a phase number for each group, and waits until all members have reached what it knows of."""

    title = "Mostefaoui-Raynal: phases in overlapping groups"
    source = "A. Mostefaoui, M. Raynal, IEEE Workshop on Future Trends of Distributed Computing Systems, 136-142, 1993"
    status = "reconstructed; s1 is ours"
    assumes = "reliable, asynchronous FIFO channels; every message goes to the other members of a group"
    size = "a counter for each group; up to (|g| - 1)^2 nulls for a message in group g"
    claims = ("CausalOrder", "Delivery", "Integrity")
    channel = "fifo"
    direct = False

    groups: Sets = parameter((), "the groups of the system; none: every set of two or more processes is a group")
    phase: str = reading(
        "MR-1",
        "which phase does a send in group k get?",
        default="a",
        a="the one above every phase that it knows of, in any group",
        b="C[k] + 1",
        c="max(C[k], K[k]) + 1",
        d="as c, and the send waits until all members of k have reached phase C[k]",
        e="as d, for every group that the sender is in",
    )
    updated: str = reading(
        "MR-2",
        "when are C and K updated?",
        default="a",
        a="C (with the nulls) at the arrival, K at the delivery",
        b="both at the arrival",
        c="as a, and at the delivery C is raised to T as well",
        d="both at the delivery",
    )

    def start(self, me: int, processes: int) -> MRState:
        """All phases are 0."""
        groups = groups_of(self.groups, processes)
        own = [g for g in groups if me in g]
        seen = tuple(((g, q), 0) for g in own for q in sorted(g - {me}))
        return MRState(me, tuple((g, 0) for g in groups), tuple((g, 0) for g in own), seen, frozenset())

    def send(self, state: MRState, message: Message) -> Steps:
        """Begin a phase in the group; not enabled where destinations and sender are no group."""
        p, K, C = state.p, dict(state.K), dict(state.C)
        k = message.dests | {p}
        if k not in C or self.is_blocked(state, k):
            return None
        highest = {"a": max(C[k], *K.values()), "b": C[k]}.get(self.phase, max(C[k], K[k]))
        x = 1 + highest  # s1
        C[k] = K[k] = x  # s2
        T = tuple(K.items())
        packets = tuple(Packet(p, d, message, T) for d in sorted(message.dests))  # s3
        return Step(state._replace(K=T, C=tuple(C.items())), packets)

    def is_blocked(self, state: MRState, k: Group) -> bool:
        """MR-1d and e: whether some member has not reached the phase that this process is in."""
        C = dict(state.C)
        awaited = {"d": {k}, "e": set(C)}.get(self.phase, set())
        return any(reached < C[g] for (g, _), reached in state.seen if g in awaited)

    def receive(self, state: MRState, packet: Packet) -> Steps:
        """A message arrives; the own copy is delivered at once."""
        q, message, T = packet.sender, packet.message, packet.control
        if q == state.p:
            return Step(state, (), (message,))
        k = message.dests | {q}
        state, nulls = self.arrived(state, q, k, dict(T)[k])
        if self.updated == "b":
            state = state._replace(K=maximum(state.K, T))
        return self.delivering(state._replace(buffer=state.buffer | {packet}), nulls)

    def signal(self, state: MRState, signal: Signal) -> Steps:
        """A null arrives."""
        g, x = signal.control
        state, nulls = self.arrived(state, signal.sender, g, x)
        return self.delivering(state, nulls)

    def arrived(self, state: MRState, q: int, g: Group, x: int) -> tuple[MRState, tuple[Signal, ...]]:
        """Phase x of group g is heard of from q."""
        seen = dict(state.seen)
        seen[g, q] = max(seen[g, q], x)  # a1
        state = state._replace(seen=tuple(seen.items()))
        return (state, ()) if self.updated == "d" else resynchronised(state, g, x)

    def delivering(self, state: MRState, nulls: tuple[Signal, ...]) -> Step:
        """Deliver what need not wait, and what need not wait then."""
        delivered: tuple[Message, ...] = ()
        while ready := [packet for packet in state.buffer if not must_wait(state, packet)]:
            packet = min(ready, key=lambda packet: (phase_of(packet), packet.message[:2]))
            T, k = packet.control, packet.message.dests | {packet.sender}
            delivered = (*delivered, packet.message)  # d2 deliver
            K = maximum(state.K, T)  # d2 K
            state = state._replace(K=K, buffer=state.buffer - {packet})
            if self.updated == "c":
                state = state._replace(C=maximum(state.C, T))
            elif self.updated == "d":
                state, more = resynchronised(state, k, dict(T)[k])
                nulls = nulls + more
        return Step(state, nulls, delivered)

    def control_units(self, packet: Packet) -> int:
        """Counters: one for each group."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter; the groups are known, and so are their places."""
        return 4 * len(packet.control)


def resynchronised(state: MRState, g: Group, x: int) -> tuple[MRState, tuple[Signal, ...]]:
    """The state after p has reached phase x of group g, and the nulls that tell the others."""
    C = dict(state.C)
    if C[g] >= x:
        return state, ()
    C[g] = x  # a2 C
    nulls = tuple(Signal(state.p, q, (g, x)) for q in sorted(g - {state.p}))  # a2 multicast
    return state._replace(C=tuple(C.items())), nulls


def must_wait(state: MRState, packet: Packet) -> bool:
    """Whether, of a group of p that the packet knows of, a member or a message in the buffer is behind."""
    T = dict(packet.control)
    k = packet.message.dests | {packet.sender}
    need = {g: T[g] - 1 if g == k else T[g] for g, _ in state.C}
    if any(reached < need[g] for (g, _), reached in state.seen):  # d1 members
        return True
    others = [(m.message.dests | {m.sender}, phase_of(m)) for m in state.buffer - {packet}]
    return any(x <= need[g] for g, x in others)  # d1 buffer


def phase_of(packet: Packet) -> int:
    """The phase of a message in its group."""
    T: dict[Group, int] = dict(packet.control)
    return T[packet.message.dests | {packet.sender}]


def maximum(phases: Phases, T: Phases) -> Phases:
    """The larger phase for each group of `phases`."""
    known = dict(T)
    return tuple((g, max(x, known[g])) for g, x in phases)
