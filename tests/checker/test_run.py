"""Executing one run: which events the bounds, the channel and the model allow, and what a step does."""

from __future__ import annotations

import pytest
from runs import TRIANGLE, calls_of, own_model, random_schedule

from precede.checker.bounds import Bounds
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import ImpossibleStep, Run


def run_of(model: str, readings: tuple[str, ...] = (), **bounds: object) -> Run:
    given = Bounds(**bounds)
    return Run(calls_of(model, given, readings), given)


def reached(run: Run, *events: object) -> Run:
    for event in events:
        run.apply(event)
    return run


def test_at_the_start_only_sends_are_enabled_one_for_each_destination_set():
    run = run_of("rst", processes=3, sends=3)
    assert run.enabled_receives() == ()
    assert len(run.enabled()) == 3 * 3


def test_the_copy_that_overtook_waits_until_the_earlier_message_is_delivered():
    run = reached(run_of("rst", processes=3, sends=3), *TRIANGLE)
    assert run.waiting() == (((2, 1), 3),)
    assert run.enabled_receives() == (ReceiveEvent(3, (1, 1)),)
    step = run.apply(ReceiveEvent(3, (1, 1)))
    assert step.delivered == (step.message,) and step.waiting == ()
    assert run.enabled_receives() == (ReceiveEvent(3, (2, 1)),)


def test_the_past_of_a_packet_is_the_one_before_its_own_send():
    run = reached(run_of("rst", processes=3, sends=3), *TRIANGLE)
    (sent,) = [transit.sent for transit in run.in_transit.values() if transit.copy == ((2, 1), 3)]
    assert {s.id for s in sent.past.sent} == {(1, 1), (1, 2)}
    assert sent.past.delivered == {((1, 2), 2)}


def test_an_event_that_cannot_happen_is_refused_with_the_reason():
    run = reached(run_of("rst", processes=3, sends=3), *TRIANGLE)
    for event, reason in [
        (ReceiveEvent(3, (2, 1)), "delivery condition"),
        (ReceiveEvent(3, (1, 2)), "no such packet"),
        (ReceiveEvent(3, (1, 1), 4), "alternatives"),
        (ReceiveEvent(9, (1, 1)), "no process 9"),
        (SendEvent(1, frozenset({2})), "3 sends in all"),
    ]:
        with pytest.raises(ImpossibleStep, match=reason):
            run.apply(event)
    assert run.waiting() == (((2, 1), 3),), "a refused event must change nothing"


@pytest.mark.parametrize(
    ("bounds", "event", "reason"),
    [
        ({"dests": "unicast"}, SendEvent(1, frozenset({2, 3})), "destination set"),
        ({"dests": "broadcast"}, SendEvent(1, frozenset({2})), "destination set"),
        ({}, SendEvent(1, frozenset({1})), "destination set"),
        ({}, SendEvent(1, frozenset()), "destination set"),
        ({}, SendEvent(1, frozenset({7})), "destination set"),
    ],
)
def test_sends_outside_the_bounds_are_refused(bounds, event, reason):
    with pytest.raises(ImpossibleStep, match=reason):
        run_of("rst", **bounds).apply(event)


def test_the_bound_on_sends_of_one_process_holds():
    run = reached(run_of("rst", processes=3, sends=3, sends_per_process=1), SendEvent(1, frozenset({2})))
    assert {event.process for event in run.enabled_sends()} == {2, 3}
    with pytest.raises(ImpossibleStep, match="1 sends of one process"):
        run.apply(SendEvent(1, frozenset({2})))


def two_on_a_channel(run: Run) -> Run:
    return reached(run, SendEvent(1, frozenset({2})), SendEvent(1, frozenset({2})))


@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
def test_channels_differ_when_the_model_itself_orders_nothing(tmp_path, channel):
    run = two_on_a_channel(run_of(own_model(tmp_path), processes=2, sends=2, channel=channel))
    both = (ReceiveEvent(2, (1, 1)), ReceiveEvent(2, (1, 2)))
    assert run.enabled_receives() == (both if channel == "unordered" else both[:1])
    assert run.waiting() == (), "waiting is about the model's condition, whatever the channel says"


EVEN_FIRST = '''
from dataclasses import dataclass
from precede.models import Model, Packet, Step


@dataclass(frozen=True)
class EvenFirst(Model):
    """Takes odd messages only after an even one of the same sender."""

    def start(self, me, processes):
        return (me, frozenset())

    def send(self, state, message):
        return Step(state, tuple(Packet(state[0], d, message, ()) for d in sorted(message.dests)))

    def receive(self, state, packet):
        sender, number, _ = packet.message
        if number % 2 and sender not in state[1]:
            return None
        return Step((state[0], state[1] | {sender}), delivered=(packet.message,))
'''


def test_in_fifo_a_waiting_packet_may_be_overtaken_in_fifo_delivery_it_blocks_its_channel(tmp_path):
    own = own_model(tmp_path, EVEN_FIRST, "EvenFirst")
    fifo = two_on_a_channel(run_of(own, processes=2, sends=2, channel="fifo"))
    assert fifo.enabled_receives() == (ReceiveEvent(2, (1, 2)),)
    strict = two_on_a_channel(run_of(own, processes=2, sends=2, channel="fifo-delivery"))
    assert strict.enabled_receives() == ()
    with pytest.raises(ImpossibleStep, match=r"channel fifo-delivery wants 1.1 received first"):
        strict.apply(ReceiveEvent(2, (1, 2)))


def test_a_message_to_oneself_at_send_is_delivered_in_the_same_step():
    run = run_of("rst", ("RST-3b",), processes=2, sends=2, self_addressed="at-send")
    step = run.apply(SendEvent(1, frozenset({1, 2})))
    assert step.delivered == (step.message,)
    assert run.undelivered() == (((1, 1), 2),)
    assert run.pasts[1].delivered == {((1, 1), 1)}


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
def test_every_random_run_can_be_finished_with_everything_delivered(model, channel):
    for seed in range(5):
        run = run_of(model, processes=4, sends=5, channel=channel)
        random_schedule(run, 100, seed)
        assert run.undelivered() == ()
