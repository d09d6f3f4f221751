"""What tests of fingerprints and of process symmetry share: one question, and what does not depend on what is kept."""

from __future__ import annotations

from hypothesis import strategies as st

from precede.checker.bounds import CHANNELS, DESTS, Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.result import Result
from precede.checker.run import Run

EVERYTHING = ("CausalOrder", "Delivery", "Integrity", "NoNeedlessDelay", "Minimality")

small_bounds = st.builds(
    Bounds,
    processes=st.integers(2, 3),
    sends=st.integers(1, 3),
    sends_per_process=st.sampled_from([None, 1, 2]),
    dests=st.sampled_from([load for load in DESTS if load != "groups"]),
    channel=st.sampled_from([channel for channel in CHANNELS if channel != "rendezvous"]),
)


def explored(model: str, bounds: Bounds, keep: str, *readings: str) -> Result:
    """What the state engine finds of a built-in model."""
    return explore(ModelCalls(load_model(model, readings), bounds), bounds, EVERYTHING, keep=keep)


def facts(result: Result) -> list[object]:
    """Everything that does not depend on what is kept."""
    counts = (result.distinct_states, result.transitions, result.depth, result.local_states, result.packets)
    verdicts = [(p.name, p.verdict, p.trace_length, p.counts) for p in result.properties]
    return [result.verdict, result.complete, verdicts, counts if result.complete else None]


def take_witnesses(result: Result) -> None:
    """Every counterexample is a run of the model."""
    for item in result.properties:
        if item.witness is not None:
            readings = [id + letter for id, letter in result.readings.items()]
            run = Run(ModelCalls(load_model(result.model, readings), result.bounds), result.bounds)
            for event in item.witness.schedule:
                run.apply(event)
