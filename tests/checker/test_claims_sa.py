"""The claims of Sanchez and Alvarez about states, copies and steps: that they hold, and what breaks each of them."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from claimed import claims_in, false_claims, judged
from naive import Found
from naively import explored
from precede.checker.claims import sa
from precede.checker.claims.registry import CLAIMS, holds
from precede.checker.history import Past
from precede.models import Message, Packet, Signal
from precede.models.rst import RST, RSTState
from precede.models.sa import SA, SAState
from precede.models.sa_matrix import column, entries, nonzero

IDS = tuple(id for id in claims_in(sa) if "sa" in CLAIMS[id].models)
UNICASTS = {"sends": 4, "dests": "unicast"}


@cache
def found(model: Any, **bounds: Any) -> Found:
    return explored(model, **({"processes": 3, "sends": 3} | bounds))


def false_at_extras(model: SA, found: Found) -> set[str]:
    """The claims about steps that some receipt of an extra message makes false."""
    steps = {
        (state.locals[p - 1].state, action[1].packet, after.locals[p - 1].state)
        for state, edges in found.edges.items()
        for action, after in edges
        if action[0] == "receive" and isinstance(action[1].packet, Signal)  # type: ignore[index]
        for p in [action[1].packet.to]  # type: ignore[index]
    }
    assert steps
    about_steps = {id: set(inspect.signature(CLAIMS[id].judge).parameters) for id in IDS}
    return {
        id
        for id, names in about_steps.items()
        if "event" in names
        for before, event, after in steps
        if not holds(id, **{name: value for name, value in values(model, before, event, after) if name in names})
    }


def values(model: SA, before: Any, event: Any, after: Any) -> list[tuple[str, Any]]:
    return [("model", model), ("process", after.i), ("before", before), ("event", event), ("after", after)]


@pytest.mark.parametrize("K", [pytest.param(0, marks=pytest.mark.sweep), 2])
def test_the_claims_hold_with_three_multicasts(K: int) -> None:
    """K = n + 1, which three processes do not exceed, and K = n - 1."""
    results = judged(SA(K=K), found(SA(K=K)), *IDS)
    assert {id for id, result in results.items() if result.false_after is not None} == set()
    assert all(result.asked > 200 for result in results.values())
    assert K == 0 or false_at_extras(SA(K=K), found(SA(K=K))) == set()


def test_the_claims_hold_with_four_unicasts() -> None:
    assert false_claims(SA(K=2), found(SA(K=2), **UNICASTS), *IDS) == {}


@pytest.mark.parametrize(
    ("readings", "false"),
    [
        pytest.param({"K": 1}, {"C-SA-SZ": 2, "C-SA-SZ-state": 1}, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "attached": "b"}, {"C-SA-L2": 3, "C-SA-L3-sent": 3}, marks=pytest.mark.sweep),
        ({"K": 2, "attached": "c"}, {"C-SA-ACC": 1}),
        pytest.param({"K": 2, "checked": "b"}, {"C-SA-SZ-state": 4}, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "checked": "c"}, {"C-SA-SZ": 4, "C-SA-SZ-state": 3}, marks=pytest.mark.sweep),
        pytest.param({"K": 2, "checked": "d"}, {"C-SA-SZ-state": 3}, marks=pytest.mark.sweep),
        ({"K": 2, "extras_counted": "b"}, {"C-SA-L2": 4, "C-SA-L3": 4}),
        pytest.param({"K": 2, "extras_counted": "d"}, {"C-SA-L2": 4, "C-SA-L3": 4}, marks=pytest.mark.sweep),
        ({"K": 3, "carried": "b"}, {"C-SA-SZ-extra": 5}),
    ],
    ids=str,
)
def test_what_readings_break(readings: dict[str, Any], false: dict[str, int]) -> None:
    """With the steps of a shortest run. K = 1 is n - 2."""
    assert false_claims(SA(**readings), found(SA(**readings)), *IDS) == false


@pytest.mark.parametrize(
    ("readings", "false"), [({"extras_counted": "c"}, {"C-SA-P5"}), ({"carried": "b"}, {"C-SA-L3-extra"})], ids=str
)
def test_what_readings_break_at_extra_messages(readings: dict[str, Any], false: set[str]) -> None:
    """SA-15: an extra message that carries all of M is not merged, so M does not imply it."""
    model = SA(K=2, **readings)
    assert false_at_extras(model, found(model)) == false


def test_a_delivery_of_the_own_messages_out_of_order() -> None:
    model = SA(K=9, own_column="b")
    false = false_claims(model, found(model, processes=2, self_addressed="network"), *IDS)
    assert false == {"C-SA-COL": 1, "C-SA-L2": 3, "C-SA-P5-user": 5}


def test_proposition_1_for_all_small_matrices() -> None:
    """Of two processes, with counts up to 2; the converse holds too."""
    matrices = [((a, b), (c, d)) for a, b, c, d in product(range(3), repeat=4)]
    for M1, M2 in product(matrices, repeat=2):
        larger = all(x >= y for one, other in zip(M1, M2, strict=True) for x, y in zip(one, other, strict=True))
        implied = all(
            all(x <= y for x, y in zip(column(M2, p), DELIV, strict=True))
            for p in (1, 2)
            for DELIV in product(range(3), repeat=2)
            if all(x <= y for x, y in zip(column(M1, p), DELIV, strict=True))
        )
        assert larger == implied
        assert holds("C-SA-P1", before=SAState(1, M1, (0, 0)), after=SAState(1, M2, (0, 0)))


def test_proposition_1_and_the_pigeonhole_fail_when_columns_are_misread(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = SAState(1, ((0, 1), (0, 0)), (0, 0)), SAState(1, ((0, 1), (0, 1)), (0, 0))
    full = SAState(1, ((0, 1, 1), (0, 0, 1), (0, 1, 0)), (0, 0, 0))
    monkeypatch.setattr(sa, "satisfied", lambda constraints, DELIV: sum(constraints) > sum(DELIV))
    monkeypatch.setattr(sa, "column", lambda M, j: M[j - 1][:1])
    assert not holds("C-SA-PIG", state=full)
    monkeypatch.setattr(sa, "satisfied", lambda constraints, DELIV: len(constraints) > 1)
    assert not holds("C-SA-P1", before=before, after=after)


def test_n_entries_are_enough_for_a_column_with_two() -> None:
    """The own column is zero, so n - 1 columns share the entries."""
    matrices = {local.state.M for state in found(SA(K=9)).states for local in state.locals}
    assert {nonzero(column(M, j)) for M in matrices if entries(M) == 3 for j in (1, 2, 3)} == {0, 1, 2}
    assert all(max(nonzero(column(M, j)) for j in (1, 2, 3)) == 2 for M in matrices if entries(M) >= 3)


def test_in_rst_the_own_column_is_deliv() -> None:
    assert false_claims(RST(), found(RST()), "C-SA-COL-rst") == {}
    zero = ((0, 0), (0, 0))
    assert not holds("C-SA-COL-rst", process=1, state=RSTState(1, zero, (0, 1)))


def test_mutated_values_are_found_out() -> None:
    model, zero = SA(K=9), ((0, 0, 0),) * 3
    past = Past().after_send(Message(1, 1, frozenset({2})))
    one = ((0, 1, 0), (0, 0, 0), (0, 0, 0))
    two = ((0, 2, 0), (0, 0, 0), (0, 0, 0))
    packet = Packet(1, 3, Message(1, 2, frozenset({3})), one)
    assert holds("C-SA-ACC", model=model, packet=packet, past=past)
    assert not holds("C-SA-ACC", model=model, packet=packet._replace(control=two), past=past)
    assert holds("C-SA-ACC", model=replace(model, K=1, exceeded="b"), packet=packet._replace(control=two), past=past)
    state = SAState(1, zero, (0, 0, 0))
    step = model.receive(SAState(3, zero, (0, 0, 0)), packet)
    assert isinstance(step, list)
    after = step[0].state
    for id in ("C-SA-L2", "C-SA-L3", "C-SA-P5"):
        names = set(inspect.signature(CLAIMS[id].judge).parameters)
        given = dict(values(model, SAState(3, zero, (0, 0, 0)), packet, after))
        assert holds(id, **{name: given[name] for name in names})
    lost = {"model": model, "process": 3, "event": packet, "after": after._replace(DELIV=(0, 0, 0))}
    assert not holds("C-SA-P5", **lost)
    assert not holds("C-SA-COL", process=2, state=state._replace(M=one))


def test_steps_that_are_not_the_model_s_own_are_not_judged() -> None:
    """An own copy that is delivered at its send."""
    model = SA(K=9, own_column="c")
    assert false_claims(model, found(model, processes=2, self_addressed="at-send"), *IDS) == {}
