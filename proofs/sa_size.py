"""SA, Section 3: the threshold, and how many entries a matrix has, stored and carried.

Processes are numbered from 1 to n, and the non-zero entries of a matrix are summed up in this order: `entries(t, d)` of
the first t rows of column d, and `total(t)` of the first t columns. Statements about sums are proved by induction over
t, which here is one condition for 0 and one for the step from t to t + 1.

One pass of the threshold (x1, x2) replaces the fullest column but the own one by one entry. SA-3b repeats it while
there are more than K entries and a column has two; SA-3a does not repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import z3
from z3 import And, ForAll, Function, If, Implies, Int, Ints, IntSort, Not, Or

from .claims import Claim, Refutation
from .conditions import Condition
from .pasts import Process, d, dest, p, sender
from .sa import Number, a
from .sa_theorems import COUNTED, INDUCTION, KNOWN, NO_SELF, RELIABLE, S, actions, i, j, x
from .steps import Steps

SCRIPT = Path(__file__).parent / "scripts" / "extra_messages.txt"
"""The sends of a run in which one extra message is not enough."""

n, t, K = Ints("n t K")

at = Function("at", IntSort(), Process)
place = Function("place", Process, IntSort())
NUMBERED = (
    n >= 1,
    ForAll([p], And(place(p) >= 1, place(p) <= n, at(place(p)) == p)),
    Implies(And(t >= 0, t < n), place(at(t + 1)) == t + 1),
)
"""n processes; the last line is that for which it is used."""


@dataclass(frozen=True)
class Sums:
    """A matrix M[a][b], the entries of its first rows of a column, and those of its first columns."""

    M: Number
    entries: Number
    total: Number

    def defined(self) -> tuple[z3.BoolRef, ...]:
        """Of no rows and columns, and of one more than t."""
        entry = If(self.M(at(t + 1), d) != 0, 1, 0)
        return (
            ForAll([d], self.entries(0, d) == 0),
            ForAll([d], self.entries(t + 1, d) == self.entries(t, d) + entry),
            self.total(0) == 0,
            self.total(t + 1) == self.total(t) + self.entries(n, at(t + 1)),
        )


def sums(M: Number, name: str = "") -> Sums:
    """The sums of M; `name` tells them from those of other matrices."""
    return Sums(
        M, Function("entries" + name, IntSort(), Process, IntSort()), Function("total" + name, IntSort(), IntSort())
    )


def by_induction(
    name: str, over: Iterable[Sums], known: Iterable[z3.BoolRef], holds: Callable[[z3.ArithRef], z3.BoolRef]
) -> Iterator[Condition]:
    """`holds` of 0, and of t + 1 if it holds of t."""
    given = (*NUMBERED, *(formula for one in over for formula in one.defined()), *known)
    yield Condition(f"{name}: none", given, holds(z3.IntVal(0)))
    yield Condition(f"{name}: one more", (*given, t >= 0, t < n, holds(t)), holds(t + 1))


M = sums(Function("M", Process, Process, IntSort()))
NATURAL = ForAll([p, d], M.M(p, d) >= 0)
OWN = ForAll([p], M.M(p, i) == 0)
"""The own column is zero (C-SA-COL)."""


def replaced(steps: Steps) -> Sums:
    """M after an extra message of i to j."""

    def after(a: z3.ExprRef, d: z3.ExprRef) -> z3.ArithRef:
        old = steps("x2 reset", If(And(d == j, a != i), 0, M.M(a, d)), M.M(a, d))
        return steps("x2 count", If(And(d == j, a == i), old + 1, old), old)

    return sums(after, "_after")


def column_sizes(steps: Steps) -> Iterator[Condition]:
    """What is to be known of columns: of any, of the own one, and of the one that is replaced."""
    after = replaced(steps)
    yield from by_induction(
        "SA SZ: a column has at most n entries", (M,), (),
        lambda t: ForAll([d], And(M.entries(t, d) >= 0, M.entries(t, d) <= t)),
    )  # fmt: skip
    yield from by_induction("SA SZ: the own column has none", (M,), (OWN,), lambda t: M.entries(t, i) == 0)
    yield from by_induction(
        "SA SZ: the column replaced has one entry", (after,), (NATURAL,),
        lambda t: after.entries(t, j) == If(place(i) <= t, 1, 0),
    )  # fmt: skip
    yield from by_induction(
        "SA SZ: other columns stay", (M, after), (),
        lambda t: ForAll([d], Implies(d != j, after.entries(t, d) == M.entries(t, d))),
    )  # fmt: skip
    columns = (after.entries(n, j) == 1, ForAll([d], Implies(d != j, after.entries(n, d) == M.entries(n, d))))
    yield from by_induction(
        "SA SZ: the total after an extra message", (M, after), columns,
        lambda t: after.total(t) == M.total(t) + If(place(j) <= t, 1 - M.entries(n, j), 0),
    )  # fmt: skip


FEW = ForAll([d], Implies(d != i, M.entries(n, d) < 2))
"""No column may be replaced: none has two entries."""


def over(steps: Steps) -> z3.BoolRef:
    """x1: there are too many entries, and the fullest column has two or more. Left out: never."""
    return steps("x1", And(M.total(n) > K, Not(FEW)), z3.BoolVal(False))


def sizes(steps: Steps) -> Iterator[Condition]:
    """Repetition ends, with at most K entries if K >= n - 1; steps of a process leave the matrices of others, and
    copies carry what was stored."""
    yield from column_sizes(steps)
    yield from pigeonhole_but_own(steps)
    after = replaced(steps)
    step = after.total(n) == M.total(n) + 1 - M.entries(n, j)
    fullest = And(j != i, ForAll([d], Implies(d != i, M.entries(n, d) <= M.entries(n, j))))
    yield Condition("SA SZ: repetition ends", (over(steps), fullest, step), after.total(n) < M.total(n))
    most = (Implies(FEW, M.total(n) <= n - 1), n - 1 <= K)
    yield Condition("SA SZ: at the end", (*most, Not(over(steps))), M.total(n) <= K)
    sent, _, delivered, extra = actions(S, steps)
    for action, process in ((sent, i), (delivered, j)):
        others = ForAll([p, a, d], Implies(p != process, action.after.M(p, a, d) == S.M(p, a, d)))
        yield Condition(f"SA SZ: {action.name}: other processes", (*KNOWN, action.guard), others)
    stay = ForAll([p, a, d], extra.after.M(p, a, d) == S.M(p, a, d))
    yield Condition("SA SZ: extra delivery", (*KNOWN, extra.guard), stay)
    same = ForAll([a, d], sent.after.Mm(x, a, d) == S.M(i, a, d))
    yield Condition("SA SZ: copies", (*KNOWN, sent.guard), same)
    one = ForAll([a, d], Implies(And(dest(x, d), a != i), sent.after.M(i, a, d) == 0))
    yield Condition("SA SZ: a send leaves one entry in the columns of its destinations", (*KNOWN, sent.guard), one)
    none = And(dest(x, d), d != j, a != sender(x))
    yield Condition(
        "SA SZ: a delivery adds one entry at most to the columns of other destinations",
        (*KNOWN, delivered.guard), ForAll([a, d], Implies(none, delivered.after.M(j, a, d) == S.M(j, a, d))),
    )  # fmt: skip


def pigeonhole_but_own(steps: Steps) -> Iterator[Condition]:
    """Without a column of two, and without the own column, there are at most n - 1 entries."""
    known = (FEW, M.entries(n, i) == 0)
    yield from by_induction(
        "SA SZ: at most n - 1 columns have one", (M,), known, lambda t: M.total(t) <= t - If(place(i) <= t, 1, 0)
    )


def pigeonhole(steps: Steps) -> Iterator[Condition]:
    """Of any matrix."""
    few = ForAll([d], M.entries(n, d) < 2)
    yield from by_induction("SA PIG: at most n columns have one", (M,), (few,), lambda t: M.total(t) <= t)
    most = Implies(few, M.total(n) <= n)
    yield Condition("SA PIG", (most, M.total(n) >= n + 1), z3.Exists([d], M.entries(n, d) >= 2))


def many() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """Two processes, and three entries."""
    two = (n == 2, t == 1, *NUMBERED, *M.defined(), ForAll([p], Or(p == at(1), p == at(2))))
    yield "SA PIG: three entries", (*two, M.M(at(1), at(2)) == 1, M.M(at(2), at(2)) == 2, M.M(at(2), at(1)) == 1)


def one_extra_message() -> list[Condition]:
    """SA-3a with n = 4 and K = n + 1: what 1 has after a delivery, with at most K entries stored and carried before it,
    and one extra message if there are more now."""
    processes, limit = range(1, 5), 5
    old, carried, after = (
        {(a, b): Int(f"{name}{a}{b}") for a in processes for b in processes} for name in ("M", "Mm", "M'")
    )
    merged = {(a, b): If(old[a, b] >= carried[a, b], old[a, b], carried[a, b]) for a, b in old}

    def entries(matrix: dict[tuple[int, int], z3.ArithRef], columns: Iterable[int] = processes) -> z3.ArithRef:
        return z3.Sum([If(matrix[a, b] > 0, 1, 0) for a in processes for b in columns])

    hypotheses = [x >= 0 for matrix in (old, carried) for x in matrix.values()]
    hypotheses += [x == 0 for (a, b), x in (*old.items(), *carried.items()) if b in (1, a)]
    hypotheses += [entries(old) <= limit, entries(carried) <= limit]
    passes = []
    for victim in (2, 3, 4):
        fullest = And(*(entries(merged, (b,)) <= entries(merged, (victim,)) for b in (2, 3, 4)))
        column = {(a, b): (merged[a, b] + 1 if a == 1 else 0) if b == victim else merged[a, b] for a, b in merged}
        passes.append(And(fullest, entries(merged) > limit, *(after[cell] == column[cell] for cell in after)))
    unchanged = And(entries(merged) <= limit, *(after[cell] == merged[cell] for cell in after))
    return [Condition("SA SZ: SA-3a", (*hypotheses, Or(unchanged, *passes)), entries(after) <= limit)]


CLAIMS = (
    Claim(
        "C-SA-PIG", "Sanchez, Alvarez 2000, Section 3",
        "with K = n+1, n+1 nonzero entries force a column with at least two",
        conditions=pigeonhole, witness=many,
    ),
    Claim(
        "C-SA-SZ", "Sanchez, Alvarez 2000, abstract and Section 3",
        "message size O(K), n < K <= n^2; codable in linear space",
        (INDUCTION,), sizes, assumptions=(RELIABLE, NO_SELF, COUNTED, "K is the same at all moments of a process"),
        steps=("u1", "u2 reset", "d2 reset", "x1", "x2 reset", "x2 count"),
        formula="M has at most K entries after every step, and so has every user message; an extra message has at "
        "most n; how they are coded is not looked at (SA-19)",
        refutation=Refutation(
            one_extra_message,
            ("sa", "--scenario", str(SCRIPT), "--reading", "SA-3a", "--property", "C-SA-SZ"),
            12,
        ),
        repaired="for every K >= n - 1, if extra messages are sent until the limit is met (SA-3b), which ends",
    ),
)  # fmt: skip
