"""With full pasts nothing is met in the closure of histories that no run brings (checker/histories/README.md)."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, ForAll, Implies, Not

from .claims import Claim
from .conditions import Condition
from .histories import c, of, to
from .histories_exact import HERE, LABELS, C, N, S, X, actions, all_made, is_next, own_before, rules, script, union
from .pasts import hb, m, sender
from .steps import ALL_STEPS, Steps


def met(steps: Steps) -> Iterable[Condition]:
    """Each step can be taken and makes the event that it should, one is left until all are made, and in the end the
    state and the copy are together."""
    known = script(steps).hypotheses
    receipt, event, last = (action.guard for action in actions(S))

    def in_transit(c: z3.ExprRef) -> z3.BoolRef:
        return And(S.made(of(c)), Not(S.got(c)))

    yield Condition("a receipt is possible", (*known, receipt), And(in_transit(N), to(N) == sender(X)))
    yield Condition("an event is made with its own past", (*known, event),
                    ForAll([m], S.past(sender(X), m) == hb(m, X)))  # fmt: skip
    yield Condition("and after its own receipts", (*known, event),
                    ForAll([c], Implies(to(c) == sender(X), S.got(c) == own_before(X, c))))  # fmt: skip
    smallest = And(union(X), Not(S.made(X)), ForAll([m], Implies(And(union(m), Not(S.made(m))), Not(hb(m, X)))))
    yield Condition("an event that no other happened before is next", (*known, smallest), is_next(S, X))
    yield Condition("a last receipt is possible", (*known, last), And(in_transit(N), to(N) == to(C)))
    end = (*known, all_made(S), ForAll([c], Implies(HERE.own(c), S.got(c))))
    yield Condition("in the end the receiver knows what its state knows", end,
                    ForAll([m], S.past(to(C), m) == HERE.past(m)))  # fmt: skip
    yield Condition("it has received what its state has received", end,
                    ForAll([c], Implies(to(c) == to(C), S.got(c) == HERE.own(c))))  # fmt: skip
    yield Condition("the copy is in transit", end, in_transit(C))
    yield Condition("no other event is made", end, ForAll([m], S.made(m) == union(m)))


CLAIMS = (
    Claim("H-EXACT", "checker/histories/README.md",
          "with full pasts nothing else is met: a state and a copy that are compatible are together in a run, which "
          "makes just the events that they know",
          conditions=lambda steps: [*rules(steps), *script(steps).conditions(), *met(steps)],
          witness=lambda: script(ALL_STEPS).witnesses(), steps=LABELS,
          assumptions=("an event tells the state of its process and what its copies carry (of direct models: both are "
                       "functions of the past)",
                       "channels hand over any copy in transit at any time, and lose and repeat none"),
          on_paper=("minimal", "script"),
          formula="the events that the two know can be made one after another, each with just its past, after which "
                  "the receiver knows what the state knows, and the copy is in transit"),
)  # fmt: skip
