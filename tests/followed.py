"""One run of a model, step by step, in the system of the naive explorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from naive import Global, Local, Naive
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.history import Past
from precede.checker.loading import LoadedModel
from precede.models import Model


class Followed(NamedTuple):
    """After a step: the state, the properties that the step violates, and what may be received: (process, message)."""

    state: Global
    wrong: set[str]
    receivable: set[tuple[int, tuple[int, int]]]


def send(process: int, *dests: int, depends_on: int = 0) -> tuple[Any, ...]:
    """A send; where the order is semantic, the alternative of one that depends on event `depends_on`."""
    return "send", process, frozenset(dests), depends_on


def receive(process: int, sender: int, number: int) -> tuple[Any, ...]:
    """The receipt of message `number` of `sender`."""
    return "receive", process, (sender, number), 0


def internal(process: int, depends_on: int = 0) -> tuple[Any, ...]:
    """An internal event."""
    return "internal", process, depends_on


def followed(model: Model, *script: tuple[Any, ...], **bounds: Any) -> Followed:
    """What the last step of `script` did; AssertionError where a step is not enabled."""
    within = Bounds(**({"sends": 9, "channel": model.channel} | bounds))
    naive = Naive(ModelCalls(LoadedModel("model", model, {}, True), within))
    state = Global(tuple(Local(naive.calls.start(p), Past()) for p in range(1, within.processes + 1)))
    wrong: set[str] = set()
    for event in script:
        found = [(after, wrong) for action, after, wrong in naive.steps(state) if _named(action) == event]
        assert len(found) == 1, (event, len(found))
        state, wrong = found[0]
    return Followed(state, wrong, set(_receivable(naive, state)))


def _receivable(naive: Naive, state: Global) -> Iterator[tuple[int, tuple[int, int]]]:
    for transit in naive.receivable(state):
        if transit.sent:
            yield transit.packet.to, transit.sent.id


def _named(action: Any) -> tuple[Any, ...]:
    """An action of the naive explorer in the words of a script."""
    if action[0] == "receive":
        return "receive", action[1].packet.to, action[1].sent.id, action[2]
    return tuple(action)
