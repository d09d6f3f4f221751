"""A path of choices as a run: each choice is the place, from 0, of a step among those enabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import UsageError
from ..explained import explained
from ..page.others import enabled_steps
from ..result import Event, Schedule, Witness
from ..run import Run, StepTaken
from ..scenario import Scenario
from ..trace import Trace, record

LONGEST = 300
"""So many steps are taken by hand, at most."""
JUDGED = ("CausalOrder", "Integrity", "NoNeedlessDelay", "Minimality", "Delivery")
"""The properties, in this order: the first that the last step breaks is the violation of the run."""


@dataclass(frozen=True)
class Followed:
    """A run and, for the initial state and that after each step, what is enabled there, in words."""

    trace: Trace
    choices: tuple[tuple[str, ...], ...]


def follow(calls: ModelCalls, bounds: Bounds, scenario: Scenario | None, path: Sequence[int]) -> Followed:
    """The run that `path` takes. Raises UsageError for a path that names no enabled step, ModelError where the model
    fails."""
    if len(path) > LONGEST:
        raise UsageError(f"at most {LONGEST} steps are taken by hand")
    run = Run(calls, bounds, scenario)
    schedule: list[Event] = []
    choices: list[tuple[str, ...]] = []
    last: StepTaken | None = None
    for place in path:
        enabled = enabled_steps(run)
        if not 0 <= place < len(enabled):
            raise UsageError(f"step {len(schedule) + 1}: there is no choice {place}, {len(enabled)} steps are enabled")
        choices.append(tuple(other.label for other in enabled))
        schedule.append(enabled[place].event)
        last = run.apply(enabled[place].event)
    choices.append(tuple(other.label for other in enabled_steps(run)))
    property, witness = _violation(run, tuple(schedule), last)
    trace = record(
        calls, bounds, tuple(schedule), property=property, witness=witness, scenario=scenario, source="precede step"
    )
    return Followed(trace, tuple(choices))


def _violation(run: Run, schedule: Schedule, last: StepTaken | None) -> tuple[str | None, Witness | None]:
    """What is wrong at the end of the run; None and None where nothing is that the model claims."""
    from ..trace.rejudge import AT_DELIVERIES, broken_at_end

    if last is None:
        return None, None
    claims = {*run.calls.model.claims, *AT_DELIVERIES}
    for property in JUDGED:
        if property not in claims:
            continue
        is_broken = property in last.wrong if property in AT_DELIVERIES else broken_at_end(run, property)
        if is_broken:
            return property, explained(run, property, schedule, last)
    return None, None
