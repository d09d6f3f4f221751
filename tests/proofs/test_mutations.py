"""Every proof depends on the steps of its algorithm: without one of them some condition is not proved."""

from __future__ import annotations

import pytest

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


def claim_of(id):
    return next(claim for claim in CLAIMS if claim.id == id)
