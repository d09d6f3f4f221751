"""From a question to what TLC reads: the specification of a model, the values of its constants, what to check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from ..bounds import Bounds
from ..claims import CLAIMS
from ..errors import UsageError
from ..properties import UserProperty
from .declared import MODULES, declared_readings, declared_settings, definitions

INVARIANTS = {
    "CausalOrder": ("CausalOrder",),
    "Delivery": ("NotStuck",),
    "NoNeedlessDelay": ("NoNeedlessDelay",),
    "Minimality": ("MissingInState", "RedundantInState", "MissingInPacket", "RedundantInPacket"),
    "Integrity": ("Integrity",),
}
"""The invariants that judge a property. TypeOK is always judged as well. A claim C-KS-L1 is the invariant C_KS_L1."""

TEMPORAL = ("ImplementsCausalMulticast", "EveryMessageIsDelivered")
"""What can be asked as a temporal formula: the refinement, and liveness under the fairness of Spec."""

PROPERTY_OF = {invariant: name for name, invariants in INVARIANTS.items() for invariant in invariants} | {
    "SemanticOrder": "CausalOrder",
    "ImplementsCausalMulticast": "CausalOrder",
    "ImplementsSemanticMulticast": "CausalOrder",
    "EveryMessageIsDelivered": "Delivery",
}

SEMANTIC = {"CausalOrder": "SemanticOrder", "ImplementsCausalMulticast": "ImplementsSemanticMulticast"}
"""What is judged instead where the specification says so: the order is semantic there."""


def property_of(judged: str) -> str:
    """The property that an invariant or a formula judges: C-KS-L1 of C_KS_L1; TypeOK stands for itself."""
    claim = judged.replace("_", "-")
    return PROPERTY_OF.get(judged, claim if claim in CLAIMS else judged)


def counterpart(name: str) -> tuple[str, ...]:
    """The invariants that judge a property or a claim, by name."""
    return INVARIANTS.get(name, (name.replace("-", "_"),))


def require_specification(model: str, properties: Sequence[str | UserProperty], scenario: object | None = None) -> None:
    """Raise UsageError where TLC cannot be asked: a user's own model or property, or a scenario."""
    if model not in MODULES:
        raise UsageError(
            f"{model} has no TLA+ specification: `precede tlc` takes {', '.join(MODULES)}; use `precede check {model}`"
        )
    if scenario is not None:
        raise UsageError("--scenario: the TLA+ specifications follow no script; use `precede check` with it")
    known = definitions(MODULES[model])
    for wanted in properties:
        name = wanted if isinstance(wanted, str) else wanted.name
        if name != "Minimality" and not known.issuperset(counterpart(name)):
            raise UsageError(f"--property {name}: it has no TLA+ counterpart; use `precede check`, or one of "
                             f"{', '.join(stated(model))}")  # fmt: skip


def stated(model: str) -> list[str]:
    """The properties and claims that the specification of the model states."""
    known = definitions(MODULES[model])
    claims = sorted(name.replace("_", "-") for name in known if name.replace("_", "-") in CLAIMS)
    return [*(name for name, invariants in INVARIANTS.items() if known.issuperset(invariants)), *claims]


def invariants_of(model: str, properties: Sequence[str | UserProperty]) -> tuple[str, ...]:
    """The invariants that judge `properties` of the model, TypeOK first; none for what is not applicable to it."""
    known = definitions(MODULES[model])
    names = [name if isinstance(name, str) else name.name for name in properties]
    wanted = [invariant for name in names for invariant in counterpart(name) if invariant in known]
    return ("TypeOK", *(_or_semantic(invariant, known) for invariant in wanted))


def _or_semantic(formula: str, known: frozenset[str]) -> str:
    return SEMANTIC[formula] if SEMANTIC.get(formula) in known else formula


def configuration(
    model: str,
    readings: Mapping[str, str],
    bounds: Bounds,
    invariants: Sequence[str],
    *,
    settings: Mapping[str, Any] | None = None,
    temporal: Sequence[str] = (),
    symmetry: bool = False,
) -> str:
    """The text of the .cfg file; of the readings and settings, those that the specification has.

    With `symmetry` the processes are model values, and states that differ in their names only are one.
    """
    names = [f"p{n}" if symmetry else str(n) for n in range(1, bounds.processes + 1)]
    constants = {
        **({name: name for name in names} if symmetry else {}),
        "Procs": f"{{{', '.join(names)}}}",
        "MaxSends": str(bounds.sends),
        "MaxSendsPerProcess": str(bounds.per_process),
        "Load": f'"{bounds.dests}"',
        "Groups": _value(bounds.groups, names),
        "Channel": f'"{bounds.channel}"',
        "Self": f'"{bounds.self_addressed}"',
        **{name: _value(value, names) for name, value in declared_settings(model, settings).items()},
        **{name: f'"{letter}"' for name, letter in declared_readings(model, readings).items()},
    }
    lines = ["SPECIFICATION Spec", "CONSTANTS", *(f"    {name} = {value}" for name, value in constants.items())]
    lines += ["INVARIANTS", *(f"    {name}" for name in invariants)]
    if temporal:
        known = definitions(MODULES[model])
        lines += ["PROPERTIES", *(f"    {_or_semantic(name, known)}" for name in temporal)]
    if symmetry:
        lines += ["SYMMETRY Symmetry"]
    return "\n".join([*lines, ""])


def _value(value: Any, names: Sequence[str]) -> str:
    """A number, or sets of processes, as TLC reads them."""
    if isinstance(value, int):
        return str(value)
    sets = (f"{{{', '.join(names[p - 1] for p in sorted(one))}}}" for one in value)
    return f"{{{', '.join(sets)}}}"


def write_specification(folder: Path, model: str, cfg: str) -> None:
    """Put the specification, the modules that it extends and its configuration into `folder`."""
    for source in resources.files("precede.tla").iterdir():
        if source.name.endswith(".tla"):
            (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / f"{MODULES[model]}.cfg").write_text(cfg, encoding="utf-8")
