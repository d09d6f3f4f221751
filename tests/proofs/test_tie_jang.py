"""The symbolic Jang does what the Python Jang does: the same waits, tuples, copies and pasts on every step of random
runs and of all small ones."""

from __future__ import annotations

import pytest
from tied import SMALL, Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import jang
from precede.proofs.steps import Steps


def has(CI, m):
    return any((k, t) == m for k, t, _ in CI)


def D(CI, m, d):
    """Of the tuple of m, if there is one; there are never two."""
    found = [D for k, t, D in CI if (k, t) == m]
    assert len(found) <= 1
    return any(d in D for D in found)


TIE = Tie(
    "jang", jang.some_state(), jang.send, jang.receive,
    stored={
        "tuple": lambda s, m: has(s.CI, m),
        "D": lambda s, m, d: D(s.CI, m, d),
        "heard": lambda s, k: s.DLV[k - 1] > 0,
        "DLV": lambda s, k: (k, s.DLV[k - 1]),
    },
    carried={
        "CI_m": lambda c, m: has(c.CI, m),
        "D_m": lambda c, m, d: D(c.CI, m, d),
        "DC": lambda c, m: m in c.DC,
    },
    per_copy=("DC",),
    where={"D": "tuple", "D_m": "CI_m", "DLV": "heard"},
)  # fmt: skip


LONG = Bounds(processes=3, sends=9)
"""R5 and R6 CI_m find something only in runs longer than the others here."""
SILENT = ("R8",)
"""R8 never removes anything: no two tuples of one sender name the same destination (proofs/jang_theorems.py, J-I5)."""


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4), LONG], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 15))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", [label for label in jang.LABELS if label not in SILENT])
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, LONG), 15)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
