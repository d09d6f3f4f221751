"""KS with processes that join and leave (KS-5)."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Step, ks_dynamic
from precede.models.ks import FrozenEntries
from precede.models.ks_dynamic import INCARNATION, KSDynamic

EMPTY = frozenset[int]()
LOG: FrozenEntries = frozenset({((1, 1), frozenset({2, 3})), ((3, 2), frozenset({2})), ((2, 0), EMPTY)})


def joined(identity: str, process: int, **parameters: int) -> Any:
    """The state of a process of 1..4, with LOG and SR[3] = 2, after 4 has taken the place of 3."""
    model = KSDynamic(identity=identity, **parameters)
    state = model.start(process, 4)
    state = state._replace(ks=state.ks._replace(SR=(0, 0, 2, 0), LOG=LOG)) if process < 4 else state
    return model.changed(state, 4)


@pytest.mark.parametrize(
    ("identity", "SR", "log"),
    [
        ("a", (0, 0, 2, 0), set(LOG)),
        ("b", (0, 0, 0, 0), {((1, 1), frozenset({2})), ((2, 0), EMPTY), ((3, 0), EMPTY)}),
        ("c", (0, 0, 2, 0), {*LOG, ((4, 0), EMPTY)}),
        ("d", (0, 0, 2, 0), {*LOG, ((3, INCARNATION), EMPTY)}),
    ],
)
def test_what_the_others_do_when_a_process_joins(identity: str, SR: tuple[int, ...], log: set[Any]) -> None:
    state = joined(identity, 1)
    assert (state.ks.SR, set(state.ks.LOG), state.view) == (SR, log, 1)
    new = {"a": set(), "b": {((3, 0), EMPTY)}, "c": {((4, 0), EMPTY)}, "d": {((3, INCARNATION), EMPTY)}}[identity]
    assert set(joined(identity, 1, announced=0).ks.LOG) == log - new


def test_who_may_send_to_whom() -> None:
    model = KSDynamic()
    old, new = model.start(1, 4), joined("c", 1)
    may_send = {
        (view, d): model.send(state, Message(1, 1, frozenset({d}))) is not None
        for view, state in (("old", old), ("new", new))
        for d in (2, 3, 4)
    }
    assert [d for (view, d), may in may_send.items() if may and view == "old"] == [2, 3]
    assert [d for (view, d), may in may_send.items() if may and view == "new"] == [2, 4]
    assert model.send(model.start(4, 4), Message(4, 1, frozenset({1}))) is None
    assert model.send(joined("c", 3), Message(3, 1, frozenset({1}))) is None
    assert model.send(joined("c", 4), Message(4, 1, frozenset({1}))) is not None


@pytest.mark.parametrize(
    ("identity", "name"), [("a", (3, 1)), ("b", (3, 1)), ("c", (4, 1)), ("d", (3, INCARNATION + 1))]
)
def test_what_the_message_of_a_new_process_is_called(identity: str, name: tuple[int, int]) -> None:
    model = KSDynamic(identity=identity)
    step = model.send(joined(identity, 4), Message(4, 1, frozenset({1})))
    assert isinstance(step, Step)
    (copy,) = step.packets
    assert (copy.sender, copy.to, copy.message) == (4, 1, Message(4, 1, frozenset({1})))
    after: Any = step.state
    assert (name, frozenset({1})) in after.ks.LOG
    (received,) = list(model.receive(joined(identity, 1), copy) or ())  # type: ignore[call-overload]
    assert received.state.ks.SR[name[0] - 1] == name[1]


def test_views_change_together_or_one_by_one_the_new_process_first() -> None:
    for together, names in ((1, ["3 joins"]), (0, ["3 joins in the view of 3"])):
        model = KSDynamic(together=together)
        states = tuple(model.start(p, 3) for p in (1, 2, 3))
        (joint,) = model.joint(states)
        assert [joint.name] == names
        assert [state.view for state in joint.states] == ([1, 1, 1] if together else [0, 0, 1])  # type: ignore[attr-defined]
        later = [after.name for after in model.joint(joint.states)]
        assert later == ([] if together else [f"3 joins in the view of {p}" for p in (1, 2)])


OLD_ENTRIES = {"NoNeedlessDelay": 3, "Delivery": 4, "CausalOrder": 6}


@pytest.mark.parametrize(
    ("identity", "together", "states", "violated"),
    [
        ("a", 1, 331, OLD_ENTRIES),
        ("a", 0, 943, {"NoNeedlessDelay": 4, "Delivery": 6, "CausalOrder": 6}),
        ("b", 1, 424, {"Delivery": 4, "NoNeedlessDelay": 4, "CausalOrder": 6}),
        ("b", 0, 1271, {"CausalOrder": 6, "NoNeedlessDelay": 5, "Delivery": 6}),
        ("c", 1, 356, {}),
        ("c", 0, 1087, {}),
        ("d", 1, 406, OLD_ENTRIES),
        ("d", 0, 1232, {"NoNeedlessDelay": 4, "Delivery": 6, "CausalOrder": 6}),
    ],
)
def test_two_processes_and_one_that_joins(identity: str, together: int, states: int, violated: dict[str, int]) -> None:
    """3 multicasts: only with a new id is the algorithm what it was."""
    found = explored(KSDynamic(identity=identity, together=together))
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize("jump", [4, 5, 1000])
def test_how_far_the_clock_of_a_reused_id_jumps_does_not_matter(monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    """X-10c, the old id and a clock that goes on: KS compares timestamps of one id and does nothing else with them, so
    KS-5d, which starts above all earlier ones, is that; 3 multicasts use timestamps up to 3. (A clock that starts at 3
    has the timestamp of the last of them, and one state less.)"""
    monkeypatch.setattr(ks_dynamic, "INCARNATION", jump)
    found = explored(KSDynamic(identity="d"))
    assert (len(found.states), found.transitions, found.violated) == (406, 567, OLD_ENTRIES)


def test_a_clock_that_starts_below_the_earlier_timestamps_is_not_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """KS-5a, but for the announced entry."""
    monkeypatch.setattr(ks_dynamic, "INCARNATION", 0)
    assert len(explored(KSDynamic(identity="d")).states) != 406


@pytest.mark.parametrize(
    ("parameters", "null_entries", "states"),
    [({}, "a", 5715), ({"announced": 0}, "a", 4932), ({"announced": 0}, "d", 4932)],
    ids=str,
)
def test_with_a_new_id_the_empty_entries_do_not_matter(
    parameters: dict[str, int], null_entries: str, states: int
) -> None:
    """3 processes and one that joins, 3 unicasts."""
    found = explored(KSDynamic(null_entries=null_entries, **parameters), processes=4, dests="unicast")
    assert (len(found.states), found.transitions, found.violated) == (states, {5715: 10921, 4932: 9297}[states], {})
