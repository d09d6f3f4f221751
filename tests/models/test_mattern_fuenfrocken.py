"""Mattern-Fuenfrocken: unicasts are ordered by the buffers alone; multicasts need a release."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from naive import Found, Global, Transit
from naively import explored
from precede.models import Message, Packet, Signal, Step, Steps
from precede.models.mattern_fuenfrocken import ACKNOWLEDGE, RELEASE, MatternFuenfrocken, MFState

TO_2, TO_3 = Message(1, 1, frozenset({2})), Message(1, 2, frozenset({3}))
BOTH = Message(1, 1, frozenset({2, 3}))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def acknowledgement(sender: int, to: int, number: int) -> Signal:
    return Signal(sender, to, (ACKNOWLEDGE, number))


def test_the_application_never_waits_and_the_transport_waits_for_the_acknowledgement() -> None:
    model = MatternFuenfrocken()
    first = one(model.send(model.start(1, 3), TO_2))
    assert first.packets == (Packet(1, 2, TO_2, None),)
    second = one(model.send(first.state, TO_3))
    assert second.packets == ()
    assert [message for message, _ in second.state.OUT] == [TO_2, TO_3]
    third = one(model.signal(second.state, acknowledgement(2, 1, 1)))
    assert third.packets == (Packet(1, 3, TO_3, None),)
    assert third.state == MFState(1, ((TO_3, TO_3.dests),), TO_3.dests)
    assert one(model.signal(third.state, acknowledgement(3, 1, 2))) == Step(MFState(1))


@pytest.mark.parametrize("letter", ["a", "b"])
def test_when_a_message_is_acknowledged(letter: str) -> None:
    model = MatternFuenfrocken(acknowledged=letter)
    arrival = one(model.receive(MFState(2), Packet(1, 2, TO_2, None)))
    (delivery,) = model.internal(arrival.state)
    assert (arrival.state.IN, arrival.delivered, delivery.delivered) == ((TO_2,), (), (TO_2,))
    sent = (acknowledgement(2, 1, 1),)
    assert (arrival.packets, delivery.packets) == ((sent, ()) if letter == "a" else ((), sent))
    assert delivery.name == "take message 1 of 1 from IN"


@pytest.mark.parametrize(("letter", "taken"), [("a", [TO_2]), ("b", [TO_2, BOTH])])
def test_what_the_application_may_take(letter: str, taken: list[Message]) -> None:
    steps = list(MatternFuenfrocken(taken=letter).internal(MFState(2, IN=(TO_2, BOTH))))
    assert [step.delivered for step in steps] == [(message,) for message in taken]
    assert list(MatternFuenfrocken(taken=letter).internal(MFState(2))) == []


def test_what_a_multicast_is() -> None:
    assert MatternFuenfrocken().send(MFState(1), BOTH) is None
    in_turn = one(MatternFuenfrocken(multicast="b").send(MFState(1), BOTH))
    assert [packet.to for packet in in_turn.packets] == [2]
    assert [set(part) for _, part in in_turn.state.OUT] == [{2}, {3}]
    at_once = one(MatternFuenfrocken(multicast="c").send(MFState(1), BOTH))
    assert [packet.to for packet in at_once.packets] == [2, 3]
    half = one(MatternFuenfrocken(multicast="c").signal(at_once.state, acknowledgement(2, 1, 1))).state
    assert (half.waiting, len(half.OUT)) == ({3}, 1)


def test_a_held_message_is_released_when_all_copies_have_arrived() -> None:
    model = MatternFuenfrocken(multicast="d")
    sent = one(model.send(MFState(1), BOTH)).state
    held = one(model.receive(MFState(2), Packet(1, 2, BOTH, None))).state
    assert list(model.internal(held)) == []
    first = one(model.signal(sent, acknowledgement(3, 1, 1)))
    assert first.packets == ()
    second = one(model.signal(first.state, acknowledgement(2, 1, 1)))
    assert second.packets == (Signal(1, 2, (RELEASE, 1)), Signal(1, 3, (RELEASE, 1)))
    (delivery,) = model.internal(one(model.signal(held, Signal(1, 2, (RELEASE, 1)))).state)
    assert delivery.delivered == (BOTH,)


def test_a_packet_carries_nothing() -> None:
    packet = Packet(1, 2, TO_2, None)
    assert (MatternFuenfrocken().control_units(packet), MatternFuenfrocken().control_bytes(packet)) == (0, 0)


@cache
def three_unicasts(readings: str = "aaa") -> Found:
    return explored(MatternFuenfrocken(*readings), sends=3)


@pytest.mark.parametrize(
    ("readings", "states", "transitions", "violated"),
    [
        ("aaa", 9359, 24_174, {"NoNeedlessDelay": 4}),
        ("baa", 10_139, 27_312, {"CausalOrder": 6}),
        ("aab", 5082, 10_542, {"NoNeedlessDelay": 4}),
        ("bab", 5082, 10_680, {}),
    ],
)
def test_three_processes_three_unicasts(readings: str, states: int, transitions: int, violated: dict[str, int]) -> None:
    found = three_unicasts(readings)
    assert (len(found.states), found.transitions, found.violated) == (states, transitions, violated)


@pytest.mark.parametrize(
    ("readings", "states", "violated"),
    [
        ("aba", 3334, {"CausalOrder": 6, "NoNeedlessDelay": 4}),
        ("aca", 7900, {"CausalOrder": 6, "NoNeedlessDelay": 4}),
        ("ada", 4600, {"NoNeedlessDelay": 2}),
        ("bda", 4828, {"CausalOrder": 8, "NoNeedlessDelay": 2}),
        ("adb", 316, {"Delivery": 2, "NoNeedlessDelay": 2}),
    ],
)
def test_three_processes_two_multicasts(readings: str, states: int, violated: dict[str, int]) -> None:
    found = explored(MatternFuenfrocken(*readings), sends=2, dests="multicast")
    assert (len(found.states), found.violated) == (states, violated)


def in_transit(state: Global) -> list[Transit]:
    return [transit for transit, _ in state.network]  # type: ignore[misc]


def test_no_sender_has_more_than_one_message_without_acknowledgement() -> None:
    """C-B-2: of one sender at most one packet or acknowledgement is in transit."""
    most = 0
    for state in three_unicasts().states:
        for p in (1, 2, 3):
            own = [t for t in in_transit(state) if p == (t.packet.sender if t.sent else t.packet.to)]
            most = max(most, len(own))
    assert most == 1


def arrived(state: Global, message: Message) -> bool:
    (d,) = message.dests
    there: Any = state.locals[d - 1]
    return (message.sender, message.number) in there.past.delivered_at(d) or message in there.state.IN


def test_a_transmitted_message_comes_after_the_arrival_of_all_before_it_not_after_their_delivery_or_its_own_send() -> (
    None
):
    """KS-28, with M before M': Arrive(M) precedes the transmission of M'; it may follow Send(M'), and M may be
    undelivered when M' is transmitted. (Kshemkalyani and Singhal, Section 7.1: Delivery(M) precedes Send(M').)"""
    late_delivery = late_arrival = False
    for state in three_unicasts().states:
        for sent in (t.sent for t in in_transit(state) if t.sent):
            for earlier in sent.past.sent:
                assert arrived(state, earlier.message)
                late_delivery |= any(
                    (earlier.id, d) not in state.locals[d - 1].past.delivered for d in earlier.message.dests
                )
        for sent in (s for local in state.locals for s in local.past.sent):
            late_arrival |= any(not arrived(state, earlier.message) for earlier in sent.past.sent)
    assert late_delivery and late_arrival


@pytest.mark.parametrize(("channel", "shortest"), [("unordered", 8), ("fifo", 12)])
def test_a_released_message_must_keep_the_place_of_its_arrival(channel: str, shortest: int) -> None:
    """MF-2d with a message that enters IN when it is released."""

    class PlacedAtRelease(MatternFuenfrocken):
        def signal(self, state: MFState, signal: Signal) -> Steps:
            step = one(super().signal(state, signal))
            kind, number = signal.control
            if kind != RELEASE:
                return step
            IN, held = state.IN, step.state.held
            ready = tuple(m for m in IN if (m.sender, m.number) not in state.held)
            released = tuple(m for m in IN if (m.sender, m.number) == (signal.sender, number))
            waiting = tuple(m for m in IN if (m.sender, m.number) in held)
            return step._replace(state=step.state._replace(IN=ready + released + waiting))

    found = explored(PlacedAtRelease(multicast="d"), sends=2, dests="multicast", channel=channel)
    assert found.violated["CausalOrder"] == shortest
