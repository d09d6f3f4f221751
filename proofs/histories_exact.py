"""Histories with full pasts (checker/histories/README.md, "When it is exact"): what meets in the closure meets in a
run, for any number of processes and events.

Unlike in `histories`, two events may be the same send of different runs, so that nothing orders the events of one
process but what lies in one past. The proof has two parts. What the closure holds has pasts of the form `sound`, since
its rules keep it. And of a state and a copy that are compatible all events together can be made one after another, each
with just its own past, after which the receiver has the past of that state, and the copy is in transit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import z3
from z3 import And, BoolVal, Const, ForAll, Function, If, Implies, Not, Or

from .claims import Named
from .conditions import Condition
from .histories import Copy, c, of, to
from .pasts import Bool, Message, Process, Relation, hb, m, n, p, sender, x
from .steps import Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("1", "2", "4")

own_before = Function("own_before", Message, Copy, Bool)
"""own_before(x, c): the process of the event x had received c before."""
via = Function("via", Message, Message, Copy)
"""via(x, m): what the process of x had received, and brought it m."""


@dataclass(frozen=True)
class Known:
    """What a process knows: past(m), the events; own(c), the copies that it has received; brought(m), that which
    brought it the event m."""

    owner: z3.ExprRef
    past: Relation
    own: Relation
    brought: Callable[[z3.ExprRef], z3.ExprRef]


def is_closed(past: Relation) -> z3.BoolRef:
    """What happened before something in it is in it."""
    return ForAll([m, n], Implies(And(past(n), hb(m, n)), past(m)))


def comes_with(c: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """Who receives the copy c learns of m."""
    return Or(m == of(c), hb(m, of(c)))


def sound(known: Known) -> Named:
    """The form of what is known in the closure."""
    both = And(known.past(m), known.past(n), sender(m) == sender(n))
    came = And(known.own(known.brought(m)), comes_with(known.brought(m), m))
    return (
        ("the past is closed", is_closed(known.past)),
        ("of two events of one process one happened before the other",
         ForAll([m, n], Implies(both, Or(m == n, hb(m, n), hb(n, m))))),
        ("the events of what is received are known",
         ForAll([c], Implies(known.own(c), And(known.past(of(c)), to(c) == known.owner)))),
        ("what was received before an own event is received",
         ForAll([x, c], Implies(And(known.past(x), sender(x) == known.owner, own_before(x, c)), known.own(c)))),
        ("what is known was made here or came with a copy",
         ForAll([m], Implies(known.past(m), Or(sender(m) == known.owner, came)))),
    )  # fmt: skip


def before_event(x: z3.ExprRef) -> Known:
    """What was known before an event; a copy received in the same step is part of that."""
    return Known(sender(x), lambda m: hb(m, x), lambda c: own_before(x, c), lambda m: via(x, m))


ANY = Const("any event", Message)
EVENTS = (
    *((f"before an event {name}", ForAll([ANY], formula)) for name, formula in sound(before_event(ANY))),
    ("no event is before itself", ForAll([m], Not(hb(m, m)))),
)
"""What is true of every event, since what is known before it is of the closure (see `rules`)."""

M, C = Const("M", Message), Const("C", Copy)
HERE = Known(to(C), Function("here", Message, Bool), Function("own", Copy, Bool), Function("brought", Message, Copy))
"""A process state of the closure."""


def union(m: z3.ExprRef) -> z3.BoolRef:
    """What the state and the copy know together."""
    return Or(HERE.past(m), comes_with(C, m))


def compatible(steps: Steps) -> Named:
    """The conditions of the page, by their numbers. The third is a consequence: the past of the state is closed; the
    fifth is about the number of the events that the run makes, which are just those of the union."""
    agree = Or(HERE.past(n), comes_with(C, m))
    everything = (
        ("1", ForAll([m, n], Implies(And(HERE.past(m), comes_with(C, n), sender(m) == sender(n)), agree))),
        ("2", ForAll([m], Implies(And(comes_with(C, m), sender(m) == to(C)), HERE.past(m)))),
        ("4", Not(HERE.own(C))),
    )
    return tuple((label, formula) for label, formula in everything if steps(label, True, False))


def given(steps: Steps) -> Named:
    """A process state and a copy to it, from the closure, that are compatible."""
    return (*EVENTS, *sound(HERE), *compatible(steps))


def rules(steps: Steps) -> Iterable[Condition]:
    """The rules of the closure keep the form of what is known."""
    nothing = Known(to(C), lambda m: BoolVal(False), lambda c: BoolVal(False), lambda m: C)
    for name, formula in sound(nothing):
        yield Condition(f"at first {name}", (), formula)
    state = tuple(formula for _, formula in sound(HERE))
    made = (sender(M) == to(C), ForAll([m], hb(m, M) == HERE.past(m)), ForAll([c], own_before(M, c) == HERE.own(c)))
    this = before_event(M)
    for name, formula in sound(Known(this.owner, this.past, this.own, HERE.brought)):
        yield Condition(f"before the event {name}", (*state, *made), formula)
    new = Not(HERE.past(M))  # an event is told apart by its past, so that it cannot lie in it
    yield Condition("no event is before itself", (*made, new), Not(hb(M, M)))
    events = tuple(formula for _, formula in EVENTS)
    after = Known(to(C), lambda m: Or(m == M, HERE.past(m)), HERE.own, HERE.brought)
    for name, formula in sound(after):
        yield Condition(f"after an event {name}", (*events, *state, *made, new), formula)
    received = Known(to(C), union, lambda c: Or(c == C, HERE.own(c)), lambda m: If(HERE.past(m), HERE.brought(m), C))
    for name, formula in sound(received):
        yield Condition(f"after a receipt {name}", tuple(formula for _, formula in given(steps)), formula)


@dataclass(frozen=True)
class Script:
    """A run that makes the events of the union. made(x): the event x is made; got(c): the copy c is received; past(p,
    m): p knows of m, and brought(p, m) is what brought it."""

    made: Relation
    got: Relation
    past: Relation
    brought: Relation


def some_script() -> Script:
    """Any state."""
    return Script(
        Function("made", Message, Bool),
        Function("got", Copy, Bool),
        Function("past", Process, Message, Bool),
        Function("brought by", Process, Message, Copy),
    )


def initial(s: Script) -> z3.BoolRef:
    """Nothing has happened."""
    return And(ForAll([m], Not(s.made(m))), ForAll([c], Not(s.got(c))), ForAll([p, m], Not(s.past(p, m))))


def receive(s: Script, name: str, guard: z3.BoolRef) -> Action:
    """The copy N is received."""
    news = lambda p, m: And(p == to(N), comes_with(N, m), Not(s.past(p, m)))  # noqa: E731
    after = Script(
        made=s.made,
        got=lambda c: Or(s.got(c), c == N),
        past=lambda p, m: Or(s.past(p, m), news(p, m)),
        brought=lambda p, m: If(news(p, m), N, s.brought(p, m)),
    )
    return Action(name, And(Not(s.got(N)), guard), after)


def is_next(s: Script, X: z3.ExprRef) -> z3.BoolRef:
    """X is an event of the union that is not made yet, while all that happened before it is."""
    return And(union(X), Not(s.made(X)), ForAll([m], Implies(hb(m, X), s.made(m))))


def all_made(s: Script) -> z3.BoolRef:
    """All events are made."""
    return ForAll([m], Implies(union(m), s.made(m)))


def actions(s: Script) -> tuple[Action, ...]:
    """The process of the next event X receives what it had received before X, then makes X; in the end the receiver of
    C receives what else its state has received."""
    ready = And(is_next(s, X), ForAll([c], Implies(own_before(X, c), s.got(c))))
    made = Script(
        made=lambda m: Or(s.made(m), m == X),
        got=s.got,
        past=lambda p, m: Or(s.past(p, m), And(p == sender(X), m == X)),
        brought=s.brought,
    )
    return (
        receive(s, "receipt", And(is_next(s, X), own_before(X, N))),
        Action("event", ready, made),
        receive(s, "last receipt", And(all_made(s), HERE.own(N))),
    )


def facts(s: Script) -> list[tuple[str, z3.BoolRef]]:
    """What is true all along."""
    brought = s.brought(p, m)
    came = And(s.got(brought), to(brought) == p, comes_with(brought, m))
    return [
        ("only events of the union are made", ForAll([x], Implies(s.made(x), union(x)))),
        ("what happened before an event is made first", is_closed(s.made)),
        ("what is received was transmitted", ForAll([c], Implies(s.got(c), s.made(of(c))))),
        ("what was received before an event that is made is received",
         ForAll([x, c], Implies(And(s.made(x), own_before(x, c)), s.got(c)))),
        ("nothing is received that was not before an event to come",
         ForAll([x, c], Implies(And(union(x), Not(s.made(x)), s.got(c), to(c) == sender(x)), own_before(x, c)))),
        ("the receiver receives what its state has received",
         ForAll([c], Implies(And(s.got(c), to(c) == to(C)), HERE.own(c)))),
        ("own events are known", ForAll([m], Implies(s.made(m), s.past(sender(m), m)))),
        ("what comes with a copy is known",
         ForAll([c, m], Implies(And(s.got(c), comes_with(c, m)), s.past(to(c), m)))),
        ("nothing else is known", ForAll([p, m], Implies(s.past(p, m), Or(And(sender(m) == p, s.made(m)), came)))),
    ]  # fmt: skip


X, N = Const("X", Message), Const("N", Copy)
S = some_script()
FEW = And(
    ForAll([m], Or(m == of(C), m == X, m == of(N))),
    ForAll([c], Or(c == C, c == N)),
    ForAll([p], Or(p == to(C), p == to(N), p == sender(X), p == sender(of(N)))),
)
"""A few events and processes, and two copies."""


def script(steps: Steps) -> WitnessedInduction[Script]:
    """The events of the union are made one after another."""
    return WitnessedInduction(
        "the union", S, given(steps), initial, facts, lambda s, _: actions(s), small=lambda s: FEW
    )
