"""PRS: safety and deliverability, that direct dependencies for each destination suffice, and that they are not optimal
for broadcast."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Consts, ForAll, Implies, Not, Or

from . import prs
from .claims import Claim, Refutation
from .concrete_runs import Step, started, world_of
from .conditions import Condition
from .counting import NUMBERS, a, number
from .enabled import is_due, undelivered, waits
from .pasts import MESSAGES, Message, Process, d, dest, hb, latest_before, m, may_send, p, required_before, sender, x
from .steps import Steps
from .witnessed import WitnessedInduction

S = prs.some_state()
i, j = Consts("i j", Process)
M, M1, M2 = Consts("M M1 M2", Message)

INDUCTION = WitnessedInduction(
    "PRS",
    S,
    (*MESSAGES, *NUMBERS),
    prs.initial,
    prs.invariant,
    lambda s, steps: (prs.snd(s, i, M, steps), prs.rcv(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
    lemmas=lambda s, action: [
        ("of what went to j before the send of a copy that passes d1, the latest is delivered",
         ForAll([m], Implies(And(hb(m, M), dest(m, j)), s.pasts.delivered(j, latest_before(M, m, j), j)))),
        ("so is all of it",
         ForAll([m], Implies(And(hb(m, M), dest(m, j)), s.pasts.delivered(j, m, j)))),
    ] if action.name == "delivery" else [],
)  # fmt: skip
KNOWN = INDUCTION.hypotheses
ASSUMED = ("no copy is lost or duplicated; channels need not be FIFO", "no process sends to itself (PRS-1a)")


def a_wait() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A copy waits."""
    yield "PRS: a copy waits", (*KNOWN, *waits(S.pasts, j, M, prs.rcv(S, j, M).guard))


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the claim, and that d1 holds when all that must precede a copy is delivered."""
    delivered = S.pasts.delivered
    before = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("PRS: M2 is delivered at j, M1 goes to j and was sent before M2", before, delivered(j, M1, j))
    due = is_due(S.pasts, j, M)
    here = (*KNOWN, due)
    count = S.CBM(M, j, a)
    named = And(hb(M1, M), dest(M1, j), sender(M1) == a, number(M1) == count)
    last = (S.senders.nth(a, count) == M1, count >= 1)
    yield Condition("PRS: the pair that d1 waits for is that of a message to j", (*here, *last), named)
    yield Condition("PRS: which is counted", (*here, named), number(M1) <= S.DELIV(j, a, j))
    sums = (fact for name, fact in prs.facts(S) if name == "DELIV counts messages sent")
    hypotheses = (*sums, Implies(count >= 1, count <= S.DELIV(j, a, j)))
    yield Condition("PRS: so it is reached", hypotheses, count <= S.DELIV(j, a, j))
    reached = ForAll([a], S.CBM(M, j, a) <= S.DELIV(j, a, j))
    guard = prs.rcv(S, j, M, steps).guard
    yield Condition("PRS: a copy is delivered once", (guard,), undelivered(S.pasts, j, M))
    yield Condition("PRS: what is due is ready", (due, reached), guard)
    sends = (may_send(S.pasts, i, M), S.senders.takes(i, M), Not(dest(M, i)))
    yield Condition("PRS: no send waits", sends, prs.snd(S, i, M, steps).guard)


def suffices(steps: Steps) -> Iterable[Condition]:
    """Every required fact has its pair, in CB and on the copies; every pair is that of a known message to d."""
    yield Condition("PRS: CB misses nothing", (*KNOWN, S.pasts.required(p, m, d)), S.CB(p, d, sender(m)) == number(m))
    required = (S.pasts.sent(x), required_before(x, m, d))
    yield Condition("PRS: CBM misses nothing", (*KNOWN, *required), S.CBM(x, d, sender(m)) == number(m))
    pair = (S.pasts.sent(m), S.CB(p, d, sender(m)) == number(m))
    yield Condition("PRS: CB has known messages", (*KNOWN, *pair), And(S.pasts.past(p, m), dest(m, d)))
    carried = (S.pasts.sent(x), S.pasts.sent(m), S.CBM(x, d, sender(m)) == number(m))
    yield Condition("PRS: CBM has known messages", (*KNOWN, *carried), And(hb(m, x), dest(m, d)))


def learned(steps: Steps) -> Iterable[Condition]:
    """What a copy shows to be delivered at its sender leaves CB with the delivery of the copy."""
    delivery = prs.rcv(S, j, M, steps)
    shown, left = S.CBM(M, sender(M), a), delivery.after.CB(j, sender(M), a)
    yield Condition("PRS: what is learned is pruned", (*KNOWN, delivery.guard, shown >= 1), Or(left == 0, left > shown))
    grows = delivery.after.DELIV(p, a, d) >= S.DELIV(p, a, d)
    yield Condition("PRS: DELIV never decreases", (*KNOWN, delivery.guard), grows)
    known = (d != p, S.CB(p, d, a) >= 1)
    yield Condition("PRS: what is known to be delivered is pruned", (*KNOWN, *known), S.DELIV(p, a, d) < S.CB(p, d, a))


P1, P2, P3 = Consts("P1 P2 P3", Process)
A, B = Consts("A B", Message)


def covered_in_broadcast() -> list[Condition]:
    """P2 broadcasts A; P1 delivers it and broadcasts B; P2 delivers B. B covers A for P3, and P2 has both pairs."""
    steps: list[Step[prs.PRS]] = [
        lambda s: prs.snd(s, P2, A), lambda s: prs.rcv(s, P1, A), lambda s: prs.snd(s, P1, B),
        lambda s: prs.rcv(s, P2, B),
    ]  # fmt: skip
    world = world_of(A=(2, {1, 3}), B=(1, {2, 3}))
    run = started(world, S, prs.initial, INDUCTION.given).through(steps)
    end = run.state
    has = And(end.pasts.sent(m), d != p, end.CB(p, d, sender(m)) == number(m))
    optimal = ForAll([p, m, d], Implies(has, end.pasts.required(p, m, d)))
    return [run.condition("PRS: in this run of broadcasts, CB has required pairs only", optimal)]


SOURCE = "Prakash, Raynal, Singhal 1996, in the form of algorithms.md, B7"
BROADCAST = ("prs", "--reading", "PRS-4b", "--processes", "3", "--sends", "3", "--dests", "broadcast",
             "--property", "Minimality")  # fmt: skip
CLAIMS = (
    Claim("C-B-1-PRS", SOURCE, "PRS: safety and liveness", (INDUCTION,), safe_and_live,
          assumptions=ASSUMED, on_paper=("minimal", "fairness"), 
          steps=tuple(label for label in prs.LABELS if label not in ("d3", "d6")),
          witness=a_wait,
          formula="causal order; a copy in transit whose predecessors at its destination are delivered passes d1"),
    Claim("C-B-3", SOURCE,
          "B7: direct dependencies per destination suffice; information is optimal for broadcast",
          (INDUCTION,), suffices, assumptions=ASSUMED,
          refutation=Refutation(covered_in_broadcast, BROADCAST, 4),
          repaired="in every load, CB and CBM have the pair of every required fact, and pairs of known messages to "
          "their destination only; some of these are covered, in broadcast too"),
    Claim("C-PRS-1", SOURCE, "what DELIV shows to be delivered, the learned included, is not in CB", (INDUCTION,),
          learned, assumptions=ASSUMED, steps=("d3", "d6")),
)  # fmt: skip
