"""Jang, Park, Cho, Yoon, IEEE FTDCS 1997, Section 4.2, as a transition system for any number of processes, with the
readings of the model's defaults (J-1a, J-2a, J-3b, J-4a, J-5a, J-6a, J-7a, J-8a, J-9a, J-10a).

Tuples are named by their message: (t, D) of CI[k] by the message t of k. Timestamps are the order of the messages of
one sender, so S1, which counts them, has no formula. DLV[k] is a message of k, or nothing yet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, Consts, Exists, ForAll, Function, If, Implies, Not, Or

from .pasts import (
    Bool,
    Message,
    Pasts,
    Process,
    Relation,
    after_delivery,
    after_send,
    before,
    causal_order,
    d,
    dest,
    e,
    facts_of_pasts,
    hb,
    initially,
    k,
    m,
    may_send,
    n,
    newest_before,
    p,
    q,
    required_before,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = (
    "S2 insert", "S2 strike", "S3", "S4", "S5",
    "R1", "R3", "R4 insert", "R4 strike", "R5 CI", "R5 CI_m", "R6 CI", "R6 CI_m", "R7", "R8", "R9",
)  # fmt: skip


left = Const("left", Process)
later, newer, other, named = Consts("later newer other named", Message)
"""What the steps quantify over: names of their own, since a step is part of the formulas of others."""


@dataclass(frozen=True)
class Jang:
    """pasts: what happened. tuple(p, m): CI of p has a tuple of m, and D(p, m, d): d is in it. CI_m(x, m), D_m(x, m,
    d): the same of the copies of x, which all carry the same. DC(x, e, m): m is in the DC that the copy of x to e
    carries. DLV(p, k): the last message of k that p has delivered, if heard(p, k)."""

    pasts: Pasts
    tuple: Relation
    D: Relation
    CI_m: Relation
    D_m: Relation
    DC: Relation
    heard: Relation
    DLV: Relation


def some_state() -> Jang:
    """Any state."""
    return Jang(
        some_pasts(),
        Function("tuple", Process, Message, Bool),
        Function("CI.D", Process, Message, Process, Bool),
        Function("CI_m", Message, Message, Bool),
        Function("CI_m.D", Message, Message, Process, Bool),
        Function("DC", Message, Process, Message, Bool),
        Function("heard", Process, Process, Bool),
        Function("DLV", Process, Process, Message),
    )


def initial(s: Jang) -> z3.BoolRef:
    """Nothing has happened, every CI is empty, and every DLV is zero."""
    return And(initially(s.pasts), ForAll([p, m], Not(s.tuple(p, m))), ForAll([p, q], Not(s.heard(p, q))))


def pruned(tuples: Relation, D: Relation) -> Relation:
    """S3 and R9: empty tuples go but for the latest of their sender. Both relations are of one CI."""
    return lambda m: And(
        tuples(m), Or(Exists([left], D(m, left)), Not(Exists([later], And(tuples(later), before(m, later)))))
    )


def send(s: Jang, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """SEND: i sends M to its destinations."""

    def CI(m: z3.ExprRef) -> z3.BoolRef:
        return s.tuple(i, m)

    def constraints(e: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        return steps("S2 insert", And(CI(m), s.D(i, m, e)), BoolVal(False))

    def D(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        return steps("S2 strike", And(s.D(i, m, d), Not(dest(M, d))), s.D(i, m, d))

    left = steps("S3", pruned(CI, D), CI)

    def carried(m: z3.ExprRef) -> z3.BoolRef:
        return steps("S4", left(m), BoolVal(False))

    def tuples(m: z3.ExprRef) -> z3.BoolRef:
        return steps("S5", Or(m == M, left(m)), left(m))

    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        tuple=lambda p, m: If(p == i, tuples(m), s.tuple(p, m)),
        D=lambda p, m, d: If(p == i, If(m == M, dest(M, d), D(m, d)), s.D(p, m, d)),
        CI_m=lambda x, m: If(x == M, carried(m), s.CI_m(x, m)),
        D_m=lambda x, m, d: If(x == M, D(m, d), s.D_m(x, m, d)),
        DC=lambda x, e, m: If(x == M, constraints(e, m), s.DC(x, e, m)),
    )
    return Action("SEND", And(may_send(s.pasts, i, M), Not(dest(M, i))), after)


def has_reached(s: Jang, i: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """The timestamp of m is at most DLV of its sender at i."""
    last = s.DLV(i, sender(m))
    return And(s.heard(i, sender(m)), Or(m == last, before(m, last)))


def ready(s: Jang, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """R1: DLV has reached all messages in the DC of the copy."""
    return ForAll([named], Implies(s.DC(M, i, named), has_reached(s, i, named)))


def in_transit(s: Jang, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to i is in transit."""
    return And(s.pasts.sent(M), dest(M, i), Not(s.pasts.delivered(i, M, i)))


def united(s: Jang, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> tuple[Relation, Relation]:
    """The tuples of CI after R7, and their D."""

    def CI(m: z3.ExprRef) -> z3.BoolRef:
        return s.tuple(i, m)

    def CI_m(m: z3.ExprRef) -> z3.BoolRef:
        return steps("R4 insert", Or(m == M, s.CI_m(M, m)), s.CI_m(M, m))

    def D_m(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        return If(m == M, steps("R4 strike", And(dest(M, d), d != i), dest(M, d)), s.D_m(M, m, d))

    def CI_left(m: z3.ExprRef) -> z3.BoolRef:
        redundant = And(Not(CI_m(m)), Exists([newer], And(CI_m(newer), before(m, newer))))
        return steps("R5 CI", And(CI(m), Not(redundant)), CI(m))

    def CI_m_left(m: z3.ExprRef) -> z3.BoolRef:
        redundant = And(Not(CI(m)), Exists([newer], And(CI(newer), before(m, newer))))
        return steps("R5 CI_m", And(CI_m(m), Not(redundant)), CI_m(m))

    def tuples(m: z3.ExprRef) -> z3.BoolRef:
        return steps("R7", Or(CI_left(m), CI_m_left(m)), CI_left(m))

    def D(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        common = steps("R6 CI", And(s.D(i, m, d), D_m(m, d)), s.D(i, m, d))
        both = steps("R6 CI_m", common, Or(common, D_m(m, d)))
        return If(And(CI_left(m), CI_m_left(m)), both, If(CI_left(m), s.D(i, m, d), D_m(m, d)))

    return tuples, D


def receive(s: Jang, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """RECEIVE: i receives and delivers M."""
    union, D_union = united(s, i, M, steps)

    def D(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        again = Exists([other], And(union(other), before(m, other), D_union(other, d)))
        return steps("R8", And(D_union(m, d), Not(again)), D_union(m, d))

    tuples = steps("R9", pruned(union, D), union)
    heard = steps("R3", lambda p, q: Or(s.heard(p, q), And(p == i, q == sender(M))), s.heard)
    DLV = steps("R3", lambda p, q: If(And(p == i, q == sender(M)), M, s.DLV(p, q)), s.DLV)
    after = replace(
        s,
        pasts=after_delivery(s.pasts, i, M),
        tuple=lambda p, m: If(p == i, tuples(m), s.tuple(p, m)),
        D=lambda p, m, d: If(p == i, D(m, d), s.D(p, m, d)),
        heard=heard,
        DLV=DLV,
    )
    return Action("RECEIVE", And(in_transit(s, i, M), steps("R1", ready(s, i, M), BoolVal(True))), after)


def exactness(s: Jang) -> list[tuple[str, z3.BoolRef]]:
    """What CI, CI_m, DC and DLV are, on top of the theory of pasts; inductive together with it."""
    newest, newest_x = s.pasts.newest(p, sender(m)), newest_before(x, sender(m))
    sent_to = And(s.pasts.sent(x), dest(x, e))
    last = s.DLV(p, q)
    return [
        ("CI has tuples of known messages", ForAll([p, m], Implies(s.tuple(p, m), s.pasts.past(p, m)))),
        ("CI_m has tuples of known messages",
         ForAll([x, m], Implies(And(s.pasts.sent(x), s.CI_m(x, m)), hb(m, x)))),
        ("CI is exact",
         ForAll([p, m, d], And(s.tuple(p, m), s.D(p, m, d)) == s.pasts.required(p, m, d))),
        ("CI_m is exact",
         ForAll([x, m, d], Implies(s.pasts.sent(x), And(s.CI_m(x, m), s.D_m(x, m, d))
                                   == And(required_before(x, m, d), Not(dest(x, d)))))),
        ("DC is exact", ForAll([x, e, m], Implies(sent_to, s.DC(x, e, m) == required_before(x, m, e)))),
        ("CI has the latest message of every known sender",
         ForAll([p, m], Implies(s.pasts.past(p, m), s.tuple(p, newest)))),
        ("CI_m has the latest message of every known sender",
         ForAll([x, m], Implies(And(s.pasts.sent(x), hb(m, x)), s.CI_m(x, newest_x)))),
        ("DLV is a message that is delivered",
         ForAll([p, q], Implies(s.heard(p, q), And(sender(last) == q, s.pasts.delivered(p, last, p))))),
        ("DLV has reached what is delivered",
         ForAll([p, m], Implies(s.pasts.delivered(p, m, p), has_reached(s, p, m)))),
        ("what DLV has reached is delivered",
         ForAll([p, m], Implies(And(has_reached(s, p, m), dest(m, p)), s.pasts.delivered(p, m, p)))),
        ("no process sends to itself", ForAll([x], Implies(s.pasts.sent(x), Not(dest(x, sender(x)))))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def empty_tuples(s: Jang) -> list[tuple[str, z3.BoolRef]]:
    """Which tuples may be empty. S5 comes after S3: it leaves, of the sender's own messages, an empty one behind, and
    that is the one before the latest."""
    empty = lambda p, m: And(s.tuple(p, m), Not(Exists([d], s.D(p, m, d))))  # noqa: E731
    return [
        ("an empty tuple of CI is the latest of its sender, or the process's own",
         ForAll([p, m, n], Implies(And(empty(p, m), s.tuple(p, n), before(m, n)), sender(m) == p))),
        ("at most one tuple is later than an empty one",
         ForAll([p, m, n, k], Implies(And(empty(p, m), s.tuple(p, n), before(m, n), s.tuple(p, k), before(m, k)),
                                      n == k))),
        ("an empty tuple of CI_m is the latest of its sender",
         ForAll([x, m, n], Implies(And(s.pasts.sent(x), s.CI_m(x, m), s.CI_m(x, n), before(m, n)),
                                   Exists([d], s.D_m(x, m, d))))),
    ]  # fmt: skip


def invariant(s: Jang) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of Jang."""
    return [*facts_of_pasts(s.pasts), *exactness(s), *empty_tuples(s)]
