"""Runs of models with signals, buffers, joint steps and restarts: what is possible, why not, and what it does."""

from __future__ import annotations

import pytest
import toys
from toys import send

from precede.checker.errors import ModelError
from precede.checker.result import FaultEvent, InternalEvent, JointEvent, ReceiveEvent
from precede.checker.run import ImpossibleStep, Run
from precede.checker.scenario import parse_scenario, scripted_bounds
from precede.models import Signal


def run_of(model, *events, **bounds):
    calls = toys.calls_of_toy(model, **bounds)
    run = Run(calls, calls.bounds)
    for event in events:
        run.apply(event)
    return run


def refused(run, event, reason):
    """The event is refused with the reason, and nothing has changed."""
    before = run.global_state()
    with pytest.raises(ImpossibleStep, match=reason):
        run.apply(event)
    assert run.global_state() == before


def test_a_signal_is_named_by_its_sender_and_its_place_behind_the_packets_of_its_channel():
    run = run_of(toys.Ack(), send(1, 2), send(2, 1))
    taken = run.apply(ReceiveEvent(2, (1, 1), 0, 1, 0))
    assert [transit.packet for transit in taken.transmitted] == [Signal(2, 1, "ack")]
    assert ReceiveEvent(1, None, 0, 2, 1) in run.enabled() and ReceiveEvent(1, (2, 1), 0, 2, 0) in run.enabled()
    refused(run, ReceiveEvent(1, None, 0, 2, 0), "receive signal from 2 at 1 is not possible: there, 2.1 is in transit")
    refused(run, ReceiveEvent(1, (2, 1), 0, 2, 1), "there, signal is in transit")
    refused(run, ReceiveEvent(1, None, 0, 2, 2), "no such packet is in transit, 2 are, not one at 2")
    refused(run, ReceiveEvent(1, None, 0, 2, -1), "no such packet")
    taken = run.apply(ReceiveEvent(1, None, 0, 2, 1))
    assert (taken.message, taken.delivered, taken.states) == (None, (), ((1, toys.Unacknowledged(1, frozenset())),))


def test_a_direct_model_without_duplicates_needs_no_places_and_takes_them_too():
    short = run_of(toys.Counting(), send(1, 2), send(1, 2))
    assert short.enabled_receives() == (ReceiveEvent(2, (1, 1)),)
    assert short.apply(ReceiveEvent(2, (1, 1), 0, 1, 0)).delivered
    full = run_of(toys.Counting(), send(1, 2), send(1, 2), duplicates=1)
    assert full.enabled_receives() == (ReceiveEvent(2, (1, 1), 0, 1, 0),)


def test_equal_packets_are_one_event_and_an_event_that_could_mean_two_different_ones_is_refused():
    run = run_of(toys.Relay(), send(2, 1, 3), ReceiveEvent(1, (2, 1)), InternalEvent(1))
    assert len(run.in_transit) == 2, "2.1 goes down to 3, and again"
    refused(run, ReceiveEvent(3, (2, 1)), "several packets are meant: give the sender and the place")
    assert run.enabled_receives() == (ReceiveEvent(3, (2, 1), 0, 1, 0), ReceiveEvent(3, (2, 1), 0, 1, 1))
    twice = run_of(toys.Relay(), send(1, 2), FaultEvent("duplicate", 2, 1, 0), duplicates=1)
    assert twice.enabled_receives() == (ReceiveEvent(2, (1, 1), 0, 1, 0),)
    assert twice.apply(ReceiveEvent(2, (1, 1))).taken.number == 1, "of equal ones the oldest"


def test_a_message_delivered_twice_breaks_integrity():
    run = run_of(toys.Relay(), send(1, 2), FaultEvent("duplicate", 2, 1, 0), ReceiveEvent(2, (1, 1)), duplicates=1)
    assert run.apply(ReceiveEvent(2, (1, 1))).wrong == {"Integrity"}


def test_a_duplicate_goes_to_the_end_of_its_channel():
    run = run_of(
        toys.Counting(), send(1, 2), send(1, 2), FaultEvent("duplicate", 2, 1, 0), duplicates=1, channel="fifo"
    )
    assert [transit.message for transit in run.on_channel(1, 2)] == [(1, 1), (1, 2), (1, 1)]
    refused(run, FaultEvent("duplicate", 2, 1, 0), "duplicate 1.1 to 2 is not possible: the bound allows 1 faults")
    run.apply(ReceiveEvent(2, (1, 1), 0, 1, 0))
    run.apply(ReceiveEvent(2, (1, 2), 0, 1, 0))
    assert run.waiting() == (((1, 1), 2),), "the model does not take 1.1 again"


def test_what_is_lost_is_in_transit_no_more():
    run = run_of(toys.Ack(), send(1, 2), losses=1)
    taken = run.apply(FaultEvent("lose", 2, 1, 0))
    assert (taken.message[:2], taken.taken.number, taken.states, run.in_transit) == ((1, 1), 1, (), {})
    assert run.undelivered() == (((1, 1), 2),) and not run.moves()


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (FaultEvent("melt", 2), "faults are duplicate, lose, crash, restart"),
        (FaultEvent("lose", 2), "does not say which packet"),
        (FaultEvent("lose", 2, 3, 0), "no such packet is in transit, 0 are"),
        (FaultEvent("lose", 2, 1, 0), "lose 1.1 to 2 is not possible: the bound allows 0 faults of this kind"),
        (FaultEvent("crash", 9), "there is no process 9"),
        (FaultEvent("restart", 1), "it is not down"),
        (InternalEvent(1, 0), "process 1: internal step is not possible: the model has no such step now"),
        (JointEvent(0), "all processes: joint step is not possible: the model has no such step now"),
        (InternalEvent(0), "there is no process 0"),
    ],
)
def test_faults_and_steps_that_are_not_possible_are_refused_with_the_reason(event, reason):
    refused(run_of(toys.Ack(), send(1, 2), crashes=1, restarts=1), event, reason)


def test_the_alternatives_of_internal_and_joint_steps_are_counted():
    refused(run_of(toys.TokenRing()), InternalEvent(1, 1), "has 1 alternatives, not one of number 1")
    refused(run_of(toys.Views()), JointEvent(2), "has 1 alternatives")


def test_a_process_that_is_down_does_nothing_and_all_steps_that_need_it_wait():
    run = run_of(toys.Views(), send(1, 2), crashes=1, restarts=1)
    assert JointEvent(0) in run.enabled()
    taken = run.apply(FaultEvent("crash", 2))
    assert taken.states == ((2, None),) and taken.down == run.down == (2,)
    refused(run, ReceiveEvent(2, (1, 1)), "process 2 is down")
    refused(run, send(2, 1), "process 2 is down")
    refused(run, InternalEvent(2), "process 2 is down")
    refused(run, JointEvent(), "process 2 is down")
    refused(run, FaultEvent("crash", 2), "the bound allows 1 faults")
    assert run.waiting() == () and run.undelivered() == ()
    assert run.enabled_faults() == (FaultEvent("restart", 2),)
    assert run.apply(FaultEvent("restart", 2)).states == ((2, (2, 1)),)
    assert run.undelivered() == (((1, 1), 2),) and JointEvent(0) in run.enabled()


def test_after_a_restart_the_system_numbers_on_while_the_model_counts_from_one():
    run = run_of(toys.Counting(), send(1, 2), FaultEvent("crash", 1), FaultEvent("restart", 1), crashes=1, restarts=1)
    taken = run.apply(send(1, 2))
    assert taken.message.number == 2 and taken.transmitted[0].packet.message.number == 1
    assert run.enabled_receives() == (ReceiveEvent(2, (1, 1)), ReceiveEvent(2, (1, 2)))
    assert run.apply(ReceiveEvent(2, (1, 2))).wrong == {"CausalOrder"}
    assert run.waiting() == (((1, 1), 2),), "for the model, 1.1 has been delivered"


def test_of_two_messages_that_the_model_cannot_tell_apart_the_later_one_is_delivered():
    again = (FaultEvent("crash", 1), FaultEvent("restart", 1), send(1, 2), send(1, 2))
    arrive = [ReceiveEvent(2, (1, number), 0, 1, 0) for number in (1, 2, 3)]
    run = run_of(toys.Buffer(eager=0), send(1, 2), *again, *arrive, sends=3, crashes=1, restarts=1)
    assert [copy for copy, _ in run.held()] == [(1, 1), (1, 2), (1, 3)]
    taken = run.apply(InternalEvent(2))
    assert [message.number for message in taken.delivered] == [2, 3], "after its restart 1 counts them 1 and 2"
    assert (taken.wrong, taken.held) == ({"CausalOrder"}, (((1, 1), 2),))


def test_what_arrives_is_held_until_a_step_delivers_it_and_is_gone_after_a_crash():
    run = run_of(toys.Buffer(eager=0), send(1, 2), send(1, 2), crashes=1)
    taken = run.apply(ReceiveEvent(2, (1, 2)))
    assert (taken.delivered, taken.held) == ((), (((1, 2), 2),))
    run.apply(ReceiveEvent(2, (1, 1)))
    assert run.enabled_internals() == (InternalEvent(2),)
    other = run_of(toys.Buffer(eager=0), send(1, 2), send(1, 2), ReceiveEvent(2, (1, 2)), crashes=1)
    assert other.apply(FaultEvent("crash", 2)).held == ()
    taken = run.apply(InternalEvent(2))
    assert (taken.called, [m.number for m in taken.delivered], taken.held) == ("deliver from 1", [1, 2], ())


def test_a_rendezvous_is_one_step_of_all_who_take_part():
    run = run_of(toys.Meeting(most=1))
    taken = run.apply(send(1, 2, 3))
    assert [(message.number, at) for message, at in taken.deliveries] == [(1, 2), (1, 3)]
    assert taken.states == ((1, (1, 0)), (2, (2, 1)), (3, (3, 1))) and taken.met == {1, 2}
    assert [transit.packet.to for transit in run.in_transit.values()] == [1, 1], "the signals are received later"
    refused(run, send(2, 1, 3), "send 2.1 to 1,3 is not possible: 3 cannot receive 2.1 in the same step")
    assert send(2, 1) in run.enabled() and send(2, 1, 3) not in run.enabled()


def test_a_joint_step_gives_every_process_its_new_state():
    taken = run_of(toys.Views()).apply(JointEvent(0))
    assert (taken.called, taken.states) == ("go to view 2", ((1, (1, 2)), (2, (2, 2)), (3, (3, 2))))


def test_an_event_of_the_semantic_order_is_in_the_past_of_its_process():
    run = run_of(toys.Choosing(), send(1, 2), ReceiveEvent(2, (1, 1)))
    taken = run.apply(InternalEvent(2))
    assert taken.called == "think"
    assert [(event.kind, event.depends_on) for event in run.pasts[2].events] == [("delivery", 0), ("internal", 1)]


def test_the_token_comes_back_to_the_same_state():
    run = run_of(toys.TokenRing())
    first = run.global_state()
    for p in (1, 2, 3):
        run.apply(InternalEvent(p))
        assert run.global_state() != first
        run.apply(ReceiveEvent(p % 3 + 1, None, 0, p, 0))
    assert run.global_state() == first


@pytest.mark.parametrize("channel", ["unordered", "fifo"])
def test_the_order_of_transmission_is_part_of_the_state_only_where_channels_are_queues(channel):
    """Of 1.1, 1.2, 1.1 the first or the last is lost."""
    twice = (send(1, 2), send(1, 2), FaultEvent("duplicate", 2, 1, 0))
    first, last = (
        run_of(toys.Counting(), *twice, FaultEvent("lose", 2, 1, place), channel=channel, duplicates=1, losses=1)
        for place in (0, 2)
    )
    assert (first.global_state() == last.global_state()) == (channel == "unordered")


def test_a_message_that_the_process_cannot_know_is_the_models_mistake():
    run = run_of(toys.Forgetful(), send(1, 2))
    with pytest.raises(ModelError, match=r"process 2 delivers 1\.9, which it neither sends nor takes in this step"):
        run.apply(ReceiveEvent(2, (1, 1)))


def test_destination_groups_bound_the_sends():
    groups = (frozenset({1, 2}), frozenset({2, 3}))
    run = run_of(toys.Counting(), dests="groups", groups=groups)
    assert set(run.enabled()) == {send(1, 2), send(2, 1), send(2, 3), send(3, 2)}
    refused(run, send(1, 3), r"the bounds do not allow this destination set \(groups")
    script = parse_scenario("processes 3\nm: 1 -> 3", "s")
    assert scripted_bounds(script, run.bounds).groups == ()


def test_a_message_that_is_held_has_arrived_for_a_script():
    script = parse_scenario("processes 2\nm1: 1 -> 2\nm2: 1 -> 2\narrive at 2: m2, m1", "s")
    calls = toys.calls_of_toy(toys.Buffer(), processes=2, sends=2)
    run = Run(calls, calls.bounds, script)
    run.apply(send(1, 2))
    refused(run, ReceiveEvent(2, (1, 1), 0, 1, 0), "scenario s wants 1.2 to arrive at 2 first")
    run.apply(send(1, 2))
    refused(run, ReceiveEvent(2, (1, 1), 0, 1, 0), "scenario s wants 1.2 to arrive at 2 first")
    assert run.apply(ReceiveEvent(2, (1, 2), 0, 1, 1)).held == (((1, 2), 2),)
    assert [m.number for m in run.apply(ReceiveEvent(2, (1, 1), 0, 1, 0)).delivered] == [1, 2]
