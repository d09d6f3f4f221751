"""KS on channels that are not FIFO, with a number on each copy (Kshemkalyani, Singhal 1998, Section 7.1, last case;
KS-31b, KS-31c), for any number of processes: what the numbers do, and that KS does not need them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, ForAll, Function, If, Implies, Not, Or

from . import ks, ks_safety
from .claims import Claim
from .conditions import Condition
from .counting import INDICES, Channels, Int, Number, a, index, some_channels
from .ks_safety import INDUCTION as KS_INDUCTION
from .ks_safety import KNOWN as KS_KNOWN
from .ks_safety import NO_SELF
from .ks_safety import S as KS
from .pasts import (
    MESSAGES,
    Bool,
    Message,
    Pasts,
    Process,
    Relation,
    after_delivery,
    after_send,
    before,
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
)
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("KS-31b",)


@dataclass(frozen=True)
class Numbered:
    """pasts and channels: what happened. last(d, a): the last number in sequence from a at d; arrived(d, m): m has
    arrived at d."""

    pasts: Pasts
    channels: Channels
    last: Number
    arrived: Relation


def some_state() -> Numbered:
    """Any state."""
    return Numbered(
        some_pasts(),
        some_channels(),
        Function("last", Process, Process, Int),
        Function("arrived", Process, Message, Bool),
    )


def initial(s: Numbered) -> z3.BoolRef:
    """Nothing has happened."""
    nothing = And(ForAll([d, a], s.last(d, a) == 0), ForAll([d, m], Not(s.arrived(d, m))))
    return And(initially(s.pasts), s.channels.initially(), nothing)


def send(s: Numbered, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M; the copy to d has the number index(M, d)."""
    after = replace(s, pasts=after_send(s.pasts, i, M), channels=s.channels.after_send(i, M))
    return Action("send", And(may_send(s.pasts, i, M), s.channels.takes(i, M)), after)


def arrive(s: Numbered, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """M arrives at j, in sequence."""
    i = sender(M)
    next = steps("KS-31b", index(M, j) == s.last(j, i) + 1, BoolVal(True))
    after = replace(
        s,
        last=lambda d, a: If(And(d == j, a == i), index(M, j), s.last(d, a)),
        arrived=lambda d, m: Or(s.arrived(d, m), And(d == j, m == M)),
    )
    return Action("arrival", And(s.pasts.sent(M), dest(M, j), Not(s.arrived(j, M)), next), after)


def receive(s: Numbered, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j delivers M, which has arrived, if KS lets it."""
    guard = And(s.arrived(j, M), dest(M, j), Not(s.pasts.delivered(j, M, j)))
    return Action("delivery", guard, replace(s, pasts=after_delivery(s.pasts, j, M)))


def facts(s: Numbered) -> list[tuple[str, z3.BoolRef]]:
    """What has arrived, on top of the theory of pasts; inductive together with it."""
    sent, delivered = s.pasts.sent, s.pasts.delivered
    return [
        *s.channels.facts(sent),
        ("numbers in sequence are those of messages",
         ForAll([d, a], And(s.last(d, a) >= 0, s.last(d, a) <= s.channels.count(a, d)))),
        ("what arrives was sent", ForAll([d, m], Implies(s.arrived(d, m), And(sent(m), dest(m, d))))),
        ("the first messages of a channel have arrived",
         ForAll([d, m], Implies(And(sent(m), dest(m, d)), s.arrived(d, m) == (index(m, d) <= s.last(d, sender(m)))))),
        ("what is delivered has arrived", ForAll([d, m], Implies(delivered(d, m, d), s.arrived(d, m)))),
    ]  # fmt: skip


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1 = Const("M", Message), Const("M1", Message)
INDUCTION = WitnessedInduction(
    "sequence numbers",
    S,
    (*MESSAGES, *INDICES),
    initial,
    lambda s: [*facts_of_pasts(s.pasts), *facts(s)],
    lambda s, steps: (send(s, i, M, steps), arrive(s, j, M, steps), receive(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def in_sequence(steps: Steps) -> Iterable[Condition]:
    """Channels are FIFO, and the next copy of a channel can arrive."""
    fifo = (*KNOWN, S.arrived(j, n), before(m, n), dest(m, j))
    yield Condition("KS-31b: copies arrive in the order of their channel", fifo, S.arrived(j, m))
    earlier = ForAll([m], Implies(And(before(m, M), dest(m, j)), S.arrived(j, m)))
    last = S.channels.nth(sender(M), j, index(M, j) - 1) == M1
    next = (*KNOWN, S.pasts.sent(M), dest(M, j), Not(S.arrived(j, M)), earlier, last)
    one = Implies(index(M, j) > 1, And(S.pasts.sent(M1), dest(M1, j), sender(M1) == sender(M),
                                       index(M1, j) == index(M, j) - 1))  # fmt: skip
    yield Condition("KS-31b: the number before is that of a message", next, one)
    yield Condition("KS-31b: the next copy of a channel can arrive", (*next, one), arrive(S, j, M).guard)


def not_needed(steps: Steps) -> Iterable[Condition]:
    """A copy that passes RCV(1) is the next of its channel, so that a test of its number waits for nothing else."""
    passes = ks.rcv(KS, j, M, steps)
    known = (*KS_KNOWN, passes.guard)
    for name, formula in ks_safety.come_first(KS, passes):
        yield Condition(f"KS-31c: {name}", known, formula)
        known = (*known, formula)
    earlier = (*known, before(m, M), dest(m, j))
    yield Condition("KS-31c: an earlier message of the channel happened before", earlier, hb(m, M))
    yield Condition("KS-31c: it is delivered", (*earlier, hb(m, M)), KS.pasts.delivered(j, m, j))


SOURCE = "Kshemkalyani, Singhal 1998, Section 7.1, non-FIFO channels"
RELIABLE = "no copy is lost or duplicated; channels need not be FIFO"
CLAIMS = (
    Claim("C-KS-SC-SEQUENCE", SOURCE, "sequence numbers and a vector of the last in sequence make channels FIFO",
          (INDUCTION,), in_sequence, assumptions=(RELIABLE,), on_paper=("fairness",), steps=LABELS,
          formula="copies arrive in the order of their channel, and the next one always can (KS-31b), whatever the "
          "algorithm that delivers them"),
    Claim("C-KS-SC-NONFIFO", SOURCE, "KS guarantees CO where channels are not FIFO, with sequence numbers",
          (KS_INDUCTION,), not_needed, assumptions=(RELIABLE, NO_SELF), steps=("RCV(1)",),
          formula="KS keeps causal order without them, and RCV(1) implies the test of the number: what passes RCV(1) "
          "is the next of its channel (KS-31c)"),
)  # fmt: skip
