"""SA: worked steps, and what exhaustive exploration of small bounds says of each reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from naive import Naive
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.errors import ModelError
from precede.checker.loading import load_model
from precede.models import Message, Packet, Signal, Step
from precede.models.sa import SA, SAState

M = (
    (0, 2, 1),
    (0, 0, 3),
    (0, 1, 0),
)
"""Of process 1: 2 must deliver 2 messages of 1 and one of 3; 3 must deliver one of 1 and 3 of 2."""
STATE = SAState(1, M, (0, 4, 1))


def only(steps: object) -> Step:
    if isinstance(steps, Step):
        return steps
    assert isinstance(steps, list) and len(steps) == 1
    step: Step = steps[0]
    return step


def to(*dests: int, sender: int = 1, number: int = 1) -> Message:
    return Message(sender, number, frozenset(dests))


def test_a_send_attaches_m_and_then_stands_for_its_column() -> None:
    step = only(SA(K=9).send(STATE, to(3)))
    assert step.packets == (Packet(1, 3, to(3), M),)
    assert step.state == (1, ((0, 2, 2), (0, 0, 0), (0, 1, 0)), STATE.DELIV)


@pytest.mark.parametrize(
    ("letter", "attached"),
    [("b", ((0, 2, 1), (0, 0, 0), (0, 1, 0))), ("c", ((0, 2, 2), (0, 0, 0), (0, 1, 0)))],
)
def test_what_sa_1_attaches(letter: str, attached: object) -> None:
    step = only(SA(K=9, attached=letter).send(STATE, to(3)))
    assert step.packets[0].control == attached
    assert step.state == only(SA(K=9).send(STATE, to(3))).state


def test_a_copy_waits_for_its_column_and_no_other() -> None:
    packet = Packet(3, 1, to(1, sender=3), ((0, 9, 9), (4, 0, 9), (1, 9, 0)))
    assert SA(K=9).receive(STATE, packet) is not None
    for counts in ((1, 4, 1), (0, 5, 1), (0, 4, 2)):
        asked = tuple((x, *row[1:]) for x, row in zip(counts, packet.control, strict=True))
        assert SA(K=9).receive(STATE, packet._replace(control=asked)) is None


def test_a_delivery_merges_all_but_the_own_column() -> None:
    packet = Packet(3, 1, to(1, sender=3), ((0, 1, 2), (4, 0, 1), (1, 2, 0)))
    step = only(SA(K=9).receive(STATE, packet))
    assert step == Step(SAState(1, ((0, 2, 2), (0, 0, 3), (0, 2, 0)), (0, 4, 2)), (), (packet.message,))


def test_the_other_destinations_of_a_multicast_are_asked_for_it_alone() -> None:
    """SA-9a: column 2 of the copy becomes the count of the message."""
    packet = Packet(3, 1, to(1, 2, sender=3), ((0, 5, 0), (0, 0, 0), (0, 6, 0)))
    states = [only(SA(K=9, multicast=letter).receive(STATE, packet)).state.M for letter in "abc"]
    assert states[0] == ((0, 2, 1), (0, 0, 3), (0, 7, 0))
    assert states[1] == states[2] == ((0, 5, 1), (0, 0, 3), (0, 6, 0))


def test_unicasts_one_after_the_other_count_each_other() -> None:
    step = only(SA(K=9, multicast="c").send(SA().start(1, 3), to(2, 3)))
    zero = (0, 0, 0)
    assert [packet.control for packet in step.packets] == [(zero, zero, zero), ((0, 1, 0), zero, zero)]


def test_the_fourth_entry_sends_the_fullest_column_and_counts_the_extra_message() -> None:
    """n = 3, K = 3: M has four entries, two in each column; column 2 has the lowest id."""
    packet = Packet(3, 1, to(1, sender=3), ((0, 1, 2), (4, 0, 1), (1, 2, 0)))
    step = only(SA(K=3).receive(STATE, packet))
    assert step.packets == (Signal(1, 2, (2, 0, 2)),)
    assert step.state == SAState(1, ((0, 3, 2), (0, 0, 3), (0, 0, 0)), (0, 4, 2))
    assert only(SA(K=3, victim="b").receive(STATE, packet)).packets == (Signal(1, 3, (2, 3, 0)),)
    assert only(SA(K=3, carried="b").receive(STATE, packet)).packets[0].control == ((0, 2, 2), (0, 0, 3), (0, 2, 0))
    either = SA(K=3, victim="c").receive(STATE, packet)
    assert isinstance(either, list)
    assert [step.packets[0].to for step in either] == [2, 3]


def test_the_limit_is_met_by_as_many_extra_messages_as_it_takes() -> None:
    packet = Packet(3, 1, to(1, sender=3), ((0, 0, 0),) * 3)
    steps = {kw: only(SA(K=2, repeated=kw).receive(STATE, packet)) for kw in "ab"}
    assert [extra.to for extra in steps["a"].packets] == [2]
    assert [extra.to for extra in steps["b"].packets] == [2, 3]
    assert steps["b"].state.M == ((0, 3, 2), (0, 0, 0), (0, 0, 0))


@pytest.mark.parametrize(("letter", "counts"), [("a", (2, 1)), ("b", (1, 0)), ("c", (2, 0)), ("d", (1, 1))])
def test_where_extra_messages_count(letter: str, counts: tuple[int, int]) -> None:
    model = SA(K=1, extras_counted=letter)
    state = SAState(1, ((0, 1, 0), (0, 0, 0), (0, 1, 0)), (0, 0, 0))
    sent, extra = model.replaced(1, state.M, 2)
    after = only(model.signal(SAState(2, ((0, 0, 0),) * 3, (1, 0, 1)), extra))
    assert (sent[0][1], after.state.DELIV[0] - 1) == counts


def test_an_extra_message_waits_and_delivers_nothing() -> None:
    extra = Signal(2, 1, (0, 4, 2))
    assert SA().signal(STATE, extra) is None
    step = only(SA().signal(STATE, extra._replace(control=(0, 4, 1))))
    assert step == Step(STATE._replace(DELIV=(0, 5, 1)))


def test_an_extra_message_that_carries_all_may_be_merged() -> None:
    extra = Signal(2, 1, ((0, 3, 0), (4, 0, 0), (1, 0, 0)))
    merged = only(SA(K=9, carried="b", extras_merged="b").signal(STATE, extra)).state
    assert merged == SAState(1, ((0, 3, 1), (0, 0, 3), (0, 1, 0)), (0, 5, 1))
    assert only(SA(K=9, carried="b").signal(STATE, extra)).state.M == M


def test_control_is_counted_in_entries() -> None:
    model, packet, extra = SA(), Packet(1, 2, to(2), M), Signal(1, 2, (2, 0, 1))
    assert (model.control_units(packet), model.control_bytes(packet)) == (4, 32)
    assert (model.signal_units(extra), model.signal_bytes(extra)) == (2, 12)
    whole = Signal(1, 2, M)
    assert (SA(carried="b").signal_units(whole), SA(carried="b").signal_bytes(whole)) == (4, 32)


def test_k_is_n_plus_1_unless_it_is_set() -> None:
    assert [SA().threshold(1, n) for n in (3, 4)] == [4, 5]
    assert SA(K=7).threshold(1, 3) == 7
    with pytest.raises(ValueError, match="threshold of 1 or more"):
        SA(K=-1).start(1, 3)


NEEDLESS = {"NoNeedlessDelay": 6}
"""C-SA-DLY: a message waits for an extra message alone."""
ORDERED = (8_757, 17_634)
"""Distinct states and transitions where every delivery is made exactly when causal order allows it."""


@pytest.mark.parametrize(
    ("readings", "counts", "violated"),
    [
        pytest.param({"K": 0}, ORDERED, {}, marks=pytest.mark.sweep),
        ({"K": 9}, ORDERED, {}),
        pytest.param({"K": 3}, (8_847, 17_797), {}, marks=pytest.mark.sweep),
        ({"K": 2}, (10_758, 21_903), NEEDLESS),
        pytest.param({"K": 1}, (11_049, 22_413), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 9, "attached": "b"}, (9_810, 20_244), {"CausalOrder": 4}, marks=pytest.mark.sweep),
        ({"K": 9, "attached": "c"}, (334, 576), {"Delivery": 1, "NoNeedlessDelay": 1}),
        pytest.param({"K": 3, "exceeded": "b"}, (10_758, 21_903), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "repeated": "a"}, (10_758, 21_903), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "checked": "b"}, (10_740, 21_873), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "checked": "c"}, (8_799, 17_700), {}, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "checked": "d"}, (8_835, 17_754), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "extras_counted": "b"}, (10_932, 22_341), {"CausalOrder": 6}, marks=pytest.mark.sweep),
        ({"K": 2, "extras_counted": "c"}, (10_620, 21_693), NEEDLESS | {"Delivery": 8}),
        pytest.param({"K": 2, "extras_counted": "d"}, (10_950, 22_383), {"CausalOrder": 6}, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "extras_merged": "b"}, (10_758, 21_903), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "carried": "b"}, (11_580, 24_285), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 3, "carried": "b", "extras_merged": "b"}, (8_875, 17_835), {}, marks=pytest.mark.sweep),
        ({"K": 9, "multicast": "b"}, (9_738, 20_076), {"CausalOrder": 4}),
        pytest.param({"K": 9, "multicast": "c"}, (9_235, 18_819), {"CausalOrder": 4}, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "victim": "b"}, (10_758, 21_903), NEEDLESS, marks=pytest.mark.sweep),
        pytest.param({"K": 3, "victim": "c"}, (9_270, 18_864), {}, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_three_processes_three_multicasts(
    readings: dict[str, Any], counts: tuple[int, int], violated: dict[str, int]
) -> None:
    found = explored(SA(**readings), processes=3, sends=3)
    assert (len(found.states), found.transitions) == counts
    assert found.violated == violated


@pytest.mark.parametrize(
    ("readings", "states", "violated"),
    [
        pytest.param({"K": 3}, 10_085, {}, marks=pytest.mark.sweep),
        pytest.param({"K": 2}, 10_154, {}, marks=pytest.mark.sweep),
        ({"K": 1}, 10_364, {"NoNeedlessDelay": 7}),
        pytest.param(
            {"K": 1, "attached": "b"}, 10_562, {"CausalOrder": 5, "NoNeedlessDelay": 7}, marks=pytest.mark.sweep
        ),
        pytest.param({"K": 1, "extras_counted": "b"}, 10_382, {"CausalOrder": 7}, marks=pytest.mark.sweep),
        pytest.param(
            {"K": 1, "extras_counted": "c"}, 10_346, {"NoNeedlessDelay": 7, "Delivery": 8}, marks=pytest.mark.sweep
        ),
        pytest.param({"K": 1, "extras_counted": "d"}, 10_382, {"CausalOrder": 7}, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_three_processes_four_unicasts(readings: dict[str, Any], states: int, violated: dict[str, int]) -> None:
    """The load of the source."""
    found = explored(SA(**readings), processes=3, sends=4, dests="unicast")
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize("channel", ["fifo", "fifo-delivery"])
@pytest.mark.parametrize(
    ("readings", "violated"),
    [
        ({"K": 1}, {"NoNeedlessDelay": 6}),
        ({"K": 1, "attached": "b"}, {"CausalOrder": 4, "NoNeedlessDelay": 6}),
        ({"K": 1, "extras_counted": "c"}, {"NoNeedlessDelay": 6, "Delivery": 9}),
        ({"K": 9, "multicast": "b"}, {"CausalOrder": 4}),
    ],
    ids=str,
)
def test_channels_in_order_repair_nothing(channel: str, readings: dict[str, Any], violated: dict[str, int]) -> None:
    """SA-17, three broadcasts."""
    found = explored(SA(**readings), processes=3, sends=3, dests="broadcast", channel=channel)
    assert found.violated == violated


@pytest.mark.parametrize(
    ("letter", "self_addressed", "violated"),
    [
        ("b", "network", {"CausalOrder": 5}),
        ("c", "network", {"CausalOrder": 3}),
        ("b", "at-send", {}),
        ("c", "at-send", {}),
    ],
)
def test_own_copies_are_ordered_only_if_they_are_delivered_at_the_send(
    letter: str, self_addressed: str, violated: dict[str, int]
) -> None:
    """SA-8: the own column is what would order the messages of a process to itself."""
    model = SA(K=9, own_column=letter)
    assert explored(model, processes=2, sends=3, self_addressed=self_addressed).violated == violated


def test_self_addressed_messages_are_forbidden_by_default() -> None:
    assert [SA(own_column=letter).self_addressed for letter in "abc"] == [False, True, True]


def test_a_wrong_threshold_is_an_error_of_the_model() -> None:
    with pytest.raises(ModelError, match="threshold of 1 or more"):
        explored(SA(K=-1))


def test_every_step_runs_and_both_waits_are_entered() -> None:
    loaded = load_model("sa")
    calls = ModelCalls(replace(loaded, model=replace(loaded.model, K=2)), Bounds(processes=3, sends=3))
    Naive(calls).explore()
    labels = {count.label: count for count in calls.labels() or ()}
    assert {label.split()[0] for label in labels} == {"u1", "u2", "d1", "d2", "x1", "x2", "x3"}
    assert [label for label, count in labels.items() if not count.fired or count.changed == 0] == []
    assert labels["d1"].waited
    assert labels["x3"].waited
