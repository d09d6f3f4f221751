"""Gambhire and Kshemkalyani: other readings of definitions and lemmas (GK-6 to GK-18), and what is left (GK-20)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from claimed import claims_in, false_claims, judged, levels, objects
from followed import followed, receive, send
from naive import Found
from naively import explored
from precede.checker.claims import gk_readings, gk_waits
from precede.checker.claims.gk_events import weak_pairs
from precede.checker.claims.gk_readings import smallest_MCV
from precede.checker.claims.gk_waits import asked_for, held_back_by_RST, in_vain
from precede.checker.history import Past
from precede.checker.local import is_due
from precede.models import Message
from precede.models.gk import GK

IDS = claims_in(gk_readings, gk_waits)


@cache
def found(model: GK, *bounds: tuple[str, Any]) -> Found:
    return explored(model, **dict(bounds))


def false(model: GK, **bounds: Any) -> dict[str, int]:
    results = false_claims(model, found(model, *bounds.items()), *IDS)
    return {id.removeprefix("C-GK-"): steps for id, steps in results.items()}


BEFORE = {"L2-before": 2, "L3-before": 2, "L4-before": 2}
"""GK-14c: a delivery has not yet brought what its ECV and MCV count; a send has not yet moved CONC to PREV."""
WORDS = {"D1-words": 2}
"""GK-10b."""
SMALLEST = {"D5-smallest": 2, "PR2-smallest": 3, "DS-smallest": 4}
"""GK-18c: Proposition 1 is true of the smallest MCV, which shrinks from one send to the next and is no prefix."""
LEFT = {"FC-pairs-0": 3, "FC-wait-0": 3}
"""GK-20."""


@pytest.mark.parametrize(("dests", "saved"), [("unicast", 5), ("broadcast", 4)])
def test_figure_3(dests: str, saved: int) -> None:
    """`saved`: the steps to a wait of RST that GK saves."""
    results = judged(GK(), found(GK(), ("sends", 3), ("dests", dests)), *IDS)
    false = {id[5:]: result.false_after for id, result in results.items() if result.false_after}
    assert false == BEFORE | WORDS | SMALLEST | LEFT | {"FC-rst": saved}
    assert all(result.asked > 160 for result in results.values() if result.false_after is None)


@pytest.mark.parametrize(
    ("readings", "others"),
    [
        ({"own_message": "b"}, {}),
        ({"own_message": "c"}, {"FC-wait-1": 3}),
        ({"own_message": "d", "vectors": "c"}, {"FC-wait-1": 3}),
        ({"vectors": "b"}, {}),
        ({"vectors": "c"}, {}),
        ({"deliveries": "c"}, {}),
        ({"order": "c"}, {"FC-rst-msg": 3}),
    ],
    ids=str,
)
def test_other_readings(readings: dict[str, str], others: dict[str, int]) -> None:
    """GK-14c with each of GK-1 and GK-5, and what breaks the claims that hold; 3 unicasts."""
    expected = BEFORE | WORDS | SMALLEST | LEFT | {"FC-rst": 5} | others
    assert false(GK(**readings), sends=3, dests="unicast") == expected


def test_where_e1_is_true_at_every_send_no_wait_of_rst_is_saved() -> None:
    """GK-12b."""
    expected = BEFORE | WORDS | SMALLEST | LEFT | {"FC-wait-0": 2, "FC-wait-1": 3}
    assert false(GK(precedence="b"), sends=3, dests="unicast") == expected


def sends(of: Found) -> list[tuple[Any, ...]]:
    """(process, state before, message, past after) of the distinct sends."""
    names = ("process", "before", "event", "past")
    steps = (values for level in levels(of) for _, values in objects(set(names), level, of))
    return list({tuple(v[name] for name in names): None for v in steps if isinstance(v["event"], Message)})


def test_pairs_of_weak_causality() -> None:
    """GK-20a: the pairs in MC x MC and in EC x EC, summed over the distinct sends of 3 unicasts."""
    pairs = [
        weak_pairs(process, past) for process, _, _, past in sends(found(GK(), ("sends", 3), ("dests", "unicast")))
    ]
    assert (len(pairs), sum(p.MC for p in pairs), sum(p.EC for p in pairs)) == (690, 924, 2052)


def test_false_waits_by_length() -> None:
    """GK-20b: messages that a copy asks for in vain, of all distinct copies of 3 unicasts."""
    model = GK()
    vain: Counter[int] = Counter()
    for _, before, message, past in sends(found(model, ("sends", 3), ("dests", "unicast"))):
        vain.update(len(messages) for messages in in_vain(model, before, message, past).values())
    assert vain == {0: 594, 1: 96}


def test_waits_beside_rst() -> None:
    """GK-20c: whether semantic order, GK and RST have a packet wait, of every one in transit in every state of 3
    unicasts. What semantic order alone has wait is behind the other in a FIFO channel (GK-1a needs it)."""
    model, tally = GK(), Counter[tuple[bool, bool, bool]]()
    for state in found(model, ("sends", 3), ("dests", "unicast")).states:
        for _, queue in state.network:
            for transit in queue:  # type: ignore[attr-defined]
                process, sent = transit.packet.to, transit.sent
                local = state.locals[process - 1]
                here = local.past.delivered_at(process)
                needed = not is_due(sent, local.past, process)
                waits = model.receive(local.state, transit.packet) is None
                tally[needed, waits, bool(sent.past.to(process) - here)] += 1
    nothing, saved, in_vain, fifo, all_three = [
        (False, False, False), (False, False, True), (False, True, True), (True, False, True), (True, True, True)
    ]  # fmt: skip
    assert tally == {nothing: 3666, saved: 234, in_vain: 84, fifo: 30, all_three: 216}


def test_a_wait_that_gk_saves() -> None:
    """1 tells 3, then 2, without dependencies; 2 tells 3: RST holds that back until 1.1 is delivered."""
    script = (send(1, 3), send(1, 2), receive(2, 1, 2), send(2, 3))
    after = followed(GK(), *script)
    assert (3, (2, 1)) in after.receivable
    (sent,) = (s for s in after.state.locals[1].past.sent if s.id == (2, 1))
    assert held_back_by_RST(3, sent, Past()) == {(1, 1)}


def test_what_a_matrix_asks_for() -> None:
    past = Past().after_send(Message(1, 1, frozenset({2})), 0).after_send(Message(1, 2, frozenset({3})), 0)
    past = past.after_send(Message(1, 3, frozenset({2})), 0)
    assert asked_for(((0, 1, 0), (0, 0, 0), (0, 0, 0)), 2, past) == {(1, 1)}
    assert asked_for(((0, 2, 9), (0, 0, 0), (0, 0, 0)), 2, past) == {(1, 1), (1, 3)}


def test_the_smallest_MCV_has_what_the_send_depends_on_and_no_more() -> None:
    """1 sends three times; the third depends on the first, then on none."""
    past = Past().after_send(Message(1, 1, frozenset({2})), 0).after_send(Message(1, 2, frozenset({3})), 0)
    assert smallest_MCV(1, past.after_send(Message(1, 3, frozenset({2})), 1)) == {1: 1}
    assert smallest_MCV(1, past.after_send(Message(1, 3, frozenset({2})), 0)) == {}
