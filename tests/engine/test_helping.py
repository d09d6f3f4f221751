"""The second process that takes some of the calls: everything is as without it."""

from __future__ import annotations

import gc
import os

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import helping
from precede.checker.engine.answers import ModelAnswers
from precede.checker.errors import ModelError
from precede.checker.histories import explore_histories
from precede.checker.loading import LoadedModel, load_model
from precede.models import Packet
from precede.models.rst import RST

PROPERTIES = ("CausalOrder", "NoNeedlessDelay", "Integrity")


def found(model: str, many: int, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, object], list[object], list[int]]:
    """What a check says, the model states in their order, and how many calls each turn of a helper made."""
    bounds = Bounds(3, 3)
    calls = ModelCalls(load_model(model), bounds)
    turns: list[int] = []
    begin = helping.Helper.begin

    def counting(self, turn):
        turns.append(len(turn.questions))
        begin(self, turn)

    states = []
    number_of_state = ModelAnswers.number_of_state

    def noting(self, state):
        states.append(state)
        return number_of_state(self, state)

    with monkeypatch.context() as patch:
        patch.setattr(helping, "MANY", many)
        patch.setattr(helping.Helper, "begin", counting)
        patch.setattr(ModelAnswers, "number_of_state", noting)
        patch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
        result = explore_histories(calls, bounds, PROPERTIES).as_json()
    for name in ("seconds", "peak_memory_bytes", "notes"):
        result.pop(name)
    return result, list(dict.fromkeys(states)), turns


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_counts_labels_and_the_numbers_of_states_are_the_same(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, alone_states, none = found(model, 1 << 60, monkeypatch)
    helped, helped_states, turns = found(model, 8, monkeypatch)
    assert not none and len(turns) > 3 and sum(turns) > 100
    assert helped == alone
    assert helped_states == alone_states


def test_one_helper_takes_all_turns_and_ends_with_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    fork = os.fork

    def noting() -> int:
        process = fork()
        if process:
            started.append(process)
        return process

    monkeypatch.setattr(os, "fork", noting)
    _, _, turns = found("rst", 8, monkeypatch)
    gc.collect()
    assert len(started) == 1 < len(turns)
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], os.WNOHANG)


@pytest.mark.parametrize("turn", [0, 2])
def test_a_helper_that_is_killed_changes_nothing(turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, end = helping.Helper.begin, helping.Helper.end
    turns = 0

    def killing(self, told):
        nonlocal turns
        if turns == turn:
            process = self.dismiss.peek()[2][1]
            os.kill(process, 9)
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        turns += 1
        begin(self, told)

    alone, alone_states, _ = found("ks", 1 << 60, monkeypatch)
    monkeypatch.setattr(helping.Helper, "begin", killing)
    parts = []
    monkeypatch.setattr(helping.Helper, "end", lambda self: parts.append(end(self)) or parts[-1])
    helped, helped_states, _ = found("ks", 8, monkeypatch)
    assert helped == alone and helped_states == alone_states
    assert len(parts) > turn + 1
    assert [part is None for part in parts] == [number == turn for number in range(len(parts))]


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
    monkeypatch.setattr(helping, "Helper", None)
    assert explore_histories(calls, bounds, ("CausalOrder",)).verdict == "holds"
