"""Arrivals: a buffered model with a record of which sends happen before which when arrivals are events of the relation.

Kshemkalyani and Singhal close happens-before over deliveries; Jang et al. (Definition 1) and Gambhire and Kshemkalyani
(Section 1) close it over the receipt of a message (X-1). The record is the checker's and changes nothing that the inner
model does: every packet carries the messages whose sends happen before its own, arrivals included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .buffered import Buffered, BufferedState, listed
from .interface import Message, Packet, State, Step, Steps

Messages = frozenset[Message]


class Recorded(NamedTuple):
    """A buffered process; the messages whose sends happen before now; those delivered here; and the pairs (first,
    second) of messages delivered here in the wrong order, the second before the first."""

    plain: BufferedState
    known: Messages = frozenset()
    delivered: Messages = frozenset()
    overtaken: frozenset[tuple[Message, Message]] = frozenset()


class Carried(NamedTuple):
    """What a packet carries in the inner model, and the messages whose sends happen before its own."""

    control: Any
    known: Messages


@dataclass(frozen=True)
class Arrivals(Buffered):
    """Buffered, with happens-before from a send to the arrival of the message."""

    title = "delivery from a buffer, and the relation over arrivals"

    def start(self, me: int, processes: int) -> Any:
        """Nothing has happened."""
        return Recorded(super().start(me, processes))

    def send(self, state: Any, message: Message) -> Steps:
        """The send of the inner model."""
        return [
            Step(
                state._replace(plain=step.state, known=state.known | {message}),
                tuple(p._replace(control=Carried(p.control, state.known)) for p in step.packets),
            )
            for step in listed(super().send(state.plain, message))
        ]

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The arrival, after which everything before the send of the message is before what comes here."""
        known = state.known | packet.control.known | {packet.message}
        (step,) = listed(super().receive(state.plain, packet))
        return step._replace(state=state._replace(plain=step.state, known=known))

    def internal(self, state: Any) -> Iterator[Step]:
        """The delivery of one of the packets that may be picked now."""
        _, known, delivered, overtaken = state
        before = {packet.message: packet for packet in state.plain.buffer}
        for step in super().internal(state.plain):
            (message,) = step.delivered
            to, missed = before[message].to, before[message].control.known - delivered
            wrong = {(first, message) for first in missed if to in first.dests}
            after = Recorded(step.state, known, delivered | {message}, overtaken | wrong)  # type: ignore[arg-type]
            yield step._replace(state=after)

    def steps(self, process: State, packet: Packet) -> list[Step]:
        """The steps of the inner model that take the packet."""
        return super().steps(process, plain(packet))

    def control_units(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_units(plain(packet))

    def control_bytes(self, packet: Packet) -> int:
        """That of the inner model."""
        return self.inner.control_bytes(plain(packet))


def plain(packet: Packet) -> Packet:
    """The packet without the record."""
    return packet._replace(control=packet.control.control)
