"""The symbolic BSS does what the Python BSS does: the same waits, vectors and copies on every step of random runs."""

from __future__ import annotations

import pytest
from tied import Tie, first_difference, numbers

from precede.checker.bounds import Bounds
from precede.proofs import bss
from precede.proofs.steps import Steps

TIE = Tie(
    "bss", bss.some_state(), bss.snd, bss.rcv,
    stored={"V": lambda s, a: s.V[a - 1]},
    carried={"T": lambda T, a: T[a - 1]},
    given=numbers,
)  # fmt: skip
BOUNDS = Bounds(processes=3, sends=5, dests="broadcast"), Bounds(processes=4, sends=4, dests="broadcast")


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, bounds, 25)
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("label", bss.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(TIE, BOUNDS[1], 25, Steps(frozenset({label})))
    assert difference is not None
