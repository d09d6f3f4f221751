"""The steps of Gambhire and Kshemkalyani, Figure 3, and single runs in which a reading goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from followed import followed, internal, receive, send
from precede.models import Message, Packet, Step
from precede.models.gk import GK, GKControl, GKState
from precede.models.gk_vectors import added, less, maximum, zeros

ZERO = zeros(3, 0)


def one(steps: object, number: int = 0) -> Step:
    found = [steps] if isinstance(steps, Step) else list(steps or ())  # type: ignore[call-overload]
    step: Step = found[number]
    return step


def state_of(i: int, n: int = 3, **values: Any) -> GKState:
    return GK().start(i, n)._replace(**values)


def test_a_send_may_depend_on_every_earlier_event_or_on_none() -> None:
    steps = GK().send(state_of(1, ECV=(2, 0, 0)), Message(1, 1, frozenset({2})))
    assert [step.depends_on for step in steps] == [0, 1, 2]  # type: ignore[union-attr]
    only = GK(chained=1).send(state_of(1, ECV=(2, 0, 0)), Message(1, 1, frozenset({2})))
    assert [step.depends_on for step in only] == [2]  # type: ignore[union-attr]


def test_e1_moves_conc_to_prev_when_the_send_depends_on_an_event_after_mcv() -> None:
    PREV, CONC = ((0, 1, 0), (0, 0, 0), (0, 0, 0)), ((0, 1, 2), (0, 0, 0), (1, 0, 0))
    state = state_of(1, MCV=(2, 0, 0), ECV=(3, 0, 0), PREV=PREV, CONC=CONC)
    message = Message(1, 4, frozenset({2, 3}))
    same, moved = one(GK().send(state, message), 2), one(GK().send(state, message), 3)
    assert [packet.control for packet in same.packets] == [GKControl(PREV, CONC)] * 2
    assert [packet.control for packet in moved.packets] == [GKControl(added(PREV, CONC), ZERO)] * 2
    assert (same.state.MCV, same.state.CONC[0], same.state.PREV) == ((2, 0, 0), (0, 2, 3), PREV)
    assert (moved.state.MCV, moved.state.CONC[0], moved.state.PREV) == ((4, 0, 0), (0, 1, 1), ((0, 2, 2), *CONC[1:]))
    assert same.state.ECV == moved.state.ECV == (4, 0, 0)


@pytest.mark.parametrize(
    ("letter", "MCV", "PREV", "CONC"), [("a", 2, 1, 1), ("b", 1, 1, 1), ("c", 2, 2, 0), ("d", 2, 2, 0)]
)
def test_the_message_of_a_send_whose_e1_is_true(letter: str, MCV: int, PREV: int, CONC: int) -> None:
    model = GK(own_message=letter, vectors="c")
    first = one(model.send(model.start(1, 2), Message(1, 1, frozenset({2}))))
    second = one(model.send(first.state, Message(1, 2, frozenset({2}))), 1)
    assert (second.state.MCV[0], second.state.PREV[0][1], second.state.CONC[0][1]) == (MCV, PREV, CONC)
    assert second.packets[0].control[:2] == (((0, 1), (0, 0)), ((0, 0), (0, 0)))


def test_r7_and_r8() -> None:
    """Row 1: the receiver knows 3 messages to 3, 1 in PREV; the copy knows 4, 2 in SP. Its own message goes to SC."""
    PREV, CONC = ((0, 0, 1), (0, 0, 0), (0, 0, 0)), ((0, 0, 2), (0, 0, 5), (0, 0, 0))
    SP, SC = ((0, 1, 2), (0, 0, 0), (0, 0, 0)), ((0, 0, 2), (0, 0, 1), (0, 0, 0))
    state = state_of(2, PREV=PREV, CONC=CONC, DELIV=(1, 0, 0))
    step = one(GK().receive(state, Packet(1, 2, Message(1, 2, frozenset({2, 3})), GKControl(SP, SC))))
    assert step.state.PREV == ((0, 1, 2), (0, 0, 0), (0, 0, 0))
    assert step.state.CONC == ((0, 1, 3), (0, 0, 5), (0, 0, 0))
    assert (step.state.DELIV, step.state.ECV, step.depends_on) == ((2, 0, 0), (0, 1, 0), 0)


def test_r1_tests_sp_and_not_sc() -> None:
    waits = ((0, 0, 0), (0, 0, 0), (0, 2, 0))
    state, message = state_of(2, DELIV=(0, 0, 1)), Message(1, 1, frozenset({2}))
    assert GK().receive(state, Packet(1, 2, message, GKControl(waits, ZERO))) is None
    assert GK().receive(state._replace(DELIV=(0, 0, 2)), Packet(1, 2, message, GKControl(waits, ZERO)))
    assert GK().receive(state, Packet(1, 2, message, GKControl(ZERO, waits)))


@pytest.mark.parametrize(
    ("letter", "MCV", "ECV"), [("a", (0, 2, 0), (0, 2, 0)), ("b", (0, 2, 0), (0, 2, 0)), ("c", (1, 2, 0), (1, 2, 0))]
)
def test_mcv_is_complete_only_if_messages_carry_ecv(letter: str, MCV: object, ECV: object) -> None:
    """Property 1 names MCV and the local dependency alone; but Definition 5 sets MCV to ECV."""
    model = GK(vectors=letter)
    first = one(model.send(model.start(1, 3), Message(1, 1, frozenset({2}))))
    delivered = one(model.receive(model.start(2, 3), first.packets[0]))
    answer = one(model.send(delivered.state, Message(2, 1, frozenset({3}))), 1)
    assert (answer.state.MCV, answer.state.ECV) == (MCV, ECV)
    assert len(answer.packets[0].control.MCV) + len(answer.packets[0].control.ECV) == {"a": 0, "b": 3, "c": 6}[letter]


@pytest.mark.parametrize(("letter", "dependencies"), [("a", [0]), ("b", [0, 1, 2]), ("c", [2])])
def test_what_a_delivery_depends_on(letter: str, dependencies: list[int]) -> None:
    packet = Packet(1, 2, Message(1, 1, frozenset({2})), GKControl(ZERO, ZERO))
    steps: Any = GK(deliveries=letter).receive(state_of(2, ECV=(0, 2, 0)), packet)
    assert [step.depends_on for step in steps] == dependencies


@pytest.mark.parametrize(
    ("letter", "MCV", "PREV", "E1"),
    [("a", 0, 0, True), ("b", 2, 1, False), ("c", 0, 0, True), ("d", 2, 0, False)],
)
def test_internal_events(letter: str, MCV: int, PREV: int, E1: bool) -> None:
    """After a send, event 1, comes an internal event that depends on it, and a send that depends on this one."""
    model = GK(internal_step=letter, internal_events=1)
    sent = one(model.send(model.start(1, 2), Message(1, 1, frozenset({2})))).state
    steps: Any = model.internal(sent)
    assert [step.depends_on for step in steps] == [0, 1]
    assert steps[1].name == "internal event 2, which depends on 1"
    after = steps[1].state
    assert (after.MCV[0], after.PREV[0][1], after.ECV[0]) == (MCV, PREV, 2)
    assert model.should_semantically_precede(after, 2) == E1
    assert model.should_semantically_precede(after, 0) == (letter == "c")
    assert not model.internal(after)
    sent_again = one(model.send(after, Message(1, 2, frozenset({2})))).state
    assert (sent_again.pending, model.should_semantically_precede(sent_again, 0)) == (0, False)


def test_dependent_messages_wait_and_others_do_not() -> None:
    """The triangle of Figure 2: 1 tells 3, then 2; 2 tells 3."""
    start = (send(1, 3), send(1, 2, depends_on=1), receive(2, 1, 2))
    assert followed(GK(), send(1, 3), send(1, 2), receive(2, 1, 2), send(2, 3)).receivable == {(3, (1, 1)), (3, (2, 1))}
    assert followed(GK(), *start, send(2, 3, depends_on=1)).receivable == {(3, (1, 1))}
    assert followed(GK(), *start, send(2, 3, depends_on=0)).receivable == {(3, (1, 1))}
    assert followed(GK(), send(1, 3), send(1, 2), receive(2, 1, 2), send(2, 3, depends_on=1)).receivable == {
        (3, (1, 1))
    }


def test_a_receiver_that_counts_on_its_own_matrix_forgets_a_message() -> None:
    """GK-8d: 3 has 1.2, so it counts one message from 1 to 2 where there are two; 3.1 then overtakes 1.2 at 2."""
    script = (send(1, 2), send(1, 2, 3), receive(2, 1, 1), receive(3, 1, 2), send(3, 2, depends_on=1))
    assert followed(GK(order="d"), *script, receive(2, 3, 1)).wrong == {"CausalOrder"}
    assert (2, (3, 1)) not in followed(GK(), *script).receivable


def test_order_of_one_sender_is_kept_without_fifo_and_no_other() -> None:
    """GK-2b."""
    model = GK(tested="b")
    assert followed(model, send(1, 2), send(1, 2), channel="unordered").receivable == {(2, (1, 1))}
    others = followed(model, send(1, 3), send(1, 2), receive(2, 1, 2), send(2, 3), channel="unordered")
    assert others.receivable == {(3, (1, 1)), (3, (2, 1))}


def test_sets_of_identities_are_united() -> None:
    """GK-2c: neither is the larger, as one of two counts would be."""
    left, right = ((frozenset({1, 3}),),), ((frozenset({2, 3}),),)
    assert maximum(left, right) == added(left, right) == ((frozenset({1, 2, 3}),),)
    assert less(left, right) == ((frozenset({1}),),)
    assert (maximum(((2,),), ((3,),)), added(((2,),), ((3,),)), less(((3,),), ((1,),))) == (((3,),), ((5,),), ((2,),))


def test_why_the_message_that_e7_leaves_in_conc_needs_fifo() -> None:
    """1.2 depends on 1.1, so its E1 is true and MCV is 2; 1.3 depends on event 2, which is not after MCV."""
    script = (send(1, 2), send(1, 3, depends_on=1), send(1, 3, depends_on=2))
    assert followed(GK(), *script, receive(3, 1, 3), channel="unordered").wrong == {"CausalOrder"}
    assert followed(GK(), *script).receivable == {(2, (1, 1)), (3, (1, 2))}
    for letter in "bc":
        assert (3, (1, 3)) not in followed(GK(own_message=letter), *script, channel="unordered").receivable


def test_why_counts_need_fifo() -> None:
    """1.2 has come to 3 before 1.1, on which 2.1 depends: one message of 1 is delivered, and one is waited for."""
    script = (send(1, 2, 3), send(1, 2, 3), receive(3, 1, 2), receive(2, 1, 1), send(2, 1, 3, depends_on=1))
    counts, sets = GK(own_message="b"), GK(own_message="b", tested="c")
    assert followed(counts, *script, receive(3, 2, 1), channel="unordered").wrong == {"CausalOrder"}
    assert (3, (2, 1)) not in followed(sets, *script, channel="unordered").receivable


@pytest.mark.parametrize("letter", ["a", "b", "c", "d"])
def test_internal_events_must_not_move_mcv_without_the_matrices(letter: str) -> None:
    """1.1 to 2; then 1.2, which depends on it by way of internal events at 1 and 3, to 3; then 3.1 to 2."""
    model = GK(internal_step=letter, internal_events=1)
    at_3 = (send(1, 2), internal(1, 1), send(1, 3, depends_on=2), receive(3, 1, 2), internal(3, 1))
    script = (*at_3, send(3, 2, depends_on=2))
    assert followed(model, *script).receivable == ({(2, (1, 1)), (2, (3, 1))} if letter == "d" else {(2, (1, 1))})
    if letter == "d":
        assert followed(model, *script, receive(2, 3, 1)).wrong == {"CausalOrder"}


def test_a_copy_delivered_at_its_send_is_no_event() -> None:
    model = GK(own_copy="c")
    sent = one(model.send(model.start(1, 2), Message(1, 1, frozenset({1, 2}))))
    step = one(model.receive(sent.state, sent.packets[0]))
    assert step.state == sent.state._replace(DELIV=(1, 0))


@pytest.mark.parametrize(("readings", "units"), [({}, 18), ({"vectors": "b"}, 21), ({"vectors": "c"}, 24)])
def test_control_is_two_matrices_of_4_byte_counters(readings: dict[str, str], units: int) -> None:
    model = GK(**readings)
    (packet,) = one(model.send(model.start(1, 3), Message(1, 1, frozenset({2})))).packets
    assert (model.control_units(packet), model.control_bytes(packet)) == (units, 4 * units)


def test_identities_cost_4_bytes_each() -> None:
    model = GK(tested="c")
    first = one(model.send(model.start(1, 3), Message(1, 1, frozenset({2, 3}))))
    second = one(model.send(first.state, Message(1, 2, frozenset({2}))), 1)
    assert second.packets[0].control.SP[0] == (frozenset(), frozenset({1}), frozenset({1}))
    assert (model.control_units(second.packets[0]), model.control_bytes(second.packets[0])) == (2, 8)
