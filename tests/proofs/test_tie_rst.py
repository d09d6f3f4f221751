"""The symbolic RST does what the Python RST does: the same waits, counters, copies and pasts on every step of random
runs and of all small ones."""

from __future__ import annotations

import pytest
from histories import indices
from tied import SMALL, Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import rst
from precede.proofs.steps import Steps

TIE = Tie(
    "rst", rst.some_state(), rst.snd, rst.rcv,
    stored={"SENT": lambda s, a, d: s.SENT[a - 1][d - 1], "DELIV": lambda s, a: s.DELIV[a - 1]},
    carried={"ST": lambda ST, a, d: ST[a - 1][d - 1]},
    given=indices,
)  # fmt: skip


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4)], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 25))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", rst.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=4)), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
