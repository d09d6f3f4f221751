"""What a trace claims, judged again: lassos, messages held, faults, double deliveries."""

from __future__ import annotations

from dataclasses import replace

import pytest
import toys
from toys import send, trace_of

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import FaultEvent, InternalEvent, JointEvent, ReceiveEvent, Witness
from precede.checker.trace import Trace, Violation, read_trace, record, write_trace
from precede.checker.trace.replay import replay


def claimed(trace: Trace, *violation: str, loop: int | None = None) -> Trace:
    """The trace, which claims to end in this violation."""
    return replace(trace, violation=Violation(*violation, loop=loop))


IDLE = """
from precede.models import Joint, Model, Packet, Step


class Staying(Model):
    direct = False

    def start(self, me, processes):
        return me

    def send(self, state, message):
        return Step(state, tuple(Packet(state, d, message, None) for d in sorted(message.dests)))

    def receive(self, state, packet):
        return None

    def internal(self, state):
        return Step(state, name="stay")


class Both(Staying):
    def joint(self, states):
        yield Joint("meet", states)


class Meeting(Both):
    def internal(self, state):
        return None
"""


def lasso(model, loop=3, more=()):
    """1.1 is sent, and the token goes round once after it has come to 2; behind the packet where that stays."""
    turn = [(InternalEvent(p), ReceiveEvent(p % 3 + 1, None, 0, p, int(p == 1))) for p in (1, 2, 3, 1)]
    schedule = (send(1, 2), *[event for pair in turn for event in pair], *more)
    witness = Witness(schedule, "1.1 is never delivered", 2, (1, 1), None, loop)
    return trace_of(model, *schedule, property="Delivery", witness=witness)


def test_a_lasso_is_kept_and_judged_again(tmp_path):
    trace = lasso(toys.Deaf())
    write_trace(trace, tmp_path / "t.json")
    again = read_trace(tmp_path / "t.json")
    assert again == trace and again.loop == 3
    result = replay(again, again.model)
    assert (result.same, result.violation, result.exit_code) == (True, "there", 0)


@pytest.mark.parametrize(
    ("trace", "why"),
    [
        (lasso(toys.Deaf(), loop=2), "the run does not return to the state after step 2"),
        (lasso(toys.TokenRing()), "the packet can be received all the time, so the loop is not fair"),
        (claimed(trace_of(toys.TokenRing()), "Delivery", "", loop=0), "nothing is undelivered"),
    ],
)
def test_a_lasso_that_proves_nothing_is_told(trace, why):
    assert replay(trace, trace.model).violation == "gone", why


def test_a_loop_that_neglects_a_step_that_is_enabled_all_the_time_is_not_fair(tmp_path):
    (tmp_path / "idle.py").write_text(IDLE)
    for model, events, violation in [
        ("Staying", [InternalEvent(1)], "gone"),
        ("Staying", [InternalEvent(1), InternalEvent(2), InternalEvent(3)], "there"),
        ("Meeting", [JointEvent()], "there"),
        ("Both", [JointEvent()], "gone"),
        ("Both", [InternalEvent(1), InternalEvent(2), InternalEvent(3)], "gone"),
        ("Both", [JointEvent(), InternalEvent(1), InternalEvent(2), InternalEvent(3)], "there"),
    ]:
        name = f"{tmp_path / 'idle.py'}:{model}"
        bounds = Bounds()
        schedule = (send(1, 2), *events)
        witness = Witness(schedule, "", 2, (1, 1), None, 1)
        calls = ModelCalls(load_model(name), bounds)
        trace = record(calls, bounds, schedule, property="Delivery", witness=witness)
        assert replay(trace, name).violation == violation, (model, events)


def test_a_lasso_of_another_property_is_not_judged():
    trace = lasso(toys.Deaf())
    other = replace(trace, violation=replace(trace.violation, property="Minimality"))
    assert replay(other, other.model).violation == "not judged"


def test_a_message_that_is_held_needlessly_is_judged_again():
    held = (send(1, 2), ReceiveEvent(2, (1, 1), 0, 1, 0))
    trace = claimed(trace_of(toys.Buffer(), *held), "NoNeedlessDelay", "")
    assert replay(trace, trace.model).violation == "there"
    both = (send(1, 2), *held, ReceiveEvent(2, (1, 2), 0, 1, 0))
    trace = claimed(trace_of(toys.Buffer(eager=0), *both), "NoNeedlessDelay", "")
    assert replay(trace, trace.model).violation == "gone", "a step that delivers 1.1 is possible"


def test_integrity_and_a_stuck_state_after_a_loss_are_judged_again():
    twice = (send(1, 2), FaultEvent("duplicate", 2, 1, 0), *[ReceiveEvent(2, (1, 1), 0, 1, 0)] * 2)
    trace = claimed(trace_of(toys.Relay(), *twice, duplicates=1), "Integrity", "")
    assert replay(trace, trace.model).violation == "there"
    lost = (send(1, 2), FaultEvent("lose", 2, 1, 0))
    trace = claimed(trace_of(toys.Ack(), *lost, losses=1), "Delivery", "")
    assert replay(trace, trace.model).violation == "there"
    trace = claimed(trace_of(toys.TokenRing(), *lost, losses=1), "Delivery", "")
    assert replay(trace, trace.model).violation == "gone", "the token still moves"
