"""BJ, as algorithms.md, B5 states it: what travels along, what BJ-1 changes, what loss and crashes do."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.birman_joseph import BirmanJoseph, BirmanJosephState, Held, Ids, Labelled

NONE: Ids = frozenset()
TO_3, TO_2, ANSWER = Message(1, 1, frozenset({3})), Message(1, 2, frozenset({2})), Message(2, 1, frozenset({3}))
"""1 sends to 3, then to 2; 2, which has delivered that, sends to 3."""
A, B = Labelled(TO_3, NONE), Labelled(TO_2, frozenset({(1, 1)}))
C = Labelled(ANSWER, frozenset({(1, 1), (1, 2)}))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def triangle(model: BirmanJoseph) -> tuple[dict[int, Any], list[Packet]]:
    """The states of 1 and 2 and the packets of the three messages, when the third has been sent."""
    first = one(model.send(model.start(1, 3), TO_3))
    second = one(model.send(first.state, TO_2))
    received = one(model.receive(model.start(2, 3), second.packets[0]))
    third = one(model.send(received.state, ANSWER))
    return {1: second.state, 2: third.state}, [*first.packets, *second.packets, *third.packets]


def test_a_packet_has_all_that_happens_before_its_message_whoever_it_is_addressed_to() -> None:
    states, packets = triangle(BirmanJoseph())
    assert [(packet.to, packet.control) for packet in packets] == [(3, (A,)), (2, (A, B)), (3, (A, B, C))]
    BUF = {Held(*A, frozenset({1, 2})), Held(*B, frozenset({1, 2})), Held(*C, frozenset({2}))}
    assert states[2] == BirmanJosephState(2, frozenset(BUF), frozenset({(1, 2)}))


@pytest.mark.parametrize(
    ("letter", "contained"),
    [
        ("a", [[A], [A, B], [A, B, C]]),
        ("b", [[A], [B], [C]]),
        ("c", [[A], [A, B], [A, B, C]]),
        ("d", [[A], [B], [C]]),
    ],
)
def test_bj_1_selects_what_travels(letter: str, contained: list[list[Labelled]]) -> None:
    _, packets = triangle(BirmanJoseph(carried=letter))
    assert [[m.message for m in packet.control] for packet in packets] == [[m.message for m in c] for c in contained]


@pytest.mark.parametrize(("letter", "contained"), [("a", [TO_3, TO_3]), ("b", [TO_3, TO_3]), ("c", []), ("d", [])])
def test_bj_1_whether_what_was_sent_to_a_process_travels_to_it_again(letter: str, contained: list[Message]) -> None:
    model = BirmanJoseph(carried=letter)
    state = one(model.send(model.start(1, 3), TO_3)).state
    state = one(model.send(state, TO_2)).state
    again = Message(1, 3, frozenset({2, 3}))
    to_2, to_3 = one(model.send(state, again)).packets
    assert [m.message for m in to_3.control if m.message in (TO_3, again)] == [*contained[:1], again]
    assert (TO_2 in [m.message for m in to_2.control]) == bool(contained)


def test_everything_addressed_here_is_delivered_in_order_and_once() -> None:
    model = BirmanJoseph()
    _, (to_3, _, answer) = triangle(model)
    step = one(model.receive(model.start(3, 3), answer))
    assert step.delivered == (TO_3, ANSWER)
    assert {held.labelled for held in step.state.BUF} == {A, B, C}
    for packet in (to_3, answer):
        again = one(model.receive(step.state, packet))
        assert again.delivered == ()
        assert again.state.delivered == step.state.delivered


def test_messages_travel_in_causal_order_not_in_that_of_their_senders() -> None:
    """1 follows a message of 2 to 1 and 3, and then its own."""
    model = BirmanJoseph()
    of_2 = Message(2, 1, frozenset({1, 3}))
    state = one(model.receive(model.start(1, 3), one(model.send(model.start(2, 3), of_2)).packets[0])).state
    state = one(model.send(state, TO_3)).state
    last = Message(1, 2, frozenset({3}))
    [packet] = one(model.send(state, last)).packets
    assert [m.message for m in packet.control] == [of_2, TO_3, last]


def test_what_the_destination_has_sent_or_passed_on_does_not_travel_to_it() -> None:
    """3 got all three messages from 2: so 2 has them, and 1 has its own."""
    model = BirmanJoseph()
    _, (_, _, answer) = triangle(model)
    state = one(model.receive(model.start(3, 3), answer)).state
    reply = Message(3, 1, frozenset({1, 2}))
    to_1, to_2 = one(model.send(state, reply)).packets
    assert [m.message for m in to_1.control] == [ANSWER, reply]
    assert [m.message for m in to_2.control] == [reply]


def test_facts_and_sizes() -> None:
    model = BirmanJoseph()
    states, (_, to_2, answer) = triangle(model)
    assert model.state_facts(states[2]) == {((1, 1), 3), ((2, 1), 3)}
    assert model.state_facts(states[1]) == {((1, 1), 3), ((1, 2), 2)}
    assert model.packet_facts(answer) == {((1, 1), 3), ((1, 2), 2)}
    assert [(model.control_units(p), model.control_bytes(p)) for p in (to_2, answer)] == [(1, 8), (2, 16)]


JUDGED = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Integrity")


@pytest.mark.parametrize(
    ("letter", "channel", "counts", "shortest"),
    [
        ("a", "unordered", (1_313, 2_382), {}),
        ("a", "fifo", (1_151, 1_986), {}),
        ("b", "unordered", (1_313, 2_382), {"CausalOrder": 5}),
        ("b", "fifo", (1_151, 1_986), {"CausalOrder": 5}),
        ("c", "unordered", (1_337, 2_394), {"CausalOrder": 3}),
        ("c", "fifo", (1_151, 1_986), {}),
        ("d", "unordered", (1_337, 2_394), {"CausalOrder": 3}),
        ("d", "fifo", (1_151, 1_986), {"CausalOrder": 5}),
    ],
)
def test_three_processes_three_unicasts(
    letter: str, channel: str, counts: tuple[int, int], shortest: dict[str, int]
) -> None:
    """Only what was sent to the same process before may stay away, and only over FIFO channels."""
    found = explored(BirmanJoseph(carried=letter), dests="unicast", channel=channel)
    assert (len(found.states), found.transitions) == counts
    assert {name: steps for name, steps in found.violated.items() if name in JUDGED} == shortest


@pytest.mark.parametrize(
    ("letter", "faults", "shortest"),
    [
        ("a", {"duplicates": 1}, {}),
        ("a", {"crashes": 1}, {}),
        ("a", {"losses": 1}, {"Delivery": 2}),
        ("a", {"losses": 1, "crashes": 1}, {"Delivery": 2}),
        ("c", {"duplicates": 1}, {}),
        ("c", {"crashes": 1}, {}),
        ("c", {"losses": 1}, {"Delivery": 2, "CausalOrder": 4}),
    ],
)
def test_two_multicasts_over_fifo_channels_with_faults(
    letter: str, faults: dict[str, int], shortest: dict[str, int]
) -> None:
    """A lost message need not come, but nothing that follows it comes before it, unless what was sent stays away."""
    found = explored(BirmanJoseph(carried=letter), sends=2, channel="fifo", **faults)
    assert {name: steps for name, steps in found.violated.items() if name in JUDGED} == shortest
