"""Every model in its default reading, exhausted at 3 processes and 4 sends of its widest load, in less than a minute.

A sweep: `pytest -m sweep tests/models/test_reach.py --durations=0` prints the seconds. Timings mean something only on a
machine that does nothing else.
"""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import Limits, explore
from precede.checker.loading import load_model
from precede.models.catalog import CATALOG

SECONDS = 60
TOO_MANY = ("birman-joseph-stable", "mostefaoui-raynal")
"""Acknowledgements of every copy and nulls of every group multiply the states."""

COUNTS = {
    "separators": (182_663, 358_802),
    "kimkim": (9_305, 23_469),
    "differential-clocks": (128_486, 450_264),
    "null": (363_945, 995_367),
    "oracle": (156_000, 352_785),
    "serialised-multicast": (3_347_325, 10_265_535),
    "rst": (156_000, 352_785),
    "ks": (156_000, 352_785),
    "jang": (156_000, 352_785),
    "gk": (2_116_306, 4_165_602),
    "sa": (156_000, 352_785),
    "ks-hardware": (156_000, 352_785),
    "ks-lookahead": (439_722, 1_266_036),
    "ks-complement": (156_000, 352_785),
    "ks-dynamic": (1_644, 2_720),
    "ks-differences": (213_897, 508_305),
    "ks-clock": (156_000, 352_785),
    "ks-sequence": (213_897, 508_305),
    "ks-broadcast": (9_305, 23_469),
    "serialised-broadcast": (174_267, 561_372),
    "synchronous": (1_201, 1_320),
    "chains-two": (156_000, 352_785),
    "centralised": (137_797, 280_371),
    "hierarchical": (167_244, 333_573),
    "ses": (156_000, 352_785),
    "bss": (9_305, 23_469),
    "bss-groups": (156_000, 352_785),
    "bss-changed": (957_346, 3_078_027),
    "birman-joseph": (310_125, 887_277),
    "psync": (9_305, 23_469),
    "psync-requests": (356_072, 1_560_096),
    "prs": (156_000, 352_785),
    "mattern-fuenfrocken": (124_043, 373_470),
}
"""Distinct states and transitions."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name in CATALOG if name not in TOO_MANY])
def test_a_model_is_exhausted_in_less_than_a_minute_and_keeps_its_claims(name: str) -> None:
    loaded = load_model(name)
    bounds = Bounds(3, 4, None, loaded.model.load, loaded.model.channel)
    claims = type(loaded.model).claims
    result = explore(ModelCalls(loaded, bounds), bounds, claims, limits=Limits(seconds=SECONDS))
    assert (result.verdict, (result.distinct_states, result.transitions)) == ("holds", COUNTS[name])
