"""The claims of Gambhire and Kshemkalyani: which hold of Figure 3, which of its repair, and what breaks the others."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from claimed import claims_in, false_claims, judged
from followed import followed, receive, send
from naive import Found
from naively import explored
from precede.checker.claims import gk, gk_events
from precede.checker.claims.gk_events import (
    Clocks,
    Event,
    WeakPairs,
    clocks,
    just_sent,
    known_events,
    known_pasts,
    semantic_past,
    weak_pairs,
)
from precede.checker.claims.registry import holds
from precede.checker.history import Past, Sent
from precede.models import Message
from precede.models.gk import GK

IDS = claims_in(gk)
FIGURE_3 = {"L1": 2, "PR1": 3, "L3": 2, "L3-msg": 3, "L4": 2, "L4-msg": 3, "L4-msg-own": 1}
"""The claims that Figure 3 does not keep, and the steps of a shortest run to where."""
REPAIRED = GK(own_message="d", vectors="c", internal_step="b")
NEVER = {"L1": 2, "L4-msg-own": 1}
"""Those that no reading keeps: Lemma 1 at deliveries, and Lemma 4 at E6 with the message that E7 counts later."""
UNICAST: dict[str, Any] = {"sends": 3, "dests": "unicast"}


@cache
def found(model: GK, *bounds: tuple[str, Any]) -> Found:
    return explored(model, **dict(bounds))


def false(model: GK, **bounds: Any) -> dict[str, int]:
    results = false_claims(model, found(model, *bounds.items()), *IDS)
    return {id.removeprefix("C-GK-"): depth for id, depth in results.items()}


@pytest.mark.parametrize("dests", ["unicast", "broadcast"])
def test_figure_3(dests: str) -> None:
    results = judged(GK(), found(GK(), ("sends", 3), ("dests", dests)), *IDS)
    assert {id[5:]: result.false_after for id, result in results.items() if result.false_after} == FIGURE_3
    assert all(result.asked > 160 for result in results.values() if result.false_after is None)


@pytest.mark.parametrize("dests", ["unicast", pytest.param("broadcast", marks=pytest.mark.sweep)])
def test_all_lemmas_hold_when_prev_gets_the_message_and_copies_carry_both_vectors(dests: str) -> None:
    assert false(REPAIRED, sends=3, dests=dests) == NEVER | {"SZ": 1}


@pytest.mark.parametrize(
    ("readings", "others"),
    [
        pytest.param({"vectors": "b"}, {"SZ": 1}, marks=pytest.mark.sweep),
        pytest.param({"own_message": "c"}, {"L3": 3, "L3-msg": 4, "L4": 3, "L4-msg": 4}, marks=pytest.mark.sweep),
        pytest.param({"tested": "c"}, {"SZ": 1}, marks=pytest.mark.sweep),
        ({"deliveries": "c"}, {}),
        ({"precedence": "b"}, {"PR1": 1, "L3-msg": 2, "L4-msg": 2, "FC": 2}),
        ({"order": "b"}, {"L2": 4, "L2-msg": 5, "RST": 4, "FC": 5}),
        (
            {"order": "c"},
            {"L2": 2, "L2-msg": 1, "L4-msg": 1, "L4-msg-own": 2, "RST": 2, "RST-msg": 2, "FC": 3},
        ),
        pytest.param({"order": "d"}, {"L2": 6, "RST": 6}, marks=pytest.mark.sweep),
        pytest.param({"matrix": "a"}, {}, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_other_readings(readings: dict[str, str], others: dict[str, int]) -> None:
    assert false(GK(**readings), **UNICAST) == FIGURE_3 | others


@pytest.mark.parametrize(
    ("readings", "others"),
    [
        pytest.param({"own_message": "a"}, {"L3": 2, "L3-msg": 3, "L4": 2, "L4-msg": 3}, marks=pytest.mark.sweep),
        ({"own_message": "b"}, {"PR1": 2}),
    ],
)
def test_both_vectors_without_the_message_in_prev(readings: dict[str, str], others: dict[str, int]) -> None:
    expected = NEVER | {"SZ": 1, "L3": 2, "L3-msg": 3, "L4": 2, "L4-msg": 3} | others
    assert false(GK(vectors="c", **readings), **UNICAST) == expected


@pytest.mark.parametrize(
    ("letter", "others"),
    [
        ("a", {"PR1": 2, "L3": 2, "L4": 2}),
        ("b", {}),
        ("c", {"PR1": 2, "L3": 2, "L4": 2}),
        ("d", {"L3": 2, "L3-msg": 3, "L4": 2, "L4-msg": 3}),
    ],
)
def test_lemmas_3_and_4_need_a_step_at_internal_events(letter: str, others: dict[str, int]) -> None:
    model = GK(own_message="d", vectors="c", internal_step=letter, internal_events=1, chained=1)
    assert false(model, sends=2, dests="unicast") == NEVER | {"SZ": 1} | others


def test_without_vectors_on_copies_more_than_MC_is_enforced() -> None:
    """GK-5a: 1 does not learn that 1.1 is in MCV. Its last send depends on 1.1 alone, and takes 1.2 along."""
    script = (send(1, 2), send(1, 3), receive(2, 1, 1), send(2, 1, depends_on=1), receive(1, 2, 1))
    for letter, enforced in (("a", (0, 1, 1)), ("b", (0, 1, 1)), ("c", (0, 1, 0))):
        model = GK(vectors=letter)
        before = followed(model, *script).state.locals[0]
        after = followed(model, *script, send(1, 3, depends_on=1)).state.locals[0]
        event = Message(1, 3, frozenset({3}))
        (control,) = gk.attached(model, before.state, event, after.past)
        assert control.SP[0] == enforced
        values = {"model": model, "process": 1, "before": before.state, "event": event, "past": after.past}
        assert holds("C-GK-FC", **values) == (letter == "c")


@pytest.mark.parametrize(
    ("ECV", "MCV", "broken"),
    [
        ({1: 2}, {}, "P1 L1 L1-sends D45"),
        ({1: 2}, {1: 3}, "L1 L1-sends D45 DS"),
        ({1: 2}, {1: 1}, "D45"),
        ({1: 2}, {1: 2}, ""),
    ],
    ids=str,
)
def test_claims_about_the_definition_fail_for_another_MCV(
    monkeypatch: pytest.MonkeyPatch, ECV: dict[int, int], MCV: dict[int, int], broken: str
) -> None:
    """1 sends twice; the second send depends on the first."""
    past = Past().after_send(Message(1, 1, frozenset({2})), 0).after_send(Message(1, 2, frozenset({3})), 1)

    def other(process: int, past: Past, definition: int = 5) -> tuple[Clocks, ...]:
        return clocks(process, past) if definition == 4 else (*clocks(process, past)[:-1], Clocks(ECV, MCV))

    monkeypatch.setattr(gk, "clocks", other)
    ids = ("P1", "L1", "L1-sends", "D45", "DS")
    assert {id for id in ids if not holds(f"C-GK-{id}", process=1, past=past)} == set(broken.split())


def test_definition_4_asks_about_events_of_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would differ if event 2 of 2 depended on one of 1 without depending on its own delivery."""
    past = triangle(1, 0)
    assert clocks(2, past, 4) == clocks(2, past, 5)
    monkeypatch.setattr(gk_events, "semantic_past", lambda process, past, number: {(1, 2)} if process == 2 else set())
    clocks.cache_clear()
    assert [clocks(2, past, definition)[-1].MCV for definition in (4, 5)] == [{1: 2, 2: 2}, {}]
    clocks.cache_clear()


def test_MCV_must_not_decrease() -> None:
    model = GK()
    past = Past().after_send(Message(1, 1, frozenset({2})), 0)
    before = model.start(1, 2)
    after = before._replace(ECV=(1, 0))
    values = {"process": 1, "past": past}
    assert holds("C-GK-PR2", before=before, after=after, **values)
    assert not holds("C-GK-PR2", before=before._replace(MCV=(0, 1)), after=after, **values)
    assert not holds("C-GK-PR2", before=before._replace(PREV=((0, 1), (0, 0))), after=after, **values)


def triangle(b: int, c: int) -> Past:
    """The past of 2 after event 2: 1 sends to 3, then, as event 2, to 2, which delivers that and sends to 3. The sends
    depend on event `b` of 1 and on event `c` of 2."""
    at_1 = Past().after_send(Message(1, 1, frozenset({3})), 0)
    to_2 = Sent(Message(1, 2, frozenset({2})), at_1, b)
    return Past().after_delivery(to_2, 2, 0).after_send(Message(2, 1, frozenset({3})), c)


@pytest.mark.parametrize(
    ("b", "c", "depends_on", "MCV", "pairs"),
    [
        (0, 0, set(), {}, WeakPairs(0, 5)),
        (0, 1, {(1, 2), (2, 1)}, {1: 2, 2: 2}, WeakPairs(3, 3)),
        (1, 0, set(), {1: 2}, WeakPairs(0, 3)),
        (1, 1, {(1, 1), (1, 2), (2, 1)}, {1: 2, 2: 2}, WeakPairs(0, 0)),
    ],
)
def test_the_triangle(b: int, c: int, depends_on: set[Event], MCV: dict[int, int], pairs: WeakPairs) -> None:
    past = triangle(b, c)
    assert semantic_past(2, past, 2) == depends_on
    assert clocks(2, past)[-1] == Clocks({1: 2, 2: 2}, MCV)
    assert weak_pairs(2, past) == pairs


def test_the_vectors_and_the_pairs_are_those_of_the_closed_relations() -> None:
    states = found(GK(deliveries="b"), ("sends", 2)).states
    for process, past in {(p, local.past) for state in states for p, local in enumerate(state.locals, 1)}:
        events = known_events(process, past)
        happened, depends = closures(process, past)
        for event, known in events.items():
            assert known.depends_on == {a for a, b in depends if b == event}
            before = [q for q, _ in {a for a, b in happened if b == event} | {event}]
            assert {q: before.count(q) for q in before} == known.clocks.ECV
        MCV = clocks(process, past)[-1].MCV
        inside = {(a, b) for a, b in happened - depends if all(p <= MCV.get(q, 0) for q, p in (a, b))}
        assert weak_pairs(process, past) == WeakPairs(len(inside), len(happened - depends))


def closures(process: int, past: Past) -> tuple[set[tuple[Event, Event]], set[tuple[Event, Event]]]:
    """Happens-before and the semantic relation on the events of a past, closed step by step."""
    happened, depends = set(), set()
    for q, of_q in known_pasts(process, past).items():
        for number, event in enumerate(of_q.events, 1):
            happened |= {((q, number - 1), (q, number))} if number > 1 else set()
            depends |= {((q, event.depends_on), (q, number))} if event.depends_on else set()
            if event.kind == "delivery" and event.sent:
                message = (event.sent.message.sender, len(just_sent(event.sent).events))
                happened, depends = happened | {(message, (q, number))}, depends | {(message, (q, number))}
    return closed(happened), closed(depends)


def closed(relation: set[tuple[Event, Event]]) -> set[tuple[Event, Event]]:
    while more := {(a, d) for a, b in relation for c, d in relation if b == c} - relation:
        relation = relation | more
    return relation
