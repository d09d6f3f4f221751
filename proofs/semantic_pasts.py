"""The theory of events and semantic pasts of Gambhire and Kshemkalyani, HiPC 2000, for any number of them.

An event is a send, a delivery or an internal event. `dep(f, g)` is the application's choice: f depends on the event g
of its own process. `sem(e, f)` is the semantic relation, e ->s f; `via(e, f)` names the last event before f on a chain
of dependencies from e. Of an event that has happened all this never changes; of another it says nothing, so a step may
take any event of which it says what it should.

ECV is computed as vector clocks are, and a fact below says that it counts the events of the causal past; MCV is that of
Definition 5, read as in GK-10a and GK-9b: deliveries may depend on any events of their process (GK-9a: on none).
`source(p, q)` is a ghost: an event whose ECV is within MCV of p and has its component q.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3
from z3 import And, Consts, ForAll, Function, If, Implies, IntSort, Not, Or

from .pasts import Bool, Process, Relation, d, p, q
from .steps import Steps

Event = z3.DeclareSort("Event")
Int = IntSort()
Number = Callable[..., z3.ArithRef]

a, b = Consts("a b", Process)
e, f, g, x = Consts("e f g x", Event)
v = z3.Const("v", Int)

proc = Function("proc", Event, Process)
num = Function("num", Event, Int)
"""num(e): e is event number num(e) of its process, from 1."""
to = Function("to", Event, Process, Bool)
"""to(x, d): x sends a message to d."""
is_send = Function("is_send", Event, Bool)
is_delivery = Function("is_delivery", Event, Bool)
of = Function("of", Event, Event)
"""of(f): the send of the message that is delivered at f."""
happens_before = Function("happens_before", Event, Event, Bool)
dep = Function("dep", Event, Event, Bool)
sem = Function("sem", Event, Event, Bool)
via = Function("via", Event, Event, Event)
latest = Function("latest", Event, Event)
latest_number = Function("latest_number", Event, Int)
"""The latest event on which f depends locally, and its number; 0 if there is none."""
ecv = Function("ecv", Event, Process, Int)
mcv = Function("mcv", Event, Process, Int)
source_of = Function("source_of", Event, Process, Event)
"""ECV, MCV and `source` of the process of f just after f."""
index = Function("index", Event, Process, Int)
"""index(x, d): the place of the message of x among those of its sender to d."""


@dataclass(frozen=True)
class SemanticPasts:
    """happened(e); past(p, e): e happened before now at p; ECV(p, q), MCV(p, q), source(p, q) of the last event of p;
    delivered(d, x): the message of x is delivered at d; count(a, d): how many messages a has sent to d; nth(a, d, v):
    the send of the v-th of them."""

    happened: Relation
    past: Relation
    ECV: Number
    MCV: Number
    source: Callable[..., z3.ExprRef]
    delivered: Relation
    count: Number
    nth: Callable[..., z3.ExprRef]


def some_pasts() -> SemanticPasts:
    """Any pasts."""
    return SemanticPasts(
        Function("happened", Event, Bool),
        Function("past_events", Process, Event, Bool),
        Function("ECV", Process, Process, Int),
        Function("MCV", Process, Process, Int),
        Function("source", Process, Process, Event),
        Function("delivered_event", Process, Event, Bool),
        Function("count_events", Process, Process, Int),
        Function("nth_event", Process, Process, Int, Event),
    )


def initially(s: SemanticPasts) -> z3.BoolRef:
    """Nothing has happened."""
    return And(
        ForAll([e], Not(s.happened(e))),
        ForAll([p, e], Not(Or(s.past(p, e), s.delivered(p, e)))),
        ForAll([p, q], And(s.ECV(p, q) == 0, s.MCV(p, q) == 0, s.count(p, q) == 0)),
    )


def larger(left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
    """The maximum."""
    return If(left >= right, left, right)


def depends_after(s: SemanticPasts, i: z3.ExprRef, f: z3.ExprRef) -> z3.BoolRef:
    """Definition 5.2, by the latest local dependency (Property 1): f depends on an event of i after MCV[i]."""
    return latest_number(f) > s.MCV(i, i)


def may_happen(s: SemanticPasts, i: z3.ExprRef, f: z3.ExprRef, after: SemanticPasts) -> z3.BoolRef:
    """f is the next event of i; `after` are the pasts just after it."""
    direct = Or(dep(f, g), And(is_delivery(f), g == of(f)))
    last = via(e, f)
    return And(
        Not(s.happened(f)),
        proc(f) == i,
        num(f) == s.ECV(i, i) + 1,
        ForAll([g], Implies(dep(f, g), And(s.past(i, g), proc(g) == i, num(g) <= latest_number(f)))),
        Or(latest_number(f) == 0, And(dep(f, latest(f)), num(latest(f)) == latest_number(f))),
        latest_number(f) >= 0,
        ForAll([e, g], Implies(And(direct, Or(e == g, sem(e, g))), sem(e, f))),
        ForAll([e], Implies(sem(e, f), And(Or(dep(f, last), And(is_delivery(f), last == of(f))),
                                           Or(e == last, sem(e, last))))),
        ForAll([e], Implies(e != f, happens_before(e, f) == after.past(i, e))),
        Not(happens_before(f, f)),
        ForAll([q], And(ecv(f, q) == after.ECV(i, q), mcv(f, q) == after.MCV(i, q))),
        ForAll([q], source_of(f, q) == after.source(i, q)),
        ForAll([d], Implies(to(f, d), index(f, d) == s.count(i, d) + 1)),
    )  # fmt: skip


def after_local_event(s: SemanticPasts, i: z3.ExprRef, f: z3.ExprRef, sends: bool, steps: Steps) -> SemanticPasts:
    """The pasts just after the send or internal event f of i."""
    moved = steps("Definition 5.2", depends_after(s, i, f), z3.BoolVal(False))

    def ECV(q: z3.ExprRef) -> z3.ArithRef:
        return If(q == i, s.ECV(i, q) + 1, s.ECV(i, q))

    def is_new(a: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        return And(a == i, to(f, d)) if sends else z3.BoolVal(False)

    return SemanticPasts(
        happened=lambda e: Or(e == f, s.happened(e)),
        past=lambda p, e: Or(s.past(p, e), And(p == i, e == f)),
        ECV=lambda p, q: If(p == i, ECV(q), s.ECV(p, q)),
        MCV=lambda p, q: If(And(p == i, moved), ECV(q), s.MCV(p, q)),
        source=lambda p, q: If(And(p == i, moved), f, s.source(p, q)),
        delivered=s.delivered,
        count=lambda a, d: If(is_new(a, d), s.count(a, d) + 1, s.count(a, d)),
        nth=lambda a, d, v: If(And(is_new(a, d), v == s.count(a, d) + 1), f, s.nth(a, d, v)),
    )


def after_delivery(s: SemanticPasts, j: z3.ExprRef, f: z3.ExprRef, x: z3.ExprRef, steps: Steps) -> SemanticPasts:
    """The pasts just after f, at which j delivers the message of x."""

    def ECV(q: z3.ExprRef) -> z3.ArithRef:
        return larger(If(q == j, s.ECV(j, q) + 1, s.ECV(j, q)), ecv(x, q))

    def MCV(q: z3.ExprRef) -> z3.ArithRef:
        return steps("Definition 5.3", larger(s.MCV(j, q), mcv(x, q)), s.MCV(j, q))

    return SemanticPasts(
        happened=lambda e: Or(e == f, s.happened(e)),
        past=lambda p, e: Or(s.past(p, e), And(p == j, Or(e == f, e == x, happens_before(e, x)))),
        ECV=lambda p, q: If(p == j, ECV(q), s.ECV(p, q)),
        MCV=lambda p, q: If(p == j, MCV(q), s.MCV(p, q)),
        source=lambda p, q: If(And(p == j, s.MCV(j, q) < mcv(x, q)), source_of(x, q), s.source(p, q)),
        delivered=lambda d, y: Or(s.delivered(d, y), And(d == j, y == x)),
        count=s.count,
        nth=s.nth,
    )


def facts_of_pasts(s: SemanticPasts) -> list[tuple[str, z3.BoolRef]]:
    """What is true of all pasts, by name; inductive."""
    happened, past, ECV, MCV = s.happened, s.past, s.ECV, s.MCV
    last, kth, top, top_of = via(e, f), s.nth(a, d, v), s.source(p, q), source_of(f, q)
    return [
        ("what is known has happened", ForAll([p, e], Implies(past(p, e), happened(e)))),
        ("a process knows its events",
         ForAll([e], Implies(happened(e), And(past(proc(e), e), num(e) >= 1, num(e) <= ECV(proc(e), proc(e)))))),
        ("events of a process have their numbers",
         ForAll([e, f], Implies(And(happened(e), happened(f), proc(e) == proc(f), num(e) == num(f)), e == f))),
        ("what happened before has happened",
         ForAll([e, f], Implies(And(happened(f), happens_before(e, f)), happened(e)))),
        ("happened-before has no cycle", ForAll([f], Implies(happened(f), Not(happens_before(f, f))))),
        ("ECV counts the past", ForAll([p, e], Implies(happened(e), past(p, e) == (num(e) <= ECV(p, proc(e)))))),
        ("ECV of an event counts its past",
         ForAll([e, f], Implies(And(happened(e), happened(f)),
                                Or(e == f, happens_before(e, f)) == (num(e) <= ecv(f, proc(e)))))),
        ("ECV of an event counts itself", ForAll([f], Implies(happened(f), ecv(f, proc(f)) == num(f)))),
        ("nobody knows more of a process than itself", ForAll([p, q], And(ECV(p, q) >= 0, ECV(p, q) <= ECV(q, q)))),
        ("nobody knew more",
         ForAll([f, q], Implies(happened(f), And(ecv(f, q) >= 0, ecv(f, q) <= ECV(q, q))))),
        ("ECV of a past event", ForAll([p, e, q], Implies(past(p, e), ecv(e, q) <= ECV(p, q)))),
        ("ECV of an earlier event",
         ForAll([e, f, q], Implies(And(happened(f), happens_before(e, f)), ecv(e, q) <= ecv(f, q)))),
        ("containment", ForAll([p, q], And(MCV(p, q) >= 0, MCV(p, q) <= ECV(p, q)))),
        ("containment of an event",
         ForAll([f, q], Implies(happened(f), And(mcv(f, q) >= 0, mcv(f, q) <= ecv(f, q))))),
        ("MC is a prefix",
         ForAll([p, e, q], Implies(And(happened(e), num(e) <= MCV(p, proc(e))), ecv(e, q) <= MCV(p, q)))),
        ("MC of an event is a prefix",
         ForAll([f, e, q], Implies(And(happened(f), happened(e), num(e) <= mcv(f, proc(e))), ecv(e, q) <= mcv(f, q)))),
        ("MCV is a maximum of ECVs",
         ForAll([p, q], Implies(MCV(p, q) > 0, And(past(p, top), ecv(top, q) == MCV(p, q),
                                                   num(top) <= MCV(p, proc(top)))))),
        ("MCV of an event is a maximum of ECVs",
         ForAll([f, q], Implies(And(happened(f), mcv(f, q) > 0),
                                And(happened(top_of), ecv(top_of, q) == mcv(f, q),
                                    num(top_of) <= mcv(f, proc(top_of)))))),
        ("dependencies are local and earlier",
         ForAll([f, g], Implies(And(happened(f), dep(f, g)), And(happens_before(g, f), proc(g) == proc(f))))),
        ("what depends happened later", ForAll([e, f], Implies(And(happened(f), sem(e, f)), happens_before(e, f)))),
        ("dependencies are chains",
         ForAll([e, f], Implies(And(happened(f), sem(e, f)),
                                And(Or(dep(f, last), And(is_delivery(f), last == of(f))),
                                    Or(e == last, sem(e, last)))))),
        ("a delivery follows its send",
         ForAll([f], Implies(And(happened(f), is_delivery(f)), happens_before(of(f), f)))),
        ("messages are sent at sends", ForAll([x, d], Implies(And(happened(x), to(x, d)), is_send(x)))),
        ("a send is no delivery", ForAll([x], Implies(And(happened(x), is_send(x)), Not(is_delivery(x))))),
        ("no process sends to itself", ForAll([x], Implies(happened(x), Not(to(x, proc(x)))))),
        ("what is delivered is sent there", ForAll([d, x], Implies(s.delivered(d, x), And(happened(x), to(x, d))))),
        ("counts are natural numbers", ForAll([a, d], s.count(a, d) >= 0)),
        ("messages of a channel are numbered",
         ForAll([x, d], Implies(And(happened(x), to(x, d)),
                                And(index(x, d) >= 1, index(x, d) <= s.count(proc(x), d),
                                    s.nth(proc(x), d, index(x, d)) == x)))),
        ("without a gap",
         ForAll([a, d, v], Implies(And(v >= 1, v <= s.count(a, d)),
                                   And(happened(kth), to(kth, d), proc(kth) == a, index(kth, d) == v)))),
        ("in the order of events",
         ForAll([e, f, d], Implies(And(happened(e), happened(f), to(e, d), to(f, d), proc(e) == proc(f),
                                       num(e) < num(f)),
                                   index(e, d) < index(f, d)))),
    ]  # fmt: skip


def kind(f: z3.ExprRef, name: str) -> z3.BoolRef:
    """f is a send, an internal event or a delivery, by the name of the action; only a send has destinations."""
    kinds = And(is_send(f) if name == "send" else Not(is_send(f)), is_delivery(f) == (name == "delivery"))
    return And(kinds, Not(to(f, proc(f))) if name == "send" else ForAll([d], Not(to(f, d))))


def semantic_order(s: SemanticPasts) -> z3.BoolRef:
    """What is delivered at d depends on no undelivered message to d (semantic CO)."""
    return ForAll([x, f, d], Implies(And(s.delivered(d, f), sem(x, f), to(x, d)), s.delivered(d, x)))
