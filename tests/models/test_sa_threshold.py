"""SA: what the threshold does: which values work, how large matrices get, and when extra messages never end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from naive import Found, Global, Local, Naive, Transit
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.history import Past
from precede.checker.loading import LoadedModel
from precede.models import Message, Model, Packet, Signal, Step, Steps
from precede.models.sa import SA, SAState
from precede.models.sa_matrix import Matrix, Vector, entries


def steps_of(steps: Steps) -> list[Step]:
    return [steps] if isinstance(steps, Step) else list(steps or ())


def in_transit(found: Found) -> set[Packet | Signal]:
    """Everything that is ever in an unordered channel."""
    transits = {item for state in found.states for item, _ in state.network}
    return {transit.packet for transit in transits if isinstance(transit, Transit)}


def columns_of(M: Matrix) -> dict[int, Vector]:
    return {i: tuple(row[i - 1] for row in M) for i in range(1, len(M) + 1)}


@pytest.mark.parametrize(
    ("readings", "stored", "attached"),
    [
        ({"K": 9}, 4, 3),
        pytest.param({"K": 3}, 3, 3, marks=pytest.mark.sweep),
        ({"K": 2}, 2, 2),
        ({"K": 1}, 2, 2),
        ({"K": 3, "exceeded": "b"}, 2, 2),
        pytest.param({"K": 2, "exceeded": "b"}, 2, 2, marks=pytest.mark.sweep),
        ({"K": 2, "checked": "b"}, 3, 2),
        ({"K": 2, "checked": "c"}, 4, 3),
        pytest.param({"K": 2, "checked": "d"}, 4, 2, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_the_largest_matrices(readings: dict[str, Any], stored: int, attached: int) -> None:
    """SA-4, and SA-5: K = n - 1 works, since the own column is zero; below it the repetition would never end."""
    found = explored(SA(**readings), processes=3, sends=3)
    carried = {entries(packet.control) for packet in in_transit(found) if isinstance(packet, Packet)}
    assert max(entries(local.state.M) for state in found.states for local in state.locals) == stored
    assert max(carried) == attached


def test_a_repetition_that_would_not_end_is_broken_off() -> None:
    """SA-5, SA-11single: with K = n - 2 an extra message to a column with one entry leaves as many as there were."""
    state = SAState(1, ((0, 1, 1), (0, 0, 0), (0, 0, 0)), (0, 0, 0))
    model = SA(K=1, single="b")
    assert list(model.cleared(1, state.M, "send")) == [(((0, 2, 1), (0, 0, 0), (0, 0, 0)), (Signal(1, 2, (1, 0, 0)),))]
    assert list(SA(K=1).cleared(1, state.M, "send")) == [(state.M, ())]
    assert list(SA(K=2, single="b").cleared(1, state.M, "send")) == [(state.M, ())]


def test_the_own_column_is_replaced_only_where_that_is_allowed() -> None:
    """SA-11own, after a message to itself: only SA-8b has such a column, and never with two entries."""
    M = ((1, 1), (0, 0))
    assert SA(K=1, single="b", own_column="b").victims(1, M) == [2]
    assert SA(K=1, single="b", own_column="b", own_victim="b").victims(1, M) == [1]


def test_extra_messages_for_columns_of_one_entry_delay_needlessly_after_three_steps() -> None:
    assert explored(SA(K=1, single="b"), processes=3, sends=2).violated == {"NoNeedlessDelay": 3}


@dataclass(frozen=True)
class OwnThresholds(SA):
    """Every process has another K."""

    first: int = 1

    def threshold(self, i: int, n: int) -> int:
        return self.first + i


@pytest.mark.parametrize("first", [0, 1])
def test_processes_may_have_different_thresholds(first: int) -> None:
    """C-SA-FW3."""
    assert set(explored(OwnThresholds(first=first), processes=3, sends=3).violated) <= {"NoNeedlessDelay"}


def followed(model: Model, script: list[tuple[Any, ...]], **bounds: Any) -> tuple[Global, set[str]]:
    """The state after a script of sends (process, destinations) and receipts (process, sender, number), and what the
    last step violates."""
    within = Bounds(**({"processes": 4, "sends": 9} | bounds))
    naive = Naive(ModelCalls(LoadedModel("model", model, {}, True), within))
    state = Global(tuple(Local(naive.calls.start(p), Past()) for p in range(1, within.processes + 1)))
    wrong: set[str] = set()
    for event in script:
        ((state, wrong),) = [(after, wrong) for action, after, wrong in naive.steps(state) if named(action) == event]
    return state, wrong


def named(action: Any) -> tuple[Any, ...]:
    if action[0] == "send":
        return action[1], action[2]
    packet = action[1].packet
    return (packet.to, *packet.message[:2]) if isinstance(packet, Packet) else ()


def to(*dests: int) -> frozenset[int]:
    return frozenset(dests)


BY_EIGHT = [
    (4, to(2, 3)),
    (1, to(2, 3, 4)),
    (2, to(1, 4)),
    (1, 2, 1),
    (4, 2, 1),
    (2, to(3, 4)),
    (4, 2, 2),
    (3, to(2, 4)),
    (4, 3, 1),
    (4, to(1)),
    (1, 4, 2),
]
"""Four processes: process 1 has four entries, and a delivery brings four more."""


@pytest.mark.parametrize(("letter", "left"), [("a", 6), ("b", 4)])
def test_one_extra_message_does_not_meet_the_limit(letter: str, left: int) -> None:
    """SA-3a: K = n + 1 = 5, and six entries are stored, and attached to the next message."""
    state, _ = followed(SA(repeated=letter), BY_EIGHT)
    assert entries(state.locals[0].state.M) == left
    after, _ = followed(SA(repeated=letter), [*BY_EIGHT, (1, to(2))])
    new = {item for item, _ in after.network} - {item for item, _ in state.network}
    (packet,) = [t.packet for t in new if isinstance(t, Transit) and isinstance(t.packet, Packet)]
    assert entries(packet.control) == left


RELAYED = [
    (1, to(2)),
    (3, to(2)),
    (3, to(1)),
    (1, 3, 2),
    (1, to(4)),
    (4, 1, 2),
    (4, to(2)),
    (2, 1, 1),
    (2, 4, 1),
]
"""The extra message of 1 to 2 stands for 3.1 to 2; 4.1 names no more than 1.1, and overtakes 3.1 at 2."""


@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
@pytest.mark.parametrize("letter", ["b", "d"])
def test_extra_messages_that_do_not_count_lose_causal_order_with_any_channel(letter: str, channel: str) -> None:
    """SA-6b and d, five unicasts among four processes; with three, channels in order hide it."""
    _, wrong = followed(SA(K=1, extras_counted=letter), RELAYED, channel=channel, dests="unicast")
    assert wrong == {"CausalOrder"}
    with pytest.raises(ValueError, match="not enough values"):
        followed(SA(K=1), RELAYED, channel=channel, dests="unicast")


Relative = tuple[int | None, ...]


def shape(states: list[SAState], network: list[Packet | Signal]) -> object:
    """All counts relative to what is delivered: two global states of one shape go on alike."""

    def relative(b: int, column: Vector) -> Relative:
        return tuple(x - states[b - 1].DELIV[k] if x else None for k, x in enumerate(column))

    matrices = [[relative(b, column) for b, column in columns_of(s.M).items()] for s in states]
    carried = [[relative(b, column) for b, column in columns_of(q.control).items()] for q in network]
    return repr((matrices, [(q.sender, q.to, type(q), c) for q, c in zip(network, carried, strict=True)]))


def after_broadcasts(model: Model, n: int) -> tuple[list[Any], list[Any]]:
    """The states and what is in transit when each of n processes has sent a message to all others."""
    states, network = [model.start(i, n) for i in range(1, n + 1)], []
    for i in range(1, n + 1):
        (step,) = steps_of(model.send(states[i - 1], Message(i, 1, frozenset(range(1, n + 1)) - {i})))
        states[i - 1] = step.state
        network += step.packets
    return states, network


def receipts(model: Model, states: list[Any], network: list[Any]) -> Iterator[list[Any]]:
    """Receipts alone, the oldest packet first that can be received: what is in transit, before each of them."""
    while True:
        yield network
        taken = next(((q, steps[0]) for q in network if (steps := offered(model, states[q.to - 1], q))), None)
        if taken is None:
            return
        q, step = taken
        states[q.to - 1] = step.state
        network = [other for other in network if other is not q] + list(step.packets)


def offered(model: Model, state: Any, q: Packet | Signal) -> list[Step]:
    return steps_of(model.receive(state, q) if isinstance(q, Packet) else model.signal(state, q))


MERGING = {"carried": "b", "extras_merged": "b"}


def test_merged_extra_messages_may_go_on_for_ever() -> None:
    """SA-7b with SA-13b, n = 3, K = n - 1: after three broadcasts, step 29 leads back to where step 11 has led."""
    model = SA(K=2, **MERGING)
    states, network = after_broadcasts(model, 3)
    seen: dict[object, int] = {}
    for number, now in enumerate(receipts(model, states, network)):
        if (here := shape(states, now)) in seen:
            break
        seen[here] = number
    assert (seen[here], number) == (11, 29)
    assert all(isinstance(q, Signal) for q in now)


def test_merged_extra_messages_multiply_at_k_n_plus_1() -> None:
    """The same with n = 4 and K = 5: what is in transit grows, as far as it is followed, after four broadcasts."""
    model = SA(**MERGING)
    numbers = [len(now) for now, _ in zip(receipts(model, *after_broadcasts(model, 4)), range(801), strict=False)]
    assert [numbers[k] for k in (0, 100, 200, 400, 800)] == [12, 26, 36, 53, 84]
    column_only = SA(extras_merged="b")
    followed_up = list(receipts(column_only, *after_broadcasts(column_only, 4)))
    assert (len(followed_up) - 1, followed_up[-1]) == (12 + 8, [])
