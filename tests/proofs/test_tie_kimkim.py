"""The symbolic Kim-Kim does what the Python Kim-Kim does: the same waits, counters, predecessors, copies and pasts on
every step of random runs and of all small ones."""

from __future__ import annotations

import pytest
from histories import NONE, known, leaves, numbers
from tied import Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import kimkim
from precede.proofs.steps import Steps


def top(history, past, m):
    """A last message of the past that is m or follows it."""
    return min((n for n in leaves(past) if n == m or m in known(history.sends[n].past)), default=NONE)


def given(history):
    return numbers(history) | {
        "top": lambda p, m: top(history, history.pasts[p], m),
        "top_before": lambda x, m: top(history, history.sends[x].past, m),
        "leaf": lambda p, m: m in leaves(history.pasts[p]),
    }


def is_top(after, found, p, m):
    """Whether it is a last message of the past of p that is m or follows it."""
    return not after["past"](p, m) or (after["leaf"](p, found) and (m == found or after["hb"](m, found)))


TIE = Tie(
    "kimkim", kimkim.some_state(), kimkim.snd, kimkim.rcv,
    stored={"V": lambda s, a: s.V[a - 1], "DP": lambda s, m: m in s.DP},
    carried={"DPM": lambda DP, m: m in DP},
    given=given,
    chosen={"top": is_top},
)  # fmt: skip
SILENT = ("d1 sender",)
"""DP names the message of the sender before this one, or one that follows it and was not delivered before it."""
BOUNDS = Bounds(processes=3, sends=5, dests="broadcast"), Bounds(processes=4, sends=4, dests="broadcast")


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 25))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


def test_every_step_of_every_small_run_is_the_same():
    moves = all_moves(start(TIE.model, Bounds(processes=3, sends=3, dests="broadcast")))
    difference, seen = first_difference(TIE, moves)
    assert difference is None and (seen["send"], seen["receive"]) == (99, 396)


@pytest.mark.parametrize("label", [label for label in kimkim.LABELS if label not in SILENT])
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, BOUNDS[1]), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
