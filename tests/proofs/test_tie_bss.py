"""The symbolic BSS does what the Python BSS does: the same waits, vectors, copies and pasts on every step of random
runs and of all small ones."""

from __future__ import annotations

import pytest
from histories import numbers
from tied import Tie, all_moves, first_difference, start, walks

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
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 25))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


def test_every_step_of_every_small_run_is_the_same():
    moves = all_moves(start(TIE.model, Bounds(processes=3, sends=3, dests="broadcast")))
    difference, seen = first_difference(TIE, moves)
    assert difference is None and (seen["send"], seen["receive"]) == (99, 396)


@pytest.mark.parametrize("label", bss.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, BOUNDS[1]), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
