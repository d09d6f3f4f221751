"""The second process that takes some of the calls: everything is as without it."""

from __future__ import annotations

import gc
import os

import numpy as np
import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import helping
from precede.checker.engine.answers import ModelAnswers
from precede.checker.engine.sharing import Sharing
from precede.checker.errors import ModelError
from precede.checker.histories import explore_histories
from precede.checker.loading import LoadedModel, load_model
from precede.models import Packet, Step
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
        patch.setattr(helping, "BLOCK", 3)
        patch.setattr(helping.Helper, "begin", counting)
        patch.setattr(ModelAnswers, "number_of_state", noting)
        patch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
        result = explore_histories(calls, bounds, PROPERTIES).as_json()
    for name in ("seconds", "peak_memory_bytes", "notes"):
        result.pop(name)
    return result, list(dict.fromkeys(states)), turns


def all_but_two(sharing: Sharing, block: int) -> bool:
    """This process takes all blocks but two, whatever the other has taken."""
    return block < sharing.all_blocks - 2  # type: ignore[attr-defined]


WAYS = {
    "as it comes": (Sharing.take_first, Sharing.take_last),
    "all is done here": (lambda *_: True, lambda *_: False),
    "all is done there": (lambda *_: False, lambda *_: True),
    "all is done twice": (lambda *_: True, lambda *_: True),
    "nobody begins": (lambda *_: False, lambda *_: False),
    "some is done twice": (all_but_two, lambda _, block: block >= 1),
    "some is left": (lambda _, block: block < 1, lambda sharing, block: not all_but_two(sharing, block)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_counts_labels_and_the_numbers_of_states_are_the_same(
    model: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, alone_states, none = found(model, 1 << 60, monkeypatch)
    begin = Sharing.begin

    def noting(self, blocks):
        self.all_blocks = blocks
        begin(self, blocks)

    take_first, take_last = WAYS[way]
    monkeypatch.setattr(Sharing, "begin", noting)
    monkeypatch.setattr(Sharing, "take_first", take_first)
    monkeypatch.setattr(Sharing, "take_last", take_last)
    helped, helped_states, turns = found(model, 8, monkeypatch)
    assert not none and len(turns) > 3 and sum(turns) > 100
    assert helped == alone
    assert helped_states == alone_states


def test_two_that_share_meet_in_the_middle() -> None:
    sharing = Sharing()
    for blocks in (5, 2):
        sharing.begin(blocks)
        assert sharing.take_first(0) and sharing.take_last(blocks - 1)
        assert [sharing.take_first(1), sharing.take_last(1)] == [blocks > 2, False]


def test_what_is_done_meanwhile_is_done_once_and_before_this_process_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    calls = ModelCalls(load_model("rst"), Bounds(3, 3))
    model = ModelAnswers(calls, Bounds(3, 3), [], 1, judge_facts=False)
    done: list[str] = []

    def ask(number: int) -> tuple[Step, ...]:
        done.append("asked")
        return (Step(number, ()),)

    for many in (1, 1 << 60):
        monkeypatch.setattr(helping, "MANY", many)
        monkeypatch.setattr(helping.Helper, "begin", lambda self, turn: self.sharing.begin(1))
        monkeypatch.setattr(helping.Helper, "end", lambda self: None)
        asked = helping.Helping(model, (ask,)).ask_all(
            0, np.array([[7]]), lambda: False, lambda: done.append("meanwhile")
        )
        assert asked == [int(model.answers.size[0])]
        assert done == ["meanwhile", "asked"]
        done.clear()
        model.flush()


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
    monkeypatch.setattr(helping, "BLOCK", 3)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with pytest.raises(ModelError, match="three is too many"):
        explore_histories(calls, bounds, ("CausalOrder",))


def test_a_model_of_the_user_gets_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = Bounds(3, 3)
    calls = ModelCalls(LoadedModel("own", RST(), {}, False), bounds)
    monkeypatch.setattr(helping, "MANY", 1)
    monkeypatch.setattr(helping, "Helper", None)
    assert explore_histories(calls, bounds, ("CausalOrder",)).verdict == "holds"
