"""Only fingerprints are kept: what is reported stays the same, but that a state may be left out, and how likely."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run as precede
from precede.checker.engine import Limits, compacted, explore
from precede.checker.engine.compacted import CYCLES
from precede.checker.engine.fingerprints import omission_probability, pairs_of
from precede.checker.engine.naming import name_rows
from precede.checker.engine.spilling import RowFile
from precede.checker.errors import EnvironmentProblem, UsageError
from precede.checker.loading import LoadedModel, load_model
from precede.models import Message, Model, Packet, Signal, Step
from random_models import Tables, tables

from .kept import EVERYTHING, explored, facts, small_bounds, take_witnesses


@pytest.mark.parametrize(
    ("model", "bounds", "readings"),
    [
        ("rst", Bounds(processes=3, sends=4), ()),
        ("ks", Bounds(processes=3, sends=3, channel="fifo"), ("KS-2a",)),
        ("jang", Bounds(processes=3, sends=3), ("J-8b",)),
        ("rst", Bounds(processes=3, sends=3), ("RST-1b",)),
        ("gk", Bounds(processes=3, sends=2), ()),
        ("ks", Bounds(processes=3, sends=2, duplicates=1, losses=1), ()),
        ("ks", Bounds(processes=3, sends=2, crashes=1, restarts=1, channel="fifo-delivery"), ()),
        ("mattern-fuenfrocken", Bounds(processes=3, sends=2), ()),
        ("sa", Bounds(processes=3, sends=2), ()),
    ],
    ids=str,
)
def test_verdicts_counts_and_lengths_are_those_of_whole_states(
    model: str, bounds: Bounds, readings: tuple[str, ...]
) -> None:
    exact = explored(model, bounds, "rows", *readings)
    compact = explored(model, bounds, "fingerprints", *readings)
    assert facts(compact) == facts(exact)
    assert exact.omission_probability is None and compact.omission_probability is not None
    assert 0 < compact.omission_probability < 1e-6
    take_witnesses(compact)


@settings(max_examples=40, deadline=None)
@given(tables(), small_bounds)
def test_random_models_are_explored_alike(model: Tables, bounds: Bounds) -> None:
    calls = ModelCalls(LoadedModel("tables", model, {}, True), bounds)
    exact = explore(calls, bounds, EVERYTHING)
    assert facts(explore(calls, bounds, EVERYTHING, keep="fingerprints")) == facts(exact)


@pytest.mark.parametrize("model", ["serialised-broadcast", "psync-requests", "ks-lookahead"])
def test_delivery_is_left_open_where_there_may_be_cycles(model: str) -> None:
    bounds = Bounds(processes=3, sends=2, dests="broadcast")
    exact, compact = (explored(model, bounds, keep) for keep in ("rows", "fingerprints"))
    left = {p.name: p.verdict for p in compact.properties}
    assert left.pop("Delivery") == "incomplete"
    assert left == {p.name: p.verdict for p in exact.properties if p.name != "Delivery"}
    assert (compact.complete, compact.stopped) == (False, CYCLES)
    assert (compact.distinct_states, compact.transitions) == (exact.distinct_states, exact.transitions)


def test_a_state_whose_fingerprint_is_that_of_another_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def name_few(rows: Any, count: int, head: int, hashes: Any, orbits: Any) -> None:
        name_rows(rows, count, head, hashes, orbits)
        hashes[:count] >>= np.uint64(52)
        hashes[:count] += np.uint64(1)

    bounds = Bounds(processes=3, sends=3)
    exact = explored("rst", bounds, "fingerprints")
    monkeypatch.setattr(compacted, "name_rows", name_few)
    assert exact.distinct_states == 8_757
    assert (explored("rst", bounds, "fingerprints").distinct_states or 0) < 8_757


def test_the_probability_is_that_of_a_birthday() -> None:
    assert pairs_of(3) == 3
    assert omission_probability(pairs_of(2**32)) == pytest.approx(0.5)
    assert omission_probability(2**70) == 1.0
    exact = explored("rst", Bounds(processes=3, sends=2), "fingerprints")
    assert exact.omission_probability is not None
    assert exact.omission_probability < pairs_of(484) / 2**64  # only states of one level can be mistaken for each other


@dataclass(frozen=True)
class Floods(Model):
    """A send transmits more packets than a message has destinations, so that rows get longer on the way."""

    direct = False

    def start(self, me: int, processes: int) -> Any:
        return me

    def send(self, state: Any, message: Message) -> Any:
        signals = tuple(Signal(state, d, number) for d in sorted(message.dests) for number in range(6))
        return Step(state, (*(Packet(state, d, message, None) for d in sorted(message.dests)), *signals))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, delivered=(packet.message,))

    def signal(self, state: Any, signal: Signal) -> Any:
        return Step(state)


def test_rows_may_get_longer() -> None:
    bounds = Bounds(processes=2, sends=2)
    calls = ModelCalls(LoadedModel("floods", Floods(), {}, True), bounds)
    exact, compact = (explore(calls, bounds, ("CausalOrder", "Delivery"), keep=k) for k in ("rows", "fingerprints"))
    assert facts(compact) == facts(exact)


def test_rows_of_different_lengths_come_back_from_their_file() -> None:
    file = RowFile()
    assert file.read(0, 0, 3).shape == (0, 3)
    file.append(np.arange(6).reshape(3, 2))
    file.append(np.zeros((0, 2)))
    file.append(np.arange(3)[None])
    assert file.size == 4
    assert file.read(1, 4, 3).tolist() == [[2, 3, 0], [4, 5, 0], [0, 1, 2]]


def test_a_full_disk_is_one_line() -> None:
    file = RowFile()
    file._file = Path("/dev/full").open("wb", 0)  # type: ignore[assignment]  # noqa: SIM115
    with pytest.raises(EnvironmentProblem, match="TMPDIR"):
        file.append(np.zeros((1, 4)))


def test_a_limit_stops_the_search() -> None:
    bounds = Bounds(processes=3, sends=4)
    calls = ModelCalls(load_model("rst", ()), bounds)
    result = explore(calls, bounds, ("CausalOrder",), keep="fingerprints", limits=Limits(states=1_000))
    assert (result.verdict, result.complete) == ("incomplete", False)
    assert result.distinct_states is not None and 1_000 <= result.distinct_states < 2_000


def test_only_breadth_first_search_keeps_fingerprints() -> None:
    bounds = replace(Bounds(), sends=2)
    with pytest.raises(UsageError, match="only bfs"):
        explore(ModelCalls(load_model("rst", ()), bounds), bounds, (), search="dfs", keep="fingerprints")


def test_the_command_reports_the_probability(capsys: pytest.CaptureFixture[str]) -> None:
    assert precede(["check", "rst", "--sends", "2", "--fingerprints", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["engine"] == "states" and result["orbits"] is None
    assert 0 < result["omission_probability"] < 1e-12
    assert any("64-bit fingerprints" in note for note in result["notes"])
    assert precede(["check", "rst", "--sends", "2", "--fingerprints", "--search", "random"]) == 2
    assert precede(["check", "rst", "--sends", "2", "--fingerprints", "--engine", "histories"]) == 2
