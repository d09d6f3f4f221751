"""The special cases of KS, Section 7.1, and Mattern-Fuenfrocken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from precede.models.ks import KSState

from ..mapping import Image, Shape, fields_of, message_value, value_of
from ..values import Value, function, record


def _broadcast_variables(state: Any) -> Image:
    """`turn` is a number at every process, with `holds` for having the token."""
    own = frozenset(record(msg=message_value(p.message), t=p.control[0], last=p.control[1]) for p in state.own)
    return {**fields_of(state), "holds": state.turn is not None, "turn": state.turn or 0, "own": own}


def _stamp(control: Any, processes: int) -> Value:
    """What a broadcast and the token carry: a number and a pair."""
    t, last = control
    return record(t=t, last=last)


def _multicast_variables(state: Any) -> Image:
    own = frozenset(record(msg=message_value(p.message), last=value_of(p.control)) for p in state.own)
    return {**fields_of(state), "own": own}


def _mf_variables(state: Any) -> Image:
    """OUT as a sequence of [msg, to]; INBOX for IN, a word of TLA+; unreleased for held, a history variable there."""
    OUT = tuple(record(msg=message_value(message), to=part) for message, part in state.OUT)
    return {"OUT": OUT, "waiting": state.waiting, "INBOX": value_of(state.IN), "unreleased": state.held}


def _mf_signal(control: Any, processes: int) -> Value:
    kind, number = control
    return record(kind=kind, number=number)


def _zoned_variables(state: Any) -> Image:
    """One function on the zones of the process for each part of its state; members go by their own ids."""
    ordered = {zone: member.process for zone, member in state.zones if isinstance(member.process, KSState)}
    return {
        "sent": function((zone, member.sent) for zone, member in state.zones),
        "SR": function((z, function(zip(sorted(z), ks.SR, strict=True))) for z, ks in ordered.items()),
        "LOG": function((z, _log(ks.LOG, z)) for z, ks in ordered.items()),
        "buffer": frozenset(
            record(msg=message_value(p.message), control=_zoned_control(p.control)) for p in state.buffer
        ),
    }


def _zoned_control(control: Any, processes: int = 0) -> Value:
    zone, copy, ahead, inner = control
    ids = sorted(zone)
    sender, dests = ids[copy.sender - 1], frozenset(ids[d - 1] for d in copy.dests)
    named = record(sender=sender, number=copy.number, dests=dests)
    return record(zone=zone, copy=named, ahead=ahead, O=_log(inner or (), zone))


def _log(log: Iterable[Any], zone: Iterable[int]) -> Value:
    """A log of KS in a zone, whose members are numbered there."""
    ids = sorted(zone)
    return frozenset(record(s=ids[s - 1], t=t, D=frozenset(ids[d - 1] for d in D)) for (s, t), D in log)


SHAPES: dict[str, Shape] = {
    "serialised-broadcast": Shape(_broadcast_variables, _stamp, _stamp, actions={"Internal": "PassToken"}),
    "serialised-multicast": Shape(_multicast_variables, actions={"Internal": "PassToken"}),
    "mattern-fuenfrocken": Shape(_mf_variables, signal=_mf_signal, actions={"Internal": "Take"}),
    "hierarchical": Shape(_zoned_variables, _zoned_control),
}
