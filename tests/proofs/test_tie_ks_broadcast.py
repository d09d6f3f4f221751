"""The symbolic KS for broadcasts does what the Python model does: the same waits, clocks and copies."""

from __future__ import annotations

import pytest
from stepwise import Stepwise, direct, first_difference

from precede.checker.bounds import Bounds
from precede.proofs import ks_broadcast
from precede.proofs.steps import Steps

TIE = direct(
    Stepwise(
        "ks-broadcast",
        ks_broadcast.some_state(),
        observed={
            "LOG": lambda f, p, a: f.run.states[p].LOG[a - 1],
            "SR": lambda f, p, a: f.run.states[p].SR[a - 1],
        },
        carried={"O": lambda f, O_M, a: O_M[a - 1]},
        given={"number": lambda f, m: m[1]},
    ),
    ks_broadcast.snd,
    ks_broadcast.rcv,
)
BOUNDS = Bounds(processes=3, sends=5, dests="broadcast"), Bounds(processes=4, sends=4, dests="broadcast")


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, compared = first_difference(TIE, bounds, 15)
    assert difference is None and compared > 150


@pytest.mark.parametrize("label", ks_broadcast.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(TIE, BOUNDS[1], 25, Steps(frozenset({label})))
    assert difference is not None
