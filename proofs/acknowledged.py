"""Acknowledgements by the transport: Mattern, Fuenfrocken, LNCS 938, 1995, in the form of algorithms.md, B8 (KS-28b,
MF-1a, MF-2a, MF-3a), as a transition system for any number of processes. Messages carry nothing.

A process puts what it sends into OUT, which its transport empties in order: the next message when the last one is
acknowledged. The receiver's transport puts what arrives into IN, and acknowledges; the application takes it from IN in
the order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, ForAll, Function, Implies, Not, Or

from .claims import Claim, Refutation
from .concrete_runs import started, world_of
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
    before,
    causal_order,
    d,
    dest,
    e,
    facts_of_pasts,
    hb,
    initially,
    m,
    may_send,
    n,
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps
from .synchronous import to_one
from .witnessed import WitnessedInduction

LABELS = ("s2", "a2", "d1")


@dataclass(frozen=True)
class Buffers:
    """pasts: what happened, to the applications. transmitted(m): m has left OUT; arrived(m): it has been put into IN;
    acknowledged(m): its sender knows that. ahead(m, n): m came into the IN of n before n."""

    pasts: Pasts
    transmitted: Relation
    arrived: Relation
    acknowledged: Relation
    ahead: Relation


def some_state() -> Buffers:
    """Any state."""
    one = lambda name: Function(name, Message, Bool)  # noqa: E731
    ahead = Function("ahead", Message, Message, Bool)
    return Buffers(some_pasts(), one("transmitted"), one("arrived"), one("acknowledged"), ahead)


def initial(s: Buffers) -> z3.BoolRef:
    """Nothing has happened, and the buffers are empty."""
    nothing = Not(Or(s.transmitted(m), s.arrived(m), s.acknowledged(m)))
    return And(initially(s.pasts), ForAll([m], nothing), ForAll([m, n], Not(s.ahead(m, n))))


def send(s: Buffers, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """s1: the application of i sends M, which goes to the end of OUT."""
    return Action("send", And(may_send(s.pasts, i, M), to_one(M)), replace(s, pasts=after_send(s.pasts, i, M)))


def transmit(s: Buffers, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """s2: the transport of i sends M, if all that i sent before is acknowledged."""
    waits = steps("s2", ForAll([m], Implies(before(m, M), s.acknowledged(m))), BoolVal(True))
    guard = And(s.pasts.sent(M), sender(M) == i, Not(s.transmitted(M)), waits)
    return Action("transmission", guard, replace(s, transmitted=lambda m: Or(m == M, s.transmitted(m))))


def arrive(s: Buffers, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """a1: M comes to the end of IN."""
    after = replace(
        s,
        arrived=lambda m: Or(m == M, s.arrived(m)),
        ahead=lambda m, n: Or(s.ahead(m, n), And(n == M, s.arrived(m), dest(m, j))),
    )
    return Action("arrival", And(s.transmitted(M), dest(M, j), Not(s.arrived(M))), after)


def acknowledge(s: Buffers, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """a2, a3: i hears that M has arrived."""
    there = steps("a2", s.arrived(M), s.transmitted(M))
    after = replace(s, acknowledged=lambda m: Or(m == M, s.acknowledged(m)))
    return Action("acknowledgement", And(there, sender(M) == i, Not(s.acknowledged(M))), after)


def take(s: Buffers, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """d1: the application of j takes M, the head of IN."""
    head = ForAll([m], Implies(s.ahead(m, M), s.pasts.delivered(j, m, j)))
    guard = And(s.arrived(M), dest(M, j), Not(s.pasts.delivered(j, M, j)), steps("d1", head, BoolVal(True)))
    return Action("delivery", guard, replace(s, pasts=after_delivery(s.pasts, j, M)))


def facts(s: Buffers) -> list[tuple[str, z3.BoolRef]]:
    """What is in OUT and IN, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    return [
        ("a message has one destination",
         ForAll([x, d, e], Implies(And(sent(x), dest(x, d), dest(x, e)), d == e))),
        ("what is transmitted is sent", ForAll([m], Implies(s.transmitted(m), sent(m)))),
        ("what arrives is transmitted", ForAll([m], Implies(s.arrived(m), s.transmitted(m)))),
        ("what is acknowledged has arrived", ForAll([m], Implies(s.acknowledged(m), s.arrived(m)))),
        ("what is delivered has arrived", ForAll([m, d], Implies(delivered(d, m, d), s.arrived(m)))),
        ("OUT is emptied in order, and after an acknowledgement",
         ForAll([m, n], Implies(And(before(m, n), s.transmitted(n)), s.acknowledged(m)))),
        ("what others know has arrived", ForAll([p, m], Implies(And(past(p, m), p != sender(m)), s.arrived(m)))),
        ("what others knew has arrived",
         ForAll([x, m], Implies(And(sent(x), hb(m, x), sender(m) != sender(x)), s.arrived(m)))),
        ("what is ahead has arrived at the same process",
         ForAll([m, n, d], Implies(s.ahead(m, n), And(s.arrived(m), s.arrived(n), dest(m, d) == dest(n, d))))),
        ("IN is in causal order",
         ForAll([m, n, d], Implies(And(s.arrived(n), hb(m, n), dest(m, d), dest(n, d)), s.ahead(m, n)))),
        ("what comes into IN one after the other is in order",
         ForAll([m, n, d], Implies(And(s.arrived(m), s.arrived(n), dest(m, d), dest(n, d)),
                                   Or(m == n, s.ahead(m, n), s.ahead(n, m))))),
        ("nothing is ahead of itself", ForAll([m], Not(s.ahead(m, m)))),
        ("what is ahead is so in one order",
         ForAll([m, n, x], Implies(And(s.ahead(m, n), s.ahead(n, x)), s.ahead(m, x)))),
        ("IN is emptied in order",
         ForAll([m, n, d], Implies(And(s.ahead(m, n), delivered(d, n, d)), delivered(d, m, d)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: Buffers) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of the buffers."""
    return [*facts_of_pasts(s.pasts), *facts(s)]


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)


def has_arrived(s: Buffers, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """Whatever happened before M has arrived when M does."""
    if action.name != "arrival":
        return []
    own = ForAll([m], Implies(And(hb(m, M), sender(m) == sender(M)), before(m, M)))
    return [("earlier messages of its sender are earlier", own),
            ("what happened before it has arrived", ForAll([m], Implies(hb(m, M), s.arrived(m))))]  # fmt: skip


INDUCTION = WitnessedInduction(
    "acknowledged",
    S,
    MESSAGES,
    initial,
    invariant,
    lambda s, steps: (
        send(s, i, M, steps),
        transmit(s, i, M, steps),
        arrive(s, j, M, steps),
        acknowledge(s, i, M, steps),
        take(s, j, M, steps),
    ),
    has_arrived,
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper; of what is on its way, something can always move."""
    delivered = S.pasts.delivered
    ordered = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("acknowledged: M is delivered before M'", ordered, delivered(j, M1, j))
    first = ForAll([m], Implies(before(m, M), S.acknowledged(m)))
    moves = Or(transmit(S, i, M).guard, arrive(S, j, M).guard, acknowledge(S, i, M).guard)
    waits = (*KNOWN, S.pasts.sent(M), sender(M) == i, dest(M, j), first, Not(S.acknowledged(M)))
    yield Condition("acknowledged: the first message of OUT moves", waits, moves)
    head = ForAll([m], Implies(S.ahead(m, M), delivered(j, m, j)))
    waits = (*KNOWN, S.arrived(M), dest(M, j), head, Not(delivered(j, M, j)))
    yield Condition("acknowledged: the first message of IN can be taken", waits, take(S, j, M).guard)


def one_on_its_way(steps: Steps) -> Iterable[Condition]:
    """Of each sender, at most one message is transmitted and not acknowledged."""
    on_its_way = lambda m: And(S.transmitted(m), Not(S.acknowledged(m)))  # noqa: E731
    two = (*KNOWN, on_its_way(M1), on_its_way(M2), sender(M1) == sender(M2))
    yield Condition("acknowledged: one message of a sender is on its way", two, M1 == M2)


def any_order() -> list[Condition]:
    """MF-1b: the application takes any message from IN. 2 sends a to 3, which acknowledges it, then b, which 3 takes
    first. The transport's steps are steps of their own here."""
    w = world_of(a=(2, {3}), b=(2, {3}))
    two, three, a, b = w.process(2), w.process(3), w.message("a"), w.message("b")
    run = started(w, S, initial).through([
        lambda s: send(s, two, a), lambda s: transmit(s, two, a), lambda s: arrive(s, three, a),
        lambda s: acknowledge(s, two, a), lambda s: send(s, two, b), lambda s: transmit(s, two, b),
        lambda s: arrive(s, three, b), lambda s: take(s, three, b, Steps(frozenset({"d1"}))),
    ])  # fmt: skip
    return [run.condition("MF-1b: causal order", causal_order(run.state.pasts))]


ANY = (
    "mattern-fuenfrocken", "--reading", "MF-1b", "--dests", "unicast", "--processes", "3", "--sends", "3",
    "--property", "CausalOrder",
)  # fmt: skip
ASSUMED = (
    "no copy is lost or duplicated; channels need not be FIFO",
    "every message goes to one other process (MF-2a)",
)
CLAIMS = (
    Claim("C-KS-SC-ACKS", "Kshemkalyani, Singhal 1998, Section 7.1, transport acknowledgements",
          "unicast with acknowledgements by the transport: causal order with no control information", (INDUCTION,),
          safe_and_live, assumptions=ASSUMED, on_paper=("minimal", "fairness"), steps=LABELS,
          formula="causal order, also where a message is acknowledged before it is delivered (KS-28b); the first of OUT"
          " can move until it is acknowledged, the first of IN can be taken"),
    Claim("C-B-2", "Mattern, Fuenfrocken 1995, in the form of algorithms.md, B8",
          "CO without control information for unicast; at most one unacknowledged message per sender", (INDUCTION,),
          one_on_its_way, assumptions=ASSUMED, steps=("s2",)),
    Claim("C-KS-SC-MF-1b", "algorithms.md, section 8", "with acknowledgements at the arrival, and any order of taking "
          "messages from IN, causal order is kept", assumptions=ASSUMED, refutation=Refutation(any_order, ANY, 6)),
)  # fmt: skip
