"""Every proof depends on the transitions of its algorithm: with a step left out, or written wrongly, some condition is
not proved.

By default some steps are left out of each claim, one at a time (`QUICK`), and the first two slips of each system are
made; of RST and BSS all. The other steps and slips, every claim without each of its steps, and all changes of one
place: `pytest -m sweep tests/proofs/test_mutations.py`.
"""

from __future__ import annotations

import pytest
from fates import fate
from mutating import edited, mutants
from slips import BROKEN, EQUIVALENT, SURVEYED
from sweeping import quick

from precede.proofs.catalog import CLAIMS, FILES
from precede.proofs.conditions import decide
from precede.proofs.steps import Steps

MUTATED = [
    (claim.id, label) for file in FILES for claim in [c for c in file.CLAIMS if c.steps][:1] for label in claim.steps
]
"""The first claim of each file that names the steps it needs, with each of them."""
QUICK = {
    "C-KS-T1": "Delivery Condition",
    "C-KS-T4": "SND(2) keep, SND(4), SND(5), RCV(3) delete",
    "C-KS-V1": "SND(3), SND(4)",
    "C-KS-L8": "s1, d3",
    "C-J-R3": "S5, R3, R4 insert",
    "C-GK-L1": "Definition 5.2",
    "C-GK-T1": "E4",
    "C-GK-E1": "E5",
    "C-SA-L2": "u1, d2 count, x2, x3 count",
    "C-SA-SZ": "u1, x1, x2 reset",
    "C-B-1-RST": "s1, s2, d1, d3, d4, d5",
    "C-B-1-SES": "s1, s2",
    "C-B-1-BSS": "s1, s2, d1 sender, d1 others, d3",
    "C-B-1-BSS-groups": "s1, s2",
    "C-B-1-PRS": "s1, s3",
    "C-B-1-KimKim": "s2, d1 others",
    "C-B-1-PSYNC": "s2, d2",
    "C-KS-SC-BROADCAST": "SND(4)",
    "C-KS-SC-SERIAL-BROADCAST": "s1",
    "C-KS-SC-SERIAL-MULTICAST": "s1",
    "C-KS-SC-SYNC": "d1",
    "C-KS-SC-ACKS": "s2, a2",
    "C-KS-SC-CENTRAL": "c1",
    "C-KS-SC-HIERARCHICAL": "FIFO up",
    "C-KS-SC-SEQUENCE": "KS-31b",
    "C-KS-V4": "removed, told",
    "H-COVER": "copies, meet",
    "H-EXACT": "1, 2, 4",
}
"""Of each of these claims the steps that are left out by default."""
SLIPS = [(system, number) for system, slips in BROKEN.items() for number in range(len(slips))]


def is_left_out_by_default(step):
    id, label = step
    return label in QUICK[id].split(", ")


def is_made_by_default(slip):
    system, number = slip
    return system in ("rst", "bss") or number < 2


def test_some_step_of_each_claim_is_left_out_by_default():
    assert {(id, label) for id in QUICK for label in QUICK[id].split(", ")} <= set(MUTATED)
    assert {id for id, _ in MUTATED} == set(QUICK)


@pytest.mark.parametrize(("id", "label"), quick(MUTATED, is_left_out_by_default))
def test_without_a_step_of_the_algorithm_something_is_not_proved(id, label):
    conditions = claim_of(id).all_conditions(Steps(frozenset({label})))
    assert any(decide(condition, seconds=2).verdict != "proved" for condition in conditions)


@pytest.mark.sweep
@pytest.mark.parametrize(("id", "label"), [(claim.id, label) for claim in CLAIMS for label in claim.steps])
def test_every_claim_needs_every_step_that_it_names(id, label):
    conditions = claim_of(id).all_conditions(Steps(frozenset({label})))
    assert any(decide(condition, seconds=5).verdict != "proved" for condition in conditions)


@pytest.mark.parametrize(("system", "number"), quick(SLIPS, is_made_by_default))
def test_a_slip_in_a_transition_breaks_a_condition(system, number):
    old, new = BROKEN[system][number]
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
