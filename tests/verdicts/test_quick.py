"""The quick part of the evidence of all rows, carried out: it says what the registry expects.

A class for each family, so that they can run on several processes; `precede claims --check` and `precede readings
--check` carry out all of it.
"""

from __future__ import annotations

from precede.checker.verdicts import Session, load_registry
from precede.checker.verdicts.tools import Tools

FAMILIES = ("C-KS", "C-J", "C-GK", "C-SA", "C-B", "KS", "J", "GK", "SA", "X")


def unexpected(family: str) -> list[tuple[str, str, str, str]]:
    """(row, run and what was asked, expected, found) wherever the last two differ; "" is the family of the rest."""
    rows = [row for row in load_registry() if row.id.startswith(f"{family}-")]
    if not family:
        rows = [row for row in load_registry() if not row.id.startswith(tuple(f"{f}-" for f in FAMILIES))]
    decided = list(Session(rows, Tools(seeds=1), quick=True).decide())
    assert decided
    return [(found.row.id, *difference) for found in decided for difference in found.differences()]


class TestClaims:
    def test_of_kshemkalyani_and_singhal(self):
        assert unexpected("C-KS") == []

    def test_of_jang_and_others(self):
        assert unexpected("C-J") == []

    def test_of_gambhire_and_kshemkalyani(self):
        assert unexpected("C-GK") == []

    def test_of_sanchez_and_alvarez(self):
        assert unexpected("C-SA") == []

    def test_of_the_baselines(self):
        assert unexpected("C-B") == []


class TestReadingsOfKshemkalyaniAndSinghal:
    def test_quick(self):
        assert unexpected("KS") == []


class TestReadingsOfJang:
    def test_quick(self):
        assert unexpected("J") == []


class TestReadingsOfGambhireAndKshemkalyani:
    def test_quick(self):
        assert unexpected("GK") == []


class TestReadingsOfSanchezAndAlvarez:
    def test_quick(self):
        assert unexpected("SA") == []


class TestReadingsOfSeveral:
    def test_quick(self):
        assert unexpected("X") == []


class TestReadingsOfTheBaselines:
    def test_quick(self):
        assert unexpected("") == []
