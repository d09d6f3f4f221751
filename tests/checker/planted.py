"""Bugs planted for the search: each shows only in runs of four sends or more, in a certain order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from precede.models import Message, Packet
from precede.models.oracle import History, Oracle, OracleState
from precede.models.rst import RST

Before = dict[Any, frozenset[Any]]
"""The messages of a past, each with those before it, by their names."""


@dataclass(frozen=True)
class Capped(RST):
    """Counts at most three messages of a channel as sent: the fourth may be overtaken."""

    def send(self, state: Any, message: Message) -> Any:
        step: Any = super().send(state, message)
        capped = tuple(tuple(min(x, 3) for x in row) for row in step.state.SENT)
        return step._replace(state=step.state._replace(SENT=capped))


class Careless(Oracle):
    """Delivers when all but the messages that it overlooks are delivered."""

    def looked_at(self, to_me: list[Any], sender: int, sent: Before) -> list[Any]:
        """Of the messages to me in the past of one of `sender`, those that are waited for."""
        return to_me

    def receive(self, state: Any, packet: Packet) -> Any:
        j, past = state
        sent = {m[:2]: before for m, before in packet.control.sent}
        to_me = sorted(m[:2] for m, _ in packet.control.sent if j in m.dests)
        if any((id, j) not in past.delivered for id in self.looked_at(to_me, packet.sender, sent)):
            return None
        overlooked = History(delivered=frozenset((id, j) for id in to_me))
        return super().receive(OracleState(j, past.joined(overlooked)), packet)


class Hasty(Careless):
    """Looks at no more than three messages, those that come first by their names."""

    def looked_at(self, to_me: list[Any], sender: int, sent: Before) -> list[Any]:
        return to_me[:3]


class Tired(Careless):
    """Overlooks a message when the news of it may have come by three processes or more after its sender."""

    def looked_at(self, to_me: list[Any], sender: int, sent: Before) -> list[Any]:
        return [id for id in to_me if hops(id, frozenset({id[0]}), sender, sent) < 4]


def hops(id: Any, senders: frozenset[int], last: int, sent: Before) -> int:
    """The most senders, all different, of messages that follow each other from `id` to a message of `last`."""
    later = [other for other, before in sent.items() if id in before and other[0] not in senders]
    return max((hops(other, senders | {other[0]}, last, sent) for other in later), default=len(senders | {last}))
