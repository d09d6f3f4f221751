"""Which step of Jang et al. removes which type of information (J-15).

A fact is what CI, CI_m or the tuple of the message itself says; a step removes it when it is not there after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from precede.checker.history import Past
from precede.models import Fact, Message, Packet
from precede.models.deletion import in_place, marked
from precede.models.jang import Jang, JangState, Tuples

from .jang import steps_of, type_of
from .registry import claim


class Removal(NamedTuple):
    """`step` (S2, R4, R5, R6 or R8) removes `fact`, which is of this type after the event; None: it is required."""

    step: str
    fact: Fact
    type: int | None


def removals(model: Jang, process: int, before: JangState, event: Any, past: Past) -> Iterator[Removal]:
    """What the steps of one event remove, in each of its alternatives; `past` is that after the event."""
    found: Iterator[tuple[str, frozenset[Fact]]] = iter(())
    if isinstance(event, Message):
        found = removed_by_send(model, before, event)
    elif isinstance(event, Packet):
        found = removed_by_receive(model, before, event)
    for step, facts in found:
        yield from (Removal(step, fact, type_of(fact, process, past)) for fact in sorted(facts))


def removed_by_send(model: Jang, before: JangState, message: Message) -> Iterator[tuple[str, frozenset[Fact]]]:
    """S2; S3 deletes tuples without facts."""
    for step in steps_of(model.send(before, message)):
        after: Any = step.state
        yield "S2", model.state_facts(before) - model.state_facts(after)


def removed_by_receive(model: Jang, before: JangState, packet: Packet) -> Iterator[tuple[str, frozenset[Fact]]]:
    """R4, which does not insert the receiver; R5, R6 and R8. R9 deletes tuples without facts."""
    i, _, CI, _ = before
    k, t, Dests = packet.message
    own = frozenset({(k, t, Dests if model.inserted == "c" else Dests - {i})})
    CI_m: Tuples = frozenset(m for m in packet.control.CI if model.own_tuple == "c" or m[:2] != (k, t)) | own
    yield "R4", facts(frozenset({(k, t, Dests)})) - facts(own)
    without_R8, without_R6 = replace(model, strike_older="b"), replace(model, strike_older="b", comparison="b")
    delete = in_place if model.deletion == "a" else marked
    for deleted in delete(model.redundant(CI, CI_m)):
        after_R5 = facts(without_R6.united(CI, CI_m, deleted))
        after_R6 = facts(without_R8.united(CI, CI_m, deleted))
        yield "R5", facts(CI | CI_m) - after_R5
        yield "R6", after_R5 - after_R6
        yield "R8", after_R6 - facts(model.united(CI, CI_m, deleted))


def facts(CI: Tuples) -> frozenset[Fact]:
    """What the tuples say."""
    return frozenset(((k, t), d) for k, t, D in CI for d in D)


def removes_only(step: str, types: set[int], *event: Any) -> bool:
    """Whether everything that this step removes is of one of these types."""
    return all(removal.type in types for removal in removals(*event) if removal.step == step)


@claim("C-J-R2-S2", "jang", statement="S2 removes only what is just replaced (type 4)")
def S2_removes_type_4(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3."""
    return removes_only("S2", {4}, model, process, before, event, past)


@claim("C-J-R2-R4", "jang", statement="R4 removes only what is just delivered (type 2)")
def R4_removes_type_2(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3."""
    return removes_only("R4", {2}, model, process, before, event, past)


@claim("C-J-R2-R5", "jang", statement="R5 removes only what is already delivered or already replaced (types 3, 5)")
def R5_removes_types_3_and_5(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3."""
    return removes_only("R5", {3, 5}, model, process, before, event, past)


@claim("C-J-R2-R6", "jang", statement="R6 removes only what is already delivered or already replaced (types 3, 5)")
def R6_removes_types_3_and_5(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3."""
    return removes_only("R6", {3, 5}, model, process, before, event, past)


@claim("C-J-R2-R5-R6", "jang", statement="R5 and R6 remove nothing that is of type 1")
def R5_and_R6_remove_nothing_required(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3: type 1 is required."""
    types = {2, 3, 4, 5}
    return all(removes_only(step, types, model, process, before, event, past) for step in ("R5", "R6"))


@claim("C-J-R2-R8", "jang", statement="R8 removes nothing")
def R8_removes_nothing(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Section 4.3 (J-4)."""
    return removes_only("R8", set(), model, process, before, event, past)
