"""Is a violating run the smallest? Exploration of smaller bounds answers, as far as it gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..bounds import Bounds
from ..calls import ModelCalls
from ..choosing import examine
from ..engine import Limits, Progress
from ..errors import PrecedeError
from ..loading import LoadedModel
from ..properties import UserProperty
from ..result import Witness
from .intents import Followed

MOST_STATES = 3_000_000
"""Global states of one exploration, at most."""


@dataclass(frozen=True)
class Answer:
    """What exploration says of smaller runs: none violates (`holds`), a run does, within `bounds` (`witness`), or
    neither, with the reason (`why`)."""

    holds: bool = False
    witness: Witness | None = None
    bounds: Bounds | None = None
    why: str = ""


@dataclass
class Exhausting:
    """Asks about bounds, shortest runs first. `seconds` are for each question."""

    loaded: LoadedModel
    item: str | UserProperty
    seconds: float
    on_progress: Callable[[Progress], None] | None = None

    def fewer_processes(self, found: Followed) -> Answer:
        """Is there a run of one process less, with no more sends?"""
        bounds = found.bounds
        if bounds.groups:
            return Answer(why="the groups name the processes")
        if bounds.processes == 2:
            return Answer(holds=True)
        return self._ask(replace(bounds, processes=bounds.processes - 1))

    def fewer_sends(self, found: Followed) -> Answer:
        """Is there a run of one send less, of as many processes?"""
        sends = found.bounds.sends - 1
        return self._ask(replace(found.bounds, sends=sends)) if sends else Answer(holds=True)

    def fewer_steps(self, found: Followed) -> Answer:
        """Is there a shorter run within the same bounds?"""
        if found.loop is not None:
            return Answer(why="of runs that go on for ever, the shortest is not looked for")
        answer = self._ask(found.bounds, engine="states")
        if answer.witness is not None and len(answer.witness.schedule) >= len(found.schedule):
            return Answer(holds=True)
        return answer

    def _ask(self, bounds: Bounds, engine: str = "auto") -> Answer:
        try:
            calls = ModelCalls(self.loaded, bounds)
            limits = Limits(MOST_STATES if engine == "states" else None, self.seconds)
            result = examine(calls, bounds, (self.item,), engine=engine, limits=limits, on_progress=self.on_progress)
        except PrecedeError as error:
            return Answer(why=str(error))
        (answer,) = result.properties
        if answer.witness is not None:
            return Answer(witness=answer.witness, bounds=bounds)
        if answer.verdict == "incomplete":
            return Answer(why=result.stopped or "not decided")
        return Answer(holds=True)
