"""Psync, as algorithms.md, B6 states it, what PS-1 changes, and its requests where channels lose."""

from __future__ import annotations

from typing import Any

import pytest

from naive import Found, Naive
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import LoadedModel
from precede.models import Message, Packet, Signal, Step
from precede.models.psync import Psync, PsyncState
from precede.models.psync_requests import PsyncRequests, PsyncRequestsState

NONE = frozenset[Message]()
M1, M2, M3 = (Message(p, 1, frozenset({1, 2, 3}) - {p}) for p in (1, 2, 3))
NEXT = Message(1, 2, M1.dests)
VIEW = frozenset({(M1, NONE), (M2, frozenset({M1})), (M3, frozenset({M1}))})
"""2 and 3 have both followed 1.1, and not each other."""


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def test_a_copy_names_the_leaves_of_the_view_and_becomes_the_only_leaf() -> None:
    step = one(Psync().send(PsyncState(1, 3, VIEW), NEXT))
    assert [(packet.to, packet.control) for packet in step.packets] == [(2, {M2, M3}), (3, {M2, M3})]
    following = one(Psync().send(step.state, Message(1, 3, M1.dests)))
    assert following.packets[0].control == {NEXT}


def test_d1_waits_for_all_that_is_named() -> None:
    copy = Packet(1, 2, NEXT, frozenset({M2, M3}))
    for known in (VIEW - {(M3, frozenset({M1}))}, frozenset[Any]()):
        assert Psync().receive(PsyncState(2, 3, known), copy) is None
    step = one(Psync().receive(PsyncState(2, 3, VIEW), copy))
    assert step == Step(PsyncState(2, 3, VIEW | {(NEXT, frozenset({M2, M3}))}), (), (NEXT,))


def test_ps_1_where_a_named_message_is_not_addressed_to_the_receiver() -> None:
    """1 sends to 3, and then to 2."""
    to_3, to_2 = Message(1, 1, frozenset({3})), Message(1, 2, frozenset({2}))
    assert Psync().send(Psync().start(1, 3), to_3) is None
    for letter, delivers in (("b", False), ("c", True)):
        model = Psync(subsets=letter)
        state = one(model.send(model.start(1, 3), to_3)).state
        packet = one(model.send(state, to_2)).packets[0]
        assert packet.control == {to_3}
        assert (model.receive(model.start(2, 3), packet) is not None) == delivers


def test_the_own_copy_is_delivered_at_once_and_changes_nothing() -> None:
    step = one(Psync().receive(PsyncState(1, 3, VIEW), Packet(1, 1, M1, frozenset({NEXT}))))
    assert step == Step(PsyncState(1, 3, VIEW), (), (M1,))


def test_facts_and_sizes() -> None:
    copy = Packet(1, 3, NEXT, frozenset({M2, M3}))
    assert Psync().state_facts(PsyncState(1, 3, VIEW)) == {((2, 1), 3), ((3, 1), 2)}
    assert Psync().packet_facts(copy) == {((2, 1), 3)}
    assert (Psync().control_units(copy), Psync().control_bytes(copy)) == (2, 12)
    assert Psync(subsets="c").control_bytes(copy) == 12 + 2 * 4


@pytest.mark.parametrize("channel", ["unordered", "fifo"])
def test_three_processes_three_broadcasts(channel: str) -> None:
    """Exact, and with the states of causal order itself, like Kim-Kim, whose predecessors are the same leaves."""
    found = explored(Psync(), channel=channel)
    assert (len(found.states), found.transitions, found.violated) == (1_085, 2_424, {})


@pytest.mark.parametrize(
    ("letter", "channel", "states", "shortest"),
    [
        ("b", "unordered", 743, {"NoNeedlessDelay": 2, "Delivery": 3}),
        ("b", "fifo", 743, {"NoNeedlessDelay": 2, "Delivery": 3}),
        ("c", "unordered", 1_163, {"CausalOrder": 4}),
        ("c", "fifo", 1_151, {"CausalOrder": 5}),
    ],
)
def test_three_unicasts(letter: str, channel: str, states: int, shortest: dict[str, int]) -> None:
    """What is awaited and not addressed here never comes; what is ignored hides what came before it."""
    found = explored(Psync(subsets=letter), dests="unicast", channel=channel)
    assert len(found.states) == states
    assert {n: s for n, s in found.violated.items() if n in ("CausalOrder", "Delivery", "NoNeedlessDelay")} == shortest


def test_without_requests_a_lost_message_holds_up_what_follows_and_a_duplicate_is_delivered_twice() -> None:
    assert explored(Psync(), sends=2, losses=1).violated == {"Delivery": 3}
    assert explored(Psync(), sends=2, duplicates=1).violated == {"Integrity": 4}


ASKING = PsyncRequests()


def test_what_is_missing_is_asked_of_who_named_it_and_then_delivered_first() -> None:
    """3 gets 2.1, which follows 1.1, before 1.1."""
    state: PsyncRequestsState = ASKING.start(3, 3)
    step = one(ASKING.receive(state, Packet(2, 3, M2, frozenset({M1}))))
    assert (step.delivered, step.packets) == ((), (Signal(3, 2, M1),))
    assert step.state.held == {(M2, frozenset({M1}))}
    asked = ASKING.start(2, 3)._replace(G=frozenset({(M1, NONE), (M2, frozenset({M1}))}))
    answer = one(ASKING.signal(asked, Signal(3, 2, M1)))
    assert answer == Step(asked, (Packet(2, 3, M1, NONE),))
    after = one(ASKING.receive(step.state, answer.packets[0]))
    assert after.delivered == (M1, M2)
    assert after.state == state._replace(G=asked.G)
    assert one(ASKING.receive(after.state, Packet(1, 3, M1, NONE))) == Step(after.state)


def test_what_is_held_already_is_not_asked_for() -> None:
    state = ASKING.start(3, 3)._replace(held=frozenset({(M2, frozenset({M1}))}))
    step = one(ASKING.receive(state, Packet(1, 3, NEXT, frozenset({M2}))))
    assert (step.packets, step.delivered) == ((), ())
    assert one(ASKING.receive(state, Packet(2, 3, M2, frozenset({M1})))) == Step(state)


def test_a_request_is_repeated_as_often_as_the_parameter_says() -> None:
    state = ASKING.start(3, 3)._replace(held=frozenset({(M2, frozenset({M1}))}))
    assert list(ASKING.internal(state)) == []
    [repeat] = PsyncRequests(repeats=1).internal(state)
    assert (repeat.name, repeat.packets) == ("ask 2 again for 1.1", (Signal(3, 2, M1),))
    assert list(PsyncRequests(repeats=1).internal(repeat.state)) == []
    answered = one(PsyncRequests(repeats=1).receive(repeat.state, Packet(2, 3, M1, NONE)))
    assert answered.state.again == ()


def held_for_ever(model: PsyncRequests, **bounds: Any) -> tuple[Found, int]:
    """The states, and how many of those in which nothing moves have a message that arrived and is not delivered."""
    naive = Naive(ModelCalls(LoadedModel("model", model, {}, True), Bounds(**({"dests": model.load} | bounds))))
    found = naive.explore(50_000)
    holding = [g for g in found.states if any(local.state != "down" and local.held for local in g.locals)]
    return found, sum(not naive.moves(g) for g in holding)


@pytest.mark.parametrize(
    ("repeats", "bounds", "states", "held", "shortest"),
    [
        (0, {"sends": 2}, 304, 0, {}),
        (0, {"sends": 3, "channel": "fifo"}, 2_636, 0, {}),
        (0, {"sends": 2, "duplicates": 1}, 1_888, 0, {}),
        (0, {"sends": 2, "losses": 1}, 793, 0, {"Delivery": 3}),
        (0, {"sends": 3, "processes": 2, "losses": 1}, 325, 0, {"Delivery": 2}),
        (0, {"sends": 2, "losses": 2}, 1_126, 12, {"Delivery": 3}),
        (1, {"sends": 2, "losses": 2}, 2_947, 0, {"Delivery": 3}),
        (0, {"sends": 2, "losses": 1, "crashes": 1}, 3_118, 18, {"Delivery": 3}),
    ],
    ids=str,
)
def test_whatever_a_message_that_arrived_follows_is_recovered(
    repeats: int, bounds: dict[str, Any], states: int, held: int, shortest: dict[str, int]
) -> None:
    """One loss more than there are requests, or the crash of who named it, leaves a message waiting for ever. Nobody
    asks for a lost message that no other names: Delivery needs more than requests."""
    found, stuck = held_for_ever(PsyncRequests(repeats=repeats), **bounds)
    assert (len(found.states), stuck, found.violated) == (states, held, shortest)
