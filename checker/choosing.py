"""Which engine answers a question: histories where they apply, global states elsewhere and for what is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from .bounds import Bounds
from .calls import ModelCalls
from .engine import Limits, explore
from .errors import UsageError
from .histories import FailedCall, explore_histories, why_not
from .progress import Progress
from .properties import UserProperty
from .result import Result
from .scenario import Scenario
from .symmetric import require_alike

ENGINES = ("auto", "histories", "states")


CALLED_IN_NO_RUN = "a call that no run makes failed by histories, so these are global states"
"""Why global states were explored."""


def examine(
    calls: ModelCalls,
    bounds: Bounds,
    properties: tuple[str | UserProperty, ...],
    *,
    engine: str = "auto",
    search: str = "bfs",
    keep: str = "rows",
    limits: Limits | None = None,
    scenario: Scenario | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    seed: int = 0,
    walks: int = 10_000,
    symmetry: bool = False,
) -> Result:
    """Judge the properties with the engine named, or with the one that fits.

    `auto` takes histories where the model and the bounds allow it and nothing is asked of the search itself; what they
    leave undecided (Delivery where a message is held back needlessly, apparent violations) is put to the state engine.
    `keep` (rows, fingerprints) is what the state engine remembers; with `symmetry` it keeps fingerprints of orbits.
    Raises UsageError where the engine named does not apply.
    """
    limits = limits or Limits()
    asks_of_search = search != "bfs" or limits.states is not None or keep != "rows"
    if engine == "histories" and (search != "bfs" or scenario is not None):
        raise UsageError("--engine histories has no --search and no --scenario: it explores no single runs")
    if engine == "histories" and keep != "rows":
        raise UsageError(f"--engine histories keeps no global states, and so no {keep}: --engine states does")
    if symmetry:
        require_alike(calls, bounds, properties, scenario)
    kept = "orbits" if symmetry else keep
    started = time.monotonic()
    by_states = engine == "states" or (
        engine == "auto" and (asks_of_search or not calls.model.direct or why_not(calls, bounds, scenario) is not None)
    )
    if by_states:
        return explore(
            calls, bounds, properties, search=search, keep=kept, limits=limits, scenario=scenario,
            on_progress=on_progress, seed=seed, walks=walks,
        )  # fmt: skip
    try:
        result = explore_histories(
            calls, bounds, properties, limits=limits, on_progress=on_progress, by_symmetry=symmetry
        )
    except FailedCall:
        if engine == "histories":
            raise
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.001, limits.seconds - (time.monotonic() - started)))
        calls.forget_marks()
        states = explore(calls, bounds, properties, keep=kept, limits=limits, on_progress=on_progress)
        return replace(states, notes=(*states.notes, CALLED_IN_NO_RUN))
    undecided = [p.name for p in result.properties if p.verdict == "incomplete"]
    if engine == "histories" or result.stopped is not None or not undecided:
        return result
    left = tuple(item for item in properties if (item if isinstance(item, str) else item.name) in undecided)
    if limits.seconds is not None:
        limits = replace(limits, seconds=max(0.001, limits.seconds - result.seconds))
    calls.forget_marks()  # those of the histories may be of calls that no run makes
    return _joined(result, explore(calls, bounds, left, limits=limits, on_progress=on_progress))


def _joined(histories: Result, states: Result) -> Result:
    """The verdicts of both engines: those of the second where it was asked."""
    judged = {p.name: p for p in states.properties}
    properties = tuple(judged.get(p.name, p) for p in histories.properties)
    return replace(
        histories,
        properties=properties,
        complete=all(p.verdict != "incomplete" for p in properties),
        stopped=states.stopped if any(p.verdict == "incomplete" for p in properties) else None,
        distinct_states=states.distinct_states,
        transitions=states.transitions,
        depth=states.depth,
        seconds=histories.seconds + states.seconds,
        peak_memory_bytes=states.peak_memory_bytes,
        labels=states.labels,
        notes=(*histories.notes, f"{', '.join(judged)}: judged on global states (engine states)"),
    )
