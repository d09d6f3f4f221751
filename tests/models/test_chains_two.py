"""Lemma 8: 2n identifiers order chains of one and of two messages, and no longer ones."""

from __future__ import annotations

from typing import Any

import pytest

from naive import Found
from naively import explored
from precede.checker.claims.chains import in_order
from precede.checker.claims.registry import holds
from precede.checker.history import Past
from precede.models import Message, Packet, Step
from precede.models.chains_two import ChainsTwo, ChainsTwoState, Identifiers

STATE = ChainsTwoState(1, (0, 2, 1), ((0, 3, 4), (2, 0, 1), (1, 0, 0)))
"""Process 1 of 3."""


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def groups(*members: set[int]) -> tuple[frozenset[int], ...]:
    return tuple(map(frozenset, members))


def respected(found: Found, length: int) -> bool:
    """Whether deliveries respect chains of at most `length` messages in all states."""
    known = {(p, local.past) for state in found.states for p, local in enumerate(state.locals, 1)}
    return all(in_order(p, past, length) for p, past in known)


@pytest.mark.parametrize(
    ("readings", "sent", "to_2", "to_3"),
    [
        ("aba", (0, 5, 5), (3, 0, 0), (4, 1, 0)),
        ("aaa", (0, 3, 4), (3, 0, 0), (4, 1, 0)),
        ("abb", (0, 5, 5), (0, 0, 0), (0, 1, 0)),
    ],
)
def test_what_a_copy_carries(readings: str, sent: object, to_2: object, to_3: object) -> None:
    step = one(ChainsTwo(*readings).send(STATE, Message(1, 5, frozenset({2, 3}))))
    assert [packet.control for packet in step.packets] == [(sent, to_2), (sent, to_3)]
    assert step.state.latest == ((0, 5, 5), (2, 0, 1), (1, 0, 0))
    assert ChainsTwo().control_units(Packet(1, 2, Message(1, 5, frozenset({2})), Identifiers((0,) * 3, (0,) * 3))) == 6


def test_a_copy_waits_for_the_second_list_and_leaves_its_identifiers() -> None:
    message = Message(2, 3, frozenset({1}))
    packet = Packet(2, 1, message, Identifiers((3, 0, 2), (0, 2, 2)))
    assert ChainsTwo().receive(STATE, packet) is None
    state = STATE._replace(SR=(0, 2, 2))
    step = one(ChainsTwo().receive(state, packet))
    assert step == Step(ChainsTwoState(1, (0, 3, 2), ((0, 3, 4), (3, 0, 2), (1, 0, 0))), (), (message,))
    both = one(ChainsTwo(recorded="b").receive(state, packet))
    assert both.state.latest == ((0, 3, 4), (3, 0, 2), (2, 0, 0))


@pytest.mark.parametrize(
    ("readings", "bounds", "states", "violated", "respects"),
    [
        ("aba", {"sends": 3}, 8757, {}, 2),
        ("bba", {"sends": 2}, 484, {}, 2),
        ("aaa", {"sends": 2}, 502, {"CausalOrder": 4}, 1),
        ("aaa", {"sends": 3, "dests": "unicast"}, 1145, {}, 2),
        ("abb", {"sends": 3, "dests": "unicast"}, 1499, {"CausalOrder": 3}, 0),
        ("bbb", {"sends": 3, "dests": "unicast"}, 1331, {"CausalOrder": 3}, 0),
        ("abb", {"sends": 2, "channel": "fifo"}, 484, {}, 2),
    ],
)
def test_three_processes(
    readings: str, bounds: dict[str, Any], states: int, violated: dict[str, int], respects: int
) -> None:
    found = explored(ChainsTwo(*readings), **bounds)
    assert (len(found.states), found.violated) == (states, violated)
    assert [length for length in (1, 2) if respected(found, length)] == [1, 2][:respects]


@pytest.mark.parametrize(
    ("bounds", "states", "shortest"),
    [
        ({"sends": 3, "groups": groups({1, 2, 4}, {2, 3}, {3, 4})}, 4417, 6),
        ({"sends": 3, "sends_per_process": 1, "groups": groups({1, 2, 4}, {2, 3}, {3, 4})}, 1700, 6),
    ],
    ids=["any", "once each"],
)
def test_chains_of_three_need_a_fourth_process_and_are_not_ordered(
    bounds: dict[str, Any], states: int, shortest: int
) -> None:
    """As in the proof of Theorem 8: m to {x, d}, x to y, y to d; three sends and a receipt of each on the chain."""
    found = explored(ChainsTwo(), processes=4, dests="groups", **bounds)
    assert (len(found.states), found.violated) == (states, {"CausalOrder": shortest})
    assert [length for length in (1, 2, 3, 4) if respected(found, length)] == [1, 2]


def test_chains_of_three_unicasts() -> None:
    """Message 1 of process 1 to 4, then 1 to 2, 2 to 3, 3 to 4."""
    ring = groups({1, 4}, {1, 2}, {2, 3}, {3, 4})
    found = explored(ChainsTwo(), processes=4, sends=4, sends_per_process=2, dests="groups", groups=ring)
    assert (len(found.states), found.violated) == (15_361, {"CausalOrder": 7})
    assert [length for length in (1, 2, 3) if respected(found, length)] == [1, 2]


def test_the_claim_is_about_chains_of_two() -> None:
    """Process 1 sends to 2 and 3; process 2 delivers that and sends to 3, which delivers the later message only."""
    first, later = Message(1, 1, frozenset({2, 3})), Message(2, 1, frozenset({3}))
    at_1 = Past().after_send(first)
    (sent,) = at_1.sent
    at_2 = Past().after_delivery(sent, 2).after_send(later)
    (sent_later,) = (s for s in at_2.sent if s.message == later)
    at_3 = Past().after_delivery(sent_later, 3)
    assert not holds("C-KS-L8", process=3, past=at_3)
    assert in_order(3, at_3, 1)
    assert holds("C-KS-L8", process=3, past=at_3.after_delivery(sent, 3))


def test_an_own_copy_through_the_network_leaves_the_own_row_alone() -> None:
    bounds = {"processes": 3, "sends": 3, "dests": "unicast", "self_addressed": "network"}
    assert explored(ChainsTwo(), **bounds).violated == {}
