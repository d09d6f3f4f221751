"""Directed search: random runs with preferences, and changes of those that did something new.

What a run did is known by the labelled statements of the model that its calls executed, by how many messages were
undelivered in the pasts of its processes, and by how many facts the control information held. A run with something
rare in it is kept and changed. That nothing is found is no proof of anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from random import Random

from ..bounds import Bounds
from ..engine import Limits
from ..engine.limits import Watch
from ..loading import LoadedModel
from ..properties import UserProperty
from ..result import Schedule
from .intents import Script, intents_of
from .judging import Judge
from .mutating import mutated
from .preferring import preference
from .remembering import RememberedCalls
from .walking import Walk

GUIDED = 0.5
"""The share of runs that are changes of kept ones, once there are any."""

RARE = 3
"""A run is kept while fewer runs have done one of the things that it did."""

MOST_KEPT = 256

TOURNAMENT = 4
"""Kept runs among which the next one to be changed is chosen."""


@dataclass(frozen=True)
class Sighting:
    """A violation: in which run (from 1), after how many steps of all runs, seconds after the start, and the run up to
    there."""

    run: int
    steps: int
    seconds: float
    schedule: Schedule


@dataclass
class Sought:
    """What a search has done and found, by property."""

    runs: int = 0
    steps: int = 0
    kept: int = 0
    seconds: float = 0.0
    stopped: str = ""
    found: dict[str, Sighting] = field(default_factory=dict)


class Seeking:
    """One search. Run number i of a seed is the same whatever the limits."""

    def __init__(
        self, loaded: LoadedModel, bounds: Bounds, properties: tuple[str | UserProperty, ...], seed: int = 0
    ) -> None:
        self.bounds = bounds
        self.calls = RememberedCalls(loaded, bounds)
        self.seed = seed
        self.sought = Sought()
        self._open = {p if isinstance(p, str) else p.name: p for p in properties}
        self._seen: Counter[Hashable] = Counter()
        self._corpus: list[tuple[Script, Hashable]] = []

    def seek(
        self, runs: int, seconds: float | None = None, on_text: Callable[[str], None] = lambda text: None
    ) -> Sought:
        """Search until every property is violated, `runs` are done or the time is over. Ctrl-C ends it in order."""
        sought = self.sought
        with Watch(Limits(seconds=seconds), None) as watch:
            while self._open and sought.runs < runs and not watch.interrupted():
                self._run_once(watch)
                on_text(self._text(watch.seconds))
            sought.seconds = watch.seconds
        sought.kept = len(self._corpus)
        sought.stopped = watch.reason or (f"all {sought.runs:,} runs are done" if self._open else "")
        return sought

    def _run_once(self, watch: Watch) -> None:
        sought = self.sought
        choose = Random(f"{self.seed} {sought.runs}")
        sought.runs += 1
        wanted = preference(self.bounds, choose)
        self.calls.covered.clear()
        walk = Walk(self.calls, self.bounds, Judge(tuple(self._open.values())), wanted, choose)
        script: Script = ()
        if self._corpus and choose.random() < GUIDED:
            script = mutated(self._chosen(choose), self.bounds, wanted, choose)
        walk.go(script)
        for name, steps in walk.wrong.items():
            if self._open.pop(name, None) is not None:
                schedule = tuple(walk.schedule[:steps])
                sought.found[name] = Sighting(sought.runs, sought.steps + steps, watch.seconds, schedule)
        sought.steps += len(walk.schedule)
        did = traits(walk, self.calls)
        self._seen.update(did)
        rare = [trait for trait in did if self._seen[trait] <= RARE]
        if rare:
            self._keep(walk, min(rare, key=lambda trait: (self._seen[trait], repr(trait))), choose)

    def _chosen(self, choose: Random) -> Script:
        """Of some kept runs, the one with what fewest runs have done."""
        some = choose.sample(self._corpus, min(len(self._corpus), TOURNAMENT))
        script, _ = min(some, key=lambda kept: self._seen[kept[1]])
        return script

    def _keep(self, walk: Walk, rarest: Hashable, choose: Random) -> None:
        kept = intents_of(self.calls, self.bounds, tuple(walk.schedule)), rarest
        if len(self._corpus) < MOST_KEPT:
            self._corpus.append(kept)
        else:
            self._corpus[choose.randrange(MOST_KEPT)] = kept

    def _text(self, seconds: float) -> str:
        sought = self.sought
        rate = sought.runs / seconds if seconds else 0
        return f"{sought.runs:,} runs, {sought.steps:,} steps, {len(self._corpus)} kept, {rate:,.0f} runs/s"


def traits(walk: Walk, calls: RememberedCalls) -> set[Hashable]:
    """What a run did, coarsely."""
    did: set[Hashable] = set(calls.covered)
    for local in walk.run.locals.values():
        if not local.down:
            asserted = calls.facts_of_state(local.state)
            did.add(("facts", None if asserted is None else len(asserted)))
            did.add(("known", len(local.past.sent), len(local.past.required())))
    did.add(("waits", walk.waits))
    did.update(("overtaken", *far) for far in walk.reached)
    return did
