"""Entries of Kshemkalyani and Singhal, headers and empty ones included (KS-17b), and which of two loses d (KS-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from precede.checker.history import MessageId, Past
from precede.models import Fact, Message, Packet

from .ks_sets import Entries, facts, known_numbers, required_on
from .registry import claim


def headers(entries: Entries) -> set[MessageId]:
    """The messages that have an entry; the initial entries are of no message."""
    return {st for st, _ in entries if st[1]}


def has_only_needed(entries: Entries, required: frozenset[Fact], past: Past) -> bool:
    """Whether the entries are those of messages with a required fact and that of the newest known of each sender, and
    initial ones where no message of the sender is known."""
    newest = known_numbers(past)
    initial = {s for (s, t), _ in entries if not t}
    return headers(entries) == {m for m, _ in required} | set(newest.items()) and not initial & newest.keys()


@claim(
    "C-KS-T7-entries", "ks", statement="LOG has the entries with a required fact, the newest of each sender, no others"
)
def entries_are_needed(state: Any, past: Past) -> bool:
    """Theorem 7, of entries (KS-17b)."""
    return has_only_needed(state.LOG, past.required(), past)


@claim("C-KS-T7-entries-msg", "ks", statement="so has O_M")
def entries_of_a_copy_are_needed(packet: Packet, past: Past) -> bool:
    """Theorem 7, of entries (KS-17b)."""
    return has_only_needed(packet.control, required_on(packet, past), past)


@claim("C-KS-T7-headers", "ks", statement="LOG has an entry of a message only where one of its facts is required")
def headers_are_needed(state: Any, past: Past) -> bool:
    """The same without the newest entry of each sender, which may be empty; initial entries are left out."""
    return headers(state.LOG) == {m for m, _ in past.required()}


@claim("C-KS-T7-headers-msg", "ks", statement="so has O_M")
def headers_of_a_copy_are_needed(packet: Packet, past: Past) -> bool:
    """The same of O_M."""
    return headers(packet.control) == {m for m, _ in required_on(packet, past)}


def named_twice(before: Any, event: Message) -> Iterator[tuple[MessageId, int]]:
    """(message, d): an entry that the sender has of itself, and a destination of its present message that it names."""
    j = event.sender
    yield from ((st, d) for st, D in before.LOG if st[0] == j for d in D & event.dests)


@claim("C-KS-SND3-older", "ks", statement="at a send, of two entries of the sender that name d the older loses d")
def the_older_loses(before: Any, event: Any, after: Any) -> bool:
    """SND(3) and SND(4), as Section 4.3 has them (KS-12b)."""
    if not isinstance(event, Message):
        return True
    left = facts(after.LOG)
    return all((event[:2], d) in left and (st, d) not in left for st, d in named_twice(before, event))


@claim("C-KS-SND3-newer", "ks", statement="at a send, of two entries of the sender that name d the newer loses d")
def the_newer_loses(before: Any, event: Any, after: Any) -> bool:
    """SND(3) as the proof of Lemma 1 cites it (KS-12a)."""
    if not isinstance(event, Message):
        return True
    left = facts(after.LOG)
    return all((event[:2], d) not in left for st, d in named_twice(before, event))


@claim("C-KS-SND3-newer-T3", "ks", statement="were it the newer that loses d, LOG would still have the required facts")
def the_newer_may_lose(before: Any, event: Any, after: Any, past: Past) -> bool:
    """What KS-12a would do to Theorem 3, in one step."""
    if not isinstance(event, Message):
        return True
    twice = set(named_twice(before, event))
    left = (facts(after.LOG) | twice) - {(event[:2], d) for _, d in twice}
    return past.required() <= left
