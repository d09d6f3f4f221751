"""A trace as plain text: the steps, numbered, with the states in the names of the paper."""

from __future__ import annotations

from collections.abc import Iterable

from ..bounds import Bounds
from ..errors import UsageError
from ..event_text import name, name_or_signal
from .data import Delivery, Trace, TracePacket, TraceStep, Waiting
from .journeys import in_transit_at_end
from .values import Value, differences, printable, show_fields, show_named
from .values import show as shown


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
        if number - 1 == trace.loop:
            lines += [f"{loop_in_words(trace)}, for ever:", ""]
        if process is None or process in step.processes:
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
    if trace.settings:
        settings = ", ".join(f"{name} = {shown(value)}" for name, value in trace.settings.items())
        lines.append(f"settings {printable(settings)}")
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
        f"{bounds.processes} processes, at most {plural(bounds.sends, 'send')}{own}, {_dests(bounds)}, "
        f"channels {bounds.channel}, self-addressed messages {bounds.self_addressed}{_faults(bounds)}"
    )


def _dests(bounds: Bounds) -> str:
    if bounds.dests != "groups":
        return bounds.dests
    return "groups " + " ".join(shown({"set": sorted(group)}) for group in bounds.groups)


def _faults(bounds: Bounds) -> str:
    nouns = ("duplicate", "loss", "crash", "restart")
    counts = [
        f"1 {noun}" if count == 1 else f"{count} {noun}{'s' if noun[-1] in 'et' else 'es'}"
        for noun, count in zip(nouns, bounds.faults, strict=True)
        if count
    ]
    return ", at most " + ", ".join(counts) if counts else ""


def plural(count: int, noun: str) -> str:
    """The count with its noun: "1 step", "2 steps"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def packet_name(packet: TracePacket) -> str:
    """A packet in a line: "packet to 3", "signal to 1", or "packet to 3 with 1.1" where the message does not tell."""
    return f"{'signal' if packet.message is None else 'packet'} to {packet.to}"


def waiting_names(waiting: Iterable[Waiting]) -> str:
    """Packets that wait: "2.1 at 3, signal at 1"."""
    return ", ".join(f"{name_or_signal(message)} at {at}" for _, message, at in waiting) or "none"


def _step(trace: Trace, number: int, step: TraceStep, only_changes: bool) -> list[str]:
    lines = [f"{number:>3}  {printable(step.label)}{_alternative(step)}"]
    new = step.packets if step.kind != "duplicate" else ()
    lines += [f"       {_packet(step, p)}: {show_named(p.control)}{_size(p.units, p.bytes)}" for p in new]
    if delivers := _delivers(step):
        lines.append(f"       {delivers}")
    if step.held:
        lines.append(f"       arrived and not delivered: {_copies(step.held)}")
    if step.waiting:
        lines.append(f"       waiting: {waiting_names(step.waiting)}")
    for state in step.states:
        title = f"       process {state.process}" if len(step.states) > 1 else ""
        if state.down:
            lines.append("       its state is lost")
        elif only_changes and step.kind != "restart":
            changes = differences(trace.state_before(number - 1, state.process), state.state)
            lines += [title] if title and changes else []
            lines += [f"       {printable(field)}: {change}" for field, change in changes]
        else:
            lines += _state(title, state.state)
    return [*lines, ""]


def _packet(step: TraceStep, packet: TracePacket) -> str:
    """A packet with what the step does not tell of it."""
    words = packet_name(packet)
    if packet.sender != step.process:
        words += f" from {packet.sender}"
    if packet.message not in (None, step.id):
        words += f" with {name_or_signal(packet.message)}"
    return f"{words}, received at once" if packet.met else words


def _delivers(step: TraceStep) -> str:
    """What a step delivers, unless it is just what it receives."""
    if step.kind == "receive" and step.delivered == ((step.id, step.process),):
        return ""
    if step.is_send and step.delivered == ((step.id, step.process),):
        return f"delivers its own copy of {name_or_signal(step.id)} at once"
    if not step.delivered:
        return "delivers nothing" if step.kind == "receive" and step.message is not None else ""
    alone = len(step.states) == 1
    return "delivers " + ", ".join(name(message) + ("" if alone else f" at {at}") for message, at in step.delivered)


def _state(title: str, state: Value) -> list[str]:
    lines = [title] if title else []
    fields = show_fields(state)
    width = max(len(printable(field)) for field, _ in fields)
    return lines + [f"       {printable(field):<{width}} = {value}" for field, value in fields]


def _ending(trace: Trace) -> list[str]:
    violation = trace.violation
    assert violation is not None
    lines = [f"Here {printable(violation.property)} is violated: {printable(violation.explanation)}"]
    if trace.loop is not None:
        lines.append(f"{loop_in_words(trace)}, for ever")
    left = [f"{name_or_signal(p.message)} at {p.to}" for p in in_transit_at_end(trace)]
    return [*lines, f"Still in transit: {', '.join(sorted(left))}"] if left else lines


def loop_in_words(trace: Trace) -> str:
    """Which steps a lasso repeats: "Steps 5 to 9 repeat"."""
    first, last = (trace.loop or 0) + 1, len(trace.steps)
    return f"Steps {first} to {last} repeat" if first < last else f"Step {first} repeats"


def _alternative(step: TraceStep) -> str:
    return f"  (alternative {step.alternative} of the model's steps)" if step.alternative else ""


def _size(units: int | None, size: int | None) -> str:
    parts = [plural(units, "unit")] if units is not None else []
    parts += [plural(size, "byte")] if size is not None else []
    return f"  ({', '.join(parts)})" if parts else ""


def _copies(copies: Iterable[Delivery]) -> str:
    return ", ".join(f"{name(message)} at {at}" for message, at in copies)
