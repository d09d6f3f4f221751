"""A trace as a TLA+ module.

Where the model has a specification, the module is one that TLC follows: it extends the specification, and its only
behaviour is the recorded one, as far as the specification allows it (`TraceSpec`, as in the trace modules that TLC
writes). For other models it is a constant: the sequence `Trace` of the states.
"""

from __future__ import annotations

import re
from typing import Any

from ..calls import ModelCalls
from ..errors import PrecedeError, UsageError
from ..run import Run
from ..tlc.configuration import configuration, require_specification
from ..tlc.declared import MODULES, require_counterpart
from ..tlc.mapping import image_of
from ..tlc.schedule import whole_state
from ..tlc.validating import following
from ..tlc.values import Function, Value, function, record, show
from ..trace.data import Trace
from ..trace.replay import reload
from ..trace.values import Value as Encoded
from ..trace.values import printable
from .states import GlobalState, global_states

MODULE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")


def tla(trace: Trace, module: str) -> tuple[str, str | None]:
    """The module of this name as text, and the configuration that TLC needs for it; None where there is nothing to
    follow. Raises UsageError for a name that TLA+ does not allow."""
    if not MODULE.fullmatch(module):
        raise UsageError(f"{module!r} is no name of a TLA+ module: letters, digits and _, a letter first")
    try:
        return _followed(trace, module)
    except PrecedeError:
        return _constant(trace, module), None


def _followed(trace: Trace, module: str) -> tuple[str, str]:
    """Raises a PrecedeError where there is no specification of this model, these readings and bounds."""
    require_specification(trace.model, (), trace.scenario)
    loaded = reload(trace)
    require_counterpart(trace.model, loaded.readings, trace.bounds, loaded.settings)
    run = Run(ModelCalls(loaded, trace.bounds), trace.bounds)
    images = [image_of(trace.model, whole_state(run), trace.bounds.channel)]
    for event in trace.schedule:
        run.apply(event)
        images.append(image_of(trace.model, whole_state(run), trace.bounds.channel))
    text = following(MODULES[trace.model], images, module, "Trace")
    cfg = configuration(trace.model, loaded.readings, trace.bounds, ("TypeOK",), settings=loaded.settings)
    return _commented(trace, text), cfg.replace("SPECIFICATION Spec", "SPECIFICATION TraceSpec")


def _constant(trace: Trace, module: str) -> str:
    states = ",\n".join(f"    {show(_state(state))}" for state in global_states(trace))
    text = f"---- MODULE {module} ----\nEXTENDS Integers, Sequences, TLC\nTrace == <<\n{states}>>\n====\n"
    return _commented(trace, text)


def _commented(trace: Trace, text: str) -> str:
    """The module with what it is of above it; TLA+ ignores what comes before a module."""
    said = f"{trace.title} ({trace.model}), {len(trace.steps)} steps, found by {trace.source}"
    return f"{_plain(said)}\n{text}"


def _plain(said: str) -> str:
    """A line of ASCII, which is all that TLA+ knows, that cannot be taken for the beginning of a module."""
    return re.sub(r"-{2,}", "-", _ascii(said))


def _ascii(text: str) -> str:
    return printable(text).encode("ascii", "replace").decode()


def _state(state: GlobalState) -> Function:
    return record(
        step=state.number,
        action="initial state" if state.step is None else _plain(state.step.label),
        states=tuple(map(_value, state.states)),
        delivered=frozenset(state.delivered),
        transit=frozenset((p.sender, p.to, p.message or "signal", _value(p.control)) for p in state.in_transit),
    )


def _value(encoded: Encoded) -> Value:
    """An encoded value as TLA+ has it."""
    if encoded is None:
        return "none"
    if isinstance(encoded, list):
        return tuple(map(_value, encoded))
    if isinstance(encoded, str):
        return _ascii(encoded)
    if isinstance(encoded, float):
        return repr(encoded)
    return _compound(encoded) if isinstance(encoded, dict) else encoded


def _compound(encoded: dict[str, Any]) -> Value:
    if len(encoded) == 1:
        kind, content = next(iter(encoded.items()))
        if kind == "set" and isinstance(content, list):
            return frozenset(map(_value, content))
        if kind == "map" and isinstance(content, list):
            return function((_value(key), _value(item)) for key, item in content)
        if kind == "int" and isinstance(content, str):
            return int(content, 16)
        if kind == "text" and isinstance(content, str):
            return _ascii(content)
    if all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) for name in encoded):
        return record(**{name: _value(part) for name, part in encoded.items()})
    return tuple((_ascii(name), _value(part)) for name, part in encoded.items())
