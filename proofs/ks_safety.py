"""KS, Theorems 1, 4, 5 and 7, Lemmas 1, 2, 4 and 7: what LOG and O_M are, and that it suffices.

All of them follow from one invariant (`ks.facts`): of every message that p knows, LOG of p names just the destinations
for which the Propagation Constraints require it, and so does the O_M of every copy; the newest message of every known
sender has an entry, so that a message that is older and has none needs none.
"""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Consts, Exists, ForAll, Implies, Not, Or

from . import ks
from .claims import Claim
from .conditions import Condition
from .enabled import is_due, undelivered, waits
from .lemmas import InductionByLemmas
from .pasts import (
    MESSAGES,
    Message,
    Process,
    before,
    d,
    dest,
    hb,
    latest_before,
    m,
    may_send,
    n,
    p,
    required_before,
    sender,
    x,
)
from .steps import Action, Steps

S = ks.some_state()
j, k = Consts("j k", Process)
M = z3.Const("M", Message)


def come_first(s: ks.KS, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """What RCV(1) says of a copy that passes it."""
    if action.name != "RCV":
        return []
    must, latest = And(hb(m, M), dest(m, j)), latest_before(M, m, j)
    return [
        (
            "the latest of what must come first is delivered",
            ForAll([m], Implies(must, s.pasts.delivered(j, latest, j))),
        ),
        ("what must come first is delivered", ForAll([m], Implies(must, s.pasts.delivered(j, m, j)))),
    ]


INDUCTION = InductionByLemmas(
    "KS",
    S,
    MESSAGES,
    ks.initial,
    ks.invariant,
    lambda s, steps: (ks.snd(s, j, M, steps), ks.rcv(s, j, M, steps)),
    come_first,
)
KNOWN = INDUCTION.hypotheses
NO_SELF = "no process sends to itself (KS-7a)"
RELIABLE = "no copy is lost or duplicated; channels need not be FIFO"


def safety(steps: Steps) -> Iterable[Condition]:
    """Causal order is a conjunct of the invariant; here it is in the words of the theorem."""
    M1, M2 = Consts("M1 M2", Message)
    delivered = S.pasts.delivered
    hypotheses = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    delivery = ks.rcv(S, j, M, steps)
    yield Condition("T4: a copy is delivered once", (delivery.guard,), undelivered(S.pasts, j, M))
    yield Condition("T4: M' is delivered at d, M goes to d and was sent before M'", hypotheses, delivered(j, M1, j))


def deliverable(steps: Steps) -> Iterable[Condition]:
    """A copy of which all messages that must precede it are delivered passes RCV(1); and no send waits."""
    yield Condition("T5: what is due is ready", (*KNOWN, is_due(S.pasts, j, M)), ks.rcv(S, j, M, steps).guard)
    yield Condition("T5: no send waits", (may_send(S.pasts, j, M), Not(dest(M, j))), ks.snd(S, j, M, steps).guard)


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "T5: a copy waits", (*KNOWN, *waits(S.pasts, j, M, ks.rcv(S, j, M).guard))


def exact(steps: Steps) -> Iterable[Condition]:
    """Stored and carried facts are those of the Propagation Constraints, in both directions."""
    stored = And(S.entry(p, m), S.D(p, m, d))
    yield Condition("T7: LOG", KNOWN, ForAll([p, m, d], stored == S.pasts.required(p, m, d)))
    carried = And(S.O(x, j, m), S.OD(x, j, m, d))
    required = And(required_before(x, m, d), Or(d == j, Not(dest(x, d))))
    yield Condition("T7: O_M", (*KNOWN, S.pasts.sent(x), dest(x, j)), ForAll([m, d], carried == required))


def one_entry(steps: Steps) -> Iterable[Condition]:
    """d is in the D-field of at most one entry of each sender."""
    two = And(sender(m) == sender(n), S.entry(p, m), S.D(p, m, d), S.entry(p, n), S.D(p, n, d))
    yield Condition("L1: LOG", (*KNOWN, two), m == n)
    two = And(sender(m) == sender(n), S.O(x, k, m), S.OD(x, k, m, d), S.O(x, k, n), S.OD(x, k, n, d))
    yield Condition("L1: O_M", (*KNOWN, S.pasts.sent(x), dest(x, k), two), m == n)


def newest_never_older(steps: Steps) -> Iterable[Condition]:
    """TS(i, LOG_j): once LOG of p has an entry of a sender, it has one, and the newest never becomes older."""
    for action in INDUCTION.actions(S, steps):
        had = And(S.entry(p, m), action.guard)
        has = Exists([n], And(action.after.entry(p, n), Or(n == m, before(m, n))))
        yield Condition(f"L2: {action.name}", (*KNOWN, had), has)


def only_shrinks(steps: Steps) -> Iterable[Condition]:
    """For a message that p knows, the stored destinations after a step are among those before it."""
    for action in INDUCTION.actions(S, steps):
        stored = And(action.after.entry(p, m), action.after.D(p, m, d))
        hypotheses = (*KNOWN, action.guard, S.pasts.past(p, m), stored)
        yield Condition(f"L4: {action.name}", hypotheses, And(S.entry(p, m), S.D(p, m, d)))


def empty_is_newest(steps: Steps) -> Iterable[Condition]:
    """An empty entry is the newest of its sender, so at most one of them is empty."""
    empty = And(S.entry(p, m), Not(Exists([d], S.D(p, m, d))), S.entry(p, n), sender(m) == sender(n))
    yield Condition("L7: LOG", (*KNOWN, empty), Or(n == m, before(n, m)))
    empty = And(S.O(x, k, m), Not(Exists([d], S.OD(x, k, m, d))), S.O(x, k, n), sender(m) == sender(n))
    yield Condition("L7: O_M", (*KNOWN, S.pasts.sent(x), dest(x, k), empty), Or(n == m, before(n, m)))


def claim(id: str, source: str, statement: str, conditions: object, **more: object) -> Claim:
    """A claim of KS that rests on the invariant."""
    source = f"Kshemkalyani, Singhal 1998, {source}"
    return Claim(id, source, statement, (INDUCTION,), conditions, assumptions=(RELIABLE, NO_SELF), **more)  # type: ignore[arg-type]


CLAIMS = (
    claim("C-KS-T4", "Theorem 4",
          "if M' is delivered at d and M with destination d was sent causally before it, M is already delivered at d",
          safety, steps=ks.LABELS),
    claim("C-KS-T5", "Theorem 5", "every message is delivered at all its destinations", deliverable, witness=a_wait,
          formula="a copy in transit whose predecessors at its destination are delivered passes RCV(1)",
          on_paper=("minimal", "fairness"), steps=ks.LABELS),
    claim("C-KS-T7", "Theorem 7", "stored and carried facts are those of the propagation constraints, nothing else",
          exact, steps=ks.LABELS),
    claim("C-KS-L1", "Lemma 1", "d occurs in the D-field of at most one entry of each sender, in LOG and in O_M",
          one_entry),
    claim("C-KS-L2", "Lemma 2", "TS(i, LOG_j), the newest clock of i in LOG_j, never decreases", newest_never_older),
    claim("C-KS-L4", "Lemma 4", "l(i,a).D only shrinks once it is in LOG_j; a deleted entry is not inserted again",
          only_shrinks),
    claim("C-KS-L7", "Lemma 7", "an empty entry of i in LOG_j is the newest entry of i there", empty_is_newest),
)  # fmt: skip
