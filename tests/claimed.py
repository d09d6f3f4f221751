"""Claims, judged over everything that the naive explorer found."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

from naive import Found, Global
from precede.checker.claims.registry import CLAIMS
from precede.models import Message, Model, Packet


class Judged(NamedTuple):
    """How many distinct objects a claim was asked about, and the steps of a shortest run to one where it is false."""

    asked: int
    false_after: int | None


def claims_in(*modules: ModuleType) -> tuple[str, ...]:
    """The ids of the claims that these modules define."""
    names = {module.__name__ for module in modules}
    return tuple(id for id, claim in CLAIMS.items() if claim.judge.__module__ in names)


def judged(model: Model, found: Found, *ids: str) -> dict[str, Judged]:
    """The claims `ids` of `model`."""
    return {id: _judge(id, model, found) for id in ids}


def false_claims(model: Model, found: Found, *ids: str) -> dict[str, int]:
    """Those of the claims that are false somewhere: id -> the steps of a shortest run."""
    results = judged(model, found, *ids)
    return {id: result.false_after for id, result in results.items() if result.false_after is not None}


def _judge(id: str, model: Model, found: Found) -> Judged:
    function = CLAIMS[id].judge
    needs = set(inspect.signature(function).parameters)
    answers: dict[Any, bool] = {}
    for depth, level in enumerate(levels(found)):
        for later, values in objects(needs, level, found):
            values = {name: value for name, value in values.items() if name in needs}
            key = tuple(values.items())
            if key not in answers:
                answers[key] = function(**values, **({"model": model} if "model" in needs else {}))
                if not answers[key]:
                    return Judged(len(answers), depth + later)
    return Judged(len(answers), None)


def levels(found: Found) -> Iterator[list[Global]]:
    """The states by their distance from the first, which is the only one that nothing leads to."""
    first = next(iter(found.edges))
    level, seen = [first], {first}
    while level:
        yield level
        after = {successor for state in level for _, successor in found.edges[state]} - seen
        seen |= after
        level = list(after)


def objects(needs: set[str], level: list[Global], found: Found) -> Iterator[tuple[int, dict[str, Any]]]:
    """What a claim with these parameters is asked about in these states (0) and the steps from them (1)."""
    for state in level:
        if needs & {"before", "event", "after"}:
            yield from ((1, step) for action, after in found.edges[state] for step in _steps(state, action, after))
        elif "packet" in needs:
            for transit in _transits(state):
                if isinstance(transit.packet, Packet):
                    yield 0, {"packet": transit.packet, "past": transit.sent.past}
        else:
            for process, local in enumerate(state.locals, 1):
                yield 0, {"process": process, "state": local.state, "past": local.past}


def _transits(state: Global) -> Iterator[Any]:
    """What is in transit, in bags and in queues."""
    for item, content in state.network:
        yield from content if isinstance(content, tuple) else [item]


def _steps(state: Global, action: Any, after: Global) -> Iterator[dict[str, Any]]:
    """The send or the receipt that `action` is."""
    if action[0] == "send":
        process = action[1]
        sent = after.locals[process - 1].past.sent - state.locals[process - 1].past.sent
        message = max((s for s in sent if s.message.sender == process), key=lambda s: s.message.number)
        event: Message | Packet = message.shown
    elif action[0] == "receive" and isinstance(action[1].packet, Packet):
        process, event = action[1].packet.to, action[1].packet
    else:
        return
    before, local = state.locals[process - 1], after.locals[process - 1]
    yield {"process": process, "before": before.state, "event": event, "after": local.state, "past": local.past}
