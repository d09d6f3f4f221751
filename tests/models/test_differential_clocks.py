"""SK under BSS, as algorithms.md, B12 states it, and what SK-1 and SK-2 change."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.differential_clocks import DifferentialClocks, DifferentialClocksState

ZERO = (0, 0, 0)
NOTHING = frozenset[tuple[Message, tuple[int, ...]]]()
STATE = DifferentialClocksState(1, (3, 1, 2), 6, (0, 4, 4), (4, 2, 6), (ZERO, (0, 1, 0), (1, 1, 2)), NOTHING)
"""Process 1 of 3 has sent 3 and delivered 3 messages: the last event before its last send, event 4, was a delivery of
process 3, and so was the event after it, event 5; event 6 was another."""


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def copy_of(sender: int, number: int, *entries: tuple[int, int]) -> Packet:
    return Packet(sender, 1, Message(sender, number, frozenset({1, 2, 3}) - {sender}), frozenset(entries))


def test_a_copy_carries_what_has_changed_since_the_last_copy_to_its_destination() -> None:
    state = STATE._replace(LS=(0, 4, 1))
    step = one(DifferentialClocks().send(state, Message(1, 4, frozenset({2, 3}))))
    assert {packet.to: packet.control for packet in step.packets} == {
        2: {(1, 4), (3, 2)},
        3: {(1, 4), (2, 1), (3, 2)},
    }
    assert step.state == state._replace(V=(4, 1, 2), c=7, LS=(0, 7, 7), LU=(7, 2, 6))


def test_sk_2a_rebuilds_the_vector_at_the_arrival_and_delivers_later() -> None:
    packet = copy_of(3, 3, (3, 3))
    step = one(DifferentialClocks().receive(STATE, packet))
    assert step == Step(
        STATE._replace(T=(ZERO, (0, 1, 0), (1, 1, 3)), waiting=frozenset({(packet.message, (1, 1, 3))}))
    )
    [delivery] = DifferentialClocks().internal(step.state)
    assert (delivery.name, delivery.delivered) == ("deliver 3.3", (packet.message,))
    assert delivery.state == step.state._replace(V=(3, 1, 3), c=7, LU=(4, 2, 7), waiting=NOTHING)


def test_sk_2b_rebuilds_it_at_the_delivery_and_otherwise_leaves_the_packet_where_it_is() -> None:
    model = DifferentialClocks(rebuilt="b")
    step = one(model.receive(STATE, copy_of(3, 3, (3, 3))))
    assert (step.state.V, step.state.T[2], len(step.delivered)) == ((3, 1, 3), (1, 1, 3), 1)
    assert model.receive(STATE, copy_of(3, 4, (3, 4))) is None
    assert model.receive(STATE, copy_of(3, 3, (3, 3), (2, 2))) is None


def test_sk_1b_counts_no_deliveries_so_that_they_seem_no_change() -> None:
    model = DifferentialClocks(counter="b", rebuilt="b")
    after = one(model.receive(model.start(1, 3), copy_of(3, 1, (3, 1)))).state
    assert (after.c, after.LU) == (0, ZERO)
    [packet, _] = one(model.send(after, Message(1, 1, frozenset({2, 3})))).packets
    assert packet.control == {(1, 1)}


def test_the_own_copy_is_delivered_and_changes_nothing() -> None:
    assert one(DifferentialClocks().receive(STATE, copy_of(1, 3, (1, 3)))).state == STATE


def test_control_is_6_bytes_a_pair() -> None:
    copy = copy_of(3, 3, (3, 3), (2, 2))
    assert (DifferentialClocks().control_units(copy), DifferentialClocks().control_bytes(copy)) == (2, 12)


@pytest.mark.parametrize(
    ("letters", "bound", "counts", "shortest"),
    [
        ("aa", {"sends": 3}, (8_606, 25_962), {}),
        ("aa", {"sends": 2, "channel": "unordered"}, (724, 1_632), {}),
        ("aa", {"sends": 3, "processes": 2, "channel": "unordered"}, (248, 392), {}),
        ("ab", {"sends": 3}, (1_401, 2_898), {}),
        ("ab", {"sends": 3, "channel": "unordered"}, (1_401, 2_898), {}),
        ("ba", {"sends": 2}, (541, 1_308), {"CausalOrder": 6}),
        ("bb", {"sends": 2}, (136, 255), {"CausalOrder": 4}),
        ("bb", {"sends": 2, "channel": "unordered"}, (136, 255), {"CausalOrder": 4}),
    ],
)
def test_broadcasts_at_small_bounds(
    letters: str, bound: dict[str, Any], counts: tuple[int, int], shortest: dict[str, int]
) -> None:
    """Rebuilt at the delivery, vectors need no FIFO: the message before it of the same sender is then delivered."""
    found = explored(DifferentialClocks(*letters), **bound)
    assert ((len(found.states), found.transitions), found.violated) == (counts, shortest)


def test_without_fifo_vectors_rebuilt_at_the_arrival_demand_too_much() -> None:
    """Process 1 sends twice, and before the second time delivers an answer of process 2 to the first. At 3 the second
    overtakes the first, which is then rebuilt with the answer in it, waits for it, and it for the first."""
    model = DifferentialClocks()
    states = {p: model.start(p, 3) for p in (1, 2, 3)}

    def broadcast(p: int, number: int) -> dict[int, Any]:
        step = one(model.send(states[p], Message(p, number, frozenset({1, 2, 3} - {p}))))
        states[p] = step.state
        return {packet.to: packet for packet in step.packets}

    def arrive(packet: Packet) -> None:
        states[packet.to] = one(model.receive(states[packet.to], packet)).state

    def deliver(p: int) -> None:
        [step] = model.internal(states[p])
        states[p] = step.state

    first = broadcast(1, 1)
    arrive(first[2])
    deliver(2)
    answer = broadcast(2, 1)
    arrive(answer[1])
    deliver(1)
    second = broadcast(1, 2)
    for packet in (second[3], first[3], answer[3]):
        arrive(packet)
    assert list(model.internal(states[3])) == []
    assert {(m.sender, m.number): T for m, T in states[3].waiting} == {
        (1, 1): (1, 1, 0),
        (1, 2): (2, 1, 0),
        (2, 1): (1, 1, 0),
    }


@pytest.mark.sweep
def test_without_fifo_it_never_goes_the_other_way() -> None:
    """Causal order holds: the sender's own component is on every copy, so its messages are delivered in turn."""
    found = explored(DifferentialClocks(), channel="unordered")
    assert (len(found.states), found.violated) == (19_205, {"NoNeedlessDelay": 7, "Delivery": 12})
