"""Sanchez-Alvarez, DISC 2000, Section 3, as a transition system for any number of processes, with the readings of the
model's defaults (SA-1a, SA-6a, SA-7a, SA-8a, SA-9a, SA-13a); the labels are those of algorithms.md, section 6.

Here a process may send an extra message for any column but its own at any time. The algorithm does so when its matrix
has too many entries (x1), so what holds here holds for every threshold, every choice of the column, and every moment of
the check (SA-2 to SA-5, SA-11); the threshold itself is in sa_size.py.

User and extra messages are of one sort. `index(m, d)` is the place of m among all messages of its sender to d. The past
of a process is that of the application: an extra message belongs to it from its send on, but its delivery adds nothing
to the past of the process that delivers it (SA-12a). `holder` is a ghost: for a known message m to d that may still be
undelivered, a message that the matrix counts in column d, and that is m or follows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Consts, ForAll, Function, If, Implies, IntSort, Not, Or

from .pasts import Bool, Message, Process, Relation, d, dest, hb, m, n, p, sender, x
from .steps import ALL_STEPS, Action, Steps

LABELS = (
    "u1", "u2 reset", "u2 count", "d1", "d2 reset", "d2 copies", "d2 merge", "d2 zero", "d2 count",
    "x2", "x2 reset", "x2 count", "x3", "x3 count",
)  # fmt: skip

Int = IntSort()
a, b = Consts("a b", Process)
v = z3.Const("v", Int)

user = Function("user", Message, Bool)
"""user(m): m is a message of the application; else it is an extra message, which has one destination."""
index = Function("index", Message, Process, Int)
holder_before = Function("holder_before", Message, Message, Process, Message)
"""holder_before(x, m, d): what `holder` is at the sender of x just before it sends x."""

Number = Callable[..., z3.ArithRef]


@dataclass(frozen=True)
class SA:
    """sent(m); past(p, m); delivered(d, m): m is delivered at d; count(a, d): messages of a to d sent so far;
    nth(a, d, v): the v-th of them; holder as above. M(p, a, b), DELIV(p, a): those of p. Mm(x, a, b): that of x."""

    sent: Relation
    past: Relation
    delivered: Relation
    count: Number
    nth: Callable[..., z3.ExprRef]
    holder: Callable[..., z3.ExprRef]
    M: Number
    DELIV: Number
    Mm: Number


def some_state(name: str = "") -> SA:
    """Any state; another one for each name."""
    return SA(
        Function("sent" + name, Message, Bool),
        Function("past" + name, Process, Message, Bool),
        Function("delivered" + name, Process, Message, Bool),
        Function("count" + name, Process, Process, Int),
        Function("nth" + name, Process, Process, Int, Message),
        Function("holder" + name, Process, Message, Process, Message),
        Function("M" + name, Process, Process, Process, Int),
        Function("DELIV" + name, Process, Process, Int),
        Function("Mm" + name, Message, Process, Process, Int),
    )


def initial(s: SA) -> z3.BoolRef:
    """Nothing has happened, and all counts are 0."""
    return And(
        ForAll([m], Not(s.sent(m))),
        ForAll([p, m], Not(Or(s.past(p, m), s.delivered(p, m)))),
        ForAll([a, b], And(s.count(a, b) == 0, s.DELIV(a, b) == 0)),
        ForAll([p, a, b], s.M(p, a, b) == 0),
    )


def larger(left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
    """The maximum."""
    return If(left >= right, left, right)


def satisfied(s: SA, M: Number, b: z3.ExprRef) -> z3.BoolRef:
    """The constraints of a matrix M[a][b] at b: b has delivered the first M[a][b] messages of each a."""
    return ForAll([a], s.DELIV(b, a) >= M(a, b))


def may_send(s: SA, i: z3.ExprRef, x: z3.ExprRef) -> z3.BoolRef:
    """x is the next message of i, to others, and its own past is that of i now."""
    return And(
        Not(s.sent(x)),
        sender(x) == i,
        Not(dest(x, i)),
        ForAll([m], hb(m, x) == s.past(i, m)),
        ForAll([d], Implies(dest(x, d), index(x, d) == s.count(i, d) + 1)),
        ForAll([m, d], holder_before(x, m, d) == s.holder(i, m, d)),
    )


def sent_by(s: SA, i: z3.ExprRef, x: z3.ExprRef, reset: str, count: str, carried: Number, steps: Steps) -> SA:
    """The state after i has sent x, which carries `carried`; the columns of its destinations become the count of x."""

    def M(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        old = steps(reset, If(And(dest(x, d), a != i), 0, s.M(i, a, d)), s.M(i, a, d))
        return steps(count, If(And(dest(x, d), a == i), old + 1, old), old)

    return replace(
        s,
        sent=lambda m: Or(m == x, s.sent(m)),
        past=lambda p, m: Or(s.past(p, m), And(p == i, m == x)),
        count=lambda a, d: If(And(a == i, dest(x, d)), s.count(a, d) + 1, s.count(a, d)),
        nth=lambda a, d, v: If(And(a == i, dest(x, d), v == s.count(a, d) + 1), x, s.nth(a, d, v)),
        holder=lambda p, m, d: If(And(p == i, dest(x, d)), x, s.holder(p, m, d)),
        M=lambda p, a, d: If(p == i, M(a, d), s.M(p, a, d)),
        Mm=lambda y, a, d: If(y == x, carried(a, d), s.Mm(y, a, d)),
    )


def snd(s: SA, i: z3.ExprRef, x: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """User Send: i sends x."""
    after = sent_by(
        s, i, x, "u2 reset", "u2 count", lambda a, d: steps("u1", s.M(i, a, d), z3.IntVal(0)), steps
    )  # fmt: skip
    return Action("user send", And(may_send(s, i, x), user(x)), after)


def xsnd(s: SA, i: z3.ExprRef, x: z3.ExprRef, e: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """Extra Send: i sends x to e, with column e only."""
    after = sent_by(
        s, i, x, "x2 reset", "x2 count",
        lambda a, d: steps("x2", If(d == e, s.M(i, a, d), 0), z3.IntVal(0)), steps,
    )  # fmt: skip
    to_e = ForAll([d], dest(x, d) == (d == e))
    return Action("extra send", And(may_send(s, i, x), Not(user(x)), to_e), after)


def in_transit(s: SA, j: z3.ExprRef, x: z3.ExprRef) -> z3.BoolRef:
    """The copy of x to j is in transit."""
    return And(s.sent(x), dest(x, j), Not(s.delivered(j, x)))


def ready(s: SA, j: z3.ExprRef, x: z3.ExprRef) -> z3.BoolRef:
    """d1, and x3: the column of j on the copy is satisfied."""
    return satisfied(s, lambda a, b: s.Mm(x, a, b), j)


def delivered_at(s: SA, j: z3.ExprRef, x: z3.ExprRef, count: str, steps: Steps) -> SA:
    """The state after j has delivered x, but for what it learns."""
    return replace(
        s,
        delivered=lambda d, m: Or(s.delivered(d, m), And(d == j, m == x)),
        DELIV=lambda p, a: steps(
            count, If(And(p == j, a == sender(x)), s.DELIV(p, a) + 1, s.DELIV(p, a)), s.DELIV(p, a)
        ),
    )


def rcv(s: SA, j: z3.ExprRef, x: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """User Receive: j delivers x."""
    i = sender(x)

    def Mm(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        old = steps("d2 reset", If(And(dest(x, d), a != i), 0, s.Mm(x, a, d)), s.Mm(x, a, d))
        return steps("d2 copies", If(And(dest(x, d), a == i), old + 1, old), old)

    def M(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        merged = steps("d2 merge", larger(s.M(j, a, d), Mm(a, d)), s.M(j, a, d))
        return steps("d2 zero", If(d == j, 0, merged), merged)

    def holder(m: z3.ExprRef, d: z3.ExprRef) -> z3.ExprRef:
        theirs = If(dest(x, d), x, holder_before(x, m, d))
        return If(Or(m == x, hb(m, x)), theirs, s.holder(j, m, d))

    after = replace(
        delivered_at(s, j, x, "d2 count", steps),
        past=lambda p, m: Or(s.past(p, m), And(p == j, Or(m == x, hb(m, x)))),
        holder=lambda p, m, d: If(p == j, holder(m, d), s.holder(p, m, d)),
        M=lambda p, a, d: If(p == j, M(a, d), s.M(p, a, d)),
    )
    guard = And(in_transit(s, j, x), user(x), steps("d1", ready(s, j, x), BoolVal(True)))
    return Action("user delivery", guard, after)


def xrcv(s: SA, j: z3.ExprRef, x: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """Extra Receive: j delivers x, and learns nothing."""
    guard = And(in_transit(s, j, x), Not(user(x)), steps("x3", ready(s, j, x), BoolVal(True)))
    return Action("extra delivery", guard, delivered_at(s, j, x, "x3 count", steps))


def facts_of_messages(s: SA) -> list[tuple[str, z3.BoolRef]]:
    """What is true of pasts and of channels."""
    kth = s.nth(a, d, v)
    return [
        ("what is known is sent", ForAll([p, m], Implies(s.past(p, m), s.sent(m)))),
        ("a sender knows what it has sent", ForAll([m], Implies(s.sent(m), s.past(sender(m), m)))),
        ("what happened before a send is sent", ForAll([m, x], Implies(And(s.sent(x), hb(m, x)), s.sent(m)))),
        ("pasts are closed", ForAll([p, m, n], Implies(And(s.past(p, n), hb(m, n)), s.past(p, m)))),
        ("happened-before is transitive",
         ForAll([m, n, x], Implies(And(s.sent(x), hb(n, x), hb(m, n)), hb(m, x)))),
        ("happened-before has no cycle", ForAll([x], Implies(s.sent(x), Not(hb(x, x))))),
        ("no process sends to itself", ForAll([x], Implies(s.sent(x), Not(dest(x, sender(x)))))),
        ("an extra message has one destination",
         ForAll([x, d, a], Implies(And(s.sent(x), Not(user(x)), dest(x, d), dest(x, a)), d == a))),
        ("what is delivered is sent there",
         ForAll([d, m], Implies(s.delivered(d, m), And(s.sent(m), dest(m, d))))),
        ("a user message delivered is known", ForAll([d, m], Implies(And(s.delivered(d, m), user(m)), s.past(d, m)))),
        ("messages of a channel are numbered",
         ForAll([m, d], Implies(And(s.sent(m), dest(m, d)),
                                And(index(m, d) >= 1, index(m, d) <= s.count(sender(m), d),
                                    s.nth(sender(m), d, index(m, d)) == m)))),
        ("without a gap",
         ForAll([a, d, v], Implies(And(v >= 1, v <= s.count(a, d)),
                                   And(s.sent(kth), dest(kth, d), sender(kth) == a, index(kth, d) == v)))),
    ]  # fmt: skip


def held(count: z3.ArithRef, h: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """h is counted in column d of its sender, and is m or follows it."""
    return And(dest(h, d), Or(h == m, hb(m, h)), index(h, d) <= count)


def facts(s: SA) -> list[tuple[str, z3.BoolRef]]:
    """What M, DELIV and Mm are, on top of those; inductive together with them."""
    h, g = s.holder(p, m, d), holder_before(x, m, d)
    carries = And(s.sent(x), Or(user(x), dest(x, d)))
    return [
        ("DELIV counts messages sent", ForAll([d, a], And(s.DELIV(d, a) >= 0, s.DELIV(d, a) <= s.count(a, d)))),
        ("the first DELIV[a] messages of a are delivered",
         ForAll([d, m], Implies(And(s.sent(m), dest(m, d)),
                                s.delivered(d, m) == (index(m, d) <= s.DELIV(d, sender(m)))))),
        ("M counts messages sent",
         ForAll([p, a, d], And(s.M(p, a, d) >= 0, s.M(p, a, d) <= s.count(a, d)))),
        ("Mm counts messages sent",
         ForAll([x, a, d], Implies(s.sent(x), And(s.Mm(x, a, d) >= 0, s.Mm(x, a, d) <= s.count(a, d))))),
        ("M counts known messages",
         ForAll([p, m, d], Implies(And(s.sent(m), dest(m, d), index(m, d) <= s.M(p, sender(m), d)), s.past(p, m)))),
        ("Mm counts messages sent before",
         ForAll([x, m, d], Implies(And(s.sent(x), s.sent(m), dest(m, d), index(m, d) <= s.Mm(x, sender(m), d)),
                                   hb(m, x)))),
        ("M counts all own messages", ForAll([p, d], Implies(d != p, s.M(p, p, d) == s.count(p, d)))),
        ("Mm counts the own messages before",
         ForAll([x, d], Implies(And(s.sent(x), dest(x, d)), s.Mm(x, sender(x), d) == index(x, d) - 1))),
        ("an extra message carries one column",
         ForAll([x, a, d], Implies(And(s.sent(x), Not(user(x)), Not(dest(x, d))), s.Mm(x, a, d) == 0))),
        ("the own column is zero", ForAll([p, a], s.M(p, a, p) == 0)),
        ("what is known is delivered or held",
         ForAll([p, m, d], Implies(And(s.past(p, m), dest(m, d)),
                                   Or(s.delivered(d, m), And(s.sent(h), held(s.M(p, sender(h), d), h, m, d)))))),
        ("what happened before a send is delivered or held",
         ForAll([x, m, d], Implies(And(carries, hb(m, x), dest(m, d)),
                                   Or(s.delivered(d, m), And(s.sent(g), held(s.Mm(x, sender(g), d), g, m, d)))))),
        ("causal order", causal_order(s)),
        ("what is delivered was ready", ForAll([d, x, a], Implies(s.delivered(d, x), s.DELIV(d, a) >= s.Mm(x, a, d)))),
    ]  # fmt: skip


def causal_order(s: SA) -> z3.BoolRef:
    """Of all messages, user and extra."""
    return ForAll([m, n, d], Implies(And(s.delivered(d, n), hb(m, n), dest(m, d)), s.delivered(d, m)))


def invariant(s: SA) -> list[tuple[str, z3.BoolRef]]:
    """All facts."""
    return [*facts_of_messages(s), *facts(s)]
