"""SES: safety and deliverability, and what its broken readings violate."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Consts, ForAll, Implies, Not, Or

from . import ses
from .claims import Claim, Refutation
from .concrete_runs import Step, overtaken, world_of
from .conditions import Condition
from .counting import NUMBERS, a, number
from .enabled import is_due, undelivered, waits
from .pasts import MESSAGES, Message, Process, covered_before, dest, hb, m, may_send, p, sender
from .steps import Steps
from .witnessed import WitnessedInduction

S = ses.some_state()
i, j = Consts("i j", Process)
M, M1, M2 = Consts("M M1 M2", Message)

INDUCTION = WitnessedInduction(
    "SES",
    S,
    (*MESSAGES, *NUMBERS),
    ses.initial,
    ses.invariant,
    lambda s, steps: (ses.snd(s, i, M, steps), ses.rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses
ASSUMED = ("no copy is lost or duplicated; channels need not be FIFO", "no process sends to itself")


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "SES: a copy waits", (*KNOWN, *waits(S.pasts, j, M, ses.rcv(S, j, M).guard))


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    delivered, known = S.pasts.delivered, S.pasts.past
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("SES: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j))
    due = is_due(S.pasts, j, M)
    here = (*KNOWN, due)
    counted = Or(And(hb(M1, M), dest(M1, j)), covered_before(M, M1, j))
    yield Condition("SES: what was sent to j, or before a send to j, is known at j", (*here, counted), known(j, M1))
    count = S.VM(M, j, a)
    named = And(S.pasts.sent(M1), sender(M1) == a, number(M1) == count)
    last = (S.has_M(M, j), S.senders.nth(a, count) == M1, count >= 1)
    yield Condition("SES: the last message that d1 waits for is a message", (*here, *last), named)
    hypotheses = (*here, S.has_M(M, j), count >= 1, named)
    yield Condition("SES: it was sent to j, or before a send to j", hypotheses, counted)
    clock = (fact for name, fact in ses.facts(S) if name in ("T counts messages sent", "T is the past"))
    hypotheses = (*clock, Implies(count >= 1, And(named, known(j, M1))))
    yield Condition("SES: so it is reached", hypotheses, count <= S.T(j, a))
    reached = Implies(S.has_M(M, j), ForAll([a], S.VM(M, j, a) <= S.T(j, a)))
    guard = ses.rcv(S, j, M, steps).guard
    yield Condition("SES: a copy is delivered once", (guard,), undelivered(S.pasts, j, M))
    yield Condition("SES: what is due is ready", (due, reached), guard)
    sends = (may_send(S.pasts, i, M), S.senders.takes(i, M), Not(dest(M, i)))
    yield Condition("SES: no send waits", sends, ses.snd(S, i, M, steps).guard)


P1, P2, P3 = Consts("P1 P2 P3", Process)
A, B = Consts("A B", Message)


WITHOUT_D4 = Steps(frozenset({"d4"}))
SES_1B: list[Step[ses.SES]] = [
    lambda s: ses.snd(s, P3, A), lambda s: ses.rcv(s, P1, A, WITHOUT_D4),
    lambda s: ses.snd(s, P1, B), lambda s: ses.rcv(s, P2, B, WITHOUT_D4),
]  # fmt: skip
"""A goes to both others; P1 delivers it, and P2 gets what P1 sends next before A."""
without_d4 = overtaken(INDUCTION, world_of(A=(3, {1, 2}), B=(1, {2})), SES_1B, "SES-1b: P2 does not deliver B before A")


CLAIMS = (
    Claim("C-B-1-SES", "Schiper, Eggli, Sandoz 1989, in the form of algorithms.md, B2", "SES: safety and liveness",
          (INDUCTION,), safe_and_live, assumptions=ASSUMED, on_paper=("minimal", "fairness"), steps=ses.LABELS,
          witness=a_wait,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1"),
    Claim("C-B-1-SES-1b", "algorithms.md, section 8", "SES with the reading SES-1b preserves causal order",
          assumptions=ASSUMED,
          refutation=Refutation(without_d4, ("ses", "--reading", "SES-1b", "--processes", "3", "--sends", "3"), 4)),
)  # fmt: skip
