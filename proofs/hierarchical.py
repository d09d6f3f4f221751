"""Hierarchical organisation (Kshemkalyani, Singhal 1998, Section 7.1; KS-30a), as a transition system for any number of
processes and clusters. A process sends to its representative; the representatives send to each other by an algorithm
that keeps causal order among them; a representative sends to the others in its cluster. The channels between a process
and its representative are FIFO, and nothing is carried on them.

Of the algorithm among the representatives only this is used: one delivers a message when it has delivered all messages
to it that were sent before, among them. KS is such an algorithm (C-KS-T4, C-KS-T5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Exists, ForAll, Function, Implies, Not, Or

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
from .relays import either
from .steps import ALL_STEPS, Action, Steps

LABELS = ("FIFO up", "r1", "FIFO down")

rep = Function("rep", Process, Process)
"""The representative of the cluster of a process."""
reaches = Function("reaches", Message, Process, Bool)
"""reaches(m, r): m goes to a process that r represents."""
zone_hb = Function("zone_hb", Message, Message, Bool)
"""zone_hb(m, x): m was in the past of its representative, among representatives, just before it sent x to them."""

CLUSTERS = (
    ("a representative represents itself", ForAll([p], rep(rep(p)) == rep(p))),
    ("a message reaches the representatives of its destinations",
     ForAll([m, p], reaches(m, p) == Exists([d], And(dest(m, d), rep(d) == p)))),
)  # fmt: skip
"""What is given of clusters."""


@dataclass(frozen=True)
class Hierarchical:
    """pasts: what happened. passed(m): the representative of its sender has sent m on. taken(r, m): r has delivered m,
    among the representatives; zone_past(r, m): the send of m to them is in its past there. ahead(r, m, n): r has sent
    m down before n."""

    pasts: Pasts
    passed: Relation
    taken: Relation
    zone_past: Relation
    ahead: Relation

    def down(self, r: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        """r has sent m to those of its cluster to which it goes."""
        return Or(self.taken(r, m), And(self.passed(m), rep(sender(m)) == r))


def some_state() -> Hierarchical:
    """Any state."""
    return Hierarchical(
        some_pasts(),
        Function("passed", Message, Bool),
        Function("taken", Process, Message, Bool),
        Function("zone_past", Process, Message, Bool),
        Function("ahead", Process, Message, Message, Bool),
    )


def initial(s: Hierarchical) -> z3.BoolRef:
    """Nothing has happened."""
    nothing = Not(Or(s.passed(m), s.taken(p, m), s.zone_past(p, m)))
    return And(initially(s.pasts), ForAll([p, m], nothing), ForAll([p, m, n], Not(s.ahead(p, m, n))))


def sent_down(s: Hierarchical, r: z3.ExprRef, M: z3.ExprRef) -> Hierarchical:
    """r has delivered M, if M goes to it, and sends it to the others of its cluster."""
    return replace(
        s,
        pasts=either(dest(M, r), after_delivery(s.pasts, r, M), s.pasts),
        ahead=lambda p, m, n: Or(s.ahead(p, m, n), And(p == r, n == M, s.down(r, m))),
    )


def passed_on(s: Hierarchical, r: z3.ExprRef, M: z3.ExprRef) -> Hierarchical:
    """r, which represents the sender of M, sends it to the representatives and down."""
    return replace(
        sent_down(s, r, M),
        passed=lambda m: Or(m == M, s.passed(m)),
        zone_past=lambda p, m: Or(s.zone_past(p, m), And(p == r, m == M)),
    )


def remembered(s: Hierarchical, r: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The past of M among the representatives is that of r now."""
    return ForAll([m], zone_hb(m, M) == s.zone_past(r, m))


def send(s: Hierarchical, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to its representative."""
    guard = And(may_send(s.pasts, i, M), Not(dest(M, i)), rep(i) != i)
    return Action("send", guard, replace(s, pasts=after_send(s.pasts, i, M)))


def send_itself(s: Hierarchical, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i, a representative, sends M on at once."""
    guard = And(may_send(s.pasts, i, M), Not(dest(M, i)), rep(i) == i, remembered(s, i, M))
    sent = passed_on(s, i, M)
    return Action("send of a representative", guard, replace(sent, pasts=after_send(s.pasts, i, M)))


def up(s: Hierarchical, r: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """r takes the next message of a process of its cluster, and sends it on."""
    fifo = steps("FIFO up", ForAll([m], Implies(before(m, M), s.passed(m))), BoolVal(True))
    guard = And(s.pasts.sent(M), rep(sender(M)) == r, Not(s.passed(M)), fifo, remembered(s, r, M))
    return Action("passing up", guard, passed_on(s, r, M))


def across(s: Hierarchical, r: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """r1: r delivers M, which comes from another representative, in causal order among them."""
    due = ForAll([m], Implies(And(zone_hb(m, M), reaches(m, r), rep(sender(m)) != r), s.taken(r, m)))
    copy = And(s.passed(M), reaches(M, r), rep(r) == r, rep(sender(M)) != r, Not(s.taken(r, M)))
    after = replace(
        sent_down(s, r, M),
        taken=lambda p, m: Or(s.taken(p, m), And(p == r, m == M)),
        zone_past=lambda p, m: Or(s.zone_past(p, m), And(p == r, Or(m == M, zone_hb(m, M)))),
    )
    return Action("passing across", And(copy, steps("r1", due, BoolVal(True))), after)


def receive(s: Hierarchical, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers the next copy from its representative."""
    due = ForAll([m], Implies(And(s.ahead(rep(j), m, M), dest(m, j)), s.pasts.delivered(j, m, j)))
    copy = And(s.down(rep(j), M), dest(M, j), rep(j) != j, Not(s.pasts.delivered(j, M, j)))
    after = replace(s, pasts=after_delivery(s.pasts, j, M))
    return Action("delivery", And(copy, steps("FIFO down", due, BoolVal(True))), after)


def facts(s: Hierarchical) -> list[tuple[str, z3.BoolRef]]:
    """What passes where, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    return [
        ("no process sends to itself", ForAll([x], Implies(sent(x), Not(dest(x, sender(x)))))),
        ("what is passed on is sent", ForAll([m], Implies(s.passed(m), sent(m)))),
        ("a representative passes its own on at once",
         ForAll([m], Implies(And(sent(m), rep(sender(m)) == sender(m)), s.passed(m)))),
        ("what comes across is passed on",
         ForAll([p, m], Implies(s.taken(p, m), And(s.passed(m), reaches(m, p), rep(sender(m)) != p, rep(p) == p)))),
        ("what goes up goes up in order", ForAll([m, n], Implies(And(before(m, n), s.passed(n)), s.passed(m)))),
        ("a representative delivers what it sends down",
         ForAll([p, m], Implies(And(s.down(p, m), dest(m, p)), delivered(p, m, p)))),
        ("what is delivered was sent down", ForAll([m, d], Implies(delivered(d, m, d), s.down(rep(d), m)))),
        ("what representatives know is passed on", ForAll([p, m], Implies(s.zone_past(p, m), s.passed(m)))),
        ("what they knew is passed on", ForAll([x, m], Implies(And(s.passed(x), zone_hb(m, x)), s.passed(m)))),
        ("what a representative sends down it knows", ForAll([p, m], Implies(s.down(p, m), s.zone_past(p, m)))),
        ("pasts of representatives are closed",
         ForAll([p, m, n], Implies(And(s.zone_past(p, n), zone_hb(m, n)), s.zone_past(p, m)))),
        ("their happened-before is transitive",
         ForAll([m, n, x], Implies(And(s.passed(x), zone_hb(n, x), zone_hb(m, n)), zone_hb(m, x)))),
        ("a representative has what it knows to be sent to it",
         ForAll([p, m], Implies(And(s.zone_past(p, m), reaches(m, p)), s.down(p, m)))),
        ("a representative knows what others in its cluster know",
         ForAll([p, m], Implies(And(past(p, m), p != sender(m)), s.zone_past(rep(p), m)))),
        ("it knows what others in its cluster knew",
         ForAll([x, m], Implies(And(sent(x), hb(m, x), sender(m) != sender(x)), s.zone_past(rep(sender(x)), m)))),
        ("what happened before happened before among representatives",
         ForAll([m, x], Implies(And(s.passed(x), hb(m, x)), zone_hb(m, x)))),
        ("what is ahead is sent down", ForAll([p, m, n], Implies(s.ahead(p, m, n), And(s.down(p, m), s.down(p, n))))),
        ("a representative sends down one after the other",
         ForAll([p, m, n], Implies(And(s.down(p, m), s.down(p, n)), Or(m == n, s.ahead(p, m, n), s.ahead(p, n, m))))),
        ("nothing is ahead of itself", ForAll([p, m], Not(s.ahead(p, m, m)))),
        ("what is ahead is so in one order",
         ForAll([p, m, n, x], Implies(And(s.ahead(p, m, n), s.ahead(p, n, x)), s.ahead(p, m, x)))),
        ("a representative sends down in causal order",
         ForAll([p, m, n], Implies(And(s.down(p, n), hb(m, n), reaches(m, p)), s.ahead(p, m, n)))),
        ("copies are delivered in the order of the representative",
         ForAll([m, n, d], Implies(And(s.ahead(rep(d), m, n), dest(m, d), delivered(d, n, d)), delivered(d, m, d)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: Hierarchical) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of the hierarchy."""
    return [*facts_of_pasts(s.pasts), *facts(s)]
