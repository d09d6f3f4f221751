"""Mattern-Fuenfrocken: F. Mattern, S. Fuenfrocken, "A non-blocking lightweight implementation of causal order message
delivery", LNCS 938:197-213, 1995.

The form of algorithms.md, B8: the step labels s1, s2, a1, a2 and d1 are those of that page; a3 takes an
acknowledgement, r1 and r2 release (MF-2d). The transport acts as soon as it can, the application when it likes.
*Reconstructed* from the abstract, a public description and the summary of Kshemkalyani and Singhal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Signal, Step, Steps, reading

ACKNOWLEDGE, RELEASE = "acknowledge", "release"
Id = tuple[int, int]
"""(sender, number)."""


class MFState(NamedTuple):
    """Process `i`. OUT: the messages to transmit, each with its destinations, the head until it is acknowledged;
    waiting: the destinations that have yet to acknowledge the head; IN: what has arrived; held: what of IN is not
    released (MF-2d)."""

    i: int
    OUT: tuple[tuple[Message, frozenset[int]], ...] = ()
    waiting: frozenset[int] = frozenset()
    IN: tuple[Message, ...] = ()
    held: frozenset[Id] = frozenset()


@dataclass(frozen=True)
class MatternFuenfrocken(Model):
    """A message carries nothing: the transport sends the next one when the last one is in the receiver's buffer."""

    title = "Mattern-Fuenfrocken: synchronised buffers"
    source = "F. Mattern, S. Fuenfrocken, LNCS 938:197-213, 1995"
    status = "reconstructed"
    assumes = "reliable, asynchronous channels; unicast; acknowledgements by the transport"
    load = "unicast"
    size = "nothing; an acknowledgement for each message"
    direct = False

    taken: str = reading(
        "MF-1",
        "in which order does the application take messages from IN?",
        default="a",
        a="the head first",
        b="any",
    )
    multicast: str = reading(
        "MF-2",
        "what is a multicast?",
        default="a",
        a="not defined: it is not sent",
        b="repeated unicasts, destinations in ascending order",
        c="all copies at once, then wait for all acknowledgements",
        d="as c, and a copy in IN is held until the sender, which has all acknowledgements, releases it",
    )
    acknowledged: str = reading(
        "MF-3", "when does the receiver acknowledge?", default="a", a="at the arrival", b="at the delivery"
    )

    def start(self, me: int, processes: int) -> MFState:
        """The buffers are empty."""
        return MFState(me)

    def send(self, state: MFState, message: Message) -> Steps:
        """Put the message into OUT; this never waits."""
        Dests = message.dests
        if self.multicast == "a" and len(Dests) > 1:
            return None
        parts = [frozenset({d}) for d in sorted(Dests)] if self.multicast == "b" else [Dests]
        OUT = state.OUT + tuple((message, part) for part in parts)  # s1
        return self.transmitting(state._replace(OUT=OUT))

    def transmitting(self, state: MFState, signals: tuple[Signal, ...] = ()) -> Step:
        """The transport sends the head of OUT unless it waits; `signals` go first."""
        i, OUT, waiting, IN, held = state
        packets: tuple[Packet, ...] = ()
        if OUT and not waiting:
            message, waiting = OUT[0]  # s2
            packets = tuple(Packet(i, d, message, None) for d in sorted(waiting))
        return Step(MFState(i, OUT, waiting, IN, held), signals + packets)

    def receive(self, state: MFState, packet: Packet) -> Steps:
        """An arrival: put the message into IN."""
        message, held = packet.message, state.held
        IN = (*state.IN, message)  # a1
        if self.multicast == "d":
            held = held | {(message.sender, message.number)}
        acknowledgement = (Signal(state.i, packet.sender, (ACKNOWLEDGE, message.number)),)  # a2
        return Step(state._replace(IN=IN, held=held), acknowledgement if self.acknowledged == "a" else ())

    def signal(self, state: MFState, signal: Signal) -> Steps:
        """The transport takes an acknowledgement or a release."""
        i, OUT, waiting, IN, held = state
        kind, number = signal.control
        if kind == RELEASE:
            held = held - {(signal.sender, number)}  # r2
            return Step(MFState(i, OUT, waiting, IN, held))
        waiting = waiting - {signal.sender}  # a3
        if waiting:
            return Step(MFState(i, OUT, waiting, IN, held))
        releases: tuple[Signal, ...] = ()
        if self.multicast == "d":
            releases = tuple(Signal(i, d, (RELEASE, number)) for d in sorted(OUT[0][1]))  # r1
        return self.transmitting(MFState(i, OUT[1:], waiting, IN, held), releases)

    def internal(self, state: MFState) -> Iterator[Step]:
        """The application takes a message from IN."""
        places = range(len(state.IN)) if self.taken == "b" else range(min(1, len(state.IN)))
        for place in places:
            message = state.IN[place]
            if (message.sender, message.number) in state.held:
                continue
            IN = state.IN[:place] + state.IN[place + 1 :]  # d1
            acknowledgement = (Signal(state.i, message.sender, (ACKNOWLEDGE, message.number)),)  # a2
            packets = acknowledgement if self.acknowledged == "b" else ()
            name = f"take message {message.number} of {message.sender} from IN"
            yield Step(state._replace(IN=IN), packets, (message,), name=name)

    def control_units(self, packet: Packet) -> int:
        """Nothing."""
        return 0

    def control_bytes(self, packet: Packet) -> int:
        """Nothing."""
        return 0
