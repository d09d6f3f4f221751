"""Synchronous unicast (Kshemkalyani, Singhal 1998, Section 7.1): messages carry nothing. Two readings of "a send waits
for the delivery", for any number of processes: both are one step (KS-27a), or the next send of the process waits for an
acknowledgement, while it receives as ever (KS-27b).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, Exists, ForAll, Function, Implies, Not, Or

from .claims import Claim
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
    e,
    facts_of_pasts,
    hb,
    initially,
    m,
    may_send,
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("d1",)
LABELS_B = ("s1", "s3", "d2", "a1")


@dataclass(frozen=True)
class Synchronous:
    """pasts: what happened. awaited(p, d): p waits for d to say that it has delivered; told(p, d): d has said so, and p
    has not heard it."""

    pasts: Pasts
    awaited: Relation
    told: Relation


def some_state() -> Synchronous:
    """Any state."""
    awaited = Function("awaited", Process, Process, Bool)
    return Synchronous(some_pasts(), awaited, Function("told", Process, Process, Bool))


def initial(s: Synchronous) -> z3.BoolRef:
    """Nothing has happened, and nothing is awaited."""
    return And(initially(s.pasts), ForAll([p, d], Not(Or(s.awaited(p, d), s.told(p, d)))))


def to_one(M: z3.ExprRef) -> z3.BoolRef:
    """M is sent to one other process."""
    return And(Exists([d], dest(M, d)), ForAll([d, e], Implies(And(dest(M, d), dest(M, e)), d == e)),
               Not(dest(M, sender(M))))  # fmt: skip


def meet(s: Synchronous, i: z3.ExprRef, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """KS-27a: i sends M to j, which delivers it in the same step."""
    sent = after_send(s.pasts, i, M)
    after = replace(s, pasts=steps("d1", after_delivery(sent, j, M), sent))
    return Action("rendezvous", And(may_send(s.pasts, i, M), to_one(M), dest(M, j)), after)


def send(s: Synchronous, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """KS-27b: i sends M, if nothing is awaited."""
    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        awaited=lambda p, d: Or(s.awaited(p, d), steps("s3", And(p == i, dest(M, d)), BoolVal(False))),
    )
    free = steps("s1", ForAll([d], Not(s.awaited(i, d))), BoolVal(True))
    return Action("send", And(may_send(s.pasts, i, M), to_one(M), free), after)


def in_transit(s: Synchronous, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def receive(s: Synchronous, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """KS-27b: j delivers M at once, and tells its sender."""
    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        told=lambda p, d: Or(s.told(p, d), steps("d2", And(p == sender(M), d == j), BoolVal(False))),
    )
    return Action("delivery", in_transit(s, j, M), after)


def hear(s: Synchronous, i: z3.ExprRef, j: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """KS-27b: i hears that j has delivered."""
    here = lambda p, d: And(p == i, d == j)  # noqa: E731
    awaited = lambda p, d: And(s.awaited(p, d), Not(here(p, d)))  # noqa: E731
    told = lambda p, d: And(s.told(p, d), Not(here(p, d)))  # noqa: E731
    return Action("acknowledgement", s.told(i, j), replace(s, awaited=steps("a1", awaited, s.awaited), told=told))


def facts(s: Synchronous) -> list[tuple[str, z3.BoolRef]]:
    """KS-27a: nothing is ever in transit."""
    arrives = Implies(And(s.pasts.sent(m), dest(m, d)), s.pasts.delivered(d, m, d))
    return [
        ("every message is delivered", ForAll([m, d], arrives)),
        ("causal order", causal_order(s.pasts)),
    ]


def facts_b(s: Synchronous) -> list[tuple[str, z3.BoolRef]]:
    """KS-27b: what happened before a send is delivered."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    own = And(sent(m), dest(m, d))
    return [
        ("a message has one destination",
         ForAll([x, d, e], Implies(And(sent(x), dest(x, d), dest(x, e)), d == e))),
        ("what is in transit is awaited", ForAll([m, d], Implies(And(own, Not(delivered(d, m, d))),
                                                                 s.awaited(sender(m), d)))),
        ("what is acknowledged is delivered",
         ForAll([m, d], Implies(And(own, s.told(sender(m), d)), delivered(d, m, d)))),
        ("what is acknowledged is awaited", ForAll([p, d], Implies(s.told(p, d), s.awaited(p, d)))),
        ("what is awaited is in transit or acknowledged",
         ForAll([p, d], Implies(s.awaited(p, d), Or(s.told(p, d), Exists([m], And(sent(m), sender(m) == p, dest(m, d),
                                                                                  Not(delivered(d, m, d)))))))),
        ("what others know is delivered",
         ForAll([p, m, d], Implies(And(past(p, m), p != sender(m), dest(m, d)), delivered(d, m, d)))),
        ("what happened before a send is delivered",
         ForAll([x, m, d], Implies(And(sent(x), hb(m, x), dest(m, d)), delivered(d, m, d)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)
INDUCTION = WitnessedInduction(
    "synchronous",
    S,
    MESSAGES,
    initial,
    lambda s: [*facts_of_pasts(s.pasts), *facts(s)],
    lambda s, steps: (meet(s, i, j, M, steps),),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
INDUCTION_B = WitnessedInduction(
    "synchronous, with acknowledgements",
    S,
    MESSAGES,
    initial,
    lambda s: [*facts_of_pasts(s.pasts), *facts_b(s)],
    lambda s, steps: (send(s, i, M, steps), receive(s, j, M, steps), hear(s, i, j, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)


def ordered(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper; and a rendezvous waits for no other message."""
    delivered = S.pasts.delivered
    before = (*INDUCTION.hypotheses, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("KS-27a: M is delivered before M'", before, delivered(j, M1, j))
    meeting = (*INDUCTION.hypotheses, may_send(S.pasts, i, M), to_one(M), dest(M, j))
    yield Condition("KS-27a: a send can take place at once", meeting, meet(S, i, j, M).guard)


def ordered_b(steps: Steps) -> Iterable[Condition]:
    """The same; a copy waits for nothing, and a sender only for what is on its way."""
    known, delivered = INDUCTION_B.hypotheses, S.pasts.delivered
    before = (*known, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("KS-27b: M is delivered before M'", before, delivered(j, M1, j))
    waits = (*known, S.awaited(i, j))
    moves = Or(hear(S, i, j).guard, Exists([m], And(sender(m) == i, receive(S, j, m).guard)))
    yield Condition("KS-27b: what a sender waits for can take place", waits, moves)


SOURCE = "Kshemkalyani, Singhal 1998, Section 7.1, synchronous unicast"
ASSUMED = ("no copy is lost or duplicated", "every message goes to one other process")
CLAIMS = (
    Claim("C-KS-SC-SYNC", SOURCE, "synchronous unicast: causal order with no control information", (INDUCTION,),
          ordered, assumptions=(*ASSUMED, "a send and its delivery are one step (KS-27a)"), steps=LABELS,
          formula="causal order; nothing is ever in transit, and no send waits for another"),
    Claim("C-KS-SC-SYNC-B", SOURCE, "synchronous unicast, where only the next send waits: the same", (INDUCTION_B,),
          ordered_b, assumptions=(*ASSUMED, "channels need not be FIFO (KS-27b)"), on_paper=("fairness",),
          steps=LABELS_B,
          formula="causal order; every copy in transit can be delivered, and what a sender waits for is on its way"),
)  # fmt: skip
