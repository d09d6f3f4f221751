"""Kshemkalyani and Singhal: sufficient condition 1 (KS-11), SND(3) (KS-12), entries (KS-17b), between steps (KS-21)."""

from __future__ import annotations

from functools import cache

import pytest

from claimed import claims_in, false_claims, judged
from naive import Found
from naively import explored
from precede.checker.claims import ks_conditions, ks_entries, ks_steps
from precede.checker.claims.ks_conditions import necessary, sufficient, sufficient_as_printed
from precede.checker.claims.registry import holds
from precede.checker.history import Past, Sent
from precede.models import Message
from precede.models.ks import KS, FrozenEntries, Id, KSState

IDS = claims_in(ks_conditions, ks_entries, ks_steps)
PRINTED = {"SUF-printed": 2, "SUF-msg-printed": 3, "SUF-order-printed": 2, "SUF-complement-printed": 1}
"""KS-11a: 1 sends to 2. The fact is neither required nor forbidden; delivered, it is both."""
NEWER = {"SND3-newer": 2, "SND3-newer-T3": 2}
"""KS-12a: 1 sends to 2 twice."""
HEADERS = {"T7-headers": 2, "T7-headers-msg": 2}
"""KS-17b, without the newest entry of each sender: the delivery of 1.1 at 2 leaves an empty one."""
BETWEEN = {"L7-between": 1, "L7-RCV3": 2, "L7-RCV4": 3}
"""KS-21: between SND(4) and SND(5) and between RCV(3) and RCV(5) there are empty entries that are not the newest."""


@cache
def found(model: KS, **bounds: object) -> Found:
    return explored(model, **bounds)


def false(model: KS, **bounds: object) -> dict[str, int]:
    results = false_claims(model, found(model, **bounds), *IDS)
    return {id.removeprefix("C-KS-"): steps for id, steps in results.items()}


def test_three_multicasts() -> None:
    results = judged(KS(), found(KS()), *IDS)
    wrong = {id.removeprefix("C-KS-"): r.false_after for id, r in results.items() if r.false_after is not None}
    assert wrong == PRINTED | NEWER | HEADERS | BETWEEN
    assert all(result.asked > 200 for result in results.values() if result.false_after is None)


@pytest.mark.parametrize(
    ("readings", "others"),
    [
        ({"guard": "a"}, {"T7-entries": 5, "L1-between": 5, "L4-between": 5}),
        (
            {"null_entries": "b"},
            {"T7-entries": 2, "T7-entries-msg": 2, "T7-headers": 4, "T7-headers-msg": 5, "L2-between": 1}
            | {"L4-between": 4, "L7-RCV3": 4, "L7-RCV4": 4},
        ),
        ({"null_entries": "c"}, {"T7-entries": 1, "T7-entries-msg": 2}),
        ({"null_entries": "d"}, {"L7-between": 2, "L7-RCV3": 3}),
        ({"copies": "c"}, {"SUF-msg": 2, "T7-entries-msg": 3}),
    ],
    ids=str,
)
def test_what_breaks_the_others(readings: dict[str, str], others: dict[str, int]) -> None:
    """KS-2a, KS-10b, c and d, KS-6c, with 3 multicasts."""
    assert false(KS(**readings)) == PRINTED | NEWER | HEADERS | BETWEEN | others


class NewerLoses(KS):
    """KS-12a as an algorithm: of two entries of the sender that name d the newer loses d."""

    def sent(self, state, message):  # type: ignore[no-untyped-def]
        after, packets = super().sent(state, message)
        j, Dests = message.sender, message.dests
        named: dict[Id, frozenset[int]] = {st: D & Dests for st, D in state.LOG if st[0] == j and D & Dests}
        LOG = {**dict(after.LOG), **{st: dict(after.LOG).get(st, frozenset()) | D for st, D in named.items()}}
        LOG[message[:2]] = Dests - frozenset().union(*named.values())
        return after._replace(LOG=frozenset(LOG.items())), packets


def test_an_algorithm_in_which_the_newer_loses_d_does_not_keep_the_order() -> None:
    assert explored(NewerLoses()).violated["CausalOrder"] == 5


def test_conditions_by_hand() -> None:
    """1 sends 1.1 to 2 and 3, then 1.2 to 3: the fact about 1.1 and 3 is covered, and about 2 it is required."""
    first, second = Message(1, 1, frozenset({2, 3})), Message(1, 2, frozenset({3}))
    past = Past().after_send(first).after_send(second)
    assert necessary(past) == {((1, 1), 3)}
    assert sufficient(past) == {((1, 1), 2), ((1, 2), 3)} == past.required()
    assert sufficient_as_printed(past) == frozenset()
    at_2 = Past().after_delivery(Sent(first, Past()), 2)
    assert sufficient_as_printed(at_2) == {((1, 1), 2)} == necessary(at_2)


EMPTY = frozenset[int]()


def state(*LOG: tuple[Id, frozenset[int]]) -> KSState:
    entries: FrozenEntries = frozenset(LOG)
    return KSState(1, 1, (0, 0, 0), entries)


@pytest.mark.parametrize(
    ("LOG", "expected"),
    [
        ((((1, 1), frozenset({2})), ((2, 0), EMPTY), ((3, 0), EMPTY)), True),
        ((((1, 1), frozenset({2})), ((1, 0), EMPTY)), False),
        ((((2, 0), EMPTY), ((3, 0), EMPTY)), False),
        ((((1, 1), frozenset({2})), ((2, 1), EMPTY)), False),
    ],
)
def test_entries_by_hand(LOG: tuple[tuple[Id, frozenset[int]], ...], expected: bool) -> None:
    """After 1.1 to 2."""
    past = Past().after_send(Message(1, 1, frozenset({2})))
    assert holds("C-KS-T7-entries", state=state(*LOG), past=past) is expected
