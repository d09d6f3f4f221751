"""Events, the semantic relation and the vectors of Gambhire and Kshemkalyani (HiPC 2000), computed from the past alone.

ECV counts events; MCV is that of Definition 5 or 4; GK-20a counts the false causality that they leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from precede.checker.history import LocalEvent, Past, Sent
from precede.models.gk_vectors import Matrix, size
from precede.models.rst import incremented, maximum

Event = tuple[int, int]
"""(process, number); numbers count the events of a process from 1."""
Vector = Mapping[int, int]
"""process -> number of events; 0 for a process that is not in it."""
Counts = tuple[tuple[int, ...], ...]
"""[j-1][l-1]: a number of messages from j to l."""


class Clocks(NamedTuple):
    """The vectors of one event."""

    ECV: Vector
    MCV: Vector


class Known(NamedTuple):
    """An event of the causal past, with the events on which it depends."""

    event: LocalEvent
    clocks: Clocks
    depends_on: frozenset[Event]


class WeakPairs(NamedTuple):
    """Numbers of pairs of events of which one happens before the other, which does not depend on it."""

    MC: int
    """Inside MC x MC."""
    EC: int
    """Inside EC x EC."""


def send_event(sent: Sent) -> Event:
    """The send of a message."""
    return sent.message.sender, len(sent.past.events) + 1


def just_sent(sent: Sent) -> Past:
    """The past of its sender up to the send, included."""
    return sent.past.after_send(sent.message, sent.depends_on, sent.earlier)


@lru_cache(maxsize=100_000)
def semantic_past(process: int, past: Past, number: int) -> frozenset[Event]:
    """The events on which event `number` of `process` depends, over messages too (Definition 1, read as GK-10a)."""
    if number == 0:
        return frozenset()
    event, before = past.events[number - 1], frozenset[Event]()
    if event.depends_on:
        before = semantic_past(process, past, event.depends_on) | {(process, event.depends_on)}
    if event.kind == "delivery" and event.sent:
        sender, sent = send_event(event.sent)
        before |= semantic_past(sender, just_sent(event.sent), sent) | {(sender, sent)}
    return before


@lru_cache(maxsize=100_000)
def clocks(process: int, past: Past, definition: int = 5) -> tuple[Clocks, ...]:
    """The vectors of the initial event of `process` and of all its events after it; MCV by Definition 4 or 5."""
    found = [Clocks({}, {})]
    for number, event in enumerate(past.events, 1):
        ECV, MCV = {**found[-1].ECV, process: number}, found[-1].MCV
        if event.kind == "delivery" and event.sent:
            at_send = clocks(event.sent.message.sender, just_sent(event.sent), definition)[-1]
            ECV, MCV = latest(ECV, at_send.ECV), latest(MCV, at_send.MCV)
        elif any(p > MCV.get(q, 0) for q, p in semantic_past(process, past, number) if q == process or definition == 4):
            MCV = ECV
        found.append(Clocks(ECV, MCV))
    return tuple(found)


def latest(left: Vector, right: Vector) -> dict[int, int]:
    """The componentwise maximum."""
    return {q: max(left.get(q, 0), right.get(q, 0)) for q in left.keys() | right.keys()}


def within(left: Vector, right: Vector) -> bool:
    """Whether no component of `left` is larger."""
    return all(number <= right.get(q, 0) for q, number in left.items())


def known_pasts(process: int, past: Past) -> dict[int, Past]:
    """What the past holds of each process: that process's own past up to its last event in it."""
    known = {}
    for sent in sorted(past.sent, key=lambda sent: sent.message.number):
        known[sent.message.sender] = just_sent(sent)
    return {**known, process: past}


def before_the_last(process: int, past: Past) -> dict[int, Past]:
    """The same, as it was before the last event, which is no delivery."""
    return {**known_pasts(process, past), process: past._replace(events=past.events[:-1])}


def known_events(process: int, past: Past) -> dict[Event, Known]:
    """The events of the causal past of the last event, itself included (EC)."""
    return {
        (q, number): Known(event, clocks(q, of_q)[number], semantic_past(q, of_q, number))
        for q, of_q in known_pasts(process, past).items()
        for number, event in enumerate(of_q.events, 1)
    }


def weak_pairs(process: int, past: Past) -> WeakPairs:
    """The amount of false causality (GK-20a) for the last event e of `past`: the pairs of `->w` in MC(e) x MC(e),
    which is enforced on a message of e, and in EC(e) x EC(e), which ordinary causal order enforces."""
    events, (ECV, MCV) = known_events(process, past), clocks(process, past)[-1]
    return WeakPairs(weak_pairs_within(MCV, events), weak_pairs_within(ECV, events))


def weak_pairs_within(prefix: Vector, events: Mapping[Event, Known]) -> int:
    """The pairs of `->w` among the first prefix[q] events of every process q."""
    pairs = 0
    for (q, number), (_, clocks, depends_on) in events.items():
        if number <= prefix.get(q, 0):
            happened_before = sum(min(count, prefix.get(p, 0)) for p, count in clocks.ECV.items()) - 1
            pairs += happened_before - sum(of_p <= prefix.get(p, 0) for p, of_p in depends_on)
    return pairs


def sent_within(known: Mapping[int, Past], prefix: Vector, n: int) -> Counts:
    """The messages that n processes have sent in their first prefix[j] events."""
    rows = []
    for j in range(1, n + 1):
        events = known[j].events[: prefix.get(j, 0)] if j in known else ()
        sent = [event.sent.message.dests for event in events if event.kind == "send" and event.sent]
        rows.append(tuple(sum(to in dests for dests in sent) for to in range(1, n + 1)))
    return tuple(rows)


@lru_cache(maxsize=100_000)
def SENT_of_RST(process: int, past: Past, n: int) -> Counts:
    """The matrix SENT of RST after the same events (models/rst.py, s2 and d4, d5)."""
    SENT: Counts = ((0,) * n,) * n
    for event in past.events:
        if event.kind == "send" and event.sent:
            SENT = incremented(SENT, process, event.sent.message.dests)
        elif event.sent:
            sender, _, dests = event.sent.message
            SENT = maximum(SENT, incremented(SENT_of_RST(sender, event.sent.past, n), sender, dests))
    return SENT


def counts(matrix: Matrix) -> Counts:
    """The numbers of messages, also where the model keeps identities (GK-2c)."""
    return tuple(tuple(map(size, row)) for row in matrix)


def total(left: Matrix, right: Matrix) -> Counts:
    """The sum of two matrices."""
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(counts(left), counts(right), strict=True))


def difference(left: Counts, right: Counts) -> Counts:
    """The difference of two matrices."""
    return tuple(tuple(a - b for a, b in zip(*rows, strict=True)) for rows in zip(left, right, strict=True))


def not_more(left: Counts, right: Counts) -> bool:
    """Whether no number in `left` is larger."""
    return all(a <= b for rows in zip(left, right, strict=True) for a, b in zip(*rows, strict=True))
