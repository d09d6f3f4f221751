"""Synchronous unicast needs no control information; multicast does, unless all copies are delivered in one step."""

from __future__ import annotations

import pytest

from naively import explored
from precede.models import Message, Packet, Signal, Step, Steps
from precede.models.synchronous import Synchronous, SynchronousState


def test_a_send_waits_for_the_acknowledgement_of_the_last_delivery() -> None:
    model, message = Synchronous("b"), Message(1, 1, frozenset({2}))
    sent = model.send(SynchronousState(1, frozenset()), message)
    assert isinstance(sent, Step) and sent.state == SynchronousState(1, frozenset({2}))
    assert model.send(sent.state, Message(1, 2, frozenset({3}))) is None
    received = model.receive(SynchronousState(2, frozenset({1})), Packet(1, 2, message, None))
    assert received == Step(SynchronousState(2, frozenset({1})), (Signal(2, 1, None),), (message,))
    assert model.signal(sent.state, Signal(2, 1, None)) == Step(SynchronousState(1, frozenset()))


def test_a_packet_carries_nothing() -> None:
    packet = Packet(1, 2, Message(1, 1, frozenset({2})), None)
    assert (Synchronous().control_units(packet), Synchronous().control_bytes(packet)) == (0, 0)


@pytest.mark.parametrize(
    ("letter", "bounds", "states", "violated"),
    [
        ("a", {"sends": 4}, 1201, {}),
        ("a", {"sends": 3, "dests": "multicast"}, 763, {}),
        ("a", {"sends": 3, "channel": "unordered"}, 1337, {"CausalOrder": 3}),
        ("b", {"sends": 3, "channel": "unordered"}, 2323, {}),
        ("b", {"sends": 2, "channel": "unordered", "dests": "multicast"}, 1576, {"CausalOrder": 4}),
    ],
)
def test_three_processes(letter: str, bounds: dict[str, object], states: int, violated: dict[str, int]) -> None:
    found = explored(Synchronous(letter), **bounds)
    assert (len(found.states), found.violated) == (states, violated)


def test_a_process_that_delivers_nothing_while_its_send_waits_can_be_stuck() -> None:
    """Two processes that send to each other: the acknowledgements never come."""

    class Deaf(Synchronous):
        def receive(self, state: SynchronousState, packet: Packet) -> Steps:
            return None if state.awaited else super().receive(state, packet)

    assert explored(Deaf("b"), processes=2, sends=2, channel="unordered").violated["Delivery"] == 2
