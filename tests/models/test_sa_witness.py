"""SA: what the counts of a matrix stand for, user and extra messages, with a witness of what was sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from naive import Found, Transit
from naively import explored
from precede.checker.claims.sa import carried_column
from precede.models import Fact, Message, Packet, Signal, Step, Steps
from precede.models.sa import SA
from precede.models.sa_matrix import Matrix, Vector


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


@dataclass(frozen=True)
class Asserting(Witness):
    """The same, asked for what it asserts to be outstanding."""

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


def in_transit(found: Found) -> set[Packet | Signal]:
    """Everything that is ever in an unordered channel."""
    transits = {item for state in found.states for item, _ in state.network}
    return {transit.packet for transit in transits if isinstance(transit, Transit)}


TWO_LOADS: list[dict[str, Any]] = [{"sends": 3}, {"sends": 4, "dests": "unicast"}]


@pytest.mark.parametrize(("K", "bounds"), [(2, TWO_LOADS[0]), (1, TWO_LOADS[1])])
def test_every_count_is_of_messages_sent_before_and_no_extra_message_is_left(K: int, bounds: dict[str, Any]) -> None:
    """C-SA-ACC and C-SA-T6, extra messages included."""
    found = explored(Witness(K=K), processes=3, **bounds)
    for packet in in_transit(found):
        control, sent = packet.control
        known = {cell[:3] for cell in sent}
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
    violated = explored(Asserting(K=K), processes=3, **bounds).violated
    assert {name: steps for name, steps in violated.items() if "In" in name} == wrong
