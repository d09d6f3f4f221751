"""What inductions need that are proved by way of lemmas: small witnesses, and the choice of facts."""

from __future__ import annotations

from dataclasses import dataclass

import z3
from z3 import Const, ForAll, Or

from .claims import Induction, Named, State
from .pasts import Message, Process, m, p


@dataclass(frozen=True)
class InductionByLemmas(Induction[State]):
    """An induction whose witnesses are looked for among few processes and messages."""

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
