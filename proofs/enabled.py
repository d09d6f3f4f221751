"""What the guard of a delivery must allow, and what it must not, said without the algorithm's own words."""

from __future__ import annotations

import z3
from z3 import And, ForAll, Implies, Not, Or

from .pasts import Message, Pasts, Process, dest, hb, m, p


def undelivered(pasts: Pasts, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """M is sent to j and not delivered there: nothing else may be delivered."""
    return And(pasts.sent(M), dest(M, j), Not(pasts.delivered(j, M, j)))


def is_due(pasts: Pasts, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """M is undelivered at j, and all messages to j that were sent before M are delivered: it may be delivered."""
    return And(undelivered(pasts, j, M), ForAll([m], Implies(And(hb(m, M), dest(m, j)), pasts.delivered(j, m, j))))


def waits(pasts: Pasts, j: z3.ExprRef, M: z3.ExprRef, guard: z3.BoolRef) -> tuple[z3.BoolRef, ...]:
    """M is undelivered at j and must wait, with one other process and one other message: formulas for a witness."""
    other, first = z3.Const("other", Process), z3.Const("first", Message)
    few = (ForAll([p], Or(p == j, p == other)), ForAll([m], Or(m == M, m == first)))
    return undelivered(pasts, j, M), Not(guard), *few
