"""What a specification declares: its constants and their values, as its ASSUME has them; and what it has no word for.

TLC ignores a constant that no module declares, and would answer another question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from precede.models.catalog import CATALOG

from ..bounds import Bounds
from ..errors import UsageError

MODULES = {"rst": "RST", "ks": "KS", "jang": "Jang"}
"""The specification of each built-in model."""

SYSTEM = "CausalSystem"
"""The module of the bounds and the channels, which all specifications extend."""

ASSUMED = re.compile(r'/\\ (\w+) \\in \{("\w[^}]*)\}')
INSTEAD = "use `precede check`"


@cache
def declared(module: str) -> Mapping[str, tuple[str, ...]]:
    """The constants of a module with the texts that each may be, in the order in which ASSUME lists them."""
    source = (resources.files("precede.tla") / f"{module}.tla").read_text(encoding="utf-8")
    return {name: tuple(re.findall(r'"([^"]+)"', values)) for name, values in ASSUMED.findall(source)}


def declared_readings(model: str, readings: Mapping[str, str]) -> dict[str, str]:
    """Those of `readings` for which the specification has a constant: its name -> letter. KS-2 is the constant KS_2."""
    constants = declared(MODULES[model])
    named = {reading_id.replace("-", "_"): letter for reading_id, letter in sorted(readings.items())}
    return {name: letter for name, letter in named.items() if name in constants}


def require_counterpart(
    model: str, readings: Mapping[str, str], bounds: Bounds, settings: Mapping[str, Any] | None = None
) -> None:
    """Raise UsageError where the specification cannot say what is asked: a reading, a bound, a parameter of the model.

    `readings` holds readings of the model, id -> letter; a default has no need of a constant.
    """
    for reading_id, letter in readings.items():
        _require_reading(model, reading_id, letter)
    for value, constant, option in (
        (bounds.dests, "Load", "--dests"),
        (bounds.channel, "Channel", "--channel"),
        (bounds.self_addressed, "Self", "--self"),
    ):
        allowed = declared(SYSTEM)[constant]
        if value not in allowed:
            raise UsageError(f"{option} {value}: the TLA+ specifications have {_listed(allowed)}; {INSTEAD}")
    for count, option in zip(bounds.faults, ("--duplicate", "--lose", "--crash", "--restart"), strict=True):
        if count:
            raise UsageError(f"{option} {count}: the TLA+ specifications have no faults; {INSTEAD}")
    for name in settings or ():
        raise UsageError(f"--set {name}: {MODULES[model]}.tla has no such constant; {INSTEAD}")


def _require_reading(model: str, reading_id: str, letter: str) -> None:
    module = MODULES[model]
    field, _ = CATALOG[model].readings()[reading_id]
    letters = declared(module).get(reading_id.replace("-", "_"))
    if letters is None and letter != field.default:
        raise UsageError(
            f"--reading {reading_id}{letter}: {module}.tla has no constant for {reading_id} and TLC would check "
            f"{reading_id}{field.default}; {INSTEAD}"
        )
    if letters is not None and letter not in letters:
        raise UsageError(
            f"--reading {reading_id}{letter}: {module}.tla has {_listed([reading_id + known for known in letters])}; "
            f"{INSTEAD}"
        )


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last} only"
