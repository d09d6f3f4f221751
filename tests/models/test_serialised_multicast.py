"""Serialised multicast: a pair for each destination is enough, if the token hands the pairs over."""

from __future__ import annotations

from typing import Any

import pytest

from fairly import starving
from naively import explored
from precede.models import Message, Packet, Signal, Step
from precede.models.serialised_multicast import NONE, SerialisedMulticast, SerialisedMulticastState

EMPTY = frozenset[Packet]()
LAST = ((3, 1), (3, 2), (1, 1), (1, 1))
HOLDER = SerialisedMulticastState(1, True, (1, 0, 1, 0), LAST, EMPTY)
"""Process 1 of 4 has the token."""


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def test_a_multicast_carries_the_vector_and_replaces_the_entries_of_its_destinations() -> None:
    message = Message(1, 2, frozenset({2, 3}))
    assert SerialisedMulticast().send(HOLDER._replace(holds=False), message) is None
    step = one(SerialisedMulticast().send(HOLDER, message))
    assert step.packets == (Packet(1, 2, message, LAST), Packet(1, 3, message, LAST))
    assert step.state == HOLDER._replace(last=((3, 1), (1, 2), (1, 2), (1, 1)))


def test_control_is_a_pair_for_each_process() -> None:
    packet = Packet(2, 1, Message(2, 1, frozenset({1})), LAST)
    assert (SerialisedMulticast().control_units(packet), SerialisedMulticast().control_bytes(packet)) == (4, 24)


def test_a_copy_waits_for_the_entry_of_its_destination_alone() -> None:
    packet = Packet(2, 1, Message(2, 1, frozenset({1, 4})), LAST)
    model = SerialisedMulticast()
    assert model.receive(HOLDER._replace(SR=(1, 0, 0, 0)), packet) is None
    step = one(model.receive(HOLDER, packet))
    assert (step.state.SR, step.delivered) == ((1, 1, 1, 0), (packet.message,))


@pytest.mark.parametrize(
    ("letter", "at_holder", "elsewhere"), [("a", True, True), ("b", False, False), ("c", True, False)]
)
def test_where_a_delivery_replaces_entries(letter: str, at_holder: bool, elsewhere: bool) -> None:
    packet = Packet(2, 1, Message(2, 1, frozenset({1, 4})), (NONE,) * 4)
    new = ((2, 1), (3, 2), (1, 1), (2, 1))
    for holds, replaces in ((True, at_holder), (False, elsewhere)):
        step = one(SerialisedMulticast(vector=letter).receive(HOLDER._replace(holds=holds), packet))
        assert step.state.last == (new if replaces else LAST)


@pytest.mark.parametrize(("letter", "token", "kept"), [("a", (NONE,) * 4, LAST), ("b", LAST, (NONE,) * 4)])
def test_the_token(letter: str, token: object, kept: object) -> None:
    model = SerialisedMulticast(vector=letter)
    steps = list(model.internal(HOLDER))
    assert [step.packets for step in steps] == [(Signal(1, d, token),) for d in (2, 3, 4)]
    without = steps[0].state
    assert without == HOLDER._replace(holds=False, last=kept)
    assert list(model.internal(without)) == []
    other = ((4, 4),) * 4
    taken = one(model.signal(without, Signal(2, 1, other))).state
    assert taken == HOLDER._replace(last=kept if letter == "a" else other)


@pytest.mark.parametrize(
    ("letter", "states", "transitions", "violated"),
    [
        ("a", 4599, 11_703, {}),
        ("b", 5463, 13_989, {"NoNeedlessDelay": 4}),
        ("c", 7515, 19_155, {"NoNeedlessDelay": 4}),
    ],
)
def test_three_processes_two_multicasts(letter: str, states: int, transitions: int, violated: dict[str, int]) -> None:
    found = explored(SerialisedMulticast(vector=letter), sends=2)
    assert (len(found.states), found.transitions, found.violated) == (states, transitions, violated)
    assert starving(found) == set()


LINE = {"dests": "groups", "groups": (frozenset({1, 2}), frozenset({2, 3}))}
"""Unicasts between 1 and 2 and between 2 and 3."""


@pytest.mark.parametrize(
    ("letter", "bounds", "states", "violated"),
    [
        ("a", {"dests": "unicast", "sends_per_process": 2}, 9900, {"CausalOrder": 7}),
        ("b", {"dests": "unicast", "sends_per_process": 2}, 16_848, {"NoNeedlessDelay": 4}),
        ("c", LINE, 8235, {"CausalOrder": 9, "NoNeedlessDelay": 4}),
    ],
)
def test_three_processes_three_unicasts(
    letter: str, bounds: dict[str, Any], states: int, violated: dict[str, int]
) -> None:
    found = explored(SerialisedMulticast(vector=letter), sends=3, **bounds)
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize(
    ("letter", "self_addressed", "states", "violated"),
    [
        ("x", "at-send", 5596, {"CausalOrder": 8}),
        ("y", "at-send", 5540, {"NoNeedlessDelay": 4}),
        ("z", "at-send", 3188, {}),
    ],
)
def test_the_sender_among_the_destinations(
    letter: str, self_addressed: str, states: int, violated: dict[str, int]
) -> None:
    model = SerialisedMulticast(own_copy=letter)
    found = explored(model, processes=2, sends=3, self_addressed=self_addressed)
    assert (len(found.states), found.violated) == (states, violated)
    assert starving(found) == set()


@pytest.mark.parametrize(("letter", "states"), [("y", 3124), ("z", 2164)])
def test_own_copies_through_the_network(letter: str, states: int) -> None:
    model = SerialisedMulticast(own_copy=letter)
    found = explored(model, processes=2, sends=3, dests="broadcast", self_addressed="network")
    assert (len(found.states), found.violated) == (states, {"NoNeedlessDelay": 4})
    assert starving(found) == set()


def test_an_own_copy_waits_at_its_sender_for_the_attached_message() -> None:
    """It is addressed to its sender, process 1, which has yet to deliver message 1 of process 3."""
    own = Packet(1, 1, Message(1, 2, frozenset({1, 2})), LAST)
    behind = HOLDER._replace(SR=(1, 0, 0, 0))
    assert SerialisedMulticast(own_copy="z").receive(behind, own) is None
    assert one(SerialisedMulticast(own_copy="x").receive(behind, own)).delivered == (own.message,)
    waiting = one(SerialisedMulticast().receive(behind, own))
    assert (waiting.delivered, waiting.state.own) == ((), {own})
    attached = Message(3, 1, frozenset({1}))
    after = one(SerialisedMulticast().receive(waiting.state, Packet(3, 1, attached, (NONE,) * 4)))
    assert (after.delivered, after.state.own) == ((attached, own.message), EMPTY)
