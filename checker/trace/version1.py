"""The steps of version 1 of the format: sends and receives only, and what is in transit told by message and process."""

from __future__ import annotations

from precede.models import Message

from ..bounds import Bounds
from ..history import MessageId
from ..result import Event, ReceiveEvent, SendEvent
from .data import TracePacket, TraceState, TraceStep, Waiting
from .fields import Fields, Wrong

MOST_COPIES = 100_000


def read_steps(found: list[Fields], bounds: Bounds) -> tuple[TraceStep, ...]:
    """The steps as those of today: the packets get numbers in the order of transmission."""
    numbers: dict[tuple[MessageId, int], int] = {}
    return tuple(_step(step, bounds, numbers) for step in found)


def _step(found: Fields, bounds: Bounds, numbers: dict[tuple[MessageId, int], int]) -> TraceStep:
    n = bounds.processes
    process, (sender, number) = found.integer("process", 1, n), found.message("message", n)
    message = Message(sender, number, frozenset(found.integers("dests", 1, n)))
    alternative = found.integer("alternative", 0, 10**6)
    kind = found.text("kind")
    if kind not in ("send", "receive"):
        raise Wrong(f"{found.where}.kind: must be 'send' or 'receive'")
    event: Event = SendEvent(process, message.dests, alternative)
    if kind == "receive":
        event = ReceiveEvent(process, (sender, number), alternative)
    packets = []
    for packet in found.objects("packets", n):
        to = packet.integer("to", 1, n)
        numbers[message[:2], to] = len(numbers) + 1
        packets.append(
            TracePacket(
                number=numbers[message[:2], to],
                sender=process,
                to=to,
                message=message[:2],
                control=packet.value("control"),
                units=packet.optional_integer("units", 0, 2**53),
                bytes=packet.optional_integer("bytes", 0, 2**53),
            )
        )
    waiting = [(w.message("message", n), w.integer("at", 1, n)) for w in found.objects("waiting", MOST_COPIES)]
    return TraceStep(
        event=event,
        message=message,
        taken=numbers.get((message[:2], process), 0) if kind == "receive" else None,
        packets=tuple(packets),
        delivered=tuple((m, process) for m in found.messages("delivered", n)),
        waiting=tuple(Waiting(numbers.get(copy, 0), *copy) for copy in waiting),
        states=(TraceState(process, found.value("state")),),
    )
