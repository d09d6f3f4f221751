"""The symbolic PRS does what the Python PRS does: the same waits, counts, pairs, copies and pasts on every step of
random runs and of all small ones."""

from __future__ import annotations

import pytest
from histories import numbers
from tied import SMALL, Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import prs
from precede.proofs.steps import Steps


def pair(CB, d, a):
    """The count of the pair of a in CB[d], 0 if there is none; two pairs of one process would be no count."""
    found = [y for k, y in CB[d - 1] if k == a] or [0]
    assert len(found) == 1
    return found[0]


TIE = Tie(
    "prs", prs.some_state(), prs.snd, prs.rcv,
    stored={"DELIV": lambda s, a, d: s.DELIV[a - 1][d - 1], "CB": lambda s, d, a: pair(s.CB, d, a)},
    carried={"CBM": pair},
    given=numbers,
)  # fmt: skip


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4)], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 25))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", prs.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=4)), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
