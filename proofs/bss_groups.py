"""Birman-Schiper-Stephenson, ACM TOCS 9(3), 1991, overlapping groups, in the form of algorithms.md, B4, as a transition
system for any number of processes and groups, with the readings of the model's defaults (BSS-1a, BSS-3a).

A message goes to the other members of its group. `place(m)` is its place among its sender's messages in that group.
d2 is the delivery itself; the own copy is no step of its own. `groups` are those whose vectors d3 merges (BSS-3c).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, ForAll, Function, If, Implies, IntVal, Not, Or

from .counting import Int, Number, a, larger, v
from .pasts import (
    Bool,
    Message,
    Pasts,
    Process,
    after_delivery,
    after_send,
    before,
    causal_order,
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

LABELS = ("s1", "s2", "d1 (1)", "d1 (2)", "d1 (3)", "d3")

Group = z3.DeclareSort("Group")
g = z3.Const("g", Group)
member = Function("member", Group, Process, Bool)
group = Function("group", Message, Group)
place = Function("place", Message, Int)

GROUPS = (
    ("a message goes to the other members of its group",
     ForAll([m, d], dest(m, d) == And(member(group(m), d), d != sender(m)))),
    ("senders are members", ForAll([m], member(group(m), sender(m)))),
    ("a sender's messages in a group are in order",
     ForAll([m, n], Implies(And(before(m, n), group(m) == group(n)), place(m) < place(n)))),
)  # fmt: skip
"""What is given of groups and messages."""


@dataclass(frozen=True)
class BSSGroups:
    """pasts: what happened; count(a, g): messages of a in g sent; nth(a, g, v): the v-th of them. V(p, g, a): that of
    p. T(x, g, a): what the copies of x carry."""

    pasts: Pasts
    count: Number
    nth: Callable[..., z3.ExprRef]
    V: Number
    T: Number


def some_state() -> BSSGroups:
    """Any state."""
    return BSSGroups(
        some_pasts(),
        Function("count_in", Process, Group, Int),
        Function("nth_in", Process, Group, Int, Message),
        Function("V_in", Process, Group, Process, Int),
        Function("T_in", Message, Group, Process, Int),
    )


def initial(s: BSSGroups) -> z3.BoolRef:
    """Nothing has happened, and all counters are 0."""
    return And(initially(s.pasts), ForAll([p, g, a], And(s.count(a, g) == 0, s.V(p, g, a) == 0)))


def snd(s: BSSGroups, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to its group."""
    k = group(M)

    def V(g: z3.ExprRef, a: z3.ExprRef) -> z3.ArithRef:
        return steps("s1", If(And(a == i, g == k), s.V(i, g, a) + 1, s.V(i, g, a)), s.V(i, g, a))

    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        count=lambda a, g: If(And(a == i, g == k), s.count(a, g) + 1, s.count(a, g)),
        nth=lambda a, g, v: If(And(a == i, g == k, v == s.count(a, g) + 1), M, s.nth(a, g, v)),
        V=lambda p, g, a: If(p == i, V(g, a), s.V(p, g, a)),
        T=lambda x, g, a: If(x == M, steps("s2", V(g, a), IntVal(0)), s.T(x, g, a)),
    )
    return Action("send", And(may_send(s.pasts, i, M), place(M) == s.count(i, k) + 1), after)


def in_transit(s: BSSGroups, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: BSSGroups, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> z3.BoolRef:
    """d1, (1) to (3): M is the next of its sender in its group, and j has what its sender knew to be in groups of j."""
    i, k = sender(M), group(M)
    reached = s.T(M, g, a) <= s.V(j, g, a)
    return And(
        steps("d1 (1)", s.T(M, k, i) == s.V(j, k, i) + 1, BoolVal(True)),
        steps("d1 (2)", ForAll([g, a], Implies(And(g == k, a != i, member(g, a)), reached)), BoolVal(True)),
        steps("d1 (3)", ForAll([g, a], Implies(And(g != k, member(g, j), member(g, a)), reached)), BoolVal(True)),
    )


def rcv(
    s: BSSGroups,
    j: z3.ExprRef,
    M: z3.ExprRef,
    steps: Steps = ALL_STEPS,
    groups: Callable[[z3.ExprRef], z3.BoolRef] = lambda g: BoolVal(True),
) -> Action:
    """j receives and delivers M."""
    V = lambda p, g, a: If(And(p == j, groups(g)), larger(s.V(p, g, a), s.T(M, g, a)), s.V(p, g, a))  # noqa: E731
    after = replace(s, pasts=after_delivery(s.pasts, j, M), V=steps("d3", V, s.V))
    return Action("delivery", And(in_transit(s, j, M), ready(s, j, M, steps)), after)


def facts(s: BSSGroups) -> list[tuple[str, z3.BoolRef]]:
    """What the clocks count, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    vth = s.nth(a, g, v)
    return [
        ("messages have a place",
         ForAll([m], Implies(sent(m), And(place(m) >= 1, place(m) <= s.count(sender(m), group(m)))))),
        ("no place is empty",
         ForAll([a, g, v], Implies(And(v >= 1, v <= s.count(a, g)),
                                   And(sent(vth), sender(vth) == a, group(vth) == g, place(vth) == v)))),
        ("V counts messages sent", ForAll([p, g, a], And(s.V(p, g, a) >= 0, s.V(p, g, a) <= s.count(a, g)))),
        ("T counts messages sent",
         ForAll([x, g, a], Implies(sent(x), And(s.T(x, g, a) >= 0, s.T(x, g, a) <= s.count(a, g))))),
        ("V counts all own messages", ForAll([p, g], s.V(p, g, p) == s.count(p, g))),
        ("T has the place of its message", ForAll([x], Implies(sent(x), s.T(x, group(x), sender(x)) == place(x)))),
        ("V counts the known messages",
         ForAll([p, m], Implies(sent(m), past(p, m) == (place(m) <= s.V(p, group(m), sender(m)))))),
        ("T counts the messages known before, and the message",
         ForAll([x, m], Implies(And(sent(x), sent(m)),
                                Or(m == x, hb(m, x)) == (place(m) <= s.T(x, group(m), sender(m)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: BSSGroups) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of BSS in groups."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
