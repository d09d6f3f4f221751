"""The theory of causal pasts, for any number of processes and messages, stated once for all algorithms.

Processes and messages are uninterpreted sorts. Of a message its sender, its destinations and the order of its sender's
timestamps are given. What happened is told by relations: of a process p, what lies in its past; of a sent message x,
what lay in the past of its sender just before the send. The latter never changes once x is sent; for a message that is
not sent it says nothing, so a send may take any message of its sender for which it says what it should.

Two functions choose something that exists because pasts are finite, and the steps below compute them, so that no
argument about finite sets is left to be made on paper: `newest`, the newest message of a sender in a past, and
`latest`, for a message m and a destination d, a message of the past that is sent to d, is m or follows it, and is not
covered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3
from z3 import And, Consts, ForAll, Function, If, Implies, Not, Or

Process = z3.DeclareSort("Process")
Message = z3.DeclareSort("Message")
Bool = z3.BoolSort()

p, q, d, e = Consts("p q d e", Process)
m, n, k, x = Consts("m n k x", Message)

sender = Function("sender", Message, Process)
dest = Function("dest", Message, Process, Bool)
"""dest(m, d): d is a destination of m."""
before = Function("before", Message, Message, Bool)
"""before(m, n): m and n have the same sender, and m the smaller timestamp."""

hb = Function("hb", Message, Message, Bool)
"""hb(m, x): Send(m) happened before Send(x)."""
delivered_before = Function("delivered_before", Message, Message, Process, Bool)
"""delivered_before(x, m, d): the delivery of m at d happened before Send(x)."""
covered_before = Function("covered_before", Message, Message, Process, Bool)
"""covered_before(x, m, d): a send to d that follows Send(m) happened before Send(x)."""
newest_before = Function("newest_before", Message, Process, Message)
latest_before = Function("latest_before", Message, Message, Process, Message)

Relation = Callable[..., z3.BoolRef]

MESSAGES = (
    ("timestamps are those of one sender", ForAll([m, n], Implies(before(m, n), sender(m) == sender(n)))),
    ("no message is before itself", ForAll([m], Not(before(m, m)))),
    ("before is transitive", ForAll([m, n, k], Implies(And(before(m, n), before(n, k)), before(m, k)))),
    ("a sender's messages are ordered",
     ForAll([m, n], Implies(sender(m) == sender(n), Or(m == n, before(m, n), before(n, m))))),
)  # fmt: skip
"""What is given of messages."""


@dataclass(frozen=True)
class Pasts:
    """sent(m); past(p, m): Send(m) is in the past of p; delivered(p, m, d): the delivery of m at d is; covered(p, m,
    d): a send to d that follows Send(m) is; newest(p, s) and latest(p, m, d) as above. delivered(d, m, d): m is
    delivered at d."""

    sent: Relation
    past: Relation
    delivered: Relation
    covered: Relation
    newest: Callable[..., z3.ExprRef]
    latest: Callable[..., z3.ExprRef]

    def required(self, p: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        """The Propagation Constraints: p must know that m must still reach d."""
        return And(self.past(p, m), dest(m, d), Not(self.delivered(p, m, d)), Not(self.covered(p, m, d)))


def required_before(x: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """The same just before Send(x)."""
    return And(hb(m, x), dest(m, d), Not(delivered_before(x, m, d)), Not(covered_before(x, m, d)))


def some_pasts() -> Pasts:
    """Any pasts."""
    return Pasts(
        Function("sent", Message, Bool),
        Function("past", Process, Message, Bool),
        Function("delivered", Process, Message, Process, Bool),
        Function("covered", Process, Message, Process, Bool),
        Function("newest", Process, Process, Message),
        Function("latest", Process, Message, Process, Message),
    )


def initially(pasts: Pasts) -> z3.BoolRef:
    """Nothing has happened."""
    return And(
        ForAll([m], Not(pasts.sent(m))),
        ForAll([p, m], Not(pasts.past(p, m))),
        ForAll([p, m, d], Not(Or(pasts.delivered(p, m, d), pasts.covered(p, m, d)))),
    )


def may_send(pasts: Pasts, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """M is the next message of i, and its own past is that of i now."""
    return And(
        Not(pasts.sent(M)),
        sender(M) == i,
        ForAll([m], Implies(sender(m) == i, pasts.sent(m) == before(m, M))),
        ForAll([m], hb(m, M) == pasts.past(i, m)),
        ForAll([m, d], delivered_before(M, m, d) == pasts.delivered(i, m, d)),
        ForAll([m, d], covered_before(M, m, d) == pasts.covered(i, m, d)),
        ForAll([q], newest_before(M, q) == pasts.newest(i, q)),
        ForAll([m, d], latest_before(M, m, d) == pasts.latest(i, m, d)),
    )


def after_send(pasts: Pasts, i: z3.ExprRef, M: z3.ExprRef) -> Pasts:
    """The pasts just after i has sent M."""
    return Pasts(
        sent=lambda m: Or(m == M, pasts.sent(m)),
        past=lambda p, m: Or(pasts.past(p, m), And(p == i, m == M)),
        delivered=pasts.delivered,
        covered=lambda p, m, d: Or(pasts.covered(p, m, d), And(p == i, pasts.past(i, m), dest(M, d))),
        newest=lambda p, q: If(And(p == i, q == i), M, pasts.newest(p, q)),
        latest=lambda p, m, d: If(And(p == i, Or(m == M, dest(M, d))), M, pasts.latest(p, m, d)),
    )


def after_delivery(pasts: Pasts, j: z3.ExprRef, M: z3.ExprRef) -> Pasts:
    """The pasts just after j has delivered M."""

    def newest(q: z3.ExprRef) -> z3.ExprRef:
        ours, theirs = pasts.newest(j, q), If(q == sender(M), M, newest_before(M, q))
        has_ours = And(pasts.past(j, ours), sender(ours) == q)
        has_theirs = And(Or(theirs == M, hb(theirs, M)), sender(theirs) == q)
        return If(And(has_ours, Not(And(has_theirs, before(ours, theirs)))), ours, theirs)

    def latest(m: z3.ExprRef, d: z3.ExprRef) -> z3.ExprRef:
        ours = pasts.latest(j, m, d)
        theirs = If(Or(m == M, dest(M, d)), M, latest_before(M, m, d))
        from_theirs = If(pasts.past(j, theirs), pasts.latest(j, theirs, d), theirs)
        of_ours = If(dest(M, d), M, latest_before(M, ours, d))
        from_ours = If(hb(ours, M), If(pasts.past(j, of_ours), pasts.latest(j, of_ours, d), of_ours), ours)
        return If(Or(m == M, hb(m, M)), from_theirs, from_ours)

    return Pasts(
        sent=pasts.sent,
        past=lambda p, m: Or(pasts.past(p, m), And(p == j, Or(m == M, hb(m, M)))),
        delivered=lambda p, m, d: Or(
            pasts.delivered(p, m, d), And(p == j, Or(delivered_before(M, m, d), And(m == M, d == j)))
        ),
        covered=lambda p, m, d: Or(
            pasts.covered(p, m, d), And(p == j, Or(covered_before(M, m, d), And(hb(m, M), dest(M, d))))
        ),
        newest=lambda p, q: If(p == j, newest(q), pasts.newest(p, q)),
        latest=lambda p, m, d: If(p == j, latest(m, d), pasts.latest(p, m, d)),
    )


def facts_of_pasts(pasts: Pasts) -> list[tuple[str, z3.BoolRef]]:
    """What is true of all pasts, by name. Inductive: see `conditions_of_pasts`."""
    sent, past, delivered, covered = pasts.sent, pasts.past, pasts.delivered, pasts.covered
    newest, latest = pasts.newest(p, sender(m)), pasts.latest(p, m, d)
    newest_x, latest_x = newest_before(x, sender(m)), latest_before(x, m, d)
    return [
        ("what is known is sent", ForAll([p, m], Implies(past(p, m), sent(m)))),
        ("a sender knows what it has sent", ForAll([m], Implies(sent(m), past(sender(m), m)))),
        ("what happened before a send is sent", ForAll([m, x], Implies(And(sent(x), hb(m, x)), sent(m)))),
        ("pasts are closed", ForAll([p, m, n], Implies(And(past(p, n), hb(m, n)), past(p, m)))),
        ("happened-before is transitive",
         ForAll([m, n, x], Implies(And(sent(x), hb(n, x), hb(m, n)), hb(m, x)))),
        ("happened-before has no cycle", ForAll([x], Implies(sent(x), Not(hb(x, x))))),
        ("a sender's messages happen in their order",
         ForAll([m, x], Implies(And(sent(x), before(m, x)), And(sent(m), hb(m, x))))),
        ("what is delivered is known",
         ForAll([p, m, d], Implies(delivered(p, m, d), And(past(p, m), dest(m, d), delivered(d, m, d))))),
        ("what was delivered was known",
         ForAll([x, m, d], Implies(And(sent(x), delivered_before(x, m, d)),
                                   And(hb(m, x), dest(m, d), delivered(d, m, d))))),
        ("what is covered is known", ForAll([p, m, d], Implies(covered(p, m, d), past(p, m)))),
        ("what was covered was known",
         ForAll([x, m, d], Implies(And(sent(x), covered_before(x, m, d)), hb(m, x)))),
        ("a later send to the same destination covers",
         ForAll([p, m, n, d], Implies(And(past(p, n), hb(m, n), dest(n, d)), covered(p, m, d)))),
        ("it covered before a send",
         ForAll([x, m, n, d], Implies(And(sent(x), hb(n, x), hb(m, n), dest(n, d)), covered_before(x, m, d)))),
        ("the newest message of a sender",
         ForAll([p, m], Implies(past(p, m), And(past(p, newest), sender(newest) == sender(m),
                                                Or(m == newest, before(m, newest)))))),
        ("the newest message of a sender before a send",
         ForAll([x, m], Implies(And(sent(x), hb(m, x)), And(hb(newest_x, x), sender(newest_x) == sender(m),
                                                            Or(m == newest_x, before(m, newest_x)))))),
        ("the latest send to a destination",
         ForAll([p, m, d], Implies(And(past(p, m), dest(m, d)),
                                   And(past(p, latest), dest(latest, d), Not(covered(p, latest, d)),
                                       Or(m == latest, hb(m, latest)))))),
        ("the latest send to a destination before a send",
         ForAll([x, m, d], Implies(And(sent(x), hb(m, x), dest(m, d)),
                                   And(hb(latest_x, x), dest(latest_x, d), Not(covered_before(x, latest_x, d)),
                                       Or(m == latest_x, hb(m, latest_x)))))),
    ]  # fmt: skip


def causal_order(pasts: Pasts) -> z3.BoolRef:
    """What is delivered at d has no undelivered message to d in its past (algorithms.md, section 1, CO)."""
    return ForAll(
        [m, n, d],
        Implies(And(pasts.delivered(d, n, d), hb(m, n), dest(m, d)), pasts.delivered(d, m, d)),
    )
