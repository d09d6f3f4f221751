"""Whether the steps of a trace from outside tell one story: what is sent, received, lost and held exists."""

from __future__ import annotations

from ..history import MessageId
from ..result import FaultEvent, ReceiveEvent
from .data import Trace, TracePacket, TraceStep
from .fields import Wrong
from .journeys import moved, place_of
from .values import printable


def check_story(trace: Trace) -> None:
    """Raises Wrong at the first step that does not fit what went before."""
    story = _Story(trace.bounds.processes)
    for number, step in enumerate(trace.steps, 1):
        try:
            story.tell(step)
        except Wrong as error:
            raise Wrong(f"step {number} ({printable(step.label)[:200]}): {error}") from None
    if trace.loop is not None and not trace.loop < len(trace.steps):
        raise Wrong("violation.loop: must be less than the number of steps")


class _Story:
    """What is known after some steps."""

    def __init__(self, processes: int) -> None:
        self.all = range(1, processes + 1)
        self.sent: dict[MessageId, frozenset[int]] = {}
        self.count = dict.fromkeys(self.all, 0)
        self.in_transit: dict[int, TracePacket] = {}
        self.last_packet = 0
        self.down: set[int] = set()

    def tell(self, step: TraceStep) -> None:
        """One more step."""
        self._check_actors(step)
        if step.kind == "send":
            self._send(step)
        elif step.kind in ("receive", "duplicate", "lose"):
            self._take(step)
        self._transmit(step)
        moved(self.in_transit, step)
        in_transit = self.in_transit.values()
        for message, at in (*step.delivered, *step.held):
            if at not in self.sent.get(message, ()):
                raise Wrong(f"{message[0]}.{message[1]} is no message to {at}")
        if not {tuple(waiting) for waiting in step.waiting} <= {(p.number, p.message, p.to) for p in in_transit}:
            raise Wrong("a waiting packet is not in transit")

    def _check_actors(self, step: TraceStep) -> None:
        """Who takes part, is up or down as the kind of step wants."""
        here = [state.process for state in step.states]
        if len(set(here)) < len(here) or here != sorted(here):
            raise Wrong("states must hold each process once, in order")
        wanted = {
            "joint": set(self.all),
            "duplicate": set(),
            "lose": set(),
            "send": {step.process} | {packet.to for packet in step.packets if packet.met},
        }.get(step.kind, {step.process})
        if set(here) != wanted:
            raise Wrong("states must hold the processes that take part")
        is_restart, is_crash = step.kind == "restart", step.kind == "crash"
        for state in step.states:
            if (state.process in self.down) != is_restart or state.down != is_crash:
                raise Wrong(f"process {state.process} is {'down' if state.process in self.down else 'up'}")
        self.down = (self.down | set(here)) if is_crash else self.down - set(here)
        if step.delivered and not {at for _, at in step.delivered} <= set(here):
            raise Wrong("only a process that takes part can deliver")

    def _send(self, step: TraceStep) -> None:
        assert step.message is not None and step.process is not None
        sender = step.process
        self.count[sender] += 1
        if step.id != (sender, self.count[sender]) or not step.message.dests:
            raise Wrong(f"process {sender} must send its message {self.count[sender]} next, to someone")
        self.sent[sender, self.count[sender]] = step.message.dests

    def _take(self, step: TraceStep) -> None:
        """A packet is received, duplicated or lost: it must be the one that the event means."""
        event = step.event
        assert isinstance(event, ReceiveEvent | FaultEvent)
        packet = None if step.taken is None else self.in_transit.get(step.taken)
        if packet is None or (packet.to, packet.message) != (event.process, step.id):
            raise Wrong("no such packet is in transit")
        if step.message is not None and self.sent[step.message[:2]] != step.message.dests:
            raise Wrong("no such packet is in transit, the message has other destinations")
        if event.sender is not None:
            place = place_of(packet.number, list(self.in_transit.values()))
            if (event.sender, event.place) != (packet.sender, place):
                raise Wrong(f"the packet is at place {place} of those from {packet.sender}")

    def _transmit(self, step: TraceStep) -> None:
        for packet in step.packets:
            self.last_packet += 1
            if packet.number != self.last_packet:
                raise Wrong(f"the next packet must have the number {self.last_packet}")
            if packet.message is not None and packet.message not in self.sent:
                raise Wrong("a packet carries a message that was not sent")
            if packet.met and (step.kind != "send" or packet.message is None):
                raise Wrong("only the packets of a send can be received in the same step")
            if step.kind != "duplicate" and packet.sender not in {state.process for state in step.states}:
                raise Wrong("a packet must come from a process that takes part")
        if step.kind in ("joint", "lose", "crash", "restart") and step.packets:
            raise Wrong("such a step transmits nothing")
        if step.kind == "duplicate":
            assert step.taken is not None
            old = self.in_transit[step.taken]
            if [(p.sender, p.to, p.message) for p in step.packets] != [(old.sender, old.to, old.message)]:
                raise Wrong("a duplicate is one packet like the other")
