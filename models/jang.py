"""Jang: Jang, Park, Cho, Yoon, "An efficient causal order algorithm for message delivery in distributed system",
IEEE FTDCS 1997; the procedures SEND and RECEIVE of Section 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

from .deletion import in_place, marked
from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Id = tuple[int, int]
"""(k, t): message t of process k."""
Tuple = tuple[int, int, frozenset[int]]
"""(k, t, D): the tuple (t, D) of CI[k]."""
Tuples = frozenset[Tuple]


class JangState(NamedTuple):
    """Process `i`. CI: the tuples of all components CI[k]; DLV[k-1]: number of the last message of k delivered here,
    or, under J-5c, the numbers of all of them."""

    i: int
    tau: int
    CI: Tuples
    DLV: tuple[int | frozenset[int], ...]


class JangControl(NamedTuple):
    """What the copy of m to j carries: CI_m, the same on all copies, and DC_m: the pairs (k, t) in the DC[j] of the
    sender, or, under J-8b and c, (d, (k, t)) for the pairs in every DC[d]."""

    CI: Tuples
    DC: frozenset[Id] | frozenset[tuple[int, Id]]


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
        "J-1",
        "which id does S2 strike, and in which order does it take the destinations j?",
        default="a",
        a="the destination j; the order does not matter",
        b="the sender i; ascending",
        c="the sender i; every order",
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
    last: str = reading(
        "J-5",
        "what does R3 keep in DLV of the messages of j?",
        default="a",
        a="the number of this one",
        b="the largest number so far",
        c="the numbers of all so far",
    )
    own_messages: str = reading(
        "J-6",
        "does S2 pass over the tuples in CI[j] when it takes destination j (messages of j to itself)?",
        default="a",
        a="no",
        b="yes, as the text has it: where j != k",
    )
    constraints: str = reading(
        "J-8",
        "what of DC does a copy to j carry, and what of it does R1 test?",
        default="a",
        a="DC[j], all of it",
        b="the whole of DC, all of it",
        c="the whole of DC, component i",
    )
    empty_tuples: str = reading(
        "J-7",
        "which empty tuples do S3 and R9 delete?",
        default="a",
        a="all but the latest of each sender",
        b="all",
        c="none",
        d="as a, but only those that this procedure has made empty",
    )
    comparison: str = reading(
        "J-9", "which of R5 and R6 are carried out?", default="a", a="both", b="R5", c="R6", d="none: the union only"
    )
    inserted: str = reading(
        "J-10",
        "what does R4 insert?",
        default="a",
        a="the tuple of m without i",
        b="the same, unless it is empty",
        c="the tuple of m with i",
    )

    def start(self, me: int, processes: int) -> JangState:
        """CI is empty, and nothing is delivered."""
        nothing: int | frozenset[int] = frozenset() if self.last == "c" else 0
        return JangState(me, 0, frozenset(), (nothing,) * processes)

    def send(self, state: JangState, message: Message) -> Steps:
        """Procedure SEND at i."""
        if self.struck == "c":
            orders = permutations(sorted(message.dests))
            return list(dict.fromkeys(self.sent(state, message, order) for order in orders))
        return self.sent(state, message, sorted(message.dests))

    def sent(self, state: JangState, message: Message, order: Sequence[int]) -> Step:
        """SEND when S2 takes the destinations in this order."""
        i, tau, CI, DLV = state
        before = CI
        tau = tau + 1  # S1 tau
        DC: dict[int, frozenset[Id]] = {}  # S1 DC
        for j in order:
            found = {(k, t, D) for k, t, D in CI if j in D and (k != j or self.own_messages == "a")}
            DC[j] = frozenset((k, t) for k, t, _ in found)  # S2 insert
            strike = {j} if self.struck == "a" else {i}
            CI = CI - found | {(k, t, D - strike) for k, t, D in found}  # S2 strike
        CI = self.pruned(CI, before)  # S3
        if self.own_tuple != "a":
            CI = CI | {(i, tau, message.dests)}  # S5
        packets = tuple(Packet(i, j, message, JangControl(CI, self.carried(DC, j))) for j in sorted(DC))  # S4
        CI = CI | {(i, tau, message.dests)}  # S5
        return Step(JangState(i, tau, CI, DLV), packets)

    def receive(self, state: JangState, packet: Packet) -> Steps:
        """Procedure RECEIVE at i."""
        i, tau, CI, DLV = state
        j, tau_m, Dests = packet.message
        CI_m = packet.control.CI
        if not all(has_reached(DLV[k - 1], t) for k, t in self.tested(packet)):  # R1
            return None
        delivered = (packet.message,)  # R2
        DLV = (*DLV[: j - 1], self.recorded(DLV[j - 1], tau_m), *DLV[j:])  # R3
        if self.own_tuple in ("b", "d"):
            CI_m = frozenset((k, t, D) for k, t, D in CI_m if (k, t) != (j, tau_m))  # R4
        D = Dests if self.inserted == "c" else Dests - {i}
        if D or self.inserted != "b":
            CI_m = CI_m | {(j, tau_m, D)}  # R4
        delete = in_place if self.deletion == "a" else marked
        unions = [self.united(CI, CI_m, deleted) for deleted in delete(self.redundant(CI, CI_m))]
        return [Step(JangState(i, tau, union, DLV), (), delivered) for union in unions]

    def carried(self, DC: dict[int, frozenset[Id]], j: int) -> frozenset[Id] | frozenset[tuple[int, Id]]:
        """What the copy to j carries of DC."""
        return DC[j] if self.constraints == "a" else frozenset((d, kt) for d in DC for kt in DC[d])

    def tested(self, packet: Packet) -> frozenset[Id]:
        """The pairs of DC_m that R1 tests."""
        DC_m: frozenset[Any] = packet.control.DC
        if self.constraints == "a":
            return DC_m
        return frozenset(kt for d, kt in DC_m if d == packet.to or self.constraints == "b")

    def recorded(self, last: int | frozenset[int], tau_m: int) -> int | frozenset[int]:
        """What R3 makes of a component of DLV."""
        if isinstance(last, frozenset):
            return last | {tau_m}
        return max(last, tau_m) if self.last == "b" else tau_m

    def redundant(self, CI: Tuples, CI_m: Tuples) -> Iterator[tuple[Tuple, Tuple]]:
        """The tests of R5: pairs of a tuple to delete and the later tuple that shows it."""
        if self.comparison in ("c", "d"):
            return
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
        if self.comparison in ("a", "c"):
            CI = frozenset((k, t, D.intersection(*(b[2] for b in CI_m if b[:2] == (k, t)))) for k, t, D in CI)  # R6 CI
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
        """The tuples of CI_m, and DC_m, which speaks of the copy's own destination or says of which."""
        own = packet.message[:2]
        CI_m, DC_m = packet.control
        constraints = {(kt, packet.to) for kt in DC_m} if self.constraints == "a" else {(kt, d) for d, kt in DC_m}
        return frozenset(constraints | {((k, t), d) for k, t, D in CI_m for d in D if (k, t) != own})

    def control_units(self, packet: Packet) -> int:
        """Dependents as Section 6 counts them: the tuples of CI_m."""
        return len(packet.control.CI)

    def control_bytes(self, packet: Packet) -> int:
        """A timestamp and the ids in D for each tuple of CI_m (its sender is its position), 6 bytes a pair of DC_m."""
        return sum(4 + 2 * len(D) for _, _, D in packet.control.CI) + 6 * len(packet.control.DC)


def has_reached(last: int | frozenset[int], t: int) -> bool:
    """Whether a component of DLV says that message t of its sender is delivered."""
    return t <= last if isinstance(last, int) else t in last
