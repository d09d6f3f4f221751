"""An ITF file as a trace: one that precede wrote, or the states of one of our specifications (Apalache, Quint).

The run is always taken by the Python model: what a file says of states is compared with what the model does, and a
violation is judged again, never believed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..calls import ModelCalls
from ..errors import EnvironmentProblem
from ..files import read_bytes
from ..formats import TRACE
from ..result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, SendEvent, Witness
from ..scenario import parse_scenario
from ..system import FAULTS
from ..tlc.mapping import Image
from ..tlc.values import Function, Value, function
from ..tlc.values import record as tla_record
from ..trace import Trace, record
from ..trace.data import MOST_STEPS
from ..trace.fields import Fields, Wrong
from ..trace.reading import parse_trace
from ..trace.replay import reload, replay
from ..trace.values import printable
from .itf import PARAMETERS, value

LARGEST_FILE = 64 * 2**20
DEEPEST = 200


def read_itf(path: Path) -> dict[str, Any]:
    """The JSON object of an ITF file. Raises EnvironmentProblem."""
    data = read_bytes(path, "trace", LARGEST_FILE)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise EnvironmentProblem(f"{path}: no ITF trace, since it is no JSON: {type(error).__name__}") from None
    states = found.get("states") if isinstance(found, dict) else None
    if not isinstance(states, list) or not states or not all(isinstance(state, dict) for state in states):
        raise EnvironmentProblem(f"{path}: no ITF trace: it has no list of states")
    if len(states) > MOST_STEPS + 1:
        raise EnvironmentProblem(f"{path}: {len(states)} states are too many for a trace; at most {MOST_STEPS} steps")
    return dict(found)


def is_ours(found: dict[str, Any]) -> bool:
    """Whether precede wrote an ITF file."""
    meta = found.get("#meta")
    return isinstance(meta, dict) and isinstance(meta.get("precede"), dict)


def from_ours(found: dict[str, Any], model: str | None = None) -> Trace:
    """The trace of an ITF file that precede wrote, taken again; `model` is what the user calls his own model.

    Raises EnvironmentProblem (a field is missing or wrong, the states are not those of the model, or a built-in
    property is not violated as the file says), UsageError (a model of the user's own that is not named), and what
    taking the run raises.
    """
    try:
        head = _head(found)
        schedule = tuple(
            _event(_record(state, f"states[{i}].event"), head.bounds.processes)
            for i, state in enumerate(found["states"][1:], 1)
        )
    except Wrong as error:
        raise EnvironmentProblem(f"not an ITF trace of precede: {error}") from None
    loaded = reload(head, model)
    scenario = None if head.scenario is None else parse_scenario(head.scenario[1], printable(head.scenario[0]))
    v = head.violation
    witness = None if v is None else Witness(schedule, v.explanation, v.process, v.message, v.before, v.loop)
    trace = record(
        ModelCalls(loaded, head.bounds), head.bounds, schedule, property=v.property if v else None, witness=witness,
        scenario=scenario, source=head.source,
    )  # fmt: skip
    _compare(trace, found)
    if v is not None and replay(trace, model).violation == "gone":
        raise EnvironmentProblem(f"the run of the ITF trace does not violate {printable(v.property)}")
    return trace


def _head(found: dict[str, Any]) -> Trace:
    """What `#meta` says of the run, as a trace without steps."""
    parameters = found["#meta"]["precede"]
    given = {field: parameters[field] for field in PARAMETERS if field in parameters}
    violation = given.get("violation")
    loop = None
    if isinstance(violation, dict):
        loop = violation.get("loop")
        given["violation"] = {**violation, "loop": None}  # a run without steps has none
    processes = given.get("bounds", {}).get("processes") if isinstance(given.get("bounds"), dict) else None
    if not isinstance(processes, int) or not 2 <= processes <= 62:
        raise Wrong("bounds.processes: must be an integer from 2 to 62")
    initial = [{"process": p, "state": None} for p in range(1, processes + 1)]
    trace = parse_trace(TRACE.document(**given, initial=initial, steps=[]))
    if loop is not None and trace.violation is not None:
        if type(loop) is not int or not 0 <= loop < len(found["states"]) - 1:
            raise Wrong("violation.loop: must be less than the number of steps")
        trace = replace(trace, violation=replace(trace.violation, loop=loop))
    return trace


def _record(state: dict[str, Any], where: str) -> Fields:
    """The record `event` of a state; other tools write its integers in their own way."""
    found = _value(state.get("event"), 0)
    if not isinstance(found, Function):
        raise Wrong(f"{where}: must be a record")
    fields = {str(name): sorted(part) if isinstance(part, frozenset) else part for name, part in found.pairs}
    return Fields(fields, where)


def _event(found: Fields, processes: int) -> Event:
    kind = found.text("kind")
    alternative = found.integer("alternative", 0, 10**6)
    if kind == "joint":
        return JointEvent(alternative)
    process = found.integer("process", 1, processes)
    if kind == "internal":
        return InternalEvent(process, alternative)
    if kind == "send":
        return SendEvent(process, frozenset(found.integers("dests", 1, processes)), alternative)
    sender, place = found.integer("sender", 0, processes) or None, found.integer("place", 0, 100_000)
    if kind == "receive":
        message = None if found.text("message") == "none" else found.message("message", processes)
        return ReceiveEvent(process, message, alternative, sender, place)
    if kind in FAULTS:
        return FaultEvent(kind, process, sender, place)
    raise Wrong(f"{found.where}.kind: must be send, receive, internal, joint or a fault")


def _compare(trace: Trace, found: dict[str, Any]) -> None:
    """Raises EnvironmentProblem where the states of the file are not those of the model."""
    from .states import global_states

    for state, theirs in zip(global_states(trace), found["states"], strict=True):
        ours = {"#map": [[p, value(own)] for p, own in enumerate(state.states, 1)]}
        if _value(theirs.get("states"), 0) != _value(ours, 0):
            raise EnvironmentProblem(
                f"state {state.number} of the ITF trace is not that of the model of today after the same steps"
            )


def images(found: dict[str, Any]) -> tuple[list[Image], int | None]:
    """The states of an ITF file as values of our specifications' variables, and where its loop returns to, from 0.

    Raises EnvironmentProblem for what is no ITF value.
    """
    loop = found.get("loop")
    if loop is not None and (type(loop) is not int or not 0 <= loop < len(found["states"])):
        raise EnvironmentProblem("the loop of the ITF trace is no state of it")
    return [
        {name: _value(part, 0) for name, part in state.items() if not name.startswith("#")} for state in found["states"]
    ], loop


def _value(found: Any, depth: int) -> Value:
    """An ITF value as TLC would print it; what cannot be written down is its text."""
    if depth > DEEPEST:
        raise EnvironmentProblem("a value of the ITF trace is nested too deeply")
    if isinstance(found, bool | int | str):
        return found
    if isinstance(found, list):
        return tuple(_value(part, depth + 1) for part in found)
    if not isinstance(found, dict):
        raise EnvironmentProblem(f"{found!r} is no value of an ITF trace"[:200])
    try:
        if "#bigint" in found:
            return int(found["#bigint"])
        if "#unserializable" in found:
            return str(found["#unserializable"])
        if "#tup" in found:
            return tuple(_value(part, depth + 1) for part in found["#tup"])
        if "#set" in found:
            return frozenset(_value(part, depth + 1) for part in found["#set"])
        if "#map" in found:
            return function((_value(key, depth + 1), _value(item, depth + 1)) for key, item in found["#map"])
    except (TypeError, ValueError):
        raise EnvironmentProblem(f"{json.dumps(found)[:100]} is no value of an ITF trace") from None
    return tla_record(**{name: _value(part, depth + 1) for name, part in found.items()})
