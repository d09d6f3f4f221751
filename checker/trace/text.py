"""A trace as plain text: the steps, numbered, with the states in the names of the paper."""

from __future__ import annotations

from ..errors import UsageError
from ..run import Copy
from .data import Trace, TraceStep, name
from .values import Value, differences, printable, show_fields, show_named


def show(trace: Trace, differences: bool = False, process: int | None = None) -> str:
    """The trace as text: whole states, or with `differences` only what each step changed in its process.

    `process` shows the steps of that process alone, with their numbers in the whole run. Raises UsageError for a
    process that the trace does not have.
    """
    return "\n".join([*heading(trace), "", show_run(trace, differences, process)])


def show_run(trace: Trace, differences: bool = False, process: int | None = None) -> str:
    """The text of `show` without its heading: initial states, steps, and what is wrong at the end."""
    processes = range(1, trace.bounds.processes + 1)
    if process is not None and process not in processes:
        raise UsageError(f"--process {process}: the processes of this trace are 1 to {trace.bounds.processes}")
    lines = ["Initial states"]
    for p in processes if process is None else [process]:
        lines += _state(f"  process {p}", trace.initial[p - 1])
    lines.append("")
    for number, step in enumerate(trace.steps, 1):
        if process in (None, step.process):
            lines += _step(trace, number, step, differences)
    if process is None and trace.violation:
        lines += _ending(trace)
    return "\n".join(lines).rstrip()


def heading(trace: Trace) -> list[str]:
    """What the trace is of, a line each: model and readings, bounds, property and explanation."""
    readings = " ".join(f"{id}{letter}" for id, letter in trace.readings.items())
    lines = [f"{printable(trace.title) or 'model'} ({printable(trace.model)})"]
    if readings:
        lines.append(f"readings {printable(readings)}")
    lines.append(system(trace))
    if trace.scenario is not None:
        lines.append(f"scenario {printable(trace.scenario[0])}")
    if trace.violation:
        lines.append(f"violates {printable(trace.violation.property)}: {printable(trace.violation.explanation)}")
    lines.append(f"{plural(len(trace.steps), 'step')}, found by {printable(trace.source)}, {printable(trace.tool)}")
    return lines


def system(trace: Trace) -> str:
    """The system around the model, in one line."""
    bounds = trace.bounds
    own = f" ({bounds.sends_per_process} a process)" if bounds.sends_per_process else ""
    return (
        f"{bounds.processes} processes, at most {plural(bounds.sends, 'send')}{own}, {bounds.dests}, "
        f"channels {bounds.channel}, self-addressed messages {bounds.self_addressed}"
    )


def plural(count: int, noun: str) -> str:
    """The count with its noun: "1 step", "2 steps"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _step(trace: Trace, number: int, step: TraceStep, only_changes: bool) -> list[str]:
    lines = [f"{number:>3}  {step.label}{_alternative(step)}"]
    lines += [f"       packet to {p.to}: {show_named(p.control)}{_size(p.units, p.bytes)}" for p in step.packets]
    if step.is_send and step.delivered:
        lines.append(f"       delivers its own copy of {name(step.id)} at once")
    if step.waiting:
        lines.append(f"       waiting: {_copies(step.waiting)}")
    if only_changes:
        changes = differences(trace.state_before(number - 1), step.state)
        return [*lines, *(f"       {printable(field)}: {change}" for field, change in changes), ""]
    return [*lines, *_state("", step.state), ""]


def _state(title: str, state: Value) -> list[str]:
    lines = [title] if title else []
    fields = show_fields(state)
    width = max(len(printable(field)) for field, _ in fields)
    return lines + [f"       {printable(field):<{width}} = {value}" for field, value in fields]


def _ending(trace: Trace) -> list[str]:
    violation = trace.violation
    assert violation is not None
    left = sorted({(step.id, p.to) for step in trace.steps for p in step.packets}
                  - {(step.id, step.process) for step in trace.steps if not step.is_send})  # fmt: skip
    lines = [f"Here {printable(violation.property)} is violated: {printable(violation.explanation)}"]
    return [*lines, f"Still in transit: {_copies(tuple(left))}"] if left else lines


def _alternative(step: TraceStep) -> str:
    return f"  (alternative {step.event.alternative} of the model's steps)" if step.event.alternative else ""


def _size(units: int | None, size: int | None) -> str:
    parts = [plural(units, "unit")] if units is not None else []
    parts += [plural(size, "byte")] if size is not None else []
    return f"  ({', '.join(parts)})" if parts else ""


def _copies(copies: tuple[Copy, ...]) -> str:
    return ", ".join(f"{name(message)} at {at}" for message, at in copies)
