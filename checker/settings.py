"""Parameters of a model by name: `--set K=5` or `--set "groups=1,2;2,3"` becomes the value of a field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from precede.models import Model, Sets

from .errors import UsageError

NUMBER = re.compile(r"-?\d{1,15}", re.ASCII)
SETS = re.compile(r"\d{1,4}(,\d{1,4})*(;\d{1,4}(,\d{1,4})*)*", re.ASCII)


def select_settings(name: str, model: type[Model], chosen: Sequence[str]) -> dict[str, Any]:
    """The parameters named in `chosen`, such as "K=5": name of the field -> value. Raises UsageError."""
    parameters = model.parameters()
    values: dict[str, Any] = {}
    for text in chosen:
        key, _, value = (part.strip() for part in text.partition("="))
        if key not in parameters:
            near = get_close_matches(key, parameters, 1, 0.5)
            having = f"{name} has {', '.join(parameters)}" if parameters else f"{name} has no parameters"
            raise UsageError(f"--set {text}: {f'did you mean {near[0]}?' if near else having}")
        field, _ = parameters[key]
        if isinstance(field.default, int):
            if not NUMBER.fullmatch(value):
                raise UsageError(f"--set {text}: {key} is a whole number, such as {key}={field.default}")
            values[key] = int(value)
        else:
            values[key] = sets_of(value, f"--set {text}")
    return values


def sets_of(text: str, option: str) -> Sets:
    """Sets of processes written as "1,2;2,3". Raises UsageError."""
    if not SETS.fullmatch(text):
        raise UsageError(f"{option}: write sets of processes such as 1,2;2,3")
    return tuple(frozenset(map(int, part.split(","))) for part in text.split(";"))
