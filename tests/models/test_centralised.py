"""The centralised organisation of Kshemkalyani and Singhal, Section 7.1, and what KS-29 changes."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.centralised import Centralised

BOTH, OWN_TOO, THREE_ONLY = frozenset({1, 3}), frozenset({2, 3}), frozenset({3})


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def packet(sender: int, to: int, message: Message, number: int = 0) -> Packet:
    return Packet(sender, to, message, number)


def test_a_message_goes_to_the_coordinator_which_delivers_it_and_tells_the_others() -> None:
    model, message = Centralised(), Message(2, 1, BOTH)
    asked = one(model.send(model.start(2, 3), message))
    assert (asked.packets, asked.delivered) == ((packet(2, 1, message),), ())
    served = one(model.receive(model.start(1, 3), packet(2, 1, message)))
    assert (served.packets, served.delivered) == ((packet(1, 3, message),), (message,))
    at_3 = one(model.receive(model.start(3, 3), packet(1, 3, message)))
    assert (at_3.packets, at_3.delivered) == ((), (message,))


def test_the_coordinator_need_not_ask() -> None:
    model, message = Centralised(), Message(1, 1, frozenset({1, 2, 3}))
    step = one(model.send(model.start(1, 3), message))
    assert (step.packets, step.delivered) == ((packet(1, 2, message), packet(1, 3, message)), (message,))


def test_a_message_that_is_not_for_the_coordinator_is_not_delivered_there() -> None:
    step = one(Centralised().receive(Centralised().start(1, 3), packet(2, 1, Message(2, 1, THREE_ONLY))))
    assert (step.packets, step.delivered) == ((packet(1, 3, Message(2, 1, THREE_ONLY)),), ())


def test_a_message_to_one_may_go_there_directly() -> None:
    model, message = Centralised("b"), Message(2, 1, THREE_ONLY)
    assert one(model.send(model.start(2, 3), message)).packets == (packet(2, 3, message),)
    assert one(model.receive(model.start(3, 3), packet(2, 3, message))).delivered == (message,)
    to_1 = Message(2, 1, frozenset({1}))
    assert one(model.receive(model.start(1, 3), packet(2, 1, to_1))) == Step(model.start(1, 3), (), (to_1,))
    assert one(model.send(model.start(2, 3), Message(2, 1, BOTH))).packets[0].to == 1


def test_what_comes_directly_leaves_the_sequence_numbers_alone() -> None:
    model = Centralised("b", "d")
    for to, direct in (3, Message(2, 2, THREE_ONLY)), (1, Message(2, 2, frozenset({1}))):
        counted: Any = model.start(to, 3)._replace(taken=1, served=(0, 1, 0))
        assert one(model.receive(counted, packet(2, to, direct))) == Step(counted, (), (direct,))


def test_the_own_copy_comes_back_or_is_delivered_at_once() -> None:
    message = Message(2, 1, OWN_TOO)
    found = {}
    for letter in "ac":
        model = Centralised(letter)
        asked = one(model.send(model.start(2, 3), message))
        served = one(model.receive(model.start(1, 3), packet(2, 1, message)))
        found[letter] = asked.delivered, [p.to for p in served.packets]
    assert found == {"a": ((), [2, 3]), "c": ((message,), [3])}


@pytest.mark.parametrize(("letter", "waits"), [("a", False), ("b", True), ("c", False), ("d", True)])
def test_the_coordinator_may_serve_the_requests_of_each_process_in_their_order(letter: str, waits: bool) -> None:
    model = Centralised(numbered=letter)
    first = one(model.send(model.start(2, 3), Message(2, 1, BOTH)))
    second = one(model.send(first.state, Message(2, 2, BOTH)))
    start = model.start(1, 3)
    (early,), (late,) = first.packets, second.packets
    assert isinstance(early, Packet) and isinstance(late, Packet)
    assert [model.control_bytes(p) for p in (early, late)] == [4 * waits] * 2
    assert (model.receive(start, late) is None) == waits
    assert one(model.receive(one(model.receive(start, early)).state, late)).delivered == (late.message,)
    assert one(model.receive(start, packet(3, 1, Message(3, 1, BOTH), int(waits)))).delivered


@pytest.mark.parametrize(("letter", "waits"), [("a", False), ("b", False), ("c", True), ("d", True)])
def test_and_each_process_may_take_the_copies_in_theirs(letter: str, waits: bool) -> None:
    """The first copy goes to 2 alone; of the next two to 3 the second has to wait."""
    model = Centralised(numbered=letter)
    state: Any = model.start(1, 3)
    copies = []
    for number, dests in enumerate((frozenset({2}), OWN_TOO, OWN_TOO), 1):
        step = one(model.send(state, Message(1, number, dests)))
        state, copies = step.state, copies + [p for p in step.packets if p.to == 3]
    early, late = copies
    assert isinstance(early, Packet) and isinstance(late, Packet)
    assert [p.control for p in (early, late)] == [waits * 1, waits * 2]
    start = model.start(3, 3)
    assert (model.receive(start, late) is None) == waits
    assert one(model.receive(one(model.receive(start, early)).state, late)).delivered == (late.message,)


Verdict = dict[str, int]


def judged(model: Centralised, **bounds: Any) -> tuple[int, Verdict]:
    """States, and the lengths of the shortest violations of what is claimed."""
    found = explored(model, processes=3, **bounds)
    return len(found.states), {name: length for name, length in found.violated.items() if name in model.claims}


@pytest.mark.parametrize("letter", "ac")
def test_the_coordinator_orders_all(letter: str) -> None:
    assert judged(Centralised(letter), sends=3) == (8189, {})


def test_own_copies() -> None:
    assert judged(Centralised(), sends=2, self_addressed="network") == (3507, {})
    assert judged(Centralised("c"), sends=2, self_addressed="network") == (2197, {})


@pytest.mark.parametrize(("letter", "verdict"), [("a", 3), ("b", 3), ("c", 3), ("d", None)])
def test_channels_to_and_from_the_coordinator_have_to_be_fifo(letter: str, verdict: int | None) -> None:
    found = judged(Centralised(numbered=letter), sends=2, channel="unordered")
    assert found[1] == ({} if verdict is None else {"CausalOrder": verdict})


def test_with_sequence_numbers_both_ways_it_makes_no_difference_what_the_channels_are() -> None:
    assert judged(Centralised(numbered="d"), sends=3, channel="unordered") == (8189, {})


def test_requests_alone_out_of_order_take_a_step_more_where_the_coordinator_is_no_destination() -> None:
    """2 asks twice for 3: two sends, the later request served, and its copy delivered."""
    to_3 = {"dests": "groups", "groups": (frozenset({2, 3}),), "channel": "unordered"}
    assert judged(Centralised(numbered="c"), sends=2, **to_3)[1] == {"CausalOrder": 4}
    assert judged(Centralised(numbered="d"), sends=2, **to_3)[1] == {}


@pytest.mark.parametrize("letter", "ad")
def test_what_goes_round_the_coordinator_overtakes(letter: str) -> None:
    """2 asks for 1 and 3, and then tells 3; with unicasts alone it takes a third process."""
    assert judged(Centralised("b", letter), sends=2)[1] == {"CausalOrder": 3}
    assert judged(Centralised("b", letter), sends=3, dests="unicast")[1] == {"CausalOrder": 5}
