"""Jang et al.: what each step removes (J-15), the steps of the proofs (J-17, J-18), counts and bytes (J-20)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from claimed import claims_in, false_claims, judged, levels, objects
from naive import Found
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.claims import jang_proofs, jang_removals, jang_sizes
from precede.checker.claims.jang_removals import Removal, removals
from precede.checker.claims.jang_sizes import Bytes, Counted, core, dependents, full
from precede.checker.claims.registry import holds
from precede.checker.engine import explore
from precede.checker.history import Past, Sent
from precede.checker.loading import LoadedModel
from precede.checker.properties import select_properties
from precede.checker.scenario import parse_scenario, scripted_bounds
from precede.models import Message, Packet
from precede.models.chains_two import ChainsTwo
from precede.models.jang import Jang, JangControl, JangState

REMOVALS, PROOFS, SIZES = (claims_in(module) for module in (jang_removals, jang_proofs, jang_sizes))


@cache
def found(model: Jang, **bounds: Any) -> Found:
    return explored(model, **({"processes": 3, "sends": 3} | bounds))


def false(model: Jang, ids: tuple[str, ...], **bounds: Any) -> dict[str, int]:
    results = false_claims(model, found(model, **bounds), *ids)
    return {id.removeprefix("C-J-"): steps for id, steps in results.items()}


@pytest.mark.parametrize(
    ("bounds", "wrong"), [({}, {"F3-free": 2, "R2-R6": 5}), ({"dests": "unicast"}, {"F3-free": 3})], ids=str
)
def test_what_holds(bounds: dict[str, str], wrong: dict[str, int]) -> None:
    """An empty tuple has 4 bytes where its sender id is free. R6 also removes what this process has replaced itself,
    and what comes back to it on a copy."""
    ids = (*REMOVALS, *PROOFS, *SIZES)
    results = judged(Jang(), found(Jang(), **bounds), *ids)
    assert {id[4:]: r.false_after for id, r in results.items() if r.false_after is not None} == wrong
    assert all(result.asked >= 120 for result in results.values() if result.false_after is None)


def tally(model: Jang, **bounds: Any) -> Counter[tuple[str, int | None]]:
    """(step, type) -> the facts removed, over all distinct local steps."""
    needs = {"process", "before", "event", "past"}
    steps = {
        tuple(values[name] for name in ("process", "before", "event", "past"))
        for level in levels(found(model, **bounds))
        for _, values in objects(needs, level, found(model, **bounds))
    }
    return Counter((removal.step, removal.type) for step in steps for removal in removals(model, *step))


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (
            {},
            {"S2": {4: 516}, "R4": {2: 1908}, "R5": {3: 12, 5: 36}, "R6": {3: 744, 4: 24, 5: 228}},
        ),
        ({"dests": "unicast"}, {"S2": {4: 54}, "R4": {2: 330}, "R6": {3: 84}}),
    ],
    ids=str,
)
def test_which_step_removes_which_type(bounds: dict[str, Any], expected: dict[str, dict[int, int]]) -> None:
    """J-15, 3 sends: the facts removed in all distinct local steps, by step and type. No redundant fact is left
    (C-J-R3), and a fact is redundant only where it is of one of the types."""
    assert tally(Jang(), **bounds) == {
        (step, type): count for step, types in expected.items() for type, count in types.items()
    }


@pytest.mark.parametrize(
    ("model", "wrong"),
    [
        (Jang(comparison="b"), {"R2-R8": 4}),
        (Jang(comparison="c"), {}),
        (Jang(struck="b"), {"R2-R6": 4, "R2-R8": 3}),
        (Jang(inserted="c"), {"R2-R6": 4}),
        (Jang(own_tuple="c"), {"R2-R6": 4}),
        (Jang(empty_tuples="b"), {}),
    ],
    ids=["J-9b", "J-9c", "J-1b", "J-10c", "J-2c", "J-7b"],
)
def test_where_a_step_is_missing_another_one_removes_its_type(model: Jang, wrong: dict[str, int]) -> None:
    """2 multicasts: R8 what R6 leaves, R6 what R4 leaves."""
    assert false(model, (*REMOVALS, *PROOFS), sends=2) == wrong


COPY = Packet(
    1,
    2,
    Message(1, 3, frozenset({2, 3})),
    JangControl(
        frozenset({(1, 1, frozenset({3})), (1, 2, frozenset()), (3, 1, frozenset({1, 3}))}), frozenset({(3, 1)})
    ),
)


def test_what_a_copy_has() -> None:
    """Three tuples, one of them empty, and one pair: 3 * 4 + 3 * 2 + 6 bytes."""
    assert dependents(COPY) == Counted(tuples=3, pairs=4, nonempty=2)
    assert core(COPY) == Bytes(free=24, per_tuple=30, per_sender=28)
    assert full(COPY) == Bytes(free=34, per_tuple=40, per_sender=38)


def test_sizes_of_all_copies() -> None:
    """J-20: the sums over the distinct copies of 3 multicasts, and the largest."""
    copies = [values["packet"] for values in copies_of(found(Jang()))]
    counted = [dependents(packet) for packet in copies]
    assert (len(copies), [sum(column) for column in zip(*counted, strict=True)]) == (876, [1416, 1932, 258])
    sizes = [core(packet) for packet in copies]
    assert [sum(column) for column in zip(*sizes, strict=True)] == [9276, 12108, 12060]
    assert [max(column) for column in zip(*sizes, strict=True)] == [22, 26, 26]


def copies_of(found: Found) -> list[dict[str, Any]]:
    """The distinct copies with the past before their sends."""
    return list(
        {tuple(v.items()): v for level in levels(found) for _, v in objects({"packet", "past"}, level, found)}.values()
    )


def test_a_removal_says_its_type() -> None:
    """1 sends to 2 twice."""
    first, second = (Message(1, number, frozenset({2})) for number in (1, 2))
    step: Any = Jang().send(Jang().start(1, 3), first)
    past = Past().after_send(first).after_send(second)
    assert list(removals(Jang(), 1, step.state, second, past)) == [Removal("S2", ((1, 1), 2), 4)]
    assert [removal.type for removal in removals(Jang(), 1, step.state, second, Past())] == [None]


def test_the_steps_of_the_proofs_by_hand() -> None:
    """C-J-T1: 1.1 to 3, 1.2 to 2, 2.1 to 3: a chain of two messages. C-J-T2."""
    first, second = Message(1, 1, frozenset({3})), Message(1, 2, frozenset({2}))
    at_1 = Past().after_send(first)
    at_2 = Past().after_delivery(Sent(second, at_1), 2)
    at_3 = Past().after_delivery(Sent(Message(2, 1, frozenset({3})), at_2), 3)
    assert [holds(f"C-J-T1-{n}", process=3, past=at_3) for n in range(3)] == [True, False, False]
    state = JangState(3, 0, frozenset(), (0, 1, 0))
    assert holds("C-J-T2-DLV", process=3, state=state, past=at_3)
    assert not holds("C-J-T2-DLV", process=3, state=state._replace(DLV=(0, 0, 0)), past=at_3)
    copy = Packet(1, 2, second, JangControl(frozenset(), frozenset({(1, 1)})))
    assert not holds("C-J-T2-DC", model=Jang(), packet=copy, past=at_1)
    assert holds("C-J-T2-DC", model=Jang(), packet=copy._replace(to=3), past=at_1)


@pytest.mark.parametrize("between", [0, 1, 2, 3, 4])
def test_each_length_of_a_chain_is_told_apart(between: int) -> None:
    """1 sends to the last process, then along the others to it: n messages on the way. The algorithm for chains of two
    messages keeps the claims up to C-J-T1-1, and here breaks those for longer chains than it looks at."""
    last = between + 2
    hops = [f"m{p}: {p} -> {p + 1}" + (f" after m{p - 1}" if p > 1 else "") for p in range(1, last)]
    lines = [f"processes {last}", f"x: 1 -> {last}", *hops] if between else ["processes 2", "x: 1 -> 2", "m1: 1 -> 2"]
    scenario = parse_scenario("\n".join(lines), "chain")
    bounds = scripted_bounds(scenario, Bounds())
    calls = ModelCalls(LoadedModel("model", ChainsTwo(), {}, True), bounds)
    properties = select_properties([f"C-J-T1-{n}" for n in range(5)], ChainsTwo())
    broken = [
        p.name for p in explore(calls, bounds, properties, scenario=scenario).properties if p.verdict == "violated"
    ]
    assert broken == [f"C-J-T1-{n}" for n in range(between, 5) if between > 1]
