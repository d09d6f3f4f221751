"""Where the histories engine applies, and how much its pasts have to remember for a property."""

from __future__ import annotations

from precede.models import Model

from ..bounds import Bounds
from ..calls import ModelCalls
from ..engine.weights import FULL, LIGHT
from ..properties import UserProperty
from ..scenario import Scenario
from .symmetry import MOST_PROCESSES


def why_not(calls: ModelCalls, bounds: Bounds, scenario: Scenario | None = None) -> str | None:
    """Why the histories engine does not apply; None where it does.

    It needs steps that are local: each is taken by one process, from its own state and at most one packet, and any
    packet in transit may be taken by itself.
    """
    model = calls.model
    if type(model).joint is not Model.joint:
        return "the model has joint steps, which are taken by all processes together"
    if calls.channel_rule != "unordered":
        return f"with {bounds.channel} channels a receipt depends on what else is in transit"
    if any(bounds.faults):
        return "faults are counted over the whole run"
    if scenario is not None:
        return "a scenario says what happens in the whole run"
    return None


def why_not_symmetric(calls: ModelCalls, bounds: Bounds) -> str | None:
    """Why renaming processes may make a difference, as far as it is known before; None otherwise."""
    if bounds.processes > MOST_PROCESSES:
        return f"at most {MOST_PROCESSES} processes, since all their renamings are tried"
    if bounds.dests == "groups":
        return "groups tell processes apart"
    if calls.model.semantic or not calls.model.direct:
        return "events on which others depend, and packets of the protocol, have no codes"
    return None


def weights_for(calls: ModelCalls, properties: tuple[str | UserProperty, ...]) -> tuple[int, ...]:
    """The weights of pasts to be tried, the lightest first that can decide the properties.

    Light pasts hold which messages are known, their destinations and the own deliveries: enough for CausalOrder,
    NoNeedlessDelay and Integrity. Minimality, a property that reads the past, semantic order and packets of the
    protocol need all of it.
    """
    if calls.model.semantic or not calls.model.direct or "Minimality" in properties:
        return (FULL,)
    if any(isinstance(item, UserProperty) and "past" in item.needs for item in properties):
        return (FULL,)
    return (LIGHT, FULL)
