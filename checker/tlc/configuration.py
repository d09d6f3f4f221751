"""From a question to what TLC reads: the specification of a model, the values of its constants, its invariants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

from ..bounds import Bounds
from ..errors import UsageError
from ..properties import UserProperty
from .declared import MODULES, declared_readings

MINIMAL = ("ks", "jang")
"""The models whose specification states facts; Minimality is not applicable to the others."""

INVARIANTS = {
    "CausalOrder": ("CausalOrder",),
    "Delivery": ("NotStuck",),
    "NoNeedlessDelay": ("NoNeedlessDelay",),
    "Minimality": ("MissingInState", "RedundantInState", "MissingInPacket", "RedundantInPacket"),
}
"""The invariants that judge a property. TypeOK is always judged as well."""

PROPERTY_OF = {invariant: name for name, invariants in INVARIANTS.items() for invariant in invariants}


def require_specification(model: str, properties: Sequence[str | UserProperty], scenario: object | None = None) -> None:
    """Raise UsageError where TLC cannot be asked: a user's own model or property, or a scenario."""
    if model not in MODULES:
        raise UsageError(
            f"{model} has no TLA+ specification: `precede tlc` takes {', '.join(MODULES)}; use `precede check {model}`"
        )
    if scenario is not None:
        raise UsageError("--scenario: the TLA+ specifications follow no script; use `precede check` with it")
    for wanted in properties:
        name = wanted if isinstance(wanted, str) else wanted.name
        if name not in INVARIANTS:
            raise UsageError(f"--property {name}: it has no TLA+ counterpart; use `precede check`, or one of "
                             f"{', '.join(INVARIANTS)}")  # fmt: skip


def invariants_of(model: str, properties: Sequence[str | UserProperty]) -> tuple[str, ...]:
    """The invariants that judge `properties` of the model, TypeOK first."""
    names = [name for name in properties if isinstance(name, str) and (name != "Minimality" or model in MINIMAL)]
    return ("TypeOK", *(invariant for name in names for invariant in INVARIANTS[name]))


def configuration(model: str, readings: Mapping[str, str], bounds: Bounds, invariants: Sequence[str]) -> str:
    """The text of the .cfg file; of the readings, those that the specification has."""
    constants = {
        "Procs": f"{{{', '.join(map(str, range(1, bounds.processes + 1)))}}}",
        "MaxSends": str(bounds.sends),
        "MaxSendsPerProcess": str(bounds.per_process),
        "Load": f'"{bounds.dests}"',
        "Channel": f'"{bounds.channel}"',
        "Self": f'"{bounds.self_addressed}"',
        **{name: f'"{letter}"' for name, letter in declared_readings(model, readings).items()},
    }
    lines = ["SPECIFICATION Spec", "CONSTANTS", *(f"    {name} = {value}" for name, value in constants.items())]
    return "\n".join([*lines, "INVARIANTS", *(f"    {name}" for name in invariants), ""])


def write_specification(folder: Path, model: str, cfg: str) -> None:
    """Put the specification, the modules that it extends and its configuration into `folder`."""
    for source in resources.files("precede.tla").iterdir():
        if source.name.endswith(".tla"):
            (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / f"{MODULES[model]}.cfg").write_text(cfg, encoding="utf-8")
