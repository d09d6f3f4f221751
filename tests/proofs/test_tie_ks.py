"""The symbolic KS does what the Python KS does: the same waits, logs, copies and pasts on every step of random runs and
of all small ones."""

from __future__ import annotations

import pytest
from tied import SMALL, Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import ks
from precede.proofs.steps import Steps


def has(log, m):
    """Whether m has an entry; the proofs do not have the initial ones, of number 0."""
    return m in dict(log)


def D(log, m, d):
    return d in dict(log)[m]


TIE = Tie(
    "ks", ks.some_state(), ks.snd, ks.rcv,
    stored={"entry": lambda s, m: has(s.LOG, m), "D": lambda s, m, d: D(s.LOG, m, d)},
    carried={"O": has, "OD": D},
    per_copy=("O", "OD"),
    where={"D": "entry", "OD": "O"},
)  # fmt: skip
BOUNDS = Bounds(processes=3, sends=5), Bounds(processes=4, sends=4), Bounds(processes=2, sends=6)


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 15))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", ks.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=6)), 40)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
