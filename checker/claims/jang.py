"""The claims of Jang, Park, Cho, Yoon, IEEE FTDCS 1997, about states, copies and steps (algorithms.md, section 7.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from precede.checker.history import Past
from precede.models import Fact, Message, Packet, Step

from .registry import claim

Tuples = Iterable[tuple[int, int, frozenset[int]]]
"""CI: the tuples (k, t, D)."""


@claim("C-J-I1", "jang", statement="DLV_i[j] = t: every message of j to i up to timestamp t has been delivered at i")
def all_up_to_the_last_are_delivered(process: int, state: Any, past: Past) -> bool:
    """Section 4.1, DLV."""
    last = [max(value, default=0) if isinstance(value, frozenset) else value for value in state.DLV]
    return all(
        (s.id, process) in past.delivered
        for s in past.sent
        if process in s.message.dests and s.shown.number <= last[s.message.sender - 1]
    )


@claim(
    "C-J-I2",
    "jang",
    statement="(t, D) in CI_i[k] and d in D: the next message of i to d is delivered at d after message t of k",
)
def later_messages_are_constrained(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.1, CI: a send constrains its copies by R1, and a delivery obeys the constraints of its copy."""
    if isinstance(event, Packet):
        tested: frozenset[Any] = model.tested(event)
        return tested & past.to(process) <= past.delivered_at(process)
    return all(
        (k, t) in model.tested(packet)
        for step in steps_of(model.send(before, event))
        for packet in step.packets
        for k, t, D in before.CI
        if packet.to in D
    )


@claim("C-J-I3", "jang", statement="CI keeps the latest known tuple of each sender, even when its D is empty")
def latest_tuples_are_kept(state: Any, past: Past) -> bool:
    """Section 4.3, S3 and R9."""
    return has_latest(state.CI, past)


@claim("C-J-I3-msg", "jang", statement="so does CI_m, of what the sender knew before this message")
def latest_tuples_are_carried(packet: Packet, past: Past) -> bool:
    """Section 4.3, S3."""
    return has_latest(packet.control.CI, past)


@claim("C-J-I4", "jang", statement="where every message is a unicast, R6 changes nothing in what CI asserts")
def r6_is_for_multicast(model: Any, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3: "Step R6 applies only for multicast communication"."""
    if not isinstance(event, Packet) or any(len(s.message.dests) > 1 for s in past.sent):
        return True
    return facts_after(model, before, event) == facts_after(replace(model, comparison="b"), before, event)


@claim("C-J-I5", "jang", statement="no destination is in two tuples of one sender in CI")
def destinations_are_in_one_tuple(state: Any) -> bool:
    """Section 4.3, R8."""
    return has_no_duplicates(state.CI)


@claim("C-J-I5-msg", "jang", statement="no destination is in two tuples of one sender in CI_m")
def destinations_are_in_one_tuple_of_a_copy(packet: Packet) -> bool:
    """Section 4.3, S2 and R8."""
    return has_no_duplicates(packet.control.CI)


@claim("C-J-R2", "jang", statement="S2, R4, R5 and R6 alone remove everything redundant: no other step has to")
def four_steps_are_enough(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3: the facts that are left without S3, R8 and R9 are of type 1."""
    alone = replace(model, strike_older="b", empty_tuples="c")
    own = event[:2] if isinstance(event, Message) else None
    return not any(type_of(fact, process, past) for fact in facts_after(alone, before, event) if fact[0] != own)


@claim("C-J-R2-2", "jang", statement="just delivered: CI names no message as outstanding here that is delivered here")
def no_just_delivered(model: Any, process: int, state: Any, past: Past) -> bool:
    """Type 2, R4."""
    return has_none(2, model.state_facts(state), process, past)


@claim("C-J-R2-3", "jang", statement="already delivered: CI names no message that is known to be delivered elsewhere")
def no_already_delivered(model: Any, process: int, state: Any, past: Past) -> bool:
    """Type 3, R5 and R6."""
    return has_none(3, model.state_facts(state), process, past)


@claim("C-J-R2-4", "jang", statement="just replaced: CI names no message that a later one of this process replaces")
def no_just_replaced(model: Any, process: int, state: Any, past: Past) -> bool:
    """Type 4, S2."""
    return has_none(4, model.state_facts(state), process, past)


@claim("C-J-R2-5", "jang", statement="already replaced: CI names no message that a later one of another replaces")
def no_already_replaced(model: Any, process: int, state: Any, past: Past) -> bool:
    """Type 5, R5 and R6."""
    return has_none(5, model.state_facts(state), process, past)


@claim("C-J-R3", "jang", statement="CI asserts nothing redundant")
def nothing_redundant_is_stored(model: Any, process: int, state: Any, past: Past) -> bool:
    """Abstract and Section 4.3."""
    return not any(type_of(fact, process, past) for fact in model.state_facts(state))


@claim("C-J-R3-msg", "jang", statement="CI_m and DC_m together assert nothing redundant")
def nothing_redundant_is_sent(model: Any, packet: Packet, past: Past) -> bool:
    """The same: what the message replaces at a destination goes to that destination alone."""
    others = packet.message.dests - {packet.to}
    facts = model.packet_facts(packet)
    return not any(fact[1] in others or type_of(fact, packet.sender, past) for fact in facts)


@claim("C-J-B1", "jang", statement="a component of CI has at most n - 1 tuples, empty ones included")
def components_are_small(state: Any) -> bool:
    """Section 6.1, J-11a."""
    return largest_component(state.CI) <= len(state.DLV) - 1


@claim("C-J-B1-nonempty", "jang", statement="a component of CI has at most n - 1 tuples whose D is not empty")
def nonempty_components_are_small(state: Any) -> bool:
    """Section 6.1, J-11b."""
    return largest_component((k, t, D) for k, t, D in state.CI if D) <= len(state.DLV) - 1


@claim("C-J-B1-msg", "jang", statement="a component of CI_m has at most n - 1 tuples")
def components_of_copies_are_small(model: Any, before: Any, event: Any) -> bool:
    """Section 6.1, J-11a; a claim about sends, since a copy alone does not say how many processes there are."""
    if not isinstance(event, Message):
        return True
    packets = (packet for step in steps_of(model.send(before, event)) for packet in step.packets)
    return all(largest_component(packet.control.CI) <= len(before.DLV) - 1 for packet in packets)


def type_of(fact: Fact, process: int, past: Past) -> int | None:
    """The type of redundant information (Section 3) that `fact` is at `process`; None: it is required, type 1."""
    message, d = fact
    if fact in past.delivered:
        return 2 if d == process else 3
    replacing = {s.message.sender for s in past.sent if d in s.message.dests and message in s.past.to(d)}
    if not replacing:
        return None
    return 4 if process in replacing else 5


def has_none(type: int, facts: Iterable[Fact], process: int, past: Past) -> bool:
    """Whether no fact is redundant in this way."""
    return all(type_of(fact, process, past) != type for fact in facts)


def has_latest(CI: Tuples, past: Past) -> bool:
    """Whether the latest message of each sender of `past` has a tuple in CI."""
    latest: dict[int, int] = {}
    for s in past.sent:
        latest[s.message.sender] = max(s.shown.number, latest.get(s.message.sender, 0))
    return latest.items() <= {(k, t) for k, t, _ in CI}


def has_no_duplicates(CI: Tuples) -> bool:
    """Whether each destination is in one tuple of each sender at most."""
    named = [(k, d) for k, _, D in CI for d in D]
    return len(named) == len(set(named))


def largest_component(CI: Tuples) -> int:
    """The number of tuples of the sender that has the most."""
    return max(Counter(k for k, _, _ in CI).values(), default=0)


def facts_after(model: Any, before: Any, event: Message | Packet) -> frozenset[Fact]:
    """What CI asserts after `model` sends or receives in the state `before`, in any of its steps."""
    steps = model.receive(before, event) if isinstance(event, Packet) else model.send(before, event)
    return frozenset(fact for step in steps_of(steps) for fact in model.state_facts(step.state))


def steps_of(steps: Any) -> Iterator[Step]:
    """The alternatives."""
    yield from [steps] if isinstance(steps, Step) else steps or ()
