"""The claims about the baselines: they hold for the default models, and what breaks each."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from claimed import false_claims, judged
from naive import Found
from naively import explored
from precede.checker.claims import baselines
from precede.checker.claims.registry import CLAIMS, holds
from precede.checker.history import Past, Sent
from precede.models import Message, Model, Packet
from precede.models.birman_joseph import BirmanJoseph
from precede.models.bss_changed import BSSChanged
from precede.models.bss_groups import BSSGroups
from precede.models.differential_clocks import DifferentialClocks
from precede.models.psync import Psync, PsyncState
from precede.models.psync_requests import PsyncRequests

TRIANGLE = (frozenset({1, 2}), frozenset({2, 3}), frozenset({1, 3}))
OWN = tuple(id for id, claim in CLAIMS.items() if claim.judge.__module__ == baselines.__name__)


def claims_of(name: str) -> tuple[str, ...]:
    return tuple(id for id in OWN if name in CLAIMS[id].models)


@cache
def found(model: Model, **bounds: Any) -> Found:
    return explored(model, **bounds)


def test_which_claims_there_are() -> None:
    assert set(OWN) == {
        *("C-B-4", "C-B-4-msg", "C-B-4-rebuilt"),
        *("C-B-5", "C-B-5-msg"),
        *("C-BSS-1", "C-BSS-2", "C-BSS-2-rebuilt"),
        "C-BJ-1",
        *("C-PS-1", "C-PS-2"),
    }


HOLDING: list[tuple[str, Model, dict[str, Any]]] = [
    ("differential-clocks", DifferentialClocks(), {"sends": 3}),
    ("differential-clocks", DifferentialClocks(rebuilt="b"), {"sends": 3, "channel": "unordered"}),
    ("bss-groups", BSSGroups(), {"sends": 3, "dests": "unicast"}),
    ("bss-groups", BSSGroups(), {"sends": 2}),
    ("bss-changed", BSSChanged(), {"sends": 3, "dests": "groups", "groups": TRIANGLE}),
    ("bss-changed", BSSChanged(), {"sends": 2}),
    ("bss-changed", BSSChanged(since="b"), {"sends": 2, "channel": "unordered"}),
    ("birman-joseph", BirmanJoseph(), {"sends": 3, "dests": "unicast", "losses": 1}),
    ("birman-joseph", BirmanJoseph(), {"sends": 2, "duplicates": 1}),
    ("birman-joseph", BirmanJoseph(carried="c"), {"sends": 3, "dests": "unicast", "channel": "fifo"}),
    ("psync", Psync(), {"sends": 3}),
    ("psync-requests", PsyncRequests(), {"sends": 3, "channel": "fifo"}),
    ("psync-requests", PsyncRequests(), {"sends": 2, "losses": 1}),
]


@pytest.mark.parametrize(("name", "model", "bounds"), HOLDING, ids=lambda value: str(value))
def test_the_claims_hold(name: str, model: Model, bounds: dict[str, Any]) -> None:
    results = judged(model, found(model, **bounds), *claims_of(name))
    assert {id: result.false_after for id, result in results.items() if result.false_after is not None} == {}
    assert results
    assert all(result.asked >= 24 for result in results.values())


BROKEN: list[tuple[str, Model, dict[str, Any], dict[str, int]]] = [
    (
        "differential-clocks",
        DifferentialClocks(counter="b"),
        {"sends": 2},
        {"C-B-4": 6, "C-B-4-msg": 4, "C-B-4-rebuilt": 6},
    ),
    (
        "differential-clocks",
        DifferentialClocks(),
        {"sends": 3, "processes": 2, "channel": "unordered"},
        {"C-B-4-rebuilt": 8},
    ),
    ("bss-groups", BSSGroups(others="b"), {"sends": 3, "dests": "unicast"}, {"C-BSS-1": 5}),
    ("bss-groups", BSSGroups(others="c"), {"sends": 3, "dests": "unicast"}, {"C-BSS-1": 3}),
    ("bss-changed", BSSChanged(), {"sends": 2, "channel": "unordered"}, {"C-BSS-1": 4, "C-BSS-2-rebuilt": 4}),
    ("birman-joseph", BirmanJoseph(carried="b"), {"sends": 2}, {"C-BJ-1": 3}),
    ("birman-joseph", BirmanJoseph(carried="c"), {"sends": 2}, {"C-BJ-1": 3}),
    ("psync", Psync(subsets="c"), {"sends": 3, "dests": "unicast"}, {"C-PS-1": 5}),
]


@pytest.mark.parametrize(("name", "model", "bounds", "false"), BROKEN, ids=lambda value: str(value))
def test_what_breaks_them(name: str, model: Model, bounds: dict[str, Any], false: dict[str, int]) -> None:
    assert false_claims(model, found(model, **bounds), *claims_of(name)) == false


M1, M2, M3 = (Message(p, 1, frozenset({1, 2, 3}) - {p}) for p in (1, 2, 3))
NONE = frozenset[Message]()


def test_a_view_with_more_leaves_than_participants_breaks_c_b_5() -> None:
    unrelated = frozenset((Message(1, number, frozenset({2, 3})), NONE) for number in (1, 2, 3))
    more = unrelated | {(M2, NONE)}
    assert holds("C-B-5", state=PsyncState(3, 3, unrelated))
    assert not holds("C-B-5", state=PsyncState(3, 3, more))
    names = frozenset(m for m, _ in unrelated)
    assert not holds("C-B-5-msg", packet=Packet(3, 1, M3, names))
    assert holds("C-B-5-msg", packet=Packet(3, 1, M3, frozenset({M1, M2})))


def test_c_ps_2_asks_for_every_delivery_of_a_message_that_all_follow() -> None:
    """1.1 is followed by 2.1, and that by 3.1."""
    view = frozenset({(M1, NONE), (M2, frozenset({M1})), (M3, frozenset({M2}))})
    at_2, both = {((1, 1), 2)}, {((1, 1), 2), ((1, 1), 3)}
    sent = frozenset({Sent(M1, Past())})
    assert not holds("C-PS-2", state=PsyncState(1, 3, view), past=Past(sent, frozenset(at_2)))
    assert holds("C-PS-2", state=PsyncState(1, 3, view), past=Past(sent, frozenset(both)))
    assert holds("C-PS-2", state=PsyncState(1, 3, view - {(M3, frozenset({M2}))}), past=Past(sent, frozenset(at_2)))


def test_c_ps_2_is_not_vacuous() -> None:
    views = {local.state for g in found(Psync(), sends=3).states for local in g.locals}
    graphs = [(state.G, m) for state in views for m, _ in state.G]  # type: ignore[attr-defined]
    followed = [{follower.sender for follower in baselines.followers(G, m)} | {m.sender} for G, m in graphs]
    assert {1, 2, 3} in followed


def test_a_vector_left_out_of_a_copy_breaks_c_bss_2() -> None:
    """1 has sent in {1,2}, then sends in {1,2,3}: under BSS-4b the copies carry both vectors."""
    first = Message(1, 1, frozenset({2}))
    past = Past().after_send(first)
    second = Message(1, 2, frozenset({2, 3}))
    in_all = (frozenset({1, 2, 3}), (1, 0, 0))
    both = ((frozenset({1, 2}), (1, 0, 0)), in_all)
    for letter, to, enough in (("a", 2, True), ("a", 3, False), ("b", 2, False), ("b", 3, False)):
        for control, answer in (((in_all,), enough), (both, True)):
            packet = Packet(1, to, second, control)
            assert holds("C-BSS-2", model=BSSChanged(since=letter), packet=packet, past=past) == answer
