"""One state of those that differ in the numbers of processes only: what is reported is what all states give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run as precede
from precede.checker.engine import GlobalState, all_states, explore, orbits
from precede.checker.errors import UsageError
from precede.checker.history import Past, Sent
from precede.checker.loading import LoadedModel, load_model
from precede.checker.result import Result
from precede.models import Message, Packet, Step
from precede.models.null import Null
from random_models import Tables, tables

from .kept import EVERYTHING, explored, facts, small_bounds, take_witnesses

MODELS = ("rst", "ks", "jang")
SCENARIO = Path(__file__).parent.parent / "scenarios" / "jang-just-delivered.txt"
UNSEEN = -1
"""No level is explored in full before the search."""


def asked(model: Any, bounds: Bounds, *properties: str) -> Result:
    calls = ModelCalls(LoadedModel("of the test", model, {}, True), bounds)
    return explore(calls, bounds, properties or EVERYTHING, keep="orbits")


@pytest.mark.parametrize("tried", [UNSEEN, 5_000])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("bounds", "kept", "states", "transitions", "local_states", "packets"),
    [
        (Bounds(processes=3, sends=2), 88, 484, 801, 219, 96),
        (Bounds(processes=3, sends=3), 1_486, 8_757, 17_634, 2_340, 876),
        (Bounds(processes=3, sends=4), 26_097, 156_000, 352_785, 28_131, 9_360),
        (Bounds(processes=3, sends=4, channel="fifo"), 26_097, 156_000, 352_785, 28_131, 9_360),
        pytest.param(Bounds(processes=4, sends=3), 25_037, 581_301, 1_567_512, 63_296, 24_624, marks=pytest.mark.sweep),
        (Bounds(processes=4, sends=3, dests="unicast"), 324, 7_069, 13_632, 1_988, 660),
        (Bounds(processes=3, sends=4, dests="broadcast"), 1_595, 9_305, 23_469, 1_185, 444),
    ],
    ids=str,
)
def test_what_the_kept_states_stand_for_is_every_state(
    model: str, tried: int, bounds: Bounds, kept: int, states: int, transitions: int, local_states: int, packets: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(orbits, "TRIED", tried)
    result = explored(model, bounds, "orbits")
    assert (result.verdict, result.complete, result.orbits) == ("holds", True, kept)
    assert (result.distinct_states, result.transitions) == (states, transitions)
    assert (result.local_states, result.packets) == (local_states, packets)
    assert result.omission_probability is not None and 0 < result.omission_probability < 1e-6


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=2), Bounds(processes=4, sends=1)], ids=str)
def test_the_kept_states_are_as_many_as_the_orbits_of_all_states_renamed_one_by_one(bounds: Bounds) -> None:
    names = [dict(enumerate(p, 1)) for p in permutations(range(1, bounds.processes + 1))]
    states = list(all_states(ModelCalls(load_model("oracle", ()), bounds), bounds))
    found = {frozenset(renamed_state(state, name) for name in names) for state in states}
    result = explored("oracle", bounds, "orbits")
    assert (result.orbits, result.distinct_states) == (len(found), len(states))
    assert sum(map(len, found)) == len(states)


def renamed_state(state: GlobalState, name: dict[int, int]) -> object:
    """The pasts of a state, of which its model states are functions, renamed."""
    locals_, transit = state
    return (
        frozenset((name[p], renamed(past, name)) for p, (_, past) in enumerate(locals_, 1)),
        frozenset((renamed_message(packet.message, name), name[packet.to], renamed(p, name)) for packet, p in transit),
    )


def renamed(past: Past, name: dict[int, int]) -> Past:
    return Past(
        frozenset(Sent(renamed_message(sent.message, name), renamed(sent.past, name)) for sent in past.sent),
        frozenset(((name[sender], number), name[at]) for (sender, number), at in past.delivered),
    )


def renamed_message(message: Message, name: dict[int, int]) -> Message:
    return Message(name[message.sender], message.number, frozenset(name[d] for d in message.dests))


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=3), Bounds(processes=4, sends=2)], ids=str)
@pytest.mark.parametrize(
    ("model", "reading"),
    [
        ("rst", "RST-1b"), ("rst", "RST-1c"), ("rst", "RST-6b"), ("rst", "GK-19a"), ("ks", "KS-2a"), ("ks", "KS-32b"),
        ("jang", "J-1c"), ("jang", "J-8b"), ("jang", "J-8c"), ("jang", "J-9c"), ("jang", "J-10c"),
    ],
)  # fmt: skip
def test_broken_readings_are_found_as_soon_and_the_run_is_one(model: str, reading: str, bounds: Bounds) -> None:
    result = explored(model, bounds, "orbits", reading)
    assert facts(result) == facts(explored(model, bounds, "rows", reading))
    take_witnesses(result)


@pytest.mark.parametrize(("model", "reading"), [("rst", "RST-5b"), ("ks", "KS-6c")])
@pytest.mark.parametrize("tried", [UNSEEN, 5_000])
def test_a_reading_that_goes_by_process_numbers_is_noticed(
    model: str, reading: str, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orbits, "TRIED", tried)
    with pytest.raises(UsageError, match="answers a renamed call differently"):
        explored(model, Bounds(processes=3, sends=3), "orbits", reading)
    monkeypatch.setattr(orbits, "first_disagreement", lambda *_: 0)
    if tried > 0:
        with pytest.raises(UsageError, match="not every renaming is there"):
            explored(model, Bounds(processes=3, sends=3), "orbits", reading)


@dataclass(frozen=True)
class Late(Null):
    """Process 2 never takes a third message."""

    def start(self, me: int, processes: int) -> Any:
        return me, 0

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(state[0], d, message, None) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        me, count = state
        return None if me == 2 and count == 2 else Step((me, count + 1), delivered=(packet.message,))


@pytest.mark.parametrize("tried", [UNSEEN, 100])
def test_an_asymmetry_beyond_the_levels_explored_in_full_is_noticed(
    tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orbits, "TRIED", tried)
    with pytest.raises(UsageError, match="process numbers matter"):
        asked(Late(), Bounds(processes=3, sends=4))


@dataclass(frozen=True)
class Deaf(Late):
    """Process 1 takes nothing before it has sent."""

    def send(self, state: Any, message: Message) -> Any:
        return super().send(state, message)._replace(state=(state[0], 1))

    def receive(self, state: Any, packet: Packet) -> Any:
        return None if state == (1, 0) else Step(state, delivered=(packet.message,))


def test_random_walks_notice_what_the_kept_states_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = Bounds(processes=3, sends=1, dests="broadcast")
    monkeypatch.setattr(orbits, "TRIED", UNSEEN)
    with pytest.raises(UsageError, match="process numbers matter"):
        asked(Deaf(), bounds)
    monkeypatch.setattr(orbits.Sample, "walks", 0)
    assert asked(Deaf(), bounds, "CausalOrder").distinct_states == 13  # wrong: process 1 stands for no other


def test_the_initial_state_is_the_same_when_it_is_asked_for_again() -> None:
    bounds = Bounds(processes=3, sends=3, channel="fifo-delivery")
    assert facts(explored("null", bounds, "orbits")) == facts(explored("null", bounds, "rows"))


@dataclass(frozen=True)
class Ordered(Null):
    """A process remembers in which order it delivered, which its past does not."""

    def start(self, me: int, processes: int) -> Any:
        return me, ()

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(state[0], d, message, None) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step((state[0], (*state[1], packet.message)), delivered=(packet.message,))


def test_states_that_are_not_functions_of_their_pasts_are_noticed() -> None:
    with pytest.raises(UsageError, match="not told by their pasts"):
        asked(Ordered(), Bounds(processes=3, sends=3))


@settings(max_examples=60, deadline=None)
@given(tables(), small_bounds)
def test_a_random_model_is_refused_or_explored_as_without(model: Tables, bounds: Bounds) -> None:
    calls = ModelCalls(LoadedModel("tables", model, {}, True), bounds)
    try:
        result = explore(calls, bounds, EVERYTHING, keep="orbits")
    except UsageError:
        return
    assert facts(result) == facts(explore(calls, bounds, EVERYTHING))


@pytest.mark.parametrize(
    ("hint", "arguments"),
    [
        ("groups", ("rst", "--groups", "1,2;2,3")),
        ("exclude each other", ("jang", "--scenario", str(SCENARIO))),
        ("faults", ("ks", "--lose", "1")),
        ("too many renamings", ("ks", "--processes", "6", "--sends", "1")),
        ("direct", ("mattern-fuenfrocken",)),
        ("direct", ("ks@oldest",)),
        ("causal", ("gk",)),
        ("property in Python", ("ks", "--property", "C-KS-L1")),
        ("numbers 1 to n", ("rst", "--reading", "RST-5b")),
        ("only bfs", ("rst", "--search", "dfs")),
    ],
)
def test_a_question_that_tells_processes_apart_is_refused_in_one_line(
    hint: str, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert precede(["check", *arguments, "--symmetry", "--engine", "states"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and hint in err and err.strip().count("\n") == 0


def test_the_command_reports_both_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert precede(["check", "rst", "--sends", "2", "--engine", "states", "--symmetry"]) == 0
    out = capsys.readouterr().out
    assert "88   states kept" in out and "484   distinct global states for which they stand" in out
    assert precede(["check", "rst", "--sends", "2", "--engine", "states", "--symmetry", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["orbits"], result["distinct_states"], result["transitions"]) == (88, 484, 801)
