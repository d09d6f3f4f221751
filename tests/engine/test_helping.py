"""The second process that takes some of the calls: everything is as without it."""

from __future__ import annotations

import os

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import helping
from precede.checker.errors import ModelError
from precede.checker.histories import explore_histories
from precede.checker.loading import LoadedModel, load_model
from precede.models import Packet
from precede.models.rst import RST


def found(model: str, many: int, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, object], list[object], int]:
    """What a check says, the model states in their order, and how many helpers were started."""
    bounds = Bounds(3, 3)
    calls = ModelCalls(load_model(model), bounds)
    started = 0
    start = helping._start

    def counting(*arguments):
        nonlocal started
        started += 1
        return start(*arguments)

    states = []
    from precede.checker.engine.answers import ModelAnswers

    number_of_state = ModelAnswers.number_of_state

    def noting(self, state):
        states.append(state)
        return number_of_state(self, state)

    with monkeypatch.context() as patch:
        patch.setattr(helping, "MANY", many)
        patch.setattr(helping, "_start", counting)
        patch.setattr(ModelAnswers, "number_of_state", noting)
        patch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
        result = explore_histories(calls, bounds, ("CausalOrder", "NoNeedlessDelay", "Integrity")).as_json()
    for name in ("seconds", "peak_memory_bytes"):
        result.pop(name)
    return result, list(dict.fromkeys(states)), started


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_counts_labels_and_the_numbers_of_states_are_the_same(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, alone_states, none = found(model, 1 << 60, monkeypatch)
    helped, helped_states, helpers = found(model, 8, monkeypatch)
    assert none == 0 and helpers > 3
    assert helped == alone
    assert helped_states == alone_states


class RaisesLate(RST):
    """Fails at the third delivery of a process."""

    def receive(self, state, packet: Packet):
        if sum(state.DELIV) == 2:
            raise ArithmeticError("three is too many")
        return super().receive(state, packet)


def test_what_fails_in_the_helper_is_reported_here(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = Bounds(3, 3)
    calls = ModelCalls(LoadedModel("late", RaisesLate(), {}, True), bounds)
    monkeypatch.setattr(helping, "MANY", 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with pytest.raises(ModelError, match="three is too many"):
        explore_histories(calls, bounds, ("CausalOrder",))


def test_a_model_of_the_user_gets_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = Bounds(3, 3)
    calls = ModelCalls(LoadedModel("own", RST(), {}, False), bounds)
    monkeypatch.setattr(helping, "MANY", 1)
    monkeypatch.setattr(helping, "_start", None)
    assert explore_histories(calls, bounds, ("CausalOrder",)).verdict == "holds"
