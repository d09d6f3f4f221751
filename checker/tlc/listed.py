"""Runs of the manifest carried out: TLC, precede and the manifest must say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..calls import ModelCalls
from ..engine import Limits, explore
from ..errors import DISAGREE, HOLDS, INCOMPLETE
from ..formats import RUNS
from ..properties import select_properties
from .child import OnProgress
from .comparing import compare
from .manifest import ListedRun
from .result import TlcResult
from .running import run_tlc


@dataclass(frozen=True)
class Outcome:
    """What TLC found in a run, and where it is not what the manifest or precede says."""

    run: ListedRun
    tlc: TlcResult
    differences: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """One entry of `runs` in the JSON of `precede tlc --all`."""
        return {
            "name": self.run.name,
            "model": self.run.model,
            "expected": self.run.verdict,
            "verdict": self.tlc.verdict,
            "violated": self.tlc.violated_property,
            "trace_length": self.tlc.trace_length,
            "distinct_states": self.tlc.distinct_states,
            "transitions": self.tlc.transitions,
            "depth": self.tlc.depth,
            "seconds": round(self.tlc.seconds, 3),
            "differences": list(self.differences),
            "tlc": self.tlc.version,
        }


def carry_out(run: ListedRun, time_limit: float | None = None, on_progress: OnProgress | None = None) -> Outcome:
    """Let TLC do a run on one worker, explore the same with precede, and compare. Raises what `run_tlc` raises."""
    loaded = run.loaded
    theirs = run_tlc(
        run.model, loaded.readings, run.bounds, run.properties, settings=loaded.settings, temporal=run.temporal,
        time_limit=time_limit, on_progress=on_progress,
    )  # fmt: skip
    calls = ModelCalls(loaded, run.bounds)
    properties = select_properties(run.properties, loaded.model, run.model)
    ours = explore(calls, run.bounds, properties, limits=Limits(seconds=time_limit), on_progress=on_progress)
    rows = compare(ours, theirs)
    differences = [f"{row.what}: precede {row.ours}, TLC {row.tlc}" for row in rows if row.equal is False]
    return Outcome(run, theirs, (*_unexpected(run, theirs), *differences))


def _unexpected(run: ListedRun, found: TlcResult) -> Iterator[str]:
    """Where TLC found something else than the manifest says."""
    if found.verdict == "incomplete":
        yield f"incomplete: {found.stopped}"
        return
    whole = found.verdict == run.verdict == "holds"
    broken = found.verdict == run.verdict == "violated"
    for what, expected, value, known in (
        ("verdict", run.verdict, found.verdict, True),
        ("violated", run.violated, found.violated_property, broken),
        ("length", run.length, found.trace_length, broken and found.is_shortest),
        ("states", run.states, found.distinct_states, whole),
        ("transitions", run.transitions, found.transitions, whole),
        ("depth", run.depth, found.depth, whole),
    ):
        if known and expected != value:
            yield f"{what}: the manifest {expected}, TLC {value}"


def runs_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The JSON object of `precede tlc --all`."""
    agree = all(not outcome.differences for outcome in outcomes)
    return RUNS.document(agree=agree, runs=[outcome.as_json() for outcome in outcomes])


def exit_code(outcomes: Sequence[Outcome], wanted: int) -> int:
    """0 where all `wanted` runs are as expected; 1 where one is not; 3 where one is missing or incomplete."""
    finished = [outcome for outcome in outcomes if outcome.tlc.verdict != "incomplete"]
    if any(outcome.differences for outcome in finished):
        return DISAGREE
    return HOLDS if len(finished) == wanted else INCOMPLETE


def table(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """A row for each run, headed."""
    rows = [["run", "readings", "TLC finds", "distinct states", "transitions", "depth", "seconds", ""]]
    for outcome in outcomes:
        rows.append(row(outcome))
    return rows


def row(outcome: Outcome) -> list[str]:
    """What the table says of a run."""
    run, found = outcome.run, outcome.tlc
    verdict = found.verdict
    if verdict == "violated":
        verdict = f"{found.violated_property} violated, {found.trace_length} steps"
    counts = ["", "", ""]
    if found.verdict == "holds":
        counts = [f"{found.distinct_states:,}", f"{found.transitions:,}", str(found.depth)]
    as_expected = "; ".join(outcome.differences) or "as expected"
    return [run.name, " ".join((*run.readings, *run.settings)), verdict, *counts, f"{found.seconds:.1f}", as_expected]
