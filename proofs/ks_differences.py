"""KS without duplicate information on FIFO channels (Kshemkalyani, Singhal 1998, Section 3.5; KS-8b), for any number of
processes: a copy carries the entries of O_M that have changed since the last copy to the same process, and says which
are gone; the receiver, in the order of arrival, makes O_M of them again.

O_M may be anything: that of KS is `O` and `OD` of ks.py. What the receiver makes of a copy is O_M, so KS is KS with
it, and what it proves of KS holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, ForAll, Function, If, Implies, Not, Or

from .claims import Claim
from .conditions import Condition
from .counting import INDICES, Channels, Int, Number, index, some_channels
from .ks_differences_run import REFUTATION
from .ks_safety import INDUCTION as KS_INDUCTION
from .ks_safety import NO_SELF
from .pasts import MESSAGES, Bool, Message, Process, Relation, d, dest, e, m, p, sender, x
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("changed", "new", "removed", "told", "heard", "FIFO")

O = Function("O", Message, Process, Message, Bool)
OD = Function("OD", Message, Process, Message, Process, Bool)
"""O(x, e, m), OD(x, e, m, d): m has an entry in the O_M of the copy of x to e, with d in its D-field."""
sd_ = Const("sd_", Process)
Fields = Callable[..., z3.BoolRef]


@dataclass(frozen=True)
class Differences:
    """sent, channels: what happened. told(p, e, m), told_D(p, e, m, d): the O_M of the last copy of p to e. last(e, p):
    the copies of p that have arrived at e; heard(e, p, m), heard_D(e, p, m, d): the O_M of the last of them. new(x, e,
    m): the copy of x to e carries the entry of m; removed(x, e, m): it says that m has none."""

    sent: Relation
    channels: Channels
    told: Relation
    told_D: Relation
    last: Number
    heard: Relation
    heard_D: Relation
    new: Relation
    removed: Relation


def some_state() -> Differences:
    """Any state."""
    entries = lambda name: Function(name, Process, Process, Message, Bool)  # noqa: E731
    fields = lambda name: Function(name, Process, Process, Message, Process, Bool)  # noqa: E731
    return Differences(
        Function("sent", Message, Bool),
        some_channels(),
        entries("told"),
        fields("told_D"),
        Function("last", Process, Process, Int),
        entries("heard"),
        fields("heard_D"),
        Function("new", Message, Process, Message, Bool),
        Function("removed", Message, Process, Message, Bool),
    )


def initial(s: Differences) -> z3.BoolRef:
    """Nothing has happened."""
    nothing = ForAll([p, e, m], Not(Or(s.told(p, e, m), s.heard(p, e, m))))
    counts = And(s.channels.initially(), ForAll([p, e], s.last(p, e) == 0))
    return And(ForAll([m], Not(s.sent(m))), nothing, counts)


def same(D: Fields, E: Fields) -> z3.BoolRef:
    """Two D-fields are the same."""
    return ForAll([sd_], D(sd_) == E(sd_))


def send(s: Differences, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """i sends M: to each destination, the entries that are not there already, and those that are gone."""

    def new(e: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        unchanged = same(lambda d: s.told_D(i, e, m, d), lambda d: OD(M, e, m, d))
        known = And(s.told(i, e, m), steps("changed", unchanged, BoolVal(True)))
        return And(O(M, e, m), Not(known), steps("new", BoolVal(True), BoolVal(False)))

    def removed(e: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        return steps("removed", And(s.told(i, e, m), Not(O(M, e, m))), BoolVal(False))

    here = lambda p, e: And(p == i, dest(M, e))  # noqa: E731
    told = lambda p, e, m: If(here(p, e), O(M, e, m), s.told(p, e, m))  # noqa: E731
    told_D = lambda p, e, m, d: If(here(p, e), OD(M, e, m, d), s.told_D(p, e, m, d))  # noqa: E731
    after = replace(
        s,
        sent=lambda m: Or(m == M, s.sent(m)),
        channels=s.channels.after_send(i, M),
        told=steps("told", told, s.told),
        told_D=steps("told", told_D, s.told_D),
        new=lambda x, e, m: If(x == M, new(e, m), s.new(x, e, m)),
        removed=lambda x, e, m: If(x == M, removed(e, m), s.removed(x, e, m)),
    )
    guard = And(Not(s.sent(M)), sender(M) == i, s.channels.takes(i, M))
    return Action("send", guard, after)


def rebuilt(s: Differences, j: z3.ExprRef, M: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """m has an entry in what j makes of the copy of M."""
    return Or(s.new(M, j, m), And(s.heard(j, sender(M), m), Not(s.removed(M, j, m))))


def rebuilt_D(s: Differences, j: z3.ExprRef, M: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """d is in the D-field of that entry."""
    return If(s.new(M, j, m), OD(M, j, m, d), s.heard_D(j, sender(M), m, d))


def arrive(s: Differences, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """The copy of M arrives at j, as the next of its channel."""
    here = lambda e, p: And(e == j, p == sender(M))  # noqa: E731
    heard = lambda e, p, m: If(here(e, p), rebuilt(s, j, M, m), s.heard(e, p, m))  # noqa: E731
    heard_D = lambda e, p, m, d: If(here(e, p), rebuilt_D(s, j, M, m, d), s.heard_D(e, p, m, d))  # noqa: E731
    after = replace(
        s,
        last=lambda e, p: If(here(e, p), index(M, j), s.last(e, p)),
        heard=steps("heard", heard, s.heard),
        heard_D=steps("heard", heard_D, s.heard_D),
    )
    next = index(M, j) == s.last(j, sender(M)) + 1
    fifo = steps("FIFO", next, index(M, j) > s.last(j, sender(M)))
    return Action("arrival", And(s.sent(M), dest(M, j), fifo), after)


def is_O(number: z3.ArithRef, entry: Fields, D: Fields, x: z3.ExprRef, e: z3.ExprRef) -> z3.BoolRef:
    """What is kept is the O_M of the copy of x to e, which is that of its channel with the number; if that is 0, it is
    nothing."""
    there = And(entry(m) == O(x, e, m), Implies(O(x, e, m), D(m, d) == OD(x, e, m, d)))
    return ForAll([m, d], If(number == 0, Not(entry(m)), there))


def facts(s: Differences) -> list[tuple[str, z3.BoolRef]]:
    """What is told and heard is the O_M of the last copy sent and arrived; inductive."""
    told, heard = s.channels.nth(p, e, s.channels.count(p, e)), s.channels.nth(p, e, s.last(e, p))
    first, previous = index(x, e) == 1, s.channels.nth(sender(x), e, index(x, e) - 1)
    had, has = And(Not(first), O(previous, e, m)), O(x, e, m)
    unchanged = And(had, same(lambda d: OD(previous, e, m, d), lambda d: OD(x, e, m, d)))
    return [
        *s.channels.facts(s.sent),
        ("what has arrived was sent",
         ForAll([p, e], And(s.channels.count(p, e) >= 0, s.last(e, p) >= 0, s.last(e, p) <= s.channels.count(p, e)))),
        ("what is told is the O_M of the last copy",
         ForAll([p, e], is_O(s.channels.count(p, e), lambda m: s.told(p, e, m),
                             lambda m, d: s.told_D(p, e, m, d), told, e))),
        ("what is heard is the O_M of the last copy that has arrived",
         ForAll([p, e], is_O(s.last(e, p), lambda m: s.heard(e, p, m),
                             lambda m, d: s.heard_D(e, p, m, d), heard, e))),
        ("a copy carries what has changed",
         ForAll([x, e, m], Implies(And(s.sent(x), dest(x, e)), s.new(x, e, m) == And(has, Not(unchanged))))),
        ("a copy says what is gone",
         ForAll([x, e, m], Implies(And(s.sent(x), dest(x, e)), s.removed(x, e, m) == And(had, Not(has))))),
    ]  # fmt: skip


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M = Const("M", Message)


INDUCTION = WitnessedInduction(
    "differences",
    S,
    (*MESSAGES, *INDICES),
    initial,
    facts,
    lambda s, steps: (send(s, i, M, steps), arrive(s, j, M, steps)),
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def complete(steps: Steps) -> Iterable[Condition]:
    """What the receiver makes of a copy is its O_M."""
    here = (*KNOWN, arrive(S, j, M, steps).guard)
    yield Condition("KS-8b: the entries are those of O_M", here, rebuilt(S, j, M, m) == O(M, j, m))
    there = (*here, O(M, j, m))
    yield Condition("KS-8b: so are their D-fields", there, rebuilt_D(S, j, M, m, d) == OD(M, j, m, d))


CLAIMS = (
    Claim("C-KS-V4", "Kshemkalyani, Singhal 1998, Section 3.5",
          "non-duplicate transmission and storage is compatible with the algorithm under FIFO",
          (INDUCTION, KS_INDUCTION), complete, steps=LABELS, refutation=REFUTATION,
          assumptions=("no copy is lost or duplicated; channels are FIFO", NO_SELF),
          repaired="what has not changed since the last copy to the same process is left out, what is gone is said "
          "(KS-8b): the receiver has O_M. KS-8a, which says nothing of what is gone, violates causal order",
          formula="of transmission; LOG is that of KS, nothing of it is left out"),
)  # fmt: skip
