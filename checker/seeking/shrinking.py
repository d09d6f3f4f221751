"""A violating run made smaller: parts of it are left out as long as what remains violates the same property.

Delta debugging over intents. The result is smallest in the sense that no single reduction makes it smaller; whether
there is a smaller run at all is a question to exploration (`exhausting`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from ..bounds import Bounds
from ..errors import ConfigurationError, PrecedeError
from ..loading import LoadedModel
from ..properties import UserProperty
from ..result import FaultEvent, Schedule, SendEvent
from .intents import Followed, Script, follow, intents_of
from .judging import Judge
from .reducing import REDUCTIONS, Reduction, Smaller, renumbered
from .remembering import RememberedCalls

Measure = tuple[int, int, int, int, int]
"""Processes, sends, steps, destinations of all sends together, and the sum of the numbers of alternatives."""


class NoViolation(ConfigurationError):
    """The run to be made smaller does not violate the property today."""


@dataclass
class Shrinking:
    """What stays the same while a run is made smaller: the model, the property, and when to stop."""

    loaded: LoadedModel
    item: str | UserProperty
    is_over: Callable[[], bool] = lambda: False
    on_text: Callable[[str], None] = lambda text: None

    def __post_init__(self) -> None:
        self.property = self.item if isinstance(self.item, str) else self.item.name
        self.judge = Judge((self.item,))
        self.tried = 0
        self._calls: dict[Bounds, RememberedCalls] = {}

    def start(self, bounds: Bounds, schedule: Schedule, loop: int | None = None) -> Followed:
        """The run up to its first violation. Raises NoViolation, and ImpossibleStep where it is no run."""
        script = intents_of(self._calls_for(bounds), bounds, schedule, loop)
        found = self._follow(bounds, script, loop is not None)
        if found is None:
            raise NoViolation(f"{self.property} is not violated in this run")
        return found

    def shrink(self, found: Followed) -> Followed:
        """The smallest run that the reductions lead to, its processes numbered in the order of their first events."""
        before = None
        while before != measure(found) and not self.is_over():
            before = measure(found)
            for reduction in REDUCTIONS:
                found = self._reduced(found, reduction)
        bounds, script = renumbered(found.bounds, found.script)
        same = self._follow(bounds, script, found.loop is not None)
        return fitted(same if same is not None and measure(same) <= measure(found) else found)

    def _reduced(self, found: Followed, reduction: Reduction) -> Followed:
        """The run after as much of one reduction as possible."""
        place = 0
        while not self.is_over():
            for number, smaller in enumerate(islice(reduction(found.bounds, found.script), place, None), place):
                better = self._better(found, smaller)
                if better is not None or self.is_over():
                    place = number
                    break
            else:
                return found
            found = better or found
        return found

    def _better(self, found: Followed, smaller: Smaller) -> Followed | None:
        self.tried += 1
        processes, sends, steps, *_ = measure(found)
        self.on_text(f"{self.tried:,} smaller runs tried: {processes} processes, {sends} sends, {steps} steps are left")
        candidate = self._follow(*smaller, found.loop is not None)
        return candidate if candidate is not None and measure(candidate) < measure(found) else None

    def _follow(self, bounds: Bounds, script: Script, lasso: bool) -> Followed | None:
        try:
            calls = self._calls_for(bounds)
        except PrecedeError:  # a model need not exist for fewer processes
            return None
        return follow(calls, bounds, script, self.judge, self.property, lasso)

    def _calls_for(self, bounds: Bounds) -> RememberedCalls:
        if bounds not in self._calls:
            self._calls[bounds] = RememberedCalls(self.loaded, bounds)
        return self._calls[bounds]


def measure(found: Followed) -> Measure:
    """What is to be small, the weightiest first."""
    sends = [event for event in found.schedule if isinstance(event, SendEvent)]
    alternatives = sum(event.alternative for event in found.schedule if not isinstance(event, FaultEvent))
    dests = sum(len(event.dests) for event in sends)
    return found.bounds.processes, len(sends), len(found.schedule), dests, alternatives


def fitted(found: Followed) -> Followed:
    """The same run within bounds that allow no more sends and faults than it has."""
    kinds = [event.kind for event in found.schedule if isinstance(event, FaultEvent)]
    sends = max(1, sum(isinstance(event, SendEvent) for event in found.schedule))
    bounds = replace(
        found.bounds,
        sends=sends,
        sends_per_process=None,
        duplicates=kinds.count("duplicate"),
        losses=kinds.count("lose"),
        crashes=kinds.count("crash"),
        restarts=kinds.count("restart"),
    )
    return found._replace(bounds=bounds)
