"""Short runs from the initial state, with as few processes and messages as they need: Z3 finds their model at once, and
what is false in it is refuted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from z3 import And, Distinct, ForAll, Not, Or

from .pasts import dest, m, p, sender
from .steps import Action

Move = Callable[[Any], Action]
Message3 = tuple[z3.ExprRef, z3.ExprRef, Sequence[z3.ExprRef]]
"""A message, its sender and its destinations."""


@dataclass(frozen=True)
class Ended:
    """The formulas that say that a run took place, and the state at its end."""

    formulas: tuple[z3.BoolRef, ...]
    state: Any


def run(formulas: Sequence[z3.BoolRef], state: Any, moves: Sequence[Move]) -> Ended:
    """The run that starts in `state`, of which `formulas` say what is given, and takes each of the moves in turn."""
    taken = list(formulas)
    for move in moves:
        action = move(state)
        taken.append(action.guard)
        state = action.after
    return Ended(tuple(taken), state)


def only(processes: Sequence[z3.ExprRef], messages: Sequence[Message3]) -> tuple[z3.BoolRef, ...]:
    """These processes, and these messages with their senders and destinations, are all there are."""
    names = [name for name, _, _ in messages]
    return (
        Distinct(*processes),
        ForAll([p], Or(*(p == one for one in processes))),
        *((Distinct(*names),) if len(names) > 1 else ()),
        ForAll([m], Or(*(m == one for one in names))),
        *(sender(name) == source for name, source, _ in messages),
        *(And(*(dest(name, d) if any(d is one for one in to) else Not(dest(name, d)) for d in processes))
          for name, _, to in messages),
    )  # fmt: skip
