"""The causal past that the checker, not the model, pairs with every process state and every packet.

A past is a pair of sets (design.md, section 5): the messages sent in it, each with the past before its own send, and
the deliveries made in it. It has no order of deliveries, so two runs with the same computation meet in one state.
"""

from __future__ import annotations

from typing import NamedTuple

from precede.models import Message

MessageId = tuple[int, int]
"""(sender, number)."""


class Sent(NamedTuple):
    """A message sent in a past, with the past of its sender just before the send."""

    message: Message
    past: Past

    @property
    def id(self) -> MessageId:
        """(sender, number)."""
        return self.message.sender, self.message.number


class Past(NamedTuple):
    """Everything that happened before a point of one process or before one send."""

    sent: frozenset[Sent] = frozenset()
    delivered: frozenset[tuple[MessageId, int]] = frozenset()

    def after_send(self, message: Message) -> Past:
        """The past just after this process has sent `message`."""
        return Past(self.sent | {Sent(message, self)}, self.delivered)

    def after_delivery(self, sent: Sent, at: int) -> Past:
        """The past of process `at` just after it has delivered the message `sent`."""
        return Past(self.sent | sent.past.sent | {sent}, self.delivered | sent.past.delivered | {(sent.id, at)})

    def to(self, destination: int) -> frozenset[MessageId]:
        """The messages of this past that are addressed to `destination`."""
        return frozenset(s.id for s in self.sent if destination in s.message.dests)

    def delivered_at(self, destination: int) -> frozenset[MessageId]:
        """The messages whose delivery at `destination` lies in this past."""
        return frozenset(m for m, d in self.delivered if d == destination)

    def required(self) -> frozenset[tuple[MessageId, int]]:
        """The facts required here by the Propagation Constraints of Kshemkalyani and Singhal (Section 3): sent, not
        known to be delivered, and not covered by a later message to the same destination."""
        covered = {(m, d) for s in self.sent for d in s.message.dests for m in s.past.to(d)}
        addressed = {(s.id, d) for s in self.sent for d in s.message.dests}
        return frozenset(addressed - self.delivered - covered)


def required_on_copy(sent: Sent, destination: int) -> frozenset[tuple[MessageId, int]]:
    """The facts required on the copy of `sent` to `destination`: those required just before the send, less those
    about its other destinations. The message's own entry is derivable from the envelope and is left out."""
    others = sent.message.dests - {destination}
    return frozenset(fact for fact in sent.past.required() if fact[1] not in others)
