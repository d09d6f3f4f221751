"""What the history of a run requires of control information, and why each item is there or should not be.

The Propagation Constraints of Kshemkalyani and Singhal (Section 3): that message m must still reach d has to be known
from the send of m on, until either the delivery of m at d lies in the past, or a later message to d has m in its past
and stands for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from precede.models import Fact

from ..event_text import name
from ..history import MessageId, Past, Sent
from ..local import is_due
from ..trace.data import Trace


class Item(NamedTuple):
    """One fact, "`message` must still reach `at`", of a packet or a state.

    `status`: required, redundant (asserted but not required), missing (required but not asserted), or needed (required,
    where the model does not say what its control information asserts). `why` is a sentence, from the history.
    """

    message: MessageId
    at: int
    status: str
    why: str


class Histories:
    """The sends and deliveries of one run, and which message stands for which."""

    def __init__(self, trace: Trace, sent: Iterable[Sent]) -> None:
        """`sent`: every message of the run with its past."""
        self._sent_in = {step.id: i for i, step in enumerate(trace.steps, 1) if step.is_send}
        self._delivered_in: dict[Fact, int] = {}
        for i, step in enumerate(trace.steps, 1):
            for message, at in step.delivered:
                self._delivered_in.setdefault((message, at), i)
        self._covers: dict[Fact, list[MessageId]] = {}
        for s in sorted(sent, key=lambda s: self._sent_in.get(s.id, 0)):
            for d in s.message.dests:
                for m in s.past.to(d):
                    self._covers.setdefault((m, d), []).append(s.id)

    def required(self, past: Past) -> frozenset[Fact]:
        """The facts required at a point with this past: the same as `Past.required`."""
        known = {s.id for s in past.sent}
        open_ = {(s.id, d) for s in past.sent for d in s.message.dests} - past.delivered
        return frozenset(fact for fact in open_ if known.isdisjoint(self._covers.get(fact, ())))

    def items(
        self, asserted: frozenset[Fact] | None, past: Past, copy_of: Sent | None = None, to: int = 0
    ) -> tuple[Item, ...]:
        """Every fact of a state with this past, or of the copy of a message to `to`, sorted."""
        others = copy_of.message.dests - {to} if copy_of else frozenset()
        required = frozenset(fact for fact in self.required(past) if fact[1] not in others)
        return tuple(
            self._item(fact, asserted, required, past, copy_of if fact[1] in others else None)
            for fact in sorted(required | (asserted or frozenset()))
        )

    def _item(
        self, fact: Fact, asserted: frozenset[Fact] | None, required: frozenset[Fact], past: Past, own: Sent | None
    ) -> Item:
        if fact in required:
            status = "needed" if asserted is None else "required" if fact in asserted else "missing"
            return Item(*fact, status, f"{self._needed(fact)}; {self._end(fact)}")
        return Item(*fact, "redundant", self._not_needed(fact, past, own))

    def _needed(self, fact: Fact) -> str:
        message, at = fact
        return f"{self._sent(message, at)}, and nothing in the past here shows it delivered there"

    def _end(self, fact: Fact) -> str:
        """Which of the two fixed points ends the need for a fact in this run, the earlier one first."""
        at = fact[1]
        ends = [
            (self._sent_in.get(by, 0), f"{name(by)}, {self._sent(by, at)}, stands for it")
            for by in self._covers.get(fact, ())[:1]
        ]
        if fact in self._delivered_in:
            step = self._delivered_in[fact]
            ends.append((step, f"step {step} delivers it at {at}"))
        if not ends:
            return "nothing in this run ends the need for it"
        return "needed until that is known: " + ", or ".join(text for _, text in sorted(ends))

    def _sent(self, message: MessageId, at: int) -> str:
        return f"sent to {at} in step {self._sent_in.get(message, '?')}"

    def _not_needed(self, fact: Fact, past: Past, own: Sent | None) -> str:
        message, at = fact
        known = {s.id for s in past.sent}
        if message not in known:
            return "about a message that is not in the past here"
        if fact in past.delivered:
            return f"its delivery at {at}, in step {self._delivered_in.get(fact, '?')}, lies in the past here"
        by = next((other for other in self._covers.get(fact, ()) if other in known), None)
        if by is not None:
            return f"{name(by)}, {self._sent(by, at)} with {name(message)} in its past, stands for it"
        if own is not None:
            return f"{name(own.id)} itself goes to {at} and stands for it; only the copy to {at} has to say it"
        return f"{at} is no destination of it"


def ordered_so_far(trace: Trace) -> list[bool]:
    """Of the initial state and that after each step, whether all deliveries so far were in causal order: from the trace
    alone, for a run that no model can take again."""
    pasts = {p: Past() for p in range(1, trace.bounds.processes + 1)}
    sent: dict[MessageId, Sent] = {}
    found = [True]
    for step in trace.steps:
        if step.is_send and step.message is not None:
            sender = step.message.sender
            sent[step.message[:2]] = Sent(step.message, pasts[sender])
            pasts[sender] = pasts[sender].after_send(step.message)
        is_ordered = True
        for message, at in step.delivered:
            is_ordered &= is_due(sent[message], pasts[at], at)
            pasts[at] = pasts[at].after_delivery(sent[message], at)
        found.append(found[-1] and is_ordered)
    return found
