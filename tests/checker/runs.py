"""Runs for the tests of traces: a model without any delivery condition, and ways to make schedules."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import InternalEvent, JointEvent, ReceiveEvent, Schedule, SendEvent, Witness
from precede.checker.run import Run
from precede.checker.scenario import Scenario, load_scenario, scripted_bounds
from precede.checker.trace import Trace, record
from precede.checker.trace.data import TraceState, TraceStep

SCENARIOS = Path(__file__).parents[1] / "scenarios"

NO_ORDER = """
from dataclasses import dataclass
from typing import NamedTuple
from precede.models import Model, Packet, Step


class Seen(NamedTuple):
    me: int
    seen: frozenset


@dataclass(frozen=True)
class NoOrder(Model):
    title = "<b>no order</b> & no condition"

    def start(self, me, processes):
        return Seen(me, frozenset())

    def send(self, state, message):
        return Step(state, tuple(Packet(state.me, d, message, ()) for d in sorted(message.dests)))

    def receive(self, state, packet):
        return Step(Seen(state.me, state.seen | {packet.message[:2]}), delivered=(packet.message,))
"""

TRIANGLE = (
    SendEvent(1, frozenset({3})),
    SendEvent(1, frozenset({2})),
    ReceiveEvent(2, (1, 2)),
    SendEvent(2, frozenset({3})),
)
"""1 tells 3, then 2; 2 tells 3: what 2 said can now overtake what 1 said."""


def calls_of(model: str, bounds: Bounds, readings: tuple[str, ...] = ()) -> ModelCalls:
    return ModelCalls(load_model(model, readings), bounds)


def own_model(folder: Path, source: str = NO_ORDER, name: str = "NoOrder") -> str:
    file = folder / "own.py"
    file.write_text(source)
    return f"{file}:{name}"


def random_schedule(run: Run, steps: int, seed: int) -> Schedule:
    """A random run, deliveries a little more likely than sends."""
    choose, schedule = random.Random(seed), []
    while len(schedule) < steps and (events := run.enabled()):
        receives = run.enabled_receives()
        event = choose.choice(receives if receives and choose.random() < 0.6 else events)
        run.apply(event)
        schedule.append(event)
    return tuple(schedule)


def random_trace(model: str, bounds: Bounds, steps: int, seed: int = 1, readings: tuple[str, ...] = ()) -> Trace:
    calls = calls_of(model, bounds, readings)
    return record(calls, bounds, random_schedule(Run(calls, bounds), steps, seed))


def triangle_trace(folder: Path) -> Trace:
    """The triangle with a model that has no delivery condition: 2.1 is delivered at 3 before 1.1."""
    bounds = Bounds(3, 3)
    schedule = (*TRIANGLE, ReceiveEvent(3, (2, 1)))
    witness = Witness(
        schedule, "process 3 delivers 2.1 although 1.1 <script> is not delivered there", 3, (2, 1), (1, 1)
    )
    calls = calls_of(own_model(folder), bounds)
    return record(calls, bounds, schedule, property="CausalOrder", witness=witness)


def hostile_trace(folder: Path, evil: str, state: object) -> Trace:
    """The triangle's trace with `evil` wherever a trace holds text, and `state` as every state and control."""
    trace = triangle_trace(folder)
    more = (
        TraceStep(InternalEvent(1), called=evil, states=(TraceState(1, state),)),
        TraceStep(JointEvent(), called=evil, states=tuple(TraceState(p, state) for p in (1, 2, 3))),
    )
    assert trace.violation is not None
    return replace(
        trace,
        model=evil,
        title=evil,
        tool=evil,
        source=evil,
        readings={evil: evil},
        scenario=(evil, evil),
        violation=replace(trace.violation, property=evil, explanation=evil),
        initial=(state,) * 3,
        settings={evil: 1},
        steps=tuple(_hostile_step(step, evil, state) for step in (*trace.steps, *more)),
    )


def _hostile_step(step: TraceStep, evil: str, state: object) -> TraceStep:
    return replace(
        step,
        called=evil,
        states=tuple(replace(new, state=state) for new in step.states),
        packets=tuple(replace(p, control=state) for p in step.packets),
    )


def scripted(name: str, model: str, channel: str = "unordered") -> tuple[Scenario, Bounds, Run]:
    scenario = load_scenario(SCENARIOS / f"{name}.txt")
    bounds = scripted_bounds(scenario, Bounds(channel=channel))
    return scenario, bounds, Run(calls_of(model, bounds), bounds, scenario)


def every_run(run: Run) -> tuple[int, int]:
    """The number of states and of transitions of all runs, by executing every schedule from the start again."""

    def after(schedule: Schedule) -> Run:
        fresh = Run(run.calls, run.bounds, run.scenario)
        for event in schedule:
            fresh.apply(event)
        return fresh

    seen, level, transitions = {run.global_state()}, [()], 0
    while level:
        following = []
        for schedule in level:
            for event in after(schedule).enabled():
                transitions += 1
                reached = after((*schedule, event)).global_state()
                if reached not in seen:
                    seen.add(reached)
                    following.append((*schedule, event))
        level = following
    return len(seen), transitions
