"""What exhaustive exploration says of Gambhire and Kshemkalyani's Figure 3 and of its readings."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pytest

from naive import Global
from naively import explored
from precede.checker.history import Past, Sent
from precede.models.gk import GK
from precede.models.gk_vectors import added
from precede.models.rst import RST, RSTState

MULTICAST = (("sends", 2),)
UNICAST = (("sends", 3), ("dests", "unicast"))
BROADCAST = (("sends", 3), ("dests", "broadcast"))
UNORDERED = (("channel", "unordered"),)
DELAYED = {"NoNeedlessDelay": 3}
"""1 sends x to 2, y that depends on x, and z that does not: z waits for x all the same."""

Bounds = tuple[tuple[str, Any], ...]


class Verdict(NamedTuple):
    """Of one exploration."""

    states: int
    transitions: int
    depth: int
    violated: dict[str, int]


@cache
def verdict(model: GK, bounds: Bounds) -> Verdict:
    found = explored(model, **dict(bounds))
    return Verdict(len(found.states), found.transitions, found.depth, found.violated)


@pytest.mark.parametrize(
    ("bounds", "states", "transitions", "depth"),
    [(MULTICAST, 814, 1263, 6), (UNICAST, 3824, 6036, 6), (BROADCAST, 5430, 10605, 9)],
)
def test_figure_3_orders_what_depends(bounds: Bounds, states: int, transitions: int, depth: int) -> None:
    violated = {} if bounds == MULTICAST else DELAYED
    assert verdict(GK(), bounds) == Verdict(states, transitions, depth, violated)


@pytest.mark.parametrize(
    ("readings", "bounds", "violated"),
    [
        ({"own_message": "b"}, UNICAST, DELAYED),
        ({"own_message": "c"}, UNICAST, DELAYED),
        ({"own_message": "d", "vectors": "c"}, UNICAST, DELAYED),
        ({"tested": "b"}, UNICAST, {"NoNeedlessDelay": 2}),
        ({"tested": "c"}, UNICAST, DELAYED),
        ({"multicast": "a"}, UNICAST, DELAYED),
        pytest.param({"multicast": "a"}, BROADCAST, DELAYED | {"CausalOrder": 4}, marks=pytest.mark.sweep),
        ({"multicast": "c"}, BROADCAST, DELAYED | {"CausalOrder": 4}),
        pytest.param(
            {"multicast": "c", "decision": "b"}, BROADCAST, DELAYED | {"CausalOrder": 4}, marks=pytest.mark.sweep
        ),
        ({"decision": "b"}, BROADCAST, DELAYED),
        ({"vectors": "b"}, UNICAST, DELAYED),
        pytest.param({"vectors": "c"}, BROADCAST, DELAYED, marks=pytest.mark.sweep),
        ({"order": "b"}, UNICAST, DELAYED | {"Delivery": 5}),
        ({"order": "c"}, MULTICAST, {"Delivery": 4, "NoNeedlessDelay": 4}),
        ({"order": "d"}, UNICAST, DELAYED),
        ({"order": "d"}, BROADCAST, DELAYED | {"Delivery": 8}),
        ({"deliveries": "b"}, MULTICAST, {}),
        ({"deliveries": "c"}, UNICAST, DELAYED),
        ({"precedence": "b"}, BROADCAST, {"NoNeedlessDelay": 2}),
        ({"matrix": "a"}, BROADCAST, {"CausalOrder": 4, "NoNeedlessDelay": 4, "Delivery": 5}),
    ],
)
def test_readings(readings: dict[str, str], bounds: Bounds, violated: dict[str, int]) -> None:
    assert verdict(GK(**readings), bounds).violated == violated


def test_deciding_e1_for_each_copy_changes_nothing_unless_copies_are_sends() -> None:
    assert verdict(GK(decision="b"), BROADCAST) == verdict(GK(), BROADCAST)
    assert verdict(GK(multicast="c"), BROADCAST).states == 6293
    assert verdict(GK(multicast="c", decision="b"), BROADCAST).states == 6233


@pytest.mark.parametrize(
    ("readings", "bounds", "shortest"),
    [
        ({}, UNICAST, 4),
        ({"tested": "c"}, UNICAST, 4),
        ({"own_message": "b"}, UNICAST, None),
        ({"own_message": "c"}, UNICAST, None),
        ({"own_message": "b"}, BROADCAST, 6),
        pytest.param({"own_message": "c"}, BROADCAST, 6, marks=pytest.mark.sweep),
        ({"own_message": "b", "tested": "c"}, BROADCAST, None),
        pytest.param({"own_message": "c", "tested": "c"}, BROADCAST, None, marks=pytest.mark.sweep),
        pytest.param({"tested": "b"}, BROADCAST, None, marks=pytest.mark.sweep),
        ({"precedence": "b"}, BROADCAST, None),
    ],
)
def test_without_fifo(readings: dict[str, str], bounds: Bounds, shortest: int | None) -> None:
    """Two things need FIFO: the message that E7 leaves in CONC (GK-1a), and counts of multicasts (GK-2a)."""
    violated = verdict(GK(**readings), bounds + UNORDERED).violated
    assert (violated.get("CausalOrder"), "Delivery" in violated) == (shortest, False)


@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_internal_events_at_every_process(letter: str) -> None:
    model = GK(internal_step=letter, internal_events=1, chained=1)
    assert verdict(model, (("sends", 2), ("dests", "unicast"))) == Verdict(3272, 6666, 7, {})


def test_all_on_all_is_ordinary_causal_order() -> None:
    """GK-12a: when every event depends on the one before, no message waits longer or less long than in RST."""
    chained, always = GK(chained=1, deliveries="c"), GK(chained=1, deliveries="c", precedence="b")
    assert verdict(chained, UNICAST).violated == {}
    assert verdict(chained, UNICAST) == verdict(always, UNICAST)
    assert verdict(chained, BROADCAST) == verdict(always, BROADCAST)
    assert verdict(chained, UNICAST + UNORDERED).violated == {"CausalOrder": 4}


@pytest.mark.parametrize("bounds", [MULTICAST, UNICAST], ids=["multicast", "unicast"])
@pytest.mark.parametrize("channel", ["fifo", "unordered"])
def test_it_is_rst_when_e1_is_always_true(bounds: Bounds, channel: str) -> None:
    """GK-12b: the same states and steps, with SENT = PREV + CONC and RST's matrix as SP."""
    within = dict(bounds) | {"channel": channel}
    ours, theirs = explored(GK(precedence="b"), **within), explored(RST(), **within)
    assert {as_rst(state) for state in ours.states} == theirs.states
    steps = {(as_rst(state), as_rst(after)) for state, edges in ours.edges.items() for _, after in edges}
    assert steps == {(state, after) for state, edges in theirs.edges.items() for _, after in edges}


def as_rst(state: Global) -> Global:
    """The state without semantic dependencies, in the matrices of RST."""
    locals_ = tuple(local._replace(state=rst_state(local.state), past=plain(local.past)) for local in state.locals)
    return Global(locals_, frozenset((plain_key(key), plain_content(content)) for key, content in state.network))


def rst_state(state: Any) -> RSTState:
    return RSTState(state.i, added(state.PREV, state.CONC), state.DELIV)  # type: ignore[arg-type]


def plain_key(key: Any) -> Any:
    return plain_transit(key) if hasattr(key, "packet") else key


def plain_content(content: Any) -> Any:
    return tuple(map(plain_transit, content)) if isinstance(content, tuple) else content


def plain_transit(transit: Any) -> Any:
    return transit._replace(
        packet=transit.packet._replace(control=transit.packet.control.SP), sent=plain_sent(transit.sent)
    )


@cache
def plain_sent(sent: Sent) -> Sent:
    return Sent(sent.message, plain(sent.past))


def plain(past: Past) -> Past:
    return Past(frozenset(map(plain_sent, past.sent)), past.delivered)


def test_self_addressed_messages() -> None:
    assert [GK(own_copy=letter).self_addressed for letter in "abcd"] == [False, True, True, True]
    network = (("processes", 2), ("sends", 2), ("self_addressed", "network"))
    at_send = (("processes", 2), ("sends", 3), ("self_addressed", "at-send"))
    assert verdict(GK(own_copy="b"), network).violated == {}
    assert verdict(GK(own_copy="b", order="d"), network).violated == {"Delivery": 3, "NoNeedlessDelay": 3}
    for letter in "cd":
        assert (verdict(GK(own_copy=letter), at_send).states, verdict(GK(own_copy=letter), at_send).violated) == (
            3268,
            DELAYED,
        )
