"""What `precede seek` found: for each violated property a run, made smaller, as a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..bounds import Bounds
from ..engine import Limits
from ..engine.limits import Watch
from ..errors import INCOMPLETE, STUCK, VIOLATED
from ..formats import SEEK
from ..loading import LoadedModel
from ..properties import UserProperty
from ..trace import Trace
from .searching import Seeking, Sighting, Sought
from .shrinking import Shrinking
from .smallest import recorded

SOURCE = "precede seek"


@dataclass(frozen=True)
class Violation:
    """Where a violation was met, and the small run that was made of it."""

    sighting: Sighting
    trace: Trace


@dataclass(frozen=True)
class SeekResult:
    """The outcome of a search. It finds violations or nothing: it never says that a property holds."""

    loaded: LoadedModel
    bounds: Bounds
    properties: tuple[str, ...]
    seed: int
    sought: Sought
    violations: dict[str, Violation]

    @property
    def verdict(self) -> str:
        """Violated | incomplete."""
        return "violated" if self.violations else "incomplete"

    @property
    def exit_code(self) -> int:
        """As that of `precede check`."""
        if not self.violations:
            return INCOMPLETE
        return VIOLATED if self.violations.keys() - {"Delivery"} else STUCK

    @property
    def shortest(self) -> Trace | None:
        """The shortest of the small runs; the first in the order of the properties of several that are as short."""
        traces = [self.violations[name].trace for name in self.properties if name in self.violations]
        return min(traces, key=lambda trace: len(trace.steps), default=None)

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `precede seek --json`."""
        return SEEK.document(
            model=self.loaded.name,
            readings=self.loaded.readings,
            bounds=self.bounds.as_json(),
            seed=self.seed,
            runs=self.sought.runs,
            steps=self.sought.steps,
            kept=self.sought.kept,
            properties={name: self._property(name) for name in self.properties},
            verdict=self.verdict,
            stopped=self.sought.stopped or None,
            seconds=round(self.sought.seconds, 3),
            exit_code=self.exit_code,
        )

    def _property(self, name: str) -> dict[str, Any]:
        found = self.violations.get(name)
        if found is None:
            nothing = dict.fromkeys(("run", "seconds", "found_length", "trace_length", "bounds", "explanation"))
            return {"verdict": "incomplete", **nothing}
        assert found.trace.violation is not None
        return {
            "verdict": "violated",
            "run": found.sighting.run,
            "seconds": round(found.sighting.seconds, 3),
            "found_length": len(found.sighting.schedule),
            "trace_length": len(found.trace.steps),
            "bounds": found.trace.bounds.as_json(),
            "explanation": found.trace.violation.explanation,
        }


def seek(
    loaded: LoadedModel,
    bounds: Bounds,
    properties: tuple[str | UserProperty, ...],
    *,
    runs: int,
    seed: int = 0,
    seconds: float | None = None,
    on_text: Callable[[str], None] = lambda text: None,
) -> SeekResult:
    """Search for violations of the properties and make each smaller at once.

    `seconds` limits the search; what was found is made smaller afterwards, which Ctrl-C ends early.
    """
    sought = Seeking(loaded, bounds, properties, seed).seek(runs, seconds, on_text)
    names = {p if isinstance(p, str) else p.name: p for p in properties}
    violations = {}
    with Watch(Limits(), None) as watch:
        for name, sighting in sorted(sought.found.items()):
            shrinking = Shrinking(loaded, names[name], watch.interrupted, on_text)
            small = shrinking.shrink(shrinking.start(bounds, sighting.schedule))
            violations[name] = Violation(sighting, recorded(loaded, small, name, SOURCE))
    return SeekResult(loaded, bounds, tuple(names), seed, sought, violations)


def lines(result: SeekResult) -> Iterator[str]:
    """The result as text, with what it is about."""
    from ..report import aligned, assumptions

    readings = " ".join(f"{id}{letter}" for id, letter in result.loaded.readings.items())
    yield f"{result.loaded.name}{', readings ' + readings if readings else ''}"
    runs = f"{result.sought.runs:,} runs (seed {result.seed}) of {assumptions(result.bounds)}"
    if result.violations:
        yield f"violated: {', '.join(name for name in result.properties if name in result.violations)}; in {runs}"
    else:
        yield f"incomplete: nothing violated in {runs}: evidence, not proof"
    yield ""
    rows = [["property", "verdict", "in run", "steps", "made smaller"]]
    for name in result.properties:
        found = result.violations.get(name)
        if found is None:
            rows.append([name, "incomplete", "", "", ""])
        else:
            small = found.trace
            left = f"{small.bounds.processes} processes, {small.bounds.sends} sends, {len(small.steps)} steps"
            length = f"{len(found.sighting.schedule)}"
            rows.append([name, "violated", f"{found.sighting.run:,}", length, left])
    yield from (line.plain for line in aligned(rows, right=(2, 3)))
    yield ""
    yield f"  {result.sought.steps:,} steps taken, {result.sought.kept:,} runs kept, {result.sought.seconds:.1f} s"
    if result.sought.stopped:
        yield f"  the search ended: {result.sought.stopped}"
