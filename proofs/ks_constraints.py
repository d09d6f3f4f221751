"""KS, Theorems 1 and 2: the Propagation Constraints and the Delivery Condition, of any protocol.

Of a protocol only this is used: `carries(x, e, m)`, the copy of x to e carries the fact that m must reach e. What
copies carry besides, what processes store and how they find out is left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import z3
from z3 import And, BoolVal, Const, ForAll, Function, Implies, Not

from . import ks
from .claims import Claim
from .conditions import Condition
from .ks_safety import KNOWN as KS_KNOWN
from .ks_safety import S as KS
from .lemmas import InductionByLemmas, few
from .pasts import (
    MESSAGES,
    Bool,
    Message,
    Pasts,
    Process,
    after_delivery,
    after_send,
    causal_order,
    d,
    dest,
    e,
    facts_of_pasts,
    hb,
    initially,
    latest_before,
    m,
    may_send,
    required_before,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = ("Propagation Constraints", "Delivery Condition")

i, j = Const("i", Process), Const("j", Process)
M, M1 = Const("M", Message), Const("M1", Message)
carries = Function("carries", Message, Process, Message, Bool)


@dataclass(frozen=True)
class Protocol:
    """What happened; what copies carry is a matter of the protocol, and never changes once they are sent."""

    pasts: Pasts


S = Protocol(some_pasts())


def ready(s: Protocol, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The Delivery Condition: all messages are delivered of which the copy says that they must reach j."""
    return ForAll([m], Implies(carries(M, j, m), s.pasts.delivered(j, m, j)))


def constrained(x: z3.ExprRef) -> z3.BoolRef:
    """The sufficient part of the Propagation Constraints: the copy of x to e carries what is required of it."""
    return ForAll([e, m], Implies(And(dest(x, e), required_before(x, m, e)), carries(x, e, m)))


def in_transit(s: Protocol, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def actions(s: Protocol, steps: Steps = ALL_STEPS) -> Sequence[Action]:
    """Any send whose copies carry what is required, and any delivery that the condition allows."""
    told = steps("Propagation Constraints", constrained(M), BoolVal(True))
    waits = steps("Delivery Condition", ready(s, j, M), BoolVal(True))
    send = Action("a send", And(may_send(s.pasts, i, M), told), Protocol(after_send(s.pasts, i, M)))
    delivery = Action("a delivery", And(in_transit(s, j, M), waits), Protocol(after_delivery(s.pasts, j, M)))
    return send, delivery


def come_first(s: Protocol, action: Action) -> Sequence[tuple[str, z3.BoolRef]]:
    """What the Delivery Condition says of a copy that passes it."""
    if action.name != "a delivery":
        return ()
    must = And(hb(m, M), dest(m, j))
    return (
        (
            "the latest of what must come first is delivered",
            ForAll([m], Implies(must, s.pasts.delivered(j, latest_before(M, m, j), j))),
        ),
        ("what must come first is delivered", ForAll([m], Implies(must, s.pasts.delivered(j, m, j)))),
    )


INDUCTION = InductionByLemmas(
    "any protocol",
    S,
    MESSAGES,
    lambda s: initially(s.pasts),
    lambda s: [
        *facts_of_pasts(s.pasts),
        ("copies carry what is required", ForAll([x], Implies(s.pasts.sent(x), constrained(x)))),
        ("causal order", causal_order(s.pasts)),
    ],
    actions,
    come_first,
)
KNOWN = INDUCTION.hypotheses


def sufficient(steps: Steps) -> Iterable[Condition]:
    """Causal order is a conjunct of the invariant; here it is in the words of the definition."""
    hypotheses = (*KNOWN, S.pasts.delivered(d, M, d), hb(M1, M), dest(M1, d))
    yield Condition(
        "T1: M' is delivered at d, M goes to d and was sent before M'", hypotheses, S.pasts.delivered(d, M1, d)
    )


MISSING = And(S.pasts.required(j, M1, d), Not(S.pasts.delivered(d, M1, d)))
"""The fact that M1 must reach d is required at j, and M1 is not delivered at d (nobody has to be quick)."""
OTHERS = ForAll([m], Implies(And(S.pasts.past(j, m), dest(m, d), m != M1), S.pasts.delivered(d, m, d)))
"""All else that j knows to be sent to d is delivered there."""
PAST = (
    *(formula for _, formula in (*MESSAGES, *facts_of_pasts(S.pasts))),
    causal_order(S.pasts),
    may_send(S.pasts, j, M),
)
"""A run in causal order so far, in which j sends M."""
NOT_THIS = And(dest(M, d), ForAll([m], Implies(carries(M, d, m), And(hb(m, M), dest(m, d), m != M1))))
"""M goes to d, and its copy carries whatever is true, but not the fact about M1."""
AFTER = Protocol(after_send(S.pasts, j, M))


def necessary(steps: Steps) -> Iterable[Condition]:
    """The continuation: d delivers all that j knows to be sent to d but M1, then j sends M to d, then d delivers M."""
    before = (*PAST[:-1], MISSING)
    other = And(S.pasts.past(j, m), dest(m, d), m != M1)
    yield Condition("T2: none of the others needs M1 first", (*before, other), Not(hb(M1, m)))
    due = ForAll([x], Implies(And(hb(x, m), dest(x, d)), S.pasts.delivered(d, x, d)))
    copy = And(other, Not(S.pasts.delivered(d, m, d)), due)
    yield Condition("T2: of what must precede another, M1 is nothing", (*before, copy, hb(x, m), dest(x, d)), x != M1)
    delivered = Protocol(after_delivery(S.pasts, d, m))
    kept = And(delivered.pasts.required(j, M1, d), Not(delivered.pasts.delivered(d, M1, d)))
    yield Condition("T2: its delivery leaves the fact required", (*before, copy, d != j), kept)
    due = ForAll([x], Implies(And(hb(x, M), dest(x, d)), S.pasts.delivered(d, x, d)))
    known = (*KS_KNOWN, ks.in_transit(KS, d, M), due)
    yield Condition("T2: KS delivers what is due", known, ks.ready(KS, d, M))
    sent = (*PAST, MISSING, OTHERS, NOT_THIS)
    yield Condition("T2: without the fact, M passes the Delivery Condition", sent, ready(AFTER, d, M))
    wrong = after_delivery(AFTER.pasts, d, M)
    order = And(wrong.delivered(d, M, d), hb(M1, M), dest(M1, d), Not(wrong.delivered(d, M1, d)))
    yield Condition("T2: with M, causal order is lost", (*sent, d != j), order)
    unheeded = (*PAST, MISSING, dest(M, d), carries(M, d, M1), d != j)
    yield Condition("T2: so it is with the fact, if nobody waits", unheeded, order)


def possible() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """Such a run exists, and so does one in which the copy carries the fact."""
    yield "T2: the fact can be missing", (*PAST, MISSING, OTHERS, NOT_THIS, d != j, *few())
    yield "T2: it can be ignored", (*PAST, MISSING, dest(M, d), carries(M, d, M1), d != j, *few())


RELIABLE = "no copy is lost or duplicated; channels need not be FIFO"
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "C-KS-T1",
        "Kshemkalyani, Singhal 1998, Theorem 1",
        "propagation constraints + Delivery Condition imply CO",
        (INDUCTION,),
        sufficient,
        assumptions=(RELIABLE,),
        steps=LABELS,
        formula="it suffices that every copy carries what is required of its own destination",
    ),
    Claim(
        "C-KS-T2",
        "Kshemkalyani, Singhal 1998, Theorem 2",
        "both are necessary: if a required fact is missing, or the Delivery Condition is ignored, CO is violated",
        (),
        necessary,
        possible,
        assumptions=(RELIABLE, "no process sends to itself", "what copies carry is true"),
        on_paper=("minimal", "cut"),
        formula="some continuation violates CO:"
        " d delivers all that j knows to be sent to d but M, which is still on its "
        "way; then j sends M' to d, whose copy may carry any other facts, and d delivers it (KS-33)",
    ),
)
