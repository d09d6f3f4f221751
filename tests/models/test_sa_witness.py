"""SA: what the counts of a matrix stand for, user and extra messages, with a witness of what was sent."""

from __future__ import annotations

from typing import Any

import pytest

from naive import Found, Transit
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import LoadedModel
from precede.checker.properties import select_properties
from precede.checker.scenario import parse_scenario, scripted_bounds
from precede.models import Packet, Signal
from precede.models.sa import SA
from precede.models.sa_matrix import Matrix, Vector
from precede.models.sa_witness import SAWitness


def in_transit(found: Found) -> set[Packet | Signal]:
    """Everything that is ever in an unordered channel."""
    transits = {item for state in found.states for item, _ in state.network}
    return {transit.packet for transit in transits if isinstance(transit, Transit)}


TWO_LOADS: list[dict[str, Any]] = [{"sends": 3}, {"sends": 4, "dests": "unicast"}]


@pytest.mark.parametrize(("K", "bounds"), [(2, TWO_LOADS[0]), (1, TWO_LOADS[1])])
def test_every_count_is_of_messages_sent_before_and_no_extra_message_is_left(K: int, bounds: dict[str, Any]) -> None:
    """C-SA-ACC and C-SA-T6, extra messages included."""
    found = explored(SAWitness(K=K), processes=3, **bounds)
    for packet in in_transit(found):
        control, counted, _ = packet.control
        known = {cell[:3] for cell in counted}
        columns = {packet.to: control} if isinstance(packet, Signal) else columns_of(control)
        named = {(k, i, x) for i, column in columns.items() for k, y in enumerate(column, 1) for x in range(1, y + 1)}
        assert named <= known
    assert [state for state in found.states if not found.edges[state] and state.network] == []


def columns_of(M: Matrix) -> dict[int, Vector]:
    return {i: tuple(row[i - 1] for row in M) for i in range(1, len(M) + 1)}


@pytest.mark.parametrize(
    ("K", "bounds", "wrong"),
    [
        (9, TWO_LOADS[0], {"RedundantInState": 4, "RedundantInPacket": 2}),
        (9, TWO_LOADS[1], {"RedundantInState": 4, "RedundantInPacket": 5}),
        (
            2,
            TWO_LOADS[0],
            {"RedundantInState": 4, "RedundantInPacket": 2, "MissingInState": 3, "MissingInPacket": 4},
        ),
        (2, TWO_LOADS[1], {"RedundantInState": 4, "RedundantInPacket": 5, "MissingInState": 5}),
    ],
)
def test_more_than_the_required_facts_and_less_where_an_extra_message_stands_for_them(
    K: int, bounds: dict[str, Any], wrong: dict[str, int]
) -> None:
    """SA-10: known deliveries stay in M; only an extra message removes what is required."""
    violated = explored(SAWitness(K=K), processes=3, **bounds).violated
    assert {name: steps for name, steps in violated.items() if "In" in name} == wrong


@pytest.mark.parametrize("bounds", TWO_LOADS)
def test_the_record_does_not_change_what_sa_does(bounds: dict[str, Any]) -> None:
    """The same steps of SA: its states and what is in transit, the record left out."""
    plain, recorded = (explored(model, processes=3, **bounds) for model in (SA(K=2), SAWitness(K=2)))
    assert {local.state for state in plain.states for local in state.locals} == {
        local.state.sa  # type: ignore[attr-defined]
        for state in recorded.states
        for local in state.locals
    }
    assert in_transit(plain) == {packet._replace(control=packet.control.control) for packet in in_transit(recorded)}


THROUGH_AN_EXTRA = """
processes 3
a: 3 -> 1
b: 2 -> 1
c: 2 -> 3
d: 3 -> 2 after c
e: 1 -> 2 after a, b
"""
"""With K = 2 the send of d makes 3 send an extra message to 1, which asks for a and b."""


@pytest.mark.parametrize(("readings", "verdict"), [({}, "violated"), ({"extras_merged": "b", "carried": "b"}, "holds")])
def test_an_extra_message_orders_nothing_unless_it_is_merged(readings: dict[str, str], verdict: str) -> None:
    """SA-12b: e may be delivered before d, which was sent before the extra message that 1 has delivered before e. What
    would order them is an extra message that carries all of M and is merged (SA-13b, SA-7b)."""
    model = SAWitness(K=2, **readings)
    scenario = parse_scenario(THROUGH_AN_EXTRA, "through an extra message")
    bounds = scripted_bounds(scenario, Bounds())
    calls = ModelCalls(LoadedModel("model", model, {}, True), bounds)
    properties = (*select_properties(["C-SA-12b"], model), "CausalOrder")
    found, order = explore(calls, bounds, properties, scenario=scenario).properties
    assert (found.verdict, order.verdict) == (verdict, "holds")
    assert found.trace_length == (10 if verdict == "violated" else None)
