"""Inductions whose conditions are proved by way of lemmas about what a guard says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3
from z3 import Const, ForAll, Or

from .claims import Induction, Named, State
from .conditions import Condition
from .pasts import Message, Process, m, p
from .steps import ALL_STEPS, Action, Steps


@dataclass(frozen=True)
class InductionByLemmas(Induction[State]):
    """An induction in which the guard of an action has consequences that are proved first, each with those before it,
    and may be used in what follows."""

    lemmas: Callable[[State, Action], Named] = lambda state, action: ()

    def conditions(self, steps: Steps = ALL_STEPS) -> list[Condition]:
        """All conditions, with the steps of the algorithm that are carried out."""
        given = tuple(formula for _, formula in self.given)
        found = [
            Condition(f"{self.name}: initially, {name}", (*given, self.initial(self.state)), formula)
            for name, formula in self.invariant(self.state)
        ]
        for action in self.actions(self.state, steps):
            known = (*self.hypotheses, action.guard)
            for name, formula in self.lemmas(self.state, action):
                found.append(Condition(f"{self.name}: before {action.name}, {name}", known, formula))
                known = (*known, formula)
            found += [
                Condition(f"{self.name}: after {action.name}, {name}", known, formula)
                for name, formula in self.invariant(action.after)
            ]
        return found

    def witnesses(self) -> list[tuple[str, tuple[z3.BoolRef, ...]]]:
        """The same as of any induction, with few processes and messages: such a model is found at once."""
        return [(name, (*formulas, *few())) for name, formulas in super().witnesses()]


def few(count: int = 3) -> tuple[z3.BoolRef, z3.BoolRef]:
    """There are at most so many processes, and so many messages."""
    processes = [Const(f"P{number}", Process) for number in range(1, count + 1)]
    messages = [Const(f"M{number}", Message) for number in range(1, count + 1)]
    return ForAll([p], Or(*(p == one for one in processes))), ForAll([m], Or(*(m == one for one in messages)))


def chosen(facts: Named, *names: str) -> tuple[z3.BoolRef, ...]:
    """The facts of these names: a proof that uses no others is found at once."""
    return tuple(formula for name, formula in facts if name in names)
