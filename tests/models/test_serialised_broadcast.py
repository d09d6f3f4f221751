"""Serialised broadcast: one pair is enough, if the token hands it over and own broadcasts count in their turn."""

from __future__ import annotations

import pytest

from fairly import starving
from naively import explored
from precede.models import Message, Packet, Signal, Step, Steps
from precede.models.serialised_broadcast import NONE, Attached, SerialisedBroadcast, SerialisedBroadcastState

EMPTY = frozenset[Packet]()
HOLDER = SerialisedBroadcastState(1, 4, (3, 4, 0), (2, 4), EMPTY)
"""Process 1 of 3 has the token after 4 broadcasts; it has delivered them, the last is 4, of process 2."""
BEHIND = HOLDER._replace(SR=(3, 0, 0))
"""The same, but broadcast 4 is not delivered yet."""
OWN = Message(1, 2, frozenset({2, 3}))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def copy_of(sender: int, t: int, last: tuple[int, int]) -> Packet:
    return Packet(sender, 1, Message(sender, 1, frozenset({1, 2, 3}) - {sender}), Attached(t, last))


def test_only_the_holder_of_the_token_broadcasts() -> None:
    assert SerialisedBroadcast().send(HOLDER._replace(turn=None), OWN) is None
    states = [SerialisedBroadcast().start(me, 3) for me in (1, 2, 3)]
    assert [state.turn for state in states] == [0, None, None]


def test_a_broadcast_carries_the_tracked_pair_and_becomes_it() -> None:
    step = one(SerialisedBroadcast().send(HOLDER, OWN))
    assert [(p.to, p.control) for p in step.packets if isinstance(p, Packet)] == [(2, (5, (2, 4))), (3, (5, (2, 4)))]
    assert step.state == SerialisedBroadcastState(1, 5, (5, 4, 0), (1, 5), EMPTY)
    assert SerialisedBroadcast().control_bytes(copy_of(2, 5, NONE)) == 6


def test_a_copy_waits_for_the_attached_broadcast() -> None:
    model = SerialisedBroadcast()
    assert model.receive(BEHIND, copy_of(3, 5, (2, 4))) is None
    assert one(model.receive(HOLDER, copy_of(3, 5, (2, 4)))).state.SR == (3, 4, 5)


@pytest.mark.parametrize(("letter", "tracked"), [("a", (3, 2)), ("b", (2, 4)), ("c", (2, 4))])
def test_what_the_delivery_of_an_older_broadcast_leaves_tracked(letter: str, tracked: tuple[int, int]) -> None:
    packet = copy_of(3, 2, NONE)
    assert one(SerialisedBroadcast(identity=letter).receive(HOLDER, packet)).state.last == tracked


def test_an_own_broadcast_counts_at_the_send_or_with_the_attached_one() -> None:
    """Broadcast 5 of process 1 names broadcast 4, which process 1 has not delivered."""
    at_send = one(SerialisedBroadcast(own_copy="x").send(BEHIND, OWN)).state
    assert (at_send.SR, at_send.own) == ((5, 0, 0), EMPTY)
    waiting = one(SerialisedBroadcast().send(BEHIND, OWN)).state
    assert (waiting.SR, len(waiting.own)) == ((3, 0, 0), 1)
    after = one(SerialisedBroadcast().receive(waiting, copy_of(2, 4, (1, 3)))).state
    assert (after.SR, after.own) == ((5, 4, 0), EMPTY)


def test_an_own_copy_through_the_network_passes_the_same_test() -> None:
    model = SerialisedBroadcast(own_copy="z")
    step = one(model.send(BEHIND, OWN))
    own = Signal(1, 1, Attached(5, (2, 4)))
    assert step.packets[-1] == own
    assert model.signal(step.state, own) is None
    assert one(model.signal(step.state._replace(SR=(3, 4, 0)), own)).state.SR == (5, 4, 0)


@pytest.mark.parametrize(("letter", "token", "kept"), [("b", (4, NONE), (2, 4)), ("c", (4, (2, 4)), NONE)])
def test_the_token(letter: str, token: object, kept: tuple[int, int]) -> None:
    model = SerialisedBroadcast(identity=letter)
    steps = list(model.internal(HOLDER))
    assert [step.packets for step in steps] == [(Signal(1, 2, token),), (Signal(1, 3, token),)]
    assert [step.name for step in steps] == ["pass the token to 2", "pass the token to 3"]
    without = steps[0].state
    assert without == HOLDER._replace(turn=None, last=kept)
    assert list(model.internal(without)) == []
    assert one(model.signal(without, Signal(2, 1, (6, (3, 6))))).state == without._replace(
        turn=6, last=(3, 6) if letter == "c" else kept
    )


def test_three_processes_three_broadcasts() -> None:
    found = explored(SerialisedBroadcast(), sends=3)
    assert (len(found.states), found.transitions, found.violated) == (15_048, 45_942, {"NoNeedlessDelay": 4})
    assert starving(found) == set()


@pytest.mark.parametrize(
    ("readings", "states", "violated"),
    [
        ("ax", 468, {"CausalOrder": 7}),
        ("ay", 468, {"CausalOrder": 7}),
        ("az", 2252, {"CausalOrder": 8, "NoNeedlessDelay": 5}),
        ("bx", 444, {"CausalOrder": 9}),
        ("by", 444, {"CausalOrder": 9}),
        ("bz", 2140, {"CausalOrder": 10, "NoNeedlessDelay": 5}),
        ("cx", 460, {"CausalOrder": 8}),
        ("cy", 436, {}),
        ("cz", 1300, {"NoNeedlessDelay": 4}),
    ],
)
def test_two_processes_three_broadcasts(readings: str, states: int, violated: dict[str, int]) -> None:
    found = explored(SerialisedBroadcast(*readings), processes=2, sends=3)
    assert (len(found.states), found.violated) == (states, violated)
    assert starving(found) == set()


@pytest.mark.parametrize(
    ("letter", "processes", "self_addressed", "violated"),
    [
        ("x", 2, "at-send", {"CausalOrder": 8}),
        ("y", 2, "at-send", {"NoNeedlessDelay": 4}),
        ("y", 3, "at-send", {"NoNeedlessDelay": 4}),
        ("y", 2, "network", {"NoNeedlessDelay": 4}),
        ("z", 2, "network", {"NoNeedlessDelay": 4}),
    ],
)
def test_own_copies_that_are_messages(
    letter: str, processes: int, self_addressed: str, violated: dict[str, int]
) -> None:
    sends = 3 if processes == 2 else 2
    model = SerialisedBroadcast(own_copy=letter)
    found = explored(model, processes=processes, sends=sends, self_addressed=self_addressed)
    assert found.violated == violated
    assert starving(found) == set()


@pytest.mark.parametrize("processes", [2, 3])
def test_no_message_waits_needlessly_when_the_sender_waits_instead(processes: int) -> None:
    """KS-25ownz with the own copy received in the send: the holder sends once it has delivered the handed-over one."""
    model = SerialisedBroadcast(own_copy="z")
    found = explored(model, processes=processes, sends=5 - processes, self_addressed="at-send")
    assert (found.violated, starving(found)) == ({}, set())


def test_a_message_that_is_never_taken_starves_although_the_token_moves() -> None:
    class Deaf(SerialisedBroadcast):
        def receive(self, state: SerialisedBroadcastState, packet: Packet) -> Steps:
            return None

    found = explored(Deaf(), processes=2, sends=1)
    assert "Delivery" not in found.violated
    assert len(starving(found)) == 8
