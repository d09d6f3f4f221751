"""Runs of a transition system with few, named processes and messages: Z3 decides what holds after them.

Every quantifier is written out over the named processes and messages, and the state after each step gets names of its
own, so that no formula grows with the length of the run. Numbers count messages, so that only as many are looked at as
there are messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Generic, TypeVar

import z3
from z3 import Const, Distinct

from .claims import Induction, Named
from .conditions import Condition
from .grounding import arguments, closed, functions, grounded
from .pasts import MESSAGES, Message, Process, before, causal_order, dest, latest_before, newest_before, sender
from .steps import Action

State = TypeVar("State")
Step = Callable[[State], Action]
"""A step of a run, possible or not, in any state."""


@dataclass(frozen=True)
class World:
    """Processes by number, and messages by name: their senders and destinations, in the order of their timestamps.
    others: the elements of further sorts."""

    processes: int
    sends: Mapping[str, tuple[int, frozenset[int]]]
    others: Mapping[z3.SortRef, Sequence[z3.ExprRef]] = field(default_factory=dict)

    def process(self, number: int) -> z3.ExprRef:
        """Process `number`, from 1."""
        return Const(f"P{number}", Process)

    def message(self, name: str) -> z3.ExprRef:
        """The message of this name."""
        return Const(name, Message)

    @property
    def universe(self) -> dict[z3.SortRef, list[z3.ExprRef]]:
        """All processes and messages, the numbers of messages, and what else there is."""
        processes = [self.process(number) for number in range(1, self.processes + 1)]
        numbers = [z3.IntVal(number) for number in range(1, len(self.sends) + 1)]
        messages = [self.message(name) for name in self.sends]
        found = {Process: processes, Message: messages, z3.IntSort(): numbers}
        return found | {sort: list(some) for sort, some in self.others.items()}

    def given(self, formulas: Named = MESSAGES) -> list[z3.BoolRef]:
        """What the messages are, that there are no other processes and messages, and what is given of all messages."""
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
        known += [self.grounded(formula) for _, formula in formulas]
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

    def step(self, action: Step[State]) -> Run[State]:
        """The run with one more step."""
        taken = action(self.state)
        after, definitions = _named(self.world, self.template, taken.after, self.steps + 1)
        formulas = (*self.formulas, self.world.grounded(taken.guard), *definitions)
        return replace(self, state=after, formulas=formulas, steps=self.steps + 1)

    def through(self, steps: Iterable[Step[State]]) -> Run[State]:
        """The run with these steps more."""
        run = self
        for step in steps:
            run = run.step(step)
        return run

    def condition(self, name: str, goal: z3.BoolRef) -> Condition:
        """The run, if it is possible, ends in a state where the goal holds."""
        return Condition(name, self.formulas, self.world.grounded(goal))


def world_of(**sends: tuple[int, set[int]]) -> World:
    """Three processes, and messages with their senders and destinations."""
    return World(3, {name: (source, frozenset(dests)) for name, (source, dests) in sends.items()})


def started(
    world: World, template: State, initial: Callable[[State], z3.BoolRef], given: Named = MESSAGES
) -> Run[State]:
    """The run without steps; `given` holds of all messages."""
    values = [formula for function in functions(template) for formula in closed(function, world.universe)]
    return Run(world, template, template, (*world.given(given), *values, world.grounded(initial(template))))


def overtaken(
    induction: Induction[Any], world: World, steps: Sequence[Step[Any]], name: str, given: Named = ()
) -> Callable[[], list[Condition]]:
    """The claim that a run of the system of an induction keeps causal order."""

    def conditions() -> list[Condition]:
        run = started(world, induction.state, induction.initial, (*induction.given, *given)).through(steps)
        return [run.condition(name, causal_order(run.state.pasts))]

    return conditions


def _named(world: World, template: Any, after: Any, step: int) -> tuple[Any, list[z3.BoolRef]]:
    """The state with relations of its own, and what defines them."""
    named, definitions = {}, []
    for part in fields(template):
        old, new = getattr(template, part.name), getattr(after, part.name)
        if is_dataclass(old):
            named[part.name], more = _named(world, old, new, step)
            definitions += more
            continue
        domain = [old.domain(place) for place in range(old.arity())]
        own = named[part.name] = z3.Function(f"{old.name()}@{step}", *domain, old.range())
        definitions += [world.grounded(own(*args) == new(*args)) for args in arguments(old, world.universe)]
    return replace(template, **named), definitions
