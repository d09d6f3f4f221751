"""Replaying a trace: the same, or the first step that differs; and whether what was wrong still is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from runs import NO_ORDER, TRIANGLE, calls_of, own_model, random_trace, scripted, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.errors import ModelError, PrecedeError, UsageError
from precede.checker.result import ReceiveEvent, SendEvent, Witness
from precede.checker.run import Run
from precede.checker.trace import Violation, read_trace, record, write_trace
from precede.checker.trace.rejudge import broken_at_end
from precede.checker.trace.replay import replay

BOUNDS = Bounds(3, 3)


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
def test_a_trace_from_its_file_replays_the_same(tmp_path, model, channel):
    write_trace(random_trace(model, Bounds(4, 6, channel=channel), 25), tmp_path / "t.json")
    result = replay(read_trace(tmp_path / "t.json"))
    assert (result.same, result.violation, result.exit_code) == (True, "none recorded", 0)


def test_a_scripted_run_replays_the_same():
    scenario, bounds, run = scripted("jang-already-replaced", "jang")
    schedule = []
    while events := run.enabled():
        run.apply(events[-1])
        schedule.append(events[-1])
    assert replay(record(run.calls, bounds, tuple(schedule), scenario=scenario)).exit_code == 0


def test_code_named_in_a_trace_is_not_run_unless_the_user_names_it(tmp_path):
    marker = tmp_path / "ran"
    trace = triangle_trace(tmp_path)
    own_model(tmp_path, f"open({str(marker)!r}, 'w').close()\n{NO_ORDER}")
    with pytest.raises(UsageError, match="give --model"):
        replay(trace)
    assert not marker.exists()
    result = replay(trace, trace.model)
    assert marker.exists() and result.same and result.violation == "there" and result.exit_code == 0


@pytest.mark.parametrize("name", ["a.py:B", "/etc/passwd", "..", "x:Y", "a/b", "", "\x1b[2J:X", "os.py"])
def test_no_path_in_a_trace_is_ever_loaded(tmp_path, name):
    with pytest.raises(UsageError, match="code is not run because a file names it"):
        replay(replace(triangle_trace(tmp_path), model=name))


def test_an_unknown_built_in_name_or_reading_is_refused():
    trace = random_trace("rst", BOUNDS, 4)
    with pytest.raises(PrecedeError):
        replay(replace(trace, model="rts"))
    with pytest.raises(PrecedeError):
        replay(replace(trace, readings={"RST-1": "z"}))


def test_another_model_is_told_apart_by_its_first_different_state(tmp_path):
    trace = triangle_trace(tmp_path)
    changed = NO_ORDER.replace("state.seen | {packet.message[:2]}", "state.seen | {packet.message[1:2]}")
    result = replay(trace, own_model(tmp_path, changed))
    assert (result.same, result.step, result.exit_code) == (False, 3, 12)
    assert "seen: - (1,2)  + (2)" in result.difference
    assert result.violation == "there"


def test_a_model_that_now_waits_stops_the_replay_where_it_waits(tmp_path):
    trace = triangle_trace(tmp_path)
    waits = NO_ORDER.replace(
        "        return Step(Seen(",
        "        if packet.sender == 2:\n            return None\n        return Step(Seen(",
    )
    result = replay(trace, own_model(tmp_path, waits))
    assert (result.step, result.violation, result.exit_code) == (4, "not judged", 12)
    assert "the waiting packets are 2.1 at 3, in the trace none" in result.difference


def test_a_wrong_packet_size_delivery_or_initial_state_in_the_trace_is_found():
    trace = random_trace("rst", BOUNDS, 6)
    send = next(i for i, step in enumerate(trace.steps) if step.is_send)
    receive = next(i for i, step in enumerate(trace.steps) if not step.is_send)

    def with_step(i, **changes):
        return replace(trace, steps=(*trace.steps[:i], replace(trace.steps[i], **changes), *trace.steps[i + 1 :]))

    packets = trace.steps[send].packets
    for spoilt, step, reason in [
        (with_step(send, packets=(replace(packets[0], bytes=1), *packets[1:])), send + 1, "has 9 units and 36 bytes"),
        (with_step(send, packets=(replace(packets[0], control=[]), *packets[1:])), send + 1, "carries"),
        (with_step(send, packets=packets[1:]), send + 1, "the packets go to"),
        (with_step(receive, delivered=()), receive + 1, "it delivers"),
        (replace(trace, initial=([], *trace.initial[1:])), 0, "the initial state of process 1"),
    ]:
        result = replay(spoilt)
        assert (result.same, result.step, result.exit_code) == (False, step, 12)
        assert reason in result.difference and "\n" not in result.explanation


def test_a_claimed_violation_that_is_not_there_is_said():
    trace = random_trace("rst", BOUNDS, 12)
    for property in ("CausalOrder", "Delivery", "NoNeedlessDelay"):
        result = replay(replace(trace, violation=Violation(property, "")))
        assert (result.same, result.violation, result.exit_code) == (True, "gone", 12), property
    result = replay(replace(trace, violation=Violation("my own", "")))
    assert (result.violation, result.exit_code) == ("not judged", 0)


def ended(model: str, schedule, readings=(), bounds=BOUNDS) -> Run:
    run = Run(calls_of(model, bounds, readings), bounds)
    for event in schedule:
        run.apply(event)
    return run


NEVER = NO_ORDER.replace(
    "        return Step(Seen(",
    "        if packet.message.number == 2:\n            return None\n        return Step(Seen(",
)


def test_the_end_of_a_run_is_judged_by_every_property(tmp_path):
    stuck = ended(
        own_model(tmp_path, NEVER),
        (SendEvent(1, frozenset({2})), SendEvent(1, frozenset({3})), ReceiveEvent(2, (1, 1))),
    )
    assert broken_at_end(stuck, "Delivery") and broken_at_end(stuck, "NoNeedlessDelay")
    waiting = ended("rst", TRIANGLE)
    assert waiting.waiting() and not broken_at_end(waiting, "Delivery")
    assert not broken_at_end(waiting, "NoNeedlessDelay"), "2.1 waits for 1.1, as it must"
    assert broken_at_end(waiting, "CausalOrder") is None


@pytest.mark.parametrize("model", ["ks", "jang"])
def test_minimality_is_judged_on_states_and_packets(model):
    run = ended(model, TRIANGLE)
    assert broken_at_end(run, "Minimality") is False
    in_transit = {transit.copy: transit for transit in run.in_transit.values()}
    late, early = in_transit[((2, 1), 3)], in_transit[((1, 1), 3)]
    run.in_transit[late.number] = late._replace(packet=late.packet._replace(control=early.packet.control))
    assert broken_at_end(run, "Minimality"), "the copy of 2.1 no longer says that 3 must get 1.1 first"
    run.in_transit[late.number] = late
    run.locals[2] = run.locals[2]._replace(state=run.calls.start(2))
    assert broken_at_end(run, "Minimality"), "process 2 no longer knows that 1.1 is outstanding"


def test_a_violation_of_minimality_in_the_records_replays(tmp_path):
    witness = Witness(TRIANGLE, "x")
    trace = record(calls_of("ks", BOUNDS), BOUNDS, TRIANGLE, property="Minimality", witness=witness)
    assert replay(trace).violation == "gone"


def test_a_model_that_fails_is_its_own_error(tmp_path):
    trace = triangle_trace(tmp_path)
    broken = NO_ORDER.replace("        return Step(Seen(", "        return 1 / 0\n        return Step(Seen(")
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        replay(trace, own_model(tmp_path, broken))
