"""The variants of KS."""

from __future__ import annotations

from typing import Any

from ..mapping import Image, Shape, message_value, value_of
from ..values import Value, record
from .papers import entries, ks_variables


def _arrival_variables(state: Any) -> Image:
    """Those of KS, and the buffer as a set of [msg, O]."""
    waiting = (record(msg=message_value(copy.packet.message), O=entries(copy.packet.control)) for copy in state.buffer)
    return {**ks_variables(state.ks), "buffer": frozenset(waiting)}


def _sequence_variables(state: Any) -> Image:
    return {**_arrival_variables(state), "sent": state.sent, "last": state.last}


def _numbered(control: Any, processes: int) -> Value:
    return record(seq=control.seq, O=entries(control.O_M))


def _differences_variables(state: Any) -> Image:
    """told and heard are a log for each process."""
    told, heard = (tuple(map(entries, logs)) for logs in (state.told, state.heard))
    return {**_arrival_variables(state), "told": told, "heard": heard}


def _difference(control: Any, processes: int) -> Value:
    return record(entries=entries(control.entries), removed=value_of(control.removed))


DELIVER = {"Internal": "DeliverWaiting"}

SHAPES = {
    "ks-hardware": Shape(ks_variables, entries),
    "ks-lookahead": Shape(_arrival_variables, entries, actions=DELIVER),
    "ks-sequence": Shape(_sequence_variables, _numbered, actions=DELIVER),
    "ks-differences": Shape(_differences_variables, _difference, actions=DELIVER),
}
