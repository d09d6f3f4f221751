"""The claims of Sanchez and Alvarez, DISC 2000, about states, copies and steps (algorithms.md, section 7.4).

A matrix is a set of constraints: "b must have delivered the first M[a][b] messages of a". It asks b for its column b,
and for the columns of the messages to b that it counts, since b delivers these only when their columns are satisfied.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from precede.checker.history import Past
from precede.models import Message, Packet, Signal, Step
from precede.models.rst import RSTState
from precede.models.sa import SA, SAState
from precede.models.sa_matrix import Matrix, Vector, column, entries, nonzero, satisfied, without_column

from .registry import claim

Event = Message | Packet | Signal
Transmitted = tuple[Packet | Signal, ...]


@claim("C-SA-P1", "sa", statement="M1 >= M2 entrywise implies: the constraints of M1 imply those of M2")
def larger_implies_smaller(before: SAState, after: SAState) -> bool:
    """Proposition 1, for M before and after a step and the other way round: what just satisfies M1 satisfies M2."""
    return all(
        all(satisfied(column(M2, p), column(M1, p)) for p in processes(M1))
        for M1, M2 in ((before.M, after.M), (after.M, before.M))
        if all(satisfied(smaller, larger) for smaller, larger in zip(M2, M1, strict=True))
    )


@claim("C-SA-L2", "sa", statement="for every event of a process, the constraints after it imply those before it")
def after_implies_before(model: SA, process: int, before: SAState, event: Event, after: SAState) -> bool:
    """Lemma 2: sends and deliveries of user messages, with the extra messages in the same step, and of extra ones."""
    return later_implies(before.M, model, process, before, event, after)


@claim("C-SA-L3", "sa", statement="the constraints after the delivery of m imply those carried by m")
def delivered_implies_carried(model: SA, process: int, before: SAState, event: Event, after: SAState) -> bool:
    """Lemma 3, deliveries; at the other destinations of a multicast, m itself stands for what it carries."""
    if not isinstance(event, Packet):
        return True
    i, Mm = event.sender, event.control
    for d in event.message.dests - {process}:
        if after.M[i - 1][d - 1] > Mm[i - 1][d - 1]:
            Mm = without_column(Mm, d)
    return later_implies(Mm, model, process, before, event, after)


@claim("C-SA-L3-sent", "sa", statement="the constraints carried by m imply those before Send(m)")
def carried_implies_sent(model: SA, before: SAState, event: Event, after: SAState) -> bool:
    """Lemma 3, sends."""
    if not isinstance(event, Message):
        return True
    transmitted = transmitted_by(model, before, event, after) or ()
    return all(
        satisfied(column(before.M, p), asked(model, before, packet.control, transmitted, p))
        for packet in transmitted
        if isinstance(packet, Packet)
        for p in processes(before.M)
    )


@claim("C-SA-L3-extra", "sa", statement="the same of an extra message: what it carries holds after its delivery")
def delivered_implies_extra(model: SA, process: int, event: Event, after: SAState) -> bool:
    """Lemma 3 for extra messages (SA-15)."""
    if not isinstance(event, Signal):
        return True
    if model.carried == "a":
        return satisfied(event.control, after.DELIV)
    return satisfied(column(event.control, process), after.DELIV) and all(
        satisfied(column(event.control, p), column(after.M, p)) for p in processes(after.M) if p != process
    )


@claim("C-SA-P5", "sa", statement="if DELIV_j[i] < x, the x-th message i -> j has not been delivered at j")
def delivered_are_counted(model: SA, process: int, event: Event, after: SAState) -> bool:
    """Proposition 5, user and extra messages (SA-16a): the sender's count in the column says which one this is."""
    if isinstance(event, Message) or (isinstance(event, Signal) and not counts_extras(model)):
        return True
    i = event.sender
    before_it: Vector = carried_column(event)
    return after.DELIV[i - 1] >= before_it[i - 1] + 1


@claim("C-SA-P5-user", "sa", statement="if DELIV_j[i] < x, the x-th user message i -> j has not been delivered at j")
def delivered_user_messages_are_counted(process: int, state: SAState, past: Past) -> bool:
    """Proposition 5, user messages alone (SA-16b)."""
    here = past.delivered_at(process)
    return all(
        x <= delivered
        for i, delivered in enumerate(state.DELIV, 1)
        for x, id in enumerate(user_messages(past, i, process), 1)
        if id in here
    )


@claim("C-SA-ACC", "sa", statement='"first x of k to i" carried by m means: the x-th message k -> i was sent before m')
def named_messages_are_sent(model: SA, packet: Packet, past: Past) -> bool:
    """Used in Theorem 6; judged as long as extra messages, which a past does not show, cannot have been sent."""
    Mm: Matrix = packet.control
    return extras_possible(model, past, len(Mm)) or all(
        x <= len(user_messages(past, k, i)) for k, row in enumerate(Mm, 1) for i, x in enumerate(row, 1)
    )


@claim("C-SA-COL", "sa", statement="the own column is always zero")
def own_column_is_zero(process: int, state: SAState) -> bool:
    """Section 3."""
    return not any(column(state.M, process))


@claim("C-SA-COL-rst", "rst", statement="in RST the own column equals DELIV")
def own_column_is_delivered(process: int, state: RSTState) -> bool:
    """Section 3, of the algorithm of Raynal, Schiper and Toueg."""
    return column(state.SENT, process) == tuple(x if isinstance(x, int) else len(x) for x in state.DELIV)


@claim("C-SA-PIG", "sa", statement="n + 1 non-zero entries force a column with at least two")
def a_column_has_two(state: SAState) -> bool:
    """Section 3, the particular case k = n + 1."""
    M = state.M
    return entries(M) <= len(M) or any(nonzero(column(M, j)) >= 2 for j in processes(M))


@claim("C-SA-SZ", "sa", statement="a user message carries at most K non-zero entries")
def copies_are_small(model: SA, packet: Packet) -> bool:
    """Abstract: messages of size O(k)."""
    return model.control_units(packet) <= model.threshold(packet.sender, len(packet.control))


@claim("C-SA-SZ-state", "sa", statement="after each step M has at most K non-zero entries")
def matrices_are_small(model: SA, process: int, state: SAState) -> bool:
    """Section 3: the maximum number of entries that a process allows."""
    return entries(state.M) <= model.threshold(process, len(state.M))


@claim("C-SA-SZ-extra", "sa", statement="an extra message carries at most n counts")
def extras_are_small(model: SA, before: SAState, event: Event, after: SAState) -> bool:
    """Section 3: only a column."""
    extras = (t for t in transmitted_by(model, before, event, after) or () if isinstance(t, Signal))
    return all(model.signal_units(extra) <= len(before.M) for extra in extras)


def later_implies(M: Matrix, model: SA, process: int, before: SAState, event: Event, after: SAState) -> bool:
    """Whether the constraints after a step imply those of M, from then on."""
    transmitted = transmitted_by(model, before, event, after)
    return transmitted is None or all(
        satisfied(column(M, p), asked(model, before, after.M, transmitted, p, *([after.DELIV] if p == process else [])))
        for p in processes(M)
    )


def transmitted_by(model: SA, before: SAState, event: Any, after: SAState) -> Transmitted | None:
    """What the step from `before` to `after` transmits; None where it is no step of the model by itself, as when an
    own copy is delivered at the send."""
    steps: Any = None
    if isinstance(event, Message):
        steps = model.send(before, event)
    elif isinstance(event, Packet):
        steps = model.receive(before, event)
    elif isinstance(event, Signal):
        steps = model.signal(before, event)
    found: Iterable[Step] = [steps] if isinstance(steps, Step) else steps or ()
    return next((step.packets for step in found if step.state == after), None)


def asked(model: SA, before: SAState, M: Matrix, transmitted: Transmitted, p: int, *known: Vector) -> Vector:
    """What M asks p for: its column, and those of the messages transmitted to p since `before` that M counts; and
    what is `known` to be delivered there."""
    i = before.i - 1
    counting = [t for t in transmitted if t.to == p and (isinstance(t, Packet) or counts_extras(model))]
    counted = counting[: max(0, M[i][p - 1] - before.M[i][p - 1])]
    columns = [column(M, p), *map(carried_column, counted), *known]
    return tuple(max(counts) for counts in zip(*columns, strict=True))


def carried_column(transmitted: Packet | Signal) -> Vector:
    """The column of its destination that a message carries."""
    control = transmitted.control
    return control if isinstance(control[0], int) else column(control, transmitted.to)


def counts_extras(model: SA) -> bool:
    """Whether extra messages count in M."""
    return model.extras_counted in ("a", "c")


def extras_possible(model: SA, past: Past, n: int) -> bool:
    """Whether the messages of `past` use enough channels to make some process send an extra message."""
    channels = {(s.message.sender, d) for s in past.sent for d in s.message.dests}
    least = min(model.threshold(p, n) for p in range(1, n + 1))
    return len(channels) > least or (len(channels) == least and model.exceeded == "b")


def user_messages(past: Past, i: int, j: int) -> list[tuple[int, int]]:
    """The messages of i to j in `past`, in the order of their sends."""
    return sorted(s.id for s in past.sent if s.message.sender == i and j in s.message.dests)


def processes(M: Matrix) -> range:
    """1 to n."""
    return range(1, len(M) + 1)
