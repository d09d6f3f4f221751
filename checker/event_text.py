"""Events in words, alike in reasons, traces, texts and diagrams."""

from __future__ import annotations

from precede.models import Message

from .history import MessageId
from .result import Event, FaultEvent, InternalEvent, ReceiveEvent, SendEvent


def name(message: MessageId) -> str:
    """A message as text: "1.2" is the second message of process 1."""
    return f"{message[0]}.{message[1]}"


def name_or_signal(message: MessageId | None) -> str:
    """A message as text, or "signal"."""
    return "signal" if message is None else name(message)


def kind_of(event: Event) -> str:
    """send | receive | internal | joint | duplicate | lose | crash | restart."""
    if isinstance(event, FaultEvent):
        return event.kind
    if isinstance(event, SendEvent):
        return "send"
    if isinstance(event, ReceiveEvent):
        return "receive"
    return "internal" if isinstance(event, InternalEvent) else "joint"


def describe(event: Event, message: Message | None = None, called: str = "") -> str:
    """What happens: "send 1.1 to 2,3", "receive 1.1 at 3", "receive signal from 2 at 3", "process 2: pass the token".

    `message` is the message sent, or carried by the packet; `called` the model's name for an internal or joint step.
    """
    if isinstance(event, SendEvent):
        number = f" {name(message[:2])}" if message else ""
        return f"send{number} to {','.join(map(str, sorted(event.dests)))}"
    if isinstance(event, ReceiveEvent):
        return f"receive {_packet(event.message, event.sender)} at {event.process}"
    if isinstance(event, InternalEvent):
        return f"process {event.process}: {called or 'internal step'}"
    if isinstance(event, FaultEvent):
        if event.kind in ("crash", "restart"):
            return f"{event.kind} process {event.process}"
        return f"{event.kind} {_packet(message[:2] if message else None, event.sender)} to {event.process}"
    return f"all processes: {called or 'joint step'}"


def _packet(message: MessageId | None, sender: int | None) -> str:
    """A packet, with its transmitter where the message does not tell it."""
    from_whom = "" if sender is None or (message and message[0] == sender) else f" from {sender}"
    return name_or_signal(message) + from_whom
