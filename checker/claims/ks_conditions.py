"""The necessary and the sufficient conditions of Kshemkalyani and Singhal, Section 3.3 (KS-11), on facts and edges.

Sufficient condition 1 is printed without a negation: Deliver_d(M) happens at or before the event. Claims that end in
"-printed" take it so (KS-11a), the others negate it (KS-11b).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from precede.checker.history import Past
from precede.models import Fact, Packet

from .ks_sets import carried, stored
from .registry import claim

Facts = frozenset[Fact]


def known(past: Past) -> Facts:
    """Every "d in M.Dests" that has been sent."""
    return frozenset((s.id, d) for s in past.sent for d in s.message.dests)


def delivered(past: Past) -> Facts:
    """Those of which the first condition speaks: Deliver_d(M) happens at or before the last event."""
    return known(past) & past.delivered


def covered(past: Past) -> Facts:
    """Those of which the second condition speaks: a later send to d lies in the past."""
    return frozenset(
        (s.id, d)
        for s in past.sent
        for d in s.message.dests
        if any(d in later.message.dests and s in later.past.sent for later in past.sent)
    )


def necessary(past: Past) -> Facts:
    """What must not be propagated from here."""
    return delivered(past) | covered(past)


def sufficient(past: Past) -> Facts:
    """What must be propagated from here, condition 1 negated."""
    return known(past) - delivered(past) - covered(past)


def sufficient_as_printed(past: Past) -> Facts:
    """What must be propagated from here, condition 1 as printed."""
    return delivered(past) - covered(past)


def on_copy(facts: Facts, packet: Packet) -> Facts:
    """Of facts at a send, those for one of its copies: what is about a destination goes to that destination only."""
    others = packet.message.dests - {packet.to}
    return frozenset(fact for fact in facts if fact[1] not in others)


def keeps_order(packet: Packet, past: Past, sufficient: Callable[[Past], Facts]) -> bool:
    """Whether the Delivery Condition, on the facts that a copy must carry, delivers all earlier messages to its
    destination first. By induction (Theorem 1) a message that is waited for comes after all before it."""
    first = {(m, d) for m, d in sufficient(past) if d == packet.to}
    waited_for = {s for s in past.sent if (s.id, packet.to) in first | past.delivered}
    ordered = {s.id for s in waited_for}.union(*(s.past.to(packet.to) for s in waited_for))
    return past.to(packet.to) <= ordered


@claim("C-KS-SUF", "ks", statement="LOG has every fact that is neither known to be delivered nor covered")
def needed_facts_are_stored(model: Any, past: Past, state: Any) -> bool:
    """Section 3.3, of the edge to the next event of the process."""
    return sufficient(past) <= stored(model, state)


@claim("C-KS-SUF-msg", "ks", statement="so has every copy, of facts before its send and not about its other Dests")
def needed_facts_are_carried(model: Any, packet: Packet, past: Past) -> bool:
    """Section 3.3, of the edge to the delivery."""
    return on_copy(sufficient(past), packet) <= carried(model, packet)


@claim("C-KS-SUF-order", "ks", statement="with them, the Delivery Condition orders the copy after all before it")
def needed_facts_order(packet: Packet, past: Past) -> bool:
    """Theorem 1, of one copy."""
    return keeps_order(packet, past, sufficient)


@claim("C-KS-SUF-complement", "ks", statement="a fact meets the sufficient conditions, or a necessary one, not both")
def conditions_are_complements(past: Past) -> bool:
    """Section 3.3: "up to and only up to"."""
    return sufficient(past) == known(past) - necessary(past)


@claim("C-KS-SUF-printed", "ks", statement="LOG has every fact that is known to be delivered and is not covered")
def delivered_facts_are_stored(model: Any, past: Past, state: Any) -> bool:
    """Section 3.3 as printed."""
    return sufficient_as_printed(past) <= stored(model, state)


@claim("C-KS-SUF-msg-printed", "ks", statement="so has every copy, of facts before its send and not about others")
def delivered_facts_are_carried(model: Any, packet: Packet, past: Past) -> bool:
    """Section 3.3 as printed."""
    return on_copy(sufficient_as_printed(past), packet) <= carried(model, packet)


@claim(
    "C-KS-SUF-order-printed", "ks", statement="with them, the Delivery Condition orders the copy after all before it"
)
def delivered_facts_order(packet: Packet, past: Past) -> bool:
    """Theorem 1, for condition 1 as printed."""
    return keeps_order(packet, past, sufficient_as_printed)


@claim(
    "C-KS-SUF-complement-printed",
    "ks",
    statement="a fact meets the sufficient conditions as printed, or a necessary one, not both",
)
def printed_conditions_are_complements(past: Past) -> bool:
    """Section 3.3 as printed."""
    return sufficient_as_printed(past) == known(past) - necessary(past)
