"""The symbolic SES does what the Python SES does: the same waits, clocks, pairs, copies and pasts on every step of
random runs and of all small ones."""

from __future__ import annotations

import pytest
from histories import numbers
from tied import SMALL, Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import ses
from precede.proofs.steps import Steps


def has(V, d):
    return any(d == of for of, _ in V)


def component(V, d, a):
    """That of the vector for d: there is one only."""
    (vector,) = [v for of, v in V if of == d]
    return vector[a - 1]


TIE = Tie(
    "ses", ses.some_state(), ses.snd, ses.rcv,
    stored={
        "T": lambda s, a: s.T[a - 1],
        "has": lambda s, d: has(s.V, d),
        "V": lambda s, d, a: component(s.V, d, a),
    },
    carried={
        "tm": lambda c, a: c.tm[a - 1],
        "has_M": lambda c, d: has(c.V, d),
        "VM": lambda c, d, a: component(c.V, d, a),
    },
    where={"V": "has", "VM": "has_M"},
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


@pytest.mark.parametrize("label", ses.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=4)), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
