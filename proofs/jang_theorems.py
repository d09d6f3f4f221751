"""Jang, Theorems 1 and 2, "minimal amount of control information", and what CI, DLV, S2, R4 to R6 and R8 are said to
do.

All of it follows from one invariant: CI names of every known message just the destinations for which the Propagation
Constraints of Kshemkalyani and Singhal require it; a copy carries those of its own destination in DC, the rest in CI_m.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import z3
from z3 import And, Const, Consts, ForAll, Implies, Not, Or

from . import jang
from .claims import Claim
from .conditions import Condition
from .enabled import is_due, undelivered, waits
from .lemmas import InductionByLemmas, chosen
from .pasts import (
    MESSAGES,
    Message,
    Process,
    before,
    d,
    dest,
    facts_of_pasts,
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

S = jang.some_state()
i, j = Consts("i j", Process)
M = Const("M", Message)


def lemmas(s: jang.Jang, action: Action) -> Sequence[tuple[str, z3.BoolRef]]:
    """What R1 says of a copy that passes it."""
    if action.name != "RECEIVE":
        return ()
    must_come_first = And(hb(m, M), dest(m, i))
    latest = latest_before(M, m, i)
    return (
        ("what DC names is delivered", ForAll([m], Implies(s.DC(M, i, m), s.pasts.delivered(i, m, i)))),
        (
            "the latest of what must come first is delivered",
            ForAll([m], Implies(must_come_first, s.pasts.delivered(i, latest, i))),
        ),
        ("what must come first is delivered", ForAll([m], Implies(must_come_first, s.pasts.delivered(i, m, i)))),
    )


INDUCTION = InductionByLemmas(
    "Jang",
    S,
    MESSAGES,
    jang.initial,
    jang.invariant,
    lambda s, steps: (jang.send(s, i, M, steps), jang.receive(s, i, M, steps)),
    lemmas,
)
KNOWN = INDUCTION.hypotheses
ALONE = InductionByLemmas(
    "Jang with S2, R4, R5 and R6 alone",
    S,
    MESSAGES,
    jang.initial,
    lambda s: [*facts_of_pasts(s.pasts), *jang.exactness(s)],
    lambda s, steps: INDUCTION.actions(s, replace(steps, without=steps.without | {"S3", "R8", "R9"})),
    lemmas,
)
NO_SELF = "no process sends to itself"
RELIABLE = "no copy is lost or duplicated; channels need not be FIFO"


def safety(steps: Steps) -> Iterable[Condition]:
    """Causal order is a conjunct of the invariant; here it is in the words of the definition."""
    m1, m2 = Consts("m1 m2", Message)
    delivered = S.pasts.delivered
    hypotheses = (*KNOWN, delivered(j, m2, j), hb(m1, m2), dest(m1, j))
    receipt = jang.receive(S, j, M, steps)
    yield Condition("J-T1: a copy is delivered once", (receipt.guard,), undelivered(S.pasts, j, M))
    yield Condition("J-T1: m2 is delivered at j, m1 goes to j and was sent before m2", hypotheses, delivered(j, m1, j))


def deliverable(steps: Steps) -> Iterable[Condition]:
    """A copy of which all messages that must precede it are delivered passes R1; and no send waits."""
    yield Condition("J-T2: what is due is ready", (*KNOWN, is_due(S.pasts, j, M)), jang.receive(S, j, M, steps).guard)
    sends = (may_send(S.pasts, j, M), Not(dest(M, j)))
    yield Condition("J-T2: no send waits", sends, jang.send(S, j, M, steps).guard)


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "J-T2: a copy waits", (*KNOWN, *waits(S.pasts, j, M, jang.receive(S, j, M).guard))


def exact(steps: Steps) -> Iterable[Condition]:
    """Stored and carried facts are those of the Propagation Constraints, in both directions; those of a copy are in
    CI_m or in DC, never in both."""
    stored = And(S.tuple(p, m), S.D(p, m, d))
    yield Condition("J-R3: CI", KNOWN, ForAll([p, m, d], stored == S.pasts.required(p, m, d)))
    in_CI_m, in_DC = And(S.CI_m(x, m), S.D_m(x, m, d)), And(S.DC(x, j, m), d == j)
    required = And(required_before(x, m, d), Or(d == j, Not(dest(x, d))))
    sent = (*KNOWN, S.pasts.sent(x), dest(x, j))
    yield Condition("J-R3: a copy", sent, ForAll([m, d], Or(in_CI_m, in_DC) == required))
    yield Condition("J-R3: nothing twice", sent, Not(And(in_CI_m, in_DC)))


def reached(steps: Steps) -> Iterable[Condition]:
    """DLV_i[j] has reached m, a message of j to i."""
    hypotheses = (*KNOWN, jang.has_reached(S, i, m), dest(m, i))
    yield Condition("J-I1: DLV", hypotheses, S.pasts.delivered(i, m, i))


def constrained(steps: Steps) -> Iterable[Condition]:
    """A tuple of m with k in D at i: m stays in the past of i, so it is in that of every later message of i."""
    k = Const("k", Process)
    known = And(S.pasts.past(i, m), dest(m, k))
    yield Condition("J-I2: what CI names is known", (*KNOWN, S.tuple(i, m), S.D(i, m, k)), known)
    for action in INDUCTION.actions(S, steps):
        yield Condition(
            f"J-I2: after {action.name} it is known", (*KNOWN, action.guard, known), action.after.pasts.past(i, m)
        )
    yield Condition("J-I2: it is before what i sends", (*KNOWN, INDUCTION.actions(S, steps)[0].guard, known), hb(m, M))
    yield Condition(
        "J-I2: it is delivered first",
        (*KNOWN, hb(m, x), dest(m, k), S.pasts.delivered(k, x, k)),
        S.pasts.delivered(k, m, k),
    )


def latest_kept(steps: Steps) -> Iterable[Condition]:
    """Of every sender of a known message the latest known one has a tuple; so in what a copy carries."""
    latest = ForAll([n], Implies(And(S.pasts.past(p, n), sender(n) == sender(m)), Or(n == m, before(n, m))))
    yield Condition("J-I3: CI", (*KNOWN, S.pasts.past(p, m), latest), S.tuple(p, m))
    latest = ForAll([n], Implies(And(hb(n, x), sender(n) == sender(m)), Or(n == m, before(n, m))))
    yield Condition("J-I3: CI_m", (*KNOWN, S.pasts.sent(x), hb(m, x), latest), S.CI_m(x, m))


def one_tuple(steps: Steps) -> Iterable[Condition]:
    """No two tuples of one sender name the same destination: in CI, in CI_m, and between R7 and R8."""
    ordered = chosen(MESSAGES, *(name for name, _ in MESSAGES))
    order = "a sender's messages happen in their order"
    used = chosen(jang.invariant(S), "CI is exact", "a later send to the same destination covers", order)
    known = chosen(jang.invariant(S), "CI has tuples of known messages", "what is known is sent")
    two = And(sender(m) == sender(n), S.tuple(p, m), S.D(p, m, d), S.tuple(p, n), S.D(p, n, d))
    yield Condition("J-I5: CI", (*ordered, *used, *known, two), m == n)
    used = chosen(jang.invariant(S), "CI_m is exact", "it covered before a send", order)
    known = chosen(jang.invariant(S), "what happened before a send is sent")
    two = And(sender(m) == sender(n), S.CI_m(x, m), S.D_m(x, m, d), S.CI_m(x, n), S.D_m(x, n, d))
    yield Condition("J-I5: CI_m", (*ordered, *used, *known, S.pasts.sent(x), two), m == n)
    tuples, D = jang.united(S, i, M, steps)
    receipt = INDUCTION.actions(S, steps)[1]
    named = ForAll([m, d], Implies(And(tuples(m), D(m, d)), receipt.after.pasts.required(i, m, d)))
    first = tuple(formula for _, formula in lemmas(S, receipt))
    yield Condition("J-I5: what R7 leaves is required", (*KNOWN, receipt.guard, *first), named)
    two = And(before(m, n), tuples(m), D(m, d), tuples(n), D(n, d))
    covered = Implies(
        And(receipt.after.pasts.past(i, n), before(m, n), dest(n, d)), receipt.after.pasts.covered(i, m, d)
    )
    yield Condition("J-I5: a later message to d covers", (*KNOWN, receipt.guard), covered)
    yield Condition("J-I5: R8 finds nothing", (*KNOWN, receipt.guard, named, covered), Not(two))


def removed(steps: Steps) -> Iterable[Condition]:
    """What becomes redundant by an event, by type, and the steps that remove it."""
    send, receipt = INDUCTION.actions(S, steps)
    replaced = And(S.tuple(i, m), S.D(i, m, d), dest(M, d))
    yield Condition(
        "J-R2: type 4, in CI", (*KNOWN, send.guard, replaced), Not(And(send.after.tuple(i, m), send.after.D(i, m, d)))
    )
    yield Condition("J-R2: type 4, in CI_m", (*KNOWN, send.guard, replaced), Not(send.after.D_m(M, m, d)))
    tuples, D = jang.united(S, i, M, steps)
    first = tuple(formula for _, formula in lemmas(S, receipt))
    known = (*KNOWN, receipt.guard, *first)
    yield Condition("J-R2: type 2", (*known, receipt.after.pasts.delivered(i, m, i)), Not(And(tuples(m), D(m, i))))
    yield Condition(
        "J-R2: type 3", (*known, receipt.after.pasts.delivered(i, m, d), d != i), Not(And(tuples(m), D(m, d)))
    )
    yield Condition("J-R2: types 4 and 5", (*known, receipt.after.pasts.covered(i, m, d)), Not(And(tuples(m), D(m, d))))


def claim(
    id: str, source: str, statement: str, conditions: Callable[[Steps], Iterable[Condition]], **more: Any
) -> Claim:
    """A claim of Jang that rests on the invariant."""
    source = f"Jang, Park, Cho, Yoon 1997, {source}"
    more = {"rests_on": (INDUCTION,), "assumptions": (RELIABLE, NO_SELF), **more}
    return Claim(id, source, statement, conditions=conditions, **more)


NEEDED = tuple(label for label in jang.LABELS if label != "R8")
"""R8 is needed for nothing: it never removes anything."""

CLAIMS = (
    claim(
        "C-J-R2",
        "Section 4.3",
        "type 2 is removed by R4, type 4 by S2, types 3 and 5 by R5 and R6",
        removed,
        rests_on=(INDUCTION, ALONE),
        formula="what an event makes redundant is gone after S2, or after R4 to R7; and S2, R4, R5 and R6 keep CI, "
        "CI_m and DC exact without S3, R8 and R9. A fact of type 2 that CI holds already is removed by R6",
    ),
    claim(
        "C-J-R3",
        "abstract and Section 4.3",
        'the algorithm sends no redundant information ("minimal amount")',
        exact,
        formula="stored and carried facts are those of the propagation constraints of KS, nothing else and nothing "
        "less; CI_m and DC of a copy share none (J-12)",
        steps=NEEDED,
    ),
    claim("C-J-T1", "Theorem 1", "safety: messages are delivered in causal order", safety, steps=NEEDED),
    claim(
        "C-J-T2",
        "Theorem 2",
        "liveness: every message is delivered in the end",
        deliverable,
        witness=a_wait,
        formula="a copy in transit whose predecessors at its destination are delivered passes R1",
        on_paper=("minimal", "fairness"),
        steps=NEEDED,
    ),
    claim(
        "C-J-I1",
        "Section 4.1",
        "DLV_i[j] = t means every message of j to i with timestamp <= t has been delivered",
        reached,
    ),
    claim(
        "C-J-I2",
        "Section 4.1",
        "(t,D) in CI_i[j] and k in D: every later message of i to k is delivered at k after (j,t)",
        constrained,
    ),
    claim(
        "C-J-I3",
        "Section 4.3",
        "the latest known tuple of each sender is always kept, even when D is empty",
        latest_kept,
    ),
    claim(
        "C-J-I5",
        "Section 4.3",
        "if several tuples of one sender name the same destination, R8 leaves it only in the latest",
        one_tuple,
        formula="no two tuples of one sender name the same destination, not even between R7 and R8: R8 never removes "
        "anything (J-4)",
    ),
)
