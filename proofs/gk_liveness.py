"""GK, that nothing waits in vain, under each variant for which Theorem 1 is proved: of the messages to its destination
that happened before it, a message waits for those that SP counts, and for those of its own sender.

E1 decides which of them SP counts. The paper states no liveness; R1 asks for counts, and these never exceed the
messages of the past.
"""

from __future__ import annotations

from collections.abc import Iterable

from z3 import And, Consts, ForAll, If, Implies, Not, Or

from .claims import Claim
from .conditions import Condition
from .gk_definitions import PASTS
from .gk_theorems import ANY, DELIVERED_FIFO, FIFO, MULTICAST, NO_SELF, TESTED
from .gk_theorems import S as GK
from .pasts import Process, d
from .semantic_pasts import Event, dep, happens_before, index, kind, may_happen, num, of, proc, to, x
from .steps import Steps

i, j, k = Consts("i j k", Process)
F, X, Y = Consts("F X Y", Event)

counted = Or(index(x, j) <= GK.SP(X, proc(x), j), proc(x) == proc(X))
DUE = And(
    GK.pasts.happened(X),
    to(X, j),
    Not(GK.pasts.delivered(j, X)),
    ForAll([x], Implies(And(happens_before(x, X), to(x, j), counted), GK.pasts.delivered(j, x))),
)
"""The message of X to j is not delivered, and those to j are that happened before it and that SP counts or that are of
the same sender: for the others, which SC counts, it does not wait."""


def deliverable(steps: Steps) -> Iterable[Condition]:
    """It passes R1, since the last message of each sender that is counted is one of them; and the channel gives it,
    since older messages of its sender are. So it may be delivered at any F that is the next event, and of it."""
    delivered = GK.pasts.delivered
    total = If(k == proc(X), GK.SP(X, k, j) + GK.SC(X, k, j), GK.SP(X, k, j))
    last = And(GK.pasts.happened(Y), to(Y, j), proc(Y) == k, index(Y, j) == total)
    older = And(GK.pasts.happened(Y), to(Y, j), proc(Y) == proc(X), num(Y) < num(X))
    reached = ForAll([k], And(GK.SC(X, k, j) >= 0, total <= GK.DELIV(j, k)))
    in_order = ForAll([Y], Implies(older, delivered(j, Y)))
    for one in (FIFO, DELIVERED_FIFO, TESTED):
        known = (*one.hypotheses, DUE)
        named = (GK.pasts.nth(k, j, total) == Y, total >= 1)
        yield Condition(f"{one.name}: the last message that a copy counts is one", (*known, *named), last)
        yield Condition(f"{one.name}: if the copy is due, that is delivered", (*known, last), total <= GK.DELIV(j, k))
        naturals = And(GK.SC(X, k, j) >= 0, GK.DELIV(j, k) >= 0)
        yield Condition(f"{one.name}: counts are natural", known, naturals)
        yield Condition(f"{one.name}: older messages are delivered", (*known, older), delivered(j, Y))
        delivery = one.actions(GK, steps)[2]
        event = And(may_happen(GK.pasts, j, F, delivery.after.pasts), kind(F, "delivery"), of(F) == X)
        yield Condition(f"{one.name}: what is due is ready", (DUE, reached, in_order, event), delivery.guard)
        undelivered = And(GK.pasts.happened(X), to(X, j), Not(delivered(j, X)))
        yield Condition(f"{one.name}: a message is delivered once", (delivery.guard,), undelivered)


def tested(steps: Steps) -> Iterable[Condition]:
    """Of sends of Figure 3: what CONC counts is moved to PREV, and so waited for, just when the send depends on an
    event of its process after the last one for which this was so."""
    send = FIFO.actions(GK, steps)[0]
    carried = And(send.after.SP(F, k, d) == GK.PREV(i, k, d), send.after.SC(F, k, d) == GK.CONC(i, k, d))
    known = (*FIFO.hypotheses, send.guard)
    none = ForAll([Y], Implies(dep(F, Y), num(Y) <= GK.known(i)))
    kept = And(carried, send.after.known(i) == GK.known(i))
    yield Condition("GK E1: without a later dependency", (*known, none), kept)
    carried = And(send.after.SP(F, k, d) == GK.PREV(i, k, d) + GK.CONC(i, k, d), send.after.SC(F, k, d) == 0)
    moved = And(carried, send.after.known(i) == num(F))
    yield Condition("GK E1: with a later dependency", (*known, dep(F, Y), num(Y) > GK.known(i)), moved)


CLAIMS = (
    Claim(
        "C-GK-LIVE",
        "Gambhire, Kshemkalyani 2000, Figure 3 (the paper states no liveness)",
        "every message is delivered at all its destinations",
        (PASTS, FIFO, DELIVERED_FIFO, TESTED),
        deliverable,
        assumptions=(ANY + " (or, without GK-2b, X-4c or X-4d)", NO_SELF, MULTICAST),
        on_paper=("minimal", "fairness"),
        formula="a message in transit passes R1 and is the oldest of its channel if those messages to its destination "
        "are delivered there that happened before it and that SP counts or that are of its sender",
    ),
    Claim(
        "C-GK-E1",
        "Gambhire, Kshemkalyani 2000, Figure 3, E1 and Property 1",
        "E1 is true just when the event depends on an event of its process after the own component of MCV",
        (PASTS, FIFO),
        tested,
        assumptions=(ANY, NO_SELF, MULTICAST, "the own component of MCV is what a process knows of it (GK-5a)"),
        steps=("E1", "E4", "E5", "E6"),
    ),
)
