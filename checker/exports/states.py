"""The global states of a trace, one after the other: what the formats of other tools are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..trace.data import Delivery, Trace, TracePacket, TraceStep, Waiting
from ..trace.journeys import moved
from ..trace.values import Value


@dataclass(frozen=True)
class GlobalState:
    """The state after `number` steps, `step` being the last of them; None in the initial state.

    `states` are those of the processes, process 1 first, None for one that is down; `delivered` all deliveries so far.
    """

    number: int
    step: TraceStep | None
    states: tuple[Value, ...]
    down: frozenset[int]
    in_transit: tuple[TracePacket, ...]
    delivered: tuple[Delivery, ...]
    waiting: tuple[Waiting, ...]
    held: tuple[Delivery, ...]


def global_states(trace: Trace) -> Iterator[GlobalState]:
    """The initial state, and that after each step."""
    states = list(trace.initial)
    down: set[int] = set()
    in_transit: dict[int, TracePacket] = {}
    delivered: list[Delivery] = []
    yield GlobalState(0, None, tuple(states), frozenset(), (), (), (), ())
    for number, step in enumerate(trace.steps, 1):
        for new in step.states:
            states[new.process - 1] = new.state
            down = down | {new.process} if new.down else down - {new.process}
        moved(in_transit, step)
        delivered += step.delivered
        yield GlobalState(
            number,
            step,
            tuple(states),
            frozenset(down),
            tuple(in_transit.values()),
            tuple(delivered),
            step.waiting,
            step.held,
        )
