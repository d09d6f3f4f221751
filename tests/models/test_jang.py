"""Jang: the steps of Section 4.2, and what the readings change."""

from __future__ import annotations

import pytest

from naively import explored
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


def test_j_1c_takes_the_destinations_in_every_order() -> None:
    """1 sends to itself and to 2, and knows of 2.1 to both. When 2 comes first, 1 is struck before it is looked for."""
    state = JangState(1, 0, tuples((2, 1, {1, 2})), (0, 0))
    message = Message(1, 1, frozenset({1, 2}))
    steps = Jang(struck="c").send(state, message)
    assert isinstance(steps, list)
    found = [{p.to for p in step.packets if p.control.DC} for step in steps]
    assert sorted(found, key=len) == [{2}, {1, 2}]
    assert Jang(struck="b").send(state, message) in steps


@pytest.mark.parametrize(("letter", "dlv"), [("a", 2), ("b", 5), ("c", frozenset({5, 2}))])
def test_j_5_what_dlv_keeps_when_an_older_message_is_delivered_again(letter: str, dlv: object) -> None:
    model = Jang(last=letter)
    state = JangState(1, 0, frozenset(), (0, 0, 0, frozenset({5}) if letter == "c" else 5))
    (step,) = model.receive(state, packet(frozenset(), set(), {1}, number=2))  # type: ignore[union-attr, misc]
    assert step.state.DLV[3] == dlv


def test_j_5c_waits_for_the_message_itself() -> None:
    state = Jang(last="c").start(1, 4)._replace(DLV=(frozenset(), frozenset(), frozenset({2}), frozenset()))
    assert Jang(last="c").receive(state, packet(frozenset(), {(3, 1)}, {1})) is None
    assert Jang(last="c").receive(state, packet(frozenset(), {(3, 2)}, {1})) is not None


def test_j_6b_passes_over_the_tuples_of_the_destination() -> None:
    state = JangState(1, 0, tuples((2, 1, {2, 3}), (3, 1, {2})), (0,) * 3)
    step = Jang(own_messages="b").send(state, Message(1, 1, frozenset({2})))
    assert isinstance(step, Step)
    assert step.packets[0].control == JangControl(tuples((2, 1, {2, 3}), (3, 1, set())), frozenset({(3, 1)}))


@pytest.mark.parametrize(("letter", "at_3", "at_4"), [("a", True, False), ("b", False, False), ("c", True, False)])
def test_j_8_what_r1_tests(letter: str, at_3: bool, at_4: bool) -> None:
    """1 knows of 2.1 to 3, delivered there, and of 2.2 to 4, which is not; its message goes to both."""
    model = Jang(constraints=letter)
    state = JangState(1, 0, tuples((2, 1, {3}), (2, 2, {4})), (0,) * 4)
    step = model.send(state, Message(1, 1, frozenset({3, 4})))
    assert isinstance(step, Step)
    to_3, to_4 = step.packets
    delivered_at_3, delivered_at_4 = JangState(3, 0, frozenset(), (0, 1, 0, 0)), JangState(4, 0, frozenset(), (0,) * 4)
    assert (model.receive(delivered_at_3, to_3) is not None) == at_3
    assert (model.receive(delivered_at_4, to_4) is not None) == at_4
    others = letter != "a"
    assert model.packet_facts(to_3) == {((2, 1), 3)} | ({((2, 2), 4)} if others else set())
    assert model.control_bytes(to_3) == (4 + 6 * 2 if others else 4 + 6)


@pytest.mark.parametrize(
    ("letter", "of_2"),
    [
        ("a", [(2, 5, {3}), (2, 6, {4}), (2, 7, set())]),
        ("b", [(2, 5, {3, 5}), (2, 5, {3}), (2, 6, {4}), (2, 7, set())]),
        ("c", [(2, 4, {4}), (2, 5, {3}), (2, 6, {4}), (2, 7, set())]),
        ("d", [(2, 4, {4}), (2, 5, {3, 5}), (2, 5, {3}), (2, 6, {4}), (2, 7, set())]),
    ],
)
def test_j_9_leaves_out_r5_or_r6(letter: str, of_2: list[tuple[int, int, set[int]]]) -> None:
    ci = tuples((2, 4, {4}), (2, 5, {3, 5}), (2, 6, {4}))
    copy = packet(tuples((2, 5, {3}), (2, 6, {4}), (2, 7, set())), set(), {1})
    assert received(Jang(comparison=letter, strike_older="b"), ci, copy) == [tuples(*of_2, (4, 1, set()))]


@pytest.mark.parametrize(("letter", "own"), [("a", [set()]), ("b", []), ("c", [{1}])])
def test_j_10_what_r4_inserts(letter: str, own: list[set[int]]) -> None:
    copy = packet(frozenset(), set(), {1})
    assert received(Jang(inserted=letter), frozenset(), copy) == [tuples(*((4, 1, dests) for dests in own))]


MORE_THAN_REQUIRED = {"Minimality": 4, "RedundantInState": 4}


@pytest.mark.parametrize("channel", ["unordered", "fifo"])
@pytest.mark.parametrize(
    ("model", "states", "violated"),
    [
        (Jang(struck="c"), 484, {"Minimality": 2, "RedundantInState": 2, "RedundantInPacket": 2}),
        (Jang(last="b"), 484, {}),
        (Jang(last="c"), 484, {}),
        (Jang(own_messages="b"), 484, {}),
        (
            Jang(constraints="b"),
            448,
            {"Minimality": 2, "RedundantInPacket": 2, "NoNeedlessDelay": 2, "Delivery": 4},
        ),
        (Jang(constraints="c"), 484, {"Minimality": 2, "RedundantInPacket": 2}),
        (Jang(comparison="b"), 484, MORE_THAN_REQUIRED),
        (Jang(comparison="c"), 484, {}),
        (Jang(comparison="d"), 484, MORE_THAN_REQUIRED),
        (Jang(inserted="b"), 484, MORE_THAN_REQUIRED),
        (Jang(inserted="c"), 484, {"Minimality": 2, "RedundantInState": 2, "RedundantInPacket": 3}),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else None,
)
def test_two_multicasts_of_three_processes(model: Jang, states: int, violated: dict[str, int], channel: str) -> None:
    """FIFO channels change nothing: the algorithm orders each channel itself."""
    found = explored(model, processes=3, sends=2, channel=channel)
    assert (len(found.states), found.violated) == (states, violated)


def test_without_r5_redundant_information_takes_three_multicasts() -> None:
    found = explored(Jang(comparison="c"), processes=3, sends=3)
    assert (len(found.states), found.violated) == (8757, {"Minimality": 5, "RedundantInState": 5})


@pytest.mark.parametrize(
    ("model", "violated"),
    [
        (Jang(), {}),
        (Jang(constraints="b"), {}),
        (Jang(comparison="b"), MORE_THAN_REQUIRED | {"RedundantInPacket": 5}),
        (Jang(comparison="c"), {}),
    ],
)
def test_r6_is_needed_in_unicast_too(model: Jang, violated: dict[str, int]) -> None:
    """Section 4.3 says that it "applies only for multicast". Where DC has one component, J-8 has one variant."""
    found = explored(model, processes=3, sends=3, dests="unicast")
    assert (len(found.states), found.violated) == (1145, violated)


def test_the_answer_to_a_message_needs_r6() -> None:
    """2 answers 1.1, which it has delivered: its copy says so by the empty tuple of 1.1, which only R6 looks at."""
    for letter, left in (("a", set()), ("b", {((1, 1), 2)}), ("c", set()), ("d", {((1, 1), 2)})):
        model = Jang(comparison=letter)
        sent = model.send(model.start(1, 2), Message(1, 1, frozenset({2})))
        assert isinstance(sent, Step)
        (at_2,) = model.receive(model.start(2, 2), sent.packets[0])  # type: ignore[union-attr, misc]
        answer = model.send(at_2.state, Message(2, 1, frozenset({1})))
        assert isinstance(answer, Step)
        (at_1,) = model.receive(sent.state, answer.packets[0])  # type: ignore[union-attr, misc]
        assert model.state_facts(at_1.state) == left


@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_a_duplicate_sets_dlv_back_unless_it_is_a_maximum_or_a_set(letter: str) -> None:
    """1.1 arrives again after 1.2: 1.3 waits for 1.2 for ever when DLV is assigned."""
    found = explored(Jang(last=letter), processes=2, sends=3, duplicates=1)
    for_ever = {"Delivery": 7, "NoNeedlessDelay": 7} if letter == "a" else {}
    assert found.violated == {"Integrity": 4} | for_ever


@pytest.mark.parametrize(
    ("model", "states", "violated"),
    [
        (Jang(), 259, {}),
        (Jang(struck="b"), 265, {"CausalOrder": 3, "Minimality": 2}),
        (Jang(struck="c"), 283, {"CausalOrder": 3, "Minimality": 2}),
        (Jang(own_messages="b"), 297, {"CausalOrder": 3, "Minimality": 2}),
    ],
)
def test_messages_to_oneself_through_the_network(model: Jang, states: int, violated: dict[str, int]) -> None:
    """The text of Section 4.1 excludes them from DC (J-6b); then the second overtakes the first."""
    found = explored(model, processes=2, sends=2, self_addressed="network")
    own = {name: steps for name, steps in found.violated.items() if name in ("CausalOrder", "Delivery", "Minimality")}
    assert (len(found.states), own) == (states, violated)


@pytest.mark.parametrize("processes", [3, 4, 5])
def test_worst_case_of_section_6_1(processes: int) -> None:
    """J-11: every process unicasts to every other, to process 1 last, which then delivers what is sent to it."""
    model = Jang()
    states = {p: model.start(p, processes) for p in range(1, processes + 1)}
    to_1 = []
    for p in states:
        for number, d in enumerate([d for d in range(processes, 0, -1) if d != p], 1):
            step = model.send(states[p], Message(p, number, frozenset({d})))
            assert isinstance(step, Step)
            states[p] = step.state
            to_1 += [copy for copy in step.packets if d == 1]
    for copy in to_1:
        (step,) = model.receive(states[1], copy)  # type: ignore[union-attr, misc]
        states[1] = step.state
    assert len(states[1].CI) == processes * (processes - 1)
    assert len(model.state_facts(states[1])) == (processes - 1) ** 2
