"""Random settings of model, readings, channel, load and self-addressing: engine, naive explorer and TLC agree.

Long: `pytest -m sweep tests/engine/test_sweep.py`.
"""

from __future__ import annotations

import random
import shutil
from contextlib import suppress

import pytest

from naive import Naive, plain
from precede.checker.bounds import CHANNELS, DESTS, SELF, Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import all_states, explore
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.tlc import compare, run_tlc
from precede.models.catalog import CATALOG

pytestmark = pytest.mark.sweep


DIRECT = tuple(name for name, model in CATALOG.items() if model().direct)
"""Models whose global states are process states and packets, and nothing else."""


def setting(seed: int, models: tuple[str, ...]) -> ModelCalls:
    """A random model with random readings in a random small system, the first that fit together."""
    choose = random.Random(seed)
    while True:
        with suppress(UsageError):  # a reading forbids own copies
            return drawn(choose, models)


def drawn(choose: random.Random, models: tuple[str, ...]) -> ModelCalls:
    model = choose.choice(models)
    bounds = Bounds(
        processes=choose.choice([2, 3]),
        sends=choose.choice([1, 2, 3]),
        sends_per_process=choose.choice([None, 1, 2]),
        dests=choose.choice(DESTS[:3]),
        channel=choose.choice(CHANNELS[:4]),
        self_addressed=choose.choice(SELF),
    )
    letters = [id + choose.choice(list(row.variants)) for id, (_, row) in CATALOG[model].readings().items()]
    return ModelCalls(load_model(model, letters), bounds)


@pytest.mark.parametrize("seed", range(200))
def test_engine_and_naive_explorer_agree(seed: int) -> None:
    calls = setting(seed, DIRECT)
    result = explore(calls, calls.bounds, ("CausalOrder", "Delivery", "NoNeedlessDelay", "Minimality"))
    found = Naive(calls).explore()
    assert set(all_states(calls, calls.bounds)) == set(map(plain, found.states))
    for item in result.properties:
        if item.verdict != "not applicable":
            assert item.trace_length == found.violated.get(item.name), item.name
    if result.complete:
        assert (result.distinct_states, result.transitions) == (len(found.states), found.transitions)


@pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")
@pytest.mark.parametrize("seed", range(100))
def test_engine_and_tlc_agree(seed: int) -> None:
    calls = setting(seed, ("rst", "ks", "jang"))
    claims = calls.model.claims
    ours = explore(calls, calls.bounds, claims)
    theirs = run_tlc(calls.loaded.name, calls.loaded.readings, calls.bounds, claims)
    rows = compare(ours, theirs)
    assert theirs.verdict != "incomplete", theirs.stopped
    assert any(row.equal for row in rows)
    assert [row for row in rows if row.equal is False] == []
