"""The symbolic Psync does what the Python Psync does: the same waits, views and copies on every step of random runs."""

from __future__ import annotations

import pytest
from stepwise import Stepwise, direct, first_difference

from precede.checker.bounds import Bounds
from precede.models.psync import view
from precede.proofs import psync
from precede.proofs.steps import Steps


def ids(messages):
    return {m[:2] for m in messages}


def leaves_above(f, i, M):
    """What `above` of the sender is at the send of M."""
    return {(M, m): leaf for (p, m), leaf in f.tables.get("above", {}).items() if p == i}


TIE = direct(
    Stepwise(
        "psync",
        psync.some_state(),
        observed={
            "G": lambda f, p, m: m in ids(view(f.run.states[p].G)),
            "edge": lambda f, p, n, m: any(n == x[:2] and m in ids(named) for x, named in f.run.states[p].G),
        },
        carried={"names": lambda f, named, m: m in ids(named)},
        fixed={"send": {"above_before": leaves_above}},
    ),
    psync.send,
    psync.receive,
)
BOUNDS = Bounds(processes=3, sends=5, dests="broadcast"), Bounds(processes=4, sends=4, dests="broadcast")


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, compared = first_difference(TIE, bounds, 15)
    assert difference is None and compared > 150


@pytest.mark.parametrize("label", psync.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(TIE, BOUNDS[1], 25, Steps(frozenset({label})))
    assert difference is not None
