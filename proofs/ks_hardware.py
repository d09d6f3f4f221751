"""KS on hardware multicast (Section 4.5, first note; KS-9a): all destinations get the same packet with LOG as it is,
and each does for itself, at the start of RCV(3), what SND(2) does for it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import z3
from z3 import And, BoolVal, Const, ForAll, Implies, Not, Or

from . import ks
from .claims import Claim
from .conditions import Condition
from .enabled import is_due, undelivered
from .ks_paths import claim
from .lemmas import InductionByLemmas
from .pasts import (
    MESSAGES,
    Message,
    Process,
    d,
    delivered_before,
    dest,
    e,
    facts_of_pasts,
    hb,
    latest_before,
    m,
    may_send,
    p,
    required_before,
    x,
)
from .steps import ALL_STEPS, Action, Steps

S = ks.some_state()
j = Const("j", Process)
M = Const("M", Message)


def snd(s: ks.KS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """SND(1) and SND(3) to SND(5) as ever; SND(2) sends LOG."""
    action = ks.snd(s, j, M, steps)
    sent = replace(
        action.after,
        O=lambda x, e, m: z3.If(x == M, s.entry(j, m), s.O(x, e, m)),
        OD=lambda x, e, m, d: z3.If(x == M, s.D(j, m, d), s.OD(x, e, m, d)),
    )
    return replace(action, after=sent)


def reduced(s: ks.KS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps) -> ks.KS:
    """The state with the copy of M to j as SND(2) would have made it."""

    def OD(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        left = steps("SND(2) delete", And(s.OD(M, j, m, d), Not(dest(M, d))), s.OD(M, j, m, d))
        return Or(left, steps("SND(2) keep", And(d == j, s.OD(M, j, m, j)), BoolVal(False)))

    entries = lambda m: s.O(M, j, m)  # noqa: E731
    O = steps("SND(2) purge", ks.purged(entries, OD), entries)
    here = lambda x, e: And(x == M, e == j)  # noqa: E731
    return replace(
        s,
        O=lambda x, e, m: z3.If(here(x, e), O(m), s.O(x, e, m)),
        OD=lambda x, e, m, d: z3.If(here(x, e), OD(m, d), s.OD(x, e, m, d)),
    )


def rcv(s: ks.KS, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """RCV(1) on the packet as it came; RCV(2) to RCV(5) on the reduced one. The packet, which nobody uses again,
    stays."""
    after = replace(ks.rcv(reduced(s, j, M, steps), j, M, steps).after, O=s.O, OD=s.OD)
    return Action("RCV", And(ks.in_transit(s, j, M), steps("RCV(1)", ks.ready(s, j, M), BoolVal(True))), after)


def facts(s: ks.KS) -> list[tuple[str, z3.BoolRef]]:
    """The facts of KS, but that a packet has all that was required at its sender."""
    exact = ForAll(
        [x, e, m, d],
        Implies(And(s.pasts.sent(x), dest(x, e)), And(s.O(x, e, m), s.OD(x, e, m, d)) == required_before(x, m, d)),
    )
    return [(name, exact if name == "O_M is exact" else formula) for name, formula in ks.facts(s)]


def come_first(s: ks.KS, action: Action) -> Sequence[tuple[str, z3.BoolRef]]:
    """What RCV(1) says of a packet that passes it."""
    if action.name != "RCV":
        return ()
    must, latest = And(hb(m, M), dest(m, j)), latest_before(M, m, j)
    return (
        (
            "the latest of what must come first was delivered or required",
            ForAll([m], Implies(must, Or(delivered_before(M, latest, j), required_before(M, latest, j)))),
        ),
        (
            "the latest of what must come first is delivered",
            ForAll([m], Implies(must, s.pasts.delivered(j, latest, j))),
        ),
        ("what must come first is delivered", ForAll([m], Implies(must, s.pasts.delivered(j, m, j)))),
    )


INDUCTION = InductionByLemmas(
    "KS on hardware multicast",
    S,
    MESSAGES,
    ks.initial,
    lambda s: [*facts_of_pasts(s.pasts), *facts(s)],
    lambda s, steps: (snd(s, j, M, steps), rcv(s, j, M, steps)),
    come_first,
)
KNOWN = INDUCTION.hypotheses


def same_behaviour(steps: Steps) -> Iterable[Condition]:
    """LOG is what it is without hardware multicast, the same copies are receivable, and only what a packet says of its
    own Dests is more."""
    stored = And(S.entry(p, m), S.D(p, m, d))
    yield Condition("V1: LOG", KNOWN, ForAll([p, m, d], stored == S.pasts.required(p, m, d)))
    sent = (*KNOWN, S.pasts.sent(x), dest(x, j))
    carried = And(S.O(x, j, m), S.OD(x, j, m, d))
    without = And(required_before(x, m, d), Or(d == j, Not(dest(x, d))))
    yield Condition("V1: what is more is about Dests", (*sent, carried, Not(without)), And(dest(x, d), d != j))
    yield Condition("V1: nothing is less", (*sent, without), carried)
    send, delivery = INDUCTION.actions(S, steps)
    yield Condition("V1: no send waits", (may_send(S.pasts, j, M), Not(dest(M, j))), send.guard)
    yield Condition("V1: a copy is delivered once", (delivery.guard,), undelivered(S.pasts, j, M))
    yield Condition("V1: what is due is ready", (*KNOWN, is_due(S.pasts, j, M)), delivery.guard)
    before_it = (*KNOWN, delivery.guard, hb(m, M), dest(m, j))
    first = tuple(formula for _, formula in come_first(S, delivery))
    yield Condition("V1: what is ready is due", (*before_it, first[-1]), S.pasts.delivered(j, m, j))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "C-KS-V1",
        "Section 4.5",
        "hardware multicast: same behaviour, larger control part only on the multicast itself, no further growth",
        same_behaviour,
        rests_on=(INDUCTION,),
        formula="LOG is exact as ever, causal order holds, a copy is ready just when what must precede it is delivered,"
        " and a packet carries more only about its own other destinations",
        steps=tuple(label for label in ks.LABELS if label not in ("SND(2) keep", "SND(2) purge")),
    ),
)
