"""How much false causality Gambhire and Kshemkalyani leave (GK-20): pairs of events, waits, and waits beside RST."""

from __future__ import annotations

from typing import Any

from precede.checker.history import MessageId, Past, Sent
from precede.models import Message, Packet
from precede.models.gk import GKState

from .gk import attached, kind_of_last
from .gk_events import SENT_of_RST, counts, not_more, weak_pairs
from .ks_sets import sent_of
from .registry import claim


def asked_for(SP: tuple[tuple[int, ...], ...], d: int, past: Past) -> frozenset[MessageId]:
    """The messages that SP has d wait for: the first SP[k][d] of each k to d, of those sent in `past`."""
    found: set[MessageId] = set()
    for k, row in enumerate(SP, 1):
        of_k = sorted(id for id in past.to(d) if id[0] == k)
        found |= set(of_k[: row[d - 1]])
    return frozenset(found)


def in_vain(model: Any, before: GKState, event: Any, past: Past) -> dict[int, frozenset[MessageId]]:
    """The messages that each copy of a send asks for although its send does not depend on theirs: destination ->
    messages. Empty when the event is no send; `past` is that after it."""
    sent = past.events[-1].sent if past.events else None
    if not isinstance(event, Message) or sent is None:
        return {}
    needed = sent.must_precede()
    controls = attached(model, before, event, past)
    dests = sorted(event.dests)
    return {d: asked_for(counts(c.SP), d, sent.past) - needed for d, c in zip(dests, controls, strict=True)}


def held_back_by_RST(process: int, sent: Sent, past: Past) -> frozenset[MessageId]:
    """The messages for which RST would have had a copy wait at `process`; `past` is that after its delivery."""
    return sent.past.to(process) - past.delivered_at(process)


@claim("C-GK-FC-pairs", "gk", statement="MC(e) x MC(e) has no more pairs of ->w than EC(e) x EC(e), for sends e")
def fewer_pairs(process: int, past: Past) -> bool:
    """Section 3.4 (GK-20a)."""
    if kind_of_last(past) != "send":
        return True
    pairs = weak_pairs(process, past)
    return pairs.MC <= pairs.EC


@claim("C-GK-FC-pairs-0", "gk", statement="MC(e) x MC(e) has no pair of ->w, for sends e")
def no_pairs(process: int, past: Past) -> bool:
    """Section 3.4: "much false causality may still exist"."""
    return kind_of_last(past) != "send" or weak_pairs(process, past).MC == 0


@claim("C-GK-FC-wait-0", "gk", statement="a copy asks for no message on which its send does not depend")
def no_false_wait(model: Any, before: GKState, event: Any, past: Past) -> bool:
    """False waits (GK-20b)."""
    return not any(in_vain(model, before, event, past).values())


@claim("C-GK-FC-wait-1", "gk", statement="a copy asks for at most one message on which its send does not depend")
def false_waits_of_one(model: Any, before: GKState, event: Any, past: Past) -> bool:
    """False waits by length (GK-20b)."""
    return all(len(vain) <= 1 for vain in in_vain(model, before, event, past).values())


@claim("C-GK-FC-wait-2", "gk", statement="a copy asks for at most two messages on which its send does not depend")
def false_waits_of_two(model: Any, before: GKState, event: Any, past: Past) -> bool:
    """False waits by length (GK-20b)."""
    return all(len(vain) <= 2 for vain in in_vain(model, before, event, past).values())


@claim("C-GK-FC-rst-msg", "gk", statement="a copy asks for no message for which RST would not have it wait")
def asks_no_more_than_RST(packet: Packet, past: Past) -> bool:
    """Waits beside RST on the same schedule (GK-20c): what waits in GK waits in RST."""
    SP = counts(packet.control.SP)
    return not_more(SP, SENT_of_RST(packet.sender, past, len(SP)))


@claim("C-GK-FC-rst", "gk", statement="no copy is delivered for which RST would still wait")
def waits_as_long_as_RST(process: int, event: Any, past: Past) -> bool:
    """The other way round: where it is false, GK saves a wait."""
    sent = sent_of(event, past)
    return not isinstance(event, Packet) or sent is None or not held_back_by_RST(process, sent, past)
