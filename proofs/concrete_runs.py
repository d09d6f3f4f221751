"""Runs of a transition system with few, named processes and messages: Z3 decides what holds after them.

Every quantifier is written out over the named processes and messages, and the state after each step gets names of its
own, so that no formula grows with the length of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import product
from typing import Any, Generic, TypeVar

import z3
from z3 import And, Const, Distinct, Or

from .conditions import Condition
from .pasts import MESSAGES, Message, Process, before, dest, latest_before, newest_before, sender
from .steps import Action

State = TypeVar("State")


@dataclass(frozen=True)
class World:
    """Processes by number, and messages by name: their senders and destinations, in the order of their timestamps."""

    processes: int
    sends: Mapping[str, tuple[int, frozenset[int]]]

    def process(self, number: int) -> z3.ExprRef:
        """Process `number`, from 1."""
        return Const(f"P{number}", Process)

    def message(self, name: str) -> z3.ExprRef:
        """The message of this name."""
        return Const(name, Message)

    @property
    def universe(self) -> dict[z3.SortRef, list[z3.ExprRef]]:
        """All processes and messages."""
        processes = [self.process(number) for number in range(1, self.processes + 1)]
        return {Process: processes, Message: [self.message(name) for name in self.sends]}

    def given(self) -> list[z3.BoolRef]:
        """What the messages are, and that there are no other processes and messages."""
        known: list[z3.BoolRef] = [Distinct(*some) for some in self.universe.values() if len(some) > 1]
        names = list(self.sends)
        for place, (name, (source, dests)) in enumerate(self.sends.items()):
            M = self.message(name)
            known.append(sender(M) == self.process(source))
            for number in range(1, self.processes + 1):
                known.append(dest(M, self.process(number)) == (number in dests))
            for other, later in enumerate(names):
                is_before = place < other and self.sends[later][0] == source
                known.append(before(M, self.message(later)) == is_before)
        known += [self.grounded(formula) for _, formula in MESSAGES]
        return [*known, *self.closed(newest_before), *self.closed(latest_before)]

    def closed(self, function: z3.FuncDeclRef) -> list[z3.BoolRef]:
        """The values of a function are named processes or messages."""
        values = self.universe.get(function.range())
        if values is None:
            return []
        return [Or(*(function(*args) == value for value in values)) for args in self.arguments(function)]

    def arguments(self, function: z3.FuncDeclRef) -> Iterable[tuple[z3.ExprRef, ...]]:
        """All arguments of a function."""
        return product(*(self.universe[function.domain(place)] for place in range(function.arity())))

    def grounded(self, formula: z3.ExprRef) -> z3.ExprRef:
        """The formula without quantifiers."""
        return _grounded(formula, self.universe, {})


@dataclass(frozen=True)
class Run(Generic[State]):
    """A run so far: the state, the number of steps, and what must be satisfiable for the run to be possible."""

    world: World
    template: State
    state: State
    formulas: tuple[z3.BoolRef, ...]
    steps: int = 0

    def step(self, action: Callable[[State], Action]) -> Run[State]:
        """The run with one more step."""
        taken = action(self.state)
        after, definitions = _named(self.world, self.template, taken.after, self.steps + 1)
        formulas = (*self.formulas, self.world.grounded(taken.guard), *definitions)
        return replace(self, state=after, formulas=formulas, steps=self.steps + 1)

    def condition(self, name: str, goal: z3.BoolRef) -> Condition:
        """The run, if it is possible, ends in a state where the goal holds."""
        return Condition(name, self.formulas, self.world.grounded(goal))


def started(world: World, template: State, initial: Callable[[State], z3.BoolRef]) -> Run[State]:
    """The run without steps."""
    closed = [formula for function in _functions(template) for formula in world.closed(function)]
    return Run(world, template, template, (*world.given(), *closed, world.grounded(initial(template))))


def _functions(template: Any) -> list[z3.FuncDeclRef]:
    """The relations and functions of a state."""
    values = [getattr(template, field.name) for field in fields(template)]
    return [one for value in values for one in (_functions(value) if is_dataclass(value) else [value])]


def _named(world: World, template: Any, after: Any, step: int) -> tuple[Any, list[z3.BoolRef]]:
    """The state with relations of its own, and what defines them."""
    named, definitions = {}, []
    for field in fields(template):
        old, new = getattr(template, field.name), getattr(after, field.name)
        if is_dataclass(old):
            named[field.name], more = _named(world, old, new, step)
            definitions += more
            continue
        domain = [old.domain(place) for place in range(old.arity())]
        own = named[field.name] = z3.Function(f"{old.name()}@{step}", *domain, old.range())
        definitions += [own(*args) == world.grounded(new(*args)) for args in world.arguments(old)]
    return replace(template, **named), definitions


def _grounded(
    formula: z3.ExprRef, universe: Mapping[z3.SortRef, Sequence[z3.ExprRef]], seen: dict[z3.ExprRef, z3.ExprRef]
) -> z3.ExprRef:
    if formula in seen:
        return seen[formula]
    if z3.is_quantifier(formula):
        values = [universe[formula.var_sort(place)] for place in range(formula.num_vars())]
        cases = (z3.substitute_vars(formula.body(), *reversed(case)) for case in product(*values))
        parts = [_grounded(case, universe, seen) for case in cases]
        found = And(*parts) if formula.is_forall() else Or(*parts)
    elif not formula.children():
        found = formula
    else:
        parts = [_grounded(child, universe, seen) for child in formula.children()]
        found = And(*parts) if z3.is_and(formula) else Or(*parts) if z3.is_or(formula) else formula.decl()(*parts)
    seen[formula] = found
    return found
