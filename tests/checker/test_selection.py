"""Readings by id."""

from __future__ import annotations

import re

import pytest

from precede.checker.errors import UsageError
from precede.checker.loading import load_model


def test_a_reading_selects_the_field() -> None:
    loaded = load_model("jang", ["J-3a", "J-7d"])
    assert (loaded.readings["J-1"], loaded.readings["J-3"], loaded.readings["J-7"]) == ("a", "a", "d")
    assert (loaded.model.deletion, loaded.model.empty_tuples) == ("a", "d")  # type: ignore[attr-defined]


def test_the_id_may_be_written_small_and_a_reading_given_twice() -> None:
    assert load_model("ks", ["ks-2a", "KS-2A"]).readings["KS-2"] == "a"


@pytest.mark.parametrize(
    ("model", "reading", "says"),
    [
        ("jang", "J-3z", "J-3 has no variant 'z' (a: in place, every pair order; b: after it, what it marked)"),
        ("jang", "J-3", "which variant of J-3? (a: in place"),
        ("sa", "SA-11own", "which variant of SA-11own? (a: no; b: yes)"),
        ("sa", "SA-11other", "SA-11 has no variant 'other' (a: the one of the lowest process id"),
        ("ks", "J-3a", "J-3 is a reading of jang, not of ks"),
        ("ks", "KS-222a", "there is no reading KS-222: did you mean KS-2?"),
        ("ks", "Q-7a", "there is no reading Q-7: ks has KS-2, KS-10, KS-16"),
        ("ks", "nonsense", "write the id and the letter, such as KS-2a"),
        ("ks", "X-4a", "X-4 is not a reading of a model: `precede readings X-4` decides it"),
        ("ks", "x-2b", "`precede readings X-2` decides it"),
        ("ks", "KS-3b", "KS-3 is a reading of ks-lookahead, not of ks"),
        ("rst", "GK-1a", "GK-1 is a reading of gk, not of rst"),
        ("ks", "GK-19a", "GK-19 is a reading of rst and gk, not of ks"),
        ("ks", "X-5b", "X-5 is a reading of rst and prs, not of ks"),
        ("rst", "KS-2a", "KS-2 is a reading of ks, ks-hardware, ks-lookahead, "),
        ("ks", "KS-33b", "KS-33 is not a reading of a model: `precede readings KS-33` decides it"),
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
