"""One process of a run, what is in transit to it, and what a step of the model does there.

Plain values and functions over them, straight from design.md, section 5; who may take which step is said elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from precede.models import Message, Packet, Signal, State, Step

from .errors import ModelError
from .history import MessageId, Past, Sent

Copy = tuple[MessageId | None, int]
"""(message, destination): what a packet in transit carries and where it goes; None for a signal."""
Content = tuple[Packet | Signal, Sent | None]


class Transit(NamedTuple):
    """A packet in transit and its message, which carries the past before its own send; None for a signal.

    `number` counts the packets and signals of the run, from 1, in the order of transmission.
    """

    packet: Packet | Signal
    sent: Sent | None
    number: int = 0

    @property
    def message(self) -> MessageId | None:
        """The identity of its message; None for a signal."""
        return self.sent.id if self.sent else None

    @property
    def copy(self) -> Copy:
        """Its message and its destination."""
        return self.message, self.packet.to

    @property
    def content(self) -> Content:
        """Everything but its number: what makes two packets equal."""
        return self.packet, self.sent


class Local(NamedTuple):
    """A process: its model state, its past, the messages that have arrived and are not delivered, how many it has sent
    in all and before its last restart. A process that is down has no model state."""

    state: State
    past: Past = Past()
    held: frozenset[Sent] = frozenset()
    sent: int = 0
    earlier: int = 0
    down: bool = False

    def crashed(self) -> Local:
        """The process after a crash: what it knew and what had arrived is gone."""
        return self._replace(state=None, held=frozenset(), down=True)

    def restarted(self, state: State) -> Local:
        """The process after a restart in `state`; a model counts its messages anew."""
        return self._replace(state=state, earlier=self.sent, down=False)


class Effect(NamedTuple):
    """What one step of the model did at one process. `wrong` names the properties that its deliveries violate."""

    local: Local
    transmitted: tuple[Transit, ...]
    delivered: tuple[Message, ...]
    wrong: frozenset[str]


def after_send(local: Local, step: Step, message: Message, takes_own: bool = False) -> Effect:
    """The process after it has sent `message`, numbered as the checker knows it; `takes_own`: its own copy arrives in
    the same step (--self at-send)."""
    sent = Sent(message, local.past, step.depends_on, local.earlier)
    past = local.past.after_send(message, step.depends_on, local.earlier)
    held = local.held | {sent} if takes_own and message.sender in message.dests else local.held
    return _after(local._replace(past=past, sent=message.number, held=held), message.sender, step, sent, None)


def after_receive(local: Local, process: int, step: Step, sent: Sent | None) -> Effect:
    """The process after it has taken a packet with the message `sent`, or a signal (None)."""
    if sent and process in sent.message.dests:
        local = local._replace(held=local.held | {sent})
    return _after(local, process, step, sent, step.depends_on)


def after_internal(local: Local, process: int, step: Step) -> Effect:
    """The process after a step by itself, which is an event of its own where the order is semantic."""
    if step.depends_on is not None:
        local = local._replace(past=local.past.after_internal(step.depends_on))
    return _after(local, process, step, None, step.depends_on)


def is_due(sent: Sent, here: Past, process: int) -> bool:
    """Whether all messages to `process` that must precede this one are delivered there; `here` is its own past."""
    return sent.must_precede() & sent.past.to(process) <= here.delivered_at(process)


def _after(local: Local, process: int, step: Step, sent: Sent | None, depends_on: int | None) -> Effect:
    known = [sent] if sent else []
    for group in (local.held, local.past.sent, sent.past.sent if sent else frozenset()):
        known += sorted(group, key=lambda s: s.id, reverse=True)
    past, wrong, delivered = local.past, set(), []
    for message in step.delivered:
        found = _identified(message, known, f"process {process} delivers")
        delivered.append(found.message)
        if (found.id, process) in past.delivered:
            wrong.add("Integrity")
        elif not is_due(found, past, process):
            wrong.add("CausalOrder")
        past = past.after_delivery(found, process, depends_on)
    held = frozenset(s for s in local.held if (s.id, process) not in past.delivered)
    transmitted = tuple(
        Transit(packet, _identified(packet.message, known, f"process {process} transmits"))
        if isinstance(packet, Packet)
        else Transit(packet, None)
        for packet in sorted(step.packets, key=lambda packet: packet.to)
    )
    new = local._replace(state=step.state, past=past, held=held)
    return Effect(new, transmitted, tuple(delivered), frozenset(wrong))


def _identified(message: Message, known: Sequence[Sent], does: str) -> Sent:
    """The message as the checker knows it; after a restart several may be meant: the first known is."""
    found = next((sent for sent in known if sent.shown == message), None)
    if found is None:
        raise ModelError(
            f"{does} {message.sender}.{message.number}, which it neither sends nor takes in this step, which has not "
            "arrived there, and which does not lie in its causal past"
        )
    return found
