"""The two ends of every comparison: nothing carried, and everything."""

from __future__ import annotations

from precede.models import Message, Packet, Step
from precede.models.null import Null, NullState
from precede.models.oracle import History, Oracle, OracleState, Sent


def one(steps: object) -> Step:
    assert isinstance(steps, Step)
    return steps


NOTHING = frozenset[tuple[int, int]]()
TO_2_AND_3, TO_2, TO_3 = (
    Message(1, 1, frozenset({2, 3})),
    Message(1, 2, frozenset({2})),
    Message(1, 3, frozenset({3})),
)


def test_null_carries_and_remembers_nothing() -> None:
    step = one(Null().send(Null().start(1, 3), TO_2_AND_3))
    assert step == Step(NullState(1), (Packet(1, 2, TO_2_AND_3, None), Packet(1, 3, TO_2_AND_3, None)))
    assert Null().receive(NullState(2), step.packets[0]) == Step(NullState(2), (), (TO_2_AND_3,))
    assert (Null().control_units(step.packets[0]), Null().control_bytes(step.packets[0])) == (0, 0)
    assert Null().state_facts(step.state) == Null().packet_facts(step.packets[0]) == frozenset()


def sent(*messages: Message) -> list[Step]:
    """Process 1 of 3 sends these."""
    steps, state = [], Oracle().start(1, 3)
    for message in messages:
        steps.append(one(Oracle().send(state, message)))
        state = steps[-1].state
    return steps


def test_a_copy_of_the_oracle_carries_the_past_before_its_send() -> None:
    first, second = sent(TO_2_AND_3, TO_2)
    assert [packet.control for packet in first.packets] == [History(), History()]
    assert second.packets[0].control == first.state.past == History(frozenset({Sent(TO_2_AND_3, NOTHING)}))
    assert second.state.past.sent == {Sent(TO_2_AND_3, NOTHING), Sent(TO_2, frozenset({(1, 1)}))}


def test_the_oracle_waits_for_what_was_sent_to_its_destination_before() -> None:
    first, second, third = sent(TO_2_AND_3, TO_2, TO_3)
    assert Oracle().receive(Oracle().start(3, 3), third.packets[0]) is None
    at_3 = one(Oracle().receive(Oracle().start(3, 3), first.packets[1])).state
    assert at_3 == OracleState(3, History(frozenset({Sent(TO_2_AND_3, NOTHING)}), frozenset({((1, 1), 3)})))
    step = one(Oracle().receive(at_3, third.packets[0]))
    assert step.delivered == (TO_3,)
    assert step.state.past == History(third.state.past.sent, frozenset({((1, 1), 3), ((1, 3), 3)}))
    assert one(Oracle().receive(Oracle().start(2, 3), first.packets[0])).state != at_3
    assert Oracle().receive(Oracle().start(2, 3), second.packets[0]) is None


def test_the_facts_of_the_oracle_are_what_is_outstanding() -> None:
    first, second, third = sent(TO_2_AND_3, TO_2, TO_3)
    assert Oracle().state_facts(first.state) == {((1, 1), 2), ((1, 1), 3)}
    assert Oracle().state_facts(second.state) == {((1, 2), 2), ((1, 1), 3)}
    assert Oracle().packet_facts(third.packets[0]) == {((1, 2), 2), ((1, 1), 3)}
    both = sent(TO_2, TO_2_AND_3._replace(number=2))[1]
    assert [Oracle().packet_facts(packet) for packet in both.packets] == [{((1, 2), 2)}, set()]
    at_2 = one(Oracle().receive(Oracle().start(2, 3), first.packets[0])).state
    assert Oracle().state_facts(at_2) == {((1, 1), 3)}


def test_the_size_of_a_past_is_its_events() -> None:
    copy = sent(TO_2_AND_3, TO_2, TO_3)[2].packets[0]
    past = copy.control._replace(delivered=frozenset({((1, 1), 3)}))
    copy = copy._replace(control=past)
    assert (Oracle().control_units(copy), Oracle().control_bytes(copy)) == (3, (6 + 4) + (6 + 2 + 6) + (6 + 2))
