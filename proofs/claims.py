"""What is proved or refuted: inductive invariants, and claims that follow from them.

A claim of a paper (algorithms.md, section 7, by its id) rests on inductions and has conditions of its own. Whoever
reads a claim finds its statement, its assumptions, its conditions, a formula that shows that it is not vacuous, and the
steps of the algorithm without which it could not be proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import z3

from .conditions import Condition
from .steps import ALL_STEPS, Action, Steps

State = TypeVar("State")
Named = Sequence[tuple[str, z3.BoolRef]]


@dataclass(frozen=True)
class Induction(Generic[State]):
    """An inductive invariant of a transition system: it holds at first, and every action keeps it.

    `given` holds of all messages; `invariant` and `initial` are formulas about a state; `actions` are those possible in
    a state. Each conjunct is one condition for each action. `lemmas` are consequences of an action's guard, which are
    proved first, each with those before it, and may be used in what follows.
    """

    name: str
    state: State
    given: Named
    initial: Callable[[State], z3.BoolRef]
    invariant: Callable[[State], Named]
    actions: Callable[[State, Steps], Sequence[Action]]
    lemmas: Callable[[State, Action], Named] = lambda state, action: ()

    @property
    def hypotheses(self) -> tuple[z3.BoolRef, ...]:
        """What is given and the invariant, of the state before a step."""
        return tuple(formula for _, formula in (*self.given, *self.invariant(self.state)))

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
        """For each action, formulas that must have a model: it is possible in some state of the invariant."""
        return [
            (f"{self.name}: {action.name} is possible", (*self.hypotheses, action.guard))
            for action in self.actions(self.state, ALL_STEPS)
        ]


@dataclass(frozen=True)
class Refutation:
    """Why a statement is false as printed: each of the `conditions` states it, or a reading of it, and Z3 must find a
    model of the negation of every one; and a run of the Python model that shows it, as the arguments of `precede
    check`, with its number of steps. Its trace is `refutations/<id>.json`."""

    conditions: Callable[[], Sequence[Condition]]
    check: tuple[str, ...] = ()
    steps: int | None = None


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, or of precede itself, for any number of processes and messages.

    `statement` is that of algorithms.md; `formula` says what is proved in words, where that is less or more. `on_paper`
    names what is not Z3's: see the notes of this room. `conditions` are the claim's own, for the steps that are carried
    out; `rests_on` the inductions whose conditions must be proved as well. `steps` are labels of the algorithm: without
    any one of them some condition fails. `witness` gives formulas that must have a model. A claim with a `refutation`
    is false as printed, and what is proved is `repaired`.
    """

    id: str
    source: str
    statement: str
    rests_on: tuple[Induction[Any], ...] = ()
    conditions: Callable[[Steps], Iterable[Condition]] = lambda steps: ()
    witness: Callable[[], Iterable[tuple[str, tuple[z3.BoolRef, ...]]]] = lambda: ()
    assumptions: tuple[str, ...] = ()
    on_paper: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    formula: str = ""
    refutation: Refutation | None = None
    repaired: str = ""

    def all_conditions(self, steps: Steps = ALL_STEPS) -> list[Condition]:
        """The conditions of the inductions and the claim's own."""
        return [*(c for one in self.rests_on for c in one.conditions(steps)), *self.conditions(steps)]

    def witnesses(self) -> list[tuple[str, tuple[z3.BoolRef, ...]]]:
        """Everything that must have a model."""
        return [*(w for one in self.rests_on for w in one.witnesses()), *self.witness()]
