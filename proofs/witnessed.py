"""Inductions whose witnesses are looked for among small states, where Z3 finds them at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import z3

from .claims import Induction
from .lemmas import InductionByLemmas

State = TypeVar("State")


@dataclass(frozen=True)
class WitnessedInduction(InductionByLemmas[State]):
    """`small` restricts the witnesses only: a model with it is one without it. `written` says of formulas that they
    have a model with a few named elements, without quantifiers: such a model is one of the formulas."""

    small: Callable[[State], z3.BoolRef] = lambda state: z3.BoolVal(True)
    written: Callable[[tuple[z3.BoolRef, ...]], tuple[z3.BoolRef, ...]] = lambda formulas: formulas

    def witnesses(self) -> list[tuple[str, tuple[z3.BoolRef, ...]]]:
        """For each action, formulas that must have a model."""
        found = Induction.witnesses(self)
        return [(name, self.written((*formulas, self.small(self.state)))) for name, formulas in found]
