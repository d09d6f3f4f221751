"""The baselines, and the two ends of every comparison."""

from __future__ import annotations

from typing import Any

from ..mapping import Image, Shape, value_of
from ..values import Value, function, record


def _vectors(pairs: Any, processes: int = 0) -> Value:
    """V of SES, a function from destinations to vectors, from its pairs."""
    return function(pairs)


def _ses_variables(state: Any) -> Image:
    return {"T": state.T, "V": _vectors(state.V)}


def _ses_control(control: Any, processes: int) -> Value:
    return record(tm=control.tm, V=_vectors(control.V))


def _clocks(V: Any, processes: int = 0) -> Value:
    """V[g][x] for each group g and each member x of it; vectors of the model have all processes."""
    return function((g, function((x, V_g[x - 1]) for x in g)) for g, V_g in V)


def _kimkim_variables(state: Any) -> Image:
    graph = frozenset(record(id=id, DP=DP) for id, DP in state.graph)
    return {"V": state.V, "DP": state.DP, "graph": graph}


def _psync_variables(state: Any) -> Image:
    """G without the number of participants, its messages with those that they name."""
    return {"G": frozenset(record(msg=value_of(message), named=value_of(named)) for message, named in state.G)}


def _history(past: Any, processes: int = 0) -> Value:
    sent = frozenset(record(msg=value_of(message), before=before) for message, before in past.sent)
    return record(sent=sent, delivered=past.delivered)


SHAPES: dict[str, Shape] = {
    "ses": Shape(_ses_variables, _ses_control),
    "bss-groups": Shape(lambda state: {"V": _clocks(state.V)}, _clocks),
    "kimkim": Shape(_kimkim_variables),
    "psync": Shape(_psync_variables),
    "oracle": Shape(lambda state: {"History": _history(state.past)}, _history),
}
