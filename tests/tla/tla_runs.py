"""TLC and the engine on one question, each asked once."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore, whole_states
from precede.checker.loading import load_model
from precede.checker.result import Result
from precede.checker.tlc import StateSets, TlcResult, compare_states, run_tlc

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")

MODELS = ("rst", "ks", "jang")


def calls_of(model: str, readings: str, bounds: Bounds, settings: str = "") -> ModelCalls:
    return ModelCalls(load_model(model, readings.split(), settings.split()), bounds)


def properties_of(model: str, properties: str) -> tuple[str, ...]:
    return tuple(properties.split()) or load_model(model).model.claims


@cache
def tlc(model: str, bounds: Bounds, readings: str = "", properties: str = "") -> TlcResult:
    loaded = load_model(model, readings.split())
    return run_tlc(model, loaded.readings, bounds, properties_of(model, properties))


@cache
def engine(model: str, bounds: Bounds, readings: str = "", properties: str = "") -> Result:
    return explore(calls_of(model, readings, bounds), bounds, properties_of(model, properties))


def counts(result: TlcResult | Result) -> tuple[str, int | None, int | None, int | None]:
    return result.verdict, result.distinct_states, result.transitions, result.depth


def state_sets(
    model: str, bounds: Bounds, readings: str = "", properties: tuple[str, ...] = (), ours: str | None = None
) -> tuple[TlcResult, StateSets]:
    """TLC's states with `readings` against those of the engine, with the same readings or with those of `ours`."""
    calls = calls_of(model, readings, bounds)
    other = calls_of(model, readings if ours is None else ours, bounds)
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "states.dump"
        result = run_tlc(model, calls.loaded.readings, bounds, properties, dump=dump)
        assert result.verdict == "holds", "TLC writes all its states only where it finds no violation"
        return result, compare_states(model, whole_states(other, bounds), dump, bounds.channel)
