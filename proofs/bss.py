"""Birman-Schiper-Stephenson, ACM TOCS 9(3), 1991, one group, in the form of algorithms.md, B3, as a transition system
for any number of processes, with the readings of the model's defaults (BSS-1a, BSS-2a, BSS-5a).

d2 is the delivery itself; the own copy is no step of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, ForAll, Function, If, Implies, IntVal, Not, Or

from .counting import Int, Number, Senders, a, number, some_senders
from .pasts import (
    Message,
    Pasts,
    Process,
    after_delivery,
    after_send,
    causal_order,
    d,
    dest,
    facts_of_pasts,
    hb,
    initially,
    m,
    may_send,
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = ("s1", "s2", "d1 sender", "d1 others", "d3")


@dataclass(frozen=True)
class BSS:
    """pasts and senders: what happened. V(p, a): that of p. T(x, a): what the copies of x carry."""

    pasts: Pasts
    senders: Senders
    V: Number
    T: Number


def some_state() -> BSS:
    """Any state."""
    return BSS(some_pasts(), some_senders(), Function("V", Process, Process, Int), Function("T", Message, Process, Int))


def initial(s: BSS) -> z3.BoolRef:
    """Nothing has happened, and all counters are 0."""
    return And(initially(s.pasts), s.senders.initially(), ForAll([p, a], s.V(p, a) == 0))


def to_all(M: z3.ExprRef) -> z3.BoolRef:
    """M goes to all but its sender."""
    return ForAll([d], dest(M, d) == (d != sender(M)))


def snd(s: BSS, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to all others."""

    def V(a: z3.ExprRef) -> z3.ArithRef:
        return steps("s1", If(a == i, s.V(i, a) + 1, s.V(i, a)), s.V(i, a))

    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        senders=s.senders.after_send(i, M),
        V=lambda p, a: If(p == i, V(a), s.V(p, a)),
        T=lambda x, a: If(x == M, steps("s2", V(a), IntVal(0)), s.T(x, a)),
    )
    return Action("send", And(may_send(s.pasts, i, M), s.senders.takes(i, M), to_all(M)), after)


def in_transit(s: BSS, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: BSS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> z3.BoolRef:
    """d1: M is the next of its sender, and what its sender had delivered is delivered here."""
    i = sender(M)
    return And(
        steps("d1 sender", s.T(M, i) == s.V(j, i) + 1, BoolVal(True)),
        steps("d1 others", ForAll([a], Implies(a != i, s.T(M, a) <= s.V(j, a))), BoolVal(True)),
    )


def rcv(s: BSS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M."""
    V = lambda p, a: If(And(p == j, a == sender(M)), s.T(M, a), s.V(p, a))  # noqa: E731
    after = replace(s, pasts=after_delivery(s.pasts, j, M), V=steps("d3", V, s.V))
    return Action("delivery", And(in_transit(s, j, M), ready(s, j, M, steps)), after)


def facts(s: BSS) -> list[tuple[str, z3.BoolRef]]:
    """What the clocks count, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered, count = s.pasts.sent, s.pasts.past, s.pasts.delivered, s.senders.count
    return [
        *s.senders.facts(sent),
        ("every message goes to all others", ForAll([x, d], Implies(sent(x), dest(x, d) == (d != sender(x))))),
        ("V counts messages sent", ForAll([p, a], And(s.V(p, a) >= 0, s.V(p, a) <= count(a)))),
        ("T counts messages sent",
         ForAll([x, a], Implies(sent(x), And(s.T(x, a) >= 0, s.T(x, a) <= count(a))))),
        ("V counts all own messages", ForAll([p], s.V(p, p) == count(p))),
        ("T has the number of its message", ForAll([x], Implies(sent(x), s.T(x, sender(x)) == number(x)))),
        ("V is the past", ForAll([p, m], Implies(sent(m), past(p, m) == (number(m) <= s.V(p, sender(m)))))),
        ("T is the past of the message, and the message",
         ForAll([x, m], Implies(And(sent(x), sent(m)),
                                Or(m == x, hb(m, x)) == (number(m) <= s.T(x, sender(m)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: BSS) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of BSS."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
