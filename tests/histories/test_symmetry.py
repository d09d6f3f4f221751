"""Process symmetry of histories: the same verdicts, and what is kept stands for all that is met without it."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.errors import USAGE, UsageError
from precede.checker.histories import explore_histories
from precede.checker.loading import LoadedModel, load_model
from precede.models import Message, Model, Packet, Step


def stood_for(notes: tuple[str, ...]) -> int:
    text = next(note for note in notes if note.startswith("by symmetry"))
    return int(text.split("stands for ")[1].split(" ")[0].replace(",", ""))


@pytest.mark.parametrize(
    ("model", "bounds", "asked"),
    [
        ("ks", Bounds(3, 4), ("CausalOrder", "Minimality")),
        ("ks", Bounds(4, 2), ("CausalOrder", "Minimality")),
        ("jang", Bounds(4, 3, dests="unicast"), ("CausalOrder", "Minimality")),
        ("rst", Bounds(3, 4), ("CausalOrder", "NoNeedlessDelay")),
        ("rst", Bounds(5, 3, dests="unicast"), ("CausalOrder", "NoNeedlessDelay")),
    ],
    ids=str,
)
def test_what_is_kept_stands_for_all_that_is_met_without_symmetry(
    model: str, bounds: Bounds, asked: tuple[str, ...]
) -> None:
    calls = ModelCalls(load_model(model), bounds)
    whole = explore_histories(calls, bounds, asked)
    kept = explore_histories(calls, bounds, asked, by_symmetry=True)
    assert whole.local_states and kept.local_states and kept.local_states < whole.local_states
    assert stood_for(kept.notes) == whole.local_states
    assert [p.verdict for p in kept.properties] == [p.verdict for p in whole.properties]


@pytest.mark.parametrize(
    ("model", "reading"),
    [("rst", "RST-1b"), ("rst", "RST-2b"), ("ks", "KS-2a"), ("ks", "KS-32b"), ("jang", "J-3a")],
)
def test_broken_readings_are_found_with_runs_of_the_same_length(model: str, reading: str) -> None:
    bounds = Bounds(3, 3)
    calls = ModelCalls(load_model(model, [reading]), bounds)
    asked = ("CausalOrder", "NoNeedlessDelay") + (("Minimality",) if calls.has_facts() else ())
    whole = explore_histories(calls, bounds, asked)
    kept = explore_histories(calls, bounds, asked, by_symmetry=True)
    assert [(p.verdict, p.trace_length) for p in kept.properties] == [
        (p.verdict, p.trace_length) for p in whole.properties
    ]


@pytest.mark.parametrize(("model", "reading"), [("rst", "RST-5b"), ("ks", "KS-6c")])
def test_readings_that_take_destinations_in_the_order_of_their_numbers_are_refused(model: str, reading: str) -> None:
    bounds = Bounds(3, 3)
    with pytest.raises(UsageError, match="--symmetry does not apply"):
        explore_histories(
            ModelCalls(load_model(model, [reading]), bounds), bounds, ("NoNeedlessDelay",), by_symmetry=True
        )


class FirstSpeaksOnce(Model):
    """Process 1 sends only before it has delivered anything: the processes are not alike."""

    def start(self, me, processes):
        return (me, 0)

    def send(self, state, message: Message):
        me, count = state
        if me == 1 and count:
            return None
        return Step(state, tuple(Packet(me, d, message, 0) for d in sorted(message.dests)))

    def receive(self, state, packet):
        return Step((state[0], 1), delivered=(packet.message,))


def test_a_model_that_tells_processes_apart_is_noticed() -> None:
    bounds = Bounds(3, 3)
    calls = ModelCalls(LoadedModel("first", FirstSpeaksOnce(), {}, True), bounds)
    with pytest.raises(UsageError, match="what is met of one process is not what is met of the others"):
        explore_histories(calls, bounds, ("CausalOrder",), by_symmetry=True)


def test_where_symmetry_cannot_be_used_it_is_said(capsys) -> None:
    assert run(["check", "gk", "--channel", "unordered", "--sends", "2", "--symmetry"]) == USAGE
    assert "--symmetry does not apply" in capsys.readouterr().err
