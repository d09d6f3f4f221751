"""Models wrapped by name, as in ks@oldest, and what the rows X-3, X-6 and X-7 find."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.models.wrapped import WRAPPERS

SHORTEST = {
    "any": {},
    "per-sender": {},
    "blocking": {"Delivery": 4},
    "silent": {"Delivery": 4},
    "unicasts": {"CausalOrder": 4},
    "interleaved": {"CausalOrder": 6},
}


@pytest.mark.parametrize("how", SHORTEST)
def test_what_a_wrapper_breaks(how: str) -> None:
    loaded = load_model(f"rst@{how}")
    bounds = Bounds(3, 3, None, loaded.model.load, loaded.model.channel)
    result = explore(ModelCalls(loaded, bounds), bounds, ("CausalOrder", "Delivery"))
    assert {p.name: p.trace_length for p in result.properties if p.trace_length} == SHORTEST[how]


def test_a_wrapped_model_keeps_load_claims_channel_and_readings() -> None:
    loaded, plain = load_model("ks@oldest", ["KS-2a"]), load_model("ks", ["KS-2a"])
    assert (loaded.model.load, type(loaded.model).claims, loaded.readings) == (
        plain.model.load, type(plain.model).claims, plain.readings,
    )  # fmt: skip
    assert loaded.model.title.startswith(plain.model.title) and "X-3b" in loaded.model.title


@pytest.mark.parametrize("how", WRAPPERS)
def test_what_cannot_be_wrapped_is_refused(how: str) -> None:
    for name in ("gk", "sa"):
        with pytest.raises(UsageError, match="only a direct model"):
            load_model(f"{name}@{how}")


def test_an_unknown_wrapper_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="after ks@ may follow any, oldest"):
        load_model("ks@newest")
