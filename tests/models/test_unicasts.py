"""A multicast as unicasts (X-7): causal order of unicasts is not causal order of multicasts."""

from __future__ import annotations

import pytest

from naively import explored
from precede.models import Message, Model, Packet, Step
from precede.models.jang import Jang
from precede.models.ks import KS
from precede.models.null import Null
from precede.models.oracle import Oracle
from precede.models.prs import PRS
from precede.models.rst import RST
from precede.models.ses import SES
from precede.models.unicasts import InterleavedUnicasts, Unicasts, UnicastsState

TO_BOTH = Message(1, 1, frozenset({2, 3}))


def only(steps: object) -> Step:
    (step,) = steps  # type: ignore[misc, attr-defined]
    assert isinstance(step, Step)
    return step


def test_each_copy_is_a_message_of_its_own_to_the_inner_model() -> None:
    model = Unicasts(RST())
    step = only(model.send(model.start(1, 3), TO_BOTH))
    assert [packet.message for packet in step.packets] == [TO_BOTH, TO_BOTH]
    assert [packet.control.unicast for packet in step.packets] == [(1, 1, {2}), (1, 2, {3})]
    assert [packet.control.control[0] for packet in step.packets] == [(0, 0, 0), (0, 1, 0)]
    assert step.state == UnicastsState(RST().start(1, 3)._replace(SENT=((0, 1, 1), (0, 0, 0), (0, 0, 0))), 2)
    assert model.control_bytes(step.packets[0]) == 36


def test_the_receiver_of_one_copy_does_not_know_of_the_next() -> None:
    model = Unicasts(Jang())
    to_2, to_3 = only(model.send(model.start(1, 3), TO_BOTH)).packets
    assert isinstance(to_2, Packet) and isinstance(to_3, Packet)
    at_2 = only(model.receive(model.start(2, 3), to_2))
    assert at_2.delivered == (TO_BOTH,)
    assert Jang().state_facts(at_2.state.process) == frozenset()  # type: ignore[attr-defined]
    assert Jang().packet_facts(model.unicast(to_3)) == {((1, 1), 2)}


def test_x_7c_sends_the_copies_in_the_order_of_their_messages() -> None:
    model = InterleavedUnicasts(RST())
    state = model.start(1, 3)
    for message in (TO_BOTH, Message(1, 2, frozenset({2}))):
        step = model.send(state, message)
        assert isinstance(step, Step) and step.packets == ()
        state = step.state  # type: ignore[assignment]
    names = []
    while steps := list(model.internal(state)):
        names.append(only(steps).name)
        state = only(steps).state  # type: ignore[assignment]
    assert names == ["send 1.1 to 2", "send 1.1 to 3", "send 1.2 to 2"]
    assert state.sent == 3


@pytest.mark.parametrize("channel", ["unordered", "fifo"])
@pytest.mark.parametrize("inner", [RST(), KS(), Jang(), SES(), PRS(), Oracle()], ids=lambda m: type(m).__name__)
def test_no_algorithm_orders_multicasts_that_are_sent_one_by_one(inner: Model, channel: str) -> None:
    """2 has its copy and tells 3, which does not have its own."""
    found = explored(Unicasts(inner), processes=3, sends=2, channel=channel)
    assert (len(found.states), found.violated) == (493, {"CausalOrder": 4})


@pytest.mark.parametrize(("sends", "states"), [(2, 493), (3, 9235)])
def test_consecutive_unicasts_of_rst_are_its_readings_5b_and_1b(sends: int, states: int) -> None:
    of_readings = explored(RST(copies="b", recorded="b"), processes=3, sends=sends)
    unicasts = explored(Unicasts(RST()), processes=3, sends=sends)
    assert len(unicasts.states) == len(of_readings.states) == states
    assert unicasts.transitions == of_readings.transitions
    assert unicasts.violated == of_readings.violated == {"CausalOrder": 4}


@pytest.mark.parametrize("inner", [RST(), KS(), Jang()], ids=["rst", "ks", "jang"])
def test_x_7c_delays_copies_by_what_was_delivered_after_the_send(inner: Model) -> None:
    found = explored(InterleavedUnicasts(inner), processes=3, sends=2)
    assert found.violated == {"CausalOrder": 6, "NoNeedlessDelay": 6}


@pytest.mark.parametrize(
    ("model", "states", "violated"),
    [
        (Unicasts(RST()), 1145, {}),
        (Unicasts(Jang()), 1145, {}),
        (InterleavedUnicasts(RST()), 3271, {"NoNeedlessDelay": 7}),
        (Unicasts(Null()), 1337, {"CausalOrder": 3}),
    ],
)
def test_three_unicasts(model: Model, states: int, violated: dict[str, int]) -> None:
    found = explored(model, processes=3, sends=3, dests="unicast")
    assert (len(found.states), found.violated) == (states, violated)
