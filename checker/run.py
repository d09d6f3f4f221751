"""One run, executed step by step in plain Python over plain values, independently of the engine.

Used to write traces, to replay them and to follow the counterexamples of other tools.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from precede.models import Message, Packet, State

from .event_text import describe, name_or_signal
from .history import MessageId
from .local import Copy, Effect, Transit, after_internal, after_receive, after_send
from .result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, SendEvent
from .system import FAULTS, ImpossibleStep, System

__all__ = ["Copy", "ImpossibleStep", "Run", "StepTaken", "Transit"]

Choice = TypeVar("Choice")


class StepTaken(NamedTuple):
    """What one step did. `message` was sent, or is that of the packet `taken`: received, duplicated or lost.

    `called` is the model's name of an internal or joint step; `transmitted` what went out, also by the receivers of a
    rendezvous, and `met` the numbers of what was received in the same step. `deliveries` are (message, process), in
    order; `states` the new states of the processes that took part, None where one is down. `waiting` is what is in
    transit and not taken now, `held` what has arrived and is not delivered, both after the step and sorted. `wrong`
    names the properties that the deliveries violate: CausalOrder, Integrity.
    """

    event: Event
    message: Message | None = None
    taken: Transit | None = None
    called: str = ""
    transmitted: tuple[Transit, ...] = ()
    met: frozenset[int] = frozenset()
    deliveries: tuple[tuple[Message, int], ...] = ()
    states: tuple[tuple[int, State], ...] = ()
    waiting: tuple[Transit, ...] = ()
    held: tuple[tuple[MessageId, int], ...] = ()
    down: tuple[int, ...] = ()
    wrong: frozenset[str] = frozenset()

    @property
    def delivered(self) -> tuple[Message, ...]:
        """The messages delivered, in order."""
        return tuple(message for message, _ in self.deliveries)


class Run(System):
    """One run, from the initial state on."""

    _transmitted = 0

    def apply(self, event: Event) -> StepTaken:
        """Take one step. Raises ImpossibleStep, with the reason, where the system cannot take it."""
        taken = self.take(event)
        return taken._replace(waiting=self.waiting_packets(), held=self.held(), down=self.down)

    def take(self, event: Event) -> StepTaken:
        """The same, without looking for what waits, is held or is down after the step."""
        if not isinstance(event, JointEvent) and event.process not in self.locals:
            raise ImpossibleStep(f"there is no process {event.process}: processes are 1 to {self.bounds.processes}")
        if isinstance(event, SendEvent):
            return self._send(event)
        if isinstance(event, ReceiveEvent):
            return self._receive(event)
        if isinstance(event, InternalEvent):
            return self._internal(event)
        if isinstance(event, JointEvent):
            return self._joint(event)
        return self._fault(event)

    def _send(self, event: SendEvent) -> StepTaken:
        p, dests = event.process, event.dests
        message = self._message(p, dests)
        label = describe(event, message)
        if reason := self._why_not_send(p, dests):
            raise _impossible(label, reason)
        step = _choose(self._send_steps(p, dests), event.alternative, label, "the model does not send now")
        if reason := self._why_not_met(p, dests, step):
            raise _impossible(label, reason)
        effect = after_send(self.locals[p], step, message, self.takes_own)
        return self._met(self._took_place(StepTaken(event, message), p, effect))

    def _met(self, taken: StepTaken) -> StepTaken:
        """The rest of a send where the packets are received in the same step."""
        if self.bounds.channel != "rendezvous":
            return taken
        packets = [transit for transit in taken.transmitted if isinstance(transit.packet, Packet)]
        for transit in packets:
            to, (step, *_) = transit.packet.to, self._offer(transit)
            del self.in_transit[transit.number]
            taken = self._took_place(taken, to, after_receive(self.locals[to], to, step, transit.sent))
        return taken._replace(met=frozenset(transit.number for transit in packets))

    def _receive(self, event: ReceiveEvent) -> StepTaken:
        label, p = describe(event), event.process
        transit = self._find(event, label)
        if transit.message != event.message:
            raise _impossible(label, f"there, {name_or_signal(transit.message)} is in transit")
        if reason := self._why_not_receive(transit):
            raise _impossible(label, reason)
        step = _choose(self._offer(transit), event.alternative, label, "its delivery condition does not hold")
        del self.in_transit[transit.number]
        message = transit.sent.message if transit.sent else None
        effect = after_receive(self.locals[p], p, step, transit.sent)
        return self._took_place(StepTaken(event, message, transit), p, effect)

    def _internal(self, event: InternalEvent) -> StepTaken:
        p, label = event.process, describe(event)
        none = f"process {p} is down" if self.locals[p].down else "the model has no such step now"
        step = _choose(self._internals(p), event.alternative, label, none)
        return self._took_place(StepTaken(event, called=step.name), p, after_internal(self.locals[p], p, step))

    def _joint(self, event: JointEvent) -> StepTaken:
        none = f"process {self.down[0]} is down" if self.down else "the model has no such step now"
        joint = _choose(self._joints(), event.alternative, describe(event), none)
        states = tuple(zip(self.processes, joint.states, strict=True))
        for p, state in states:
            self.locals[p] = self.locals[p]._replace(state=state)
        return StepTaken(event, called=joint.name, states=states)

    def _fault(self, event: FaultEvent) -> StepTaken:
        p = event.process
        if event.kind not in FAULTS:
            raise _impossible(f"fault {event.kind}", f"faults are {', '.join(FAULTS)}")
        if event.kind in ("crash", "restart"):
            taken = StepTaken(event)
        else:
            transit = self._find(event, f"to {event.kind} a packet to {p}")
            taken = StepTaken(event, transit.sent.message if transit.sent else None, transit)
        if reason := self._why_not_fault(event):
            raise _impossible(describe(event, taken.message), reason)
        self.faults[event.kind] += 1
        if taken.taken is None:
            local = self.locals[p]
            self.locals[p] = local = local.restarted(self.calls.start(p)) if local.down else local.crashed()
            return taken._replace(states=((p, local.state),))
        if event.kind == "duplicate":
            return taken._replace(transmitted=(self._transmit(taken.taken),))
        del self.in_transit[taken.taken.number]
        return taken

    def _took_place(self, taken: StepTaken, process: int, effect: Effect) -> StepTaken:
        """The system after `effect`, and the step with it."""
        self.locals[process] = effect.local
        states = dict(taken.states) | {process: effect.local.state}
        return taken._replace(
            transmitted=taken.transmitted + tuple(map(self._transmit, effect.transmitted)),
            deliveries=taken.deliveries + tuple((message, process) for message in effect.delivered),
            states=tuple(sorted(states.items(), key=lambda item: item[0])),
            wrong=taken.wrong | effect.wrong,
        )

    def _transmit(self, transit: Transit) -> Transit:
        self._transmitted += 1
        self.in_transit[self._transmitted] = transit = transit._replace(number=self._transmitted)
        return transit

    def _find(self, event: ReceiveEvent | FaultEvent, label: str) -> Transit:
        """The packet that an event means."""
        if event.sender is not None:
            channel = self.on_channel(event.sender, event.process)
            if not 0 <= event.place < len(channel):
                raise _impossible(label, f"no such packet is in transit, {len(channel)} are, not one at {event.place}")
            return channel[event.place]
        if isinstance(event, FaultEvent):
            raise _impossible(label, "it does not say which packet, by its sender and its place")
        meant = [t for t in self.in_transit.values() if t.copy == (event.message, event.process)]
        if not meant:
            raise _impossible(label, "no such packet is in transit")
        if len({t.content for t in meant}) > 1:
            raise _impossible(label, "several packets are meant: give the sender and the place")
        return meant[0]


def _choose(steps: tuple[Choice, ...], alternative: int, label: str, none: str) -> Choice:
    if not steps:
        raise _impossible(label, none)
    if not 0 <= alternative < len(steps):
        raise ImpossibleStep(f"{label} has {len(steps)} alternatives, not one of number {alternative}")
    return steps[alternative]


def _impossible(label: str, reason: str) -> ImpossibleStep:
    return ImpossibleStep(f"{label} is not possible: {reason}")
