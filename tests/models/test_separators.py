"""Causal separators as algorithms.md, B10 states it, and what RV-1 changes."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Packet, Sets, Step
from precede.models.ks import KS
from precede.models.rst import RST
from precede.models.separators import Separators, ZonedControl, routes

ZERO = ((0, 0), (0, 0))


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


def sets(*groups: set[int]) -> Sets:
    return tuple(map(frozenset, groups))


CHAIN = sets({1, 2}, {2, 3}, {3, 4})
LEFT, MIDDLE, RIGHT = CHAIN


@pytest.mark.parametrize(
    ("letter", "processes", "zones"),
    [
        ("a", 2, [{1, 2}]),
        ("a", 3, [{1, 2}, {2, 3}]),
        ("a", 4, [{1, 2}, {2, 3, 4}]),
        ("a", 5, [{1, 2, 3}, {3, 4, 5}]),
        ("b", 3, [{1, 2}, {2, 3}, {3, 1}]),
        ("b", 4, [{1, 2}, {2, 3}, {3, 4}, {4, 1}]),
        ("d", 4, [{1, 2, 3}, {2, 3, 4}]),
    ],
)
def test_default_zones(letter: str, processes: int, zones: list[set[int]]) -> None:
    assert list(Separators(connected=letter).orderings(processes)) == zones
    assert list(Separators(sets({3, 1}), letter).orderings(processes)) == [{1, 3}]


def test_a_message_goes_by_the_gateway_nearest_to_its_destination() -> None:
    assert routes(CHAIN, 1) == {2: (LEFT, 2), 3: (LEFT, 2), 4: (LEFT, 2)}
    assert routes(CHAIN, 2) == {1: (LEFT, 1), 3: (MIDDLE, 3), 4: (MIDDLE, 3)}
    two_gateways = sets({1, 2, 3}, {2, 3, 4})
    assert routes(two_gateways, 1) == {p: (two_gateways[0], hop) for p, hop in {2: 2, 3: 3, 4: 2}.items()}
    assert routes(two_gateways, 2)[3] == (two_gateways[0], 3)


def test_members_are_numbered_in_their_zone_and_know_no_one_else() -> None:
    """Process 3 is member 1 of {3,4} and member 2 of {2,3}."""
    state: Any = Separators(CHAIN).start(3, 4)
    assert [(zone, member.process, member.sent) for zone, member in state.zones] == [
        (MIDDLE, KS().start(2, 2), 0),
        (RIGHT, KS().start(1, 2), 0),
    ]


def test_a_send_is_one_message_in_each_zone_that_it_goes_through() -> None:
    """2 tells all others: member 2 of {1,2} tells 1; member 1 of {2,3} tells 2, for 3 and 4."""
    model, message = Separators(CHAIN, inner="b"), Message(2, 1, frozenset({1, 3, 4}))
    step = one(model.send(model.start(2, 4), message))
    to_1, to_3 = Message(2, 1, frozenset({1})), Message(1, 1, frozenset({2}))
    assert step.packets == (
        Packet(2, 1, message, ZonedControl(LEFT, to_1, frozenset({1}), ZERO)),
        Packet(2, 3, message, ZonedControl(MIDDLE, to_3, frozenset({3, 4}), ZERO)),
    )
    again = Message(2, 2, frozenset({4}))
    (packet,) = one(model.send(step.state, again)).packets
    assert packet == Packet(
        2, 3, again, ZonedControl(MIDDLE, Message(1, 2, frozenset({2})), frozenset({4}), ((0, 1), (0, 0)))
    )


def test_a_gateway_delivers_what_is_for_itself_and_sends_on_the_rest() -> None:
    model = Separators(CHAIN, inner="b")
    for dests, delivers in (frozenset({3, 4}), True), (frozenset({4}), False):
        message = Message(2, 1, dests)
        (packet,) = one(model.send(model.start(2, 4), message)).packets
        assert isinstance(packet, Packet) and packet.to == 3
        step = one(model.receive(model.start(3, 4), packet))
        assert step.delivered == (message,) * delivers
        on = ZonedControl(RIGHT, Message(1, 1, frozenset({2})), frozenset({4}), ZERO)
        assert step.packets == (Packet(3, 4, message, on),)
        last = one(model.receive(model.start(4, 4), Packet(3, 4, message, on)))
        assert (last.delivered, last.packets) == ((message,), ())


def test_each_member_gets_its_own_share_of_the_destinations() -> None:
    """2 tells 1 and 3, which is a gateway to 4: one message of the zone {1,2,3}, with two copies."""
    model, message = Separators(sets({1, 2, 3}, {3, 4})), Message(2, 1, frozenset({1, 3, 4}))
    packets = one(model.send(model.start(2, 4), message)).packets
    copies = [(p.to, p.control.message, set(p.control.ahead)) for p in packets if isinstance(p, Packet)]
    in_zone = Message(2, 1, frozenset({1, 3}))
    assert copies == [(1, in_zone, {1}), (3, in_zone, {3, 4})]


def test_a_copy_that_is_only_for_others_is_not_delivered() -> None:
    """In a cycle a destination can be on the way to another one, and get its own copy elsewhere."""
    model, message = Separators(CHAIN), Message(2, 1, frozenset({3, 4}))
    (packet,) = one(model.send(model.start(2, 4), message)).packets
    assert isinstance(packet, Packet)
    passing = packet._replace(control=packet.control._replace(ahead=frozenset({4})))
    step = one(model.receive(model.start(3, 4), passing))
    assert (step.delivered, len(step.packets)) == ((), 1)


def overtaken(letter: str) -> tuple[Separators, Packet, Packet]:
    """Two messages from 1 to 3, which go by 2."""
    model = Separators(connected=letter)
    first = one(model.send(model.start(1, 3), Message(1, 1, frozenset({3}))))
    second = one(model.send(first.state, Message(1, 2, frozenset({3}))))
    one_, two = first.packets[0], second.packets[0]
    assert isinstance(one_, Packet) and isinstance(two, Packet)
    return model, one_, two


def test_a_gateway_sends_on_in_the_order_of_its_zone() -> None:
    model, first, second = overtaken("a")
    state = model.start(2, 3)
    assert model.receive(state, second) is None
    after = one(model.receive(state, first))
    assert [packet.message.number for packet in after.packets if isinstance(packet, Packet)] == [1]
    assert model.receive(after.state, second) is not None


def test_or_on_arrival() -> None:
    """It delivers in the zone later: here, where it is a destination too, when the first message has arrived."""
    model, first, second = overtaken("e")
    late = one(model.receive(model.start(2, 3), second))
    assert [p.message for p in late.packets if isinstance(p, Packet)] == [second.message]
    assert late.state.buffer == {second}
    after = one(model.receive(late.state, first))
    assert [p.message for p in after.packets if isinstance(p, Packet)] == [first.message]
    assert (after.delivered, after.state.buffer) == ((), frozenset())

    for_2 = Message(1, 2, frozenset({2}))
    (packet,) = one(model.send(one(model.send(model.start(1, 3), first.message)).state, for_2)).packets
    waiting = one(model.receive(model.start(2, 3), packet))
    assert (waiting.delivered, waiting.packets) == ((), ())
    assert one(model.receive(waiting.state, first)).delivered == (for_2,)


def test_past_the_gateways_a_message_carries_nothing() -> None:
    """RV-1c: 1 tells 2 in their zone and 3 directly."""
    model, message = Separators(connected="c"), Message(1, 1, frozenset({2, 3}))
    to_2, to_3 = one(model.send(model.start(1, 3), message)).packets
    assert to_3 == Packet(1, 3, message, None) and to_2.to == 2
    assert one(model.receive(model.start(3, 3), to_3)).delivered == (message,)
    assert (model.control_units(to_3), model.control_bytes(to_3)) == (0, 0)


def test_a_process_in_no_zone_is_not_reached() -> None:
    model = Separators(sets({1, 2}, {3, 4}))
    assert model.send(model.start(1, 4), Message(1, 1, frozenset({2, 3}))) is None
    assert model.send(model.start(1, 4), Message(1, 1, frozenset({2}))) is not None


def test_the_control_information_is_that_of_the_zone() -> None:
    """A matrix of 2 x 2 counters among 4 processes; KS's two initial entries, and none about a destination."""
    for inner, units, size in ("b", 4, 16), ("a", 0, 12):
        model = Separators(CHAIN, inner=inner)
        (packet,) = one(model.send(model.start(1, 4), Message(1, 1, frozenset({4})))).packets
        assert isinstance(packet, Packet)
        assert (model.control_units(packet), model.control_bytes(packet)) == (units, size)
        whole = RST() if inner == "b" else KS()
        (packet,) = one(whole.send(whole.start(1, 4), Message(1, 1, frozenset({4})))).packets
        assert isinstance(packet, Packet)
        assert whole.control_bytes(packet) > size


TRIANGLE = sets({1, 3}, {1, 4}, {3, 4})
"""Of four processes three, which tell each other."""
Verdict = dict[str, int]


def judged(model: Separators, **bounds: Any) -> tuple[int, int, Verdict]:
    """States, transitions, and the lengths of the shortest violations of what is claimed."""
    found = explored(model, **bounds)
    claimed = {name: length for name, length in found.violated.items() if name in model.claims}
    return len(found.states), found.transitions, claimed


@pytest.mark.parametrize(("inner", "states", "transitions"), [("a", 9752, 17164), ("b", 9205, 16708)])
def test_three_processes_in_two_zones(inner: str, states: int, transitions: int) -> None:
    assert judged(Separators(inner=inner), processes=3, sends=3) == (states, transitions, {})


def test_the_order_of_a_zone_includes_that_of_its_channels() -> None:
    found = {judged(Separators(), processes=3, sends=2, channel=channel)[:2] for channel in ("unordered", "fifo")}
    assert found == {(508, 747)}


STAR = sets({1, 2}, {1, 3}, {1, 4})


@pytest.mark.parametrize(("zones", "states"), [((), 2647), (CHAIN, 4015), (STAR, 1912)])
def test_four_processes(zones: Sets, states: int) -> None:
    found = judged(Separators(zones), processes=4, sends=3, dests="groups", groups=TRIANGLE)
    assert (found[0], found[2]) == (states, {})


@pytest.mark.parametrize(
    ("letter", "channel", "length"),
    [("b", "unordered", 4), ("b", "fifo", 4), ("c", "unordered", 3), ("c", "fifo", 4), ("e", "unordered", 4)],
)
def test_what_breaks_with_two_multicasts_of_three_processes(letter: str, channel: str, length: int) -> None:
    found = judged(Separators(connected=letter), processes=3, sends=2, channel=channel)
    assert found[2] == {"CausalOrder": length}


@pytest.mark.parametrize(
    ("letter", "channel", "length"),
    [("a", "fifo", 0), ("b", "fifo", 5), ("c", "fifo", 5), ("d", "unordered", 5), ("d", "fifo", 5), ("e", "fifo", 6)],
)
def test_what_breaks_with_three_unicasts_of_four_processes(letter: str, channel: str, length: int) -> None:
    """b: the message from 1 to 3 goes by 2, those from 1 to 4 and from 4 to 3 the other way round. d: that from 1 to 4
    by the gateway 2, those from 1 to 3 and from 3 to 4 not. e: 3 tells 1, then 4; 4 tells 1; at the gateway 2 the
    second arrives first, and is sent on."""
    found = judged(Separators(connected=letter), processes=4, sends=3, dests="groups", groups=TRIANGLE, channel=channel)
    assert found[2] == ({"CausalOrder": length} if length else {})


def test_in_a_zone_of_two_a_gateway_may_forward_on_arrival_if_channels_are_fifo() -> None:
    assert judged(Separators(connected="e"), processes=3, sends=2, channel="fifo") == (508, 747, {})


def test_two_gateways_do_no_harm_where_one_zone_is_part_of_the_other() -> None:
    assert judged(Separators(connected="d"), processes=3, sends=2) == judged(
        Separators(sets({1, 2, 3})), processes=3, sends=2
    )
