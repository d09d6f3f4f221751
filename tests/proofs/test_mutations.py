"""Every proof depends on the transitions of its algorithm: with a step left out, or written wrongly, some condition is
not proved."""

from __future__ import annotations

import pytest
from fates import fate
from mutating import edited, mutants
from slips import BROKEN, EQUIVALENT, SURVEYED

from precede.proofs.catalog import CLAIMS, FILES
from precede.proofs.conditions import decide
from precede.proofs.steps import Steps

MUTATED = [
    (claim.id, label) for file in FILES for claim in [c for c in file.CLAIMS if c.steps][:1] for label in claim.steps
]
"""The first claim of each file that names the steps it needs, with each of them."""


@pytest.mark.parametrize(("id", "label"), MUTATED)
def test_without_a_step_of_the_algorithm_something_is_not_proved(id, label):
    conditions = claim_of(id).all_conditions(Steps(frozenset({label})))
    assert any(decide(condition, seconds=2).verdict != "proved" for condition in conditions)


@pytest.mark.sweep
@pytest.mark.parametrize(("id", "label"), [(claim.id, label) for claim in CLAIMS for label in claim.steps])
def test_every_claim_needs_every_step_that_it_names(id, label):
    conditions = claim_of(id).all_conditions(Steps(frozenset({label})))
    assert any(decide(condition, seconds=5).verdict != "proved" for condition in conditions)


@pytest.mark.parametrize("system", BROKEN)
def test_a_slip_in_a_transition_breaks_a_condition(system):
    for old, new in BROKEN[system]:
        assert fate(edited(system, old, new), seconds=0.5).kind == "condition", (old, new)


@pytest.mark.sweep
@pytest.mark.parametrize("system", EQUIVALENT)
def test_a_change_that_is_none_breaks_nothing(system):
    for old, new, _ in EQUIVALENT[system]:
        assert fate(edited(system, old, new)).kind == "survives", (old, new)


@pytest.mark.sweep
@pytest.mark.parametrize("system", SURVEYED)
def test_every_change_of_one_place_breaks_a_condition(system):
    known = {change for changes, _ in SURVEYED[system] for change in changes}
    fates = [(str(mutant), fate(mutant).kind) for mutant in mutants(system)]
    assert {mutant for mutant, kind in fates if kind in ("survives", "witness")} == known


def claim_of(id):
    return next(claim for claim in CLAIMS if claim.id == id)
