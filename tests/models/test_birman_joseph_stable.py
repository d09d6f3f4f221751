"""BJ with acknowledgements: what is forgotten, what is sent again, and what a survivor can still pass on."""

from __future__ import annotations

from typing import Any

import pytest

from naive import Found, Naive
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import LoadedModel
from precede.models import Message, Packet, Signal, Step
from precede.models.birman_joseph_stable import BirmanJosephStable, BirmanJosephStableState

MODEL = BirmanJosephStable()
TO_3, TO_2, ANSWER = Message(1, 1, frozenset({3})), Message(1, 2, frozenset({2})), Message(2, 1, frozenset({3}))
"""1 sends to 3, then to 2; 2, which has delivered that, sends to 3."""


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def explored(model: BirmanJosephStable, **bounds: Any) -> tuple[Naive, Found]:
    naive = Naive(ModelCalls(LoadedModel("model", model, {}, True), Bounds(**bounds)))
    return naive, naive.explore(50_000)


def in_buffer(state: BirmanJosephStableState) -> dict[Message, frozenset[int]]:
    return {held.message: held.at for held in state.BUF}


def test_what_a_packet_contains_is_acknowledged_and_then_forgotten_by_who_sent_it() -> None:
    first = one(MODEL.send(MODEL.start(1, 3), TO_3))
    received = one(MODEL.receive(MODEL.start(3, 3), first.packets[0]))
    assert received.delivered == (TO_3,)
    [ack] = received.packets
    assert (ack.sender, ack.to, [m.message for m in ack.control]) == (3, 1, [TO_3])
    assert isinstance(ack, Signal)
    assert in_buffer(received.state) == {}
    assert in_buffer(first.state) == {TO_3: {1}}
    assert in_buffer(one(MODEL.signal(first.state, ack)).state) == {}
    assert one(MODEL.receive(received.state, first.packets[0])).delivered == ()


def relayed() -> tuple[Any, Packet]:
    """Process 2, which has got both messages of 1 in one packet, and that packet."""
    state = one(MODEL.send(MODEL.start(1, 3), TO_3)).state
    packet = one(MODEL.send(state, TO_2)).packets[0]
    assert isinstance(packet, Packet)
    return one(MODEL.receive(MODEL.start(2, 3), packet)).state, packet


def test_a_process_keeps_what_passed_through_it_and_may_send_it_again() -> None:
    state, packet = relayed()
    assert in_buffer(state) == {TO_3: {1, 2}}
    [again] = MODEL.internal(state)
    assert again.name == "send 1.1 to 3 again"
    assert again.packets == (Packet(2, 3, TO_3, packet.control[:1]),)
    assert list(MODEL.internal(again.state)) == []
    assert [s.name for s in BirmanJosephStable(repeats=2).internal(again.state)] == [again.name]
    assert list(BirmanJosephStable(repeats=0).internal(state)) == []


def test_what_was_sent_again_is_forgotten_with_its_message() -> None:
    state, _ = relayed()
    [again] = MODEL.internal(state)
    assert again.state.again == ((1, 1, 3),)
    received = one(MODEL.receive(MODEL.start(3, 3), again.packets[0]))
    [ack] = received.packets
    after = one(MODEL.signal(again.state, ack)).state
    assert (after.BUF, after.again) == (frozenset(), ())


def test_a_message_sent_again_comes_after_those_before_it_only() -> None:
    """2 sends to 3 twice: what is sent again has the messages before it, not those after it."""
    state, _ = relayed()
    state = one(MODEL.send(state, ANSWER)).state
    state = one(MODEL.send(state, Message(2, 2, frozenset({3})))).state
    contained = {s.name: [m.message[:2] for m in s.packets[0].control] for s in MODEL.internal(state)}
    assert contained == {
        "send 1.1 to 3 again": [(1, 1)],
        "send 2.1 to 3 again": [(1, 1), (2, 1)],
        "send 2.2 to 3 again": [(1, 1), (2, 1), (2, 2)],
    }


def test_what_is_forgotten_still_counts_for_the_order() -> None:
    """1 sends twice to 2 and once to 3, and forgets the first two; its next message to 3 still comes last."""
    state, acks = MODEL.start(1, 3), []
    at_2 = MODEL.start(2, 3)
    for number, d in ((1, 2), (2, 2), (3, 3)):
        step = one(MODEL.send(state, Message(1, number, frozenset({d}))))
        state = step.state
        if d == 2:
            received = one(MODEL.receive(at_2, step.packets[0]))
            at_2, acks = received.state, [*acks, *received.packets]
    for ack in acks:
        assert isinstance(ack, Signal)
        state = one(MODEL.signal(state, ack)).state
    assert [held.id for held in state.BUF] == [(1, 3)]
    before_last = one(MODEL.send(state, Message(1, 4, frozenset({3}))))
    last = one(MODEL.send(before_last.state, Message(1, 5, frozenset({3}))))
    assert [m.message.number for m in last.packets[0].control] == [3, 4, 5]
    third, fourth, _ = last.packets[0].control
    assert third.before < fourth.before


def test_a_survivor_passes_on_what_a_crashed_process_sent() -> None:
    """The packet of 1 to 3 is lost and 1 crashes: 2, which got the message with its own, sends it to 3."""
    state, _ = relayed()
    [again] = MODEL.internal(state)
    assert one(MODEL.receive(MODEL.start(3, 3), again.packets[0])).delivered == (TO_3,)


def test_sizes() -> None:
    _, packet = relayed()
    assert (MODEL.control_units(packet), MODEL.control_bytes(packet)) == (1, 8)


@pytest.mark.parametrize(
    ("repeats", "bound", "states", "shortest"),
    [
        (0, {"sends": 2}, 2_383, {}),
        (0, {"sends": 2, "dests": "unicast", "losses": 1}, 733, {"Delivery": 2}),
        (1, {"sends": 2, "dests": "unicast"}, 3_745, {}),
        (1, {"sends": 2, "processes": 2, "losses": 1}, 838, {}),
        (1, {"sends": 2, "processes": 2, "duplicates": 1}, 1_578, {}),
        (1, {"sends": 1, "processes": 2, "losses": 2}, 33, {"Delivery": 4}),
        (2, {"sends": 1, "processes": 2, "losses": 2}, 67, {}),
    ],
    ids=str,
)
def test_as_many_losses_as_repeats_are_made_good(
    repeats: int, bound: dict[str, Any], states: int, shortest: dict[str, int]
) -> None:
    _, found = explored(BirmanJosephStable(repeats=repeats), **bound)
    assert (len(found.states), found.violated) == (states, shortest)


def survivors_lack(naive: Naive, found: Found) -> tuple[int, int]:
    """Of the states in which nothing moves, those where a survivor knows of a message that another has not got."""
    stuck = [g for g in found.states if not naive.moves(g)]
    lacking = 0
    for state in stuck:
        up = {p for p, local in enumerate(state.locals, 1) if local.state != "down"}
        known = {s for p in up for s in state.locals[p - 1].past.sent}
        lacking += any(
            s.id not in state.locals[d - 1].past.delivered_at(d) for s in known for d in s.message.dests & up
        )
    return len(stuck), lacking


def test_resilience_what_one_survivor_knows_all_survivors_get() -> None:
    """One broadcast of 3 processes, a loss and a crash; without repeats the loss stays."""
    bounds = {"sends": 1, "dests": "broadcast", "losses": 1, "crashes": 1}
    naive, found = explored(BirmanJosephStable(repeats=0), **bounds)
    assert (survivors_lack(naive, found), found.violated) == ((100, 30), {"Delivery": 3})
    naive, found = explored(BirmanJosephStable(), **bounds)
    assert (survivors_lack(naive, found), found.violated) == ((328, 0), {})
    assert len(found.states) == 18_160


def test_where_no_survivor_knows_of_a_message_it_is_gone() -> None:
    """1 sends to 3, the packet is lost, 1 crashes."""
    _, found = explored(MODEL, processes=2, sends=1, losses=1, crashes=1)
    assert found.violated == {"Delivery": 3}
