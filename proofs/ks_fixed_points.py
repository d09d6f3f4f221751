"""KS, Section 3.2 and Corollary 1: fixed points of the fact that m must reach d, and that the fact gets there."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Const, ForAll, Implies, Not

from . import ks
from .claims import Claim
from .conditions import Condition
from .ks_paths import INVARIANT, carried, claim, stored
from .ks_safety import INDUCTION, KNOWN, S, come_first
from .lemmas import InductionByLemmas
from .pasts import MESSAGES, Message, Process, d, delivered_before, dest, hb, m, p, required_before, x
from .steps import Steps

j = Const("j", Process)
M, y = Const("M", Message), Const("y", Message)


OWN = InductionByLemmas(
    "KS, own deliveries",
    S,
    (*MESSAGES, *INVARIANT),
    ks.initial,
    lambda s: [
        (
            "what a process knows to be sent to it is delivered there",
            ForAll([p, m], Implies(And(s.pasts.past(p, m), dest(m, p)), s.pasts.delivered(p, m, p))),
        )
    ],
    INDUCTION.actions,
    come_first,
)


def fixed(steps: Steps) -> Iterable[Condition]:
    """Corollary 1, and what FP2 means: no earlier send to d after m, and no delivery, in the past of the send."""
    snd, _ = INDUCTION.actions(S, steps)
    fp2 = And(
        S.pasts.past(j, m), dest(m, d), dest(M, d), Not(S.pasts.covered(j, m, d)), Not(S.pasts.delivered(j, m, d))
    )
    yield Condition("C1: the fact is in LOG before an FP2", (*KNOWN, snd.guard, fp2), stored(S, j, m, d))
    yield Condition("C1: an FP2 carries it to d", (*KNOWN, snd.guard, fp2), carried(snd.after, M, d, m, d))


def is_fp2(x: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """x is a fixed point FP2 of the fact that m must reach d."""
    return And(S.pasts.sent(x), required_before(x, m, d), dest(x, d))


def fixed_points(steps: Steps) -> Iterable[Condition]:
    """Two FP2, FP1 before FP2, FP2 before FP1; sends to d between m and FP1."""
    two = (*KNOWN, is_fp2(x, m, d), is_fp2(y, m, d))
    yield Condition("FP: two FP2 are concurrent", two, Not(hb(x, y)))
    yield Condition("FP: no FP1 is before an FP2", (*KNOWN, is_fp2(x, m, d)), Not(delivered_before(x, m, d)))
    _, rcv = INDUCTION.actions(S, steps)
    own = tuple(formula for _, formula in OWN.invariant(S))
    known = (*KNOWN, *own, rcv.guard, dest(x, j), hb(M, x))
    yield Condition("FP: no later send to d is before FP1", (*known, rcv.after.pasts.past(j, x)), z3.BoolVal(False))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "C-KS-FP",
        "Section 3.2",
        "distinct fixed points of one fact are concurrent; at an FP2 the delivery is not in "
        "the past; no send to d lies strictly between (i,a) and an FP1",
        fixed_points,
        rests_on=(INDUCTION, OWN),
    ),
    claim("C-KS-C1", "Corollary 1", "the fact reaches its fixed points", fixed),
)
