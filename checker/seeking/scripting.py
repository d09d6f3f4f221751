"""A recorded run as a scripted scenario: all runs that make the same sends and receive in the same order as far as a
script can say it (`checker.scenario`). The recorded run is one of them."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import UsageError
from ..history import MessageId
from ..result import ReceiveEvent, SendEvent
from ..trace import Trace
from ..trace.values import Value, printable


def scenario_of(trace: Trace) -> str:
    """The text of the scenario. Raises UsageError for a run without any send."""
    names = _names(trace)
    if not names:
        raise UsageError("the trace has no send, and a scenario needs one message or more")
    lines = [*_header(trace), f"processes {trace.bounds.processes}"]
    lines += _sends(trace, names)
    lines += _arrivals(trace, names)
    return "\n".join(lines) + "\n"


def _names(trace: Trace) -> dict[MessageId, str]:
    """m1, m2, ... in the order of the sends."""
    sends = [step.id for step in trace.steps if isinstance(step.event, SendEvent) and step.id is not None]
    return {id: f"m{number}" for number, id in enumerate(sends, 1)}


def _header(trace: Trace) -> Iterator[str]:
    chosen = [f"--reading {id}{letter}" for id, letter in sorted(trace.readings.items())]
    chosen += [f"--set '{setting}={_value(value)}'" for setting, value in sorted(trace.settings.items())]
    if trace.violation is None:
        yield f"# A run of {_line(trace.model)}."
    else:
        yield f"# {_line(trace.violation.property)} of {_line(trace.model)}: {_line(trace.violation.explanation)}."
    yield f"# precede check {_line(trace.model)} --scenario FILE{_options(trace)} {_line(' '.join(chosen))}".rstrip()


def _value(value: Value) -> str:
    """A parameter as `--set` takes it: a number, or sets such as 1,2;2,3."""
    if not isinstance(value, list):
        return str(value)
    return ";".join(",".join(map(str, part["set"])) for part in value if isinstance(part, dict))


def _line(text: str) -> str:
    return printable(text).replace("\n", " ")


def _options(trace: Trace) -> str:
    """The options of `precede check` that a scenario does not say."""
    bounds = trace.bounds
    given = [("--channel", bounds.channel), ("--self", bounds.self_addressed)]
    given += [
        (option, str(most))
        for option, most in zip(("--duplicate", "--lose", "--crash", "--restart"), bounds.faults, strict=True)
        if most
    ]
    if trace.violation is not None:
        given.append(("--property", _line(trace.violation.property)))
    return "".join(f" {option} {value}" for option, value in given)


def _sends(trace: Trace, names: dict[MessageId, str]) -> Iterator[str]:
    """One line for each send, with what its sender has delivered since its last send."""
    delivered: dict[int, list[MessageId]] = {}
    for step in trace.steps:
        if isinstance(step.event, SendEvent) and step.message is not None and step.id is not None:
            sender = step.event.process
            known = [names[id] for id in delivered.pop(sender, []) if id[0] != sender]
            to = ", ".join(map(str, sorted(step.message.dests)))
            yield f"{names[step.id]}: {sender} -> {to}" + (f" after {', '.join(known)}" if known else "")
        for id, at in step.delivered:
            delivered.setdefault(at, []).append(id)


def _arrivals(trace: Trace, names: dict[MessageId, str]) -> Iterator[str]:
    """One line for each process that receives in the run and gets two messages or more: in the order of the receipts,
    then those that it does not receive. On FIFO channels what is overtaken has arrived too, and waits."""
    dests = {step.id: step.message.dests for step in trace.steps if step.message is not None and step.id in names}
    for p in range(1, trace.bounds.processes + 1):
        received = [
            step.event.message
            for step in trace.steps
            if isinstance(step.event, ReceiveEvent) and step.event.process == p and step.event.message is not None
        ]
        sent = [id for id in names if p in dests[id]]
        order: dict[MessageId, None] = {}
        for id in received:
            older = [other for other in sent if other[0] == id[0] and other[1] < id[1]]
            order.update(dict.fromkeys([*(older if trace.bounds.channel == "fifo" else []), *({id} & set(sent))]))
        if order:
            order.update(dict.fromkeys(sent))
        if len(order) > 1:
            yield f"arrive at {p}: {', '.join(names[id] for id in order)}"
