"""SA: what the threshold does: which values work, how large matrices get, and when extra messages never end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from naive import Found, Global, Local, Naive, Transit
from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.claims.sa import carried_column
from precede.checker.history import Past
from precede.checker.loading import LoadedModel
from precede.models import Fact, Message, Model, Packet, Signal, State, Step, Steps
from precede.models.sa import SA, SAState
from precede.models.sa_matrix import Matrix, Vector, entries


class Carried(NamedTuple):
    """Control information with a witness: (k, i, x, id) for each message x of k to i that was sent before, the extra
    ones included; id is that of a user message."""

    control: Any
    sent: frozenset[tuple[int, int, int, Any]]


@dataclass(frozen=True)
class Witness(SA):
    """SA with a witness of the past, which takes no part in it: states are (SAState, sent)."""

    def start(self, me: int, processes: int) -> Any:
        return Carried(super().start(me, processes), frozenset())

    def send(self, state: Any, message: Message) -> Steps:
        return witnessed(super().send(state.control, message), state.sent)

    def receive(self, state: Any, packet: Packet) -> Steps:
        i, (M, sent) = packet.sender, packet.control
        own = {(i, d, M[i - 1][d - 1] + 1, packet.message[:2]) for d in packet.message.dests}
        return witnessed(super().receive(state.control, packet._replace(control=M)), state.sent | sent | own)

    def signal(self, state: Any, signal: Signal) -> Steps:
        return witnessed(super().signal(state.control, signal._replace(control=signal.control.control)), state.sent)

    def state_facts(self, state: Any) -> frozenset[Fact]:
        return asserted(state.control.M, state.sent)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        return asserted(*packet.control)


def witnessed(steps: Steps, sent: frozenset[Any]) -> list[Step]:
    found = []
    for step in steps_of(steps):
        now, packets = sent, []
        for t in step.packets:
            packets.append(t._replace(control=Carried(t.control, now)))
            id = t.message[:2] if isinstance(t, Packet) else None
            now |= {(t.sender, t.to, carried_column(t)[t.sender - 1] + 1, id)}
        found.append(step._replace(state=Carried(step.state, now), packets=tuple(packets)))
    return found


def steps_of(steps: Steps) -> list[Step]:
    return [steps] if isinstance(steps, Step) else list(steps or ())


def asserted(M: Matrix, sent: frozenset[Any]) -> frozenset[Fact]:
    """The newest user message behind each entry of M; an extra message is none."""
    ids = {(k, i, x): id for k, i, x, id in sent}
    cells = ((k, i, x) for k, row in enumerate(M, 1) for i, x in enumerate(row, 1) if x)
    return frozenset((ids[cell], cell[1]) for cell in cells if ids[cell])


def transits(found: Found) -> Iterator[Transit]:
    for state in found.states:
        for item, content in state.network:
            yield from content if isinstance(content, tuple) else [item]  # type: ignore[misc]


TWO_LOADS: list[dict[str, Any]] = [{"sends": 3}, {"sends": 4, "dests": "unicast"}]


@pytest.mark.parametrize("bounds", TWO_LOADS, ids=str)
@pytest.mark.parametrize("K", [1, 2, 9])
def test_every_count_is_of_messages_sent_before_and_no_extra_message_is_left(K: int, bounds: dict[str, Any]) -> None:
    """C-SA-ACC and C-SA-T6, extra messages included."""
    found = explored(Witness(K=K), processes=3, **bounds)
    for transit in transits(found):
        control, sent = transit.packet.control
        known = {cell[:3] for cell in sent}
        columns = {transit.packet.to: control} if isinstance(transit.packet, Signal) else columns_of(control)
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
    violated = explored(Witness(K=K), processes=3, **bounds).violated
    assert {name: steps for name, steps in violated.items() if "In" in name} == wrong


@pytest.mark.parametrize(
    ("readings", "stored", "attached"),
    [
        ({"K": 9}, 4, 4),
        ({"K": 3}, 3, 3),
        ({"K": 2}, 2, 2),
        ({"K": 1}, 2, 2),
        ({"K": 3, "exceeded": "b"}, 2, 2),
        ({"K": 2, "exceeded": "b"}, 2, 2),
        ({"K": 2, "checked": "b"}, 3, 2),
        ({"K": 2, "checked": "c"}, 4, 4),
        ({"K": 2, "checked": "d"}, 4, 2),
    ],
    ids=str,
)
def test_the_largest_matrices(readings: dict[str, Any], stored: int, attached: int) -> None:
    """SA-4, and SA-5: K = n - 1 works, since the own column is zero; below it the repetition would never end."""
    found = explored(SA(**readings), processes=3, sends=3)
    carried = {entries(t.packet.control) for t in transits(found) if isinstance(t.packet, Packet)}
    assert max(entries(local.state.M) for state in found.states for local in state.locals) == stored
    assert max(carried) == attached


def test_a_repetition_that_would_not_end_is_broken_off() -> None:
    """SA-5, SA-11single: with K = n - 2 an extra message to a column with one entry leaves as many as there were."""
    state = SAState(1, ((0, 1, 1), (0, 0, 0), (0, 0, 0)), (0, 0, 0))
    model = SA(K=1, single="b")
    assert list(model.cleared(1, state.M, "send")) == [(((0, 2, 1), (0, 0, 0), (0, 0, 0)), (Signal(1, 2, (1, 0, 0)),))]
    assert list(SA(K=1).cleared(1, state.M, "send")) == [(state.M, ())]
    assert list(SA(K=2, single="b").cleared(1, state.M, "send")) == [(state.M, ())]


def test_it_counts_as_a_send_to_a_column_of_one_entry_at_every_event() -> None:
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
    (1, to(2, 3, 4)),
    (2, to(1, 4)),
    (1, 2, 1),
    (4, 2, 1),
    (2, to(3, 4)),
    (4, 2, 2),
    (3, to(2, 4)),
    (4, 3, 1),
    (4, to(2, 3)),
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
    (packet,) = [t.packet for t, _ in after.network if isinstance(t, Transit) and t not in dict(state.network)]
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


def lasso(model: Model, states: list[Any], network: list[Any]) -> tuple[int, int] | None:
    """Receipts alone, the oldest packet first: the steps to the first shape that returns, and to its return."""
    seen: dict[object, int] = {}
    while (now := shape(states, network)) not in seen:
        assert len(seen) < 1000
        seen[now] = len(seen)
        for q in network:
            state: State = states[q.to - 1]
            steps = steps_of(model.receive(state, q) if isinstance(q, Packet) else model.signal(state, q))
            if steps:
                states[q.to - 1] = steps[0].state
                network = [other for other in network if other is not q] + list(steps[0].packets)
                break
        else:
            return None
    return seen[now], len(seen)


@pytest.mark.parametrize(
    ("n", "K", "sends", "expected"),
    [(3, 2, 1, (11, 29)), (3, 3, 9, None), (4, 5, 1, None)],
)
def test_extra_messages_may_go_on_for_ever(n: int, K: int, sends: int, expected: object) -> None:
    """SA-7b with SA-13b, every process broadcasts: an extra message that is merged brings back what another removed."""
    model = SA(K=K, carried="b", extras_merged="b")
    states: list[Any] = [model.start(i, n) for i in range(1, n + 1)]
    network: list[Any] = []
    for number in range(1, sends + 1):
        for i in range(1, n + 1):
            step = steps_of(model.send(states[i - 1], Message(i, number, frozenset(range(1, n + 1)) - {i})))[0]
            states[i - 1], network = step.state, network + list(step.packets)
    assert lasso(model, states, network) == expected
