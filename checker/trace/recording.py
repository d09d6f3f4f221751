"""Executing a schedule and recording what every step does."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from precede.models import Model

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ConfigurationError, ModelError
from ..packet_size import size_of
from ..result import Schedule, Witness
from ..run import Run, StepTaken, Transit
from ..scenario import Scenario
from .data import MOST_STEPS, Trace, TracePacket, TraceState, TraceStep, Violation, Waiting
from .values import encode


def record(
    calls: ModelCalls,
    bounds: Bounds,
    schedule: Schedule,
    *,
    property: str | None = None,
    witness: Witness | None = None,
    scenario: Scenario | None = None,
    source: str = "precede check",
) -> Trace:
    """Execute `schedule` and record it.

    `property` and `witness` say what the run violates; without `property` the trace has no violation. Raises
    ImpossibleStep where the schedule is not a run, ModelError where the model fails, ConfigurationError for a run of
    more than `MOST_STEPS` steps.
    """
    if len(schedule) > MOST_STEPS:
        raise ConfigurationError(
            f"a run of {len(schedule)} steps is too long for a trace; at most {MOST_STEPS} are kept"
        )
    run = Run(calls, bounds, scenario)
    initial = tuple(encode(run.locals[p].state) for p in run.processes)
    steps = tuple(record_step(calls.model, run.apply(event)) for event in schedule)
    return Trace(
        tool=_tool(),
        source=source,
        model=calls.loaded.name,
        title=type(calls.model).title,
        readings=dict(sorted(calls.loaded.readings.items())),
        bounds=bounds,
        scenario=None if scenario is None else (scenario.name, scenario.text),
        violation=_violation(property, witness),
        initial=initial,
        steps=steps,
        settings={name: encode(getattr(calls.model, name)) for name in sorted(type(calls.model).parameters())},
    )


def record_step(model: Model, taken: StepTaken) -> TraceStep:
    """One executed step as a step of a trace."""
    if not isinstance(taken.called, str):
        raise ModelError(f"{type(model).__name__} calls a step {taken.called!r}: give a text as its name")
    return TraceStep(
        event=taken.event,
        message=taken.message,
        taken=taken.taken.number if taken.taken else None,
        called=taken.called,
        packets=tuple(_packet(model, transit, transit.number in taken.met) for transit in taken.transmitted),
        delivered=tuple(((m.sender, m.number), process) for m, process in taken.deliveries),
        waiting=tuple(Waiting(t.number, *t.copy) for t in taken.waiting),
        held=taken.held,
        states=tuple(TraceState(p, encode(state), p in taken.down) for p, state in taken.states),
    )


def _packet(model: Model, transit: Transit, met: bool) -> TracePacket:
    packet = transit.packet
    return TracePacket(
        number=transit.number,
        sender=packet.sender,
        to=packet.to,
        message=transit.message,
        control=encode(packet.control),
        units=size_of(model, "units", packet),
        bytes=size_of(model, "bytes", packet),
        met=met,
    )


def _violation(property: str | None, witness: Witness | None) -> Violation | None:
    if property is None:
        return None
    if witness is None:
        return Violation(property, "")
    return Violation(property, witness.explanation, witness.process, witness.message, witness.before, witness.loop)


def _tool() -> str:
    try:
        return f"precede {version('precede')}"
    except PackageNotFoundError:
        return "precede"
