"""Jang, Section 6.1 and J-14: how many tuples a component of CI may have, R6 without multicast, and the same facts as
KS.

A set has at most as many elements as another if each has a place of its own there. `place(p, m)` is such a place of a
tuple: a destination that its D still has, or, if D is empty, any destination of the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3
from z3 import And, Const, Exists, ForAll, Function, Implies, Not, Or

from . import jang, ks
from .claims import Claim, Refutation
from .concrete_runs import World, started
from .conditions import Condition
from .jang import left
from .jang_theorems import INDUCTION, KNOWN, NO_SELF, RELIABLE, S, claim
from .ks_safety import INDUCTION as KS_INDUCTION
from .ks_safety import KNOWN as KS_KNOWN
from .ks_safety import S as KS
from .lemmas import chosen, few
from .pasts import Message, Process, before, d, dest, k, m, n, p, sender, x
from .steps import Steps

M = Const("M", Message)
j = Const("j", Process)
place = Function("place", Process, Message, Process)
place_m = Function("place_m", Message, Message, Process)


def is_place(D: object, place: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """`place` is in D, or D is empty and it is a destination of m."""
    return z3.If(Exists([left], D(left)), D(place), dest(m, place))  # type: ignore[operator]


def full(p: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """The tuple of m in CI of p is the latest of its sender, or its D is not empty."""
    return Or(Exists([left], S.D(p, m, left)), Not(Exists([k], And(S.tuple(p, k), before(m, k)))))


def sizes(steps: Steps) -> Iterable[Condition]:
    """Two tuples of one sender have different places, and the sender itself is nobody's place: at most n - 1 tuples.
    What is left out is the one empty tuple that S5 may leave in the sender's own CI."""
    places = ForAll([m], Implies(S.tuple(p, m), is_place(lambda d: S.D(p, m, d), place(p, m), m)))
    two = And(S.tuple(p, m), S.tuple(p, n), sender(m) == sender(n))
    unlike = And(two, m != n, full(p, m), full(p, n))
    yield Condition("J-B1: places in CI", (*KNOWN, places, unlike), place(p, m) != place(p, n))
    yield Condition("J-B1: the sender is no place in CI", (*KNOWN, places, S.tuple(p, m)), place(p, m) != sender(m))
    left = And(S.tuple(p, m), Not(full(p, m)))
    yield Condition("J-B1: the empty tuple before the latest is the process's own", (*KNOWN, left), sender(m) == p)
    both = And(two, Not(full(p, m)), Not(full(p, n)))
    yield Condition("J-B1: it is one at most", (*KNOWN, both), m == n)
    sent = S.pasts.sent(x)
    places = ForAll([m], Implies(S.CI_m(x, m), is_place(lambda d: S.D_m(x, m, d), place_m(x, m), m)))
    two = And(S.CI_m(x, m), S.CI_m(x, n), sender(m) == sender(n), m != n)
    yield Condition("J-B1: places in CI_m", (*KNOWN, sent, places, two), place_m(x, m) != place_m(x, n))
    alone = (*KNOWN, sent, places, S.CI_m(x, m))
    yield Condition("J-B1: the sender is no place in CI_m", alone, place_m(x, m) != sender(m))


def too_many() -> Sequence[Condition]:
    """1 sends to 3, to 2, and to 2 again: of three processes, the first has three tuples of its own."""
    world = World(3, {"a": (1, frozenset({3})), "b": (1, frozenset({2})), "c": (1, frozenset({2}))})
    run = started(world, jang.some_state(), jang.initial)
    for name in world.sends:
        run = run.step(lambda s, name=name: jang.send(s, world.process(1), world.message(name)))  # type: ignore[misc]
    three = And(*(run.state.tuple(world.process(1), world.message(name)) for name in world.sends))
    return [run.condition("J-B1 as printed: at most n - 1 tuples of one sender", Not(three))]


def r6_with_unicasts() -> Sequence[Condition]:
    """1 sends to 3, which delivers it and sends to 1. At 1, CI says that the first must reach 3, and CI_m that it need
    not: R6 strikes it."""
    world = World(3, {"a": (1, frozenset({3})), "b": (3, frozenset({1}))})
    P, named = world.process, world.message
    run = started(world, jang.some_state(), jang.initial).step(lambda s: jang.send(s, P(1), named("a")))
    run = run.step(lambda s: jang.receive(s, P(3), named("a"))).step(lambda s: jang.send(s, P(3), named("b")))
    without_R6 = jang.receive(run.state, P(1), named("b"), Steps(frozenset({"R6 CI", "R6 CI_m"}))).after
    run = run.step(lambda s: jang.receive(s, P(1), named("b")))
    after = And(run.state.tuple(P(1), m), run.state.D(P(1), m, d))
    same = ForAll([m, d], after == And(without_R6.tuple(P(1), m), without_R6.D(P(1), m, d)))
    return [run.condition("J-I4 as printed: without multicast R6 changes nothing", same)]


def same_facts(steps: Steps) -> Iterable[Condition]:
    """Both transition systems over the same pasts. Each action of the joint system is one of each, possible when both
    are; the invariant of each speaks of its own relations and of the pasts, so both are kept."""
    assert KS.pasts == S.pasts
    known = (*KNOWN, *KS_KNOWN)
    copy = jang.in_transit(S, j, M)
    yield Condition("J-14: the same copies are receivable", (*known, copy), jang.ready(S, j, M) == ks.ready(KS, j, M))
    exact = chosen(jang.exactness(S), "CI is exact") + chosen(ks.facts(KS), "LOG is exact")
    stored = And(S.tuple(p, m), S.D(p, m, d)) == And(KS.entry(p, m), KS.D(p, m, d))
    yield Condition("J-14: CI and LOG", exact, stored)
    exact = chosen(jang.exactness(S), "CI_m is exact", "DC is exact") + chosen(ks.facts(KS), "O_M is exact")
    carried = Or(And(S.CI_m(x, m), S.D_m(x, m, d)), And(S.DC(x, j, m), d == j))
    same = carried == And(KS.O(x, j, m), KS.OD(x, j, m, d))
    yield Condition("J-14: CI_m with DC, and O_M", (*exact, S.pasts.sent(x), dest(x, j)), same)


def both_possible() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """The joint invariant, with a copy in transit."""
    yield "J-14: both at once", (*KNOWN, *KS_KNOWN, jang.in_transit(S, j, M), jang.ready(S, j, M), *few(2))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "C-J-B1",
        "Section 6.1",
        'a component of CI has at most n-1 tuples ("one for each process")',
        sizes,
        refutation=Refutation(too_many, ("jang", "--sends", "3", "--property", "C-J-B1"), 3),
        repaired="at most n-1 tuples in every component of CI_m, and of CI but for the process's own, which may have "
        "one empty tuple more: at most n",
        on_paper=("injection",),
        assumptions=(RELIABLE, NO_SELF, "every message has a destination"),
    ),
    claim(
        "C-J-I4",
        "Section 4.3",
        "R6 matters only for multicast",
        lambda steps: (),
        refutation=Refutation(
            r6_with_unicasts, ("jang", "--sends", "3", "--dests", "unicast", "--property", "C-J-I4"), 4
        ),
    ),
    claim(
        "J-14",
        "Sections 4.2 and, of KS, 4.3",
        "in one and the same run, the facts of CI and DC of every copy and of every state equal those of KS",
        same_facts,
        rests_on=(INDUCTION, KS_INDUCTION),
        witness=both_possible,
    ),
)
