"""GK, Definitions 3 to 5: Proposition 1, Lemma 1, Property 1, and what is said between the definitions.

All of it is about events and their vectors, not about Figure 3, and holds for any channel and any deliveries. `MCV` is
that of Definition 5, and whether E1 is true is decided by the latest local dependency.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3
from z3 import And, Consts, ForAll, Function, If, Implies, Not

from . import gk
from .claims import Claim, Refutation
from .conditions import Condition
from .gk_runs import EVERY_STEP, Script, delivery, event, send
from .lemmas import InductionByLemmas
from .pasts import Process, d, p, q
from .semantic_pasts import (
    Event,
    Int,
    SemanticPasts,
    after_delivery,
    after_local_event,
    depends_after,
    ecv,
    facts_of_pasts,
    happens_before,
    initially,
    is_delivery,
    kind,
    latest,
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
from .steps import Action, Steps

S = some_pasts()
i, j = Consts("i j", Process)
E, F, X = Consts("E F X", Event)


class PastsInduction(InductionByLemmas[SemanticPasts]):
    """The witness is a run of Figure 3 with every kind of event."""

    def witnesses(self) -> list[tuple[str, tuple[z3.BoolRef, ...]]]:
        """What must be satisfiable for the run to be possible."""
        return [(f"{self.name}: {EVERY_STEP.name} is possible", EVERY_STEP.run(gk.FIGURE_3).formulas)]


def actions(s: SemanticPasts, steps: Steps) -> Sequence[Action]:
    """A send or an internal event of i, a delivery at j; a message is delivered at a destination at most once."""

    def local(name: str) -> Action:
        after = after_local_event(s, i, F, name == "send", steps)
        return Action(name, And(may_happen(s, i, F, after), kind(F, name)), after)

    after = after_delivery(s, j, F, X, steps)
    new = And(s.happened(X), to(X, j), Not(s.delivered(j, X)))
    guard = And(may_happen(s, j, F, after), kind(F, "delivery"), of(F) == X, new)
    return local("send"), local("internal event"), Action("delivery", guard, after)


PASTS = PastsInduction("GK events", S, (), initially, facts_of_pasts, actions)
KNOWN = PASTS.hypotheses


def local_events(steps: Steps) -> Iterable[tuple[Action, tuple[z3.BoolRef, ...]]]:
    """Sends and internal events F, and what is known when they happen."""
    return [(action, (*KNOWN, action.guard)) for action in actions(S, steps)[:2]]


def proposition_1(steps: Steps) -> Iterable[Condition]:
    """Of any vector that meets Definition 3 at a send F: the messages to d sent in its prefix are delivered before that
    of F, so all on which F depends are."""
    vector = Function("any_MCV", Process, Int)
    meets = ForAll([x], Implies(sem(x, F), num(x) <= vector(proc(x))))
    sent = And(happens_before(x, F), to(x, d), num(x) <= vector(proc(x)))
    in_order = ForAll([x, d], Implies(And(S.delivered(d, F), sent), S.delivered(d, x)))
    hypotheses = (*KNOWN, S.happened(F), meets, in_order, S.delivered(j, F), sem(X, F), to(X, j))
    yield Condition("GK P1", hypotheses, S.delivered(j, X))


def lemma_1(steps: Steps) -> Iterable[Condition]:
    """At sends and internal events; containment at all."""
    yield Condition("GK L1: containment", KNOWN, ForAll([p, q], S.MCV(p, q) <= S.ECV(p, q)))
    for action, known in local_events(steps):
        yield Condition(f"GK L1: {action.name}", (*known, sem(E, F)), num(E) <= action.after.MCV(i, proc(E)))


def lemma_1_at_the_delivery() -> list[Condition]:
    """At all events: 2 delivers a message of 1 whose send depends on nothing."""
    script = Script(2, {"x": send(1, 2), "r": delivery(2, "x")})
    run, r = script.run(gk.FIGURE_3), event("r")
    within = ForAll([x], Implies(sem(x, r), num(x) <= mcv(r, proc(x))))
    return [Condition("GK L1: refuted", run.formulas, run.after(lambda s: within))]


def definitions_agree(steps: Steps) -> Iterable[Condition]:
    """Definition 4 looks at events of all processes, over messages too; Definition 5 at those of the own one."""
    for action, known in local_events(steps):
        after = And(sem(E, F), num(E) > S.MCV(i, proc(E)))
        moved = depends_after(S, i, F)
        yield Condition(f"GK D45: {action.name}: 4 implies 5", (*known, after), moved)
        last = latest(F)
        yield Condition(
            f"GK D45: {action.name}: 5 implies 4", (*known, moved), And(sem(last, F), num(last) > S.MCV(i, proc(last)))
        )


def latest_suffices(steps: Steps) -> Iterable[Condition]:
    """Definition 5.2 by its words, over all events of i on which F depends, is the test of the latest one; and the
    vectors after it are what a process computes from its own two and those on the copy."""
    for action, known in local_events(steps):
        after = And(sem(E, F), proc(E) == i, num(E) > S.MCV(i, i))
        moved, last = depends_after(S, i, F), latest(F)
        yield Condition(f"GK PR1: {action.name}: some event implies the latest", (*known, after), moved)
        some = And(sem(last, F), proc(last) == i, num(last) > S.MCV(i, i))
        yield Condition(f"GK PR1: {action.name}: the latest is some event", (*known, moved), some)
        ECV = S.ECV(i, q) + If(q == i, 1, 0)
        yield Condition(f"GK PR1: {action.name}: MCV", known, mcv(F, q) == If(moved, ECV, S.MCV(i, q)))
    delivered = actions(S, steps)[2]
    largest = If(S.MCV(j, q) >= mcv(X, q), S.MCV(j, q), mcv(X, q))
    yield Condition("GK PR1: delivery: MCV", (*KNOWN, delivered.guard), mcv(F, q) == largest)
    own, theirs = S.ECV(j, q) + If(q == j, 1, 0), ecv(X, q)
    largest = If(own >= theirs, own, theirs)
    yield Condition("GK PR1: delivery: ECV", (*KNOWN, delivered.guard), ecv(F, q) == largest)


def MCV_alone() -> list[Condition]:
    """Two events k of i, with the same MCV before them and the same latest dependency, but another ECV. They exist: the
    second event of a process, which depends on the first; this is a send, or the delivery of a message."""
    MCV, ECV1, ECV2 = (Function(name, Process, Int) for name in ("MCV_before", "ECV_1", "ECV_2"))
    contained = And(MCV(p) <= ECV1(p), MCV(p) <= ECV2(p), MCV(p) >= 0, ECV1(i) == ECV2(i))
    moved = latest_number(F) > MCV(i)
    first, second = If(moved, ECV1(p), MCV(p)), If(moved, ECV2(p), MCV(p))
    return [Condition("GK PR1: refuted", (contained, latest_number(F) < ECV1(i)), first == second)]


def prefix(steps: Steps) -> Iterable[Condition]:
    """MC has the sends of its deliveries, and each component of MCV is that of the ECV of an event, which is within."""
    known = (*KNOWN, S.happened(F), is_delivery(F), num(F) <= S.MCV(p, proc(F)))
    yield Condition("GK DS: sends of deliveries", known, num(of(F)) <= S.MCV(p, proc(of(F))))
    top = S.source(p, q)
    r = z3.Const("r", Process)
    is_maximum = And(S.past(p, top), ecv(top, q) == S.MCV(p, q), ForAll([r], ecv(top, r) <= S.MCV(p, r)))
    yield Condition("GK DS: a maximum", (*KNOWN, S.MCV(p, q) > 0), is_maximum)


SEMANTIC = "Gambhire, Kshemkalyani 2000, "
NO_SELF = "no process sends to itself (GK-13a)"


def claim(id: str, source: str, statement: str, conditions: object, **more: object) -> Claim:
    """A claim about events and their vectors."""
    return Claim(id, SEMANTIC + source, statement, (PASTS,), conditions, assumptions=(NO_SELF,), **more)  # type: ignore[arg-type]


CLAIMS = (
    claim("C-GK-P1", "Proposition 1",
          "if the messages of the first MCV(e)[j] events of each j are delivered in happens-before order with respect "
          "to messages sent at e, then all messages of the past of e are delivered in semantic order with respect to "
          "them", proposition_1),
    claim("C-GK-L1", "Lemma 1",
          "Definition 5 meets Definition 3: containment, and e_j^l ->s e_i^k implies l <= MCV(e_i^k)[j]", lemma_1,
          steps=("Definition 5.2",),
          refutation=Refutation(lemma_1_at_the_delivery,
                                ("gk", "--sends", "1", "--dests", "unicast", "--property", "C-GK-L1"), 2),
          repaired="at sends and internal events (GK-6b); containment at all events"),
    claim("C-GK-D45", "Definitions 4 and 5", "Definitions 4 and 5 define the same MCV", definitions_agree),
    claim("C-GK-DS", "between Definitions 4 and 5",
          "if Deliver(M) is in the MC of an event, so is Send(M); MCV is a maximum of ECVs of past events", prefix,
          steps=("Definition 5.3",)),
    claim("C-GK-PR1", "Property 1",
          "MCV at a send needs only MCV of the previous local event and the latest local dependency; at a delivery "
          "also MCV of the send, which can be piggybacked", latest_suffices, steps=("Definition 5.2", "Definition 5.3"),
          refutation=Refutation(MCV_alone, ("gk", "--sends", "3", "--dests", "unicast", "--reading", "GK-5b",
                                            "--property", "C-GK-PR1"), 3),
          repaired="where Definition 5.2 sets MCV to ECV, ECV is needed as well, and at a delivery that of the send "
          "(GK-5c)"),
)  # fmt: skip
