"""Raynal-Schiper-Toueg, IPL 39, 1991, in the form of algorithms.md, B1, as a transition system for any number of
processes, with the readings of the model's defaults (RST-1a, RST-2a, RST-3a, RST-4a, RST-5a, RST-6a, GK-19b, X-5a).

d2 is the delivery itself. The other readings of RST-1 and RST-2 are arguments of `rcv`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, ForAll, Function, If, Implies, IntVal, Not

from .counting import Channels, Int, Number, a, index, larger, some_channels
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

LABELS = ("s1", "s2", "d1", "d3", "d4", "d5")


@dataclass(frozen=True)
class RST:
    """pasts and channels: what happened. SENT(p, a, d) and DELIV(p, a): those of p. ST(x, a, d): that of the copies of
    x."""

    pasts: Pasts
    channels: Channels
    SENT: Number
    DELIV: Number
    ST: Number


def some_state() -> RST:
    """Any state."""
    return RST(
        some_pasts(),
        some_channels(),
        Function("SENT", Process, Process, Process, Int),
        Function("DELIV", Process, Process, Int),
        Function("ST", Message, Process, Process, Int),
    )


def initial(s: RST) -> z3.BoolRef:
    """Nothing has happened, and all counters are 0."""
    return And(
        initially(s.pasts),
        s.channels.initially(),
        ForAll([p, a, d], And(s.SENT(p, a, d) == 0, s.DELIV(p, a) == 0)),
    )


def plus_one(counter: z3.ArithRef, condition: z3.BoolRef) -> z3.ArithRef:
    """The counter, incremented where the condition holds."""
    return If(condition, counter + 1, counter)


def snd(s: RST, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to its destinations."""

    def SENT(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return steps("s2", plus_one(s.SENT(i, a, d), And(a == i, dest(M, d))), s.SENT(i, a, d))

    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        channels=s.channels.after_send(i, M),
        SENT=lambda p, a, d: If(p == i, SENT(a, d), s.SENT(p, a, d)),
        ST=lambda x, a, d: If(x == M, steps("s1", s.SENT(i, a, d), IntVal(0)), s.ST(x, a, d)),
    )
    return Action("send", And(may_send(s.pasts, i, M), s.channels.takes(i, M), Not(dest(M, i))), after)


def in_transit(s: RST, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: RST, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: as many messages of each process are delivered as ST says were sent to j."""
    return ForAll([a], s.DELIV(j, a) >= s.ST(M, a, j))


def rcv(
    s: RST, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS, recorded: str = "a", order: str = "a"
) -> Action:
    """j receives and delivers M; `recorded` and `order` are the letters of RST-1 (a or b) and RST-2."""
    i = sender(M)

    def counted(matrix: Number, a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        copies = dest(M, d) if recorded == "a" else d == j
        return steps("d4", plus_one(matrix(a, d), And(a == i, copies)), matrix(a, d))

    def ours(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return s.SENT(j, a, d)

    def theirs(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return s.ST(M, a, d)

    def united(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return larger(ours(a, d), theirs(a, d))

    def SENT(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        if order == "a":
            return steps("d5", larger(ours(a, d), counted(theirs, a, d)), ours(a, d))
        if order == "b":
            return steps("d5", larger(counted(ours, a, d), theirs(a, d)), counted(ours, a, d))
        return counted(steps("d5", united, ours), a, d)

    DELIV = lambda p, a: plus_one(s.DELIV(p, a), And(p == j, a == i))  # noqa: E731
    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        SENT=lambda p, a, d: If(p == j, SENT(a, d), s.SENT(p, a, d)),
        DELIV=steps("d3", DELIV, s.DELIV),
    )
    return Action("delivery", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def facts(s: RST) -> list[tuple[str, z3.BoolRef]]:
    """What the counters count, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    copy = And(sent(m), dest(m, d))
    return [
        *s.channels.facts(sent),
        ("SENT counts messages sent",
         ForAll([p, a, d], And(s.SENT(p, a, d) >= 0, s.SENT(p, a, d) <= s.channels.count(a, d)))),
        ("ST counts messages sent",
         ForAll([x, a, d], Implies(sent(x), And(s.ST(x, a, d) >= 0, s.ST(x, a, d) <= s.channels.count(a, d))))),
        ("SENT counts the known messages",
         ForAll([p, m, d], Implies(copy, past(p, m) == (index(m, d) <= s.SENT(p, sender(m), d))))),
        ("ST counts the messages known before",
         ForAll([x, m, d], Implies(And(sent(x), copy), hb(m, x) == (index(m, d) <= s.ST(x, sender(m), d))))),
        ("SENT counts all own messages", ForAll([p, d], s.SENT(p, p, d) == s.channels.count(p, d))),
        ("ST counts the own messages before",
         ForAll([x, d], Implies(And(sent(x), dest(x, d)), s.ST(x, sender(x), d) == index(x, d) - 1))),
        ("DELIV counts messages sent",
         ForAll([d, a], And(s.DELIV(d, a) >= 0, s.DELIV(d, a) <= s.channels.count(a, d)))),
        ("the first DELIV[a] messages of a are delivered",
         ForAll([m, d], Implies(copy, delivered(d, m, d) == (index(m, d) <= s.DELIV(d, sender(m)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("no process sends to itself", ForAll([x], Implies(sent(x), Not(dest(x, sender(x)))))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: RST) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of RST."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
