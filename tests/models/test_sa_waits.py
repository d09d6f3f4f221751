"""SA: messages that wait for extra messages alone, and how long such chains of waits get (SA-18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from followed import followed, receive, send
from naive import Global, Transit
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.claims.sa import carried_column
from precede.checker.engine import explore
from precede.checker.loading import LoadedModel
from precede.checker.local import is_due
from precede.checker.properties import select_properties
from precede.checker.scenario import load_scenario, scripted_bounds
from precede.models import Packet, Signal
from precede.models.sa import SA
from precede.models.sa_witness import SAWitness


def chains(state: Global) -> Iterator[int]:
    """For each user message that has to wait although causal order would allow its delivery: how many extra messages,
    each waiting for the next one at the same process, it waits for."""
    for p, local in enumerate(state.locals, 1):
        to_p = [t for t, _ in state.network if isinstance(t, Transit) and t.packet.to == p]
        delivered = local.state.DELIV  # type: ignore[attr-defined]
        for t in to_p:
            if isinstance(t.packet, Packet) and t.sent and is_due(t.sent, local.past, p):
                yield waits(t, to_p, delivered)


def waits(t: Transit, to_p: list[Transit], delivered: tuple[int, ...]) -> int:
    """The longest chain of extra messages in transit from which `t` waits for the first."""
    column = carried_column(t.packet)
    if all(x <= y for x, y in zip(column, delivered, strict=True)):
        return 0
    extras = [x for x in to_p if isinstance(x.packet, Signal) and names(column, x)]
    return max((1 + waits(x, to_p, delivered) for x in extras), default=0)


def names(column: tuple[int, ...], extra: Transit) -> bool:
    """Whether `column` asks for this extra message: it is one of the first so many of its sender."""
    k = extra.packet.sender - 1
    return column[k] >= carried_column(extra.packet)[k] + 1


@pytest.mark.parametrize(
    ("bounds", "states"), [({"sends": 3}, {1: 66}), ({"sends": 4, "dests": "unicast"}, {})], ids=str
)
def test_states_by_their_longest_chain(bounds: dict[str, Any], states: dict[int, int]) -> None:
    """K = n - 1, 3 processes: a message waits for one extra message, for no chain of two."""
    found = explored(SA(K=2), processes=3, **bounds)
    assert Counter(most for state in found.states if (most := max(chains(state), default=0))) == states


def chain_of(length: int) -> tuple[Any, ...]:
    """1 and 2 send to 3, and then to each other in turns: with every delivery one of them sends an extra message to 3
    that names the last one of the other. At last the sender of the last one sends to 3, and all that is due comes."""
    script = [send(2, 3), send(2, 1), receive(1, 2, 2), send(1, 3), send(1, 2), receive(2, 1, 2)]
    number, sender, other = {1: 2, 2: 2}, 2, 1
    for _ in range(length - 1):
        number[sender] += 1
        script += [send(sender, other), receive(other, sender, number[sender])]
        sender, other = other, sender
    return (*script, send(sender, 3), receive(3, 2, 1), receive(3, 1, 1))


@pytest.mark.parametrize("length", range(1, 7))
def test_chains_of_waits_have_no_bound(length: int) -> None:
    """One user message more makes the chain one longer; `length` + 5 unicasts, K = n - 1."""
    script = chain_of(length)
    state = followed(SA(K=2), *script, processes=3, sends=length + 5).state
    assert max(chains(state)) == length


@pytest.mark.parametrize("length", [1, 2])
def test_nothing_waits_where_extra_messages_arrive_first(length: int) -> None:
    """K = n^2: there are none."""
    assert max(chains(followed(SA(K=9), *chain_of(length), processes=3, sends=length + 5).state)) == 0


SCENARIO = Path(__file__).parents[2] / "checker" / "verdicts" / "scenarios" / "SA-18.txt"


@pytest.mark.parametrize(("K", "longest"), [(2, 3), (9, 0)])
def test_the_claims_about_chains_say_the_same(K: int, longest: int) -> None:
    """C-SA-18-0 to C-SA-18-3: a copy of the scenario asks for a chain of three."""
    model = SAWitness(K=K)
    scenario = load_scenario(SCENARIO)
    bounds = scripted_bounds(scenario, Bounds())
    properties = select_properties([f"C-SA-18-{length}" for length in range(4)], model)
    calls = ModelCalls(LoadedModel("model", model, {}, True), bounds)
    result = explore(calls, bounds, properties, scenario=scenario)
    assert [p.verdict for p in result.properties] == ["violated"] * longest + ["holds"] * (4 - longest)
