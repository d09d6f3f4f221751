"""Kshemkalyani-Singhal, Distributed Computing 11(2), 1998, Section 4.3, as a transition system for any number of
processes, with the readings of the model's defaults (KS-2b, KS-6a, KS-10a, KS-16a, KS-32a, KS-34a).

The clock of the sender is the order of its messages, and SR[k] at j the newest message of k delivered at j: what RCV(1)
tests of them is that the messages it names are delivered. Entries are named by their message. The initial entries
(s, 0, {}) are left out: they are empty and older than every message, and no test below distinguishes an absent entry
from them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Exists, ForAll, Function, If, Implies, Not, Or

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
    m,
    may_send,
    n,
    newest_before,
    p,
    required_before,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = (
    "SND(2) delete", "SND(2) keep", "SND(2) purge", "SND(3)", "SND(4)", "SND(5)",
    "RCV(1)", "RCV(3) insert", "RCV(3) delete",
    "RCV(4) first test", "RCV(4) second test", "RCV(4) loop 2", "RCV(4) union", "RCV(5)",
)  # fmt: skip


pd_ = z3.Const("pd_", Process)
pn_, tn_ = z3.Consts("pn_ tn_", Message)


@dataclass(frozen=True)
class KS:
    """pasts: what happened. entry(p, m): m has an entry in LOG of p, and D(p, m, d): d is in it. O(x, e, m), OD(x, e,
    m, d): the same of the copy of x to e."""

    pasts: Pasts
    entry: Relation
    D: Relation
    O: Relation
    OD: Relation


def some_state() -> KS:
    """Any state."""
    return KS(
        some_pasts(),
        Function("entry", Process, Message, Bool),
        Function("D", Process, Message, Process, Bool),
        Function("O", Message, Process, Message, Bool),
        Function("OD", Message, Process, Message, Process, Bool),
    )


def initial(s: KS) -> z3.BoolRef:
    """Nothing has happened, and the logs are empty."""
    return And(initially(s.pasts), ForAll([p, m], Not(s.entry(p, m))))


def purged(entry: Relation, D: Relation) -> Relation:
    """PURGE: empty entries go but for the newest of their sender. Both relations are of one log."""
    return lambda m: And(entry(m), Or(Exists([pd_], D(m, pd_)), Not(Exists([pn_], And(entry(pn_), before(m, pn_))))))


def snd(s: KS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """SND: j sends M to its destinations."""

    def carried_D(e: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        left = steps("SND(2) delete", And(s.D(j, m, d), Not(dest(M, d))), s.D(j, m, d))
        return Or(left, steps("SND(2) keep", And(d == e, s.D(j, m, e)), BoolVal(False)))

    def carried(e: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        entries = lambda m: s.entry(j, m)  # noqa: E731
        return steps("SND(2) purge", purged(entries, lambda m, d: carried_D(e, m, d)), entries)(m)

    def D(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        kept = steps("SND(3)", And(s.D(j, m, d), Not(dest(M, d))), s.D(j, m, d))
        return If(m == M, dest(M, d), kept)

    def inserted(m: z3.ExprRef) -> z3.BoolRef:
        return steps("SND(4)", Or(m == M, s.entry(j, m)), s.entry(j, m))

    entry = steps("SND(5)", purged(inserted, D), inserted)
    after = KS(
        after_send(s.pasts, j, M),
        entry=lambda p, m: If(p == j, entry(m), s.entry(p, m)),
        D=lambda p, m, d: If(p == j, D(m, d), s.D(p, m, d)),
        O=lambda x, e, m: If(x == M, carried(e, m), s.O(x, e, m)),
        OD=lambda x, e, m, d: If(x == M, carried_D(e, m, d), s.OD(x, e, m, d)),
    )
    return Action("SND", And(may_send(s.pasts, j, M), Not(dest(M, j))), after)


def ready(s: KS, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """RCV(1): all messages of which the copy says that they must reach j are delivered there."""
    return ForAll([m], Implies(And(s.O(M, j, m), s.OD(M, j, m, j)), s.pasts.delivered(j, m, j)))


def in_transit(s: KS, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def rcv(s: KS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """RCV: j receives and delivers M."""

    def O(m: z3.ExprRef) -> z3.BoolRef:
        return steps("RCV(3) insert", Or(m == M, s.O(M, j, m)), s.O(M, j, m))

    def OD(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        D = If(m == M, dest(M, d), s.OD(M, j, m, d))
        return steps("RCV(3) delete", And(D, d != j), D)

    def LOG(m: z3.ExprRef) -> z3.BoolRef:
        return s.entry(j, m)

    def first_test(o: z3.ExprRef) -> z3.BoolRef:
        return And(Exists([tn_], And(LOG(tn_), before(o, tn_))), Not(LOG(o)))

    def second_test(l: z3.ExprRef) -> z3.BoolRef:
        return And(Exists([tn_], And(O(tn_), before(l, tn_))), Not(O(l)))

    def O_left(m: z3.ExprRef) -> z3.BoolRef:
        return steps("RCV(4) first test", And(O(m), Not(first_test(m))), O(m))

    def LOG_left(m: z3.ExprRef) -> z3.BoolRef:
        return steps("RCV(4) second test", And(LOG(m), Not(second_test(m))), LOG(m))

    def union(m: z3.ExprRef) -> z3.BoolRef:
        return steps("RCV(4) union", Or(O_left(m), LOG_left(m)), LOG_left(m))

    def D(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        both = steps("RCV(4) loop 2", And(OD(m, d), s.D(j, m, d)), s.D(j, m, d))
        return If(And(O_left(m), LOG_left(m)), both, If(O_left(m), OD(m, d), s.D(j, m, d)))

    entry = steps("RCV(5)", purged(union, D), union)
    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        entry=lambda p, m: If(p == j, entry(m), s.entry(p, m)),
        D=lambda p, m, d: If(p == j, D(m, d), s.D(p, m, d)),
    )
    return Action("RCV", And(in_transit(s, j, M), steps("RCV(1)", ready(s, j, M), BoolVal(True))), after)


def facts(s: KS) -> list[tuple[str, z3.BoolRef]]:
    """What LOG and O_M are, on top of the theory of pasts; inductive together with it."""
    newest, newest_x = s.pasts.newest(p, sender(m)), newest_before(x, sender(m))
    return [
        ("LOG has entries of known messages", ForAll([p, m], Implies(s.entry(p, m), s.pasts.past(p, m)))),
        ("O_M has entries of known messages",
         ForAll([x, e, m], Implies(And(s.pasts.sent(x), dest(x, e), s.O(x, e, m)), hb(m, x)))),
        ("LOG is exact",
         ForAll([p, m, d], And(s.entry(p, m), s.D(p, m, d)) == s.pasts.required(p, m, d))),
        ("O_M is exact",
         ForAll([x, e, m, d], Implies(And(s.pasts.sent(x), dest(x, e)),
                                      And(s.O(x, e, m), s.OD(x, e, m, d))
                                      == And(required_before(x, m, d), Or(d == e, Not(dest(x, d))))))),
        ("LOG has the newest message of every known sender",
         ForAll([p, m], Implies(s.pasts.past(p, m), s.entry(p, newest)))),
        ("O_M has the newest message of every known sender",
         ForAll([x, e, m], Implies(And(s.pasts.sent(x), dest(x, e), hb(m, x)), s.O(x, e, newest_x)))),
        ("an empty entry of LOG is the newest of its sender",
         ForAll([p, m, n], Implies(And(s.entry(p, m), s.entry(p, n), before(m, n)), Exists([d], s.D(p, m, d))))),
        ("an empty entry of O_M is the newest of its sender",
         ForAll([x, e, m, n], Implies(And(s.pasts.sent(x), dest(x, e), s.O(x, e, m), s.O(x, e, n), before(m, n)),
                                      Exists([d], s.OD(x, e, m, d))))),
        ("no process sends to itself", ForAll([x], Implies(s.pasts.sent(x), Not(dest(x, sender(x)))))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: KS) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of KS."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
