"""The parameters of a model in a trace: set again before a replay, never believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import ConfigurationError, SpecificationError
from ..loading import LoadedModel
from ..user_code import one_line, prints_to_stderr
from .values import Value, printable

MOST_SETS = 10_000
LARGEST = 2**53


def is_setting(value: Value) -> bool:
    """Whether an encoded value is one that a parameter may have: a whole number, or sets of whole numbers."""
    if isinstance(value, list):
        return len(value) <= MOST_SETS and all(map(_is_set, value))
    return _is_number(value)


def with_settings(loaded: LoadedModel, settings: Mapping[str, Value]) -> LoadedModel:
    """The model with the parameters of a trace.

    Raises ConfigurationError for a parameter that the model does not have, SpecificationError for a value that it does
    not take.
    """
    known = type(loaded.model).parameters()
    for name in settings:
        if name not in known:
            having = f"it has {', '.join(known)}" if known else "it has none"
            raise ConfigurationError(f"{loaded.name} has no parameter {printable(name)[:60]!r}; {having}")
    values = {name: _decoded(value) for name, value in settings.items()}
    try:
        with prints_to_stderr():
            return replace(loaded, model=replace(loaded.model, **values))
    except Exception as error:
        raise SpecificationError(f"{loaded.name} refuses the settings of the trace: {one_line(error)}") from None


def _decoded(value: Value) -> Any:
    return tuple(frozenset(part["set"]) for part in value) if isinstance(value, list) else value


def _is_set(value: Value) -> bool:
    if not isinstance(value, dict) or set(value) != {"set"} or not isinstance(value["set"], list):
        return False
    return all(map(_is_number, value["set"]))


def _is_number(value: Value) -> bool:
    return type(value) is int and abs(value) <= LARGEST
