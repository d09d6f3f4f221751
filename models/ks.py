"""KS: Kshemkalyani, Singhal, "Necessary and sufficient conditions on information for causal message ordering and
their optimal implementation", Distributed Computing 11(2):91-111, 1998; the algorithm of Section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from .deletion import in_place, marked
from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Id = tuple[int, int]
"""(s, t): message number t of sender s."""
Entries = dict[Id, frozenset[int]]
"""LOG or O_M while a step works on it: (s, t) -> Dests."""
FrozenEntries = frozenset[tuple[Id, frozenset[int]]]
"""The same as a value: a set of ((s, t), Dests)."""


class KSState(NamedTuple):
    """Process `j`. SR[k-1]: number of the last message of k delivered here; LOG: a set of entries ((s, t), Dests)."""

    j: int
    clock: int
    SR: tuple[int, ...]
    LOG: FrozenEntries


@dataclass(frozen=True)
class KS(Model):
    """A copy carries, for each message before it, the destinations that are neither known nor guaranteed to get it."""

    title = "Kshemkalyani-Singhal: necessary and sufficient information"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 4.3"
    status = "read in full"
    assumes = "reliable, asynchronous channels; FIFO by Section 2.1, out of order by Section 1 (KS-1)"
    size = "the sum over senders s of the number of destinations outstanding for messages of s: 0 to n^2"
    claims: ClassVar[tuple[str, ...]] = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Minimality")

    guard: str = reading(
        "KS-2",
        "the guard of the first test in RCV(4), loop 1: which entry must be missing in LOG?",
        default="b",
        a="l_{s,t'}, as printed: the entry of LOG that the loop is at",
        b="l_{s,t}, as the comment below the test says: the entry about the message of o",
    )
    null_entries: str = reading(
        "KS-10",
        "which empty entries do PURGE and the deletion in SND(2) take out; are the initial (i,0,{}) needed?",
        default="a",
        a="all but the newest of each sender",
        b="all",
        c="none",
        d="as a, without initial entries",
    )
    deletion: str = reading(
        "KS-16",
        "when does RCV(4), loop 1 delete?",
        default="a",
        a="after it, what it marked",
        b="in place, every pair order",
    )
    copies: str = reading(
        "KS-6",
        "SND(2): what does the copy to each destination start from, and how are the two ifs tested?",
        default="a",
        a="from LOG; membership is tested once",
        b="from LOG; the ifs run one after the other, on the changed set",
        c="from the copy to the destination before it, in ascending order: one O_M for all",
        d="from LOG without Dests, the common reduction of Section 4.5, to which d is put back",
    )
    own_copy: str = reading(
        "KS-7",
        "what does a process do with its own copy of a self-addressed message?",
        default="b",
        b="the whole of RCV",
        c="RCV(1) and RCV(2) alone: it delivers and updates SR",
        d="as c, and it removes its own id from the entry of the message",
    )
    last_delivered: str = reading(
        "KS-14",
        "RCV(2): what becomes of SR[k]?",
        default="a",
        a="t_k",
        b="the maximum of SR[k] and t_k",
    )
    own_entry: str = reading(
        "KS-32",
        "is the message's own entry part of O_M when it is sent?",
        default="a",
        a="no: RCV(3) inserts it",
        b="yes",
    )
    removal: str = reading(
        "KS-34",
        "where does RCV(3) remove j?",
        default="a",
        a="from O_M, before the merge",
        b="from LOG, after the merge and before RCV(5)",
    )

    def start(self, me: int, processes: int) -> KSState:
        """LOG holds an empty entry (i, 0) of every process i."""
        senders = range(1, processes + 1)
        LOG = {} if self.null_entries == "d" else {(s, 0): frozenset[int]() for s in senders}
        return KSState(me, 0, (0,) * processes, frozenset(LOG.items()))

    def send(self, state: KSState, message: Message) -> Steps:
        """Procedure SND at j."""
        return Step(*self.sent(state, message))

    def sent(self, state: KSState, message: Message) -> tuple[KSState, tuple[Packet, ...]]:
        """SND(1) to SND(5): the state after them, and the copies."""
        j, clock, SR, log = state
        LOG: Entries = dict(log)
        Dests = message.dests
        packets: tuple[Packet, ...] = ()
        clock = clock + 1  # SND(1)
        O_M = LOG
        for d in sorted(Dests):
            O_M = self.carried(O_M if self.copies == "c" else LOG, Dests, d)
            own = {} if self.own_entry == "a" else {(j, clock): Dests}
            packets += (Packet(j, d, message, frozenset({**O_M, **own}.items())),)  # SND(2) send
        LOG = {st: D - Dests for st, D in LOG.items()}  # SND(3)
        LOG = {**LOG, (j, clock): Dests}  # SND(4)
        LOG = self.purged(LOG)  # SND(5)
        return KSState(j, clock, SR, frozenset(LOG.items())), packets

    def carried(self, O_M: Entries, Dests: frozenset[int], d: int) -> Entries:
        """What SND(2) leaves of O_M for the copy to d."""
        O_M = {st: self.reduced(D, Dests, d) for st, D in O_M.items()}  # SND(2) modify
        O_M = self.purged(O_M)  # SND(2) purge
        return O_M

    def reduced(self, D: frozenset[int], Dests: frozenset[int], d: int) -> frozenset[int]:
        """The two ifs of SND(2), for one entry."""
        if self.copies == "d":
            return (D - Dests) | (D & {d})
        if self.copies == "b":
            D = D if d in D else D - Dests
            return (D - Dests) | {d} if d in D else D
        return (D - Dests) | {d} if d in D else D - Dests

    def receive(self, state: KSState, packet: Packet) -> Steps:
        """Procedure RCV at j."""
        if self.waits(state, packet.control):  # RCV(1)
            return None
        return [Step(after, (), (packet.message,)) for after in self.delivered(state, packet)]

    def waits(self, state: KSState, O_M: FrozenEntries) -> bool:
        """Whether O_M names a message to j that is not delivered here: the Delivery Condition does not hold."""
        return any(state.j in D and t > state.SR[m - 1] for (m, t), D in O_M)

    def delivered(self, state: KSState, packet: Packet) -> list[KSState]:
        """RCV(2) to RCV(5): the states after them, one for each order of deletion that makes a difference."""
        j, clock, SR, log = state
        k, tk, Dests = packet.message
        LOG: Entries = dict(log)
        O_M: Entries = dict(packet.control)
        latest = tk if self.last_delivered == "a" else max(SR[k - 1], tk)
        SR = (*SR[: k - 1], latest, *SR[k:])  # RCV(2)
        if k == j and self.own_copy != "b":
            known = frozenset({j} if self.own_copy == "d" else ())
            LOG = self.purged({st: D - known if st == (j, tk) else D for st, D in LOG.items()})
            return [KSState(j, clock, SR, frozenset(LOG.items()))]
        O_M = {**O_M, (k, tk): Dests}  # RCV(3) insert
        if self.removal == "a":
            O_M = {mt: D - {j} for mt, D in O_M.items()}  # RCV(3) delete
        delete = marked if self.deletion == "a" else in_place
        logs = [self.merged(j, LOG, O_M, deleted) for deleted in delete(self.redundant(LOG, O_M))]
        return [KSState(j, clock, SR, frozenset(log.items())) for log in logs]

    def redundant(self, LOG: Entries, O_M: Entries) -> Iterator[tuple[Id, Id]]:
        """The tests of RCV(4), loop 1: pairs of an entry to delete and the later entry that shows it."""
        for m, t in O_M:
            for s, u in LOG:
                tested = u if self.guard == "a" else t
                if s == m and t < u and (s, tested) not in LOG:
                    yield (m, t), (s, u)  # RCV(4) first test
                if s == m and u < t and (m, u) not in O_M:
                    yield (s, u), (m, t)  # RCV(4) second test

    def merged(self, j: int, LOG: Entries, O_M: Entries, deleted: frozenset[Id]) -> Entries:
        """The LOG that RCV(4) and RCV(5) leave at j."""
        O_M = {mt: D for mt, D in O_M.items() if mt not in deleted}  # RCV(4) loop 1 O_M
        LOG = {st: D for st, D in LOG.items() if st not in deleted}  # RCV(4) loop 1 LOG
        LOG = {st: D & O_M.get(st, D) for st, D in LOG.items()}  # RCV(4) loop 2
        LOG = {**O_M, **LOG}  # RCV(4) union
        if self.removal == "b":
            LOG = {st: D - {j} for st, D in LOG.items()}  # RCV(3) delete
        LOG = self.purged(LOG)  # RCV(5)
        return LOG

    def purged(self, L: Entries) -> Entries:
        """PURGE_NULL_ENTRIES: L without the older entries whose Dests is empty."""
        if self.null_entries == "c":
            return L
        newest: dict[int, int] = {}
        if self.null_entries != "b":
            for s, t in L:
                newest[s] = max(t, newest.get(s, 0))
        return {(s, t): D for (s, t), D in L.items() if D or newest.get(s) == t}

    def state_facts(self, state: KSState) -> frozenset[Fact]:
        """The explicit entries of LOG; what is implied (Section 4.2) is that a destination needs nothing."""
        return frozenset((st, d) for st, D in state.LOG for d in D)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The explicit entries of O_M."""
        own = packet.message[:2]
        return frozenset((mt, d) for mt, D in packet.control for d in D if mt != own)

    def control_units(self, packet: Packet) -> int:
        """Section 6.2: the sum of nd_i, the size of the union of the Dests of all entries of sender i."""
        return len({(m, d) for (m, _), D in packet.control for d in D})

    def control_bytes(self, packet: Packet) -> int:
        """A process id, a clock and the ids in Dests for each entry."""
        return sum(2 + 4 + 2 * len(D) for _, D in packet.control)
