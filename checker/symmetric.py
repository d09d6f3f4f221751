"""Where the numbers of processes cannot matter, so that states that differ in them only may be taken for one."""

from __future__ import annotations

from precede.models import Model

from .bounds import Bounds
from .calls import ModelCalls
from .errors import UsageError
from .properties import UserProperty
from .scenario import Scenario

OPTION = "--symmetry"
MOST_RENAMED = 5
"""Processes that are renamed in all ways."""


def require_alike(
    calls: ModelCalls, bounds: Bounds, properties: tuple[str | UserProperty, ...], scenario: Scenario | None = None
) -> None:
    """Raise UsageError where the question tells processes apart, or states are not told by their causal pasts.

    Whether the model treats all processes alike is not seen here: the search looks for it (`engine.orbits`). Where the
    model has a specification that says its processes are numbers, that is believed.
    """
    model, own = calls.model, type(calls.model)
    if scenario is not None:
        raise UsageError(f"{OPTION} and --scenario exclude each other: a scenario tells processes apart")
    if bounds.processes > MOST_RENAMED:
        raise UsageError(f"{OPTION}: {bounds.processes} processes have too many renamings; at most {MOST_RENAMED}")
    if bounds.dests == "groups":
        raise UsageError(f"{OPTION}: groups tell processes apart")
    if any(bounds.faults):
        raise UsageError(f"{OPTION} does not apply with faults: states are then not told by their causal pasts")
    if model.semantic or not model.direct or own.internal is not Model.internal or own.joint is not Model.joint:
        raise UsageError(
            f"{OPTION} does not apply to {calls.loaded.name}: only the states of direct models whose order is causal "
            "are told by their causal pasts"
        )
    for item in properties:
        if isinstance(item, UserProperty):
            raise UsageError(f"{OPTION}: {item.name} is a property in Python, which may tell processes apart")
    for name in model.parameters():
        value = getattr(model, name)
        if not isinstance(value, int) and value:
            raise UsageError(f"{OPTION}: {name} tells processes apart")
    _require_of_specification(calls, bounds)


def _require_of_specification(calls: ModelCalls, bounds: Bounds) -> None:
    from .tlc import require_symmetry
    from .tlc.declared import MODULES

    loaded = calls.loaded
    if loaded.name in MODULES:
        require_symmetry(loaded.name, loaded.readings, bounds, loaded.settings)
