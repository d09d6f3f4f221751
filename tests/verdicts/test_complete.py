"""The registry has every row of the reference, and every variant that a model can be set to."""

from __future__ import annotations

import tomllib
from pathlib import Path

from precede.checker.verdicts import load_registry
from precede.models.catalog import CATALOG

REFERENCE = tomllib.loads((Path(__file__).parent / "reference.toml").read_text())
IDS = [row.id for row in load_registry()]


def has(id: str) -> bool:
    """Whether the registry has the row, or one for each model or case of it: X-4a-gk, KS-25ax, C-KS-SC-SYNC."""
    return any(own == id or (own.startswith(id) and not own[len(id)].isdigit()) for own in IDS)


def test_the_reference_has_so_many_rows():
    assert len(REFERENCE["claims"]) == len(set(REFERENCE["claims"])) == 84
    assert len(REFERENCE["readings"]) == 135
    assert sum(len(letters) or 1 for letters in REFERENCE["readings"].values()) == 354


def test_every_claim_of_the_reference_is_in_the_registry():
    assert [id for id in REFERENCE["claims"] if not has(id)] == []


def test_every_variant_of_the_reference_is_in_the_registry():
    wanted = [row + letter for row, letters in REFERENCE["readings"].items() for letter in letters or [""]]
    assert [id for id in wanted if not has(id)] == []


def test_every_variant_of_a_model_is_in_the_registry():
    """Compound ones too: KS-25ax is KS-25a with KS-25ownx."""
    offered = {
        (id, letter) for model in CATALOG.values() for id, (_, reading) in model.readings().items()
        for letter in reading.variants
    }  # fmt: skip
    assert sorted(id + letter for id, letter in offered if not has(id + letter) and not in_compound(id, letter)) == []


def in_compound(id: str, letter: str) -> bool:
    """Whether a run of some row sets it."""
    return any(f"{id}{letter}" in evidence.run.split() for row in load_registry() for evidence in row.evidence)


def test_every_row_is_one_of_the_reference_or_of_a_model():
    rows = {*REFERENCE["claims"], *REFERENCE["readings"], *(id for m in CATALOG.values() for id in m.readings())}
    assert [id for id in IDS if not any(id.startswith(row) for row in rows)] == []
