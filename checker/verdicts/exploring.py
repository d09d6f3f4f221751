"""Evidence from explorations (`check`) and from runs that are drawn (`seek`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ..choosing import examine
from ..engine import Limits
from ..engine.judging import MOST_OWN
from ..properties import select_properties
from ..report import assumptions
from ..result import Result, Witness
from .outcomes import Outcome, Ran
from .tools import Tools

if TYPE_CHECKING:
    from ..cli.options import Question
    from ..trace import Trace


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Search:
    """How `check` searches: the values of its options."""

    engine: str = "auto"
    search: str = "bfs"
    keep: str = "rows"
    symmetry: bool = False
    seed: int = 0
    walks: int = 10_000
    limits: Limits = NO_LIMITS

    @property
    def text(self) -> str:
        """What there is to say of it, beside the bound."""
        return f"{self.walks:,} random walks, seed {self.seed}, of " if self.search == "random" else ""


def key_of(question: Question) -> tuple[object, ...]:
    """What tells one question from another, the properties left out."""
    loaded, scenario = question.calls.loaded, question.scenario
    settings = tuple(sorted((name, repr(value)) for name, value in loaded.settings.items()))
    text = scenario and (scenario.name, scenario.text)
    return loaded.name, tuple(sorted(loaded.readings.items())), settings, question.bounds, text


@dataclass(frozen=True)
class Check:
    """`precede check`: an exploration that judges properties."""

    question: Question
    search: Search

    @property
    def key(self) -> object:
        """The question and the search."""
        return "check", key_of(self.question), self.search

    @property
    def bound(self) -> str:
        """The runs explored."""
        scenario = self.question.scenario
        return self.search.text + assumptions(self.question.bounds, scenario.name if scenario else None)

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Explore once for as many of the properties named as one search judges. Raises what `examine` raises."""
        rans = [self._explore(names[i : i + MOST_OWN], tools) for i in range(0, len(names), MOST_OWN)]
        outcomes = {name: outcome for ran in rans for name, outcome in ran.outcomes.items()}
        stopped = next((ran.stopped for ran in rans if ran.stopped is not None), None)
        seconds = sum(ran.seconds for ran in rans)
        return Ran(rans[0].engine, outcomes, self.bound, seconds, stopped=stopped)

    def _explore(self, names: Sequence[str], tools: Tools) -> Ran:
        calls, bounds, scenario = self.question.calls, self.question.bounds, self.question.scenario
        properties = select_properties(names, calls.model, calls.loaded.name)
        s = self.search
        result = examine(
            calls, bounds, properties, engine=s.engine, search=s.search, keep=s.keep, symmetry=s.symmetry,
            limits=s.limits, scenario=scenario, on_progress=tools.show, seed=s.seed, walks=s.walks,
        )  # fmt: skip
        engine = "walks" if s.search == "random" else result.engine
        interrupted = result.stopped is not None and result.stopped.startswith("interrupted")
        stopped = result.stopped if interrupted or (s.search != "random" and not result.complete) else None
        return Ran(engine, self._outcomes(result), self.bound, result.seconds, stopped=stopped)

    def _outcomes(self, result: Result) -> dict[str, Outcome]:
        return {
            p.name: Outcome(
                p.verdict,
                p.trace_length,
                explanation=p.witness.explanation if p.witness else p.note,
                shortest=result.shortest,
                trace=partial(self._trace, p.name, p.witness) if p.witness else None,
            )
            for p in result.properties
        }

    def _trace(self, name: str, witness: Witness) -> Trace:
        from ..trace import record

        q = self.question
        return record(q.calls, q.bounds, witness.schedule, property=name, witness=witness, scenario=q.scenario)


@dataclass(frozen=True)
class Seek:
    """`precede seek`: directed search among runs that are drawn. It finds violations, or nothing."""

    question: Question
    runs: int
    seed: int
    time_limit: float | None

    @property
    def key(self) -> object:
        """The question and the runs."""
        return "seek", key_of(self.question), self.runs, self.seed, self.time_limit

    @property
    def bound(self) -> str:
        """The runs that are drawn."""
        return f"{self.runs:,} directed runs, seed {self.seed}, of {assumptions(self.question.bounds)}"

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Search for violations of all the properties named; the steps are those of the runs made smaller."""
        from ..seeking.found import seek

        loaded = self.question.calls.loaded
        properties = select_properties(names, loaded.model, loaded.name)
        result = seek(loaded, self.question.bounds, properties, runs=self.runs, seed=self.seed,
                      seconds=self.time_limit, on_text=tools.text)  # fmt: skip
        outcomes = {name: Outcome("incomplete") for name in names}
        for name, found in result.violations.items():
            trace = found.trace
            explanation = trace.violation.explanation if trace.violation else ""
            outcomes[name] = Outcome("violated", len(trace.steps), explanation=explanation, trace=partial(_same, trace))
        stopped = result.sought.stopped if result.sought.stopped.startswith("interrupted") else None
        return Ran("seek", outcomes, self.bound, result.sought.seconds, stopped=stopped)


def _same(trace: Trace) -> Trace:
    return trace
