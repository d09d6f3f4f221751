"""BSS, overlapping groups: safety and deliverability, exactness of its clocks, and why all vectors must be merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import z3
from z3 import And, Consts, ForAll, If, Implies, Not, Or

from . import bss_groups as groups
from .bss_groups import Group, g, group, member, place
from .claims import Claim, Refutation
from .concrete_runs import Step, overtaken, world_of
from .conditions import Condition
from .counting import a
from .enabled import is_due, undelivered
from .pasts import MESSAGES, Message, Process, dest, hb, m, may_send, p, sender, x
from .steps import ALL_STEPS, Steps
from .witnessed import WitnessedInduction

S = groups.some_state()
i, j = Consts("i j", Process)
M, M1, M2 = Consts("M M1 M2", Message)

INDUCTION = WitnessedInduction(
    "BSS groups",
    S,
    (*MESSAGES, *groups.GROUPS),
    groups.initial,
    groups.invariant,
    lambda s, steps: (groups.snd(s, i, M, steps), groups.rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j)), ForAll([g], g == group(M))),
)
KNOWN = INDUCTION.hypotheses
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "every message goes to one group, of which its sender is a member; its own copy is delivered at the send (BSS-1a)",
)


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    delivered, past = S.pasts.delivered, S.pasts.past
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition(
        "BSS groups: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j)
    )
    due = is_due(S.pasts, j, M)
    here = (*KNOWN, due, member(g, j))
    own = And(g == group(M), a == sender(M))
    count = If(own, S.T(M, g, a) - 1, S.T(M, g, a))
    named = And(S.pasts.sent(M1), sender(M1) == a, group(M1) == g, place(M1) == count)
    last = (S.nth(a, g, count) == M1, count >= 1)
    yield Condition("BSS groups: the last message that d1 waits for is a message", (*here, *last), named)
    yield Condition("BSS groups: it is known at j", (*here, named), past(j, M1))
    clock = (f for name, f in groups.facts(S) if name in ("V counts messages sent", "V counts the known messages"))
    hypotheses = (*clock, Implies(count >= 1, And(named, past(j, M1))))
    yield Condition("BSS groups: what is due is delivered by the count", hypotheses, count <= S.V(j, g, a))
    itself = S.V(j, group(M), sender(M)) < S.T(M, group(M), sender(M))
    yield Condition("BSS groups: the copy itself is not", here, itself)
    others = ForAll([g, a], Implies(And(member(g, j), Not(own)), S.T(M, g, a) <= S.V(j, g, a)))
    next_one = S.V(j, group(M), sender(M)) == S.T(M, group(M), sender(M)) - 1
    guard = groups.rcv(S, j, M, steps).guard
    yield Condition("BSS groups: a copy is delivered once", (guard,), undelivered(S.pasts, j, M))
    yield Condition("BSS groups: what is due is ready", (*KNOWN, due, others, next_one), guard)
    sends = (may_send(S.pasts, i, M), place(M) == S.count(i, group(M)) + 1)
    yield Condition("BSS groups: no send waits", sends, groups.snd(S, i, M, steps).guard)


def exact(steps: Steps) -> Iterable[Condition]:
    """The clocks are those of the known messages, for all groups."""
    known = S.pasts.past(p, m) == (place(m) <= S.V(p, group(m), sender(m)))
    yield Condition("BSS groups: V", (*KNOWN, S.pasts.sent(m)), known)
    known = Or(m == x, hb(m, x)) == (place(m) <= S.T(x, group(m), sender(m)))
    yield Condition("BSS groups: T", (*KNOWN, S.pasts.sent(m), S.pasts.sent(x)), known)


P1, P2, P3 = Consts("P1 P2 P3", Process)
A, B, C = Consts("A B C", Message)
G12, G13, G23 = Consts("G12 G13 G23", Group)


def members(name: z3.ExprRef, ins: list[z3.ExprRef], out: z3.ExprRef) -> z3.BoolRef:
    """The members of a group of this run."""
    return And(*(member(name, one) for one in ins), Not(member(name, out)))


def without_others() -> list[Condition]:
    """BSS-3c: P1 sends A to P3 and B to P2, who does not merge the vector of the group of A, and tells P3 with C."""
    three = (members(G12, [P1, P2], P3), members(G13, [P1, P3], P2), members(G23, [P2, P3], P1))
    world = replace(world_of(A=(1, {3}), B=(1, {2}), C=(2, {3})), others={Group: (G12, G13, G23)})
    steps: list[Step[groups.BSSGroups]] = [
        lambda s: groups.snd(s, P1, A), lambda s: groups.snd(s, P1, B),
        lambda s: groups.rcv(s, P2, B, ALL_STEPS, lambda g: member(g, P2)),
        lambda s: groups.snd(s, P2, C),
        lambda s: groups.rcv(s, P3, C, ALL_STEPS, lambda g: member(g, P3)),
    ]  # fmt: skip
    given = [("the members of a group", formula) for formula in three]
    return overtaken(INDUCTION, world, steps, "BSS-3c: P3 does not deliver C before A", given)()


SOURCE = "Birman, Schiper, Stephenson 1991, in the form of algorithms.md, B4"
CHECK = ("bss-groups", "--reading", "BSS-3c", "--processes", "3", "--sends", "3", "--dests", "unicast")
CLAIMS = (
    Claim("C-B-1-BSS-groups", SOURCE, "BSS, overlapping groups: safety and liveness", (INDUCTION,), safe_and_live,
          assumptions=ASSUMED, on_paper=("minimal", "fairness"), steps=groups.LABELS,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1"),
    Claim("C-BSS-1", SOURCE, "V_g[x] counts the known messages of x in g", (INDUCTION,), exact, assumptions=ASSUMED,
          formula="and T_g[x] those known before the send, and the message itself"),
    Claim("C-B-1-BSS-3c", "algorithms.md, section 8", "BSS, overlapping groups, with the reading BSS-3c preserves "
          "causal order", assumptions=ASSUMED, refutation=Refutation(without_others, CHECK, 5)),
)  # fmt: skip
