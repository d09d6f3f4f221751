"""Does a model treat processes alike? Symmetry is refused where what is compared says no."""

from __future__ import annotations

from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.errors import UsageError
from precede.checker.histories import closure, explore_histories
from precede.checker.loading import LoadedModel, load_model
from precede.models import Message, Model, Packet, Step
from precede.models.rst import RST, RSTState


class ForgetsAtLast(RST):
    """RST, but what process 3 sends knows only of its own messages to these destinations. That takes three sends."""

    def send(self, state: RSTState, message: Message) -> Any:
        step = super().send(state, message)
        assert isinstance(step, Step)
        if state.j != 3:
            return step
        own = tuple(count if d in message.dests else 0 for d, count in enumerate(state.SENT[2], 1))
        return step._replace(packets=tuple(p._replace(control=(*p.control[:2], own)) for p in step.packets))


class RefusesTheThird(Model):
    """Process 3 never takes what would be the third message that it knows; all carry what their senders know."""

    def start(self, me: int, processes: int) -> Any:
        return (me, frozenset())

    def send(self, state: Any, message: Message) -> Step:
        me, known = state
        packets = tuple(Packet(me, d, message, known) for d in sorted(message.dests))
        return Step((me, known | {message[:2]}), packets)

    def receive(self, state: Any, packet: Packet) -> Step | None:
        me, known = state
        known |= packet.control | {packet.message[:2]}
        return None if me == 3 and len(known) == 3 else Step((me, known), delivered=(packet.message,))


def calls_of(model: Model, bounds: Bounds) -> ModelCalls:
    return ModelCalls(LoadedModel("own", model, {}, True), bounds)


@pytest.mark.parametrize(
    ("model", "sends", "property"),
    [
        (ForgetsAtLast(), 3, "CausalOrder"),
        (RefusesTheThird(), 3, "NoNeedlessDelay"),
        (RefusesTheThird(), 3, "Delivery"),
        (RefusesTheThird(), 5, "NoNeedlessDelay"),
    ],
    ids=str,
)
def test_what_one_process_does_otherwise_where_all_sends_are_known_is_noticed(
    model: Model, sends: int, property: str
) -> None:
    bounds = Bounds(3, sends, dests="unicast")
    (whole,) = explore_histories(calls_of(model, bounds), bounds, (property,)).properties
    assert whole.verdict == ("incomplete" if property == "Delivery" else "violated")
    with pytest.raises(UsageError, match="what is met of one process is not what is met of the others"):
        explore_histories(calls_of(model, bounds), bounds, (property,), by_symmetry=True)


@pytest.mark.parametrize(("model", "bounds"), [("rst", Bounds(3, 4)), ("ks", Bounds(4, 3, dests="unicast"))], ids=str)
def test_comparing_some_orbits_or_all_keeps_the_same(
    model: str, bounds: Bounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("CausalOrder", "NoNeedlessDelay")
    calls = ModelCalls(load_model(model), bounds)
    monkeypatch.setattr(closure, "ALL_COMPARED", 10**6)
    every = explore_histories(calls, bounds, asked, by_symmetry=True)
    monkeypatch.setattr(closure, "ALL_COMPARED", 1)
    some = explore_histories(calls, bounds, asked, by_symmetry=True)
    whole = explore_histories(calls, bounds, asked)
    assert (every.local_states, every.pairs) == (some.local_states, some.pairs)
    kept = f"by symmetry: what is kept stands for {whole.local_states:,} process states"
    assert every.notes[0] == some.notes[0] == kept
    assert not any("looked for, not proved" in note for note in every.notes)
    assert any("looked for, not proved" in note for note in some.notes)


def test_a_sample_is_enough_for_what_is_not_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = Bounds(3, 5, dests="unicast")
    monkeypatch.setattr(closure, "ALL_COMPARED", 1)
    with pytest.raises(UsageError, match="--symmetry does not apply"):
        explore_histories(calls_of(RefusesTheThird(), bounds), bounds, ("NoNeedlessDelay",), by_symmetry=True)
