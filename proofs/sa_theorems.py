"""SA, Proposition 1, Lemmas 2 and 3, Theorems 4 and 6, Proposition 5, and what the proof of Theorem 6 uses.

A matrix is a set of constraints, which the deliveries of a later state satisfy or not. "Whenever" and "in the causal
future" are read so: in every state that is later than the step. A later state is one of the invariant in which DELIV
and what is sent and delivered have only grown, and in which the copies sent are the same; the conditions "later" show
that every step leads to such a state.
"""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Consts, ForAll, Function, Implies, Not, Or

from . import rst, rst_theorems, sa
from .claims import Claim, Induction
from .conditions import Condition
from .grounding import closed, distinct, functions, grounded
from .pasts import Message, Process, d, dest, hb, m, n, p, sender
from .sa import SA, Int, Number, index, satisfied, user
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

RST = rst_theorems.S
S, LATER = sa.some_state(), sa.some_state("_later")
i, j, k, e, b = Consts("i j k e b", Process)
x, y = Consts("X Y", Message)


def actions(s: SA, steps: Steps = ALL_STEPS) -> tuple[Action, ...]:
    """All steps of a process."""
    return (sa.snd(s, i, x, steps), sa.xsnd(s, i, x, e, steps), sa.rcv(s, j, x, steps), sa.xrcv(s, j, x, steps))


UNIVERSE = {Process: [i, j], Message: [x, y], Int: [z3.IntVal(1), z3.IntVal(2)]}


def small(formulas: tuple[z3.BoolRef, ...]) -> tuple[z3.BoolRef, ...]:
    """With the processes i and j, and two messages x and y, of which one channel has both at most."""
    named = [*functions(S), sender, sa.holder_before]
    elements = [*distinct(UNIVERSE), *(formula for function in named for formula in closed(function, UNIVERSE))]
    few = And(Or(e == i, e == j), ForAll([p, d], S.count(p, d) <= 2))
    return (*elements, *(grounded(formula, UNIVERSE) for formula in (*formulas, few)))


INDUCTION: Induction[SA] = WitnessedInduction("SA", S, (), sa.initial, sa.invariant, actions, written=small)
KNOWN = INDUCTION.hypotheses
RELIABLE = "no message, user or extra, is lost or duplicated; channels need not be FIFO"
NO_SELF = "no process sends to itself (SA-8a)"
COUNTED = "extra messages count in M and DELIV (SA-6a)"


def later(before: SA, after: SA) -> z3.BoolRef:
    """What has happened stays."""
    return And(
        ForAll([m], Implies(before.sent(m), after.sent(m))),
        ForAll([d, m], Implies(before.delivered(d, m), after.delivered(d, m))),
        ForAll([p, d], before.DELIV(p, d) <= after.DELIV(p, d)),
        ForAll([m, p, d], Implies(before.sent(m), before.Mm(m, p, d) == after.Mm(m, p, d))),
    )


def later_than(after: SA) -> tuple[z3.BoolRef, ...]:
    """LATER is a state later than `after`, or that state."""
    return (*(formula for _, formula in sa.invariant(LATER)), later(after, LATER))


def stored(s: SA, p: z3.ExprRef) -> Number:
    """M of p."""
    return lambda a, b: s.M(p, a, b)


def carried(s: SA, x: z3.ExprRef) -> Number:
    """What x carries."""
    return lambda a, b: s.Mm(x, a, b)


def larger_implies_smaller(steps: Steps) -> Iterable[Condition]:
    """Both at the same DELIV."""
    M1, M2 = (Function(name, Process, Process, Int) for name in ("M1", "M2"))
    larger = ForAll([p, d], M1(p, d) >= M2(p, d))
    yield Condition("SA P1", (larger, satisfied(S, M1, b)), satisfied(S, M2, b))


def steps_are_later(steps: Steps) -> Iterable[Condition]:
    """What `later` says is true of a step, so of any number of them."""
    for action in actions(S, steps):
        yield Condition(f"SA later: {action.name}", (*KNOWN, action.guard), later(S, action.after))


def after_implies_before(steps: Steps) -> Iterable[Condition]:
    """For each step of each process p."""
    yield from steps_are_later(steps)
    for action in actions(S, steps):
        hypotheses = (action.guard, *KNOWN, *later_than(action.after), satisfied(LATER, stored(action.after, p), b))
        yield Condition(f"SA L2: {action.name}", hypotheses, satisfied(LATER, stored(S, p), b))


def delivered_implies_carried(steps: Steps) -> Iterable[Condition]:
    """Both halves, and the same of an extra message: what it carries holds from its delivery on (SA-15)."""
    yield from steps_are_later(steps)
    sent, _, delivered, extra = actions(S, steps)
    yield Condition(
        "SA L3: carried implies stored before the send",
        (*KNOWN, sent.guard, satisfied(LATER, carried(sent.after, x), b)),
        satisfied(LATER, stored(S, i), b),
    )
    hypotheses = (*KNOWN, delivered.guard, *later_than(delivered.after))
    after = satisfied(LATER, stored(delivered.after, j), b)
    yield Condition("SA L3: stored implies carried", (*hypotheses, after), satisfied(LATER, carried(S, x), b))
    hypotheses = (*KNOWN, extra.guard, *later_than(extra.after))
    yield Condition("SA L3: carried by an extra message", hypotheses, satisfied(LATER, carried(S, x), b))


def safety(steps: Steps) -> Iterable[Condition]:
    """Causal order is a conjunct of the invariant; here it is in the words of the theorem, and as strict as there."""
    of_users = (user(x), user(y), hb(x, y), dest(x, j), dest(y, j))
    yield Condition("SA T4", (*KNOWN, *of_users, S.delivered(j, y)), S.delivered(j, x))
    for action in actions(S, steps)[2:]:
        undelivered = And(S.sent(x), dest(x, j), Not(S.delivered(j, x)))
        yield Condition(f"SA T4: {action.name}: once", (action.guard,), undelivered)
    for action in actions(S, steps):
        now = (action.guard, action.after.delivered(j, y), Not(S.delivered(j, y)))
        yield Condition(f"SA T4: {action.name}: before", (*KNOWN, *of_users, *now), S.delivered(j, x))


def counts_tell(steps: Steps) -> Iterable[Condition]:
    """Of all messages, user and extra (SA-16a)."""
    v = z3.Const("v", Int)
    xth = And(S.sent(x), sender(x) == i, dest(x, j), index(x, j) == v)
    yield Condition("SA P5", (*KNOWN, xth, S.DELIV(j, i) < v), Not(S.delivered(j, x)))


def named(v: z3.ArithRef) -> z3.BoolRef:
    """y is the v-th message of k to j, and was sent before x."""
    return And(S.sent(y), sender(y) == k, dest(y, j), index(y, j) == v, hb(y, x))


def named_are_sent(steps: Steps) -> Iterable[Condition]:
    """The v-th message of k to j, for every v that does not exceed what x carries."""
    v = z3.Const("v", Int)
    names = And(S.sent(x), v >= 1, v <= S.Mm(x, k, j), y == S.nth(k, j, v))
    yield Condition("SA ACC", (*KNOWN, names), named(v))


def deliverable(steps: Steps) -> Iterable[Condition]:
    """What is due is ready, user and extra: the last message that x names of each k to j was sent before x and so is
    delivered. What happened before is an order, so that there is a first undelivered one."""
    yield from named_are_sent(steps)
    last = S.Mm(x, k, j)
    undelivered = And(S.sent(x), dest(x, j), Not(S.delivered(j, x)))
    due = ForAll([m], Implies(And(hb(m, x), dest(m, j)), S.delivered(j, m)))
    hypotheses = (*KNOWN, undelivered, due, Implies(last >= 1, named(last)))
    yield Condition("SA T6: what is due is reached", hypotheses, S.DELIV(j, k) >= last)
    _, _, delivered, extra = actions(S, steps)
    reached = (undelivered, ForAll([k], S.DELIV(j, k) >= last))
    yield Condition("SA T6: what is due is ready", (*reached, user(x)), delivered.guard)
    yield Condition("SA T6: what is due is ready, extra", (*reached, Not(user(x))), extra.guard)
    yield Condition("SA T6: an order", (*KNOWN, S.sent(y), hb(x, y)), And(Not(hb(y, x)), x != y))
    yield Condition("SA T6: transitive", (*KNOWN, S.sent(y), hb(n, x), hb(x, y)), hb(n, y))


def zero_or_DELIV(steps: Steps) -> Iterable[Condition]:
    """Of SA it is a conjunct of the invariant; of RST (algorithms.md, B1) it holds at first and every step keeps it."""
    yield Condition("SA COL", KNOWN, ForAll([p, d], S.M(p, d, p) == 0))
    equal = ForAll([p, d], RST.SENT(p, d, p) == RST.DELIV(p, d))
    sent, delivered = rst.snd(RST, i, x), rst.rcv(RST, j, x)
    known = rst_theorems.KNOWN
    yield Condition("SA COL: RST, initially", (rst.initial(RST),), equal)
    for action in (sent, delivered):
        after = action.after.SENT(p, d, p) == action.after.DELIV(p, d)
        yield Condition(f"SA COL: RST, after {action.name}", (*known, equal, action.guard), after)


def waits_for_extra(steps: Steps) -> Iterable[Condition]:
    """A user message whose predecessors are delivered waits for extra messages sent before it, and for nothing else:
    where x asks for more messages of k than are delivered, the last of them is one."""
    last = And(S.DELIV(j, k) < S.Mm(x, k, j), y == S.nth(k, j, S.Mm(x, k, j)))
    yield Condition("SA DLY", (*delayed(), last), And(Not(user(y)), hb(y, x), sa.in_transit(S, j, y)))


def delayed() -> tuple[z3.BoolRef, ...]:
    """The copy of x to j is in transit, and all user messages to j that happened before x are delivered."""
    due = ForAll([m], Implies(And(hb(m, x), dest(m, j), user(m)), S.delivered(j, m)))
    return (*KNOWN, user(x), sa.in_transit(S, j, x), due)


def a_delay() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """A user message waits."""
    yield "SA DLY: a message waits", small((*delayed(), Not(sa.ready(S, j, x))))


def claim(id: str, source: str, statement: str, conditions: object, **more: object) -> Claim:
    """A claim of SA that rests on the invariant."""
    source = f"Sanchez, Alvarez 2000, {source}"
    assumptions = (RELIABLE, NO_SELF, COUNTED)
    return Claim(id, source, statement, (INDUCTION,), conditions, assumptions=assumptions, **more)  # type: ignore[arg-type]


NEEDED = tuple(label for label in sa.LABELS if not label.endswith("reset"))
"""The resets are needed for the size alone: without them, more is asked for that is delivered already or waited for."""

CLAIMS = (
    Claim("C-SA-P1", "Sanchez, Alvarez 2000, Proposition 1",
          "M1 >= M2 entrywise implies: the constraints of M1 imply those of M2",
          conditions=larger_implies_smaller),
    claim("C-SA-L2", "Lemma 2", "for every event of a process, the constraints after it imply those before it",
          after_implies_before, steps=NEEDED),
    claim("C-SA-L3", "Lemma 3",
          "constraints after delivery of m imply those carried by m (in the future of the delivery), which imply those "
          "before Send(m)", delivered_implies_carried, steps=NEEDED),
    claim("C-SA-T4", "Theorem 4", "safety (CO of user messages)", safety,
          steps=NEEDED),
    claim("C-SA-P5", "Proposition 5", "if DELIV_j[i] < x, the x-th message i -> j has not been delivered at j",
          counts_tell),
    claim("C-SA-ACC", "Theorem 6, proof",
          'a constraint "first x of k to i" carried by m means that the x-th message k -> i was sent before m',
          named_are_sent),
    claim("C-SA-T6", "Theorem 6", "liveness, user and extra messages", deliverable,
          formula="a message in transit whose predecessors at its destination are delivered is ready; happened-before, "
          "extra messages included, is a strict order", on_paper=("minimal", "fairness"), steps=NEEDED),
    Claim("C-SA-COL", "Sanchez, Alvarez 2000, Section 3", "the own column is always zero; in RST it equals DELIV",
          (INDUCTION, rst_theorems.INDUCTION), zero_or_DELIV, assumptions=(RELIABLE, NO_SELF, COUNTED),
          steps=("d2 zero",)),
    claim("C-SA-DLY", "Section 1",
          "price: a message may wait for an extra although its causal predecessors have been delivered",
          waits_for_extra, formula="whenever it waits then, it waits for an extra message sent before it",
          witness=a_delay),
)  # fmt: skip
