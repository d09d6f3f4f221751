"""What the transition systems share: actions of one process, and steps that can be left out.

A transition is a substitution: every relation after the step is given as a formula over the relations before it. To
show that a proof depends on a step of the algorithm, the step is left out and the proof must fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import z3

Value = TypeVar("Value")


@dataclass(frozen=True)
class Action:
    """A step of the algorithm: when it is possible, and the state after it."""

    name: str
    guard: z3.BoolRef
    after: Any


@dataclass(frozen=True)
class Steps:
    """The labelled steps that are carried out: all but those that a mutation leaves out."""

    without: frozenset[str] = frozenset()

    def __call__(self, label: str, done: Value, otherwise: Value) -> Value:
        """`done` where the step is carried out, else `otherwise`."""
        return otherwise if label in self.without else done


ALL_STEPS = Steps()
