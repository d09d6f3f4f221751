"""Runs of a transition system with few, named processes and messages: Z3 decides what holds after them.

Every quantifier is written out over the named processes and messages, and the state after each step gets names of its
own, so that no formula grows with the length of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

import z3
from z3 import Const, Distinct

from .conditions import Condition
from .grounding import arguments, closed, functions, grounded
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
        return [*known, *closed(newest_before, self.universe), *closed(latest_before, self.universe)]

    def grounded(self, formula: z3.ExprRef) -> z3.ExprRef:
        """The formula without quantifiers."""
        return grounded(formula, self.universe)


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
    values = [formula for function in functions(template) for formula in closed(function, world.universe)]
    return Run(world, template, template, (*world.given(), *values, world.grounded(initial(template))))


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
        definitions += [own(*args) == world.grounded(new(*args)) for args in arguments(old, world.universe)]
    return replace(template, **named), definitions
