"""Inductions in which a consequence of an action's guard is proved first, and then used for all conjuncts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import z3

from .conditions import Condition
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

State = TypeVar("State")


@dataclass(frozen=True)
class CutInduction(WitnessedInduction[State]):
    """`consequences` gives, by the name of the action, what its guard implies in a state of the invariant; it is one
    more condition for each, and a hypothesis of those that come after it and of the conjuncts."""

    consequences: Callable[[State], Sequence[tuple[str, str, z3.BoolRef]]] = lambda state: ()

    def conditions(self, steps: Steps = ALL_STEPS) -> list[Condition]:
        """The conditions of the consequences, and all others with them."""
        actions = {action.name: action for action in self.actions(self.state, steps)}
        found = self.consequences(self.state)
        first = []
        for place, (action, name, formula) in enumerate(found):
            earlier = (f for one, _, f in found[:place] if one == action)
            hypotheses = (*self.hypotheses, actions[action].guard, *earlier)
            first.append(Condition(f"{self.name}: {name}", hypotheses, formula))

        def strengthened(state: State, steps: Steps) -> list[Action]:
            return [
                Action(one.name, z3.And(one.guard, *(f for action, _, f in found if action == one.name)), one.after)
                for one in self.actions(state, steps)
            ]

        plain = replace(self, actions=strengthened, consequences=lambda state: ())
        return [*first, *super(CutInduction, plain).conditions(steps)]
