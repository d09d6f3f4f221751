"""BSS, one group: safety and deliverability, exactness of its clocks, and what weaker tests violate."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import z3
from z3 import And, Consts, ForAll, Implies, Or

from . import bss
from .claims import Claim, Refutation
from .concrete_runs import Step, overtaken, world_of
from .conditions import Condition
from .counting import NUMBERS, a, number
from .enabled import is_due, undelivered, waits
from .pasts import MESSAGES, Message, Process, d, dest, hb, m, may_send, p, sender, x
from .steps import Steps
from .witnessed import WitnessedInduction

S = bss.some_state()
i, j = Consts("i j", Process)
M, M1, M2 = Consts("M M1 M2", Message)

INDUCTION = WitnessedInduction(
    "BSS",
    S,
    (*MESSAGES, *NUMBERS),
    bss.initial,
    bss.invariant,
    lambda s, steps: (bss.snd(s, i, M, steps), bss.rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "one group: every message goes to all other processes; the own copy is delivered at the send (BSS-1a)",
)


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "BSS: a copy waits", (*KNOWN, *waits(S.pasts, j, M, bss.rcv(S, j, M).guard))


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    delivered = S.pasts.delivered
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("BSS: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j))
    due = is_due(S.pasts, j, M)
    here = (*KNOWN, due)
    count = z3.If(a == sender(M), S.T(M, a) - 1, S.T(M, a))
    named = And(S.pasts.sent(M1), sender(M1) == a, number(M1) == count)
    last = (S.senders.nth(a, count) == M1, count >= 1)
    yield Condition("BSS: the last message that d1 waits for is a message", (*here, *last), named)
    yield Condition("BSS: it is known at j", (*here, named), S.pasts.past(j, M1))
    clock = (fact for name, fact in bss.facts(S) if name in ("V counts messages sent", "V is the past"))
    hypotheses = (*clock, Implies(count >= 1, And(named, S.pasts.past(j, M1))))
    yield Condition("BSS: what is due is delivered by the count", hypotheses, count <= S.V(j, a))
    own = S.V(j, sender(M)) < S.T(M, sender(M))
    yield Condition("BSS: the copy itself is not", here, own)
    others = ForAll([a], Implies(a != sender(M), S.T(M, a) <= S.V(j, a)))
    next_one = S.V(j, sender(M)) == S.T(M, sender(M)) - 1
    guard = bss.rcv(S, j, M, steps).guard
    yield Condition("BSS: a copy is delivered once", (guard,), undelivered(S.pasts, j, M))
    yield Condition("BSS: what is due is ready", (due, others, next_one), guard)
    to_others = ForAll([d], dest(M, d) == (d != i))
    sends = (may_send(S.pasts, i, M), S.senders.takes(i, M), to_others)
    yield Condition("BSS: no send waits", sends, bss.snd(S, i, M, steps).guard)


def exact(steps: Steps) -> Iterable[Condition]:
    """The clocks are those of the known messages."""
    known = S.pasts.past(p, m) == (number(m) <= S.V(p, sender(m)))
    yield Condition("BSS: V", (*KNOWN, S.pasts.sent(m)), known)
    known = Or(m == x, hb(m, x)) == (number(m) <= S.T(x, sender(m)))
    yield Condition("BSS: T", (*KNOWN, S.pasts.sent(m), S.pasts.sent(x)), known)


P1, P2, P3 = Consts("P1 P2 P3", Process)
A, B = Consts("A B", Message)


def sends(process: z3.ExprRef, message: z3.ExprRef) -> Step[bss.BSS]:
    """The send of a message."""
    return lambda s: bss.snd(s, process, message)


def delivers(process: z3.ExprRef, message: z3.ExprRef, without: str) -> Step[bss.BSS]:
    """The delivery of a message by a weaker test."""
    return lambda s: bss.rcv(s, process, message, Steps(frozenset({without})))


def refuted(reading: str, steps: int, conditions: Callable[[], list[Condition]]) -> Claim:
    """The claim of safety under a broken reading, with the length of the shortest run that violates it."""
    statement = f"BSS with the reading {reading} preserves causal order"
    check = ("bss", "--reading", reading, "--processes", "3", "--sends", "3", "--dests", "broadcast")
    return Claim(f"C-B-1-{reading}", "algorithms.md, section 8", statement, assumptions=ASSUMED,
                 refutation=Refutation(conditions, check, steps))  # fmt: skip


SOURCE = "Birman, Schiper, Stephenson 1991, in the form of algorithms.md, B3"
CLAIMS = (
    Claim("C-B-1-BSS", SOURCE, "BSS, one group: safety and liveness", (INDUCTION,), safe_and_live,
          assumptions=ASSUMED, on_paper=("minimal", "fairness"), steps=bss.LABELS,
          witness=a_wait,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1"),
    Claim("C-BSS-ONE", SOURCE, "V[k] counts the broadcasts of k in the past, and T those and the message itself",
          (INDUCTION,), exact, assumptions=ASSUMED),
    refuted("BSS-5b", 4, overtaken(
        INDUCTION, world_of(A=(3, {1, 2}), B=(1, {2, 3})),
        [sends(P3, A), delivers(P1, A, "d1 others"), sends(P1, B), delivers(P2, B, "d1 others")],
        "BSS-5b: P2 does not deliver B before A")),
    refuted("BSS-5c", 3, overtaken(
        INDUCTION, world_of(A=(1, {2, 3}), B=(1, {2, 3})),
        [sends(P1, A), sends(P1, B), delivers(P2, B, "d1 sender")],
        "BSS-5c: P2 does not deliver B before A")),
)  # fmt: skip
