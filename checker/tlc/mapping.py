"""Our states as the values of the specification's variables, so that the two can be compared one by one.

The image of a global state has

    past       <<past of process 1, ...>>; a past is [sent |-> {[msg, past]}, delivered |-> {<<<<sender, number>>, d>>}]
    events     where the order is semantic: <<events of process 1, ...>>, each a sequence of [kind, msg, dependsOn],
               of an internal event [kind, dependsOn]; those of a past are the first of its process's own
    network    for a direct model {[to, msg, control, past]}; else network[i][j], what is in transit from i to j: a
               sequence where channels are queues, else a set; of packets [from, to, msg, control, past] and of
               signals [from, to, control]
    held       for a model that is not direct: <<{[msg, past]}, ...>>, what has arrived and is not delivered

and one variable for each field of the model state, a tuple over the processes. Values go over as they are: a named
tuple becomes a record, a message [sender, number, dests]. Where the specification says it differently, the `Shape` of
the model (package `images`) tells how. What the specifications do not have is left out: the process's own id, which is
the first field of a model state, and for a direct model the sender of a packet, which is that of its message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from precede.models import Message, Packet
from precede.models.catalog import CATALOG

from ..engine.decoding import Transit, WholeState
from ..errors import SpecificationError
from ..history import LocalEvent, Past, Sent
from .values import Function, Value, record

Image = dict[str, Value]
"""The variables of the specification, name -> value."""

QUEUES = ("fifo", "fifo-delivery", "fifo-arrival")
"""The channels on which what is in transit has an order, for models that are not direct."""


def value_of(value: Any) -> Value:
    """A value of a model as TLA+ has it: named tuples are records, None is "none"."""
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        return frozenset(map(value_of, value))
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return record(**{name: value_of(part) for name, part in zip(value._fields, value, strict=True)})
        return tuple(map(value_of, value))
    return value


def fields_of(state: Any) -> Image:
    """The fields of a model state but the first, which is the process's own id."""
    return {name: value_of(part) for name, part in zip(state._fields[1:], state[1:], strict=True)}


def as_it_is(control: Any, processes: int) -> Value:
    """Control information as it is."""
    return value_of(control)


@dataclass(frozen=True)
class Shape:
    """How the specification of a model says what the model says.

    `variables` gives the variables of one process from its model state; `control` and `signal` the control information
    of a packet of a message and of a signal, from it and the number of processes. `actions` names what the
    specification calls its actions, where not Send, Receive, ReceiveSignal, Internal and Joint.
    """

    variables: Callable[[Any], Image] = fields_of
    control: Callable[[Any, int], Value] = as_it_is
    signal: Callable[[Any, int], Value] = as_it_is
    actions: dict[str, str] = field(default_factory=dict)


def image_of(model: str, state: WholeState, channel: str = "unordered") -> Image:
    """The values of all variables of the specification of `model` in the global state."""
    shape, count = shape_of(model), len(state.locals)
    images = [shape.variables(local) for local, *_ in state.locals]
    variables = {
        **{name: tuple(image[name] for image in images) for name in images[0]},
        "past": tuple(past_value(past) for _, past, *_ in state.locals),
    }
    if CATALOG[model].semantic:
        variables["events"] = tuple(tuple(map(_event_value, past.events)) for _, past, *_ in state.locals)
    if CATALOG[model].direct:
        return {**variables, "network": frozenset(_copy_value(model, transit, count) for transit in state.transit)}
    held = tuple(frozenset(sent_value(sent) for sent in held) for _, _, held, _ in state.locals)
    return {**variables, "held": held, "network": _channels(model, state.transit, count, channel in QUEUES)}


def shape_of(model: str) -> Shape:
    """How the specification of `model` says it."""
    from .images import SHAPES

    return SHAPES.get(model, Shape())


@lru_cache(maxsize=100_000)
def past_value(past: Past) -> Function:
    """A past as the specification has it."""
    return record(sent=frozenset(sent_value(sent) for sent in past.sent), delivered=past.delivered)


@lru_cache(maxsize=100_000)
def sent_value(sent: Sent) -> Function:
    """A sent message with the past before its send."""
    return record(msg=message_value(sent.message), past=past_value(sent.past))


def message_value(message: Message) -> Function:
    """A message as the specification has it."""
    return record(sender=message.sender, number=message.number, dests=message.dests)


def _event_value(event: LocalEvent) -> Function:
    what = {} if event.sent is None else {"msg": message_value(event.sent.message)}
    return record(kind=event.kind, **what, dependsOn=event.depends_on)


@lru_cache(maxsize=100_000)
def _copy_value(model: str, transit: Transit, processes: int) -> Function:
    packet, sent = transit
    assert isinstance(packet, Packet) and sent is not None
    parts = dict(to=packet.to, control=shape_of(model).control(packet.control, processes))
    return record(**parts, msg=message_value(sent.message), past=past_value(sent.past))


@lru_cache(maxsize=100_000)
def _packet_value(model: str, transit: Transit, processes: int) -> Function:
    packet, sent = transit
    ends = {"from": packet.sender, "to": packet.to}
    if sent is None:
        return record(**ends, control=shape_of(model).signal(packet.control, processes))
    control = shape_of(model).control(packet.control, processes)
    return record(**ends, control=control, msg=message_value(sent.message), past=past_value(sent.past))


def _channels(model: str, transits: Sequence[Transit], processes: int, queues: bool) -> Value:
    between: dict[tuple[int, int], list[Value]] = {}
    for transit in transits:
        between.setdefault((transit.packet.sender, transit.packet.to), []).append(
            _packet_value(model, transit, processes)
        )
    if not queues and any(len(set(packets)) < len(packets) for packets in between.values()):
        raise SpecificationError(
            f"two equal packets of {model} are in transit, which its specification takes for one: compare the states "
            "with --channel fifo"
        )
    form = tuple if queues else frozenset
    ids = range(1, processes + 1)
    return tuple(tuple(form(between.get((i, j), ())) for j in ids) for i in ids)
