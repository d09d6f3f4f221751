"""TLC's counterexample as a schedule of ours, executed step by step and held against TLC's states."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from ..bounds import Bounds
from ..calls import ModelCalls
from ..engine.decoding import Transit, WholeState
from ..errors import SpecificationError
from ..result import Event, Schedule
from ..run import Run
from .mapping import Image, image_of
from .symmetry import namings


def schedule_of(calls: ModelCalls, bounds: Bounds, trace: Sequence[Image], loop: int | None = None) -> Schedule:
    """The schedule whose states are those of TLC's `trace`, initial state first; with `loop` one more step, back to the
    state after so many steps.

    Where TLC took processes for interchangeable, a run that differs in their names only. Raises SpecificationError
    where a step of TLC is no step of the Python model.
    """
    run = Run(calls, bounds)
    if _image(run) not in namings(trace[0]):
        raise SpecificationError(f"TLC's initial state is not that {_of_the_model(calls)}")
    events: list[Event] = []
    for wanted in [*trace[1:], *([] if loop is None else [trace[loop]])]:
        event, run = _step_to(run, wanted, len(events) + 1)
        events.append(event)
    return tuple(events)


def _step_to(run: Run, wanted: Image, number: int) -> tuple[Event, Run]:
    """The first step that leads to a state, and the run with it; a state has all that matters for what follows."""
    images = list(namings(wanted))
    for event in run.enabled():
        after = _branch(run)
        after.apply(event)
        if _image(after) in images:
            return event, after
    raise SpecificationError(f"step {number} of TLC's counterexample is no step {_of_the_model(run.calls)}")


def _of_the_model(calls: ModelCalls) -> str:
    return f"of the Python model {calls.loaded.name}: compare them with --states"


def _branch(run: Run) -> Run:
    """The same run, to be continued in another way."""
    other = copy(run)
    other.locals, other.in_transit, other.faults = dict(run.locals), dict(run.in_transit), dict(run.faults)
    return other


def _image(run: Run) -> Image:
    return image_of(run.calls.loaded.name, whole_state(run), run.bounds.channel)


def whole_state(run: Run) -> WholeState:
    """The global state that a run has reached."""
    locals_ = tuple((local.state, local.past, local.held, local.earlier) for local in run.locals.values())
    transit = tuple(Transit(t.packet, t.sent) for t in run.in_transit.values())
    return WholeState(locals_, transit, tuple(run.faults.values()))
