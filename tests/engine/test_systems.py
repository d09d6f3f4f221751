"""Signals, buffers, relays, joint steps, semantic order and faults: the engine against the naive explorer."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from naive import DOWN, Global, Naive
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import WholeState, explore, whole_states
from precede.checker.errors import ModelError
from precede.checker.histories import explore_histories
from precede.checker.loading import LoadedModel
from precede.models import Model
from precede.models.catalog import CATALOG

from .systems import Acknowledged, Dependent, Flood, Relay, Token, Views

RST, KS, NULL = CATALOG["rst"](), CATALOG["ks"](), CATALOG["null"]()
GROUPS = (frozenset({1, 2}), frozenset({2, 3}))
PROPERTIES = ("CausalOrder", "Delivery", "Integrity", "NoNeedlessDelay", "Minimality")
UNICAST: dict[str, Any] = {"dests": "unicast"}

CASES: list[tuple[Model, dict[str, Any]]] = [
    (RST, {"duplicates": 1}),
    (KS, {"duplicates": 2, "losses": 1, "dests": "unicast"}),
    (KS, {"duplicates": 1, "channel": "fifo"}),
    (KS, {"crashes": 1, "restarts": 1}),
    (NULL, {"channel": "rendezvous"}),
    (KS, {"channel": "rendezvous", "dests": "unicast", "sends": 3}),
    (RST, {"dests": "groups", "groups": GROUPS, "sends": 3}),
    (NULL, {"losses": 1, "channel": "fifo-delivery", "dests": "unicast"}),
    (Acknowledged(), {"channel": "fifo"}),
    (Acknowledged(False), {}),
    (Acknowledged(), UNICAST | {"crashes": 1, "restarts": 1}),
    (Acknowledged(), {"sends": 1, "duplicates": 1}),
    (Relay(), {"channel": "fifo"}),
    (Acknowledged(), {"channel": "fifo-arrival", "sends": 2, "dests": "unicast"}),
    (Relay(), UNICAST | {"crashes": 1, "restarts": 1}),
    (Relay(), UNICAST | {"losses": 1, "channel": "fifo-delivery"}),
    (Views(), {"channel": "fifo"}),
    (Views(), UNICAST | {"crashes": 1, "restarts": 1}),
    (Token(), {}),
    (Token(), {"sends": 1, "duplicates": 1}),
    (Token(held_to="receive", ring=True), UNICAST),
    (Dependent(0), {}),
    (Dependent(1), {"processes": 2}),
    (Dependent(0), UNICAST | {"sends": 3, "channel": "fifo"}),
]


def calls_of(model: Model, settings: dict[str, Any]) -> ModelCalls:
    bounds = Bounds(**({"sends": 2, "dests": "multicast"} | settings))
    return ModelCalls(LoadedModel("model", model, {}, True), bounds)


def of_naive(state: Global) -> Any:
    """The state as the engine's states are compared."""
    locals_ = tuple(("crashed" if o.state == DOWN else o.state, *o[1:]) for o in state.locals)
    network = {
        (key if isinstance(key[0], int) else tuple(key)): value  # type: ignore[index, arg-type]
        for key, value in state.network
    }
    return locals_, frozenset(network.items()), state.faults


def of_engine(state: WholeState, queued: bool) -> Any:
    """A bag of what is in transit, or a queue for each channel."""
    if not queued:
        return state.locals, frozenset(Counter(tuple(item) for item in state.transit).items()), state.faults
    queues: dict[tuple[int, int], tuple[Any, ...]] = {}
    for item in state.transit:
        channel = (item.packet.sender, item.packet.to)
        queues[channel] = (*queues.get(channel, ()), item)
    return state.locals, frozenset(queues.items()), state.faults


@pytest.mark.parametrize(("model", "settings"), CASES, ids=[f"{type(m).__name__}-{s}" for m, s in CASES])
def test_the_engine_meets_the_same_states_transitions_and_shortest_violations(
    model: Model, settings: dict[str, Any]
) -> None:
    calls = calls_of(model, settings)
    found = Naive(calls).explore()
    whole = explore(calls, calls.bounds, ())
    assert (whole.distinct_states, whole.transitions, whole.depth) == (
        len(found.states), found.transitions, found.depth,
    )  # fmt: skip
    queued = calls.channel_rule in ("fifo", "fifo-delivery")
    assert {of_engine(s, queued) for s in whole_states(calls, calls.bounds)} == set(map(of_naive, found.states))
    judged = explore(calls, calls.bounds, PROPERTIES)
    lengths = {p.name: p.trace_length for p in judged.properties if p.witness and p.witness.loop is None}
    expected = {name: steps for name, steps in found.violated.items() if name in PROPERTIES}
    if not calls.has_facts():
        expected.pop("Minimality", None)
    assert lengths == expected


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_a_fair_cycle_without_delivery_is_a_lasso_with_exit_code_13(search: str) -> None:
    calls = calls_of(Token(held_to="receive", ring=True), {"sends": 1, "dests": "unicast"})
    result = explore(calls, calls.bounds, ("Delivery",), search=search)
    witness = result.properties[0].witness
    assert witness is not None
    assert (result.verdict, result.exit_code, witness.loop, len(witness.schedule)) == ("violated", 13, 1, 7)


def test_a_token_that_goes_round_for_ever_starves_no_delivery() -> None:
    """The receipt stays enabled, so weak fairness takes it."""
    calls = calls_of(Token(ring=True), {"sends": 1, "dests": "unicast"})
    assert explore(calls, calls.bounds, ("Delivery",)).verdict == "holds"


def test_a_model_that_floods_the_network_is_an_error_and_not_an_endless_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("precede.checker.engine.search.MOST_IN_TRANSIT", 40)
    calls = calls_of(Flood(), {"sends": 1, "dests": "unicast", "processes": 2})
    with pytest.raises(ModelError, match="packets in transit"):
        explore(calls, calls.bounds, ("Delivery",))


def test_a_message_that_never_reached_a_process_cannot_be_delivered_there() -> None:
    class Conjurer(Relay):
        def receive(self, state: Any, packet: Any) -> Any:
            unknown = packet.message._replace(number=packet.message.number + 1, dests=frozenset({state}))
            return super().receive(state, packet)._replace(delivered=(unknown,))

    calls = calls_of(Conjurer(), {"sends": 1, "dests": "unicast"})
    with pytest.raises(ModelError, match="neither sent nor received"):
        explore(calls, calls.bounds, ("Delivery",))


@pytest.mark.parametrize("dests", ["unicast", "multicast"])
@pytest.mark.parametrize("ask", [explore, explore_histories])
def test_a_message_is_delivered_with_the_destinations_that_it_was_sent_to(ask: Any, dests: str) -> None:
    """With multicasts the others are a set that could have been chosen too."""

    class Readdressing(Relay):
        def receive(self, state: Any, packet: Any) -> Any:
            step = super().receive(state, packet)
            return step._replace(delivered=tuple(m._replace(dests=m.dests ^ {state % 3 + 1}) for m in step.delivered))

    calls = calls_of(Readdressing(), {"sends": 1, "dests": dests})
    with pytest.raises(ModelError, match="with other destinations than those that it was sent to"):
        ask(calls, calls.bounds, ("CausalOrder",))
