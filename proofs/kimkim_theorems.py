"""Kim-Kim: safety and deliverability, and that DP has just the direct predecessors of the next message."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Consts, ForAll, Implies, Not, Or

from . import kimkim
from .claims import Claim
from .conditions import Condition
from .counting import NUMBERS, number
from .enabled import is_due, undelivered, waits
from .pasts import MESSAGES, Message, Process, d, dest, hb, m, may_send, n, p, sender
from .steps import Steps
from .witnessed import WitnessedInduction

S = kimkim.some_state()
i, j = Consts("i j", Process)
M, M1, M2 = Consts("M M1 M2", Message)

INDUCTION = WitnessedInduction(
    "Kim-Kim",
    S,
    (*MESSAGES, *NUMBERS),
    kimkim.initial,
    kimkim.invariant,
    lambda s, steps: (kimkim.snd(s, i, M, steps), kimkim.rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
    lemmas=lambda s, action: [
        ("the messages of DPM above what happened before the send are known",
         ForAll([m], Implies(hb(m, M), s.pasts.past(j, kimkim.top_before(M, m))))),
        ("what happened before the send of a copy that passes d1 is known",
         ForAll([m], Implies(hb(m, M), s.pasts.past(j, m)))),
        ("what of it is in DP is its own top, and so in DPM",
         ForAll([m], Implies(And(s.DP(j, m), hb(m, M)), m == kimkim.top_before(M, m)))),
        ("the copy itself is not known", Not(s.pasts.past(j, M))),
    ] if action.name == "delivery" else [],
)  # fmt: skip
KNOWN = INDUCTION.hypotheses
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "one group: every message goes to all other processes; the own copy is delivered at the send",
)


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "Kim-Kim: a copy waits", (*KNOWN, *waits(S.pasts, j, M, kimkim.rcv(S, j, M).guard))


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    delivered, past = S.pasts.delivered, S.pasts.past
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("Kim-Kim: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j))
    due = is_due(S.pasts, j, M)
    here = (*KNOWN, due)
    yield Condition("Kim-Kim: what is due is known", (*here, hb(M1, M)), past(j, M1))
    counted = S.V(j, sender(M1)) >= number(M1)
    yield Condition("Kim-Kim: and counted", (*KNOWN, S.pasts.sent(M1), past(j, M1)), counted)
    yield Condition("Kim-Kim: so are the messages of DPM", (*here, S.DPM(M, M1)), hb(M1, M))
    last = (S.senders.nth(sender(M), number(M) - 1) == M1, number(M) >= 2)
    previous = And(hb(M1, M), sender(M1) == sender(M), number(M1) == number(M) - 1)
    yield Condition("Kim-Kim: the sender's message before M happened before it", (*here, *last), previous)
    yield Condition("Kim-Kim: and M is not counted", here, S.V(j, sender(M)) < number(M))
    others = ForAll([m], Implies(S.DPM(M, m), S.V(j, sender(m)) >= number(m)))
    next_one = S.V(j, sender(M)) == number(M) - 1
    guard = kimkim.rcv(S, j, M, steps).guard
    yield Condition("Kim-Kim: a copy is delivered once", (guard,), undelivered(S.pasts, j, M))
    yield Condition("Kim-Kim: what is due is ready", (due, others, next_one), guard)
    to_others = ForAll([d], dest(M, d) == (d != i))
    tops = ForAll([m], kimkim.top_before(M, m) == S.top(i, m))
    sends = (may_send(S.pasts, i, M), S.senders.takes(i, M), to_others, tops)
    yield Condition("Kim-Kim: no send waits", sends, kimkim.snd(S, i, M, steps).guard)


def redundant(steps: Steps) -> Iterable[Condition]:
    """A copy whose direct predecessors are counted is the next of its sender."""
    direct = ForAll([m], Implies(S.DPM(M, m), S.V(j, sender(m)) >= number(m)))
    here = (*KNOWN, kimkim.in_transit(S, j, M), direct)
    above = kimkim.top_before(M, M1)
    named = And(S.DPM(M, above), S.pasts.sent(above), Or(above == M1, hb(M1, above)))
    yield Condition("Kim-Kim: DPM has the same or a later message", (*KNOWN, S.pasts.sent(M), hb(M1, M)), named)
    yield Condition("Kim-Kim: which is known", (*here, named), S.pasts.past(j, above))
    closed = (fact for name, fact in kimkim.invariant(S) if name == "pasts are closed")
    suffices = (*closed, named, S.pasts.past(j, above))
    yield Condition("Kim-Kim: DPM suffices", suffices, S.pasts.past(j, M1))


def leaves(steps: Steps) -> Iterable[Condition]:
    """DP is exact."""
    last = And(S.pasts.past(p, m), ForAll([n], Not(And(S.pasts.past(p, n), hb(m, n)))))
    yield Condition("Kim-Kim: DP", KNOWN, S.DP(p, m) == last)


SOURCE = "Kim, Kim 1996, in the form of algorithms.md, B11"
CLAIMS = (
    Claim("C-B-1-KimKim", SOURCE, "Kim-Kim: safety and liveness", (INDUCTION,), safe_and_live,
          assumptions=ASSUMED, on_paper=("minimal", "fairness"),
          steps=tuple(label for label in kimkim.LABELS if label != "d1 sender"),
          witness=a_wait,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1"),
    Claim("C-KK-1", SOURCE, "DP has the messages of the past that no other message of the past follows", (INDUCTION,),
          leaves, assumptions=ASSUMED),
    Claim("C-KK-2", SOURCE, "the test of DP suffices: a copy that passes it is the next of its sender", (INDUCTION,),
          redundant, assumptions=ASSUMED,
          formula="all that was sent before a copy whose direct predecessors are counted is known at its destination"),
)  # fmt: skip
