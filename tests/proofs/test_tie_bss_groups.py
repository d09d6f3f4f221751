"""The symbolic BSS in overlapping groups does what the Python one does: the same waits, vectors, copies and pasts on
every step of random runs and of all small ones."""

from __future__ import annotations

import pytest
from histories import nth
from tied import SMALL, Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.models.bss_groups import groups_of
from precede.proofs import bss_groups
from precede.proofs.steps import Steps


def given(history):
    """Groups, and the places of messages in them."""
    sent, sends = history.sent, history.sends

    def group(m):
        return sends[m].message.dests | {m[0]}

    def messages(of, a, g):
        return sorted(m for m in of if m[0] == a and group(m) == g)

    return {
        "member": lambda g, p: p in g,
        "group": group,
        "place": lambda m: messages(sends, m[0], group(m)).index(m) + 1,
        "count_in": lambda a, g: len(messages(sent, a, g)),
        "nth_in": lambda a, g, v: nth(messages(sent, a, g), v),
    }


TIE = Tie(
    "bss-groups", bss_groups.some_state(), bss_groups.snd, bss_groups.rcv,
    stored={"V": lambda s, g, a: dict(s.V)[g][a - 1]},
    carried={"T": lambda T, g, a: dict(T)[g][a - 1]},
    given=given,
    sorts=lambda history: {"Group": groups_of((), len(history.pasts))},
)  # fmt: skip


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4)], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 15))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", bss_groups.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=6)), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None
