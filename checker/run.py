"""One run, executed step by step in plain Python over plain values, independently of the engine.

Used to write traces, to replay them and to follow the counterexamples of other tools.
"""

from __future__ import annotations

from typing import NamedTuple

from precede.models import Message, Packet, State, Step

from .bounds import Bounds
from .calls import ModelCalls
from .errors import ConfigurationError
from .history import MessageId, Past, Sent
from .result import Event, ReceiveEvent, SendEvent
from .scenario import Scenario, must_be_delivered, must_have_arrived, next_dests

Copy = tuple[MessageId, int]
"""(message, destination): one packet in transit; messages are sent once, so it is unique."""


class ImpossibleStep(ConfigurationError):
    """A schedule asks for a step that the system cannot take in the state reached."""


class Transit(NamedTuple):
    """A packet in transit and its message, which carries the past before its own send."""

    packet: Packet
    sent: Sent


class StepTaken(NamedTuple):
    """What one step did. `past` is that of the acting process after the step; `waiting` holds the copies in transit
    whose delivery condition does not hold after it, sorted."""

    event: Event
    message: Message
    before: State
    after: State
    past: Past
    packets: tuple[Packet, ...]
    delivered: tuple[Message, ...]
    waiting: tuple[Copy, ...]


class Run:
    """The state of one run: per process its model state and past, and the packets in transit."""

    def __init__(self, calls: ModelCalls, bounds: Bounds, scenario: Scenario | None = None) -> None:
        """The initial state. `scenario` restricts the run to its script; `bounds` are those of `scripted_bounds`."""
        self.calls = calls
        self.bounds = bounds
        self.scenario = scenario
        self.states: dict[int, State] = {p: calls.start(p) for p in self.processes}
        self.pasts: dict[int, Past] = {p: Past() for p in self.processes}
        self.sent: dict[int, int] = {p: 0 for p in self.processes}
        self.in_transit: dict[Copy, Transit] = {}

    @property
    def processes(self) -> range:
        """The processes, 1..n."""
        return range(1, self.bounds.processes + 1)

    def apply(self, event: Event) -> StepTaken:
        """Take one step. Raises ImpossibleStep, with the reason, where the system cannot take it."""
        if event.process not in self.states:
            raise ImpossibleStep(f"there is no process {event.process}: processes are 1 to {self.bounds.processes}")
        if isinstance(event, SendEvent):
            return self._send(event)
        return self._receive(event)

    def enabled(self) -> tuple[Event, ...]:
        """Every event that may happen now: sends, then receives; by process, destinations or message, alternative."""
        return self.enabled_sends() + self.enabled_receives()

    def enabled_sends(self) -> tuple[Event, ...]:
        """The sends that bounds, scenario and model allow now."""
        events: list[Event] = []
        for p in self.processes:
            for dests in self._candidate_dests(p):
                if not self._why_not_send(p, dests):
                    steps = self.calls.send(self.states[p], Message(p, self.sent[p] + 1, dests))
                    events += [SendEvent(p, dests, alternative) for alternative in range(len(steps))]
        return tuple(events)

    def enabled_receives(self) -> tuple[Event, ...]:
        """The receives that model, channel and scenario allow now."""
        return tuple(
            ReceiveEvent(at, message, alternative)
            for (message, at) in sorted(self.in_transit, key=lambda copy: (copy[1], copy[0]))
            if not self._why_not_receive((message, at))
            for alternative in range(len(self._offer((message, at))))
        )

    def waiting(self) -> tuple[Copy, ...]:
        """The copies in transit whose delivery condition does not hold now, whatever the channel says; sorted."""
        return tuple(sorted(copy for copy in self.in_transit if not self._offer(copy)))

    def undelivered(self) -> tuple[Copy, ...]:
        """The copies that have been sent and not been delivered, sorted."""
        return tuple(sorted(self.in_transit))

    def receivable(self, copy: Copy) -> bool:
        """Whether the model's condition and the channel let `copy` be received now, whatever the scenario says."""
        return bool(self._offer(copy)) and self._ahead_on_channel(copy) is None

    def _send(self, event: SendEvent) -> StepTaken:
        p = event.process
        message = Message(p, self.sent[p] + 1, event.dests)
        if reason := self._why_not_send(p, event.dests):
            raise ImpossibleStep(f"{describe(message)} is not possible: {reason}")
        before = self.states[p]
        step = _choose(self.calls.send(before, message), event, describe(message), "the model does not send now")
        sent = Sent(message, self.pasts[p])
        self.pasts[p] = self.pasts[p].after_send(message)
        self.sent[p] += 1
        for packet in step.packets:
            self.in_transit[(sent.id, packet.to)] = Transit(packet, sent)
        return self._finish(event, message, step, sent)

    def _receive(self, event: ReceiveEvent) -> StepTaken:
        copy = (event.message, event.process)
        if reason := self._why_not_receive(copy):
            raise ImpossibleStep(f"{describe_receive(*copy)} is not possible: {reason}")
        steps = self._offer(copy)
        step = _choose(steps, event, describe_receive(*copy), "its delivery condition does not hold")
        sent = self.in_transit.pop(copy).sent
        return self._finish(event, sent.message, step, sent)

    def _finish(self, event: Event, message: Message, step: Step, sent: Sent) -> StepTaken:
        p = event.process
        before, self.states[p] = self.states[p], step.state
        if step.delivered:
            self.pasts[p] = self.pasts[p].after_delivery(sent, p)
        return StepTaken(
            event, message, before, step.state, self.pasts[p], step.packets, step.delivered, self.waiting()
        )

    def _candidate_dests(self, process: int) -> tuple[frozenset[int], ...]:
        if self.scenario is None:
            return self.bounds.destination_sets(process)
        dests = next_dests(self.scenario, process, self.sent[process] + 1)
        return () if dests is None else (dests,)

    def _why_not_send(self, process: int, dests: frozenset[int]) -> str | None:
        number = self.sent[process] + 1
        if sum(self.sent.values()) >= self.bounds.sends:
            return f"the bound allows {self.bounds.sends} sends in all"
        if self.sent[process] >= self.bounds.per_process:
            return f"the bound allows {self.bounds.per_process} sends of one process"
        if not self._allowed_dests(process, dests):
            return (
                f"the bounds do not allow this destination set ({self.bounds.dests}, self {self.bounds.self_addressed})"
            )
        if self.scenario is None:
            return None
        if next_dests(self.scenario, process, number) != dests:
            return f"scenario {self.scenario.name} does not say so"
        here = self.pasts[process].delivered_at(process)
        missing = [id for id in must_be_delivered(self.scenario, process, number) if id not in here]
        return f"scenario {self.scenario.name} wants {_name(missing[0])} delivered first" if missing else None

    def _allowed_dests(self, process: int, dests: frozenset[int]) -> bool:
        others = set(self.processes) - ({process} if self.bounds.self_addressed == "forbidden" else set())
        if self.bounds.dests == "broadcast":
            return dests == others
        return 1 <= len(dests) <= (1 if self.bounds.dests == "unicast" else len(others)) and dests <= others

    def _why_not_receive(self, copy: Copy) -> str | None:
        message, at = copy
        if copy not in self.in_transit:
            return "no such packet is in transit"
        if not self._offer(copy):
            return "its delivery condition does not hold"
        if (ahead := self._ahead_on_channel(copy)) is not None:
            return f"channel {self.bounds.channel} wants {_name(ahead)} received first"
        if self.scenario is not None:
            for other in must_have_arrived(self.scenario, at, message, self.bounds.channel):
                if not self._has_arrived(other, at):
                    return f"scenario {self.scenario.name} wants {_name(other)} to arrive at {at} first"
        return None

    def _has_arrived(self, message: MessageId, at: int) -> bool:
        if (message, at) in self.in_transit:
            return not self.receivable((message, at))
        return message in self.pasts[at].delivered_at(at)

    def _ahead_on_channel(self, copy: Copy) -> MessageId | None:
        """The older message of the same channel that has to be received before `copy`, if there is one."""
        (sender, number), at = copy
        if self.bounds.channel not in ("fifo", "fifo-delivery"):
            return None
        older = sorted(m for m, d in self.in_transit if d == at and m[0] == sender and m[1] < number)
        if self.bounds.channel == "fifo":
            older = [m for m in older if self._offer((m, at))]
        return older[0] if older else None

    def _offer(self, copy: Copy) -> tuple[Step, ...]:
        return self.calls.receive(self.states[copy[1]], self.in_transit[copy].packet)


def describe(message: Message) -> str:
    """The label of a send step, such as "send 1.1 to 2,3"."""
    return f"send {_name((message.sender, message.number))} to {','.join(map(str, sorted(message.dests)))}"


def describe_receive(message: MessageId, at: int) -> str:
    """The label of a receive step, such as "receive 1.1 at 3"."""
    return f"receive {_name(message)} at {at}"


def _choose(steps: tuple[Step, ...], event: Event, label: str, none: str) -> Step:
    if not steps:
        raise ImpossibleStep(f"{label} is not possible: {none}")
    if not 0 <= event.alternative < len(steps):
        raise ImpossibleStep(f"{label} has {len(steps)} alternatives, not one of number {event.alternative}")
    return steps[event.alternative]


def _name(message: MessageId) -> str:
    return f"{message[0]}.{message[1]}"
