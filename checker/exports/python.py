"""A trace as a short Python program that takes the run again and checks that it is still wrong."""

from __future__ import annotations

from precede.models.catalog import CATALOG
from precede.models.wrapped import WRAPPERS

from ..bounds import Bounds
from ..claims import CLAIMS
from ..errors import UsageError
from ..result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, SendEvent
from ..trace.data import Trace
from ..trace.rejudge import AT_DELIVERIES
from ..trace.values import printable

_HEAD = '''"""{title}

{steps}{violation}
"""

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.event_text import describe
from precede.checker.loading import load_model
from precede.checker.properties import select_properties
from precede.checker.result import {events}
from precede.checker.run import Run
from precede.checker.seeking.judging import Judge
{more}
bounds = {bounds}
model = load_model({model!r}, {readings!r}, {settings!r})
run = Run(ModelCalls(model, bounds), bounds{scenario})
schedule = [
{schedule}
]

judge = Judge(select_properties({judged!r}, model.model, {model!r}))
wrong = set(judge.wrong_at_start(run))
for number, event in enumerate(schedule, 1):
    before = dict(run.locals)
    taken = run.apply(event)
    wrong |= judge.wrong_after(run, before, taken)
    print(number, describe(event, taken.message, taken.called), "| delivers", [m[:2] for m in taken.delivered])
for process, state in run.states.items():
    print("process", process, state)
'''


def python(trace: Trace, model: str | None = None) -> str:
    """The program as text. Raises UsageError for a model that is not one of precede's own, unless `model` names it."""
    base, _, wrapper = trace.model.partition("@")
    if model is None and (base not in CATALOG or (wrapper and wrapper not in WRAPPERS)):
        raise UsageError(
            f"the trace is of {printable(trace.model)[:200]!r}, which is none of precede's own models; a program runs "
            "what it names: give --model path/to/file.py:Class"
        )
    text = _HEAD.format(
        title=_plain(trace.title or trace.model),
        steps=f"{len(trace.steps)} steps, found by {_plain(trace.source)}",
        violation=f". {_plain(trace.violation.property)}: {_plain(trace.violation.explanation)}"
        if trace.violation
        else "",
        events=", ".join(sorted({type(event).__name__ for event in trace.schedule} or {"SendEvent"})),
        more=_scenario_import(trace),
        bounds=_bounds(trace.bounds),
        model=model or trace.model,
        readings=[f"{id}{letter}" for id, letter in trace.readings.items()],
        settings=[f"{name}={_setting(value)}" for name, value in trace.settings.items() if value != []],
        scenario=", scenario" if trace.scenario else "",
        schedule="\n".join(f"    {_event(event)}," for event in trace.schedule),
        judged=list(dict.fromkeys([*AT_DELIVERIES, *_judged(trace)])),
    )
    return text + _judgement(trace)


def _judged(trace: Trace) -> list[str]:
    """The property that the run violates, where it is judged after each step: not that of a run which goes on for ever,
    nor the user's own, whose file a program would run because a trace names it."""
    property = trace.violation.property if trace.violation else None
    return [property] if property in {*AT_DELIVERIES, "NoNeedlessDelay", "Minimality", *CLAIMS} else []


def _judgement(trace: Trace) -> str:
    """The last lines: is the run still wrong?"""
    if trace.violation is not None and trace.violation.property == "Delivery" and trace.loop is None:
        return "assert run.undelivered() and not run.moves()\n"
    return "".join(f"assert {property!r} in wrong\n" for property in _judged(trace))


def _scenario_import(trace: Trace) -> str:
    if trace.scenario is None:
        return ""
    name, text = trace.scenario
    parsed = f"parse_scenario({text!r}, {printable(name)!r})"
    return f"from precede.checker.scenario import parse_scenario\n\nscenario = {parsed}"


def _bounds(bounds: Bounds) -> str:
    usual = Bounds()
    fields = {
        name: value
        for name, value in vars(bounds).items()
        if value != getattr(usual, name) or name in ("processes", "sends")
    }
    return f"Bounds({', '.join(f'{name}={_source(value)}' for name, value in fields.items())})"


def _event(event: Event) -> str:
    """An event as the expression that makes it."""
    if isinstance(event, SendEvent):
        more = f", {event.alternative}" if event.alternative else ""
        return f"SendEvent({event.process}, {_source(event.dests)}{more})"
    if isinstance(event, ReceiveEvent):
        return f"ReceiveEvent({', '.join(_arguments(event, 2))})"
    if isinstance(event, FaultEvent):
        return f"FaultEvent({', '.join(_arguments(event, 2))})"
    if isinstance(event, InternalEvent | JointEvent):
        return f"{type(event).__name__}({', '.join(map(repr, event))})"
    raise AssertionError(event)


def _arguments(event: ReceiveEvent | FaultEvent, needed: int) -> list[str]:
    """The arguments without defaults at the end."""
    values, defaults = list(event), list(event._field_defaults.values())
    while len(values) > needed and values[-1] == defaults[len(values) - 1 - needed]:
        values.pop()
    return [repr(value) for value in values]


def _source(value: object) -> str:
    """A value of the bounds or of an event, sets in order."""
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(map(repr, sorted(value)))}}})" if value else "frozenset()"
    if isinstance(value, tuple):
        return f"({''.join(f'{_source(part)}, ' for part in value)})"
    return repr(value)


def _setting(value: object) -> str:
    """A parameter as `--set` has it."""
    if isinstance(value, list):
        return ";".join(",".join(map(str, part["set"])) for part in value)
    return str(value)


def _plain(text: str) -> str:
    """Text that can stand in a docstring."""
    return printable(text).replace("\\", "/").replace('"', "'")[:500]
