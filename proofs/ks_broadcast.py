"""KS where every message goes to all (Section 7.1; KS-24a), as a transition system for any number of processes: LOG and
O_M keep one clock for each sender. It keeps causal order, and is BSS with other names.

The labels are those of the steps of Section 4.3 that are left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, ForAll, Function, If, Implies, IntVal, Not, Or

from . import bss
from .bss_theorems import INDUCTION as BSS_INDUCTION
from .bss_theorems import S as BSS
from .claims import Claim
from .conditions import Condition
from .counting import NUMBERS, Int, Number, Senders, a, larger, number, some_senders
from .lemmas import chosen
from .pasts import (
    MESSAGES,
    Message,
    Pasts,
    Process,
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
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("SND(2)", "SND(4)", "RCV(1)", "RCV(2)", "RCV(3)", "RCV(4)")


@dataclass(frozen=True)
class KSBroadcast:
    """pasts and senders: what happened. LOG(p, a), SR(p, a): the clocks at p. O(x, a): what the copies of x carry."""

    pasts: Pasts
    senders: Senders
    LOG: Number
    SR: Number
    O: Number


def some_state() -> KSBroadcast:
    """Any state."""
    return KSBroadcast(
        some_pasts(),
        some_senders(),
        Function("LOG", Process, Process, Int),
        Function("SR", Process, Process, Int),
        Function("O", Message, Process, Int),
    )


def initial(s: KSBroadcast) -> z3.BoolRef:
    """Nothing has happened, and all clocks are 0."""
    clocks = ForAll([p, a], And(s.LOG(p, a) == 0, s.SR(p, a) == 0))
    return And(initially(s.pasts), s.senders.initially(), clocks)


def snd(s: KSBroadcast, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """SND: j sends M to all others, with LOG; its clock is then the latest of its own."""
    LOG = lambda p, a: If(And(p == j, a == j), number(M), s.LOG(p, a))  # noqa: E731
    after = replace(
        s,
        pasts=after_send(s.pasts, j, M),
        senders=s.senders.after_send(j, M),
        LOG=steps("SND(4)", LOG, s.LOG),
        O=lambda x, a: If(x == M, steps("SND(2)", s.LOG(j, a), IntVal(0)), s.O(x, a)),
    )
    return Action("SND", And(may_send(s.pasts, j, M), s.senders.takes(j, M), bss.to_all(M)), after)


def in_transit(s: KSBroadcast, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def ready(s: KSBroadcast, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """RCV(1): the broadcasts of others that the copy names are delivered."""
    return ForAll([a], Implies(a != j, s.O(M, a) <= s.SR(j, a)))


def rcv(s: KSBroadcast, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """RCV: j receives and delivers M."""
    SR = lambda p, a: If(And(p == j, a == sender(M)), number(M), s.SR(p, a))  # noqa: E731

    def O(a: z3.ExprRef) -> z3.ArithRef:
        return steps("RCV(3)", If(a == sender(M), number(M), s.O(M, a)), s.O(M, a))

    LOG = lambda p, a: If(p == j, larger(s.LOG(j, a), O(a)), s.LOG(p, a))  # noqa: E731
    after = replace(
        s,
        pasts=after_delivery(s.pasts, j, M),
        LOG=steps("RCV(4)", LOG, s.LOG),
        SR=steps("RCV(2)", SR, s.SR),
    )
    return Action("RCV", And(in_transit(s, j, M), steps("RCV(1)", ready(s, j, M), BoolVal(True))), after)


def facts(s: KSBroadcast) -> list[tuple[str, z3.BoolRef]]:
    """What the clocks are, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered, count = s.pasts.sent, s.pasts.past, s.pasts.delivered, s.senders.count
    return [
        *s.senders.facts(sent),
        ("every message goes to all others", ForAll([x, d], Implies(sent(x), dest(x, d) == (d != sender(x))))),
        ("LOG has clocks of messages sent", ForAll([p, a], And(s.LOG(p, a) >= 0, s.LOG(p, a) <= count(a)))),
        ("SR has clocks of messages sent", ForAll([p, a], And(s.SR(p, a) >= 0, s.SR(p, a) <= count(a)))),
        ("O_M has clocks of messages sent",
         ForAll([x, a], Implies(sent(x), And(s.O(x, a) >= 0, s.O(x, a) <= count(a))))),
        ("LOG has the own clock", ForAll([p], s.LOG(p, p) == count(p))),
        ("O_M has the clock before its own", ForAll([x], Implies(sent(x), s.O(x, sender(x)) == number(x) - 1))),
        ("LOG is the past", ForAll([p, m], Implies(sent(m), past(p, m) == (number(m) <= s.LOG(p, sender(m)))))),
        ("O_M is the past of the message",
         ForAll([x, m], Implies(And(sent(x), sent(m)), hb(m, x) == (number(m) <= s.O(x, sender(m)))))),
        ("the first SR[a] messages of a are delivered",
         ForAll([p, m], Implies(And(sent(m), sender(m) != p),
                                delivered(p, m, p) == (number(m) <= s.SR(p, sender(m)))))),
        ("what a process knows to be sent to it is delivered",
         ForAll([p, m], Implies(And(past(p, m), dest(m, p)), delivered(p, m, p)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: KSBroadcast) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of KS for broadcasts."""
    return [*facts_of_pasts(s.pasts), *facts(s)]


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)
INDUCTION = WitnessedInduction(
    "KS, broadcast",
    S,
    (*MESSAGES, *NUMBERS),
    initial,
    invariant,
    lambda s, steps: (snd(s, i, M, steps), rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper, and that RCV(1) holds when all that must precede a copy is delivered."""
    delivered = S.pasts.delivered
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("KS, broadcast: M is delivered before M'", before, delivered(j, M1, j))
    due = ForAll([m], Implies(And(hb(m, M), dest(m, j)), delivered(j, m, j)))
    here = (*KNOWN, in_transit(S, j, M), due, a != j, S.O(M, a) >= 1, S.senders.nth(a, S.O(M, a)) == M1)
    named = And(S.pasts.sent(M1), sender(M1) == a, number(M1) == S.O(M, a), hb(M1, M))
    yield Condition("KS, broadcast: the clock in O_M is that of a message", here, named)
    yield Condition("KS, broadcast: what is due is ready", (*here, named), S.O(M, a) <= S.SR(j, a))


OURS = chosen(
    facts(S), "LOG has clocks of messages sent", "LOG is the past",
    "O_M has clocks of messages sent", "O_M is the past of the message", "O_M has the clock before its own",
)  # fmt: skip
THEIRS = chosen(
    bss.facts(BSS), "V counts messages sent", "V is the past", "T counts messages sent",
    "T is the past of the message, and the message", "T has the number of its message",
)  # fmt: skip


def same_as_bss(steps: Steps) -> Iterable[Condition]:
    """In the same run, O_M is the vector time of the send without the send itself, and LOG that of the process."""
    vector = If(a == sender(M), BSS.T(M, a) - 1, BSS.T(M, a))
    pairs = [("O_M", S.O(M, a), "T", vector), ("LOG", S.LOG(p, a), "V", BSS.V(p, a))]
    for left, ours, right, theirs in [*pairs, *((r, t, l, o) for l, o, r, t in pairs)]:
        known = (*OURS, *THEIRS, S.pasts.sent(M), ours >= 1)
        last = And(S.pasts.sent(M1), sender(M1) == a, number(M1) == ours)
        numbered = chosen(facts(S), "no number is left out")
        nth = (*known, *numbered, S.senders.nth(a, ours) == M1)
        yield Condition(f"KS-24: the last that {left} counts is a message", nth, last)
        yield Condition(f"KS-24: {left} is not more than {right}", (*known, last), ours <= theirs)


SOURCE = "Kshemkalyani, Singhal 1998, Section 7.1, broadcast"
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "every message goes to all others (KS-24a)",
)
CLAIMS = (
    Claim("C-KS-SC-BROADCAST", SOURCE, "broadcast: causal order with one clock value per sender, O(n)", (INDUCTION,),
          safe_and_live, assumptions=ASSUMED, on_paper=("minimal", "fairness"), steps=LABELS,
          formula="causal order; a copy whose predecessors are delivered passes RCV(1); O_M is one number a process"),
    Claim("C-KS-SC-VECTORS", SOURCE, "the broadcast case is equivalent to vector timestamps",
          (INDUCTION, BSS_INDUCTION), same_as_bss, assumptions=ASSUMED,
          formula="in the same run, LOG is the vector V of BSS, and O_M its timestamp without the message itself"),
)  # fmt: skip
