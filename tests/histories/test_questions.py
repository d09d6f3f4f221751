"""What the closure meets and no run brings: violations, copies, labelled steps; and runs that are not the shortest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.choosing import examine
from precede.checker.cli import run
from precede.checker.engine import Limits, explore
from precede.checker.engine.weights import FULL, LIGHT
from precede.checker.errors import ModelError, UsageError
from precede.checker.histories import confirming, explore_histories, labelled
from precede.checker.loading import load_model

TWO_WAYS = '''
"""Process 1 sends in two ways that leave it in the same state. 2 takes only the first; 3, once 2 has told it of that,
goes wrong if it gets the other, which no run brings."""

from precede.models import Message, Model, Packet, Step


class Sure(Model):
    """As below, but the author is sure that 3 never gets the other copy, and asserts it."""

    def start(self, me, processes):
        return TwoWays().start(me, processes)

    def send(self, state, message):
        return TwoWays().send(state, message)

    def receive(self, state, packet):
        step = TwoWays().receive(state, packet)
        assert step is None or step.state[1] != "wrong", "the other copy"
        return step


class TwoWays(Model):
    def start(self, me, processes):
        return (me, "", ())

    def send(self, state, message):
        me, told, got = state
        for way in ("AB" if me == 1 else "A"):
            packets = (Packet(me, d, message, (way, (1, 1) in got)) for d in sorted(message.dests))
            yield Step(state, tuple(packets))

    def receive(self, state, packet):
        me, told, got = state
        way, knows = packet.control
        first = packet.message.sender == 1
        if me == 2 and first and way != "A":
            return None
        if me == 3 and knows and (1, 1) in got:
            return None
        told = told or ("told" if knows else "")
        if me == 3 and first and told == "told":
            if way != "B":
                return None
            told = "wrong"  # W1
        return Step((me, told, (*got, packet.message[:2])), delivered=(packet.message,))

    def state_facts(self, state):
        return frozenset()

    def packet_facts(self, packet):
        return frozenset()


def never_wrong(state):
    return state[1] != "wrong"
'''

SURE_OF_KS = """
from precede.models.ks import KS


class Sure(KS):
    claims = ("CausalOrder",)

    def receive(self, state, packet):
        step = super().receive(state, packet)
        assert step is None or packet.message.number > state.SR[packet.sender - 1], "out of order"
        return step
"""

RULES = """
def fine(state):
    return True


def never_sent(before, after):
    return before == after


def few(state):
    return sum(state.SENT[state.j - 1]) < 3 and sum(state.DELIV) < 2
"""


@pytest.fixture
def two_ways(tmp_path: Path) -> Path:
    path = tmp_path / "two_ways.py"
    path.write_text(TWO_WAYS, encoding="utf-8")
    return path


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.py"
    path.write_text(RULES, encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    run(["check", *arguments, "--json", "-"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_with_two_ways_to_send_the_closure_holds_more_than_runs_and_says_so(
    two_ways: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [f"{two_ways}:TwoWays", "--sends", "2", "--property", f"{two_ways}:never_wrong", "--property", "Minimality"]
    histories = answer(capsys, *asked, "--engine", "histories")
    states = answer(capsys, *asked, "--engine", "states")
    assert histories["local_states"] > states["local_states"]
    assert any("several copies" in note and "counts may be too large" in note for note in histories["notes"])
    assert histories["properties"][f"{two_ways}:never_wrong"]["verdict"] == "incomplete"
    assert states["properties"][f"{two_ways}:never_wrong"]["verdict"] == "holds"


def test_what_is_left_open_is_named_where_nothing_stopped_the_search(
    two_ways: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"{two_ways}:never_wrong"
    run(["check", f"{two_ways}:TwoWays", "--sends", "2", "--property", name, "--engine", "histories"])
    assert f"incomplete: {name} left open" in capsys.readouterr().out


def test_a_labelled_step_that_no_run_takes_counts_as_never_taken(two_ways: Path) -> None:
    bounds = Bounds(3, 2)
    calls = ModelCalls(load_model(f"{two_ways}:TwoWays"), bounds)
    for weight in (LIGHT, FULL):
        result = explore_histories(calls, bounds, ("Integrity",), weight=weight)
        assert result.labels is not None and [(label.label, label.fired) for label in result.labels] == [("W1", 0)]
        assert any("no run was found, and not counted: W1" in note for note in result.notes)
    states = explore(ModelCalls(load_model(f"{two_ways}:TwoWays"), bounds), bounds, ("Integrity",))
    assert states.labels is not None and states.labels[0].fired == 0


@pytest.mark.parametrize("drawn", [0, 40])
def test_labelled_steps_of_runs_are_found_by_drawn_runs_and_by_those_of_the_sends(
    drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled, "DRAWN", drawn)
    bounds = Bounds(3, 3)
    result = explore_histories(ModelCalls(load_model("rst"), bounds), bounds, ("CausalOrder",))
    assert result.pasts == "light" and result.labels is not None
    states = explore(ModelCalls(load_model("rst"), bounds), bounds, ("CausalOrder",)).labels
    assert states is not None
    for label, real in zip(result.labels, states, strict=True):
        assert label.fired >= real.fired > 0 and bool(label.changed) == bool(real.changed)
    assert not any("no run was found" in note for note in result.notes)


def test_the_calls_of_confirmations_and_of_an_earlier_closure_are_not_counted() -> None:
    bounds = Bounds(3, 4)
    calls = ModelCalls(load_model("ks"), bounds)
    result = examine(calls, bounds, ("CausalOrder",), engine="histories")
    states = explore(ModelCalls(load_model("ks"), bounds), bounds, ("CausalOrder",))
    assert result.pasts == "full" and result.labels == states.labels


def test_each_of_several_properties_of_the_user_is_confirmed(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = [word for name in ("fine", "never_sent") for word in ("--property", f"{rules}:{name}")]
    found = answer(capsys, "rst", "--sends", "2", "--engine", "histories", *own)["properties"]
    assert [item["verdict"] for item in found.values()] == ["holds", "violated"]
    assert found[f"{rules}:never_sent"]["trace_length"] == 1


def test_counterexamples_with_more_sends_and_fewer_steps_are_found(
    rules: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["rst", "--sends", "3", "--dests", "unicast", "--engine", "histories", "--property", f"{rules}:few"]
    assert answer(capsys, *asked)["properties"][f"{rules}:few"]["trace_length"] == 3
    run(["check", *asked])
    assert "shortest counterexample" in capsys.readouterr().out
    monkeypatch.setattr(confirming, "SHORTER", 0)
    run(["check", *asked])
    said = capsys.readouterr().out
    assert "4 steps" in said and "shortest" not in said


def test_pasts_that_do_not_tell_what_is_asked_are_refused() -> None:
    bounds = Bounds(3, 2)
    with pytest.raises(UsageError, match="light pasts do not decide what is asked"):
        explore_histories(ModelCalls(load_model("ks", ["KS-6c"]), bounds), bounds, ("Minimality",), weight=LIGHT)


def test_a_call_that_fails_and_is_in_no_run_is_not_held_against_the_model(
    two_ways: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["check", f"{two_ways}:Sure", "--sends", "2", "--property", "Integrity"]
    assert run([*asked, "--engine", "histories"]) == 75
    assert "the other copy" in (said := capsys.readouterr().err) and "may be in no run" in said
    assert run([*asked, "--engine", "states"]) == 0
    capsys.readouterr()
    assert run(asked) == 0
    assert "a call that no run makes failed by histories" in capsys.readouterr().out


def test_a_call_that_fails_with_light_pasts_only_is_in_no_run(tmp_path: Path) -> None:
    path = tmp_path / "sure.py"
    path.write_text(SURE_OF_KS, encoding="utf-8")
    bounds = Bounds(3, 4)
    result = examine(ModelCalls(load_model(f"{path}:Sure"), bounds), bounds, ("CausalOrder",), engine="histories")
    assert (result.verdict, result.pasts) == ("holds", "full")
    with pytest.raises(ModelError, match="out of order"):
        explore_histories(ModelCalls(load_model(f"{path}:Sure"), bounds), bounds, ("CausalOrder",), weight=LIGHT)


def test_what_was_met_before_a_limit_is_confirmed() -> None:
    bounds = Bounds(3, 6)
    calls = ModelCalls(load_model("rst", ["RST-1b"]), bounds)
    result = explore_histories(calls, bounds, ("CausalOrder", "Integrity"), limits=Limits(states=2000))
    assert not result.complete and result.stopped is not None
    assert [(p.verdict, p.trace_length) for p in result.properties] == [("violated", 4), ("incomplete", None)]
