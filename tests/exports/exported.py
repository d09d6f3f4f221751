"""Runs of every kind for the tests of exports, and values of TLA+ in ITF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runs import calls_of, random_schedule

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.result import Schedule
from precede.checker.run import Run
from precede.checker.tlc.mapping import Image, image_of
from precede.checker.tlc.schedule import whole_state
from precede.checker.tlc.values import Function, Value
from precede.checker.trace import Trace, read_trace, record

REFUTATIONS = sorted((Path(__file__).parents[2] / "proofs" / "refutations").glob("*.json"))

KINDS = {
    "multicasts": ("ks", Bounds(3, 4)),
    "sets and matrices": ("rst", Bounds(4, 4)),
    "signals": ("mattern-fuenfrocken", Bounds(3, 4)),
    "buffers": ("ks@any", Bounds(3, 4)),
    "internal steps": ("serialised-broadcast", Bounds(3, 4, dests="broadcast")),
    "a semantic order": ("gk", Bounds(3, 4)),
    "joint steps": ("ks-dynamic", Bounds(3, 3)),
    "rendezvous": ("synchronous", Bounds(3, 4, dests="unicast", channel="rendezvous")),
    "faults": ("ks", Bounds(3, 4, duplicates=1, losses=1, crashes=1, restarts=1)),
    "own copies": ("ks", Bounds(3, 3, self_addressed="network")),
}
"""What a run shows, and of which model it is."""


def run_of(kind: str, seed: int = 2, steps: int = 20) -> Trace:
    model, bounds = KINDS[kind]
    calls = calls_of(model, bounds)
    return record(calls, bounds, random_schedule(Run(calls, bounds), steps, seed))


def refuting(name: str) -> Trace:
    return read_trace(next(file for file in REFUTATIONS if file.stem == name))


def images_of(calls: ModelCalls, bounds: Bounds, schedule: Schedule) -> list[Image]:
    """The states of a run as the specification of its model has them."""
    run = Run(calls, bounds)
    images = [image_of(calls.loaded.name, whole_state(run), bounds.channel)]
    for event in schedule:
        run.apply(event)
        images.append(image_of(calls.loaded.name, whole_state(run), bounds.channel))
    return images


def in_itf(value: Value) -> Any:
    """A value of TLA+ as Apalache writes it."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return {"#bigint": str(value)}
    if isinstance(value, tuple):
        return [in_itf(part) for part in value]
    if isinstance(value, frozenset):
        return {"#set": [in_itf(part) for part in value]}
    assert isinstance(value, Function)
    if all(isinstance(argument, str) for argument, _ in value.pairs):
        return {argument: in_itf(part) for argument, part in value.pairs}
    return {"#map": [[in_itf(argument), in_itf(part)] for argument, part in value.pairs]}
