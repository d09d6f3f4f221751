"""Claims of the papers as named properties: a function for each, found by its id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Judge = Callable[..., bool]


@dataclass(frozen=True)
class Claim:
    """A claim about states, packets or local steps of some models (algorithms.md, section 7).

    `judge` answers whether it is true; the names of its parameters say of what: model, process, state, past; or model,
    packet, past; or model, process, before, event, after, past (`precede.checker.properties.KINDS`).
    """

    id: str
    models: tuple[str, ...]
    statement: str
    judge: Judge


CLAIMS: dict[str, Claim] = {}


def claim(id: str, *models: str, statement: str) -> Callable[[Judge], Judge]:
    """Register the decorated function as the claim `id`, made of `models` (names of the catalog)."""

    def register(judge: Judge) -> Judge:
        assert id not in CLAIMS, id
        CLAIMS[id] = Claim(id, models, statement, judge)
        return judge

    return register


def holds(id: str, **values: Any) -> bool:
    """Ask one claim directly."""
    return CLAIMS[id].judge(**values)
