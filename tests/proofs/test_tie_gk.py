"""The symbolic GK, Figure 3, does what the Python GK does: the same waits, matrices, copies and semantic pasts on every
step of random runs and of all small ones. Messages are named by the events of their sends."""

from __future__ import annotations

import pytest
import z3
from histories import history_of, is_the, known
from semantic_histories import Events, named, send_of
from tied import Tie, all_moves, first_difference, start, walks

from precede.checker.bounds import Bounds
from precede.proofs import gk
from precede.proofs.pasts import Process
from precede.proofs.semantic_pasts import Event
from precede.proofs.steps import ALL_STEPS, Steps

delivery = z3.Function("delivery", Process, Event)
"""The next event of a process."""


def send(s, i, F, steps=ALL_STEPS):
    return gk.local_event(s, i, F, True, gk.FIGURE_3, steps)


def receive(s, j, x, steps=ALL_STEPS):
    return gk.receive(s, j, delivery(j), x, gk.FIGURE_3, steps)


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
    given=lambda history: Events(history).relations(),
    chosen={"source": lambda after, e, p, q: after["MCV"](p, q) == 0 or after["is_source"](p, q, e),
            "nth_event": is_the("nth_event")},
    sorts=lambda history: {"Event": list(Events(history).all)},
    sort=Event,
    named=named,
    unknown=("source_of",),
    untaken=("delivery",),
)  # fmt: skip
BOUNDS = Bounds(processes=3, sends=5, channel="fifo"), Bounds(processes=4, sends=4, channel="fifo")
LONG = Bounds(processes=3, sends=9, channel="fifo")
"""R1 makes a message wait that no older one of its channel holds back only in runs longer than the others here."""
SMALL = {
    Bounds(processes=3, sends=2, channel="fifo"): (171, 360),
    Bounds(processes=2, sends=3, channel="fifo"): (90, 140),
    Bounds(processes=3, sends=3, channel="fifo", dests="unicast"): (948, 1590),
}
LARGER = [pytest.param(bounds, marks=pytest.mark.sweep) if bounds.dests == "unicast" else bounds for bounds in SMALL]


@pytest.mark.parametrize("bounds", [*BOUNDS, LONG], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 25))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", LARGER, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", gk.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, LONG), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None


@pytest.mark.parametrize("bounds", [BOUNDS[0], LONG], ids=str)
def test_pasts_of_events_are_those_of_messages(bounds):
    for run, _, after in walks(start(TIE.model, bounds), 5):
        history = history_of(run, after)
        events = Events(history)
        for p, past in run.pasts.items():
            before = events.past((p, len(past.events)))
            assert {x for x in before if events.dests(x)} == {named(history)(m) for m in known(past)}
        for sent in history.sends.values():
            semantic = {x for x in events.semantic[send_of(sent)] if events.dests(x)}
            assert semantic == {named(history)(m) for m in sent.must_precede()}
