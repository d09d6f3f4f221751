"""`precede trace shrink`: a recorded violation made as small as it gets, and what is known of anything smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from ..calls import ModelCalls
from ..engine import Limits, Progress
from ..engine.limits import Watch
from ..errors import HOLDS, INCOMPLETE
from ..event_text import name
from ..explained import explained
from ..formats import SHRUNK
from ..loading import LoadedModel
from ..properties import UserProperty
from ..result import Witness
from ..run import Run, StepTaken
from ..trace import Trace, record
from .exhausting import Answer, Exhausting
from .intents import Followed
from .shrinking import Shrinking, measure

SOURCE = "precede trace shrink"
QUESTIONS = ("processes", "sends", "steps")
"""What could be fewer, in the order in which it is asked."""
SINGLE = {"processes": "process", "sends": "send", "steps": "step", "destinations": "destination"}
NAMES = tuple(SINGLE)


@dataclass
class Shrunk:
    """A violating run, smaller than the one it was made from.

    `answers` says of processes, sends and steps what exploration knows of runs with fewer of them; without exploration
    it is empty. `tried` counts runs; `stopped` is what ended it early.
    """

    trace: Trace
    before: tuple[int, ...]
    after: tuple[int, ...]
    tried: int
    stopped: str | None
    seconds: float
    answers: dict[str, Answer] = field(default_factory=dict)

    @property
    def is_smallest(self) -> bool:
        """Whether no run of fewer processes, sends or steps violates the property: each asked with the other two as
        they are or any number of steps."""
        return len(self.answers) == len(QUESTIONS) and all(answer.holds for answer in self.answers.values())

    @property
    def verdict(self) -> str:
        """Proved smallest | locally minimal | stopped early."""
        if self.stopped is not None:
            return "stopped early"
        return "proved smallest" if self.is_smallest else "locally minimal"

    @property
    def exit_code(self) -> int:
        """0; 3 where it was stopped early."""
        return HOLDS if self.stopped is None else INCOMPLETE

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `precede trace shrink --json`."""
        assert self.trace.violation is not None
        return SHRUNK.document(
            model=self.trace.model,
            readings=self.trace.readings,
            property=self.trace.violation.property,
            explanation=self.trace.violation.explanation,
            before=dict(zip(NAMES, self.before, strict=True)),
            after=dict(zip(NAMES, self.after, strict=True)),
            tried=self.tried,
            proved={question: self._proved(question) for question in QUESTIONS},
            reasons={question: self._reason(question) for question in QUESTIONS},
            verdict=self.verdict,
            stopped=self.stopped,
            seconds=round(self.seconds, 3),
            exit_code=self.exit_code,
        )

    def _proved(self, question: str) -> bool:
        return question in self.answers and self.answers[question].holds

    def _reason(self, question: str) -> str | None:
        if self._proved(question):
            return None
        return self.answers[question].why if question in self.answers else "not explored"


def shrink_trace(
    loaded: LoadedModel,
    trace: Trace,
    item: str | UserProperty,
    *,
    explore_seconds: float | None = 20.0,
    seconds: float | None = None,
    on_text: Callable[[str], None] = lambda text: None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Shrunk:
    """Make the run of `trace` smaller as long as it violates `item`, which is the property that the trace names.

    Bounds with fewer processes, sends or steps are explored afterwards, for at most `explore_seconds` each (None: not
    at all); what is found there is taken and made smaller in turn. Raises NoViolation, or ImpossibleStep where the
    trace is no run of the model of today.
    """
    started = perf_counter()
    with Watch(Limits(seconds=seconds), None) as watch:
        shrinking = Shrinking(loaded, item, watch.interrupted, on_text)
        found = shrinking.start(trace.bounds, trace.schedule, trace.loop)
        before = trace.bounds.processes, *measure(found)[1:4]
        found = shrinking.shrink(found)
    answers: dict[str, Answer] = {}
    if explore_seconds is not None and watch.reason is None:
        exhausting = Exhausting(loaded, item, explore_seconds, on_progress)
        found, answers = _exhausted(shrinking, exhausting, found)
    if any(answer.why == "interrupted" for answer in answers.values()):
        watch.reason = "interrupted"
    small = recorded(loaded, found, shrinking.property, SOURCE)
    spent = perf_counter() - started
    return Shrunk(small, before, measure(found)[:4], shrinking.tried, watch.reason, spent, answers)


def _exhausted(shrinking: Shrinking, exhausting: Exhausting, found: Followed) -> tuple[Followed, dict[str, Answer]]:
    """The smallest run that exploration leads to, and what it answers about those smaller still."""
    while True:
        answers: dict[str, Answer] = {}
        for question in QUESTIONS:
            answers[question] = answer = getattr(exhausting, f"fewer_{question}")(found)
            if answer.witness is not None or answer.why == "interrupted":
                break
        if answer.witness is None or answer.bounds is None:
            return found, answers
        witness = answer.witness
        found = shrinking.shrink(shrinking.start(answer.bounds, witness.schedule, witness.loop))


def recorded(loaded: LoadedModel, found: Followed, property: str, source: str) -> Trace:
    """The run as a trace, with what is wrong at its end."""
    calls = ModelCalls(loaded, found.bounds)
    run, last = Run(calls, found.bounds), None
    for event in found.schedule:
        last = run.take(event)
    witness = _explained(run, found, property, last)
    return record(calls, found.bounds, found.schedule, property=property, witness=witness, source=source)


def _explained(run: Run, found: Followed, property: str, last: StepTaken | None) -> Witness:
    if found.loop is None:
        return explained(run, property, found.schedule, last)
    left = run.undelivered()
    listed = ", ".join(f"{name(message)} to {to}" for message, to in left)
    steps = len(found.schedule) - found.loop
    text = f"the last {steps} steps can go on for ever, fairly, and these are never delivered: {listed}"
    return Witness(found.schedule, text, left[0][1], left[0][0], None, found.loop)


def lines(small: Shrunk) -> Iterator[str]:
    """What was left out, what is left, and what is known of anything smaller."""
    violation, after = small.trace.violation, dict(zip(NAMES, small.after, strict=True))
    assert violation is not None
    gone = {what: old - after[what] for what, old in zip(NAMES, small.before, strict=True) if old != after[what]}
    yield f"{small.trace.model}: {violation.property} is violated: {violation.explanation}"
    yield f"left: {_listed(after)}; gone: {_listed(gone) or 'nothing'} ({small.tried:,} smaller runs tried)"
    bound = f"{after['processes']} processes and {after['sends']} sends"
    for question, of in (
        ("processes", f"with fewer than {after['processes']} processes and at most {after['sends']} sends"),
        ("sends", f"of {after['processes']} processes with fewer than {after['sends']} sends"),
        ("steps", f"of {bound} with fewer than {after['steps']} steps"),
    ):
        if question in small.answers:
            answer = small.answers[question]
            yield f"  {'none violates' if answer.holds else 'not known whether any violates'}, of all runs {of}" + (
                "" if answer.holds else f": {answer.why}"
            )
    yield {
        "proved smallest": "proved smallest: all smaller runs were explored",
        "locally minimal": "locally minimal: nothing more can be left out, but not all smaller runs were explored",
        "stopped early": f"stopped early: {small.stopped}",
    }[small.verdict]


def _listed(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {what if number != 1 else SINGLE[what]}" for what, number in numbers.items())
