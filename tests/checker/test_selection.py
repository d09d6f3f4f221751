"""Readings by id, and the rows of section 8 that are no readings."""

from __future__ import annotations

import re

import pytest

from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.questions import ANSWERS
from precede.models.catalog import CATALOG

ROWS = {
    "X": 11, "KS": 34, "J": 21, "GK": 20, "SA": 19, "RST": 6, "SES": 3, "BSS": 5, "BJ": 1, "PS": 1, "PRS": 5, "MF": 3,
    "MR": 2, "RV": 1, "KK": 1, "SK": 2,
}  # fmt: skip
"""How many rows each table of algorithms.md, section 8, has."""


def test_every_row_of_section_8_is_a_reading_or_has_an_answer() -> None:
    readings = {reading_id for model in CATALOG.values() for reading_id in model.readings()}
    rows = {f"{family}-{number}" for family, count in ROWS.items() for number in range(1, count + 1)}
    assert readings | set(ANSWERS) == rows
    assert readings & set(ANSWERS) == set()


def test_a_reading_selects_the_field() -> None:
    loaded = load_model("jang", ["J-3a", "J-7d"])
    assert loaded.readings == {"J-1": "a", "J-2": "a", "J-3": "a", "J-4": "a", "J-7": "d"}
    assert (loaded.model.deletion, loaded.model.empty_tuples) == ("a", "d")  # type: ignore[attr-defined]


def test_the_id_may_be_written_small_and_a_reading_given_twice() -> None:
    assert load_model("ks", ["ks-2a", "KS-2A"]).readings["KS-2"] == "a"


@pytest.mark.parametrize(
    ("model", "reading", "says"),
    [
        ("jang", "J-3z", "J-3 has no variant 'z' (a: in place, every pair order; b: after it, what it marked)"),
        ("jang", "J-3", "which variant of J-3? (a: in place"),
        ("ks", "J-3a", "J-3 is a reading of jang, not of ks"),
        ("ks", "KS-222a", "there is no reading KS-222: did you mean KS-2?"),
        ("ks", "Q-7a", "there is no reading Q-7: ks has KS-2, KS-10, KS-16"),
        ("ks", "nonsense", "write the id and the letter, such as KS-2a"),
        ("ks", "X-4a", "X-4 is not a reading of a model: compare --channel unordered"),
        ("ks", "x-2b", "compare --self forbidden"),
        ("jang", "J-12a", "check --property Minimality"),
        ("ks", "KS-3b", "a variant of Kshemkalyani-Singhal that is not built yet"),
        ("rst", "GK-1a", "it belongs to Gambhire-Kshemkalyani, which is not built yet"),
        ("bss", "BSS-4a", "it belongs to Birman-Schiper-Stephenson in overlapping groups, which is not built yet"),
        ("prs", "PRS-5a", "check --property Minimality"),
        ("ses", "PRS-3b", "PRS-3 is a reading of prs, not of ses"),
        ("null", "Q-7a", "there is no reading Q-7: null has no readings"),
    ],
)
def test_what_is_no_reading_is_refused_with_a_pointer(model: str, reading: str, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)) as caught:
        load_model(model, [reading])
    assert str(caught.value).startswith(f"--reading {reading}: ")


def test_two_variants_of_one_reading_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="KS-2 is already a; choose one variant"):
        load_model("ks", ["KS-2a", "KS-2b"])
