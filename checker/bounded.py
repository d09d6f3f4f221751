"""What Z3 finds about runs of a bounded number of steps (`precede.proofs.bounded`), as our schedules and traces.

The run that Z3 finds is executed by `checker.run`, step by step, and judged again: the formulas and the model have to
agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .bounds import Bounds
from .calls import ModelCalls
from .errors import HOLDS, INCOMPLETE, STUCK, VIOLATED, UsageError
from .explained import explained
from .formats import BOUNDED
from .result import ReceiveEvent, Schedule, SendEvent, Witness
from .run import ImpossibleStep, Run, Transit
from .trace import Trace, record
from .trace.replay import replay

if TYPE_CHECKING:
    from precede.proofs.bounded import Algorithm, Finding, FoundStep

CHANNELS = ("unordered", "fifo", "fifo-delivery")
DESTS = ("unicast", "multicast", "broadcast")


@dataclass(frozen=True)
class BoundedResult:
    """What was found of each property within `steps` steps, with a witness for each violated one."""

    calls: ModelCalls
    bounds: Bounds
    steps: int
    findings: tuple[Finding, ...]
    witnesses: dict[str, Witness]
    stopped: str | None
    seconds: float

    def verdict_on(self, finding: Finding) -> str:
        """violated, holds or incomplete."""
        if finding.is_violated:
            return "violated"
        return "holds" if finding.steps >= self.steps else "incomplete"

    @property
    def verdict(self) -> str:
        """A violation beats incomplete."""
        verdicts = {self.verdict_on(finding) for finding in self.findings}
        return next(v for v in ("violated", "incomplete", "holds") if v in verdicts)

    @property
    def complete(self) -> bool:
        """Whether every property was decided."""
        return all(self.verdict_on(finding) != "incomplete" for finding in self.findings)

    @property
    def exit_code(self) -> int:
        """As that of `precede check`."""
        if self.verdict == "violated":
            return VIOLATED if self.witnesses.keys() - {"Delivery"} else STUCK
        return HOLDS if self.verdict == "holds" else INCOMPLETE

    @property
    def shortest(self) -> str | None:
        """The violated property with the shortest counterexample, or None."""
        return min(self.witnesses, key=lambda name: len(self.witnesses[name].schedule), default=None)

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `--json`."""
        properties = {
            found.name: {
                "verdict": self.verdict_on(found),
                "trace_length": found.steps if found.is_violated else None,
                "holds_up_to": found.steps - found.is_violated,
                "explanation": self.witnesses[found.name].explanation if found.is_violated else None,
                "seconds": round(found.seconds, 3),
            }
            for found in self.findings
        }
        return BOUNDED.document(
            model=self.calls.loaded.name,
            readings=self.calls.loaded.readings,
            settings=self.calls.loaded.settings,
            bounds=self.bounds.as_json(),
            steps=self.steps,
            complete=self.complete,
            stopped=self.stopped,
            verdict=self.verdict,
            exit_code=self.exit_code,
            properties=properties,
            seconds=round(self.seconds, 3),
        )


def algorithm_of(calls: ModelCalls) -> Algorithm:
    """The formulas of a model. Raises UsageError where there are none for it, or for a reading or parameter of it."""
    from precede.proofs.bounded import ALGORITHMS

    loaded = calls.loaded
    if loaded.name not in ALGORITHMS:
        raise UsageError(f"{loaded.name} is not written as formulas; {', '.join(ALGORITHMS)} are (use `precede check`)")
    try:
        return ALGORITHMS[loaded.name](loaded.readings, loaded.settings)
    except ValueError as error:
        raise UsageError(f"{loaded.name}: {error} (use `precede check`)") from None


def judged(properties: Iterable[object], algorithm: Algorithm) -> tuple[str, ...]:
    """The properties by name. Raises UsageError for one that is not written as a formula."""
    from precede.proofs.bounded import PROPERTIES

    names = []
    for property in properties:
        if not isinstance(property, str) or property not in PROPERTIES:
            raise UsageError(
                f"--property {getattr(property, 'name', property)}: only {', '.join(PROPERTIES)} are formulas here"
            )
        if property == "Minimality" and not algorithm.has_facts:
            raise UsageError(
                f"--property Minimality: {algorithm.name} does not say what its control information asserts"
            )
        names.append(property)
    return tuple(names)


def witness_of(calls: ModelCalls, bounds: Bounds, finding: Finding) -> Witness:
    """The run that was found, as a schedule, and what is wrong at its end.

    Raises AssertionError where the model cannot take it or nothing is wrong: then the formulas are not the model.
    """
    if finding.run is None:
        raise ValueError(f"{finding.name} is not violated")
    try:
        schedule, run = executed(calls, bounds, finding.run)
    except ImpossibleStep as error:
        raise AssertionError(f"the model cannot do what Z3 found: {error}") from error
    try:
        witness = explained(run, finding.name, schedule)
    except AssertionError as error:
        raise AssertionError(f"the run that Z3 found does not violate {finding.name} of the model: {error}") from error
    trace = trace_of(calls, bounds, finding.name, witness)
    if replay(trace).violation != "there":
        raise AssertionError(f"the run that Z3 found does not violate {finding.name} of the model")
    return witness


def trace_of(calls: ModelCalls, bounds: Bounds, property: str, witness: Witness) -> Trace:
    """The counterexample, recorded."""
    return record(calls, bounds, witness.schedule, property=property, witness=witness, source="precede bounded")


def executed(calls: ModelCalls, bounds: Bounds, found: Sequence[FoundStep]) -> tuple[Schedule, Run]:
    """The steps as events of ours, and the run that they are."""
    run = Run(calls, bounds)
    transmitted: list[tuple[Transit, ...]] = []
    schedule = []
    for step in found:
        event = _event(run, step, transmitted)
        schedule.append(event)
        transmitted.append(run.apply(event).transmitted)
    return tuple(schedule), run


def _event(run: Run, step: FoundStep, transmitted: Sequence[tuple[Transit, ...]]) -> SendEvent | ReceiveEvent:
    if step.kind == "send":
        return SendEvent(step.process, step.dests, step.depends_on)
    meant = [t for t in transmitted[step.taken_from - 1] if t.packet.to == step.process]
    meant = [t for t in meant if (t.message is None) == (step.kind == "signal")]
    if not meant:
        raise ImpossibleStep(f"process {step.process} receives what step {step.taken_from} does not transmit")
    transit = meant[0]
    alternative = step.depends_on if run.calls.loaded.readings.get("GK-9") == "b" else 0
    if run.is_short:
        return ReceiveEvent(step.process, transit.message, alternative)
    return ReceiveEvent(step.process, transit.message, alternative, transit.packet.sender, run.place_of(transit))
