"""Readings by id, and the rows of section 8 that are no readings."""

from __future__ import annotations

import re

import click
import pytest

from precede.checker.claims import CLAIMS
from precede.checker.cli import cli
from precede.checker.cli.check import check
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.questions import ANSWERS, row_of
from precede.models import Model
from precede.models.buffered import Buffered
from precede.models.catalog import CATALOG
from precede.models.unicasts import InterleavedUnicasts, Unicasts

ROWS = {
    "X": 11, "KS": 34, "J": 21, "GK": 20, "SA": 19, "RST": 6, "SES": 3, "BSS": 5, "BJ": 1, "PS": 1, "PRS": 5, "MF": 3,
    "MR": 2, "RV": 1, "KK": 1, "SK": 2,
}  # fmt: skip
"""How many rows each table of algorithms.md, section 8, has."""


def test_every_row_of_section_8_is_a_reading_or_has_an_answer() -> None:
    readings = {row_of(reading_id) for model in CATALOG.values() for reading_id in model.readings()}
    rows = {f"{family}-{number}" for family, count in ROWS.items() for number in range(1, count + 1)}
    assert readings | set(ANSWERS) == rows
    assert readings & set(ANSWERS) == set()


def test_a_reading_of_its_own_letters_belongs_to_its_row() -> None:
    assert [row_of(reading_id) for reading_id in ("SA-11", "SA-11own", "RV-1in")] == ["SA-11", "SA-11", "RV-1"]


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_names_only_what_exists(answer: str) -> None:
    commands = cli.list_commands(click.Context(cli))
    options = {option for parameter in check.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", answer)) <= options
    assert set(re.findall(r"precede ([a-z]+)", answer)) <= set(commands)
    assert set(" ".join(re.findall(r"`precede [a-z]+ ([a-z ]+)`", answer)).split()) <= set(CATALOG)
    assert set(re.findall(r"C-[A-Z]+-[\w-]+", answer)) <= set(CLAIMS)
    readings = {reading_id for model in CATALOG.values() for reading_id in model.readings()} | set(ANSWERS)
    assert {row_of(row) for row in re.findall(r"\b(?<!C-)(?:X|KS|J|GK|SA|RST|PRS|MF)-\d+", answer)} <= readings


def test_the_models_that_answer_a_question_have_what_it_asks_about() -> None:
    """X-3, X-6 and X-7 name wrappers, which are no models of the catalog."""
    assert set(Buffered.readings()) == {"X-3", "X-6"} and issubclass(InterleavedUnicasts, Unicasts)
    facts = {name for name in ("ks", "jang", "prs", "oracle") if CATALOG[name].state_facts is not Model.state_facts}
    assert facts == {"ks", "jang", "prs", "oracle"}
    for name in ("rst", "ses", "sa"):
        assert CATALOG[name].state_facts is Model.state_facts, "X-8 and SA-10 say that these assert nothing"


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
        ("ks", "X-4a", "X-4 is not a reading of a model: check with --channel unordered"),
        ("ks", "x-2b", "check with --self forbidden, network and at-send"),
        ("jang", "J-12a", "check with --property C-J-R3 and --property C-J-R3-msg"),
        ("ks", "KS-3b", "KS-3 is a reading of ks-lookahead, not of ks"),
        ("rst", "GK-1a", "GK-1 is a reading of gk, not of rst"),
        ("ks", "GK-19a", "GK-19 is a reading of rst and gk, not of ks"),
        ("ks", "X-5b", "X-5 is a reading of rst and prs, not of ks"),
        ("rst", "KS-2a", "KS-2 is a reading of ks, ks-hardware, ks-lookahead, "),
        ("ks", "KS-33b", "KS-33 is not a reading of a model: `precede minimal ks`: each required fact"),
        ("prs", "PRS-5a", "check prs with --property Minimality"),
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
