"""KS, proof of Theorem 8, as a family of runs of any protocol: many facts are required at once, and any of them.

Every process p that takes part sends one message, `first(p)`, to x and to any others, before it delivers anything. When
all are sent, x delivers them, and no one else does. Then x sends `link` to y alone, and y may deliver it if no first
message goes to y. What y sends after that to d ends a chain of three messages: first(m) to x, link to y, that to d.

`takes_part` and the destinations are left open, so that what is proved is proved of every choice of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3
from z3 import And, Const, Consts, ForAll, Function, Implies, Not, Or

from .claims import Induction
from .ks_constraints import Protocol, in_transit
from .lemmas import InductionByLemmas, few
from .pasts import (
    MESSAGES,
    Bool,
    Message,
    Process,
    after_delivery,
    after_send,
    covered_before,
    d,
    delivered_before,
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
)
from .steps import ALL_STEPS, Action, Steps

X, Y = Consts("X Y", Process)
"""The collector, and the process that it tells."""
i, q = Consts("i q", Process)
link = Const("link", Message)
first = Function("first", Process, Message)
takes_part = Function("takes_part", Process, Bool)

S = Protocol(some_pasts())


def is_first(m: z3.ExprRef) -> z3.BoolRef:
    """m is the first message of a process that takes part."""
    return And(m == first(sender(m)), takes_part(sender(m)))


NAMED = (
    ("x is not y", X != Y),
    ("first messages have their senders", ForAll([p], Implies(takes_part(p), sender(first(p)) == p))),
    ("link is a message of x", sender(link) == X),
    ("it is not its first", Implies(takes_part(X), link != first(X))),
)  # fmt: skip
"""Who is who, and who sends what."""
ADDRESSED = (
    ("no first message goes to its sender", ForAll([p], Implies(takes_part(p), Not(dest(first(p), p))))),
    ("those of others go to x", ForAll([p], Implies(And(takes_part(p), p != X), dest(first(p), X)))),
    ("link goes to y alone", ForAll([d], dest(link, d) == (d == Y))),
)  # fmt: skip
"""What goes to whom."""


def collected(s: Protocol) -> z3.BoolRef:
    """x has delivered all first messages but its own."""
    return ForAll([q], Implies(And(takes_part(q), q != X), s.pasts.delivered(X, first(q), X)))


def all_sent(s: Protocol) -> z3.BoolRef:
    """All first messages are sent."""
    return ForAll([q], Implies(takes_part(q), s.pasts.sent(first(q))))


def none_to_y() -> z3.BoolRef:
    """y has to wait for nothing."""
    return ForAll([q], Implies(takes_part(q), Not(dest(first(q), Y))))


def actions(s: Protocol, steps: Steps = ALL_STEPS) -> Sequence[Action]:
    """The steps of the script; i is any process."""
    one = first(i)
    sends = And(takes_part(i), may_send(s.pasts, i, one))
    collects = And(takes_part(i), all_sent(s), Not(s.pasts.sent(link)), in_transit(s, X, one))
    links = And(all_sent(s), collected(s), may_send(s.pasts, X, link))
    learns = And(none_to_y(), in_transit(s, Y, link))
    return (
        Action("a first send", sends, Protocol(after_send(s.pasts, i, one))),
        Action("a delivery at x", collects, Protocol(after_delivery(s.pasts, X, one))),
        Action("the send of link", links, Protocol(after_send(s.pasts, X, link))),
        Action("the delivery of link", learns, Protocol(after_delivery(s.pasts, Y, link))),
    )


def script(s: Protocol) -> list[tuple[str, z3.BoolRef]]:
    """What the processes know as far as the script has gone."""
    sent, past, delivered, covered = s.pasts.sent, s.pasts.past, s.pasts.delivered, s.pasts.covered
    return [
        ("the script's messages are sent", ForAll([m], Implies(sent(m), Or(is_first(m), m == link)))),
        ("x delivers first messages, y the link",
         ForAll([m, d], Implies(delivered(d, m, d), Or(And(d == X, is_first(m)), And(d == Y, m == link))))),
        ("all first messages are sent before the first delivery",
         ForAll([m, d], Implies(delivered(d, m, d), all_sent(s)))),
        ("link is sent when all is collected", Implies(sent(link), And(all_sent(s), collected(s)))),
        ("others know what they sent", ForAll([p, m], Implies(And(past(p, m), p != X, p != Y), sender(m) == p))),
        ("x knows what it sent and delivered",
         ForAll([m], Implies(past(X, m), Or(sender(m) == X, delivered(X, m, X))))),
        ("y knows what it sent, until the link tells it of all",
         ForAll([m], Implies(past(Y, m), Or(sender(m) == Y, delivered(Y, link, Y))))),
        ("y delivers the link when nothing else goes to it", Implies(delivered(Y, link, Y), none_to_y())),
        ("and which of them x has",
         ForAll([m], Implies(And(delivered(Y, link, Y), is_first(m), sender(m) != X), delivered(Y, m, X)))),
        ("first messages are sent with nothing known",
         ForAll([m, n, d], Implies(And(is_first(m), sent(m)),
                                   Not(Or(hb(n, m), delivered_before(m, n, d), covered_before(m, n, d)))))),
        ("only the link covers", ForAll([p, m, d], Implies(covered(p, m, d), And(d == Y, sent(link), past(p, link))))),
        ("nothing is covered before the link",
         ForAll([m, d], Implies(sent(link), Not(covered_before(link, m, d))))),
        ("before the link all first messages are known, and delivered at x",
         ForAll([m], Implies(sent(link), hb(m, link) == is_first(m)))),
        ("and nowhere else",
         ForAll([m, d], Implies(sent(link), delivered_before(link, m, d)
                                == And(is_first(m), sender(m) != X, d == X)))),
    ]  # fmt: skip


class Script(InductionByLemmas[Protocol]):
    """The induction of a script with more messages than its witnesses have otherwise."""

    def witnesses(self) -> list[tuple[str, tuple[z3.BoolRef, ...]]]:
        """With four processes and messages."""
        return [(name, (*formulas, *few(4))) for name, formulas in Induction.witnesses(self)]


INDUCTION = Script(
    "chains of three",
    S,
    (*MESSAGES, *NAMED, *ADDRESSED),
    lambda s: initially(s.pasts),
    lambda s: [*facts_of_pasts(s.pasts), *script(s)],
    actions,
)
KNOWN = INDUCTION.hypotheses
