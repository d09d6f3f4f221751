"""Kim-Kim, ICOIN 1996, in the form of algorithms.md, B11, as a transition system for any number of processes, with the
readings of the model's defaults (KK-1a).

DP is a relation: the messages that its pairs name. d2 is the delivery itself, with "d2 count"; the own copy is no step
of its own. `top` is a ghost: for a message of the past, one of DP that is the same or follows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, ForAll, Function, If, Implies, Not, Or

from .counting import Int, Number, Senders, a, number, some_senders
from .pasts import (
    Bool,
    Message,
    Pasts,
    Process,
    Relation,
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
    n,
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps

LABELS = ("s1 attach", "s2", "s2 DP", "d1 sender", "d1 others", "d2 count", "d3 remove", "d3 add")


top_before = Function("top_before", Message, Message, Message)
"""top_before(x, m): what `top` is at the sender of x just before it sends x."""


@dataclass(frozen=True)
class KimKim:
    """pasts, senders and top(p, m): what happened. V(p, a) and DP(p, m): those of p. DPM(x, m): what the copies of x
    carry."""

    pasts: Pasts
    senders: Senders
    top: Callable[..., z3.ExprRef]
    V: Number
    DP: Relation
    DPM: Relation


def some_state() -> KimKim:
    """Any state."""
    return KimKim(
        some_pasts(),
        some_senders(),
        Function("top", Process, Message, Message),
        Function("V", Process, Process, Int),
        Function("DP", Process, Message, Bool),
        Function("DPM", Message, Message, Bool),
    )


def initial(s: KimKim) -> z3.BoolRef:
    """Nothing has happened, all counters are 0, and there are no predecessors."""
    nothing = And(ForAll([p, a], s.V(p, a) == 0), ForAll([p, m], Not(s.DP(p, m))))
    return And(initially(s.pasts), s.senders.initially(), nothing)


def snd(s: KimKim, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to all others; s1 gives M its number."""
    counted = lambda p, a: If(And(p == i, a == i), s.V(i, i) + 1, s.V(p, a))  # noqa: E731
    only_M = lambda p, m: If(p == i, m == M, s.DP(p, m))  # noqa: E731
    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        senders=s.senders.after_send(i, M),
        top=lambda p, m: If(p == i, M, s.top(p, m)),
        V=steps("s2", counted, s.V),
        DP=steps("s2 DP", only_M, s.DP),
        DPM=lambda x, m: If(x == M, steps("s1 attach", s.DP(i, m), BoolVal(False)), s.DPM(x, m)),
    )
    to_all = ForAll([d], dest(M, d) == (d != i))
    tops = ForAll([m], top_before(M, m) == s.top(i, m))
    return Action("send", And(may_send(s.pasts, i, M), s.senders.takes(i, M), to_all, tops), after)


def in_transit(s: KimKim, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: KimKim, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> z3.BoolRef:
    """d1: M is the next of its sender, and its direct predecessors are counted."""
    return And(
        steps("d1 sender", s.V(j, sender(M)) == number(M) - 1, BoolVal(True)),
        steps("d1 others", ForAll([m], Implies(s.DPM(M, m), s.V(j, sender(m)) >= number(m))), BoolVal(True)),
    )


def rcv(s: KimKim, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M."""

    def DP(m: z3.ExprRef) -> z3.BoolRef:
        left = steps("d3 remove", And(s.DP(j, m), Not(s.DPM(M, m))), s.DP(j, m))
        return steps("d3 add", Or(left, m == M), left)

    counted = lambda p, a: If(And(p == j, a == sender(M)), number(M), s.V(p, a))  # noqa: E731
    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        top=lambda p, m: If(And(p == j, Or(m == M, s.DPM(M, s.top(j, m)))), M, s.top(p, m)),
        V=steps("d2 count", counted, s.V),
        DP=lambda p, m: If(p == j, DP(m), s.DP(p, m)),
    )
    return Action("delivery", And(in_transit(s, j, M), ready(s, j, M, steps)), after)


def facts(s: KimKim) -> list[tuple[str, z3.BoolRef]]:
    """V is the past, and DP its leaves, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered, count = s.pasts.sent, s.pasts.past, s.pasts.delivered, s.senders.count
    top, top_x = s.top(p, m), top_before(x, m)
    return [
        *s.senders.facts(sent),
        ("every message goes to all others", ForAll([x, d], Implies(sent(x), dest(x, d) == (d != sender(x))))),
        ("V counts messages sent", ForAll([p, a], And(s.V(p, a) >= 0, s.V(p, a) <= count(a)))),
        ("V counts all own messages", ForAll([p], s.V(p, p) == count(p))),
        ("V is the past", ForAll([p, m], Implies(sent(m), past(p, m) == (number(m) <= s.V(p, sender(m)))))),
        ("DP has known messages", ForAll([p, m], Implies(s.DP(p, m), past(p, m)))),
        ("DPM has messages known before", ForAll([x, m], Implies(And(sent(x), s.DPM(x, m)), hb(m, x)))),
        ("no known message follows one of DP",
         ForAll([p, m, n], Implies(And(s.DP(p, m), past(p, n)), Not(hb(m, n))))),
        ("no message known before follows one of DPM",
         ForAll([x, m, n], Implies(And(sent(x), s.DPM(x, m), hb(n, x)), Not(hb(m, n))))),
        ("DP has the same or a later message",
         ForAll([p, m], Implies(past(p, m), And(s.DP(p, top), Or(m == top, hb(m, top)))))),
        ("DPM has the same or a later message",
         ForAll([x, m], Implies(And(sent(x), hb(m, x)), And(s.DPM(x, top_x), Or(m == top_x, hb(m, top_x)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: KimKim) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, as far as it is needed here, and the facts of Kim-Kim."""
    unneeded = ("newest", "latest", "cover")
    pasts = [(name, fact) for name, fact in facts_of_pasts(s.pasts) if not any(word in name for word in unneeded)]
    return [*pasts, *facts(s)]
