"""GK: Gambhire, Kshemkalyani, "Reducing false causality in causal message ordering", HiPC 2000; Figure 3, with the
vector MCV of Definition 5, in the multicast form of algorithms.md, section 5.

The application says on which earlier event of the same process an event depends: that is a choice, so every send has
one alternative for each event before it, and one for none. Figure 3 has no steps for MCV and ECV; they are maintained
as Definition 5 has it, as far as reading GK-5 provides for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from .gk_vectors import (
    Cell,
    Cells,
    Matrix,
    Vector,
    added,
    latest,
    less,
    maximum,
    plus,
    size,
    ticked,
    with_copies,
    zeros,
)
from .interface import Message, Model, Packet, Step, Steps, parameter, reading


class GKState(NamedTuple):
    """Process `i`. MCV, ECV: numbers of events by process (ECV[i-1] is the event counter of i); DELIV[k-1]: messages of
    k delivered here; PREV, CONC: messages sent up to MCV and after it, [k-1][l-1] from k to l.

    internal: internal events so far; pending: the latest event that internal events depend on, until the next send.
    """

    i: int
    MCV: Vector
    ECV: Vector
    DELIV: Cells
    PREV: Matrix
    CONC: Matrix
    internal: int = 0
    pending: int = 0


class GKControl(NamedTuple):
    """What a copy carries: the matrices, and the vectors of the send as GK-5 says (else empty)."""

    SP: Matrix
    SC: Matrix
    MCV: Vector = ()
    ECV: Vector = ()


@dataclass(frozen=True)
class GK(Model):
    """A copy waits only for messages up to MCV: the newest past, on which its send does not depend, is not enforced."""

    title = "Gambhire-Kshemkalyani: semantic causality, two matrices of counters"
    source = "P. Gambhire, A. Kshemkalyani, HiPC 2000, LNCS 1970, Section 3"
    status = "read in full"
    assumes = "reliable, asynchronous FIFO channels; for each event, its latest local dependency"
    size = "2n^2 counters; with GK-5b or GK-5c one or two vectors of n"
    channel = "fifo"
    semantic = True

    own_message: str = reading(
        "GK-1",
        "MCV[i] after send event k whose own E1 is true; where does E7 count its message?",
        default="a",
        a="k; in CONC",
        b="k - 1; in CONC",
        c="k; in PREV",
        d="as c, and R3 counts it in SP, as the vectors on the copy tell (GK-5c; as c without them)",
    )
    tested: str = reading(
        "GK-2",
        "what does R1 compare?",
        default="a",
        a="counts of messages",
        b="counts; and messages of one sender are delivered in the order they were sent",
        c="sets of identities",
    )
    multicast: str = reading(
        "GK-3",
        "multicasts: for which destinations are E7 and R3?",
        default="b",
        a="E7 for all, R3 for the receiver only",
        b="both for all",
        c="each copy is a send of its own, in ascending order of destinations",
    )
    decision: str = reading(
        "GK-4",
        "how often is E1 decided?",
        default="a",
        a="once for a send event",
        b="before each copy (other than a with GK-3c only)",
    )
    vectors: str = reading(
        "GK-5",
        "which vectors do messages carry?",
        default="a",
        a="none: each process knows its own components only",
        b="MCV",
        c="MCV and ECV",
    )
    internal_step: str = reading(
        "GK-7",
        "what does an internal event do?",
        default="a",
        a="nothing",
        b="the same test and E2-E5; MCV := ECV",
        c="its dependency is remembered and tested at the next send",
        d="MCV := ECV by Definition 5, but PREV and CONC stay: Figure 3 has no step for it",
    )
    order: str = reading(
        "GK-8",
        "the order of the steps",
        default="a",
        a="as printed",
        b="R8 before R7",
        c="E7 before E6",
        d="as printed, but R3 counts on the local CONC",
    )
    deliveries: str = reading(
        "GK-9",
        "do deliveries depend on earlier events of their process?",
        default="a",
        a="no: on their send only",
        b="on any",
        c="on the one before, and so on all on which that one depends",
    )
    precedence: str = reading("GK-12", "when is E1 true?", default="a", a="by Definition 5", b="at every send")
    own_copy: str = reading(
        "GK-13",
        "self-addressed messages",
        default="a",
        a="forbidden",
        b="received through the network like any other",
        c="delivered at the send (--self at-send), which is one event; only DELIV is updated",
        d="as c, and E7 and R3 do not count it",
    )
    matrix: str = reading(
        "GK-19",
        "which matrix is compared with DELIV? (Section 1 restates RST with the local one)",
        default="b",
        a="the receiver's PREV",
        b="the message's SP, as R1 says",
    )
    internal_events: int = parameter(0, "internal events of each process, at most")
    chained: int = parameter(0, "1: sends and internal events depend on the event before them; 0: on any, or none")

    @property
    def self_addressed(self) -> bool:
        """Reading GK-13a forbids self-addressed messages."""
        return self.own_copy != "a"

    @property
    def own_copy_modes(self) -> tuple[str, ...]:
        """The delivery of an own copy is an event of its own under GK-13b only, so ECV counts it there alone."""
        return {"a": (), "b": ("network",)}.get(self.own_copy, ("at-send",))

    def start(self, me: int, processes: int) -> GKState:
        """No event yet."""
        nothing = zeros(processes, self.zero)
        return GKState(me, (0,) * processes, (0,) * processes, nothing[0], nothing, nothing)

    def send(self, state: GKState, message: Message) -> Steps:
        """Emission, for each event p on which it may depend."""
        return [self.emission(state, message, p) for p in self.dependencies(state)]

    def dependencies(self, state: GKState) -> Iterable[int]:
        """The events on which the next send or internal event may depend; 0: on none."""
        last = state.ECV[state.i - 1]
        return range(last, last + 1) if self.chained else range(last + 1)

    def emission(self, state: GKState, message: Message, p: int) -> Step:
        """Emission of `message` at i as an event that depends on event p of i."""
        i, PREV, CONC = state.i, state.PREV, state.CONC
        precedes = self.should_semantically_precede(state, p)
        MCV, ECV = self.vectors_after_send(state, precedes)
        packets: tuple[Packet, ...] = ()
        for copies in self.emissions(message.dests):
            if precedes and (self.decision == "b" or not packets):  # E1
                PREV = added(PREV, CONC)  # E4
                CONC = zeros(len(CONC), self.zero)  # E5
            if self.order == "c":
                PREV, CONC = self.counted(PREV, CONC, message, copies, precedes)
            control = GKControl(PREV, CONC, *self.carried(MCV, ECV))
            packets += tuple(Packet(i, d, message, control) for d in sorted(copies))  # E6
            if self.order != "c":
                PREV, CONC = self.counted(PREV, CONC, message, copies, precedes)
        after = state._replace(MCV=MCV, ECV=ECV, PREV=PREV, CONC=CONC, pending=0)
        return Step(after, packets, depends_on=p)

    def should_semantically_precede(self, state: GKState, p: int) -> bool:
        """Definition 5.2: the event depends on one of i after MCV[i]; `p` is the latest that it depends on."""
        return self.precedence == "b" or max(p, state.pending) > state.MCV[state.i - 1]

    def emissions(self, Dests: frozenset[int]) -> Iterable[frozenset[int]]:
        """The destinations for which E1 to E7 are carried out together."""
        return [frozenset({d}) for d in sorted(Dests)] if self.multicast == "c" else [Dests]

    def vectors_after_send(self, state: GKState, precedes: bool) -> tuple[Vector, Vector]:
        """MCV and ECV of a send event."""
        ECV = ticked(state.ECV, state.i)
        if precedes:
            return latest(state.MCV, state.ECV if self.own_message == "b" else ECV), ECV
        return state.MCV, ECV

    def carried(self, MCV: Vector, ECV: Vector) -> tuple[Vector, Vector]:
        """The vectors on a copy."""
        return MCV if self.vectors != "a" else (), ECV if self.vectors == "c" else ()

    def counted(
        self, PREV: Matrix, CONC: Matrix, message: Message, copies: frozenset[int], precedes: bool
    ) -> tuple[Matrix, Matrix]:
        """PREV and CONC with `message` to `copies`."""
        copies = self.recorded(message, copies)
        if precedes and self.own_message in ("c", "d"):
            PREV = with_copies(PREV, message.sender, copies, self.one(message))  # E7
        else:
            CONC = with_copies(CONC, message.sender, copies, self.one(message))  # E7
        return PREV, CONC

    def receive(self, state: GKState, packet: Packet) -> Steps:
        """Reception at j."""
        j, MCV, ECV, DELIV, PREV, CONC, *_ = state
        i, message, (SP, SC, sent_MCV, sent_ECV) = packet.sender, packet.message, packet.control
        if not self.deliverable(packet, DELIV, PREV):  # R1
            return None
        delivered = (message,)  # R2
        one = self.one(message)
        copies = self.recorded(message, message.dests if self.multicast == "b" else frozenset({j}))
        if self.order == "d":
            CONC = with_copies(CONC, i, copies, one)  # R3
        elif self.own_message == "d" and sent_ECV and sent_ECV[i - 1] == sent_MCV[i - 1]:
            SP = with_copies(SP, i, copies, one)  # R3
        else:
            SC = with_copies(SC, i, copies, one)  # R3
        DELIV = tuple(plus(x, one) if k == i else x for k, x in enumerate(DELIV, 1))  # R4
        if i == j and self.own_copy in ("c", "d"):
            return Step(state._replace(DELIV=DELIV), (), delivered, depends_on=0)
        known = maximum(PREV, SP) if self.order == "b" else PREV
        CONC = less(maximum(added(CONC, known), added(SP, SC)), maximum(known, SP))  # R7
        PREV = maximum(PREV, SP)  # R8
        MCV, ECV = latest(MCV, sent_MCV), ticked(latest(ECV, sent_ECV), j)
        after = state._replace(MCV=MCV, ECV=ECV, DELIV=DELIV, PREV=PREV, CONC=CONC)
        return [Step(after, (), delivered, p) for p in self.delivery_dependencies(ECV[j - 1])]

    def recorded(self, message: Message, copies: frozenset[int]) -> frozenset[int]:
        """The copies that E7 and R3 count."""
        return copies - {message.sender} if self.own_copy == "d" else copies

    def deliverable(self, packet: Packet, DELIV: Cells, PREV: Matrix) -> bool:
        """The condition of R1."""
        i, j, (SP, SC, *_) = packet.sender, packet.to, packet.control
        tested = PREV if self.matrix == "a" else SP
        if self.tested == "b":
            tested = (*tested[: i - 1], added(SP, SC)[i - 1], *tested[i:])
        return all(row[j - 1] <= delivered for row, delivered in zip(tested, DELIV, strict=True))

    def delivery_dependencies(self, k: int) -> Iterable[int]:
        """The events on which a delivery, event k, may depend besides its send."""
        return {"a": range(1), "b": range(k), "c": range(k - 1, k)}[self.deliveries]

    def internal(self, state: GKState) -> Steps:
        """An internal event, for each event p on which it may depend."""
        if state.internal >= self.internal_events:
            return None
        k = state.ECV[state.i - 1] + 1
        return [
            Step(self.after_internal_event(state, p), depends_on=p, name=f"internal event {k}, which depends on {p}")
            for p in self.dependencies(state)
        ]

    def after_internal_event(self, state: GKState, p: int) -> GKState:
        """The state after an internal event that depends on event p."""
        _, MCV, _, _, PREV, CONC, internal, pending = state
        ECV = ticked(state.ECV, state.i)
        precedes = self.should_semantically_precede(state, p)
        if self.internal_step == "b" and precedes:
            PREV, CONC = added(PREV, CONC), zeros(len(CONC), self.zero)
        if self.internal_step in ("b", "d") and precedes:
            MCV = latest(MCV, ECV)
        if self.internal_step == "c":
            pending = max(pending, p)
        return state._replace(MCV=MCV, ECV=ECV, PREV=PREV, CONC=CONC, internal=internal + 1, pending=pending)

    @property
    def zero(self) -> Cell:
        """A cell without messages."""
        return frozenset() if self.tested == "c" else 0

    def one(self, message: Message) -> Cell:
        """A cell with one message."""
        return frozenset({message.number}) if self.tested == "c" else 1

    def control_units(self, packet: Packet) -> int:
        """Counters, or identities; and the numbers of the vectors."""
        SP, SC, MCV, ECV = packet.control
        if self.tested != "c":
            return 2 * len(SP) ** 2 + len(MCV) + len(ECV)
        return sum(size(cell) for row in (*SP, *SC) for cell in row) + len(MCV) + len(ECV)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter, identity or number."""
        return 4 * self.control_units(packet)
