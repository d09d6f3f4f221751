"""RST: safety and deliverability, exactness of its counters, and what its broken readings violate."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import z3
from z3 import And, Consts, ForAll, Implies, Not, Or

from . import rst
from .claims import Claim, Refutation
from .concrete_runs import Step, overtaken, world_of
from .conditions import Condition
from .counting import INDICES, a, index
from .enabled import is_due, undelivered, waits
from .pasts import MESSAGES, Message, Process, d, dest, hb, m, may_send, p, sender, x
from .steps import ALL_STEPS, Steps
from .witnessed import WitnessedInduction

S = rst.some_state()
i, j = Consts("i j", Process)
M = z3.Const("M", Message)

INDUCTION = WitnessedInduction(
    "RST",
    S,
    (*MESSAGES, *INDICES),
    rst.initial,
    rst.invariant,
    lambda s, steps: (rst.snd(s, i, M, steps), rst.rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "no process sends to itself (RST-3a)",
)
COUNTERS = (
    "ST counts the messages known before",
    "DELIV counts messages sent",
    "the first DELIV[a] messages of a are delivered",
)
"""What is needed to see that what is due is ready."""


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "RST: a copy waits", (*KNOWN, *waits(S.pasts, j, M, rst.rcv(S, j, M).guard))


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    M1, M2 = Consts("M1 M2", Message)
    delivered = S.pasts.delivered
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("RST: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j))
    due = is_due(S.pasts, j, M)
    count = S.ST(M, a, j)
    last = And(S.pasts.sent(M1), dest(M1, j), sender(M1) == a, index(M1, j) == count)
    named = (*KNOWN, due, S.channels.nth(a, j, count) == M1, count >= 1)
    yield Condition("RST: the last message that d1 waits for is a message", named, last)
    counters = (fact for name, fact in rst.facts(S) if name in COUNTERS)
    hypotheses = (*counters, due, Implies(count >= 1, last))
    yield Condition("RST: it is delivered when a copy is due", hypotheses, S.DELIV(j, a) >= count)
    reached = ForAll([a], S.DELIV(j, a) >= S.ST(M, a, j))
    guard = rst.rcv(S, j, M, steps).guard
    yield Condition("RST: a copy is delivered once", (guard,), undelivered(S.pasts, j, M))
    yield Condition("RST: what is due is ready", (due, reached), guard)
    sends = (may_send(S.pasts, i, M), S.channels.takes(i, M), Not(dest(M, i)))
    yield Condition("RST: no send waits", sends, rst.snd(S, i, M, steps).guard)
    first = And(S.pasts.sent(M1), S.pasts.sent(M2), sender(M1) == sender(M2), index(M1, j) < index(M2, j))
    fifo = (*KNOWN, first, dest(M1, j), delivered(j, M2, j))
    yield Condition("RST: a channel's messages are delivered in their order", fifo, delivered(j, M1, j))


def exact(steps: Steps) -> Iterable[Condition]:
    """The counters are those of the known messages of each channel."""
    copy = And(S.pasts.sent(m), dest(m, d))
    known = S.pasts.past(p, m) == (index(m, d) <= S.SENT(p, sender(m), d))
    yield Condition("RST: SENT", (*KNOWN, copy), known)
    known = hb(m, x) == (index(m, d) <= S.ST(x, sender(m), d))
    yield Condition("RST: ST", (*KNOWN, copy, S.pasts.sent(x)), known)


def same(steps: Steps) -> Iterable[Condition]:
    """Maximum first, then the increments: the same matrix, since a message that j has not delivered is not counted."""
    one, other = rst.rcv(S, j, M, steps), rst.rcv(S, j, M, steps, order="c")
    yield Condition("RST-2: a and c", (*KNOWN, one.guard), one.after.SENT(p, a, d) == other.after.SENT(p, a, d))


P1, P2, P3 = Consts("P1 P2 P3", Process)
A, B, C = Consts("A B C", Message)


def sends(process: z3.ExprRef, message: z3.ExprRef) -> Step[rst.RST]:
    """The send of a message."""
    return lambda s: rst.snd(s, process, message)


def delivers(process: z3.ExprRef, message: z3.ExprRef, steps: Steps = ALL_STEPS, **readings: str) -> Step[rst.RST]:
    """The delivery of a message."""
    return lambda s: rst.rcv(s, process, message, steps, **readings)


def claim(id: str, statement: str, conditions: Callable[[Steps], Iterable[Condition]], **more: object) -> Claim:
    """A claim of RST that rests on the invariant."""
    source = "Raynal, Schiper, Toueg 1991, in the form of algorithms.md, B1"
    return Claim(id, source, statement, (INDUCTION,), conditions, assumptions=ASSUMED, **more)  # type: ignore[arg-type]


def refuted(reading: str, steps: int, conditions: Callable[[], list[Condition]]) -> Claim:
    """The claim of safety under a broken reading, with the length of the shortest run that violates it."""
    check = ("rst", "--reading", reading, "--processes", "3", "--sends", "3")
    statement = f"RST with the reading {reading} preserves causal order"
    return Claim(f"C-B-1-{reading}", "algorithms.md, section 8", statement, assumptions=ASSUMED,
                 refutation=Refutation(conditions, check, steps))  # fmt: skip


TO_ALL = world_of(A=(3, {1, 2}), B=(1, {2}))
"""A goes to both others; P1 delivers it, and P2 gets what P1 sends next before A."""
TWO = world_of(A=(3, {1}), B=(3, {1, 2}), C=(2, {1}))
"""P2 does not know of A when it delivers B, whose ST counts A: its own count is one less."""

CLAIMS = (
    claim("C-B-1-RST", "RST: safety and liveness; each channel is FIFO", safe_and_live,
          witness=a_wait,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1",
          on_paper=("minimal", "fairness"), steps=rst.LABELS),
    claim("C-RST-1", "SENT[k][l] and ST[k][l] count the messages from k to l in the past, all of them and nothing else",
          exact),
    claim("C-RST-2", "RST-2a and RST-2c leave the same matrix: increments on ST, then maximum; or the other way round",
          same),
    refuted("RST-1b", 4, overtaken(
        INDUCTION, TO_ALL,
        [sends(P3, A), delivers(P1, A, recorded="b"), sends(P1, B), delivers(P2, B, recorded="b")],
        "RST-1b: P2 does not deliver B before A")),
    refuted("RST-1c", 4, overtaken(
        INDUCTION, TO_ALL,
        [sends(P3, A), delivers(P1, A, Steps(frozenset({"d4"}))), sends(P1, B),
         delivers(P2, B, Steps(frozenset({"d4"})))],
        "RST-1c: P2 does not deliver B before A")),
    refuted("RST-2b", 6, overtaken(
        INDUCTION, TWO,
        [sends(P3, A), sends(P3, B), delivers(P2, B, order="b"), sends(P2, C), delivers(P1, A, order="b"),
         delivers(P1, C, order="b")],
        "RST-2b: P1 does not deliver C before B")),
)  # fmt: skip
