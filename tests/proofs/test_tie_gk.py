"""The symbolic GK, Figure 3, does what the Python GK does: the same waits, matrices and copies on every step of random
runs. The events of the symbolic system are sends here, named by their messages."""

from __future__ import annotations

import pytest
import z3
from tied import Tie, first_difference, indices

from precede.checker.bounds import Bounds
from precede.proofs import gk
from precede.proofs.semantic_pasts import Event
from precede.proofs.steps import ALL_STEPS, Steps

DELIVERY = z3.Const("delivery", Event)
"""The event of a delivery: its message is that of its send, and no step of Figure 3 looks at its other functions."""
PASTS = ("dep", "sem", "via", "happens_before", "ecv", "mcv", "source_of", "ECV", "delivery")
"""What pasts of events are made of: no step of Figure 3 looks at them. The conjuncts on them are left out."""


def send(s, i, F, steps=ALL_STEPS):
    return gk.local_event(s, i, F, True, gk.FIGURE_3, steps)


def receive(s, j, x, steps=ALL_STEPS):
    return gk.receive(s, j, DELIVERY, x, gk.FIGURE_3, steps)


def given(state, sends):
    """Of sends."""
    places, relations = indices(state, sends), state.relations
    return {
        "proc": lambda x: x[0],
        "num": lambda x: 1 + len(sends[x].past.events),
        "to": lambda x, d: d in sends[x].message.dests,
        "is_send": lambda x: True,
        "is_delivery": lambda x: False,
        "latest_number": lambda x: sends[x].depends_on,
        "happened": relations["sent"],
        "delivered_event": lambda d, x: relations["delivered"](d, x, d),
        "index": places["index"],
        "count_events": places["count"],
    }


def cell(of):
    return lambda s, k, d: getattr(s, of)[k - 1][d - 1]


TIE = Tie(
    "gk", gk.some_state(), send, receive,
    stored={
        "PREV": cell("PREV"),
        "CONC": cell("CONC"),
        "DELIV": lambda s, k: s.DELIV[k - 1],
        "known": lambda s: s.MCV[s.i - 1],
    },
    carried={"SP": cell("SP"), "SC": cell("SC")},
    given=given,
    unknown=PASTS,
    sort=Event,
)  # fmt: skip
BOUNDS = Bounds(processes=3, sends=5, channel="fifo"), Bounds(processes=4, sends=4, channel="fifo")
LONG = Bounds(processes=3, sends=9, channel="fifo")
"""R1 makes a message wait that no older one of its channel holds back only in runs longer than the others here."""


@pytest.mark.parametrize("bounds", [*BOUNDS, LONG], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, bounds, 25)
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("label", gk.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(TIE, LONG, 25, Steps(frozenset({label})))
    assert difference is not None
