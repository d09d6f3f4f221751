"""Psync (Peterson, Buchholz, Schlichting, ACM TOCS 7(3), 1989) in the form of algorithms.md, B6, as a transition system
for any number of participants: PS-1a, channels that lose nothing. It keeps causal order, and a copy names at most as
many messages as there are participants.

That a view has a leaf at or above each of its messages is no argument about finite sets: the ghost `above` is one, and
the steps compute it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, Exists, ForAll, Function, If, Implies, Not, Or

from .claims import Claim
from .concrete_runs import World, started
from .conditions import Condition
from .pasts import (
    MESSAGES,
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
from .witnessed import WitnessedInduction

LABELS = ("s1", "s2", "d1", "d2")

above_before = Function("above_before", Message, Message, Message)
"""above_before(x, m): `above` at the sender of x just before its send."""
ln_ = Const("ln_", Message)


@dataclass(frozen=True)
class Psync:
    """pasts: what happened. G(p, m): m is in the view of p; edge(p, n, m): there n names m. names(x, m): the copies of
    x do. above(p, m): a leaf of the view of p that is m or follows it."""

    pasts: Pasts
    G: Relation
    edge: Relation
    names: Relation
    above: Relation


def some_state() -> Psync:
    """Any state."""
    return Psync(
        some_pasts(),
        Function("G", Process, Message, Bool),
        Function("edge", Process, Message, Message, Bool),
        Function("names", Message, Message, Bool),
        Function("above", Process, Message, Message),
    )


def initial(s: Psync) -> z3.BoolRef:
    """Nothing has happened, and the views are empty."""
    return And(initially(s.pasts), ForAll([p, m], Not(s.G(p, m))))


def leaf(s: Psync, p: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """m is in the view of p, and no message of the view names it."""
    return And(s.G(p, m), Not(Exists([ln_], And(s.G(p, ln_), s.edge(p, ln_, m)))))


def to_all(M: z3.ExprRef) -> z3.BoolRef:
    """M goes to all but its sender."""
    return ForAll([d], dest(M, d) == (d != sender(M)))


def send(s: Psync, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M to all others, with the leaves of its view; M is then the only leaf."""
    named = lambda m: steps("s1", leaf(s, i, m), BoolVal(False))  # noqa: E731
    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        G=lambda p, m: Or(s.G(p, m), steps("s2", And(p == i, m == M), BoolVal(False))),
        edge=lambda p, n, m: If(And(p == i, n == M), named(m), s.edge(p, n, m)),
        names=lambda x, m: If(x == M, named(m), s.names(x, m)),
        above=lambda p, m: If(p == i, M, s.above(p, m)),
    )
    remembered = ForAll([m], above_before(M, m) == s.above(i, m))
    return Action("send", And(may_send(s.pasts, i, M), to_all(M), remembered), after)


def in_transit(s: Psync, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: Psync, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: all named messages are in the view."""
    return ForAll([m], Implies(s.names(M, m), s.G(j, m)))


def receive(s: Psync, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M; the leaves that M names are leaves no more."""

    def above(m: z3.ExprRef) -> z3.ExprRef:
        return If(Or(m == M, s.names(M, s.above(j, m))), M, s.above(j, m))

    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        G=lambda p, m: Or(s.G(p, m), steps("d2", And(p == j, m == M), BoolVal(False))),
        edge=lambda p, n, m: If(And(p == j, n == M), s.names(M, m), s.edge(p, n, m)),
        above=lambda p, m: If(p == j, above(m), s.above(p, m)),
    )
    return Action("delivery", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def facts(s: Psync) -> list[tuple[str, z3.BoolRef]]:
    """What views and copies are, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    leaf_above, named_above = s.above(p, m), above_before(x, m)
    return [
        ("every message goes to all others", ForAll([x, d], Implies(sent(x), dest(x, d) == (d != sender(x))))),
        ("the view is the past", ForAll([p, m], s.G(p, m) == past(p, m))),
        ("the view has the edges of its messages",
         ForAll([p, n, m], Implies(s.G(p, n), s.edge(p, n, m) == s.names(n, m)))),
        ("a copy names the leaves of the past",
         ForAll([x, m], Implies(sent(x), s.names(x, m) == And(hb(m, x), Not(Exists([n], And(hb(n, x),
                                                                                           s.names(n, m)))))))),
        ("a leaf is above each message of the view",
         ForAll([p, m], Implies(past(p, m), And(past(p, leaf_above), Or(m == leaf_above, hb(m, leaf_above)),
                                                ForAll([n], Implies(past(p, n), Not(s.names(n, leaf_above)))))))),
        ("a named message is above each message of the past",
         ForAll([x, m], Implies(And(sent(x), hb(m, x)), And(s.names(x, named_above),
                                                            Or(m == named_above, hb(m, named_above)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: Psync) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of Psync."""
    return [*facts_of_pasts(s.pasts), *facts(s)]


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)


def known_there(s: Psync, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """What d1 says of a copy that passes it."""
    if action.name != "delivery":
        return []
    above, known = above_before(M, m), s.pasts.past
    return [
        ("a named message above is in the view", ForAll([m], Implies(hb(m, M), known(j, above)))),
        ("what happened before it is in the view", ForAll([m], Implies(hb(m, M), known(j, m)))),
    ]


INDUCTION = WitnessedInduction(
    "Psync",
    S,
    MESSAGES,
    initial,
    invariant,
    lambda s, steps: (send(s, i, M, steps), receive(s, j, M, steps)),
    known_there,
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    delivered = S.pasts.delivered
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("Psync: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j))
    due = ForAll([m], Implies(And(hb(m, M), dest(m, j)), delivered(j, m, j)))
    yield Condition("Psync: what is due is ready", (*KNOWN, in_transit(S, j, M), due), ready(S, j, M))


def one_of_each(steps: Steps) -> Iterable[Condition]:
    """Two messages of one sender are not both named: of messages that are named, none happened before another."""
    named = (*KNOWN, S.pasts.sent(x), S.names(x, m))
    yield Condition("Psync: a named message is a latest one", (*named, hb(n, x)), Not(hb(m, n)))
    yield Condition("Psync: the latest are named", (*KNOWN, S.pasts.sent(x), hb(m, x), Not(S.names(x, m))),
                    Exists([n], And(hb(n, x), hb(m, n))))  # fmt: skip
    two = (*named, S.names(x, n), sender(m) == sender(n))
    yield Condition("B-5: a copy names one message of each participant at most", two, m == n)


def one_of_every_participant() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """Of two participants, both may be named, so the bound is reached: each sends, one of them delivers, and sends."""
    world = World(2, {"a": (1, frozenset({2})), "b": (2, frozenset({1})), "c": (1, frozenset({2}))})
    one, two = world.process(1), world.process(2)
    a, b, c = (world.message(name) for name in world.sends)
    run = started(world, S, initial).step(lambda s: send(s, one, a)).step(lambda s: send(s, two, b))
    run = run.step(lambda s: receive(s, one, b)).step(lambda s: send(s, one, c))
    both = And(run.state.names(c, a), run.state.names(c, b))
    yield "B-5: a copy can name a message of each of two participants", (*run.formulas, both)


SOURCE = "Peterson, Buchholz, Schlichting 1989, in the form of algorithms.md, B6"
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "every message goes to all participants (PS-1a)",
)
CLAIMS = (
    Claim("C-B-1-PSYNC", SOURCE, "Psync: safety and liveness", (INDUCTION,), safe_and_live, assumptions=ASSUMED,
          on_paper=("minimal", "fairness"), steps=LABELS,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1"),
    Claim("C-B-5", SOURCE, "the number of attached ids never exceeds the number of participants", (INDUCTION,),
          one_of_each, one_of_every_participant, assumptions=ASSUMED, on_paper=("injection",), steps=LABELS,
          formula="a copy names the messages of its past that no other of them follows: one of each sender at most"),
)  # fmt: skip
