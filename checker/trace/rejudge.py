"""The built-in properties judged on one run: at its end, and on the loop of a lasso."""

from __future__ import annotations

from collections.abc import Iterator

from precede.models import Packet

from ..history import required_on_copy
from ..local import Content, Transit, is_due
from ..result import InternalEvent, JointEvent, ReceiveEvent
from ..run import Run, StepTaken

AT_DELIVERIES = ("CausalOrder", "Integrity")
"""Properties that a delivery violates: `StepTaken.wrong`."""


def broken_at_end(run: Run, property: str) -> bool | None:
    """Whether the state reached violates Delivery, NoNeedlessDelay or Minimality; None for any other property."""
    if property == "Delivery":
        return bool(run.undelivered()) and not run.moves()
    if property == "NoNeedlessDelay":
        return any(holds_needlessly(run, p) for p in run.processes) or any(
            waits_needlessly(run, transit) for transit in run.waiting_packets()
        )
    if property == "Minimality":
        return any(inexact_state(run, p) for p in run.processes) or any(
            inexact_packet(run, transit) for transit in run.in_transit.values()
        )
    return None


Duty = Content | int | None
"""What must not stay enabled for ever and never happen: the receipt of a packet, the steps of a process by itself, the
joint steps (None)."""


class Loop:
    """The end of a lasso, watched while it is executed: does it return, and is it a fair run that delivers nothing?"""

    def __init__(self) -> None:
        self._first: tuple[object, ...] | None = None
        self._always: set[Duty] = set()
        self._done: set[Duty] = set()

    def see(self, run: Run, taken: StepTaken | None) -> None:
        """The next state of the loop, its first one included, and the step of the loop that led to it."""
        enabled = set(_duties(run))
        if taken is None:
            self._first, self._always = run.global_state(), enabled
            return
        self._always &= enabled
        if isinstance(taken.event, ReceiveEvent) and taken.taken is not None:
            self._done.add(taken.taken.content)
        elif isinstance(taken.event, InternalEvent):
            self._done.add(taken.event.process)
        elif isinstance(taken.event, JointEvent):
            self._done.add(None)

    def starves(self, run: Run) -> bool:
        """Whether the run, at its end, is where the loop began, some message is undelivered, and what was enabled all
        the time was done (weak fairness)."""
        return run.global_state() == self._first and bool(run.undelivered()) and self._always <= self._done


def _duties(run: Run) -> Iterator[Duty]:
    yield from (transit.content for transit in run.in_transit.values() if run.receivable(transit))
    yield from (event.process for event in run.enabled_internals())
    if run.enabled_joints():
        yield None


def holds_needlessly(run: Run, process: int) -> bool:
    """Whether a message that has arrived at `process` could be delivered, and no step does so now."""
    local = run.locals[process]
    if not local.held or run.bounds.channel == "rendezvous":
        return False
    ready = {message for step in run.calls.internal(process, local.state) for message in step.delivered}
    return any(is_due(sent, local.past, process) and sent.shown not in ready for sent in local.held)


def waits_needlessly(run: Run, transit: Transit) -> bool:
    """Whether the message of a packet that its process does not take could be delivered."""
    at, sent = transit.packet.to, transit.sent
    past = run.locals[at].past
    if sent is None or at not in sent.message.dests or (sent.id, at) in past.delivered:
        return False
    return is_due(sent, past, at)


def inexact_state(run: Run, process: int) -> bool:
    """Whether a state asserts other facts than those required; never, where the model does not say."""
    local = run.locals[process]
    facts = None if local.down else run.calls.facts_of_state(local.state)
    return facts is not None and facts != local.past.required()


def inexact_packet(run: Run, transit: Transit) -> bool:
    """The same of a packet in transit."""
    packet, sent = transit.packet, transit.sent
    if not isinstance(packet, Packet) or sent is None or run.locals[packet.to].down:
        return False
    facts = run.calls.facts_of_packet(packet)
    return facts is not None and facts != required_on_copy(sent, packet.to)
