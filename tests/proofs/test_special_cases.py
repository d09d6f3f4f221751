"""The special cases of KS, Section 7.1, C-KS-V4 and Psync: they cost in the Python models what is stated, and what is
proved depends on the steps of each case. That it is proved is asked in test_claims.py."""

from __future__ import annotations

import random

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.run import Run
from precede.models import Signal
from precede.proofs import (
    acknowledged,
    centralised,
    hierarchical_theorems,
    ks_broadcast,
    ks_differences,
    ks_sequence,
    ks_serialised_broadcast,
    ks_serialised_multicast,
    psync,
    synchronous,
)
from precede.proofs.conditions import decide
from precede.proofs.steps import Steps

FILES = (
    psync, ks_broadcast, ks_serialised_broadcast, ks_serialised_multicast, synchronous, acknowledged, centralised,
    hierarchical_theorems, ks_sequence, ks_differences,
)  # fmt: skip

LATER = [(claim, label) for file in FILES for claim in file.CLAIMS[1:] for label in claim.steps]
"""Those after the first of each file, with each of the steps they name; of the first, test_mutations.py asks."""


@pytest.mark.parametrize(("claim", "label"), LATER, ids=lambda one: getattr(one, "id", one))
def test_without_a_step_something_is_not_proved(claim, label):
    conditions = claim.all_conditions(Steps(frozenset({label})))
    assert any(decide(condition, seconds=3).verdict != "proved" for condition in conditions)


COSTS = {
    "ks-broadcast": (Bounds(processes=4, sends=5, dests="broadcast"), {4}),
    "serialised-broadcast": (Bounds(processes=4, sends=5, dests="broadcast"), {1}),
    "serialised-multicast": (Bounds(processes=4, sends=5), {4}),
    "synchronous": (Bounds(processes=4, sends=5, dests="unicast", channel="rendezvous"), {0}),
    "mattern-fuenfrocken": (Bounds(processes=4, sends=5, dests="unicast"), {0}),
    "centralised": (Bounds(processes=4, sends=5, channel="fifo"), {0}),
    "psync": (Bounds(processes=3, sends=6, dests="broadcast"), {0, 1, 2, 3}),
}
"""The control units of copies that random runs have, all of them: of Psync at most one for each participant."""


@pytest.mark.parametrize("name", COSTS)
def test_copies_carry_what_is_stated(name):
    bounds, units = COSTS[name]
    model, chance, found = load_model(name), random.Random(0), set()
    for _ in range(40):
        run = Run(ModelCalls(model, bounds), bounds)
        for _ in range(30):
            if events := run.enabled():
                sent = run.apply(chance.choice(events)).transmitted
                found |= {model.model.control_units(t.packet) for t in sent if not isinstance(t.packet, Signal)}
    assert found == units
