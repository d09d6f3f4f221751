"""What a specification declares: its constants and the texts that its ASSUME allows, and its definitions.

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

MODULES = {
    "rst": "RST",
    "ks": "KS",
    "jang": "Jang",
    "gk": "GK",
    "sa": "SA",
    "ks-hardware": "KSHardware",
    "ks-lookahead": "KSLookahead",
    "ks-differences": "KSDifferences",
    "ks-sequence": "KSSequence",
    "ks-broadcast": "KSBroadcast",
    "serialised-broadcast": "SerialisedBroadcast",
    "serialised-multicast": "SerialisedMulticast",
    "synchronous": "Synchronous",
    "chains-two": "ChainsTwo",
    "centralised": "Centralised",
    "hierarchical": "Hierarchical",
    "ses": "SES",
    "bss": "BSS",
    "bss-groups": "BSSGroups",
    "psync": "Psync",
    "prs": "PRS",
    "mattern-fuenfrocken": "MatternFuenfrocken",
    "kimkim": "KimKim",
    "null": "Null",
    "oracle": "Oracle",
}
"""The specification of each built-in model that has one."""

WORKLOAD = "CausalWorkload"
"""The module of the bounds, the loads and the channels, which all specifications extend."""

ASSUMPTIONS = re.compile(r"^ASSUME\b.*?(?=^\S|\Z)", re.DOTALL | re.MULTILINE)
ASSUMED = re.compile(r'/\\ (\w+) \\in \{("\w[^}]*)\}')
CONSTANTS = re.compile(r"^CONSTANTS?\b(.*?)(?=^\S)", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"\\\*.*|\(\*.*?\*\)")
DEFINED = re.compile(r"^(\w+)(?:\([^=]*?\))? ==", re.MULTILINE)
EXTENDED = re.compile(r"^EXTENDS (.*)$", re.MULTILINE)
INSTEAD = "use `precede check`"


@cache
def source_of(module: str) -> str:
    """The text of a module of this project; empty for one of TLC's own."""
    path = resources.files("precede.tla") / f"{module}.tla"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def modules_of(module: str) -> tuple[str, ...]:
    """The module and those of this project that it extends, itself first."""
    extended = [name.strip() for line in EXTENDED.findall(source_of(module)) for name in line.split(",")]
    inner = [name for other in extended if source_of(other) for name in modules_of(other)]
    return (module, *dict.fromkeys(inner))


@cache
def declared(module: str) -> Mapping[str, tuple[str, ...]]:
    """The constants of a module with the texts that each may be, in the order in which ASSUME lists them."""
    assumed = " ".join(ASSUMPTIONS.findall(source_of(module)))
    return {name: tuple(re.findall(r'"([^"]+)"', values)) for name, values in ASSUMED.findall(assumed)}


@cache
def letters_of(module: str) -> Mapping[str, tuple[str, ...]]:
    """The same of a module and of those that it extends."""
    return {name: texts for part in modules_of(module) for name, texts in declared(part).items()}


@cache
def constants_of(module: str) -> tuple[str, ...]:
    """All constants that a module itself declares."""
    blocks = CONSTANTS.findall(COMMENT.sub("", source_of(module)))
    return tuple(name for block in blocks for name in re.findall(r"\w+", block))


@cache
def definitions(module: str) -> frozenset[str]:
    """The names that the module, or one that it extends, defines."""
    return frozenset(name for part in modules_of(module) for name in DEFINED.findall(source_of(part)))


def declared_readings(model: str, readings: Mapping[str, str]) -> dict[str, str]:
    """Those of `readings` for which the specification has a constant: its name -> letter. KS-2 is the constant KS_2."""
    constants = letters_of(MODULES[model])
    named = {reading_id.replace("-", "_"): letter for reading_id, letter in sorted(readings.items())}
    return {name: letter for name, letter in named.items() if name in constants}


def declared_settings(model: str, settings: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters of the model for which the specification has a constant of the same name, with their values."""
    constants = constants_of(MODULES[model])
    values = {name: field.default for name, (field, _) in CATALOG[model].parameters().items()} | dict(settings or {})
    return {name: value for name, value in values.items() if name in constants}


def require_counterpart(
    model: str, readings: Mapping[str, str], bounds: Bounds, settings: Mapping[str, Any] | None = None
) -> None:
    """Raise UsageError where the specification cannot say what is asked: a reading, a bound, a parameter of the model.

    `readings` holds readings of the model, id -> letter; a default has no need of a constant.
    """
    for reading_id, letter in readings.items():
        _require_reading(model, reading_id, letter)
    for count, option in zip(bounds.faults, ("--duplicate", "--lose", "--crash", "--restart"), strict=True):
        if count:
            raise UsageError(f"{option} {count}: the TLA+ specifications have no faults; {INSTEAD}")
    module = MODULES[model]
    if bounds.channel == "rendezvous" and '"rendezvous"' not in source_of(module):
        channels = [channel for channel in declared(WORKLOAD)["Channel"] if channel != bounds.channel]
        raise UsageError(f"--channel {bounds.channel}: {module}.tla has {_listed(channels)}; {INSTEAD}")
    for name in settings or ():
        if name not in constants_of(module):
            raise UsageError(f"--set {name}: {module}.tla has no such constant; {INSTEAD}")


def _require_reading(model: str, reading_id: str, letter: str) -> None:
    module = MODULES[model]
    field, _ = CATALOG[model].readings()[reading_id]
    letters = letters_of(module).get(reading_id.replace("-", "_"))
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
    return f"{', '.join(others)} and {last} only" if others else f"{last} only"
