"""Gambhire-Kshemkalyani, HiPC 2000, Figure 3, as a transition system for any number of processes.

Figure 3 leaves open what a variant says here: GK-1 (E7 and R3 count the message of a send whose E1 is true in CONC and
SC, or with GK-1d in PREV and SP), GK-2 (R1 compares PREV alone, or with GK-2b waits for all messages of the sender as
well), GK-5 (E1 compares with the own component of MCV as the process knows it without vectors on copies, or with GK-5c
with MCV), GK-7 (an internal event does nothing, or with GK-7b E1 to E5), GK-12 (E1 by Definition 5, or true at every
send), and the channel. Multicasts as in GK-3b, deliveries with any dependencies (GK-9b), no self-addressed messages
(GK-13a).
"""

from __future__ import annotations

from dataclasses import dataclass

import z3
from z3 import And, BoolVal, ForAll, Function, If, Implies, IntVal, Not, Or

from .pasts import Process, d, p
from .semantic_pasts import (
    Event,
    Int,
    Number,
    SemanticPasts,
    after_delivery,
    after_local_event,
    depends_after,
    e,
    ecv,
    f,
    g,
    happens_before,
    index,
    is_send,
    kind,
    larger,
    latest_number,
    may_happen,
    mcv,
    num,
    of,
    proc,
    sem,
    some_pasts,
    to,
    x,
)
from .semantic_pasts import initially as nothing_happened
from .steps import ALL_STEPS, Action, Steps

LABELS = ("E1", "E4", "E5", "E6", "E7", "R1", "R3", "R4", "R7", "R8")

k = z3.Const("k", Process)
y = z3.Const("y", Event)


@dataclass(frozen=True)
class Variant:
    """Letters of the readings; channel: fifo (X-4c), fifo-delivery (X-4d) or unordered (X-4a, b)."""

    own_message: str = "a"
    tested: str = "a"
    vectors: str = "a"
    internal: str = "a"
    precedence: str = "a"
    channel: str = "fifo"


FIGURE_3 = Variant()
REPAIRED = Variant(own_message="d", vectors="c", internal="b")


@dataclass(frozen=True)
class GK:
    """pasts: what happened. PREV(p, k, d), CONC(p, k, d), DELIV(p, k): those of p; known(p): the own component of MCV
    as p knows it without vectors on copies. SP(x, k, d), SC(x, k, d): those on the copies of the message of x."""

    pasts: SemanticPasts
    PREV: Number
    CONC: Number
    DELIV: Number
    known: Number
    SP: Number
    SC: Number


def some_state() -> GK:
    """Any state."""
    return GK(
        some_pasts(),
        Function("PREV", Process, Process, Process, Int),
        Function("CONC", Process, Process, Process, Int),
        Function("DELIV_GK", Process, Process, Int),
        Function("known_MCV", Process, Int),
        Function("SP", Event, Process, Process, Int),
        Function("SC", Event, Process, Process, Int),
    )


def initial(s: GK) -> z3.BoolRef:
    """Nothing has happened, and all counts are 0."""
    return And(
        nothing_happened(s.pasts),
        ForAll([p, k, d], And(s.PREV(p, k, d) == 0, s.CONC(p, k, d) == 0)),
        ForAll([p, k], And(s.DELIV(p, k) == 0, s.known(p) == 0)),
    )


def precedes(s: GK, i: z3.ExprRef, F: z3.ExprRef, variant: Variant) -> z3.BoolRef:
    """should_Semantically_Precede: the latest event of i on which F depends is after MCV[i]."""
    if variant.precedence == "b":
        return BoolVal(True)
    return depends_after(s.pasts, i, F) if variant.vectors == "c" else latest_number(F) > s.known(i)


def local_event(s: GK, i: z3.ExprRef, F: z3.ExprRef, sends: bool, variant: Variant, steps: Steps) -> Action:
    """Emission: i sends a message at F; or an internal event F."""
    pasts = after_local_event(s.pasts, i, F, sends, steps)
    is_true = precedes(s, i, F, variant) if sends or variant.internal == "b" else BoolVal(False)
    is_true = steps("E1", is_true, BoolVal(False))

    def PREV(k: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return steps("E4", If(is_true, s.PREV(i, k, d) + s.CONC(i, k, d), s.PREV(i, k, d)), s.PREV(i, k, d))

    def CONC(k: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return steps("E5", If(is_true, 0, s.CONC(i, k, d)), s.CONC(i, k, d))

    def own(k: z3.ExprRef, d: z3.ExprRef, in_PREV: bool) -> z3.ArithRef:
        if not sends or (in_PREV and variant.own_message != "d"):
            return IntVal(0)
        here = BoolVal(True) if variant.own_message != "d" else is_true if in_PREV else Not(is_true)
        return steps("E7", If(And(k == i, to(F, d), here), 1, 0), IntVal(0))

    nothing = IntVal(0)
    after = GK(
        pasts,
        PREV=lambda p, k, d: If(p == i, PREV(k, d) + own(k, d, True), s.PREV(p, k, d)),
        CONC=lambda p, k, d: If(p == i, CONC(k, d) + own(k, d, False), s.CONC(p, k, d)),
        DELIV=s.DELIV,
        known=lambda p: If(And(p == i, is_true), num(F), s.known(p)),
        SP=lambda y, k, d: If(y == F, steps("E6", PREV(k, d), nothing), s.SP(y, k, d)) if sends else s.SP(y, k, d),
        SC=lambda y, k, d: If(y == F, steps("E6", CONC(k, d), nothing), s.SC(y, k, d)) if sends else s.SC(y, k, d),
    )
    name = "send" if sends else "internal event"
    return Action(name, And(may_happen(s.pasts, i, F, pasts), kind(F, name)), after)


def in_transit(s: GK, j: z3.ExprRef, x: z3.ExprRef) -> z3.BoolRef:
    """The copy of the message of x to j is in transit."""
    return And(s.pasts.happened(x), to(x, j), Not(s.pasts.delivered(j, x)))


def ready(s: GK, j: z3.ExprRef, x: z3.ExprRef, variant: Variant) -> z3.BoolRef:
    """R1."""
    enough = ForAll([k], s.SP(x, k, j) <= s.DELIV(j, k))
    if variant.tested == "b":
        return And(enough, s.SP(x, proc(x), j) + s.SC(x, proc(x), j) <= s.DELIV(j, proc(x)))
    return enough


def oldest(s: GK, j: z3.ExprRef, x: z3.ExprRef, variant: Variant) -> z3.BoolRef:
    """What the channel promises: x is the oldest message in it, or (X-4c) the oldest that is ready."""
    older = And(in_transit(s, j, y), proc(y) == proc(x), num(y) < num(x))
    if variant.channel == "fifo-delivery":
        return ForAll([y], Not(older))
    if variant.channel == "fifo":
        return ForAll([y], Implies(older, Not(ready(s, j, y, variant))))
    return BoolVal(True)


def receive(s: GK, j: z3.ExprRef, F: z3.ExprRef, x: z3.ExprRef, variant: Variant, steps: Steps = ALL_STEPS) -> Action:
    """Reception: j delivers the message of x at F."""
    i, pasts = proc(x), after_delivery(s.pasts, j, F, x, steps)
    in_MC = ecv(x, i) == mcv(x, i) if variant.own_message == "d" else BoolVal(False)

    def one(k: z3.ExprRef, d: z3.ExprRef, here: z3.BoolRef) -> z3.ArithRef:
        return steps("R3", If(And(k == i, to(x, d), here), 1, 0), IntVal(0))

    def SP(k: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return s.SP(x, k, d) + one(k, d, in_MC)

    def SC(k: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return s.SC(x, k, d) + one(k, d, Not(in_MC))

    def CONC(k: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        total = larger(s.CONC(j, k, d) + s.PREV(j, k, d), SP(k, d) + SC(k, d))
        return steps("R7", total - larger(s.PREV(j, k, d), SP(k, d)), s.CONC(j, k, d))

    def PREV(k: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        return steps("R8", larger(s.PREV(j, k, d), SP(k, d)), s.PREV(j, k, d))

    after = GK(
        pasts,
        PREV=lambda p, k, d: If(p == j, PREV(k, d), s.PREV(p, k, d)),
        CONC=lambda p, k, d: If(p == j, CONC(k, d), s.CONC(p, k, d)),
        DELIV=lambda p, k: s.DELIV(p, k) + steps("R4", If(And(p == j, k == i), 1, 0), IntVal(0)),
        known=s.known,
        SP=s.SP,
        SC=s.SC,
    )
    event = And(may_happen(s.pasts, j, F, pasts), kind(F, "delivery"), of(F) == x)
    guard = And(in_transit(s, j, x), steps("R1", ready(s, j, x, variant), BoolVal(True)), oldest(s, j, x, variant))
    return Action("delivery", And(event, guard), after)


def counts(s: GK) -> list[tuple[str, z3.BoolRef]]:
    """What DELIV, and PREV and CONC together, are under every variant here."""
    pasts = s.pasts
    first = And(pasts.happened(x), to(x, d))
    total, carried = s.PREV(p, k, d) + s.CONC(p, k, d), s.SP(f, k, d) + s.SC(f, k, d)
    before = happens_before(x, f)
    return [
        ("PREV and CONC count messages sent",
         ForAll([p, k, d], And(s.PREV(p, k, d) >= 0, s.CONC(p, k, d) >= 0, total <= pasts.count(k, d)))),
        ("SP and SC count messages sent",
         ForAll([f, k, d], Implies(sends(s, f),
                                   And(s.SP(f, k, d) >= 0, s.SC(f, k, d) >= 0, carried <= pasts.count(k, d))))),
        ("PREV and CONC count the messages of the past",
         ForAll([p, x, d], Implies(first, (index(x, d) <= s.PREV(p, proc(x), d) + s.CONC(p, proc(x), d))
                                   == pasts.past(p, x)))),
        ("PREV and CONC count all own messages",
         ForAll([p, d], Implies(d != p, s.PREV(p, p, d) + s.CONC(p, p, d) == pasts.count(p, d)))),
        ("SP and SC count the own messages before",
         ForAll([f, d], Implies(And(sends(s, f), to(f, d)),
                                s.SP(f, proc(f), d) + s.SC(f, proc(f), d) == index(f, d) - 1))),
        ("SP and SC count the messages of the past",
         ForAll([f, x, d], Implies(And(first, sends(s, f)),
                                   (index(x, d) <= s.SP(f, proc(x), d) + s.SC(f, proc(x), d)) == before))),
    ]  # fmt: skip


def sends(s: GK, f: z3.ExprRef) -> z3.BoolRef:
    """f has happened, and is a send: it has copies."""
    return And(s.pasts.happened(f), is_send(f))


def deliveries(s: GK, variant: Variant) -> list[tuple[str, z3.BoolRef]]:
    """What R1 and the channel give."""
    first = And(s.pasts.happened(x), to(x, d))
    semantic = And(s.pasts.delivered(d, f), sem(x, f), to(x, d))
    return [
        ("DELIV counts messages sent",
         ForAll([d, k], And(s.DELIV(d, k) >= 0, s.DELIV(d, k) <= s.pasts.count(k, d)))),
        ("the first DELIV[k] messages of k are delivered",
         ForAll([d, x], Implies(first, s.pasts.delivered(d, x) == (index(x, d) <= s.DELIV(d, proc(x)))))),
        ("semantic causal order", ForAll([x, f, d], Implies(semantic, s.pasts.delivered(d, x)))),
    ]  # fmt: skip


def facts_of_figure_3(s: GK) -> list[tuple[str, z3.BoolRef]]:
    """With GK-1a: PREV counts what events of p up to `known` depend on, but for the message of event `known` itself; so
    SP of a send counts what it depends on, but for messages of its own process, and these come in order."""
    pasts, mine = s.pasts, s.known(p)
    sent, in_PREV = And(pasts.happened(x), to(x, d)), index(x, d) <= s.PREV(p, proc(x), d)
    local = And(pasts.happened(g), proc(g) == p, num(g) <= mine, Or(x == g, happens_before(x, g)))
    itself = And(proc(x) == p, num(x) == mine)
    same = And(sends(s, e), sends(s, f), proc(e) == proc(f), num(e) < num(f))
    return [
        ("known is a number of an event", ForAll([p], And(mine >= 0, mine <= pasts.ECV(p, p)))),
        ("PREV counts what events up to known depend on", ForAll([p, g, x, d], Implies(And(sent, local),
                                                                                     Or(in_PREV, itself)))),
        ("SP counts what a send depends on",
         ForAll([f, x, d], Implies(And(sends(s, f), sem(x, f), to(x, d)),
                                   Or(index(x, d) <= s.SP(f, proc(x), d), proc(x) == proc(f))))),
        ("SP does not exceed PREV", ForAll([f, k, d], Implies(sends(s, f), s.SP(f, k, d) <= s.PREV(proc(f), k, d)))),
        ("SP of a sender grows", ForAll([e, f, k, d], Implies(same, s.SP(e, k, d) <= s.SP(f, k, d)))),
    ]  # fmt: skip


def facts_of_lemmas(s: GK) -> list[tuple[str, z3.BoolRef]]:
    """Lemma 3, of states and, the message itself left out, of copies: with GK-1d, GK-5c and GK-7b."""
    pasts = s.pasts
    sent = And(pasts.happened(x), to(x, d))
    return [
        ("PREV counts the messages up to MCV",
         ForAll([p, x, d], Implies(sent, (index(x, d) <= s.PREV(p, proc(x), d)) == (num(x) <= pasts.MCV(p, proc(x)))))),
        ("SP counts the messages up to MCV",
         ForAll([f, x, d], Implies(And(sent, sends(s, f), x != f),
                                   (index(x, d) <= s.SP(f, proc(x), d)) == (num(x) <= mcv(f, proc(x)))))),
        ("SP leaves out the message itself",
         ForAll([f, d], Implies(And(sends(s, f), to(f, d)), s.SP(f, proc(f), d) < index(f, d)))),
        ("and no other, if the message is in MC",
         ForAll([f, d], Implies(And(sends(s, f), to(f, d), num(f) <= mcv(f, proc(f))),
                                s.SP(f, proc(f), d) == index(f, d) - 1))),
    ]  # fmt: skip


def lemmas(s: GK, j: z3.ExprRef, x: z3.ExprRef) -> list[tuple[str, z3.BoolRef]]:
    """Why j delivers the messages of a process in their order: the next one would be older and in transit."""
    next_one = s.DELIV(j, proc(x)) + 1
    y = s.pasts.nth(proc(x), j, next_one)
    older = And(in_transit(s, j, y), proc(y) == proc(x), num(y) < num(x))
    return [
        ("an older message would be in transit", Or(next_one >= index(x, j), older)),
        ("the next message is delivered", next_one == index(x, j)),
    ]
