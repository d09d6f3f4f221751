"""Jang: the steps of Section 4.2, and what the readings change."""

from __future__ import annotations

import pytest

from precede.models import Message, Packet, Step
from precede.models.jang import Jang, JangControl, JangState, Tuples


def tuples(*items: tuple[int, int, set[int]]) -> Tuples:
    return frozenset((k, t, frozenset(dests)) for k, t, dests in items)


def packet(ci: Tuples, dc: set[tuple[int, int]], dests: set[int], sender: int = 4, number: int = 1) -> Packet:
    return Packet(sender, 1, Message(sender, number, frozenset(dests)), JangControl(ci, frozenset(dc)))


def received(model: Jang, ci: Tuples, copy: Packet) -> list[Tuples]:
    steps = model.receive(JangState(1, 0, ci, (0,) * 5), copy)
    assert isinstance(steps, list)
    return [step.state.CI for step in steps]


def test_s2_moves_what_the_destination_must_wait_for_from_ci_to_dc() -> None:
    state = JangState(1, 3, tuples((2, 1, {3, 4}), (2, 2, {5}), (3, 1, {4})), (0,) * 5)
    step = Jang().send(state, Message(1, 4, frozenset({3, 4})))
    assert isinstance(step, Step)
    assert {p.to: p.control.DC for p in step.packets} == {3: {(2, 1)}, 4: {(2, 1), (3, 1)}}
    assert {p.control.CI for p in step.packets} == {tuples((2, 2, {5}), (3, 1, set()))}
    assert step.state == JangState(1, 4, tuples((2, 2, {5}), (3, 1, set()), (1, 4, {3, 4})), (0,) * 5)


def test_s2_strikes_the_sender_under_j_1b() -> None:
    state = JangState(1, 0, tuples((2, 1, {1, 3})), (0,) * 3)
    step = Jang(struck="b").send(state, Message(1, 1, frozenset({3})))
    assert isinstance(step, Step)
    assert step.packets[0].control == JangControl(tuples((2, 1, {3})), frozenset({(2, 1)}))


def test_r1_waits_for_dc_alone() -> None:
    state = JangState(1, 0, frozenset(), (0, 0, 1, 0, 0))
    assert Jang().receive(state, packet(frozenset(), {(3, 2)}, {1})) is None
    assert Jang().receive(state, packet(tuples((2, 7, {1})), {(3, 1)}, {1})) is not None


def test_r4_inserts_the_message_without_the_receiver() -> None:
    assert received(Jang(), frozenset(), packet(frozenset(), set(), {1, 2})) == [tuples((4, 1, {2}))]


def test_r5_deletes_what_a_later_tuple_of_the_same_sender_shows() -> None:
    ci = tuples((2, 5, {3}), (3, 9, {5}))
    copy = packet(tuples((2, 6, {5}), (3, 8, {5})), set(), {1})
    assert received(Jang(), ci, copy) == [tuples((2, 6, {5}), (3, 9, {5}), (4, 1, set()))]


def test_r5_in_place_depends_on_the_order_of_the_pairs() -> None:
    """Tuple 3 is deleted because of 7, and 7 because of 9: when 7 goes first, 3 stays."""
    ci, copy = tuples((2, 7, {5})), packet(tuples((2, 3, {3}), (2, 9, {5})), set(), {1})
    alternatives = received(Jang(deletion="a"), ci, copy)
    assert [{t for k, t, _ in found if k == 2} for found in alternatives] == [{9}, {3, 9}]
    assert received(Jang(), ci, copy) == [tuples((2, 9, {5}), (4, 1, set()))]


def test_r6_intersects_the_destinations_of_the_same_message() -> None:
    ci, copy = tuples((2, 1, {3, 5})), packet(tuples((2, 1, {4, 5})), set(), {1})
    assert received(Jang(), ci, copy) == [tuples((2, 1, {5}), (4, 1, set()))]


def test_r8_strikes_a_destination_from_the_older_tuple() -> None:
    ci = tuples((2, 1, {3, 5}), (2, 2, {5}))
    copy = packet(frozenset(), set(), {1})
    assert received(Jang(), ci, copy) == [tuples((2, 1, {3}), (2, 2, {5}), (4, 1, set()))]
    assert received(Jang(strike_older="b"), ci, copy) == [ci | tuples((4, 1, set()))]


@pytest.mark.parametrize(
    ("letter", "own"),
    [("b", [set()]), ("c", [set(), {1}]), ("d", [set()])],
    ids=["replaces", "keeps both", "intersects"],
)
def test_j_2_with_the_tuple_of_the_message_on_its_own_copy(letter: str, own: list[set[int]]) -> None:
    model = Jang(own_tuple=letter)
    step = model.send(model.start(4, 5), Message(4, 1, frozenset({1})))
    assert isinstance(step, Step)
    carried = step.packets[0].control.CI
    assert carried == tuples((4, 1, {1}))
    assert received(model, frozenset(), step.packets[0]) == [tuples(*((4, 1, dests) for dests in own))]


@pytest.mark.parametrize(("letter", "kept"), [("a", {2, 3}), ("b", {2}), ("c", {1, 2, 3}), ("d", {1, 2, 3})])
def test_s3_deletes_empty_tuples(letter: str, kept: set[int]) -> None:
    ci = tuples((2, 1, set()), (2, 2, {3}), (2, 3, set()))
    assert {t for _, t, _ in Jang(empty_tuples=letter).pruned(ci, before=ci)} == kept


def test_j_7d_deletes_tuples_that_became_empty() -> None:
    before, ci = tuples((2, 1, {3}), (2, 2, {3})), tuples((2, 1, set()), (2, 2, set()))
    assert Jang(empty_tuples="d").pruned(ci, before) == tuples((2, 2, set()))


def test_facts_of_a_copy_are_its_ci_and_its_own_dc() -> None:
    copy = packet(tuples((2, 1, {3}), (4, 1, {1, 2})), {(3, 2)}, {1, 2})
    assert Jang().packet_facts(copy) == {((2, 1), 3), ((3, 2), 1)}
    assert Jang().control_units(copy) == 2
    assert Jang().control_bytes(copy) == (4 + 2) + (4 + 4) + 6
