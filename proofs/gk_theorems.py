"""GK, Theorem 1 and Lemmas 2 to 4, Property 2, and what is left of the algorithm if E1 is true at every send.

Theorem 1 holds of Figure 3 as printed if messages of a channel are delivered in their order (X-4c, X-4d), and not
without: E7 leaves the message of a send whose E1 is true in CONC although it is within MCV (GK-1a), and R1 compares
counts (GK-2a). Lemmas 3 and 4 are false for the first of these reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import z3
from z3 import And, Consts, ForAll, If, Implies, Not

from . import gk
from .claims import Claim, Named, Refutation
from .conditions import Condition
from .gk import FIGURE_3, GK, REPAIRED, Variant
from .gk_definitions import PASTS
from .gk_definitions import actions as events
from .gk_runs import ReachedInduction, Script, delivery, send
from .pasts import Process, d, p
from .semantic_pasts import Event, ecv, facts_of_pasts, index, larger, mcv, num, proc, sem, semantic_order, to, x
from .steps import Action, Steps

S = gk.some_state()
i, j, k = Consts("i j k", Process)
F, X = Consts("F X", Event)

FIFO_DELIVERY = Variant(channel="fifo-delivery")
UNORDERED = Variant(channel="unordered")
IN_ORDER = Variant(channel="unordered", tested="b")
ALWAYS = Variant(channel="unordered", precedence="b")


Counted = ReachedInduction[GK]
Proving = Callable[[Steps], Iterable[Condition]]
Refuting = Callable[[], Sequence[Condition]]


def induction(
    name: str, variant: Variant, facts: Callable[[GK], Named], in_order: bool = False
) -> ReachedInduction[GK]:
    """An induction for a variant; `in_order` where the lemmas on the order of deliveries are needed."""

    def actions(s: GK, steps: Steps) -> Sequence[Action]:
        local = (gk.local_event(s, i, F, sends, variant, steps) for sends in (True, False))
        return (*local, gk.receive(s, j, F, X, variant, steps))

    return ReachedInduction(
        name,
        S,
        (),
        gk.initial,
        facts,
        actions,
        lemmas=lambda s, action: gk.lemmas(s, j, X) if in_order and action.name == "delivery" else (),
        variant=variant,
        known=lambda s: facts_of_pasts(s.pasts),
        below=lambda s, steps: events(s.pasts, steps),
    )


def ordered(variant: Variant) -> Callable[[GK], Named]:
    """What gives semantic causal order."""
    return lambda s: [*gk.counts(s), *gk.facts_of_figure_3(s), *gk.deliveries(s, variant)]


def no_CONC(s: GK) -> Named:
    """With GK-12b."""
    sent = gk.sends(s, x)
    return [
        ("copies carry no SC", ForAll([x, k, d], Implies(sent, And(s.SP(x, k, d) >= 0, s.SC(x, k, d) == 0)))),
        ("counts are natural", ForAll([p, k, d], And(s.PREV(p, k, d) >= 0, s.CONC(p, k, d) >= 0))),
    ]


FIFO = induction("GK, fifo", FIGURE_3, ordered(FIGURE_3), True)
DELIVERED_FIFO = induction("GK, fifo-delivery", FIFO_DELIVERY, ordered(FIFO_DELIVERY), True)
TESTED = induction("GK-2b, unordered", IN_ORDER, ordered(IN_ORDER), True)
COUNTS = induction("GK, unordered", UNORDERED, gk.counts)
LEMMAS = induction("GK-1d, GK-5c", REPAIRED, lambda s: [*gk.counts(s), *gk.facts_of_lemmas(s)])
IS_RST = induction("GK-12b", ALWAYS, no_CONC)


def safety(*inductions: ReachedInduction[GK]) -> Callable[[Steps], Iterable[Condition]]:
    """Semantic causal order is a conjunct of the invariants; here it is in the words of the definition."""

    def conditions(steps: Steps) -> Iterable[Condition]:
        depends = (S.pasts.delivered(j, F), sem(X, F), to(X, j))
        for one in inductions:
            yield Condition(f"GK T1: {one.name}", (*one.hypotheses, *depends), S.pasts.delivered(j, X))

    return conditions


def sent_within(s: GK, vector: Callable[..., z3.ArithRef], represented: Callable[..., z3.BoolRef]) -> z3.BoolRef:
    """The messages represented at p are just those of the first vector(p, k) events of every k."""
    sent = And(s.pasts.happened(x), to(x, d))
    return ForAll([p, x, d], Implies(sent, represented(p, x, d) == (num(x) <= vector(p, proc(x)))))


def in_PREV(s: GK) -> Callable[..., z3.BoolRef]:
    """The message of x to d is among those that PREV of p counts."""
    return lambda p, x, d: index(x, d) <= s.PREV(p, proc(x), d)


def in_both(s: GK) -> Callable[..., z3.BoolRef]:
    """The same of PREV and CONC."""
    return lambda p, x, d: index(x, d) <= s.PREV(p, proc(x), d) + s.CONC(p, proc(x), d)


def lemma_2(steps: Steps) -> Iterable[Condition]:
    """After all steps (GK-14a), and as attached (GK-14b), where the past is that before the send."""
    yield Condition("GK L2", COUNTS.hypotheses, sent_within(S, S.pasts.ECV, in_both(S)))
    total = S.SP(F, proc(X), d) + S.SC(F, proc(X), d)
    known = (gk.sends(S, F), S.pasts.happened(X), to(X, d), X != F)
    within = index(X, d) <= total
    yield Condition("GK L2: copies", (*COUNTS.hypotheses, *known), within == (num(X) <= ecv(F, proc(X))))


def lemma_3(s: GK) -> z3.BoolRef:
    """PREV counts the messages up to MCV."""
    return sent_within(s, s.pasts.MCV, in_PREV(s))


def lemma_4(s: GK) -> z3.BoolRef:
    """CONC counts those after MCV, up to ECV."""
    mine = And(index(x, d) > s.PREV(p, proc(x), d), in_both(s)(p, x, d))
    after = And(num(x) > s.pasts.MCV(p, proc(x)), num(x) <= s.pasts.ECV(p, proc(x)))
    return ForAll([p, x, d], Implies(And(s.pasts.happened(x), to(x, d)), mine == after))


def of_states_and_copies(name: str, of_states: Callable[[GK], z3.BoolRef], after: bool) -> Proving:
    """The lemma at all events, and of copies, with the message itself left out (GK-14b, GK-15b)."""

    def conditions(steps: Steps) -> Iterable[Condition]:
        yield Condition(f"GK {name}", LEMMAS.hypotheses, of_states(S))
        known = (*LEMMAS.hypotheses, gk.sends(S, F), S.pasts.happened(X), to(X, d), X != F)
        in_SP, total = S.SP(F, proc(X), d), S.SP(F, proc(X), d) + S.SC(F, proc(X), d)
        represented = And(index(X, d) > in_SP, index(X, d) <= total) if after else index(X, d) <= in_SP
        up_to = num(X) <= mcv(F, proc(X))
        expected = And(Not(up_to), num(X) <= ecv(F, proc(X))) if after else up_to
        yield Condition(f"GK {name}: copies", known, represented == expected)

    return conditions


def never_decrease(steps: Steps) -> Iterable[Condition]:
    """At every step of Figure 3 as printed, whatever the channel."""
    for action in COUNTS.actions(S, steps):
        known = (*COUNTS.hypotheses, action.guard)
        grows = action.after.pasts.MCV(p, k) >= S.pasts.MCV(p, k)
        yield Condition(f"GK PR2: {action.name}: MCV", known, grows)
        yield Condition(f"GK PR2: {action.name}: PREV", known, action.after.PREV(p, k, d) >= S.PREV(p, k, d))


def is_rst(steps: Steps) -> Iterable[Condition]:
    """Steps are those of RST (algorithms.md, B1) with SENT = PREV + CONC, and ST = SP: s1, s2, d1, d3 to d5."""
    sent, _, delivered = IS_RST.actions(S, steps)

    def SENT(s: GK, p: z3.ExprRef) -> z3.ArithRef:
        return s.PREV(p, k, d) + s.CONC(p, k, d)

    def counted(e: z3.ExprRef, matrix: z3.ArithRef) -> z3.ArithRef:
        return matrix + If(And(k == proc(e), to(e, d)), 1, 0)

    known = (*IS_RST.hypotheses, sent.guard)
    yield Condition("GK RST: s1", known, And(sent.after.SP(F, k, d) == SENT(S, i), sent.after.SC(F, k, d) == 0))
    yield Condition("GK RST: s2", known, SENT(sent.after, i) == counted(F, SENT(S, i)))
    d1 = ForAll([k], S.DELIV(j, k) >= S.SP(X, k, j))
    known = (*IS_RST.hypotheses, delivered.guard)
    yield Condition("GK RST: d1", (*IS_RST.hypotheses,), gk.ready(S, j, X, ALWAYS) == d1)
    one = If(k == proc(X), 1, 0)
    yield Condition("GK RST: d3", known, delivered.after.DELIV(j, k) == S.DELIV(j, k) + one)
    largest = larger(SENT(S, j), counted(X, S.SP(X, k, d)))
    yield Condition("GK RST: d4, d5", known, SENT(delivered.after, j) == largest)


def refuted(name: str, script: Script, variant: Variant, goal: Callable[[GK], z3.BoolRef]) -> Refuting:
    """The statement at the end of a run."""

    def conditions() -> list[Condition]:
        run = script.run(variant)
        return [Condition(f"GK {name}: refuted", run.formulas, run.after(goal))]

    return conditions


def check(*readings: str, sends: int = 3, dests: str = "unicast", **options: str) -> tuple[str, ...]:
    """The arguments of `precede check gk`."""
    more = [text for name, value in options.items() for text in (f"--{name}", value)]
    read = [text for id in readings for text in ("--reading", id)]
    return ("gk", "--sends", str(sends), "--dests", dests, *read, *more)


OWN = Script(3, {"x": send(1, 2), "y": send(1, 3, on="x"), "z": send(1, 3, on="y"), "r": delivery(3, "z")})
"""z depends on y, whose E1 is true; z overtakes it."""
OVERTAKEN = Script(
    3,
    {
        "x": send(1, 2, 3),
        "y": send(1, 2, 3),
        "r": delivery(3, "y"),
        "q": delivery(2, "x"),
        "z": send(2, 1, 3, on="q"),
        "w": delivery(3, "z"),
    },
)
"""z depends on x; at 3, y has overtaken x and is counted in its place."""
TWICE = Script(2, {"x": send(1, 2), "y": send(1, 2, on="x")})
"""y depends on x: MCV is 2, and PREV counts x alone."""

SEMANTIC = "Gambhire, Kshemkalyani 2000, "
ORDERED = "no message is lost or duplicated; messages of a channel are delivered in their order"
NO_SELF = "no process sends to itself (GK-13a)"
MULTICAST = "E7 and R3 count all destinations of a multicast (GK-3b)"
VECTORS = "MCV is kept as in Definition 5, with MCV and ECV on copies (GK-5c), and E1 to E5 at internal events (GK-7b)"
ANY = "no message is lost or duplicated; channels need not be FIFO"


def order_at_end(s: GK) -> z3.BoolRef:
    """Semantic causal order."""
    return semantic_order(s.pasts)


VECTOR_STEPS = ("E1", "E4", "E5", "E6", "E7", "R3", "R7", "R8", "Definition 5.2", "Definition 5.3")
ORDER = "Figure 3 implements message ordering with respect to ->s"
CLAIMS = (
    Claim("C-GK-T1", SEMANTIC + "Theorem 1", ORDER, (PASTS, FIFO, DELIVERED_FIFO), safety(FIFO, DELIVERED_FIFO),
          assumptions=(ORDERED + " (X-4c, the oldest that is ready; X-4d, the oldest)", NO_SELF, MULTICAST),
          steps=gk.LABELS),
    Claim("C-GK-T1-unordered", SEMANTIC + "Theorem 1, without FIFO delivery (X-4a, X-4b)", ORDER,
          (PASTS, TESTED), safety(TESTED), steps=gk.LABELS, assumptions=(ANY, NO_SELF, MULTICAST),
          refutation=Refutation(refuted("T1, unordered", OWN, UNORDERED, order_at_end),
                                check(channel="unordered", property="CausalOrder"), 4),
          repaired="R1 waits for all earlier messages of the sender as well (GK-2b)"),
    Claim("C-GK-T1-counts", SEMANTIC + "Theorem 1, without FIFO delivery, E7 and R3 repaired (GK-1d, GK-5c)", ORDER,
          (PASTS, TESTED), safety(TESTED), steps=gk.LABELS, assumptions=(ANY, NO_SELF, MULTICAST),
          refutation=Refutation(refuted("T1, counts", OVERTAKEN, Variant("d", vectors="c", channel="unordered"),
                                        order_at_end),
                                check("GK-1d", "GK-5c", dests="broadcast", channel="unordered",
                                      property="CausalOrder"), 6),
          repaired="R1 waits for all earlier messages of the sender as well (GK-2b)"),
    Claim("C-GK-L2", SEMANTIC + "Lemma 2", "PREV + CONC = SENT_ECV (messages sent in the causal past, per pair)",
          (PASTS, COUNTS), lemma_2, steps=("E4", "E5", "E6", "E7", "R3", "R7", "R8"),
          assumptions=(ANY, NO_SELF, MULTICAST)),
    Claim("C-GK-L3", SEMANTIC + "Lemma 3", "PREV[j][*] counts exactly the messages sent by j up to event MCV[j]",
          (PASTS, LEMMAS), of_states_and_copies("L3", lemma_3, False),
          steps=VECTOR_STEPS, assumptions=(ANY, NO_SELF, MULTICAST, VECTORS),
          refutation=Refutation(refuted("L3", TWICE, FIGURE_3, lemma_3), check(property="C-GK-L3"), 2),
          repaired="with GK-1d: at all events, and on copies but for the message itself"),
    Claim("C-GK-L4", SEMANTIC + "Lemma 4",
          "CONC[j][*] counts exactly the messages sent by j in the interval (MCV[j], ECV[j]]",
          (PASTS, LEMMAS), of_states_and_copies("L4", lemma_4, True),
          steps=VECTOR_STEPS, assumptions=(ANY, NO_SELF, MULTICAST, VECTORS),
          refutation=Refutation(refuted("L4", TWICE, FIGURE_3, lemma_4), check(property="C-GK-L4"), 2),
          repaired="with GK-1d: at all events, and on copies but for the message itself"),
    Claim("C-GK-PR2", SEMANTIC + "Property 2",
          "MCV[j] never decreases at a process; hence SENT entries do not decrease",
          (PASTS, COUNTS), never_decrease, assumptions=(ANY, NO_SELF, MULTICAST)),
    Claim("C-GK-RST", SEMANTIC + "Section 2", "with MCV = ECV the algorithm is RST", (PASTS, IS_RST), is_rst,
          formula="with E1 true at every send (GK-12b) each step is that of RST, with SENT = PREV + CONC and ST = SP",
          steps=("E1", "E4", "E5", "E6", "E7", "R3", "R4", "R7", "R8"), assumptions=(ANY, NO_SELF, MULTICAST)),
)  # fmt: skip
