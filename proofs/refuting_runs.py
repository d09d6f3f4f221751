"""The runs that refute a statement, read from Z3's model of its negation.

A refutation by a run of few named messages (`concrete_runs`, `gk_runs`) gives the state after each step relations of
its own, such as `sent@3`. What is new in them says what happened in the step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3

from .claims import Refutation
from .conditions import decide


@dataclass(frozen=True)
class Step:
    """A send of `message` to `dests`, the delivery of `message` at `process`, or neither: an internal event.
    `depends_on` counts events of the process, where the order is semantic."""

    kind: str
    """send | delivery | internal."""
    process: int
    message: str = ""
    dests: frozenset[int] = frozenset()
    depends_on: int = 0


def refuting_run(refutation: Refutation) -> tuple[Step, ...] | None:
    """The run that Z3 finds for the first condition of a refutation; None where its model is not such a run, but a
    state, or a run whose states have no names or which has steps that are no events."""
    condition = next(iter(refutation.conditions()))
    model = decide(condition).model
    return None if model is None else _Model(model).run()


class _Model:
    """A model of the formulas of a run."""

    def __init__(self, model: z3.ModelRef) -> None:
        self.model = model
        self.functions = {function.name(): function for function in model.decls()}
        constants = [function() for name, function in self.functions.items() if function.arity() == 0]
        self.processes = {int(c.decl().name()[1:]): c for c in constants if re.fullmatch(r"P\d+", c.decl().name())}
        self.named = {str(sort): [c for c in constants if str(c.sort()) == sort] for sort in ("Message", "Event")}

    def run(self) -> tuple[Step, ...] | None:
        """What happens in each step."""
        happens = self._sent_or_delivered if "sent@1" in self.functions else self._happened
        if not {"sent@1", "happened@1"} & set(self.functions):
            return None
        steps: list[Step] = []
        seen: set[Step] = set()
        number = 1
        while {f"sent@{number}", f"happened@{number}"} & set(self.functions):
            new = set(happens(number)) - seen
            if len(new) != 1:
                return None
            seen |= new
            steps += new
            number += 1
        return tuple(steps)

    def _sent_or_delivered(self, number: int) -> Iterator[Step]:
        """All sends and deliveries of the first steps."""
        for message in self.named["Message"]:
            name = message.decl().name()
            if self.holds(f"sent@{number}", message):
                yield Step("send", self.process("sender", message), name, self.addressed("dest", message))
            for d, process in self.processes.items():
                if self.holds(f"delivered@{number}", process, message, process):
                    yield Step("delivery", d, name)

    def _happened(self, number: int) -> Iterator[Step]:
        """All events of the first steps; a message has the name of its send."""
        for event in self.named["Event"]:
            if not self.holds(f"happened@{number}", event):
                continue
            process, depends_on = self.process("proc", event), self.value("latest_number", event).as_long()
            if self.holds("is_send", event):
                yield Step("send", process, event.decl().name(), self.addressed("to", event), depends_on)
            elif self.holds("is_delivery", event):
                of = self.value("of", event)
                sent = next(other for other in self.named["Event"] if z3.eq(self.model.eval(other), of))
                yield Step("delivery", process, sent.decl().name(), depends_on=depends_on)
            else:
                yield Step("internal", process, depends_on=depends_on)

    def value(self, name: str, *arguments: z3.ExprRef) -> Any:
        """The value of a function of the model."""
        return self.model.eval(self.functions[name](*arguments), model_completion=True)

    def holds(self, name: str, *arguments: z3.ExprRef) -> bool:
        """Whether a relation holds; one that the model leaves out is free, and taken to be false."""
        return name in self.functions and z3.is_true(self.value(name, *arguments))

    def process(self, name: str, of: z3.ExprRef) -> int:
        """The number of the process that is the value of a function."""
        value = self.value(name, of)
        return next(number for number, constant in self.processes.items() if z3.eq(self.model.eval(constant), value))

    def addressed(self, name: str, message: z3.ExprRef) -> frozenset[int]:
        """The destinations of a message."""
        return frozenset(number for number, process in self.processes.items() if self.holds(name, message, process))
