"""The symbolic KS on hardware multicast does what the Python one does: the same waits, logs, copies and pasts on every
step of random runs and of all small ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_tie_ks import TIE as KS
from tied import SMALL, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import ks, ks_hardware
from precede.proofs.steps import Steps

TIE = replace(KS, model="ks-hardware", send=ks_hardware.snd, receive=ks_hardware.rcv)
SILENT = ("SND(2) keep", "SND(2) purge")
"""RCV(3) deletes at once what the first keeps, and RCV(5) purges what the second does."""


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4)], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 15))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", [label for label in ks.LABELS if label not in SILENT])
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=6)), 40)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
