"""KS with constant Dests is BSS: LOG is a vector clock. But Dests is not constant in KS, which carries less."""

from __future__ import annotations

import pytest

from naive import Global, Local, Transit
from naively import explored
from precede.models import Message, Packet, Step
from precede.models.bss import BSS, BSSState
from precede.models.ks import KS
from precede.models.ks_broadcast import KSBroadcast, KSBroadcastState

STATE = KSBroadcastState(1, 3, (0, 1, 2), (3, 1, 2))
"""Process 1 of 3 has sent 3 and delivered 1 of process 2 and 2 of process 3."""


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def copy_of(sender: int, number: int, O_M: tuple[int, ...], others: frozenset[int] = frozenset({1, 2, 3})) -> Packet:
    return Packet(sender, 1, Message(sender, number, others - {sender}), O_M)


def test_a_copy_carries_log_as_it_was_before_the_send() -> None:
    message = Message(1, 4, frozenset({2, 3}))
    step = one(KSBroadcast().send(STATE, message))
    assert step.packets == (Packet(1, 2, message, (3, 1, 2)), Packet(1, 3, message, (3, 1, 2)))
    assert step.state == KSBroadcastState(1, 4, (0, 1, 2), (4, 1, 2))


def test_a_copy_waits_for_every_broadcast_of_another_process_that_it_names() -> None:
    assert KSBroadcast().receive(STATE, copy_of(2, 3, (0, 2, 0))) is None
    assert KSBroadcast().receive(STATE, copy_of(2, 2, (0, 1, 3))) is None
    step = one(KSBroadcast().receive(STATE, copy_of(2, 2, (3, 1, 2))))
    assert step.state == KSBroadcastState(1, 3, (0, 2, 2), (3, 2, 2))
    assert KSBroadcast(constant="b").receive(STATE, copy_of(2, 2, (3, 1, 2))) is None


def test_clocks_stand_for_entries_with_the_constant_dests() -> None:
    packet = copy_of(2, 2, (0, 1, 2))
    assert KSBroadcast().packet_facts(packet) == {((2, 1), 1), ((2, 1), 3), ((3, 2), 1), ((3, 2), 2)}
    assert KSBroadcast().state_facts(STATE) == {((1, 3), 2), ((1, 3), 3), ((2, 1), 3), ((3, 2), 2)}
    assert (KSBroadcast().control_units(packet), KSBroadcast().control_bytes(packet)) == (3, 12)


def as_in_bss(state: Global) -> Global:
    """The state with KS's clocks as vector clocks: SR with the own clock, and O_M with the message's own."""

    def local(known: Local) -> Local:
        j, clock, SR, LOG = known.state
        V = (*SR[: j - 1], clock, *SR[j:])
        assert LOG == V
        return known._replace(state=BSSState(j, V))

    def transit(known: Transit) -> Transit:
        packet = known.packet
        assert isinstance(packet, Packet)
        k, tk, O_M = packet.sender, packet.message.number, packet.control
        return known._replace(packet=packet._replace(control=(*O_M[: k - 1], tk, *O_M[k:])))

    network = frozenset((transit(known), count) for known, count in state.network)  # type: ignore[arg-type]
    return Global(tuple(map(local, state.locals)), network, state.faults)


@pytest.mark.parametrize("bounds", [(3, 3), (2, 4), (4, 2)], ids=str)
def test_the_same_states_and_transitions_as_bss(bounds: tuple[int, int]) -> None:
    processes, sends = bounds
    ours = explored(KSBroadcast(), processes=processes, sends=sends)
    bss = explored(BSS(), processes=processes, sends=sends)
    assert {as_in_bss(state) for state in ours.states} == bss.states
    for state, edges in ours.edges.items():
        ends = sorted(hash(as_in_bss(after)) for _, after in edges)
        assert ends == sorted(hash(after) for _, after in bss.edges[as_in_bss(state)])
    assert (ours.transitions, bss.violated) == (bss.transitions, {})


def test_three_processes_three_broadcasts() -> None:
    found = explored(KSBroadcast(), sends=3)
    assert (len(found.states), found.transitions) == (1085, 2424)
    assert found.violated == {"Minimality": 2, "RedundantInPacket": 2, "RedundantInState": 3}


def test_dests_is_not_constant_in_ks() -> None:
    """What KS carries names the receiver alone, or nobody."""
    found = explored(KS(), sends=3, dests="broadcast")
    packets = {t.packet for state in found.states for t, _ in state.network}  # type: ignore[attr-defined]
    carried = {(len(D), {packet.to} >= D) for packet in packets for _, D in packet.control}
    assert carried == {(0, True), (1, True)}


@pytest.mark.parametrize(("self_addressed", "states"), [("network", 501), ("at-send", 67)])
def test_dests_may_include_the_sender(self_addressed: str, states: int) -> None:
    bounds = {"processes": 2, "sends": 3, "dests": "broadcast", "self_addressed": self_addressed}
    found, ks = explored(KSBroadcast("b"), **bounds), explored(KS(), **bounds)
    assert (len(found.states), found.transitions) == (len(ks.states), ks.transitions)
    assert len(found.states) == states
    assert not {"CausalOrder", "Delivery", "NoNeedlessDelay"} & found.violated.keys()


def test_dests_must_not_include_a_sender_that_gets_no_copy() -> None:
    violated = explored(KSBroadcast("b"), sends=2).violated
    assert (violated["NoNeedlessDelay"], violated["Delivery"]) == (3, 5)
