"""TLC's counterexample as a schedule of ours, executed step by step and held against TLC's states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from precede.models import Packet

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import SpecificationError
from ..result import Event, ReceiveEvent, Schedule, SendEvent
from ..run import ImpossibleStep, Run
from .mapping import GlobalState, Image, image_of


def schedule_of(calls: ModelCalls, bounds: Bounds, trace: Sequence[Image]) -> Schedule:
    """The schedule whose states are those of TLC's `trace`, initial state first.

    Raises SpecificationError where a step of TLC is no step of the Python model.
    """
    events: Schedule = ()
    for number, after in enumerate(trace):
        if number == 0:
            following: Iterator[Schedule] = iter([events])
        else:
            following = ((*events, event) for event in _alternatives(trace[number - 1], after))
        found = _first_that_leads_to(after, following, calls, bounds)
        if found is None:
            what = f"step {number} of TLC's counterexample is no step" if number else "TLC's initial state is not that"
            raise SpecificationError(f"{what} of the Python model {calls.loaded.name}: compare them with --states")
        events = found
    return events


def _first_that_leads_to(
    wanted: Image, schedules: Iterator[Schedule], calls: ModelCalls, bounds: Bounds
) -> Schedule | None:
    for schedule in schedules:
        run = Run(calls, bounds)
        try:
            for event in schedule:
                run.apply(event)
        except ImpossibleStep:
            return None
        if image_of(calls.loaded.name, _global_state(run)) == wanted:
            return schedule
    return None


def _alternatives(before: Image, after: Image) -> Iterator[Event]:
    """The event between two states of TLC, with each of the model's alternatives in turn, without end."""
    taken = before["network"] - after["network"]
    number = 0
    while True:
        for packet in taken:
            message = packet["msg"]
            yield ReceiveEvent(packet["to"], (message["sender"], message["number"]), number)
        for process, (old, new) in enumerate(zip(before["past"], after["past"], strict=True), 1):
            sent = {s["msg"] for s in new["sent"] - old["sent"] if s["msg"]["sender"] == process}
            if sent and not taken:
                yield SendEvent(process, sent.pop()["dests"], number)
        number += 1


def _global_state(run: Run) -> GlobalState:
    locals_ = tuple((run.states[p], run.pasts[p]) for p in run.processes)
    packets = ((t.packet, t.sent.past) for t in run.in_transit.values() if isinstance(t.packet, Packet) and t.sent)
    return locals_, frozenset(packets)
