"""Our result beside TLC's, our states as the values of the specification, and TLC's files of states."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine.decoding import WholeState
from precede.checker.errors import EnvironmentProblem
from precede.checker.loading import load_model
from precede.checker.result import PropertyResult, ReceiveEvent, Result, Schedule, SendEvent, Witness
from precede.checker.run import Run
from precede.checker.tlc import Row, TlcResult, compare, compare_states, schedule_of
from precede.checker.tlc.comparing import read_dump
from precede.checker.tlc.mapping import image_of
from precede.checker.tlc.schedule import whole_state
from precede.checker.tlc.values import record, show

BOUNDS = Bounds(processes=2, sends=2)
SEND: Schedule = (SendEvent(1, frozenset({2})),)
SEND_AND_RECEIVE: Schedule = (*SEND, ReceiveEvent(2, (1, 1)))


def ours(steps: int | None = None, **changes) -> Result:
    witness = None if steps is None else Witness(SEND * steps, "")
    properties = (
        PropertyResult("CausalOrder", "violated" if witness else "holds", witness),
        PropertyResult("Delivery", "holds"),
    )
    values = dict(
        engine="states", search="bfs", model="rst", readings={}, bounds=BOUNDS, complete=True, stopped=None,
        properties=properties, distinct_states=7, transitions=8, depth=2, local_states=None, packets=None,
        seconds=0.0, peak_memory_bytes=0,
    )  # fmt: skip
    return Result(**(values | changes))


def theirs(steps: int | None = None, **changes) -> TlcResult:
    values = dict(
        model="rst", readings={}, bounds=BOUNDS, invariants=("TypeOK", "CausalOrder"), workers=1, version="2.15",
        verdict="holds" if steps is None else "violated", stopped=None,
        violated=None if steps is None else "CausalOrder", distinct_states=7, transitions=8, depth=2, queue=0,
        seconds=0.0, trace=() if steps is None else ({},) * (steps + 1),
    )  # fmt: skip
    return TlcResult(**(values | changes))


def state_after(schedule: Schedule, model: str = "ks", bounds: Bounds = BOUNDS) -> WholeState:
    run = Run(ModelCalls(load_model(model), bounds), bounds)
    for event in schedule:
        run.apply(event)
    return whole_state(run)


def printed(state: WholeState, model: str = "ks") -> str:
    return "".join(f"/\\ {name} = {show(value)}\n" for name, value in image_of(model, state).items())


def test_two_results_that_hold_are_compared_in_every_count():
    assert compare(ours(), theirs(transitions=9)) == (
        Row("verdict", "holds", "holds", True),
        Row("distinct states", 7, 7, True),
        Row("transitions", 8, 9, False),
        Row("depth", 2, 2, True),
    )


def test_of_two_violations_the_lengths_are_compared_and_not_the_counts():
    rows = {row.what: row.equal for row in compare(ours(4, complete=False), theirs(5, distinct_states=3))}
    assert rows == {
        "verdict": True,
        "violated first": True,
        "trace length": False,
        "distinct states": None,
        "transitions": None,
        "depth": None,
    }


def test_with_several_workers_the_length_says_nothing():
    rows = {row.what: row.equal for row in compare(ours(4), theirs(5, workers=2))}
    assert rows["verdict"] and rows["trace length"] is None


def test_a_violation_against_none_is_a_different_verdict():
    assert compare(ours(4), theirs())[0] == Row("verdict", "violated", "holds", False)


def test_an_incomplete_run_is_compared_with_nothing():
    rows = compare(ours(), theirs(verdict="incomplete", stopped="interrupted"))
    assert {row.equal for row in rows} == {None}


def test_a_state_has_the_variables_of_the_specification():
    message = record(sender=1, number=1, dests=frozenset({2}))
    nothing = record(sent=frozenset(), delivered=frozenset())
    own = record(sent=frozenset({record(msg=message, past=nothing)}), delivered=frozenset())
    initial = frozenset({record(s=1, t=0, D=frozenset()), record(s=2, t=0, D=frozenset())})
    after_send = frozenset({record(s=1, t=1, D=frozenset({2})), record(s=2, t=0, D=frozenset())})
    assert image_of("ks", state_after(SEND)) == {
        "clock": (1, 0),
        "SR": ((0, 0), (0, 0)),
        "LOG": (after_send, initial),
        "past": (own, nothing),
        "network": frozenset({record(to=2, msg=message, control=initial, past=nothing)}),
    }


def test_a_delivery_is_in_the_past_of_its_process():
    past = image_of("rst", state_after(SEND_AND_RECEIVE, "rst"))["past"]
    assert past[1]["delivered"] == frozenset({((1, 1), 2)}) and past[0]["delivered"] == frozenset()


def test_jang_keeps_its_tuples_by_sender():
    image = image_of("jang", state_after(SEND_AND_RECEIVE, "jang"))
    assert image["CI"] == (
        (frozenset({record(t=1, D=frozenset({2}))}), frozenset()),
        (frozenset({record(t=1, D=frozenset())}), frozenset()),
    )


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_a_trace_of_states_becomes_the_schedule_that_made_it(model):
    schedule = (*SEND_AND_RECEIVE, SendEvent(2, frozenset({1})))
    trace = [image_of(model, state_after(schedule[:n], model)) for n in range(len(schedule) + 1)]
    assert schedule_of(ModelCalls(load_model(model), BOUNDS), BOUNDS, trace) == schedule


def test_a_copy_kept_at_the_send_is_one_event():
    bounds = Bounds(processes=2, sends=1, self_addressed="at-send")
    schedule = (SendEvent(1, frozenset({1})),)
    trace = [image_of("ks", state_after(schedule[:n], "ks", bounds)) for n in range(2)]
    assert schedule_of(ModelCalls(load_model("ks"), bounds), bounds, trace) == schedule


def test_a_dump_is_compared_with_our_states(tmp_path):
    states = [state_after(SEND_AND_RECEIVE[:n]) for n in range(3)]
    dump = tmp_path / "states.dump"
    dump.write_text("".join(f"State {n}:\n{printed(state)}\n" for n, state in enumerate(states[:2], 1)))
    assert compare_states("ks", states[:2], dump).equal
    sets = compare_states("ks", states[1:], dump)
    assert (sets.common, sets.only_ours, sets.only_tlc) == (1, 1, 1)
    assert sets.examples_ours == (image_of("ks", states[2]),) and sets.examples_tlc == (image_of("ks", states[0]),)


@pytest.mark.parametrize("content", [b"State 1:\n/\\ x = ?\n", b"no dump at all", b"State 1:\n\xff\xfe"])
def test_a_file_that_is_no_dump_is_named(tmp_path, content):
    (tmp_path / "states.dump").write_bytes(content)
    with pytest.raises(EnvironmentProblem, match=r"states\.dump is no dump of TLC"):
        list(read_dump(tmp_path / "states.dump"))


def test_a_missing_dump_is_named(tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        list(read_dump(tmp_path / "none.dump"))
