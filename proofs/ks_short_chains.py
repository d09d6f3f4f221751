"""Kshemkalyani-Singhal, Section 7.1, Lemma 8: causal order over chains of one and of two messages, as a transition
system for any number of processes, with the labels and default readings of the model (KS-23a, KS-23sendb, KS-23owna).

A chain of at most two messages leads from Send(m) to the delivery of x if the sender of x has sent m before, or has
delivered before it a message of the sender of m that is m or was sent after m: then it knew of m by one hop. `known`
and `known_before` are causal pasts that end there. A number in a matrix is the message that it stands for, and `has_`
tells whether there is one (it is not 0).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Exists, ForAll, Function, If, Implies, Not, Or

from .pasts import Bool, Message, Process, Relation, before, d, dest, e, m, p, sender, x
from .steps import ALL_STEPS, Action, Steps

LABELS = ("s1", "s2", "s3", "d1", "d3", "d4")

Choice = Callable[..., z3.ExprRef]
a = z3.Const("a", Process)
g = z3.Const("g", Message)

known_before = Function("known_before", Message, Message, Bool)
"""known_before(x, m): a chain of at most two messages leads from Send(m) to the deliveries of x."""
had = Function("had", Message, Message, Bool)
"""had(x, g): the sender of x had delivered g when it sent x."""


@dataclass(frozen=True)
class Reading:
    """How the proof of the lemma is read: KS-23send, KS-23own and KS-23."""

    counts_itself: bool = True
    names_own: bool = True
    records_column: bool = False


DEFAULT = Reading()


@dataclass(frozen=True)
class Chains:
    """sent(m); got(p, m): m is delivered at p; known(p, m): see above. latest(p, a, d): the latest message of a to d
    that p knows of; SR(p, a): the last of a that p delivered. row(x, d), column(x, e, a): lists (1) and (2) of the copy
    of x to e."""

    sent: Relation
    got: Relation
    known: Relation
    latest: Choice
    has_latest: Relation
    SR: Choice
    has_SR: Relation
    row: Choice
    has_row: Relation
    column: Choice
    has_column: Relation


def some_state() -> Chains:
    """Any state."""
    return Chains(
        Function("sent", Message, Bool),
        Function("got", Process, Message, Bool),
        Function("known", Process, Message, Bool),
        Function("latest", Process, Process, Process, Message),
        Function("has_latest", Process, Process, Process, Bool),
        Function("SR", Process, Process, Message),
        Function("has_SR", Process, Process, Bool),
        Function("row", Message, Process, Message),
        Function("has_row", Message, Process, Bool),
        Function("column", Message, Process, Process, Message),
        Function("has_column", Message, Process, Process, Bool),
    )


def initial(s: Chains) -> z3.BoolRef:
    """Nothing has happened."""
    return And(
        ForAll([m], Not(s.sent(m))),
        ForAll([p, m], Not(Or(s.got(p, m), s.known(p, m)))),
        ForAll([p, a, d], Not(s.has_latest(p, a, d))),
        ForAll([p, a], Not(s.has_SR(p, a))),
    )


def up_to(m: z3.ExprRef, n: z3.ExprRef) -> z3.BoolRef:
    """m is n or an earlier message of its sender: its number is at most that of n."""
    return Or(m == n, before(m, n))


def send(s: Chains, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS, reading: Reading = DEFAULT) -> Action:
    """i sends M with (1) and (2)."""

    def latest(d: z3.ExprRef) -> z3.ExprRef:
        return steps("s1", If(dest(M, d), M, s.latest(i, i, d)), s.latest(i, i, d))

    def has_latest(d: z3.ExprRef) -> z3.BoolRef:
        return steps("s1", Or(dest(M, d), s.has_latest(i, i, d)), s.has_latest(i, i, d))

    def row(d: z3.ExprRef) -> z3.ExprRef:
        return latest(d) if reading.counts_itself else s.latest(i, i, d)

    def has_row(d: z3.ExprRef) -> z3.BoolRef:
        listed = has_latest(d) if reading.counts_itself else s.has_latest(i, i, d)
        return steps("s2", listed, BoolVal(False))

    def has_column(e: z3.ExprRef, a: z3.ExprRef) -> z3.BoolRef:
        listed = s.has_latest(i, a, e) if reading.names_own else And(a != i, s.has_latest(i, a, e))
        return steps("s3", listed, BoolVal(False))

    after = replace(
        s,
        sent=lambda m: Or(m == M, s.sent(m)),
        known=lambda p, m: Or(s.known(p, m), And(p == i, m == M)),
        latest=lambda p, a, d: If(And(p == i, a == i), latest(d), s.latest(p, a, d)),
        has_latest=lambda p, a, d: If(And(p == i, a == i), has_latest(d), s.has_latest(p, a, d)),
        row=lambda x, d: If(x == M, row(d), s.row(x, d)),
        has_row=lambda x, d: If(x == M, has_row(d), s.has_row(x, d)),
        column=lambda x, e, a: If(x == M, s.latest(i, a, e), s.column(x, e, a)),
        has_column=lambda x, e, a: If(x == M, has_column(e, a), s.has_column(x, e, a)),
    )
    may = And(
        Not(s.sent(M)),
        sender(M) == i,
        ForAll([m], Implies(sender(m) == i, s.sent(m) == before(m, M))),
        ForAll([m], known_before(M, m) == s.known(i, m)),
        ForAll([m], had(M, m) == s.got(i, m)),
    )
    return Action("send", may, after)


def ready(s: Chains, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: of each sender, a message with at least the number in (2) is delivered."""
    named = s.column(M, j, a)
    return ForAll([a], Implies(s.has_column(M, j, a), And(s.has_SR(j, a), up_to(named, s.SR(j, a)))))


def in_transit(s: Chains, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.sent(M), dest(M, j), Not(s.got(j, M)))


def receive(s: Chains, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS, reading: Reading = DEFAULT) -> Action:
    """j receives and delivers M."""
    i = sender(M)

    def latest(a: z3.ExprRef, d: z3.ExprRef) -> tuple[z3.ExprRef, z3.BoolRef]:
        value, has = s.latest(j, a, d), s.has_latest(j, a, d)
        other = And(a == i, i != j)
        newer = Not(And(has, s.has_row(M, d), up_to(s.row(M, d), value)))
        takes = And(other, newer, s.has_row(M, d)) if reading.records_column else other
        value = steps("d4", If(takes, s.row(M, d), value), value)
        has = steps("d4", If(takes, s.has_row(M, d), has), has)
        if reading.records_column:
            listed = And(d == j, s.has_column(M, j, a), Not(And(has, up_to(s.column(M, j, a), value))))
            value, has = If(listed, s.column(M, j, a), value), Or(listed, has)
        return value, has

    def is_new(a: z3.ExprRef) -> z3.BoolRef:
        return steps("d3", And(a == i, Not(And(s.has_SR(j, i), before(M, s.SR(j, i))))), BoolVal(False))

    after = replace(
        s,
        got=lambda p, m: Or(s.got(p, m), And(p == j, m == M)),
        known=lambda p, m: Or(s.known(p, m), And(p == j, up_to(m, M))),
        latest=lambda p, a, d: If(p == j, latest(a, d)[0], s.latest(p, a, d)),
        has_latest=lambda p, a, d: If(p == j, latest(a, d)[1], s.has_latest(p, a, d)),
        SR=lambda p, a: If(And(p == j, is_new(a)), M, s.SR(p, a)),
        has_SR=lambda p, a: Or(s.has_SR(p, a), And(p == j, is_new(a))),
    )
    return Action("receive", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def ordered(s: Chains) -> z3.BoolRef:
    """Deliveries respect chains of one and of two messages."""
    return ForAll([p, m, x], Implies(And(s.got(p, x), known_before(x, m), dest(m, p)), s.got(p, m)))


def chains(s: Chains) -> list[tuple[str, z3.BoolRef]]:
    """What is known by one hop."""
    by_hop = Exists([g], And(s.got(p, g), up_to(m, g)))
    hop_before = Exists([g], And(had(x, g), up_to(m, g)))
    return [
        ("what is known is sent", ForAll([p, m], Implies(s.known(p, m), s.sent(m)))),
        ("what is delivered was sent to the process",
         ForAll([p, m], Implies(s.got(p, m), And(s.sent(m), dest(m, p))))),
        ("messages are sent in the order of their numbers",
         ForAll([m, x], Implies(And(s.sent(x), before(m, x)), s.sent(m)))),
        ("what was known before a send is sent",
         ForAll([m, x], Implies(And(s.sent(x), known_before(x, m)), s.sent(m)))),
        ("a message is not known before its own send", ForAll([x], Implies(s.sent(x), Not(known_before(x, x))))),
        ("known are own messages, and those up to a delivered one",
         ForAll([p, m], s.known(p, m) == Or(And(sender(m) == p, s.sent(m)), by_hop))),
        ("known before a send are own messages, and those up to a delivered one",
         ForAll([x, m], Implies(s.sent(x), known_before(x, m) == Or(before(m, x), hop_before)))),
    ]  # fmt: skip


def lists(s: Chains, exact: bool = True) -> list[tuple[str, z3.BoolRef]]:
    """What the matrices and the lists on copies have: the latest of what is known. `exact`: and nothing that is not."""
    latest, SR, row, column = s.latest(p, sender(m), d), s.SR(p, sender(m)), s.row(x, d), s.column(x, e, sender(m))
    named, carried = s.latest(p, a, d), s.column(x, e, a)
    of_latest = s.known(p, named) if exact else s.sent(named)
    of_column = known_before(x, carried) if exact else s.sent(carried)
    return [
        ("latest has at least what is known",
         ForAll([p, m, d], Implies(And(s.known(p, m), dest(m, d)),
                                   And(s.has_latest(p, sender(m), d), up_to(m, latest))))),
        ("latest has messages of the sender to the destination",
         ForAll([p, a, d], Implies(s.has_latest(p, a, d), And(of_latest, sender(named) == a, dest(named, d))))),
        ("SR has the last that is delivered",
         ForAll([p, m], Implies(s.got(p, m), And(s.has_SR(p, sender(m)), up_to(m, SR))))),
        ("SR has what is delivered",
         ForAll([p, a], Implies(s.has_SR(p, a), And(s.got(p, s.SR(p, a)), sender(s.SR(p, a)) == a)))),
        ("(1) has the sender's messages up to this one",
         ForAll([x, m, d], Implies(And(s.sent(x), up_to(m, x), dest(m, d)), And(s.has_row(x, d), up_to(m, row))))),
        ("(1) has nothing else",
         ForAll([x, d], Implies(And(s.sent(x), s.has_row(x, d)), And(up_to(row, x), dest(row, d))))),
        ("(2) has at least what is known",
         ForAll([x, e, m], Implies(And(s.sent(x), known_before(x, m), dest(m, e)),
                                   And(s.has_column(x, e, sender(m)), up_to(m, column))))),
        ("(2) has messages of the sender to the receiver",
         ForAll([x, e, a], Implies(And(s.sent(x), s.has_column(x, e, a)),
                                   And(of_column, sender(carried) == a, dest(carried, e))))),
    ]  # fmt: skip


def invariant(s: Chains, exact: bool = True) -> list[tuple[str, z3.BoolRef]]:
    """What is known, what is stored and carried of it, and the order of deliveries."""
    return [*chains(s), *lists(s, exact), ("deliveries respect chains of two", ordered(s))]
