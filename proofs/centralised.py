"""Centralised organisation (Kshemkalyani, Singhal 1998, Section 7.1; KS-29a), as a transition system for any number of
processes: every message goes to the coordinator, which multicasts one after the other. Messages carry nothing; the
channels to and from the coordinator are FIFO (c1, d1).
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
from .relays import either
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("c1", "d1")

coordinator = Const("coordinator", Process)


@dataclass(frozen=True)
class Centralised:
    """pasts: what happened. served(m): the coordinator has multicast m; ahead(m, n): m before n."""

    pasts: Pasts
    served: Relation
    ahead: Relation


def some_state() -> Centralised:
    """Any state."""
    ahead = Function("ahead", Message, Message, Bool)
    return Centralised(some_pasts(), Function("served", Message, Bool), ahead)


def initial(s: Centralised) -> z3.BoolRef:
    """Nothing has happened."""
    return And(initially(s.pasts), ForAll([m], Not(s.served(m))), ForAll([m, n], Not(s.ahead(m, n))))


def multicast(s: Centralised, M: z3.ExprRef) -> Centralised:
    """The coordinator sends a copy of M to each destination."""
    return replace(
        s,
        served=lambda m: Or(m == M, s.served(m)),
        ahead=lambda m, n: Or(s.ahead(m, n), And(n == M, s.served(m))),
    )


def send(s: Centralised, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """s2: i asks the coordinator to multicast M."""
    guard = And(may_send(s.pasts, i, M), Not(dest(M, i)), i != coordinator)
    return Action("request", guard, replace(s, pasts=after_send(s.pasts, i, M)))


def send_itself(s: Centralised, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """The coordinator multicasts a message of its own."""
    guard = And(may_send(s.pasts, i, M), Not(dest(M, i)), i == coordinator)
    return Action("own multicast", guard, multicast(replace(s, pasts=after_send(s.pasts, i, M)), M))


def serve(s: Centralised, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """c1, c3: the coordinator takes the next request of a process, multicasts it, and delivers its own copy."""
    fifo = steps("c1", ForAll([m], Implies(before(m, M), s.served(m))), BoolVal(True))
    guard = And(s.pasts.sent(M), Not(s.served(M)), fifo)
    taken = either(dest(M, coordinator), after_delivery(s.pasts, coordinator, M), s.pasts)
    return Action("multicast", guard, multicast(replace(s, pasts=taken), M))


def receive(s: Centralised, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """d1, d2: j receives and delivers the next copy from the coordinator."""
    due = ForAll([m], Implies(And(s.ahead(m, M), dest(m, j)), s.pasts.delivered(j, m, j)))
    copy = And(s.served(M), dest(M, j), j != coordinator, Not(s.pasts.delivered(j, M, j)))
    after = replace(s, pasts=after_delivery(s.pasts, j, M))
    return Action("delivery", And(copy, steps("d1", due, BoolVal(True))), after)


def facts(s: Centralised) -> list[tuple[str, z3.BoolRef]]:
    """What the coordinator has done, on top of the theory of pasts; inductive together with it."""
    sent, past, delivered = s.pasts.sent, s.pasts.past, s.pasts.delivered
    return [
        ("no process sends to itself", ForAll([x], Implies(sent(x), Not(dest(x, sender(x)))))),
        ("what is served is sent", ForAll([m], Implies(s.served(m), sent(m)))),
        ("the coordinator serves itself at once",
         ForAll([m], Implies(And(sent(m), sender(m) == coordinator), s.served(m)))),
        ("the coordinator delivers what it serves",
         ForAll([m], Implies(And(s.served(m), dest(m, coordinator)), delivered(coordinator, m, coordinator)))),
        ("what is delivered is served", ForAll([m, d], Implies(delivered(d, m, d), s.served(m)))),
        ("requests are served in order", ForAll([m, n], Implies(And(before(m, n), s.served(n)), s.served(m)))),
        ("what others know is served", ForAll([p, m], Implies(And(past(p, m), p != sender(m)), s.served(m)))),
        ("what others knew is served",
         ForAll([x, m], Implies(And(sent(x), hb(m, x), sender(m) != sender(x)), s.served(m)))),
        ("what is ahead is served", ForAll([m, n], Implies(s.ahead(m, n), And(s.served(m), s.served(n))))),
        ("one multicast is before another",
         ForAll([m, n], Implies(And(s.served(m), s.served(n)), Or(m == n, s.ahead(m, n), s.ahead(n, m))))),
        ("nothing is ahead of itself", ForAll([m], Not(s.ahead(m, m)))),
        ("what is ahead is so in one order",
         ForAll([m, n, x], Implies(And(s.ahead(m, n), s.ahead(n, x)), s.ahead(m, x)))),
        ("the coordinator keeps causal order", ForAll([m, n], Implies(And(s.served(n), hb(m, n)), s.ahead(m, n)))),
        ("copies are delivered in the order of the coordinator",
         ForAll([m, n, d], Implies(And(s.ahead(m, n), dest(m, d), delivered(d, n, d)), delivered(d, m, d)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: Centralised) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of the coordinator."""
    return [*facts_of_pasts(s.pasts), *facts(s)]


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)


def is_served(s: Centralised, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """Whatever happened before M is served when M is."""
    if action.name == "multicast":
        own = ForAll([m], Implies(And(hb(m, M), sender(m) == sender(M)), before(m, M)))
        return [("earlier messages of its sender are earlier", own),
                ("what happened before it is served", ForAll([m], Implies(hb(m, M), s.served(m))))]  # fmt: skip
    return []


INDUCTION = WitnessedInduction(
    "centralised",
    S,
    MESSAGES,
    initial,
    invariant,
    lambda s, steps: (
        send(s, i, M, steps),
        send_itself(s, i, M, steps),
        serve(s, M, steps),
        receive(s, j, M, steps),
    ),
    is_served,
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j, p == coordinator))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper; the next request can be served, and the next copy delivered."""
    delivered = S.pasts.delivered
    ordered = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("centralised: M is delivered before M'", ordered, delivered(j, M1, j))
    first = ForAll([m], Implies(before(m, M), S.served(m)))
    yield Condition("centralised: the next request can be served",
                    (*KNOWN, S.pasts.sent(M), Not(S.served(M)), first), serve(S, M).guard)  # fmt: skip
    due = ForAll([m], Implies(And(S.ahead(m, M), dest(m, j)), delivered(j, m, j)))
    copy = (*KNOWN, S.served(M), dest(M, j), Not(delivered(j, M, j)), due)
    yield Condition("centralised: the next copy can be delivered", copy, receive(S, j, M).guard)


def overtaken() -> list[Condition]:
    """KS-29 without FIFO channels: the coordinator sends a to 3, then b to 2 and 3, and 3 delivers b."""
    w = world_of(a=(1, {3}), b=(1, {2, 3}))
    one, three, a, b = w.process(1), w.process(3), w.message("a"), w.message("b")
    run = started(w, S, lambda s: And(initial(s), coordinator == one)).through([
        lambda s: send_itself(s, one, a), lambda s: send_itself(s, one, b),
        lambda s: receive(s, three, b, Steps(frozenset({"d1"}))),
    ])  # fmt: skip
    return [run.condition("KS-29 without FIFO channels: causal order", causal_order(run.state.pasts))]


UNORDERED = ("centralised", "--channel", "unordered", "--processes", "3", "--sends", "3", "--property", "CausalOrder")
SOURCE = "Kshemkalyani, Singhal 1998, Section 7.1, centralised"
ASSUMED = (
    "no copy is lost or duplicated",
    "channels to and from the coordinator are FIFO (or numbered: KS-29seq d)",
    "no process sends to itself; everything goes through the coordinator (KS-29a)",
)
CLAIMS = (
    Claim("C-KS-SC-CENTRAL", SOURCE, "centralised: causal order with no control information", (INDUCTION,),
          safe_and_live, assumptions=ASSUMED, on_paper=("minimal", "fairness"), steps=LABELS,
          formula="causal order; the next request of a process can be served, the next copy to a process delivered"),
    Claim("C-KS-SC-KS-29", "algorithms.md, section 8", "centralised, over channels that are not FIFO: causal order",
          assumptions=ASSUMED[:1] + ASSUMED[2:], refutation=Refutation(overtaken, UNORDERED, 3)),
)  # fmt: skip
