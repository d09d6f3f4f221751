"""Two algorithms in the same schedules: which facts, sizes and deliveries they share, and the smallest differences."""

import json
import re

import pytest

from precede.checker import formats
from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.comparison import DELIVERIES, STORED, compare, joint_calls
from precede.checker.engine import Limits
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.run import Run
from precede.checker.side_by_side import Parted, SideBySide

SIZELESS = """
from dataclasses import dataclass
from precede.models import Model, Packet, Step


@dataclass(frozen=True)
class Plain(Model):
    def start(self, me, processes):
        return me

    def send(self, state, message):
        return Step(state, tuple(Packet(state, d, message, ()) for d in sorted(message.dests)))

    def receive(self, state, packet):
        return Step(state, delivered=(packet.message,))
"""


def compared(a, b, sends=3, readings=((), ()), **more):
    bounds = Bounds(3, sends, **more)
    return compare(load_model(a, readings[0]), load_model(b, readings[1]), bounds)


def lengths(more):
    return {side: d.schedule and len(d.schedule) for side, d in more.items()}


def cases(more):
    return {side: d.cases for side, d in more.items()}


def test_ks_and_jang_carry_the_same_facts_on_every_copy():
    """J-14: CI + DC assert what O_M asserts, although jang counts and encodes it differently."""
    found = compared("ks", "jang")
    assert found.complete and found.copies == 876 and found.distinct_states == 8757
    facts, stored = found.compared["facts"], found.compared[STORED]
    assert (facts.count, facts.equal, cases(facts.more)) == (876, 876, {"a": 0, "b": 0})
    assert (stored.count, stored.equal) == (2340, 2340)
    assert cases(found.takes) == {"a": 0, "b": 0}
    size = found.compared["bytes"]
    assert (cases(size.more), lengths(size.more)) == ({"a": 876, "b": 0}, {"a": 1, "b": None})
    units = found.compared["units"]
    assert units.equal == 294 and cases(units.more) == {"a": 48, "b": 534}
    assert lengths(units.more) == {"a": 2, "b": 2}


def test_the_printed_guard_of_ks_stores_a_fact_too_many_after_five_steps():
    """KS-2a: at 3 multicasts no copy is sent from such a state yet."""
    found = compared("ks", "ks", readings=(("KS-2a",), ("KS-2b",)))
    assert lengths(found.compared[STORED].more) == {"a": 5, "b": None}
    assert found.compared[STORED].more["a"].explanation.startswith("process ")
    assert "ks (A), not in ks (B)" in found.compared[STORED].more["a"].explanation
    assert found.compared["facts"].equal == found.copies
    assert found.first_difference()[:2] == (STORED, "a")


def test_ks_and_the_oracle_say_the_same_and_the_oracle_carries_more():
    found = compared("ks", "oracle")
    assert found.compared["facts"].equal == found.copies == 876
    assert lengths(found.compared["bytes"].more) == {"a": 1, "b": 3}
    assert found.compared["bytes"].means[1] > found.compared["bytes"].means[0]


def test_in_unicast_prs_carries_a_fact_that_ks_has_dropped_after_seven_steps():
    found = compared("prs", "ks", sends=4, dests="unicast")
    facts = found.compared["facts"]
    assert (facts.equal, cases(facts.more), lengths(facts.more)) == (900, {"a": 12, "b": 0}, {"a": 7, "b": None})
    assert facts.more["a"].explanation == "the copy of 1.2 to 2 in prs, not in ks: 1.1 is outstanding at 3"


def test_null_delivers_what_rst_has_wait_and_the_run_shows_it():
    found = compared("rst", "null")
    assert lengths(found.takes) == {"a": None, "b": 3} and found.takes["a"].cases == 0
    assert found.takes["b"].cases == 804
    assert found.takes["b"].explanation == "null delivers the copy of 1.2 to 3, rst has it wait"
    assert found.compared["facts"] is None and found.compared[STORED] is None
    assert found.first_difference()[:2] == (DELIVERIES, "b")
    run = Run(found.calls, found.calls.bounds)
    taken = [run.apply(event) for event in found.takes["b"].schedule]
    assert taken[-1].wrong == {"CausalOrder"}


def test_a_difference_on_the_left_is_one_on_the_right_when_the_two_change_places():
    one, other = compared("rst", "null", sends=2), compared("null", "rst", sends=2)
    assert cases(one.takes) == {side: d.cases for side, d in zip("ba", other.takes.values(), strict=True)}
    assert one.compared["bytes"].means == other.compared["bytes"].means[::-1]


def test_the_joint_runs_are_those_that_both_allow():
    """Counted by runs step by step: every state but those in which a process has parted, and every packet."""
    bounds = Bounds(3, 2)
    calls = joint_calls(load_model("rst"), load_model("null"), bounds)
    assert isinstance(calls.model, SideBySide)
    copies, parted, seen = set(), set(), set()
    waiting = [()]
    while waiting:
        schedule = waiting.pop()
        run = Run(calls, bounds)
        for event in schedule:
            run.apply(event)
        if run.global_state() in seen:
            continue
        seen.add(run.global_state())
        copies |= {transit.content for transit in run.in_transit.values()}
        parted |= {local[:2] for local in run.locals.values() if isinstance(local.state, Parted)}
        waiting += [(*schedule, event) for event in run.enabled()]
    found = compared("rst", "null", sends=2)
    assert (found.copies, found.distinct_states) == (len(copies), len(seen))
    assert found.takes["b"].cases == len(parted) > 0


def test_with_fifo_channels_deliveries_are_found_but_not_counted():
    found = compared("rst", "null", channel="fifo")
    assert found.takes["b"].cases is None and lengths(found.takes)["b"] > 3
    assert found.compared["bytes"].equal == 0


@pytest.mark.parametrize(("a", "b"), [("sa", "ks"), ("ks", "centralised"), ("rst", "gk")])
def test_what_cannot_be_run_side_by_side_is_refused(a, b):
    with pytest.raises(UsageError, match="step by step"):
        compared(a, b)


@pytest.mark.parametrize("more", [{"losses": 1}, {"channel": "rendezvous"}, {"self_addressed": "at-send"}])
def test_faults_and_joint_steps_are_refused(more):
    with pytest.raises(UsageError, match="no faults"):
        compared("ks", "jang", **more)


def test_a_model_without_facts_and_sizes_is_compared_by_its_deliveries(tmp_path):
    file = tmp_path / "plain.py"
    file.write_text(SIZELESS)
    found = compared(f"{file}:Plain", "null", sends=2)
    assert set(found.compared.values()) == {None} and found.complete and found.first_difference() is None


def test_a_stopped_comparison_is_incomplete():
    found = compare(load_model("ks"), load_model("jang"), Bounds(3, 4), limits=Limits(states=100))
    assert not found.complete and "100 states" in found.stopped


def test_the_command_prints_writes_and_traces_a_difference(capsys, tmp_path):
    trace = tmp_path / "x.json"
    arguments = ("compare", "rst", "null", "--sends", "2", "--trace", str(trace))
    assert run([*arguments, "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    expected = {path for path in formats.COMPARE.fields if "." not in path}
    assert set(document) == expected | {"format", "version"}
    for path in ("deliveries", "bytes", "bytes.more_a", "deliveries.more_b", "a", "bounds"):
        value = document
        for name in path.split("."):
            value = value[name]
        below = {field.removeprefix(f"{path}.") for field in formats.COMPARE.fields if field.startswith(f"{path}.")}
        assert set(value) == {name for name in below if "." not in name}, path
    assert document["facts"] is None
    steps = document["deliveries"]["more_b"]["steps"]
    assert len(steps) == 3 and steps[-1] == "receive 1.2 at 3"
    assert [step["label"] for step in json.loads(trace.read_text())["steps"]] == steps
    assert run(["trace", "show", str(trace)]) == 0
    assert "found by precede compare" in capsys.readouterr().out
    assert run([*arguments[:5]]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^  facts +not applicable$", out, re.MULTILINE) and "deliveries, B more, 3 steps" in out
    assert run(["compare", "ks", "jang", "--max-states", "50"]) == 3


def test_the_command_chooses_what_both_are_made_for_and_refuses_what_is_not(capsys):
    assert run(["compare", "ks", "bss", "--sends", "1", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["bounds"]["dests"] == "broadcast"
    assert run(["compare", "sa", "ks"]) == 2
    assert "step by step" in capsys.readouterr().err
