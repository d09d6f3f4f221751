"""Evidence from comparisons and measurements: `compare`, `behaviour`, `sizes`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from precede.models.catalog import CATALOG

from ..engine import Limits
from ..errors import UsageError
from ..loading import LoadedModel
from ..report import assumptions
from ..result import Schedule
from .behaviours import behaviours
from .exploring import key_of
from .outcomes import Outcome, Ran
from .tools import Tools

if TYPE_CHECKING:
    from ..cli.options import Question
    from ..comparison import Comparison
    from ..trace import Trace


@dataclass(frozen=True)
class Behaviour:
    """Whether two algorithms, be they direct or not, have the same behaviours (`behaviours`): for what `compare` does
    not compare."""

    question: Question
    against: Question

    @property
    def key(self) -> object:
        """Both questions."""
        return "behaviour", key_of(self.question), key_of(self.against)

    @property
    def bound(self) -> str:
        """The runs of both."""
        return assumptions(self.question.bounds)

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Explore both."""
        started = time.perf_counter()
        mine, other = (behaviours(question, tools.show) for question in (self.question, self.against))
        more, less = len(mine.vectors - other.vectors), len(other.vectors - mine.vectors)
        text = f"{len(mine.vectors):,} vectors of pasts, {more:,} of them not there; {less:,} there only"
        stopped = mine.stopped or other.stopped
        words = words_for(self.question.calls.loaded, self.against.calls.loaded)
        verdict = "incomplete" if stopped else words[1] if more or less else words[0]
        outcome = Outcome(verdict, explanation=text)
        return Ran("behaviour", {"behaviour": outcome}, self.bound, time.perf_counter() - started, stopped=stopped)


@dataclass(frozen=True)
class Compare:
    """`precede compare`: two algorithms in the same schedules. Of two readings of one algorithm the answers are `same`
    and `differs`; of two algorithms `holds` (they are the same) and `violated`."""

    question: Question
    models: tuple[LoadedModel, LoadedModel]
    limits: Limits

    @property
    def key(self) -> object:
        """The models, their readings and the bounds."""
        sides = tuple((m.name, tuple(sorted(m.readings.items())), repr(m.settings)) for m in self.models)
        return "compare", sides, self.question.bounds, self.limits

    @property
    def bound(self) -> str:
        """The schedules of both."""
        return assumptions(self.question.bounds)

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Compare everything there is to compare."""
        from ..comparison import compare

        a, b = self.models
        found = compare(a, b, self.question.bounds, limits=self.limits, on_progress=tools.show)
        words = words_for(a, b)
        outcomes = {what: self._outcome(found, what, words) for what in ("deliveries", *found.compared)}
        stopped = None if found.complete else found.stopped
        return Ran("compare", outcomes, self.bound, found.seconds, stopped=stopped)

    def _outcome(self, found: Comparison, what: str, words: tuple[str, str]) -> Outcome:
        if what in found.compared and found.compared[what] is None:
            return Outcome("not applicable")
        differences = [d for name, _, d in found.differences() if name == what]
        if not differences:
            return Outcome(words[0] if found.complete else "incomplete")
        shortest = min(differences, key=lambda d: len(d.schedule or ()))
        schedule = shortest.schedule or ()
        trace = partial(self._trace, found, schedule)
        return Outcome(words[1], len(schedule), explanation=shortest.explanation, shortest=True, trace=trace)

    def _trace(self, found: Comparison, schedule: Schedule) -> Trace:
        from ..trace import record

        return record(found.calls, self.question.bounds, schedule, source="precede compare")


def words_for(a: LoadedModel, b: LoadedModel) -> tuple[str, str]:
    """What to say where both are the same, and where they are not: of two readings of one algorithm that nothing
    changes or something does, of two algorithms that it holds that they are alike or that it is violated."""
    return ("same", "differs") if _base(a.name) == _base(b.name) else ("holds", "violated")


def _base(name: str) -> str:
    """The model without its wrapper."""
    return name.partition("@")[0] if name.partition("@")[0] in CATALOG else name


@dataclass(frozen=True)
class Measure:
    """`precede sizes`: the largest packets and signals, in units and bytes."""

    question: Question
    limits: Limits

    @property
    def key(self) -> object:
        """The question."""
        return "sizes", key_of(self.question), self.limits

    @property
    def bound(self) -> str:
        """The runs measured."""
        return assumptions(self.question.bounds)

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Measure all there is. The names are units, bytes, "signal units" and "signal bytes"."""
        from ..sizes import measure_sizes

        q = self.question
        found = measure_sizes(q.calls, q.bounds, limits=self.limits, on_progress=tools.show)
        outcomes = {}
        for name in ("units", "bytes", "signal units", "signal bytes"):
            measured = found.signals if name.startswith("signal") else found.packets
            spread = measured.units if name.endswith("units") else measured.bytes
            if spread is None:
                outcomes[name] = Outcome("not applicable")
                continue
            largest = found.largest if found.largest and found.largest.measure == name else None
            outcomes[name] = Outcome(
                "measured" if found.complete else "incomplete",
                figure=spread.largest if found.complete else None,
                explanation=f"{spread.count:,} distinct ones, {spread.mean:.2f} on average",
                shortest=True,
                trace=partial(self._trace, largest.schedule) if largest else None,
            )
        return Ran("sizes", outcomes, self.bound, found.seconds, stopped=found.stopped)

    def _trace(self, schedule: Schedule) -> Trace:
        from ..trace import record

        return record(self.question.calls, self.question.bounds, schedule, source="precede sizes")


def require_two(question: Question, against: Question) -> None:
    """Raises UsageError where the two are not about the same runs, or are one."""
    if key_of(question) == key_of(against):
        raise UsageError("behaviour: the two sides are the same; `against` names another")
    if question.bounds != against.bounds:
        raise UsageError("behaviour: the two sides have different bounds")
