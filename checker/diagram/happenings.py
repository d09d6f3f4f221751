"""What a step shows at which process: one mark, the messages that it delivers there, its caption."""

from __future__ import annotations

from dataclasses import dataclass

from ..event_text import name
from ..history import MessageId
from ..trace.data import Trace, TraceStep

MOST_NAMES = 2


@dataclass(frozen=True)
class Happening:
    """The part of step `step` (from 0) at one process.

    `shape` is send | delivery | arrival | signal | internal | joint | crash | restart | none: where a packet is lost or
    duplicated, nothing happens at a process. `text` names the message beside the mark, `caption` is the model's name of
    the step.
    """

    step: int
    process: int
    shape: str
    delivered: tuple[MessageId, ...] = ()
    text: str = ""
    caption: str = ""


def happenings(trace: Trace) -> tuple[Happening, ...]:
    """All of them, in the order of the steps; the acting process of a rendezvous first."""
    return tuple(found for i, step in enumerate(trace.steps) for found in _of_step(i, step))


def _of_step(i: int, step: TraceStep) -> list[Happening]:
    here = step.process or 1
    delivered = _delivered(step, here)
    if step.kind in ("duplicate", "lose"):
        return [Happening(i, here, "none")]
    if step.kind in ("crash", "restart"):
        return [Happening(i, here, step.kind)]
    if step.kind == "joint":
        return [Happening(i, p, "joint", caption=step.called if p == 1 else "") for p in step.processes]
    if step.kind == "internal":
        return [Happening(i, here, "internal", delivered, _names(delivered), step.called)]
    if step.kind == "receive":
        return [_received(i, here, step.id, delivered, is_held=(step.id, here) in step.held)]
    assert step.id is not None
    met = [p for p in step.packets if p.met and p.to != here]
    return [
        Happening(i, here, "send", delivered, name(step.id)),
        *(_received(i, p.to, p.message, _delivered(step, p.to), (p.message, p.to) in step.held) for p in met),
    ]


def _received(
    i: int, process: int, message: MessageId | None, delivered: tuple[MessageId, ...], is_held: bool
) -> Happening:
    """The receipt of a packet; the bar of what is held has the name already."""
    shape = "delivery" if delivered else "signal" if message is None else "arrival"
    text = _names(delivered) or ("" if message is None or is_held else name(message))
    return Happening(i, process, shape, delivered, text)


def _delivered(step: TraceStep, process: int) -> tuple[MessageId, ...]:
    return tuple(message for message, at in step.delivered if at == process)


def _names(messages: tuple[MessageId, ...]) -> str:
    return ",".join(map(name, messages[:MOST_NAMES])) + ("..." if len(messages) > MOST_NAMES else "")
