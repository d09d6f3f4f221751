"""Readings by id: `--reading J-3a` becomes the letter of a field of the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from precede.models import Model, Reading
from precede.models.catalog import CATALOG

from .errors import SpecificationError, UsageError

FORM = re.compile(r"([A-Za-z]+-\d+)([A-Za-z]*)")


def select_readings(name: str, model: type[Model], chosen: Sequence[str]) -> dict[str, str]:
    """All readings of `model`, id -> letter: the defaults, with those of `chosen` ("J-3a") put in their place."""
    letters: dict[str, str] = {}
    for reading_id, (field, reading) in model.readings().items():
        if field.default not in reading.variants:
            raise SpecificationError(
                f"{model.__name__}: the default {field.default!r} of reading {reading_id} is none of its variants "
                f"({', '.join(reading.variants)})"
            )
        letters[reading_id] = field.default
    given: dict[str, str] = {}
    for text in chosen:
        reading_id, letter = _parse(name, model, text)
        if given.setdefault(reading_id, letter) != letter:
            raise UsageError(f"--reading {text}: {reading_id} is already {given[reading_id]}; choose one variant")
    return letters | given


def _parse(name: str, model: type[Model], text: str) -> tuple[str, str]:
    readings = {reading_id: reading for reading_id, (_, reading) in model.readings().items()}
    for reading_id, reading in readings.items():
        prefix, letter = text[: len(reading_id)], text[len(reading_id) :]
        variant = next((v for v in reading.variants if v.lower() == letter.lower()), None)
        if prefix.upper() == reading_id.upper() and variant is not None:
            return reading_id, variant
    form = FORM.fullmatch(text)
    if not form:
        raise UsageError(f"--reading {text}: write the id and the letter, such as {_example(readings) or 'J-3a'}")
    wanted = form[1].upper()
    own = [reading for reading in readings.values() if reading.id.upper() in (wanted, text.upper())]
    if own:
        longest = max(own, key=lambda reading: len(reading.id))
        variants = "; ".join(f"{letter}: {meaning}" for letter, meaning in longest.variants.items())
        letter = text[len(longest.id) :]
        which = f"{longest.id} has no variant {letter!r}" if letter else f"which variant of {longest.id}?"
        raise UsageError(f"--reading {text}: {which} ({variants})")
    others = [other for other, cls in CATALOG.items() if wanted in cls.readings()]
    if others:
        raise UsageError(f"--reading {text}: {wanted} is a reading of {_all_of(others)}, not of {name}")
    if _is_question(wanted):
        raise UsageError(
            f"--reading {text}: {wanted} is not a reading of a model: `precede readings {wanted}` decides it"
        )
    near = get_close_matches(wanted, readings, 1, 0.6)
    hint = f"did you mean {near[0]}?" if near else f"{name} has {', '.join(readings) or 'no readings'}"
    raise UsageError(f"--reading {text}: there is no reading {wanted}: {hint}")


def _is_question(row: str) -> bool:
    """Whether the registry of verdicts answers this row of the questions that the papers leave open."""
    from .verdicts.loading import load_registry

    return any(re.fullmatch(rf"{re.escape(row)}(?!\d).*", found.id) for found in load_registry())


def _all_of(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _example(readings: dict[str, Reading]) -> str:
    return next((f"{reading.id}{letter}" for reading in readings.values() for letter in reading.variants), "")
