"""Delivery from a buffer: does the choice among waiting packets matter, and may a process block?"""

from __future__ import annotations

import pytest

from naively import explored
from precede.models import Message, Model, Packet, Step
from precede.models.bss import BSS
from precede.models.buffered import Buffered, BufferedState, BufferedWithFacts, buffered
from precede.models.jang import Jang
from precede.models.ks import KS
from precede.models.null import Null
from precede.models.rst import RST

ZERO = ((0, 0, 0),) * 3
WAITS = ((0, 0, 1), (0, 0, 0), (0, 0, 0))
"""What a message says that waits, at 3, for the first of process 1."""


def copy(sender: int, number: int, matrix: tuple[tuple[int, ...], ...] = ZERO) -> Packet:
    return Packet(sender, 3, Message(sender, number, frozenset({3})), matrix)


LATE, EARLY, OTHER = copy(1, 2, WAITS), copy(1, 1), copy(2, 1)


def arrived(model: Buffered, *packets: Packet) -> BufferedState:
    state = model.start(3, 3)
    for packet in packets:
        step = model.receive(state, packet)
        assert isinstance(step, Step) and step.delivered == ()
        state = step.state  # type: ignore[assignment]
    return state


def deliverable(model: Buffered, state: BufferedState) -> list[tuple[int, int]]:
    steps = list(model.internal(state))
    assert [step.name for step in steps] == ["deliver {}.{}".format(*step.delivered[0]) for step in steps]
    return [step.delivered[0][:2] for step in steps]


def test_every_packet_is_taken_on_arrival_and_delivered_when_its_condition_holds() -> None:
    model = buffered(RST())
    state = arrived(model, LATE)
    assert state == BufferedState(RST().start(3, 3), (LATE,))
    assert deliverable(model, state) == []
    (step,) = model.internal(arrived(model, LATE, EARLY))
    assert step.delivered == (EARLY.message,) and step.packets == ()
    assert step.state.buffer == (LATE,)  # type: ignore[attr-defined]
    assert deliverable(model, step.state) == [(1, 2)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("choice", "now"), [("a", [(1, 1), (1, 3), (2, 1)]), ("b", [(2, 1)]), ("c", [(1, 3), (2, 1)])])
def test_x_3_which_packet_is_next(choice: str, now: list[tuple[int, int]]) -> None:
    """1.2 has to wait; of what can be delivered, 2.1 arrived before 1.3, and that before 1.1."""
    model = buffered(RST(), choice)
    assert deliverable(model, arrived(model, LATE, OTHER, copy(1, 3), EARLY)) == now


@pytest.mark.parametrize(("choice", "same"), [("a", True), ("b", False), ("c", True)])
def test_the_buffer_has_an_order_only_where_it_counts(choice: str, same: bool) -> None:
    model = buffered(RST(), choice)
    assert (arrived(model, EARLY, OTHER) == arrived(model, OTHER, EARLY)) == same
    assert (arrived(model, EARLY, LATE) == arrived(model, LATE, EARLY)) == (choice == "a")


@pytest.mark.parametrize(("wait", "now", "sends"), [("a", [(1, 1)], True), ("b", [], True), ("c", [], False)])
def test_x_6_what_a_process_does_while_a_packet_waits(wait: str, now: list[tuple[int, int]], sends: bool) -> None:
    model = buffered(RST(), wait=wait)
    message = Message(3, 1, frozenset({1}))
    state = arrived(model, LATE, EARLY)
    assert deliverable(model, state) == now
    assert bool(model.send(state, message)) == sends
    assert model.send(arrived(model, EARLY, LATE), message)


def test_the_packets_and_facts_are_those_of_the_inner_model() -> None:
    model, message = buffered(Jang()), Message(1, 1, frozenset({2, 3}))
    (sent,) = model.send(model.start(1, 3), message)  # type: ignore[union-attr, misc]
    inner = Jang().send(Jang().start(1, 3), message)
    assert isinstance(inner, Step) and isinstance(model, BufferedWithFacts)
    assert sent == Step(BufferedState(inner.state, ()), inner.packets)
    assert model.state_facts(sent.state) == {((1, 1), 2), ((1, 1), 3)}
    assert model.packet_facts(sent.packets[0]) == frozenset()
    assert model.control_bytes(sent.packets[0]) == Jang().control_bytes(inner.packets[0])
    assert not isinstance(buffered(RST()), BufferedWithFacts)
    assert [buffered(RST(own_copy=letter)).self_addressed for letter in "ab"] == [False, True]


BY_CHOICE = {"NoNeedlessDelay": 4}
"""What could be delivered is put off while an older arrival is there."""
STUCK, STUCK_IN_FIFO = {"NoNeedlessDelay": 4, "Delivery": 4}, {"NoNeedlessDelay": 4, "Delivery": 6}


@pytest.mark.parametrize(
    ("choice", "wait", "channel", "states", "violated"),
    [
        ("a", "a", "unordered", 1528, {}),
        ("b", "a", "unordered", 1687, BY_CHOICE),
        ("c", "a", "unordered", 1615, {}),
        ("a", "b", "unordered", 1687, STUCK),
        ("a", "c", "unordered", 1687, STUCK),
        ("a", "a", "fifo", 1447, {}),
        ("b", "a", "fifo", 1519, BY_CHOICE),
        ("c", "a", "fifo", 1447, {}),
        ("a", "b", "fifo", 1519, STUCK_IN_FIFO),
        ("a", "c", "fifo", 1519, STUCK_IN_FIFO),
    ],
)
def test_two_multicasts_of_three_processes(
    choice: str, wait: str, channel: str, states: int, violated: dict[str, int]
) -> None:
    """X-3: any choice keeps the order and delivers all. X-6: to block is to wait for ever, with FIFO channels too."""
    found = explored(buffered(Jang(), choice, wait), processes=3, sends=2, channel=channel)
    assert (len(found.states), found.violated) == (states, violated)


@pytest.mark.parametrize("inner", [RST(), KS()], ids=["rst", "ks"])
@pytest.mark.parametrize(("wait", "violated"), [("a", {}), ("b", STUCK), ("c", STUCK)])
def test_other_algorithms_are_no_different(inner: Model, wait: str, violated: dict[str, int]) -> None:
    assert explored(buffered(inner, wait=wait), processes=3, sends=2).violated == violated


@pytest.mark.parametrize("wait", ["a", "b", "c"])
def test_two_processes_with_fifo_channels_never_block(wait: str) -> None:
    found = explored(buffered(RST(), wait=wait), processes=2, sends=4, channel="fifo")
    assert (len(found.states), found.violated) == (573, {})


@pytest.mark.parametrize(("wait", "steps"), [("a", None), ("b", 7), ("c", 7)])
def test_in_unicast_the_triangle_blocks(wait: str, steps: int | None) -> None:
    """1 tells 3, then 2; 2 tells 3, whose message arrives first: then nothing but the arrival of the other is left."""
    found = explored(buffered(RST(), wait=wait), processes=3, sends=3, dests="unicast", channel="fifo")
    assert found.violated.get("Delivery") == steps


@pytest.mark.parametrize(
    ("choice", "violated"),
    [("a", {"CausalOrder": 4}), ("b", {"CausalOrder": 4}), ("c", {"CausalOrder": 4})],
)
def test_without_control_information_no_choice_helps_where_arrivals_have_no_order(
    choice: str, violated: dict[str, int]
) -> None:
    found = explored(buffered(Null(), choice), processes=2, sends=2)
    assert {"CausalOrder": found.violated["CausalOrder"]} == violated


@pytest.mark.parametrize(("choice", "violated"), [("a", 5), ("b", None), ("c", None)])
def test_fifo_arrivals_are_enough_for_two_processes_when_the_oldest_goes_first(
    choice: str, violated: int | None
) -> None:
    """X-4b: with any pick from the buffer (X-3a), FIFO channels do not even order one channel."""
    found = explored(buffered(Null(), choice), processes=2, sends=2, channel="fifo")
    assert found.violated.get("CausalOrder") == violated


def test_broadcasts_from_a_buffer() -> None:
    plain = explored(BSS(), processes=3, sends=2)
    found = explored(buffered(BSS()), processes=3, sends=2, dests="broadcast")
    assert found.violated == plain.violated == {}
    assert len({tuple(o.state.process for o in s.locals) for s in found.states}) == len(
        {tuple(o.state for o in s.locals) for s in plain.states}
    )
