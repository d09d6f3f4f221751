"""One exploration by both engines, and what has to be alike."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import LoadedModel
from precede.checker.pipeline.explore.outcome import explore_on_spark
from precede.checker.result import Result
from precede.checker.run import Run
from precede.models import Model

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROPERTIES = ("CausalOrder", "Delivery", "Integrity", "NoNeedlessDelay", "Minimality")


def calls_of(model: Model, bounds: Bounds) -> ModelCalls:
    return ModelCalls(LoadedModel("model", model, {}, True), bounds)


def on_spark(spark: SparkSession, model: Model, bounds: Bounds, out: Path, **options: Any) -> Result:
    properties = options.pop("properties", PROPERTIES)
    calls = calls_of(model, bounds)
    return explore_on_spark(calls, bounds, properties, out, start=lambda: nullcontext(spark), **options)


def in_memory(model: Model, bounds: Bounds, properties: Any = PROPERTIES) -> Result:
    return explore(calls_of(model, bounds), bounds, properties)


def said(result: Result) -> dict[str, Any]:
    """Everything that has to be alike: counts of a finished search, verdicts, lengths, counts of facts."""
    counts = (result.distinct_states, result.transitions, result.depth, result.local_states, result.packets)
    return {
        "counts": counts,
        "complete": result.complete,
        "exit": result.exit_code,
        "properties": {p.name: (p.verdict, p.trace_length, p.counts) for p in result.properties},
        "loops": {p.name: p.witness.loop if p.witness else None for p in result.properties},
    }


def assert_runs(model: Model, bounds: Bounds, result: Result) -> None:
    """Every counterexample is a run of the model."""
    for p in result.properties:
        if p.witness is not None:
            run = Run(calls_of(model, bounds), bounds)
            for event in p.witness.schedule:
                run.apply(event)
