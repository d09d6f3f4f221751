"""RST, KS, Jang, GK and SA."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..mapping import Image, Shape, as_it_is
from ..values import Value, record


def entries(log: Iterable[Any], processes: int = 0) -> Value:
    """A log, {[s, t, D]}, from its entries ((s, t), D)."""
    return frozenset(record(s=s, t=t, D=D) for (s, t), D in log)


def ks_variables(state: Any) -> Image:
    """clock and SR as they are, LOG as a set of records."""
    return {"clock": state.clock, "SR": state.SR, "LOG": entries(state.LOG)}


def _components(CI: Iterable[Any], processes: int) -> Value:
    """CI[k] is the set of [t, D] for the tuples (k, t, D)."""
    tuples = list(CI)
    return tuple(frozenset(record(t=t, D=D) for k, t, D in tuples if k == sender) for sender in range(1, processes + 1))


def _jang_variables(state: Any) -> Image:
    return {"tau": state.tau, "CI": _components(state.CI, len(state.DLV)), "DLV": state.DLV}


def _jang_control(control: Any, processes: int) -> Value:
    return record(CI=_components(control.CI, processes), DC=control.DC)


def _gk_control(control: Any, processes: int) -> Value:
    """A vector that is not carried is all 0."""
    zero = (0,) * processes
    return record(SP=control.SP, SC=control.SC, MCV=control.MCV or zero, ECV=control.ECV or zero)


SHAPES = {
    "rst": Shape(lambda state: {"SENT": state.SENT, "DELIV": state.DELIV}, as_it_is),
    "ks": Shape(ks_variables, entries),
    "jang": Shape(_jang_variables, _jang_control),
    "gk": Shape(control=_gk_control),
}
