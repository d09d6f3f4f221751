"""The search: one step more at a time, each property decided for runs of just so many steps, until it is violated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import z3

from .algorithm import Algorithm
from .booleans import neg
from .history import History
from .parts import Bounds, Taken
from .properties import PROPERTIES
from .unrolling import Unrolling


class FoundStep(NamedTuple):
    """A step of a run that was found: process, what it does (send, receive or signal), to whom a message is sent, which
    step transmitted what is received, and the number of the event of its process that it depends on, 0 for none."""

    process: int
    kind: str
    dests: frozenset[int] = frozenset()
    taken_from: int = 0
    depends_on: int = 0


@dataclass(frozen=True)
class Finding:
    """What was found of a property: violated by a shortest run, of `steps` steps, or by none of up to `steps` steps,
    which are fewer than asked for where the search was stopped. `seconds` went into its questions."""

    name: str
    steps: int
    run: tuple[FoundStep, ...] | None
    seconds: float

    @property
    def is_violated(self) -> bool:
        """Whether a run was found."""
        return self.run is not None


def search(
    algorithm: Algorithm,
    bounds: Bounds,
    properties: Iterable[str],
    steps: int,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    on_depth: Callable[[int, str], None] = lambda depth, name: None,
) -> tuple[Finding, ...]:
    """What holds of all runs of up to `steps` steps, and a shortest run to each violation.

    A property that holds for all runs of a length is a lemma for those that are longer. Without a needless delay
    nothing is stuck, so that is asked first where Delivery is asked for.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    names = [*dict.fromkeys(properties)]
    found: dict[str, Finding] = {}
    asked = {*names, "NoNeedlessDelay"} if "Delivery" in names else {*names}
    open_ = {name: Finding(name, 0, None, 0.0) for name in PROPERTIES if name in asked}
    runs = Unrolling(algorithm, bounds, seed)
    history = History(runs)
    try:
        while open_.keys() & {*names} and len(runs.steps) < steps:
            runs.extend(history.see)
            for name, last in list(open_.items()):
                on_depth(len(runs.steps), name)
                started = time.perf_counter()
                run = decided(runs, history, name, deadline)
                seconds = last.seconds + time.perf_counter() - started
                open_[name] = Finding(name, len(runs.steps), run or None, seconds)
                if run:
                    found[name] = open_.pop(name)
    except (Stopped, KeyboardInterrupt):
        pass
    return tuple({**found, **open_}[name] for name in names)


class Stopped(Exception):
    """The time has ended, or the solver was interrupted."""


def decided(runs: Unrolling, history: History, name: str, deadline: float | None) -> tuple[FoundStep, ...]:
    """A run of just so many steps that violates the property, an empty one if there is none. Raises Stopped."""
    wrong, conditions = PROPERTIES[name](runs, history)
    solver = runs.solver
    if deadline is not None:
        left = int(1000 * (deadline - time.monotonic())) + 1
        if left <= 0:
            raise Stopped
        solver.set("timeout", left)
    solver.push()
    for condition in (wrong, *conditions):
        solver.add(condition)
    answer = solver.check()
    run = read(runs, solver.model()) if answer == z3.sat else ()
    solver.pop()
    if answer == z3.unknown:
        raise Stopped
    if not run:
        runs.require([neg(wrong)])
    return run


def read(runs: Unrolling, model: Any) -> tuple[FoundStep, ...]:
    """The run that a model of the formulas describes."""

    def holds(bit: Any) -> bool:
        return bool(bit) if isinstance(bit, bool) else z3.is_true(model.eval(bit, model_completion=True))

    def which(bits: Mapping[int, Any]) -> int:
        return next((key for key, bit in bits.items() if holds(bit)), 0)

    found: list[FoundStep] = []
    for taken in runs.steps:
        process, event = which(taken.at), which(taken.depends_on)
        number = sum(step.process == process for step in found[:event])
        found.append(_found(taken, process, number, holds, which))
    return tuple(found)


def _found(
    taken: Taken, process: int, number: int, holds: Callable[[Any], bool], which: Callable[[Mapping[int, Any]], int]
) -> FoundStep:
    if holds(taken.sends):
        dests = frozenset(d for d, bit in taken.dests.items() if holds(bit))
        return FoundStep(process, "send", dests, depends_on=number)
    slot = which(taken.receives)
    if slot:
        return FoundStep(process, "receive", taken_from=slot, depends_on=number)
    return FoundStep(process, "signal", taken_from=which(taken.takes_signal))
