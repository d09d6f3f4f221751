"""Jang: Jang, Park, Cho, Yoon, "An efficient causal order algorithm for message delivery in distributed system",
IEEE FTDCS 1997; the procedures SEND and RECEIVE of Section 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .deletion import in_place, marked
from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Tuple = tuple[int, int, frozenset[int]]
"""(k, t, D): the tuple (t, D) of CI[k]."""
Tuples = frozenset[Tuple]


class JangState(NamedTuple):
    """Process `i`. CI: the tuples of all components CI[k]; DLV[k-1]: number of the last message of k delivered here."""

    i: int
    tau: int
    CI: Tuples
    DLV: tuple[int, ...]


class JangControl(NamedTuple):
    """What the copy of m to j carries: CI_m, the same on all copies, and DC_m, the DC[j] of the sender."""

    CI: Tuples
    DC: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Jang(Model):
    """A copy carries what its destination must wait for (DC), and what all later messages must know (CI)."""

    title = "Jang-Park-Cho-Yoon: four kinds of redundant information removed"
    source = "I. Jang, J. Park, J. W. Cho, H. Yoon, IEEE FTDCS 1997, Section 4.2"
    status = "read in full"
    assumes = "reliable, asynchronous channels, FIFO or not; software multicast"
    size = "one tuple for each message outstanding or newest of its sender: at most n - 1 a sender, about n on average"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Minimality")

    struck: str = reading(
        "J-1", "which id does S2 strike (j ascending)?", default="a", a="the destination j", b="the sender i"
    )
    own_tuple: str = reading(
        "J-2",
        "the order of S4 and S5; and R4, when the copy carries the tuple of its own message",
        default="a",
        a="S4, then S5",
        b="S5, then S4; R4 replaces the tuple",
        c="S5, then S4; R4 keeps both tuples",
        d="S5, then S4; R4 intersects the destinations of both, which comes to the same as b",
    )
    deletion: str = reading(
        "J-3", "when does R5 delete?", default="b", a="in place, every pair order", b="after it, what it marked"
    )
    strike_older: str = reading("J-4", "is R8 carried out?", default="a", a="yes", b="no")
    empty_tuples: str = reading(
        "J-7",
        "which empty tuples do S3 and R9 delete?",
        default="a",
        a="all but the latest of each sender",
        b="all",
        c="none",
        d="as a, but only those that this procedure has made empty",
    )

    def start(self, me: int, processes: int) -> JangState:
        """CI is empty."""
        return JangState(me, 0, frozenset(), (0,) * processes)

    def send(self, state: JangState, message: Message) -> Steps:
        """Procedure SEND at i."""
        i, tau, CI, DLV = state
        before = CI
        tau = tau + 1  # S1 tau
        DC: dict[int, frozenset[tuple[int, int]]] = {}  # S1 DC
        for j in sorted(message.dests):
            DC[j] = frozenset((k, t) for k, t, D in CI if j in D)  # S2 insert
            strike = {j} if self.struck == "a" else {i}
            CI = frozenset((k, t, D - strike if j in D else D) for k, t, D in CI)  # S2 strike
        CI = self.pruned(CI, before)  # S3
        if self.own_tuple != "a":
            CI = CI | {(i, tau, message.dests)}  # S5
        packets = tuple(Packet(i, j, message, JangControl(CI, DC[j])) for j in DC)  # S4
        CI = CI | {(i, tau, message.dests)}  # S5
        return Step(JangState(i, tau, CI, DLV), packets)

    def receive(self, state: JangState, packet: Packet) -> Steps:
        """Procedure RECEIVE at i."""
        i, tau, CI, DLV = state
        j, tau_m, Dests = packet.message
        CI_m, DC_m = packet.control
        if any(t > DLV[k - 1] for k, t in DC_m):  # R1
            return None
        delivered = (packet.message,)  # R2
        DLV = (*DLV[: j - 1], tau_m, *DLV[j:])  # R3
        if self.own_tuple in ("b", "d"):
            CI_m = frozenset((k, t, D) for k, t, D in CI_m if (k, t) != (j, tau_m))  # R4
        CI_m = CI_m | {(j, tau_m, Dests - {i})}  # R4
        delete = in_place if self.deletion == "a" else marked
        unions = [self.united(CI, CI_m, deleted) for deleted in delete(self.redundant(CI, CI_m))]
        return [Step(JangState(i, tau, union, DLV), (), delivered) for union in unions]

    def redundant(self, CI: Tuples, CI_m: Tuples) -> Iterator[tuple[Tuple, Tuple]]:
        """The tests of R5: pairs of a tuple to delete and the later tuple that shows it."""
        in_CI, in_CI_m = {a[:2] for a in CI}, {b[:2] for b in CI_m}
        for a in CI:
            for b in CI_m:
                if a[0] == b[0] and a[1] < b[1] and a[:2] not in in_CI_m:
                    yield a, b  # R5 first test
                if a[0] == b[0] and a[1] > b[1] and b[:2] not in in_CI:
                    yield b, a  # R5 second test

    def united(self, CI: Tuples, CI_m: Tuples, deleted: frozenset[Tuple]) -> Tuples:
        """The CI that R5 to R9 leave."""
        CI = CI - deleted  # R5 CI
        CI_m = CI_m - deleted  # R5 CI_m
        old, in_CI = CI, {a[:2] for a in CI}
        CI = frozenset((k, t, D.intersection(*(E for s, v, E in CI_m if (s, v) == (k, t)))) for k, t, D in CI)  # R6 CI
        CI_m = frozenset(b for b in CI_m if b[:2] not in in_CI)  # R6 CI_m
        CI = CI | CI_m  # R7
        if self.strike_older == "a":
            CI = frozenset((k, t, D.difference(*(E for s, v, E in CI if s == k and v > t))) for k, t, D in CI)  # R8
        CI = self.pruned(CI, old | CI_m)  # R9
        return CI

    def pruned(self, CI: Tuples, before: Tuples) -> Tuples:
        """S3 and R9: CI without older tuples whose D is empty; `before` is CI as it was before ids were struck."""
        if self.empty_tuples == "c":
            return CI
        latest: dict[int, int] = {}
        if self.empty_tuples != "b":
            for k, t, _ in CI:
                latest[k] = max(t, latest.get(k, 0))
        kept = before if self.empty_tuples == "d" else frozenset[Tuple]()
        return frozenset((k, t, D) for k, t, D in CI if D or latest.get(k) == t or (k, t, D) in kept)

    def state_facts(self, state: JangState) -> frozenset[Fact]:
        """The tuples of CI."""
        return frozenset(((k, t), d) for k, t, D in state.CI for d in D)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The tuples of CI_m, and DC_m, which speaks of the copy's own destination."""
        own = packet.message[:2]
        carried = {((k, t), d) for k, t, D in packet.control.CI for d in D if (k, t) != own}
        return frozenset(carried | {(kt, packet.to) for kt in packet.control.DC})

    def control_units(self, packet: Packet) -> int:
        """Dependents as Section 6 counts them: the tuples of CI_m."""
        return len(packet.control.CI)

    def control_bytes(self, packet: Packet) -> int:
        """A timestamp and the ids in D for each tuple of CI_m (its sender is its position), 6 bytes a pair of DC_m."""
        return sum(4 + 2 * len(D) for _, _, D in packet.control.CI) + 6 * len(packet.control.DC)
