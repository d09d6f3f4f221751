"""Oracle: every copy carries the whole causal past, the upper end of every comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps

Id = tuple[int, int]
"""(sender, number) of a message."""


class Sent(NamedTuple):
    """A message of the past, and the ids of all messages whose sends happened before its own."""

    message: Message
    before: frozenset[Id]


class History(NamedTuple):
    """A causal past: the messages sent in it, and the pairs (id, d) of a message and where it was delivered."""

    sent: frozenset[Sent] = frozenset()
    delivered: frozenset[Fact] = frozenset()

    def ids(self) -> frozenset[Id]:
        """The ids of the messages sent."""
        return frozenset(message[:2] for message, _ in self.sent)

    def joined(self, other: History) -> History:
        """This past and the other."""
        return History(self.sent | other.sent, self.delivered | other.delivered)

    def outstanding(self) -> frozenset[Fact]:
        """Sent, not known to be delivered, and with no later message to the same destination."""
        addressed = {(message[:2], d) for message, _ in self.sent for d in message.dests}
        covered = {(id, d) for message, before in self.sent for d in message.dests for id in before}
        return frozenset(addressed - covered - self.delivered)


class OracleState(NamedTuple):
    """Process `j` and everything that happened before now."""

    j: int
    past: History


@dataclass(frozen=True)
class Oracle(Model):
    """A copy is delivered exactly when everything addressed to its destination in its causal past is."""

    title = "the whole causal past on every copy"
    source = "none: causal order as it is defined (algorithms.md, section 1)"
    status = "a yardstick of this project"
    assumes = "reliable, asynchronous channels, FIFO or not"
    size = "every send and every delivery of the causal past: it grows as long as the run does"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Minimality")

    def start(self, me: int, processes: int) -> OracleState:
        """Nothing has happened."""
        return OracleState(me, History())

    def send(self, state: OracleState, message: Message) -> Steps:
        """Attach the past before this send."""
        i, past = state
        packets = tuple(Packet(i, d, message, past) for d in sorted(message.dests))
        return Step(OracleState(i, past.joined(with_send(past, message))), packets)

    def receive(self, state: OracleState, packet: Packet) -> Steps:
        """Wait for every message to j in the past of the copy; then that past is part of this one."""
        j, past = state
        message, carried = packet.message, packet.control
        if any(j in m.dests and (m[:2], j) not in past.delivered for m, _ in carried.sent):
            return None
        past = past.joined(carried).joined(with_send(carried, message))
        past = past.joined(History(delivered=frozenset({(message[:2], j)})))
        return Step(OracleState(j, past), delivered=(message,))

    def state_facts(self, state: OracleState) -> frozenset[Fact]:
        """Of all that the past tells, what is outstanding."""
        return state.past.outstanding()

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The same, without what the message itself covers at its other destinations."""
        others = packet.message.dests - {packet.to}
        return frozenset((id, d) for id, d in packet.control.outstanding() if d not in others)

    def control_units(self, packet: Packet) -> int:
        """Events: the sends and deliveries of the past."""
        return len(packet.control.sent) + len(packet.control.delivered)

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes an id and 2 a process: each message with its destinations and what is before it, each delivery."""
        sent = sum(6 + 2 * len(message.dests) + 6 * len(before) for message, before in packet.control.sent)
        return sent + 8 * len(packet.control.delivered)


def with_send(past: History, message: Message) -> History:
    """The send of `message` after `past`."""
    return History(frozenset({Sent(message, past.ids())}))
