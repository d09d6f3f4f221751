"""What the claims of Kshemkalyani and Singhal speak of: TS, nd_i, facts, the edges of an event, known messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from precede.checker.history import MessageId, Past, Sent, required_on_copy
from precede.models import Fact, Message, Packet, Step

Entries = Iterable[tuple[MessageId, frozenset[int]]]
"""LOG or O_M: ((s, t), Dests)."""


def stored(model: Any, state: Any) -> frozenset[Fact]:
    """What LOG says explicitly, as the model reads it."""
    found: frozenset[Fact] = model.state_facts(state)
    return found


def carried(model: Any, packet: Packet) -> frozenset[Fact]:
    """What O_M says explicitly, as the model reads it."""
    found: frozenset[Fact] = model.packet_facts(packet)
    return found


def ts(entries: Entries) -> dict[int, int]:
    """TS: sender -> the newest clock that has an entry."""
    newest: dict[int, int] = {}
    for (s, t), _ in entries:
        newest[s] = max(t, newest.get(s, t))
    return newest


def numbers(entries: Entries) -> dict[int, int]:
    """TS without the initial entries."""
    return {s: t for s, t in ts(entries).items() if t}


def known_numbers(past: Past) -> dict[int, int]:
    """Sender -> the number of its newest message in the past."""
    return ts((s.id, s.message.dests) for s in past.sent)


def facts(entries: Entries) -> frozenset[Fact]:
    """What the entries say explicitly."""
    return frozenset((st, d) for st, D in entries for d in D)


def repeated(entries: Entries) -> bool:
    """Whether a destination is in two entries of one sender."""
    return pairs(facts(entries)) < len(facts(entries))


def pairs(of: Iterable[Fact]) -> int:
    """How many pairs of a sender and a destination the facts speak of."""
    return len({(m[0], d) for m, d in of})


def nd(entries: Entries) -> dict[int, int]:
    """Section 6.2: sender -> the size of the union of the Dests of its entries."""
    union: dict[int, frozenset[int]] = {}
    for (s, _), D in entries:
        union[s] = union.get(s, frozenset()) | D
    return {s: len(D) for s, D in union.items()}


def bounded(entries: Entries, n: int) -> bool:
    """Whether nd_i and the number of entries of i are at most n, for every i."""
    senders = [s for (s, _), _ in entries]
    return all(size <= n and senders.count(s) <= n for s, size in nd(entries).items())


def with_room(entries: Entries, n: int) -> bool:
    """Whether nd_i < n for every i that has an empty entry."""
    sizes = nd(entries)
    return all(D or sizes[s] < n for (s, _), D in entries)


def unstated(entries: Entries, required: frozenset[Fact]) -> set[MessageId]:
    """Messages with required facts that have no entry, although a newer message of their sender has."""
    newest, stored = ts(entries), {st for st, _ in entries}
    return {m for m, _ in required if m not in stored and m[1] < newest.get(m[0], 0)}


def required_on(packet: Packet, past: Past) -> frozenset[Fact]:
    """The facts required on a copy, its message left out; `past` is that before the send."""
    return required_on_copy(Sent(packet.message, past), packet.to)


def sent_of(event: Any, past: Past) -> Sent | None:
    """The message that is sent or received, with the past before its send."""
    message = event.message if isinstance(event, Packet) else event
    return next((s for s in past.sent if s.shown == message), None)


def known_before(process: int, event: Any, past: Past) -> frozenset[MessageId]:
    """The messages in the past of the process before the event; `past` is that after it."""
    this, earlier = sent_of(event, past), []
    for s in past.sent:
        sent_here = s.message.sender == process and (s != this or isinstance(event, Packet))
        if sent_here or (s != this and (s.id, process) in past.delivered):
            earlier.append(s)
    return frozenset(known.id for s in earlier for known in s.past.sent | {s})


def edges_of(model: Any, before: Any, message: Message) -> Iterator[Entries]:
    """What leaves a send: each O_M, and LOG after it."""
    steps: Any = model.send(before, message)
    for step in [steps] if isinstance(steps, Step) else steps or ():
        after: Any = step.state
        yield after.LOG
        yield from (packet.control for packet in step.packets)
