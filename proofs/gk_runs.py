"""Runs of Gambhire and Kshemkalyani's algorithm with few, named processes and events, of which Z3 says what is false in
them. Every quantifier is written out, and the state after each step has names of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

import z3
from z3 import And, Const

from . import gk
from .claims import Named
from .conditions import Condition
from .gk import Variant
from .grounding import arguments, closed, distinct, functions, grounded
from .lemmas import InductionByLemmas
from .pasts import Process
from .semantic_pasts import (
    Event,
    Int,
    dep,
    is_delivery,
    is_send,
    latest,
    latest_number,
    num,
    of,
    proc,
    source_of,
    to,
    via,
)
from .steps import ALL_STEPS, Action, Steps

State = TypeVar("State")

NUMBERS = 3
"""Numbers of messages are looked at as far as this."""


@dataclass(frozen=True)
class Happening:
    """An event of process `at`: a send to `to`, or the delivery of the message of `of`, or neither. It depends on event
    `on`."""

    at: int
    to: frozenset[int] = frozenset()
    of: str = ""
    on: str = ""


def send(at: int, *to: int, on: str = "") -> Happening:
    """Process `at` sends a message to `to`."""
    return Happening(at, frozenset(to), on=on)


def internal(at: int, on: str = "") -> Happening:
    """An internal event of process `at`."""
    return Happening(at, on=on)


def delivery(at: int, of: str) -> Happening:
    """The message of the send `of` is delivered at process `at`."""
    return Happening(at, of=of)


@dataclass(frozen=True)
class Script:
    """Processes, and events by name in the order in which they happen."""

    processes: int
    events: Mapping[str, Happening]
    name: str = "a run"

    @property
    def universe(self) -> dict[z3.SortRef, list[z3.ExprRef]]:
        """All processes and events, and the first natural numbers."""
        return {
            Process: [process(number) for number in range(1, self.processes + 1)],
            Event: [event(name) for name in self.events],
            Int: [z3.IntVal(number) for number in range(1, NUMBERS + 1)],
        }

    def given(self) -> Iterable[z3.BoolRef]:
        """What the events are, and that there are no others."""
        yield from distinct(self.universe)
        numbers: dict[int, int] = {}
        number_of = {"": 0}
        for name, what in self.events.items():
            E = event(name)
            number_of[name] = numbers[what.at] = numbers.get(what.at, 0) + 1
            yield And(proc(E) == process(what.at), num(E) == numbers[what.at])
            yield And(is_send(E) == bool(what.to), is_delivery(E) == bool(what.of))
            yield of(E) == event(what.of or name)
            yield And(latest(E) == event(what.on or name), latest_number(E) == number_of[what.on])
            yield And(*(to(E, process(d)) == (d in what.to) for d in range(1, self.processes + 1)))
            yield And(*(dep(E, event(other)) == (other == what.on) for other in self.events))
        for function in (via, source_of):
            yield from closed(function, self.universe)

    def run(self, variant: Variant) -> Run:
        """The run of this script, from the initial state."""
        some = gk.some_state()
        state, formulas = some, [*self.given(), grounded(gk.initial(some), self.universe)]
        for function in functions(some):
            formulas += closed(function, self.universe)
        for step, (name, what) in enumerate(self.events.items(), 1):
            action = taken(state, event(name), what, variant)
            formulas.append(grounded(action.guard, self.universe))
            state, definitions = self.named(some, action.after, step)
            formulas += definitions
        return Run(self, state, tuple(formulas))

    def named(self, template: Any, after: Any, step: int) -> tuple[Any, list[z3.BoolRef]]:
        """The state with functions of its own, and what defines them."""
        own, definitions = {}, []
        for field in fields(template):
            old, new = getattr(template, field.name), getattr(after, field.name)
            if is_dataclass(old):
                own[field.name], more = self.named(old, new, step)
                definitions += more
                continue
            domain = [old.domain(place) for place in range(old.arity())]
            here = own[field.name] = z3.Function(f"{old.name()}@{step}", *domain, old.range())
            definitions += [
                here(*args) == grounded(new(*args), self.universe) for args in arguments(old, self.universe)
            ]
        return replace(template, **own), definitions


EVERY_STEP = Script(
    2,
    {"x": send(1, 2), "y": internal(1, on="x"), "z": send(1, 2, on="y"), "u": delivery(2, "x")},
    "a run with a send, an internal event and a delivery",
)


@dataclass(frozen=True)
class ReachedInduction(InductionByLemmas[State]):
    """An induction on top of another one, whose invariant is `known` and whose actions are `below`: its own actions are
    these with more in the guard and in the state. The witness is a run with every kind of step: this is stronger than
    a state of the invariant for each."""

    variant: Variant = gk.FIGURE_3
    below: Callable[[State, Steps], Sequence[Action]] = lambda state, steps: ()
    known: Callable[[State], Named] = lambda state: ()

    def conditions(self, steps: Steps = ALL_STEPS) -> list[Condition]:
        """Those of the induction, and that its actions are actions of the one below."""
        pairs = zip(self.actions(self.state, steps), self.below(self.state, steps), strict=True)
        of_below = [
            Condition(f"{self.name}: {own.name} is one of events", (own.guard,), other.guard) for own, other in pairs
        ]
        return [*of_below, *super().conditions(steps)]

    @property
    def hypotheses(self) -> tuple[z3.BoolRef, ...]:
        """What is known and the invariant, of the state before a step."""
        return (*(formula for _, formula in self.known(self.state)), *super().hypotheses)

    def witnesses(self) -> list[tuple[str, tuple[z3.BoolRef, ...]]]:
        """What must be satisfiable for the run to be possible."""
        return [(f"{self.name}: {EVERY_STEP.name} is possible", EVERY_STEP.run(self.variant).formulas)]


@dataclass(frozen=True)
class Run:
    """The state at the end of a run, and what must be satisfiable for the run to be possible."""

    script: Script
    state: gk.GK
    formulas: tuple[z3.BoolRef, ...]

    def after(self, goal: Callable[[gk.GK], z3.BoolRef]) -> z3.BoolRef:
        """The goal, of the state at the end."""
        return grounded(goal(self.state), self.script.universe)


def process(number: int) -> z3.ExprRef:
    """A process by its number, from 1."""
    return Const(f"P{number}", Process)


def event(name: str) -> z3.ExprRef:
    """An event by its name."""
    return Const(name, Event)


def taken(s: gk.GK, E: z3.ExprRef, what: Happening, variant: Variant) -> Action:
    """The step of an event."""
    if what.of:
        return gk.receive(s, process(what.at), E, event(what.of), variant)
    return gk.local_event(s, process(what.at), E, bool(what.to), variant, ALL_STEPS)
