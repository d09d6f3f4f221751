"""The registry as data: registry/*.toml, read and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from precede.models.catalog import CATALOG

from ..errors import SpecificationError, UsageError
from .deriving import VERDICTS
from .rows import ASPECTS, ENGINES, Evidence, Expected, Row, parse_expected

ROW_KEYS = {
    "id", "about", "statement", "verdict", "evidence", "assumptions", "why", "restores", "tried", "claimed",
}  # fmt: skip
EVIDENCE_KEYS = {"run", "expect", "quick", "repair", "asks", "against"}
QUESTION = re.compile(r"[A-Z]+-\d+")


@cache
def load_registry() -> tuple[Row, ...]:
    """All rows, claims before readings, in the order of the files. Raises SpecificationError where one is not as it
    must be."""
    folder = resources.files("precede.checker.verdicts") / "registry"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    rows = [row for file in files for row in parse_rows(file.read_text(encoding="utf-8"), file.name)]
    seen: set[str] = set()
    for row in rows:
        if row.id.lower() in seen:
            raise SpecificationError(f"the registry has {row.id} twice")
        seen.add(row.id.lower())
    return tuple(sorted(rows, key=lambda row: not row.is_claim))


def select_rows(rows: Iterable[Row], words: Sequence[str]) -> tuple[Row, ...]:
    """The rows that a word names, by their ids or the beginnings of them: KS-3 names KS-3a and not KS-30a. All without
    a word. Raises UsageError for a word that names none."""
    rows = tuple(rows)
    for word in words:
        if not any(_names(word, row.id) for row in rows):
            kind = "claim" if word.upper().startswith("C-") else "reading"
            raise UsageError(f"{word}: the registry has no such row; `precede {kind}s --list` names them")
    return tuple(row for row in rows if not words or any(_names(word, row.id) for word in words))


def _names(word: str, id: str) -> bool:
    rest = id.lower().removeprefix(word.lower())
    if rest == id.lower():
        return False
    return not (rest[:1].isdigit() and word[-1:].isdigit())


def parse_rows(text: str, file: str) -> list[Row]:
    """The rows of one file: its `[questions]`, by the id of the row of the reference, and its `[[row]]`s."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecificationError(f"{file}: {error}") from None
    questions = document.get("questions", {})
    return [_row(entry, questions, file) for entry in document.get("row", [])]


def _row(entry: Mapping[str, Any], questions: Mapping[str, str], file: str) -> Row:
    where = f"{file}, row {entry.get('id')}"
    _known(entry, ROW_KEYS, where)
    for key in ("id", "about", "statement", "verdict"):
        if not isinstance(entry.get(key), str):
            raise SpecificationError(f"{where}: {key} is missing")
    if entry["verdict"] not in VERDICTS:
        raise SpecificationError(f"{where}: the verdict is one of {', '.join(VERDICTS)}")
    if entry["about"].partition("@")[0] not in CATALOG:
        raise SpecificationError(f"{where}: no model is called {entry['about']}")
    row = QUESTION.match(entry["id"])
    if not entry["id"].startswith("C-") and (row is None or row[0] not in questions):
        raise SpecificationError(f"{where}: [questions] has no {row[0] if row else entry['id']}")
    return Row(
        id=entry["id"],
        about=entry["about"],
        statement=entry["statement"],
        verdict=entry["verdict"],
        evidence=tuple(_evidence(e, f"{where}, evidence {n}") for n, e in enumerate(entry.get("evidence", []), 1)),
        question=questions[row[0]] if row and not entry["id"].startswith("C-") else None,
        assumptions=tuple(entry.get("assumptions", ())),
        why=entry.get("why", ""),
        restores=entry.get("restores", ""),
        tried=entry.get("tried", ""),
        claimed=tuple(entry["claimed"]) if "claimed" in entry else None,
    )


def _evidence(entry: Mapping[str, Any], where: str) -> Evidence:
    _known(entry, EVIDENCE_KEYS, where)
    run, expect = entry.get("run"), entry.get("expect")
    if not isinstance(run, str) or run.split(maxsplit=1)[:1] not in [[engine] for engine in ENGINES]:
        raise SpecificationError(f"{where}: run is a command that starts with one of {', '.join(ENGINES)}")
    if not isinstance(expect, dict) or not expect:
        raise SpecificationError(f'{where}: expect says what must be found, such as {{ CausalOrder = "violated 6" }}')
    asks = entry.get("asks", {})
    if unknown := sorted(set(asks.values()) - set(ASPECTS)):
        raise SpecificationError(f"{where}: {unknown[0]!r} is none of {', '.join(ASPECTS)}")
    return Evidence(
        run=run,
        expect={name: _expected(value, f"{where}, {name}") for name, value in expect.items()},
        quick=entry.get("quick", False),
        repair=entry.get("repair", False),
        asks=dict(asks),
        against=entry.get("against"),
    )


def _expected(value: object, where: str) -> Expected:
    found = parse_expected(str(value))
    if found is None:
        raise SpecificationError(f'{where}: {value!r} is no expectation such as "violated 6", "holds" or 9')
    return found


def _known(entry: Mapping[str, Any], keys: set[str], where: str) -> None:
    if unknown := sorted(set(entry) - keys):
        raise SpecificationError(f"{where}: {', '.join(unknown)} is not known; the keys are {', '.join(sorted(keys))}")
