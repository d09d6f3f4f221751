"""A model, explored by the naive explorer."""

from __future__ import annotations

from typing import Any

from naive import Found, Naive
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import LoadedModel
from precede.models import Model


def explored(model: Model, most_states: int = 200_000, **bounds: Any) -> Found:
    """Every state of `model` within `bounds`: its own channel and widest load unless they say otherwise."""
    within = Bounds(**({"dests": model.load, "channel": model.channel} | bounds))
    return Naive(ModelCalls(LoadedModel("model", model, {}, True), within)).explore(most_states)
