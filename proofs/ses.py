"""Schiper-Eggli-Sandoz, LNCS 392, 1989, in the form of algorithms.md, B2, as a transition system for any number of
processes, with the readings of the model's defaults (SES-1a, SES-2a, SES-3a).

A vector is a function of processes, and V a relation that says for which destinations there is a pair, with a vector
for each of them. d2 is the delivery itself. The clock of a process counts its sends, so a clock that has reached
`number(m)` in the component of m's sender is that of a past with m.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Exists, ForAll, Function, If, Implies, IntVal, Not, Or

from .counting import Int, Number, Senders, a, larger, number, some_senders
from .pasts import (
    Bool,
    Message,
    Pasts,
    Process,
    Relation,
    after_delivery,
    after_send,
    causal_order,
    covered_before,
    d,
    dest,
    facts_of_pasts,
    hb,
    initially,
    m,
    may_send,
    n,
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = ("s1", "s2", "s3", "d1", "d3", "d4", "d5")


@dataclass(frozen=True)
class SES:
    """pasts and senders: what happened. T(p, a): the clock of p; has(p, d): V of p has a pair for d; V(p, d, a): its
    vector. tm(x, a), has_M(x, d), VM(x, d, a): what the copies of x carry."""

    pasts: Pasts
    senders: Senders
    T: Number
    has: Relation
    V: Number
    tm: Number
    has_M: Relation
    VM: Number


def some_state() -> SES:
    """Any state."""
    return SES(
        some_pasts(),
        some_senders(),
        Function("T", Process, Process, Int),
        Function("has", Process, Process, Bool),
        Function("V", Process, Process, Process, Int),
        Function("tm", Message, Process, Int),
        Function("has_M", Message, Process, Bool),
        Function("VM", Message, Process, Process, Int),
    )


def initial(s: SES) -> z3.BoolRef:
    """Nothing has happened, the clocks are 0, and there are no pairs."""
    nothing = And(ForAll([p, a], s.T(p, a) == 0), ForAll([p, d], Not(s.has(p, d))))
    return And(initially(s.pasts), s.senders.initially(), nothing)


def snd(s: SES, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to its destinations."""

    def T(a: z3.ExprRef) -> z3.ArithRef:
        return steps("s1", If(a == i, s.T(i, a) + 1, s.T(i, a)), s.T(i, a))

    def has(d: z3.ExprRef) -> z3.BoolRef:
        return steps("s3", Or(dest(M, d), s.has(i, d)), s.has(i, d))

    def V(d: z3.ExprRef, a: z3.ExprRef) -> z3.ArithRef:
        return steps("s3", If(dest(M, d), T(a), s.V(i, d, a)), s.V(i, d, a))

    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        senders=s.senders.after_send(i, M),
        T=lambda p, a: If(p == i, T(a), s.T(p, a)),
        has=lambda p, d: If(p == i, has(d), s.has(p, d)),
        V=lambda p, d, a: If(p == i, V(d, a), s.V(p, d, a)),
        tm=lambda x, a: If(x == M, steps("s2", T(a), IntVal(0)), s.tm(x, a)),
        has_M=lambda x, d: If(x == M, steps("s2", s.has(i, d), BoolVal(False)), s.has_M(x, d)),
        VM=lambda x, d, a: If(x == M, s.V(i, d, a), s.VM(x, d, a)),
    )
    return Action("send", And(may_send(s.pasts, i, M), s.senders.takes(i, M), Not(dest(M, i))), after)


def in_transit(s: SES, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: SES, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: VM has no pair for j, or the clock has reached its vector."""
    return Or(Not(s.has_M(M, j)), ForAll([a], s.VM(M, j, a) <= s.T(j, a)))


Pairs = tuple[Callable[[z3.ExprRef], z3.BoolRef], Callable[[z3.ExprRef, z3.ExprRef], z3.ArithRef]]


def merged(ours: Pairs, theirs: Pairs) -> Pairs:
    """All pairs; the maximum where both have one."""

    def has(d: z3.ExprRef) -> z3.BoolRef:
        return Or(ours[0](d), theirs[0](d))

    def V(d: z3.ExprRef, a: z3.ExprRef) -> z3.ArithRef:
        one, other = ours[1](d, a), theirs[1](d, a)
        return If(And(ours[0](d), theirs[0](d)), larger(one, other), If(ours[0](d), one, other))

    return has, V


def rcv(s: SES, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M."""
    ours: Pairs = (lambda d: s.has(j, d), lambda d, a: s.V(j, d, a))
    carried: Pairs = (lambda d: And(s.has_M(M, d), d != j), lambda d, a: s.VM(M, d, a))
    copies: Pairs = (lambda d: And(dest(M, d), d != j), lambda d, a: s.tm(M, a))
    pairs = steps("d3", merged(ours, carried), ours)
    has, V = steps("d4", merged(pairs, copies), pairs)

    def T(a: z3.ExprRef) -> z3.ArithRef:
        return steps("d5", larger(s.T(j, a), s.tm(M, a)), s.T(j, a))

    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        T=lambda p, a: If(p == j, T(a), s.T(p, a)),
        has=lambda p, d: If(p == j, has(d), s.has(p, d)),
        V=lambda p, d, a: If(p == j, V(d, a), s.V(p, d, a)),
    )
    return Action("delivery", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def facts(s: SES) -> list[tuple[str, z3.BoolRef]]:
    """What the clocks count, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered, covered = s.pasts.sent, s.pasts.past, s.pasts.delivered, s.pasts.covered
    count = s.senders.count
    in_V = And(s.has(p, d), number(m) <= s.V(p, d, sender(m)))
    open_V = And(past(p, m), dest(m, d), Not(delivered(d, m, d)))
    open_VM = And(sent(x), hb(m, x), dest(m, d), Not(delivered(d, m, d)))
    in_VM = And(s.has_M(x, d), number(m) <= s.VM(x, d, sender(m)))
    return [
        *s.senders.facts(sent),
        ("T counts messages sent", ForAll([p, a], And(s.T(p, a) >= 0, s.T(p, a) <= count(a)))),
        ("tm counts messages sent",
         ForAll([x, a], Implies(sent(x), And(s.tm(x, a) >= 0, s.tm(x, a) <= count(a))))),
        ("V counts messages sent",
         ForAll([p, d, a], Implies(s.has(p, d), And(s.V(p, d, a) >= 0, s.V(p, d, a) <= count(a))))),
        ("VM counts messages sent",
         ForAll([x, d, a], Implies(And(sent(x), s.has_M(x, d)),
                                   And(s.VM(x, d, a) >= 0, s.VM(x, d, a) <= count(a))))),
        ("T is the past", ForAll([p, m], Implies(sent(m), past(p, m) == (number(m) <= s.T(p, sender(m)))))),
        ("T counts all own messages", ForAll([p], s.T(p, p) == count(p))),
        ("tm is the past of the message, and the message",
         ForAll([x, m], Implies(And(sent(x), sent(m)),
                                Or(m == x, hb(m, x)) == (number(m) <= s.tm(x, sender(m)))))),
        ("V counts what is sent to d or was before a send to d",
         ForAll([p, m, d], Implies(And(sent(m), in_V), Or(And(past(p, m), dest(m, d)), covered(p, m, d))))),
        ("VM counts what was sent to d or was before a send to d",
         ForAll([x, m, d], Implies(And(sent(x), sent(m), in_VM),
                                   Or(And(hb(m, x), dest(m, d)), covered_before(x, m, d))))),
        ("V has a pair for what may be undelivered", ForAll([p, m, d], Implies(open_V, s.has(p, d)))),
        ("V counts what may be undelivered", ForAll([p, m, d], Implies(open_V, number(m) <= s.V(p, d, sender(m))))),
        ("VM has a pair for what may be undelivered", ForAll([x, m, d], Implies(open_VM, s.has_M(x, d)))),
        ("VM counts what may be undelivered",
         ForAll([x, m, d], Implies(open_VM, number(m) <= s.VM(x, d, sender(m))))),
        ("no process has a pair for itself", ForAll([p], Not(s.has(p, p)))),
        ("what is covered is followed by a send",
         ForAll([p, m, d], Implies(covered(p, m, d), Exists([n], And(past(p, n), hb(m, n), dest(n, d)))))),
        ("what was covered was followed by a send",
         ForAll([x, m, d], Implies(And(sent(x), covered_before(x, m, d)),
                                   Exists([n], And(hb(n, x), hb(m, n), dest(n, d)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("no process sends to itself", ForAll([x], Implies(sent(x), Not(dest(x, sender(x)))))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: SES) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of SES."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
