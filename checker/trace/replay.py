"""Executing a trace again with the model of today: does it still do the same, and is it still wrong?"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Any

from ..calls import ModelCalls
from ..errors import HOLDS, VIOLATED, UsageError
from ..formats import REPLAY
from ..loading import LoadedModel, load_model
from ..run import ImpossibleStep, Run
from ..scenario import parse_scenario
from .comparing import between, difference
from .data import Trace
from .recording import record_step
from .rejudge import AT_DELIVERIES, Loop, broken_at_end
from .settings import with_settings
from .text import plural
from .values import encode, printable, same

_BUILT_IN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(@[a-z-]+)?")


@dataclass(frozen=True)
class ReplayResult:
    """How the replay compares with the trace.

    `same`: every step was possible and gave the same packets, deliveries, waits and state. `step` is the number of the
    first step that differs (0: an initial state) and `difference` what differs there. `violation` says of the recorded
    violation: "there", "gone", "not judged" (a user's own property, or a run that could not be finished) or "none
    recorded". `exit_code`: 0 when the replay is the same and the violation is not gone, 12 otherwise.
    """

    same: bool
    steps: int
    step: int | None
    difference: str | None
    violation: str
    explanation: str
    exit_code: int

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `precede trace replay --json`."""
        return REPLAY.document(**asdict(self))


@dataclass
class _Comparison:
    """What a replay has found so far."""

    step: int | None = None
    difference: str | None = None
    finished: bool = True
    wrong: frozenset[str] = frozenset()
    loop: Loop = field(default_factory=Loop)

    def differs(self, step: int, difference: str | None) -> None:
        """Keep the first difference."""
        if difference is not None and self.difference is None:
            self.step, self.difference = step, difference


def replay(trace: Trace, model: str | None = None) -> ReplayResult:
    """Execute `trace` again, with the built-in model that it names, or with the model that the user names.

    Code is never loaded because a file says so: a trace of a user's own model needs `model`, path/to/file.py:Class.
    Raises UsageError without it, and whatever loading the model or parsing the scenario raises.
    """
    loaded = reload(trace, model)
    scenario = None if trace.scenario is None else parse_scenario(trace.scenario[1], printable(trace.scenario[0]))
    run = Run(ModelCalls(loaded, trace.bounds), trace.bounds, scenario)
    found = _compare(trace, run)
    return _result(trace, found, _violation(trace, run, found))


def reload(trace: Trace, model: str | None = None) -> LoadedModel:
    """The model of a trace with its readings and parameters; `model`, if given, is what the user calls it.

    Raises UsageError where a file would have to be run that only the trace names.
    """
    if model is None and not _BUILT_IN_NAME.fullmatch(trace.model):
        raise UsageError(
            f"the trace is of a model of your own, {printable(trace.model)[:200]!r}; code is not run because a file "
            "names it: give --model path/to/file.py:Class"
        )
    loaded = load_model(model or trace.model, [f"{id}{letter}" for id, letter in trace.readings.items()])
    return with_settings(loaded, trace.settings)


def _compare(trace: Trace, run: Run) -> _Comparison:
    found = _Comparison()
    for process, recorded in enumerate(trace.initial, 1):
        now = encode(run.locals[process].state)
        if not same(now, recorded):
            found.differs(0, f"the initial state of process {process}: {between(recorded, now)}")
    if trace.loop == 0:
        found.loop.see(run, None)
    for number, old in enumerate(trace.steps, 1):
        try:
            taken = run.apply(old.event)
        except ImpossibleStep as error:
            found.differs(number, str(error))
            found.finished = False
            return found
        found.wrong |= taken.wrong
        if trace.loop is not None and number >= trace.loop:
            found.loop.see(run, taken if number > trace.loop else None)
        found.differs(number, difference(old, record_step(run.calls.model, taken)))
    return found


def _violation(trace: Trace, run: Run, found: _Comparison) -> str:
    if trace.violation is None:
        return "none recorded"
    if not found.finished:
        return "not judged"
    property = trace.violation.property
    if property in AT_DELIVERIES:
        return "there" if property in found.wrong else "gone"
    broken = broken_at_end(run, property)
    if broken is not None and trace.loop is not None:
        broken = found.loop.starves(run) if property == "Delivery" else None
    return "not judged" if broken is None else "there" if broken else "gone"


def _result(trace: Trace, found: _Comparison, violation: str) -> ReplayResult:
    is_same = found.difference is None
    if is_same:
        text = (
            f"the same: all {plural(len(trace.steps), 'step')} give the recorded packets, deliveries, waits and states"
        )
    else:
        label = f"step {found.step} ({trace.steps[found.step - 1].label})" if found.step else "the start"
        text = f"different from {label} on: {found.difference}"
    if trace.violation is not None:
        property = printable(trace.violation.property)
        text += {
            "there": f"; {property} is still violated",
            "gone": f"; {property} is not violated in this run",
            "not judged": f"; {property} could not be judged on this run",
        }[violation]
    code = HOLDS if is_same and violation != "gone" else VIOLATED
    return ReplayResult(is_same, len(trace.steps), found.step, found.difference, violation, text, code)
