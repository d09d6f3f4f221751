"""A trace of TLC becomes a run of ours, for every model that has a specification."""

from __future__ import annotations

import random

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.errors import SpecificationError
from precede.checker.loading import load_model
from precede.checker.run import Run
from precede.checker.tlc import schedule_of
from precede.checker.tlc.declared import MODULES, source_of
from precede.checker.tlc.mapping import Image, image_of
from precede.checker.tlc.schedule import whole_state

WRITTEN = [model for model, module in MODULES.items() if source_of(module)]
STEPS = 7


def bounds_of(model: str, **changes) -> Bounds:
    kind = load_model(model).model
    return Bounds(processes=3, sends=2, dests=kind.load, channel=kind.channel, **changes)


def walk(model: str, bounds: Bounds, seed: int) -> tuple[ModelCalls, list[Image]]:
    """The states of a random run."""
    calls, chance = ModelCalls(load_model(model), bounds), random.Random(seed)
    run = Run(calls, bounds)
    images = [image_of(model, whole_state(run), bounds.channel)]
    while len(images) <= STEPS and (enabled := run.enabled()):
        run.apply(chance.choice(enabled))
        images.append(image_of(model, whole_state(run), bounds.channel))
    return calls, images


@pytest.mark.parametrize("model", WRITTEN)
def test_a_trace_of_states_becomes_a_run_with_these_states(model):
    bounds = bounds_of(model)
    for seed in range(3):
        calls, images = walk(model, bounds, seed)
        schedule = schedule_of(calls, bounds, images)
        assert len(schedule) == len(images) - 1 > 0
        run = Run(calls, bounds)
        for event, image in zip(schedule, images[1:], strict=True):
            run.apply(event)
            assert image_of(model, whole_state(run), bounds.channel) == image


def test_a_run_that_returns_has_the_step_back():
    model, bounds = "serialised-broadcast", bounds_of("serialised-broadcast", sends_per_process=1)
    calls = ModelCalls(load_model(model), bounds)
    run, images = Run(calls, bounds), []
    while (image := image_of(model, whole_state(run), bounds.channel)) not in images:
        images.append(image)
        run.apply(
            next(e for e in run.enabled()[::-1] if getattr(e, "message", None) is None and not hasattr(e, "dests"))
        )
    loop = images.index(image)
    schedule = schedule_of(calls, bounds, images, loop)
    assert len(schedule) == len(images) > 1 and schedule_of(calls, bounds, images) == schedule[:-1]
    again = Run(calls, bounds)
    for event in schedule:
        again.apply(event)
    assert image_of(model, whole_state(again), bounds.channel) == images[loop]


def test_a_step_that_the_model_does_not_take_is_named():
    bounds = bounds_of("rst")
    calls, images = walk("rst", bounds, 1)
    with pytest.raises(SpecificationError, match="step 2 of TLC's counterexample is no step of the Python model rst"):
        schedule_of(calls, bounds, [*images[:2], images[0]])
    with pytest.raises(SpecificationError, match="TLC's initial state is not that of the Python model rst"):
        schedule_of(calls, bounds, images[1:])
