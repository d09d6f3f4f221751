"""Our states as the values of the specification's variables, so that the two can be compared one by one.

A global state of ours is (per process (model state, past), the set of (packet, past before its send)). Its image has

    past       <<past of process 1, ...>>; a past is [sent |-> {[msg, past]}, delivered |-> {<<<<sender, number>>, d>>}]
    network    {[to, msg, control, past]}; a message is [sender, number, dests]

and, by model, one variable for each field of the model state, a tuple over the processes:

    rst        SENT and DELIV, as they are; control is the matrix
    ks         clock and SR, as they are; LOG and control are sets of [s, t, D] for ((s, t), D)
    jang       tau and DLV, as they are; CI[k] is the set of [t, D] for the tuples (k, t, D); control is [CI, DC]

What the specifications do not have is left out: the process's own id in a model state, and the sender of a packet,
which is that of its message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from precede.models import Message, Packet, State

from ..history import Past
from .values import Function, Value, record

GlobalState = tuple[tuple[tuple[State, Past], ...], frozenset[tuple[Packet, Past]]]
Image = dict[str, Value]
"""The variables of the specification, name -> value."""


def image_of(model: str, state: GlobalState) -> Image:
    """The values of all variables of the specification of `model` in the global state."""
    locals_, packets = state
    variables, control = MAPPINGS[model]
    images = [variables(local) for local, _ in locals_]
    return {
        **{name: tuple(image[name] for image in images) for name in images[0]},
        "past": tuple(past_value(past) for _, past in locals_),
        "network": frozenset(_packet_value(control, packet, past, len(locals_)) for packet, past in packets),
    }


def local_image(model: str, state: State, past: Past) -> Image:
    """The values of the variables at one process."""
    return {**MAPPINGS[model][0](state), "past": past_value(past)}


@lru_cache(maxsize=100_000)
def past_value(past: Past) -> Function:
    """A past as the specification has it."""
    return record(
        sent=frozenset(record(msg=message_value(s.message), past=past_value(s.past)) for s in past.sent),
        delivered=past.delivered,
    )


def message_value(message: Message) -> Function:
    """A message as the specification has it."""
    return record(sender=message.sender, number=message.number, dests=message.dests)


@lru_cache(maxsize=100_000)
def _packet_value(control: Callable[[Any, int], Value], packet: Packet, past: Past, processes: int) -> Function:
    return record(
        to=packet.to,
        msg=message_value(packet.message),
        control=control(packet.control, processes),
        past=past_value(past),
    )


def _rst_variables(state: Any) -> Image:
    return {"SENT": state.SENT, "DELIV": state.DELIV}


def _rst_control(ST: Any, processes: int) -> Value:
    return ST


def _entries(log: Iterable[Any]) -> Value:
    return frozenset(record(s=s, t=t, D=D) for (s, t), D in log)


def _ks_variables(state: Any) -> Image:
    return {"clock": state.clock, "SR": state.SR, "LOG": _entries(state.LOG)}


def _ks_control(O_M: Any, processes: int) -> Value:
    return _entries(O_M)


def _components(CI: Iterable[Any], processes: int) -> Value:
    tuples = list(CI)
    return tuple(frozenset(record(t=t, D=D) for k, t, D in tuples if k == sender) for sender in range(1, processes + 1))


def _jang_variables(state: Any) -> Image:
    return {"tau": state.tau, "CI": _components(state.CI, len(state.DLV)), "DLV": state.DLV}


def _jang_control(control: Any, processes: int) -> Value:
    return record(CI=_components(control.CI, processes), DC=control.DC)


MAPPINGS: dict[str, tuple[Callable[[Any], Image], Callable[[Any, int], Value]]] = {
    "rst": (_rst_variables, _rst_control),
    "ks": (_ks_variables, _ks_control),
    "jang": (_jang_variables, _jang_control),
}
"""Per model: the variables of one process from its state, and control from a packet's control information."""
