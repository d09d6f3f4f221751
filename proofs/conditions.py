"""Verification conditions and how Z3 decides them.

A condition says that its hypotheses imply its goal. It is proved when Z3 finds the negation unsatisfiable within the
time limit, refuted when Z3 finds a model of the negation, and open otherwise: "unknown" is never proved.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import z3

SECONDS = 30.0
"""The time limit of one condition."""

SEEDS = (0, 1, 2)
"""The solver seeds with which every condition must be proved."""


@dataclass(frozen=True)
class Condition:
    """`hypotheses` imply `goal`, for all values of what is free in them; any number of processes and messages."""

    name: str
    hypotheses: tuple[z3.BoolRef, ...]
    goal: z3.BoolRef


@dataclass(frozen=True)
class Answer:
    """What Z3 says of a condition with one seed: proved, refuted (with a model) or open."""

    condition: str
    verdict: str
    seed: int
    seconds: float
    model: z3.ModelRef | None = field(default=None, repr=False, compare=False)


def decide(condition: Condition, seed: int = 0, seconds: float = SECONDS) -> Answer:
    """Ask Z3 once; a goal that is one of the hypotheses, as after a step that leaves it alone, needs no asking."""
    started = time.perf_counter()
    if any(condition.goal.eq(known) for known in condition.hypotheses):
        return Answer(condition.name, "proved", seed, time.perf_counter() - started)
    solver = _solver((*condition.hypotheses, z3.Not(condition.goal)), seed, seconds)
    found = solver.check()
    verdict = "proved" if found == z3.unsat else "refuted" if found == z3.sat else "open"
    model = solver.model() if found == z3.sat else None
    return Answer(condition.name, verdict, seed, time.perf_counter() - started, model)


def satisfiable(formulas: Iterable[z3.BoolRef], seed: int = 0, seconds: float = SECONDS) -> z3.ModelRef | None:
    """A model of all formulas, which shows that what is concluded from them is not vacuous; None if none is found."""
    solver = _solver(formulas, seed, seconds)
    return solver.model() if solver.check() == z3.sat else None


def _solver(formulas: Iterable[z3.BoolRef], seed: int, seconds: float) -> z3.Solver:
    """A solver with these formulas, in a context of its own: Z3 numbers what it is told in the order in which it hears
    of it, and how long a proof takes would depend on what was said before."""
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("timeout", int(seconds * 1000))
    solver.set("random_seed", seed)
    solver.add(*(formula.translate(context) for formula in formulas))
    return solver
