"""Serialised broadcast (Kshemkalyani, Singhal 1998, Section 7.1), as a transition system for any number of processes
with the readings of the model's defaults (KS-25c, KS-25own y): a copy names one broadcast, the last of the system.

An own copy counts as delivered when the broadcast that it names does. The model takes all own copies that may count in
the step in which the first may; here each is a step of its own (d2 own).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, ForAll, Function, If, Implies, Not, Or

from .bss import to_all
from .claims import Claim
from .conditions import Condition
from .counting import Int, Number, a, larger
from .mutual_exclusion import TIMES, Token, some_token, time
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
    q,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("s1", "s2", "s4", "d1", "d2", "m1")


@dataclass(frozen=True)
class Serialised:
    """pasts and token: what happened. last(p, m): with the token goes that m is the last broadcast. SR(p, a): the
    largest time of a broadcast of a that counts as delivered at p. own(p, m): its own copy of m waits. names(x, m): the
    copies of x name m."""

    pasts: Pasts
    token: Token
    last: Relation
    SR: Number
    own: Relation
    names: Relation

    def counts(self, p: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        """m is delivered at p, or counts as delivered at its sender."""
        here = And(self.pasts.sent(m), Not(self.own(p, m)))
        return If(sender(m) == p, here, self.pasts.delivered(p, m, p))


def some_state() -> Serialised:
    """Any state."""
    return Serialised(
        some_pasts(),
        some_token(),
        Function("last", Process, Message, Bool),
        Function("SR", Process, Process, Int),
        Function("own", Process, Message, Bool),
        Function("names", Message, Message, Bool),
    )


def initial(s: Serialised) -> z3.BoolRef:
    """Nothing has happened."""
    nothing = ForAll([p, m], Not(Or(s.last(p, m), s.own(p, m))))
    return And(initially(s.pasts), s.token.initially(), nothing, ForAll([p, a], s.SR(p, a) == 0))


def send(s: Serialised, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """The holder of the token broadcasts M; its own copy waits."""
    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        token=s.token.after_send(i, M),
        last=lambda p, m: If(p == i, steps("s4", m == M, s.last(i, m)), s.last(p, m)),
        own=lambda p, m: Or(s.own(p, m), And(p == i, m == M)),
        names=lambda x, m: If(x == M, steps("s2", s.last(i, m), BoolVal(False)), s.names(x, m)),
    )
    alone = steps("s1", s.token.takes(i, M), time(M) == s.token.turn(i) + 1)
    return Action("send", And(may_send(s.pasts, i, M), to_all(M), alone), after)


def ready(s: Serialised, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: the broadcast that M names counts as delivered."""
    return ForAll([m], Implies(s.names(M, m), time(m) <= s.SR(j, sender(m))))


def counted(s: Serialised, j: z3.ExprRef, M: z3.ExprRef, steps: Steps) -> Number:
    """SR when M counts at j too."""
    latest = lambda p, a: If(And(p == j, a == sender(M)), larger(s.SR(p, a), time(M)), s.SR(p, a))  # noqa: E731
    return steps("d2", latest, s.SR)


def in_transit(s: Serialised, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def receive(s: Serialised, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M."""
    after = replace(s, pasts=after_delivery(s.pasts, j, M), SR=counted(s, j, M, steps))
    return Action("delivery", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def take_own(s: Serialised, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """The own copy of M counts."""
    after = replace(s, SR=counted(s, i, M, steps), own=lambda p, m: And(s.own(p, m), Not(And(p == i, m == M))))
    return Action("own copy", And(s.own(i, M), steps("d1", ready(s, i, M), BoolVal(True))), after)


def pass_on(s: Serialised, i: z3.ExprRef, j: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """m1: the holder sends the token to j, with what it says of the last broadcast."""
    after = replace(
        s,
        token=s.token.passed(i, j),
        last=lambda p, m: If(p == j, steps("m1", s.last(i, m), BoolVal(False)), s.last(p, m)),
    )
    return Action("passing the token", And(s.token.holds(i), i != j), after)


def take_token(s: Serialised, j: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """m2: j takes the token."""
    return Action("taking the token", s.token.coming(j), replace(s, token=s.token.taken(j)))


def facts(s: Serialised) -> list[tuple[str, z3.BoolRef]]:
    """All processes deliver in the order of the broadcasts; inductive together with the theory of pasts."""
    sent = s.pasts.sent
    return [
        *s.token.facts(sent),
        ("every message goes to all others", ForAll([x, d], Implies(sent(x), dest(x, d) == (d != sender(x))))),
        ("with the token goes the last broadcast",
         ForAll([p, m], Implies(s.token.at(p), s.last(p, m) == And(sent(m), time(m) == s.token.turn(p))))),
        ("a copy names the broadcast before it",
         ForAll([x, m], Implies(sent(x), s.names(x, m) == And(sent(m), time(m) == time(x) - 1)))),
        ("an own copy is of an own broadcast", ForAll([p, m], Implies(s.own(p, m), And(sent(m), sender(m) == p)))),
        ("SR has times of the past",
         ForAll([p, q, a], And(s.SR(p, a) >= 0, Implies(s.token.at(q), s.SR(p, a) <= s.token.turn(q))))),
        ("SR says what counts",
         ForAll([p, m], Implies(sent(m), s.counts(p, m) == (time(m) <= s.SR(p, sender(m)))))),
        ("what counts is what was broadcast first",
         ForAll([p, m, x], Implies(And(s.counts(p, x), sent(m), time(m) < time(x)), s.counts(p, m)))),
        ("what happened before was broadcast before", ForAll([m, x], Implies(And(sent(x), hb(m, x)),
                                                                             time(m) < time(x)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: Serialised) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of serialised broadcast."""
    return [*facts_of_pasts(s.pasts), *facts(s)]


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)


def named_counts(s: Serialised, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """What d1 says of a copy that passes it."""
    if action.name not in ("delivery", "own copy"):
        return []
    here, named = (j if action.name == "delivery" else i), s.token.nth(time(M) - 1)
    there = And(s.pasts.sent(named), time(named) == time(M) - 1, s.counts(here, named))
    earlier = And(s.pasts.sent(m), time(m) < time(M))
    return [
        ("the broadcast before it counts", Implies(time(M) > 1, there)),
        ("others were before that", ForAll([m], Implies(earlier, And(time(M) > 1, Or(m == named,
                                                                                   time(m) < time(named)))))),
        ("all broadcasts before it count", ForAll([m], Implies(earlier, s.counts(here, m)))),
    ]  # fmt: skip


INDUCTION = WitnessedInduction(
    "serialised broadcast",
    S,
    (*MESSAGES, *TIMES),
    initial,
    invariant,
    lambda s, steps: (
        send(s, i, M, steps),
        receive(s, j, M, steps),
        take_own(s, i, M, steps),
        pass_on(s, i, j, steps),
        take_token(s, j, steps),
    ),
    named_counts,
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper; the next of all broadcasts is ready; there is one pair."""
    delivered = S.pasts.delivered
    ordered = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("serialised broadcast: M is delivered before M'", ordered, delivered(j, M1, j))
    earlier = ForAll([m], Implies(And(S.pasts.sent(m), time(m) < time(M)), S.counts(j, m)))
    next = (*KNOWN, S.pasts.sent(M), earlier)
    yield Condition("serialised broadcast: the next broadcast is ready", next, ready(S, j, M))
    yield Condition("serialised broadcast: the next one is in transit, waits as an own copy or counts", next,
                    Or(in_transit(S, j, M), S.own(j, M), S.counts(j, M)))  # fmt: skip
    two = (*KNOWN, S.pasts.sent(x), S.names(x, m), S.names(x, n))
    yield Condition("serialised broadcast: a copy names one broadcast", two, m == n)


CLAIMS = (
    Claim("C-KS-SC-SERIAL-BROADCAST", "Kshemkalyani, Singhal 1998, Section 7.1, serialised broadcast",
          "serialised broadcast: one pair (sender, timestamp), of the most recent broadcast in the system, suffices",
          (INDUCTION,), safe_and_live,
          assumptions=(
              "no copy is lost or duplicated; channels need not be FIFO",
              "every message goes to all others; sends under mutual exclusion, which numbers them and hands the pair "
              "over (KS-25c)",
              "an own copy counts when the broadcast that it names does (KS-25own y)",
          ),
          on_paper=("minimal", "fairness"), steps=LABELS,
          formula="causal order, even the order of the broadcasts; a copy of which all earlier broadcasts count at its "
          "destination passes d1; it names one broadcast at most"),
)  # fmt: skip
