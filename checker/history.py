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
    """A message sent in a past, with the past of its sender just before the send.

    `depends_on`, where the order is semantic: the number of the sender's event on which the send depends, 0 for none.
    """

    message: Message
    past: Past
    depends_on: int | None = None
    earlier: int = 0
    """The messages that the sender sent before its last restart; a model counts from there."""

    @property
    def shown(self) -> Message:
        """The message as models know it."""
        return self.message._replace(number=self.message.number - self.earlier)

    @property
    def id(self) -> MessageId:
        """(sender, number)."""
        return self.message.sender, self.message.number

    def must_precede(self) -> frozenset[MessageId]:
        """The messages that must be delivered before this one: those sent in its past, or, where the order is
        semantic, those whose sends it depends on."""
        if self.depends_on is None:
            return frozenset(s.id for s in self.past.sent)
        return self.past.behind(self.depends_on)


class LocalEvent(NamedTuple):
    """An event of the process itself, kept where the order is semantic: a send, a delivery, or internal."""

    kind: str
    """send | delivery | internal."""
    sent: Sent | None
    depends_on: int
    """The number of the event of this process on which it depends, 0 for none."""


class Past(NamedTuple):
    """Everything that happened before a point of one process or before one send.

    `events`, kept only where the order is semantic: the process's own events in their order.
    """

    sent: frozenset[Sent] = frozenset()
    delivered: frozenset[tuple[MessageId, int]] = frozenset()
    events: tuple[LocalEvent, ...] = ()

    def after_send(self, message: Message, depends_on: int | None = None, earlier: int = 0) -> Past:
        """The past just after this process has sent `message`."""
        sent = Sent(message, self, depends_on, earlier)
        return Past(self.sent | {sent}, self.delivered, self._events_after("send", sent, depends_on))

    def after_delivery(self, sent: Sent, at: int, depends_on: int | None = None) -> Past:
        """The past of process `at` just after it has delivered the message `sent`."""
        return Past(
            self.sent | sent.past.sent | {sent},
            self.delivered | sent.past.delivered | {(sent.id, at)},
            self._events_after("delivery", sent, depends_on),
        )

    def after_internal(self, depends_on: int | None) -> Past:
        """The past just after an internal event."""
        return self._replace(events=self._events_after("internal", None, depends_on))

    def _events_after(self, kind: str, sent: Sent | None, depends_on: int | None) -> tuple[LocalEvent, ...]:
        return self.events if depends_on is None else (*self.events, LocalEvent(kind, sent, depends_on))

    def behind(self, number: int) -> frozenset[MessageId]:
        """The messages whose send event `number` of this process depends on, its own included; none for 0."""
        if number == 0:
            return frozenset()
        event = self.events[number - 1]
        own = frozenset() if event.sent is None else event.sent.must_precede() | {event.sent.id}
        return own | (frozenset() if event.kind == "send" else self.behind(event.depends_on))

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
