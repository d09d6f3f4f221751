"""BSS: Birman, Schiper, Stephenson, "Lightweight causal and atomic group multicast", ACM TOCS 9(3), 1991: CBCAST in
groups that may overlap.

The form of algorithms.md, B4; the step labels s1 to d3 are those of that page. *Reconstructed*: recalled, and checked
against what Kshemkalyani and Singhal say of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from .bss import Vector, with_component
from .interface import Message, Model, Packet, Sets, Step, Steps, parameter, reading

Group = frozenset[int]
Clocks = tuple[tuple[Group, Vector], ...]
"""(g, V_g): V_g[x-1] counts the messages of x in g; it is 0 for those who are no members."""


class BSSGroupsState(NamedTuple):
    """Process `j`. V: the messages in each group that are delivered here, or known from what was; its own: sent."""

    j: int
    V: Clocks


@dataclass(frozen=True)
class BSSGroups(Model):
    """A copy carries a vector for each group; its own must be next, those of the receiver's other groups known."""

    title = "Birman-Schiper-Stephenson: vector clocks in overlapping groups (CBCAST)"
    source = "K. Birman, A. Schiper, P. Stephenson, ACM TOCS 9(3):272-314, 1991"
    status = "reconstructed"
    assumes = "reliable, asynchronous channels, FIFO or not; every message goes to the other members of a group"
    size = "a counter for each member of each group"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    groups: tuple[frozenset[int], ...] = parameter(
        (), "the groups of the system; none: every set of two or more processes is a group"
    )
    others: str = reading(
        "BSS-3",
        "what is done with the vectors of groups that the process is not in?",
        default="a",
        a="kept and sent",
        b="dropped",
        c="kept and sent, but not merged: d3 is for its own groups",
    )

    def start(self, me: int, processes: int) -> BSSGroupsState:
        """All vectors are 0."""
        groups = groups_of(self.groups, processes)
        kept = groups if self.others != "b" else [g for g in groups if me in g]
        return BSSGroupsState(me, tuple((g, (0,) * processes) for g in kept))

    def send(self, state: BSSGroupsState, message: Message) -> Steps:
        """Count the message in its group and attach all vectors; not enabled where destinations and sender are no
        group."""
        i, V = state.j, dict(state.V)
        k = message.dests | {i}
        if k not in V:
            return None
        V[k] = with_component(V[k], i, V[k][i - 1] + 1)  # s1
        T = tuple(V.items())
        packets = tuple(Packet(i, d, message, T) for d in sorted(message.dests))  # s2
        return Step(BSSGroupsState(i, T), packets)

    def receive(self, state: BSSGroupsState, packet: Packet) -> Steps:
        """Wait for the group's messages before this one, and for those of the receiver's other groups; the own copy
        waits for nothing."""
        j, V = state
        i, T = packet.sender, packet.control
        if i == j:
            return Step(state, delivered=(packet.message,))
        if not is_next(T, V, packet.message, j):  # d1
            return None
        delivered = (packet.message,)  # d2
        merged_in = T if self.others != "c" else tuple((g, T_g) for g, T_g in T if j in g)
        V = merged(V, merged_in)  # d3
        return Step(BSSGroupsState(j, V), delivered=delivered)

    def control_units(self, packet: Packet) -> int:
        """Counters: the sum of the sizes of the groups."""
        return sum(len(g) for g, _ in packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter; the groups are known, and so are their places."""
        return 4 * self.control_units(packet)


def groups_of(groups: Sets, processes: int) -> list[Group]:
    """The groups in a fixed order; where none are given, all sets of two or more processes."""
    every = range(1, processes + 1)
    all_sets = (frozenset(c) for size in range(2, processes + 1) for c in combinations(every, size))
    return sorted(set(groups or all_sets), key=lambda g: (len(g), sorted(g)))


def is_next(T: Clocks, V: Clocks, message: Message, j: int) -> bool:
    """The test of d1, (1) to (3): `message` of i, which carries T, is next at j, a member of its group k."""
    i, k = message.sender, message.dests | {message.sender}
    here = dict(V)
    in_turn = dict(T)[k][i - 1] == here[k][i - 1] + 1
    rest = [(T_g[x - 1], here[g][x - 1]) for g, T_g in T if j in g for x in g if (g, x) != (k, i)]
    return in_turn and all(sent <= known for sent, known in rest)


def merged(V: Clocks, T: Clocks) -> Clocks:
    """d3: the larger count of each component, for the groups of V."""
    carried = dict(T)
    return tuple((g, tuple(map(max, V_g, carried.get(g, V_g)))) for g, V_g in V)
