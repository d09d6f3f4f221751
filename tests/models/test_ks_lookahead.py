"""KS with arrivals: the lookahead of Section 4.5 (KS-3) and the forms of the wait (KS-13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from followed import followed, receive, send
from naively import explored
from precede.models import Message, Packet, Step
from precede.models.ks import Entries, KSState
from precede.models.ks_arrival import ArrivalState, Copy
from precede.models.ks_lookahead import KSLookahead

LOG: Entries = {(4, 1): frozenset({3, 5}), (4, 2): frozenset({5})}
O_M: Entries = {(4, 1): frozenset({3}), (4, 3): frozenset({1}), (5, 1): frozenset({1, 2})}
COPY = Packet(2, 1, Message(2, 1, frozenset({1, 3})), frozenset(O_M.items()))
WAITING = ArrivalState(KSState(1, 0, (0,) * 5, frozenset(LOG.items())))
"""Process 1 has not delivered 4.3 and 5.1, which O_M names."""


def alternatives(steps: Step | Iterable[Step] | None) -> list[Step]:
    return [] if steps is None else [steps] if isinstance(steps, Step) else list(steps)


def arrived(ahead: str, wait: str = "a", state: ArrivalState = WAITING) -> Any:
    (step,) = alternatives(KSLookahead(ahead=ahead, wait=wait).receive(state, COPY))
    assert step.delivered == ()
    return step.state


def sets(entries: Iterable[Any]) -> dict[tuple[int, int], set[int]]:
    return {st: set(D) for st, D in entries}


@pytest.mark.parametrize(
    ("ahead", "log"),
    [
        ("a", {(4, 1): {3}, (4, 3): {1}, (5, 1): {1, 2}}),
        ("b", {(4, 1): {3}}),
        ("c", {(4, 1): {3}, (4, 3): set(), (5, 1): {2}, (2, 1): {3}}),
        ("d", {(4, 1): {3}, (4, 3): {1}, (5, 1): {1, 2}, (2, 1): {1, 3}}),
        ("e", {(4, 1): {3, 5}, (4, 2): {5}}),
    ],
)
def test_what_the_lookahead_makes_of_log(ahead: str, log: dict[tuple[int, int], set[int]]) -> None:
    """4.2 is not in O_M, which has 4.3: it is deleted, with every letter but e."""
    state = arrived(ahead)
    assert sets(state.ks.LOG) == log
    assert state.ks.SR == WAITING.ks.SR
    assert state.buffer == {Copy(COPY, COPY.control)}


def test_a_copy_that_need_not_wait_is_delivered_on_arrival() -> None:
    ready = ArrivalState(WAITING.ks._replace(SR=(0, 0, 0, 3, 1)))
    (step,) = alternatives(KSLookahead(ahead="a").receive(ready, COPY))
    assert (step.delivered, step.state.buffer) == ((COPY.message,), frozenset())  # type: ignore[attr-defined]
    assert sets(step.state.ks.LOG) == {(4, 1): {3}, (4, 3): set(), (5, 1): {2}, (2, 1): {3}}  # type: ignore[attr-defined]


def test_the_wait_ends_with_rcv_2_to_5_on_the_received_o_m() -> None:
    model = KSLookahead(ahead="b")
    waiting = arrived("b")
    assert alternatives(model.internal(waiting)) == []
    ready = waiting._replace(ks=waiting.ks._replace(SR=(0, 0, 0, 3, 1)))
    (step,) = alternatives(model.internal(ready))
    assert (step.name, step.delivered, step.state.buffer) == ("deliver 2.1", (COPY.message,), frozenset())  # type: ignore[attr-defined]
    assert sets(step.state.ks.LOG) == {(4, 1): {3}, (4, 3): set(), (5, 1): {2}, (2, 1): {3}}  # type: ignore[attr-defined]


def test_the_test_of_a_changed_o_m_may_not_find_what_it_has_to_wait_for() -> None:
    """KS-13c: with KS-3c the removal of j has taken the wait away; with KS-3d the message waits for itself."""
    tested = {ahead: {st for st, D in copy.tested if 1 in D} for ahead in "abcd" for copy in arrived(ahead, "c").buffer}
    assert tested == {"a": {(4, 3), (5, 1)}, "b": {(4, 3), (5, 1)}, "c": set(), "d": {(4, 3), (5, 1), (2, 1)}}


def test_waits_one_after_another_do_not_test_again_what_is_passed() -> None:
    """KS-13b: 4.3 is passed; when SR goes back, which it never does in a run, only 5.1 is tested."""
    passed = arrived("e", "b", ArrivalState(WAITING.ks._replace(SR=(0, 0, 0, 3, 0))))
    assert [sets(copy.tested) for copy in passed.buffer] == [{(5, 1): {1, 2}}]
    back = passed._replace(ks=passed.ks._replace(SR=(0, 0, 0, 0, 1)))
    assert len(alternatives(KSLookahead(wait="b").internal(back))) == 1
    assert len(alternatives(KSLookahead().internal(back._replace(buffer=arrived("e").buffer)))) == 0


STORED = {"Minimality": 3, "RedundantInState": 3, "RedundantInPacket": 4, "MissingInState": 4, "MissingInPacket": 5}
STORED_FIFO = {name: steps + 1 for name, steps in STORED.items()}


@pytest.mark.parametrize(
    ("readings", "channel", "states", "violated"),
    [
        pytest.param({}, "unordered", 16398, {}, marks=pytest.mark.sweep),
        ({}, "fifo", 10521, {}),
        ({"ahead": "a"}, "unordered", 18096, STORED | {"NoNeedlessDelay": 5, "CausalOrder": 6}),
        pytest.param({"ahead": "a"}, "fifo", 10947, STORED_FIFO, marks=pytest.mark.sweep),
        pytest.param(
            {"ahead": "b"}, "unordered", 18570, {"Minimality": 5, "MissingInState": 5}, marks=pytest.mark.sweep
        ),
        ({"ahead": "b"}, "fifo", 10875, {"Minimality": 6, "MissingInState": 6}),
        pytest.param({"ahead": "c"}, "unordered", 19182, STORED | {"NoNeedlessDelay": 5}, marks=pytest.mark.sweep),
        pytest.param({"ahead": "d"}, "unordered", 18870, STORED | {"NoNeedlessDelay": 5}, marks=pytest.mark.sweep),
        pytest.param({"ahead": "d"}, "fifo", 11115, STORED_FIFO | {"NoNeedlessDelay": 6}, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_three_processes_three_multicasts(
    readings: dict[str, str], channel: str, states: int, violated: dict[str, int]
) -> None:
    found = explored(KSLookahead(**readings), channel=channel)
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize(
    ("ahead", "states", "order", "stuck"),
    [("a", 790, 6, 7), ("b", 612, None, None), ("c", 1892, 4, None), ("d", 676, 6, 4), ("e", 480, None, None)],
)
def test_the_changed_o_m_breaks_the_wait(ahead: str, states: int, order: int | None, stuck: int | None) -> None:
    """KS-13c, 2 processes and 4 messages."""
    found = explored(KSLookahead(ahead=ahead, wait="c"), processes=2, sends=4)
    assert len(found.states) == states
    assert (found.violated.get("CausalOrder"), found.violated.get("Delivery")) == (order, stuck)


def test_one_test_or_one_after_another_is_the_same() -> None:
    """KS-13b, 2 processes and 4 messages: SR never goes back."""
    found = explored(KSLookahead(wait="b"), processes=2, sends=4)
    assert (len(found.states), found.transitions, found.violated) == (480, 898, {})


def test_two_processes_find_the_removal_of_j_out() -> None:
    """KS-3c, 4 messages: 2 tells 1 that 1.1 and 1.2 are done with, while they wait at 2."""
    found = explored(KSLookahead(ahead="c"), processes=2, sends=4)
    assert (len(found.states), found.violated["CausalOrder"]) == (706, 7)
    others = [explored(KSLookahead(ahead=ahead), processes=2, sends=4).violated for ahead in "abde"]
    assert [violated.get("CausalOrder") for violated in others] == [None] * 4


UNORDERED = [
    send(1, 2),
    send(2, 1, 3),
    receive(1, 2, 1),
    send(1, 2, 3),
    receive(2, 1, 2),
    send(2, 3),
    receive(3, 2, 2),
]
"""1.2 to 3 covers 2.1 to 3. It arrives at 2 and waits for 1.1; the lookahead strikes 2.1 to 3 from LOG, and 2.2 to 3
carries neither 2.1 nor 1.2."""

COVERED = [
    send(1, 2, 3),
    send(2, 1, 3),
    receive(2, 1, 1),
    send(2, 1, 3),
    receive(3, 2, 1),
    receive(3, 2, 2),
    send(3, 1),
    receive(1, 3, 1),
]
"""The same with FIFO channels: 2.2 to 1 covers 2.1 to 1, and waits at 3 for 1.1 on another channel."""

NOT_DELIVERED = [
    send(1, 2, 3),
    receive(3, 1, 1),
    send(3, 2),
    receive(2, 3, 1),
    send(2, 3),
    receive(3, 2, 1),
    send(3, 2),
    receive(2, 3, 2),
]
"""3.1 waits at 2 for 1.1. The lookahead has removed 2, so 2.1 tells 3 that 3.1 is delivered, and 3.2 does not wait."""


@pytest.mark.parametrize(
    ("ahead", "channel", "script"),
    [
        ("b", "unordered", UNORDERED),
        ("a", "fifo", COVERED),
        ("b", "fifo", COVERED),
        ("c", "fifo", NOT_DELIVERED),
    ],
)
def test_the_lookahead_of_the_paper_is_not_causal_even_with_fifo_channels(
    ahead: str, channel: str, script: list[tuple[Any, ...]]
) -> None:
    """KS-3a, b and c with 4 multicasts; these runs are the shortest. No run of KS-3d on FIFO channels is not causal."""
    assert followed(KSLookahead(ahead=ahead), *script, channel=channel).wrong == {"CausalOrder"}


@pytest.mark.parametrize("ahead", "de")
@pytest.mark.parametrize("script", [UNORDERED, COVERED, NOT_DELIVERED])
def test_without_it_or_with_all_that_arrived_the_last_message_waits(script: list[tuple[Any, ...]], ahead: str) -> None:
    assert followed(KSLookahead(ahead=ahead), *script, channel="unordered").wrong == set()
