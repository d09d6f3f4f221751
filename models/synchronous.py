"""Synchronous unicast: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1.

A message carries nothing: its send is over only when it is delivered. The step labels are those of this page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Signal, Step, Steps, reading


class SynchronousState(NamedTuple):
    """Process `i`. awaited: the destinations of its last message that have not yet said that they delivered it."""

    i: int
    awaited: frozenset[int]


@dataclass(frozen=True)
class Synchronous(Model):
    """A process sends again only when its last message is delivered; no message ever waits."""

    title = "Synchronous unicast: no control information"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    status = "read in full; a paragraph, the steps are ours"
    assumes = "synchronous communication, unicast"
    load = "unicast"
    size = "nothing"
    channel = "rendezvous"
    direct = False

    send_ends: str = reading(
        "KS-27",
        "how does a send wait for the delivery?",
        default="a",
        a="both are one step (--channel rendezvous)",
        b="the next send waits for an acknowledgement; deliveries do not (--channel unordered)",
    )

    def start(self, me: int, processes: int) -> SynchronousState:
        """Nothing is awaited."""
        return SynchronousState(me, frozenset())

    def send(self, state: SynchronousState, message: Message) -> Steps:
        """Send, once the last message is delivered."""
        i, awaited = state
        if awaited:
            return None  # s1
        packets = tuple(Packet(i, d, message, None) for d in sorted(message.dests))  # s2
        awaited = message.dests if self.send_ends == "b" else awaited  # s3
        return Step(SynchronousState(i, awaited), packets)

    def receive(self, state: SynchronousState, packet: Packet) -> Steps:
        """Deliver at once."""
        delivered = (packet.message,)  # d1
        acknowledgement = (Signal(state.i, packet.sender, None),)  # d2
        return Step(state, acknowledgement if self.send_ends == "b" else (), delivered)

    def signal(self, state: SynchronousState, signal: Signal) -> Steps:
        """The sender learns of a delivery."""
        i, awaited = state
        awaited = awaited - {signal.sender}  # a1
        return Step(SynchronousState(i, awaited))

    def control_units(self, packet: Packet) -> int:
        """Nothing."""
        return 0

    def control_bytes(self, packet: Packet) -> int:
        """Nothing."""
        return 0
