"""The way of every packet of a run, and how long messages that have arrived are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..history import MessageId
from .data import Delivery, Trace, TracePacket, TraceStep


@dataclass(frozen=True)
class Journey:
    """The way of one packet; steps are counted from 0, None where there is none.

    `waits_after` is the step after which it was first not taken, `ended` the step that received or lost it;
    `copied_from` the number of the packet of which a fault made it.
    """

    packet: TracePacket
    sent: int
    waits_after: int | None
    ended: int | None
    is_lost: bool
    copied_from: int | None


@dataclass(frozen=True)
class Hold:
    """A message that has arrived at a process in step `since` and is held there until step `until`, None: for good."""

    message: MessageId
    process: int
    since: int
    until: int | None


def journeys(trace: Trace) -> tuple[Journey, ...]:
    """The way of every packet, in the order of transmission."""
    ended: dict[int, tuple[int, bool]] = {}
    waits: dict[int, int] = {}
    for i, step in enumerate(trace.steps):
        if step.taken is not None and step.kind != "duplicate":
            ended[step.taken] = (i, step.kind == "lose")
        ended.update({packet.number: (i, False) for packet in step.packets if packet.met})
        for waiting in step.waiting:
            waits.setdefault(waiting.packet, i)
    return tuple(
        Journey(
            packet,
            sent=i,
            waits_after=waits.get(packet.number),
            ended=ended[packet.number][0] if packet.number in ended else None,
            is_lost=packet.number in ended and ended[packet.number][1],
            copied_from=step.taken if step.kind == "duplicate" else None,
        )
        for i, step in enumerate(trace.steps)
        for packet in step.packets
    )


def holds(trace: Trace) -> tuple[Hold, ...]:
    """Every time that a message is held, by process and time."""
    found: list[Hold] = []
    since: dict[Delivery, int] = {}
    for i, step in enumerate(trace.steps):
        for message, process in [held for held in since if held not in step.held]:
            found.append(Hold(message, process, since.pop((message, process)), i))
        for held in step.held:
            since.setdefault(held, i)
    found += [Hold(message, process, i, None) for (message, process), i in since.items()]
    return tuple(sorted(found, key=lambda hold: (hold.process, hold.since, hold.message)))


def in_transit_at_end(trace: Trace) -> list[TracePacket]:
    """What is in transit at the end, in the order of transmission."""
    return [journey.packet for journey in journeys(trace) if journey.ended is None]


def place_of(number: int, in_transit: Sequence[TracePacket]) -> int:
    """The place, from 0, of a packet among those of its channel in `in_transit`, the oldest first."""
    packet = next(packet for packet in in_transit if packet.number == number)
    channel = [p.number for p in in_transit if (p.sender, p.to) == (packet.sender, packet.to)]
    return channel.index(number)


def moved(in_transit: dict[int, TracePacket], step: TraceStep) -> None:
    """Bring what is in transit, by number, from before `step` to after it."""
    if step.taken is not None and step.kind != "duplicate":
        del in_transit[step.taken]
    in_transit.update({packet.number: packet for packet in step.packets if not packet.met})
