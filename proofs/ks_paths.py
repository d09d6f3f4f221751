"""KS, Lemmas 3, 5 and 6, Theorems 3 and 6, and what Section 4.2 says of absent
entries: statements about paths of the computation graph.

A path is a sequence of edges, so what is said of paths is proved of the edges into and out of one event: the local edge
before and after it, labelled with LOG, and the message edge, labelled with O_M (and, on arrival, the message's own
entry).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import z3
from z3 import And, Const, Exists, ForAll, Function, If, Implies, Not, Or

from . import ks
from .claims import Claim, Induction
from .conditions import Condition
from .ks_safety import INDUCTION, KNOWN, NO_SELF, RELIABLE, S
from .pasts import (
    MESSAGES,
    Message,
    Process,
    before,
    covered_before,
    d,
    delivered_before,
    dest,
    hb,
    m,
    n,
    p,
    required_before,
    x,
)
from .steps import ALL_STEPS, Action, Steps

j, e = Const("j", Process), Const("e", Process)
M, y = Const("M", Message), Const("y", Message)
INVARIANT = tuple((f"KS: {name}", formula) for name, formula in ks.invariant(S))


def stored(s: ks.KS, p: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """The fact that m must reach d is in LOG of p: on the local edge."""
    return And(s.entry(p, m), s.D(p, m, d))


def carried(s: ks.KS, x: z3.ExprRef, e: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """It is in O_M of the copy of x to e."""
    return And(s.O(x, e, m), s.OD(x, e, m, d))


@dataclass(frozen=True)
class Covers:
    """The first send to d after m that p knows, if it knows one: a fixed point FP2, or one after the delivery of m."""

    state: ks.KS
    first: z3.FuncDeclRef


first_before = Function("first_before", Message, Message, Process, Message)
COVERS = Covers(S, Function("first", Process, Message, Process, Message))


def covers(s: Covers) -> list[tuple[str, z3.BoolRef]]:
    """What `first` is; it exists because pasts are finite, and each event computes it."""
    c, b = s.first(p, m, d), first_before(x, m, d)
    is_first = And(hb(m, c), dest(c, d), Not(covered_before(c, m, d)))
    was_first = And(hb(b, x), hb(m, b), dest(b, d), Not(covered_before(b, m, d)))
    return [
        ("deliveries in a past stay in it",
         ForAll([p, x, m, d], Implies(And(s.state.pasts.past(p, x), delivered_before(x, m, d)),
                                      s.state.pasts.delivered(p, m, d)))),
        ("deliveries before a send stay before what follows",
         ForAll([x, y, m, d], Implies(And(s.state.pasts.sent(x), hb(y, x), delivered_before(y, m, d)),
                                      delivered_before(x, m, d)))),
        ("the first cover",
         ForAll([p, m, d], Implies(s.state.pasts.covered(p, m, d), And(s.state.pasts.past(p, c), is_first)))),
        ("the first cover before a send",
         ForAll([x, m, d], Implies(And(s.state.pasts.sent(x), covered_before(x, m, d)), was_first))),
    ]  # fmt: skip


def covering(s: Covers, steps: Steps = ALL_STEPS) -> tuple[Action, ...]:
    """The actions of KS, and what they make of `first`."""
    snd, rcv = INDUCTION.actions(s.state, steps)
    covered = s.state.pasts.covered
    same = ForAll([m, d], first_before(M, m, d) == s.first(j, m, d))
    sent = Covers(snd.after, lambda p, m, d: If(And(p == j, Not(covered(p, m, d))), M, s.first(p, m, d)))
    brought = lambda m, d: If(covered_before(M, m, d), first_before(M, m, d), M)  # noqa: E731
    received = Covers(
        rcv.after,
        lambda p, m, d: If(And(p == j, Not(covered(p, m, d))), brought(m, d), s.first(p, m, d)),
    )
    return Action("SND", And(snd.guard, same), sent), Action("RCV", rcv.guard, received)


FIRST = Induction(
    "KS, first covers",
    COVERS,
    (*MESSAGES, *INVARIANT),
    lambda s: ks.initial(s.state),
    covers,
    covering,
)


def grows(steps: Steps) -> Iterable[Condition]:
    """TS: whatever entry an edge into an event has, those out of it have it, or a newer one of the same sender."""

    def newer(entry: Callable[[z3.ExprRef], z3.BoolRef]) -> z3.BoolRef:
        return Exists([n], And(entry(n), Or(n == m, before(m, n))))

    snd, rcv = INDUCTION.actions(S, steps)
    known = (*KNOWN, snd.guard, S.entry(j, m))
    yield Condition("L3: LOG to LOG, SND", known, newer(lambda n: snd.after.entry(j, n)))
    yield Condition("L3: LOG to O_M", (*known, dest(M, e)), newer(lambda n: snd.after.O(M, e, n)))
    known = (*KNOWN, rcv.guard)
    yield Condition("L3: LOG to LOG, RCV", (*known, S.entry(j, m)), newer(lambda n: rcv.after.entry(j, n)))
    brought = Or(m == M, S.O(M, j, m))
    yield Condition("L3: O_M to LOG", (*known, brought), newer(lambda n: rcv.after.entry(j, n)))


def shrinks(steps: Steps) -> Iterable[Condition]:
    """A path from Send(m) comes into the event by an edge whose past has m; what leaves the event was on that edge."""
    snd, rcv = INDUCTION.actions(S, steps)
    known = (*KNOWN, snd.guard, S.pasts.past(j, m))
    yield Condition("L5: LOG to LOG, SND", (*known, stored(snd.after, j, m, d)), stored(S, j, m, d))
    yield Condition("L5: LOG to O_M", (*known, dest(M, e), carried(snd.after, M, e, m, d)), stored(S, j, m, d))
    known = (*KNOWN, rcv.guard, stored(rcv.after, j, m, d))
    yield Condition("L5: LOG to LOG, RCV", (*known, S.pasts.past(j, m)), stored(S, j, m, d))
    yield Condition("L5: O_M to LOG", (*known, hb(m, M)), carried(S, M, j, m, d))
    yield Condition("L5: the own entry to LOG", (*known, m == M), dest(M, d))


def first_drop(steps: Steps) -> Iterable[Condition]:
    """The edges into the event have the fact wherever they can, one out of it has not: then LOG had it."""
    snd, rcv = INDUCTION.actions(S, steps)
    local = Implies(S.pasts.past(j, m), stored(S, j, m, d))
    dropped = Or(Not(stored(snd.after, j, m, d)), And(dest(M, e), Not(carried(snd.after, M, e, m, d))))
    yield Condition("L6: SND", (*KNOWN, snd.guard, S.pasts.past(j, m), local, dropped), stored(S, j, m, d))
    message = Implies(hb(m, M), carried(S, M, j, m, d))
    known = And(Or(S.pasts.past(j, m), m == M, hb(m, M)), dest(m, d), Not(And(m == M, d == j)))
    hypotheses = (*KNOWN, rcv.guard, known, local, message, Not(stored(rcv.after, j, m, d)))
    yield Condition("L6: RCV", hypotheses, stored(S, j, m, d))


def reaches(s: ks.KS, p: z3.ExprRef) -> z3.BoolRef:
    """The delivery of m at d is in the past of p, or a send to d after m that carried the fact to d."""
    carrier = And(s.pasts.past(p, y), hb(m, y), dest(y, d), carried(s, y, d, m, d))
    return Or(s.pasts.delivered(p, m, d), Exists([y], carrier))


def sufficient(steps: Steps) -> Iterable[Condition]:
    """Theorem 3, after each event: the first send that covers m at d is the one that carried the fact, unless the
    delivery was known to it."""
    snd, rcv = covering(COVERS, steps)
    given = (*KNOWN, *(formula for _, formula in covers(COVERS)))
    for action in (snd, rcv):
        after = action.after.state
        c = action.after.first(j, m, d)
        held = (*given, action.guard, after.pasts.past(j, m), dest(m, d))
        lemma = Implies(
            after.pasts.covered(j, m, d),
            And(after.pasts.past(j, c), hb(m, c), dest(c, d), Not(covered_before(c, m, d))),
        )
        yield Condition(f"T3: the first cover, {action.name}", held, lemma)
        told = Implies(delivered_before(c, m, d), after.pasts.delivered(j, m, d))
        kept = tuple(f for name, f in covers(action.after) if name == "deliveries in a past stay in it")
        held = (*held, *kept)
        yield Condition(f"T3: what it knew is known, {action.name}", (*held, lemma, after.pasts.covered(j, m, d)), told)
        exact = tuple(f for name, f in ks.facts(after) if name in ("LOG is exact", "O_M is exact"))
        sent = after.pasts.sent(c)
        yield Condition(f"T3: it is sent, {action.name}", (*held, lemma, after.pasts.covered(j, m, d)), sent)
        cut = (
            *exact,
            after.pasts.past(j, m),
            dest(m, d),
            lemma,
            Implies(after.pasts.covered(j, m, d), And(told, sent)),
        )
        yield Condition(f"T3: LOG, {action.name}", (*cut, Not(stored(after, j, m, d))), reaches(after, j))
    after = snd.after.state
    exact = tuple(f for name, f in ks.facts(after) if name in ("LOG is exact", "O_M is exact"))
    dropped = Not(carried(after, M, e, m, d))
    held = (*KNOWN, snd.guard, S.pasts.past(j, m), dest(m, d), dest(M, e), dropped, stored(S, j, m, d))
    yield Condition("T3: O_M", held, And(dest(M, d), carried(after, M, d, m, d)))


def necessary(steps: Steps) -> Iterable[Condition]:
    """Theorem 6: no edge out of an event has a fact whose fixed point is in the past of the event, or is the event."""
    snd, rcv = INDUCTION.actions(S, steps)
    ended = Or(S.pasts.delivered(j, m, d), S.pasts.covered(j, m, d))
    known = (*KNOWN, snd.guard)
    yield Condition("T6: LOG, SND", (*known, ended), Not(stored(snd.after, j, m, d)))
    yield Condition("T6: O_M", (*known, ended, dest(M, e)), Not(carried(snd.after, M, e, m, d)))
    ended = Or(rcv.after.pasts.delivered(j, m, d), rcv.after.pasts.covered(j, m, d))
    yield Condition("T6: LOG, RCV", (*KNOWN, rcv.guard, ended), Not(stored(rcv.after, j, m, d)))
    to_d = And(S.pasts.past(j, m), dest(M, d))
    yield Condition("T6: LOG, at an FP2", (*known, to_d), Not(stored(snd.after, j, m, d)))
    yield Condition("T6: O_M, at an FP2", (*known, to_d, dest(M, e), carried(snd.after, M, e, m, d)), e == d)


def implied(steps: Steps) -> Iterable[Condition]:
    """n has an entry, m is older and has none: then nothing of m is required."""
    known = (*KNOWN, before(m, n), S.entry(p, n), Not(S.entry(p, m)))
    yield Condition("IMPL: LOG", known, And(S.pasts.past(p, m), Not(S.pasts.required(p, m, d))))
    known = (*KNOWN, S.pasts.sent(x), dest(x, e), before(m, n), S.O(x, e, n), Not(S.O(x, e, m)))
    lost = And(required_before(x, m, d), Or(d == e, Not(dest(x, d))))
    yield Condition("IMPL: O_M", known, And(hb(m, x), Not(lost)))


def claim(
    id: str, source: str, statement: str, conditions: Callable[[Steps], Iterable[Condition]], **more: Any
) -> Claim:
    """A claim of KS that rests on the invariant."""
    source = f"Kshemkalyani, Singhal 1998, {source}"
    more = {"rests_on": (INDUCTION,), "assumptions": (RELIABLE, NO_SELF), **more}
    return Claim(id, source, statement, conditions=conditions, **more)


PATHS = ("paths",)
CLAIMS: tuple[Claim, ...] = (
    claim(
        "C-KS-IMPL",
        "Section 4.2",
        "if l(i,a2) is in LOG and a1 < a2 then l(i,a1) is (explicitly or implicitly) in LOG",
        implied,
        formula="a known message that is older than one with an entry, and has none, is required nowhere",
    ),
    claim(
        "C-KS-L3",
        "Lemma 3",
        "TS never decreases along any path of the computation graph (LOG on local edges, O_M on message edges)",
        grows,
        on_paper=PATHS,
    ),
    claim(
        "C-KS-L5",
        "Lemma 5",
        "along any path from (i,a) the D-field of entry (i,a) only shrinks",
        shrinks,
        on_paper=PATHS,
    ),
    claim(
        "C-KS-L6",
        "Lemma 6",
        "if (k,c), not Deliver_d(M(i,a)), is a first event after (i,a) that fails to pass the fact "
        "on some outgoing edge, the fact is in LOG_k just before (k,c)",
        first_drop,
        formula="of the events before (k,c) only those with an edge into it need to have passed the fact",
    ),
    claim(
        "C-KS-T3",
        "Theorem 3",
        "if (j,b) after (i,a) does not pass the fact on some outgoing edge, then "
        "Deliver_d(M(i,a)) is at or before (j,b), or some send (k,c) to d, after (i,a), at or before (j,b), carried the"
        " fact to d",
        sufficient,
        rests_on=(INDUCTION, FIRST),
    ),
    claim(
        "C-KS-T6",
        "Theorem 6",
        "the fact is on no outgoing edge of (j,b) if Deliver_d(M) is at or before (j,b), or a "
        "send to d lies strictly between (i,a) and (j,b); if there is none and (j,b) sends to d, the fact goes only on "
        "the copy to d",
        necessary,
    ),
)
