"""Prakash-Raynal-Singhal, ICDCS 1996, in the form of algorithms.md, B7, as a transition system for any number of
processes, with the readings of the model's defaults (PRS-1a, PRS-2a, PRS-3a, PRS-4a, X-5a).

CB[d] has one pair for a process: it is a vector of counts, where 0 stands for no pair. d2 has two parts: the delivery
itself, and the count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, ForAll, Function, If, Implies, IntVal, Not

from .counting import Int, Number, Senders, a, larger, number, some_senders
from .pasts import (
    Message,
    Pasts,
    Process,
    after_delivery,
    after_send,
    causal_order,
    d,
    delivered_before,
    dest,
    facts_of_pasts,
    hb,
    initially,
    m,
    may_send,
    n,
    p,
    q,
    required_before,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = ("s1", "s2", "s3", "d1", "d2 count", "d3", "d4", "d5", "d6")


@dataclass(frozen=True)
class PRS:
    """pasts and senders: what happened; the variable `sent` of p is senders.count(p). DELIV(p, k, l) and CB(p, d, k):
    those of p. CBM(x, d, k): that of the copies of x."""

    pasts: Pasts
    senders: Senders
    DELIV: Number
    CB: Number
    CBM: Number


def some_state() -> PRS:
    """Any state."""
    return PRS(
        some_pasts(),
        some_senders(),
        Function("DELIV", Process, Process, Process, Int),
        Function("CB", Process, Process, Process, Int),
        Function("CBM", Message, Process, Process, Int),
    )


def initial(s: PRS) -> z3.BoolRef:
    """Nothing has happened, all counts are 0, and CB is empty."""
    zero = ForAll([p, q, d], And(s.DELIV(p, q, d) == 0, s.CB(p, q, d) == 0))
    return And(initially(s.pasts), s.senders.initially(), zero)


def preceded(CB: Number, M: z3.ExprRef) -> Number:
    """CB after M: for its destinations, the pair of M replaces all others."""
    return lambda d, a: If(dest(M, d), If(a == sender(M), number(M), 0), CB(d, a))


def snd(s: PRS, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to its destinations; s1 gives M its number."""
    before: Number = lambda d, a: s.CB(i, d, a)  # noqa: E731
    CB = steps("s3", preceded(before, M), before)
    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        senders=s.senders.after_send(i, M),
        CB=lambda p, d, a: If(p == i, CB(d, a), s.CB(p, d, a)),
        CBM=lambda x, d, a: If(x == M, steps("s2", before(d, a), IntVal(0)), s.CBM(x, d, a)),
    )
    numbered = steps("s1", s.senders.takes(i, M), number(M) == s.senders.count(i))
    return Action("send", And(may_send(s.pasts, i, M), numbered, Not(dest(M, i))), after)


def in_transit(s: PRS, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: PRS, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: the pairs of CBM[j] are reached."""
    return ForAll([a], s.DELIV(j, a, j) >= s.CBM(M, j, a))


def rcv(s: PRS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M."""
    i = sender(M)

    def counted(k: z3.ExprRef, l: z3.ExprRef) -> z3.ArithRef:
        return steps("d2 count", If(And(k == i, l == j), number(M), s.DELIV(j, k, l)), s.DELIV(j, k, l))

    def DELIV(k: z3.ExprRef, l: z3.ExprRef) -> z3.ArithRef:
        learned = If(l == i, larger(counted(k, l), s.CBM(M, i, k)), counted(k, l))
        return steps("d3", learned, counted(k, l))

    def carried(d: z3.ExprRef, a: z3.ExprRef) -> z3.ArithRef:
        return s.CBM(M, d, a)

    CBM: Number = steps("d4", preceded(carried, M), carried)

    def united(d: z3.ExprRef, a: z3.ExprRef) -> z3.ArithRef:
        return steps("d5", larger(s.CB(j, d, a), CBM(d, a)), s.CB(j, d, a))

    def CB(d: z3.ExprRef, a: z3.ExprRef) -> z3.ArithRef:
        pruned = If(And(d != j, DELIV(a, d) >= united(d, a)), 0, united(d, a))
        return steps("d6", pruned, united(d, a))

    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        DELIV=lambda p, k, l: If(p == j, DELIV(k, l), s.DELIV(p, k, l)),
        CB=lambda p, d, a: If(p == j, CB(d, a), s.CB(p, d, a)),
    )
    return Action("delivery", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def facts(s: PRS) -> list[tuple[str, z3.BoolRef]]:
    """What CB and DELIV say, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered, count = s.pasts.sent, s.pasts.past, s.pasts.delivered, s.senders.count
    named, named_x = s.senders.nth(a, s.CB(p, d, a)), s.senders.nth(a, s.CBM(x, d, a))
    copy = And(sent(m), dest(m, d))
    return [
        *s.senders.facts(sent),
        ("DELIV counts messages sent",
         ForAll([p, a, d], And(s.DELIV(p, a, d) >= 0, s.DELIV(p, a, d) <= count(a)))),
        ("CB has messages sent", ForAll([p, d, a], And(s.CB(p, d, a) >= 0, s.CB(p, d, a) <= count(a)))),
        ("CBM has messages sent",
         ForAll([x, d, a], Implies(sent(x), And(s.CBM(x, d, a) >= 0, s.CBM(x, d, a) <= count(a))))),
        ("CB[d] has known messages to d",
         ForAll([p, d, a], Implies(s.CB(p, d, a) >= 1, And(past(p, named), dest(named, d))))),
        ("CBM[d] has messages to d that were known before",
         ForAll([x, d, a], Implies(And(sent(x), s.CBM(x, d, a) >= 1), And(hb(named_x, x), dest(named_x, d))))),
        ("CB misses nothing that is required",
         ForAll([p, m, d], Implies(s.pasts.required(p, m, d), s.CB(p, d, sender(m)) == number(m)))),
        ("CBM misses nothing that was required",
         ForAll([x, m, d], Implies(And(sent(x), required_before(x, m, d)), s.CBM(x, d, sender(m)) == number(m)))),
        ("what DELIV counts is delivered in the past",
         ForAll([p, m, d], Implies(And(copy, number(m) <= s.DELIV(p, sender(m), d)), delivered(p, m, d)))),
        ("DELIV counts what is delivered here",
         ForAll([m, d], Implies(And(sent(m), delivered(d, m, d)), number(m) <= s.DELIV(d, sender(m), d)))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("what a sender knew to be sent to it was delivered",
         ForAll([x, m], Implies(And(sent(x), hb(m, x), dest(m, sender(x))), delivered_before(x, m, sender(x))))),
        ("causal order is known of what is known to be delivered",
         ForAll([p, m, n, d], Implies(And(delivered(p, n, d), hb(m, n), dest(m, d)), delivered(p, m, d)))),
        ("causal order was known of what was known to be delivered",
         ForAll([x, m, n, d], Implies(And(sent(x), delivered_before(x, n, d), hb(m, n), dest(m, d)),
                                      delivered_before(x, m, d)))),
        ("what DELIV shows to be delivered is not in CB",
         ForAll([p, d, a], Implies(And(d != p, s.CB(p, d, a) >= 1), s.DELIV(p, a, d) < s.CB(p, d, a)))),
        ("the own row of CB counts what is delivered here, as DELIV does",
         ForAll([p, a], s.CB(p, p, a) == s.DELIV(p, a, p))),
        ("no process sends to itself", ForAll([x], Implies(sent(x), Not(dest(x, sender(x)))))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: PRS) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of PRS."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
