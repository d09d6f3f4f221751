"""A trace as data: the run's parameters, every step, every state, and what is wrong at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from precede.models import Message

from ..bounds import Bounds
from ..event_text import describe, kind_of, name
from ..history import MessageId
from ..result import Event, FaultEvent, JointEvent, Schedule
from .values import Value

__all__ = ["MOST_STEPS", "Delivery", "Trace", "TracePacket", "TraceState", "TraceStep", "Violation", "Waiting", "name"]

MOST_STEPS = 5000
"""The pasts of a run grow with the square of its length; a counterexample has a few dozen steps."""

Delivery = tuple[MessageId, int]
"""(message, process)."""


@dataclass(frozen=True)
class TracePacket:
    """A packet or, with `message` None, a signal that a step transmitted.

    `number` counts those of the run from 1, in the order of transmission. `units` and `bytes` are its sizes, where the
    model has them. `met`: the same step also received it, as in a rendezvous.
    """

    number: int
    sender: int
    to: int
    message: MessageId | None
    control: Value
    units: int | None = None
    bytes: int | None = None
    met: bool = False


class Waiting(NamedTuple):
    """A packet, by number, that its process does not take: the message, None for a signal, and the process."""

    packet: int
    message: MessageId | None
    at: int


@dataclass(frozen=True)
class TraceState:
    """The whole new state of a process that took part in a step; None for one that is down."""

    process: int
    state: Value
    down: bool = False


@dataclass(frozen=True)
class TraceStep:
    """One step. `message` was sent, or is that of the packet with the number `taken`: received, duplicated or lost.

    `called` is the model's name of an internal or joint step. After the step, `waiting` are the packets that their
    process does not take, and `held` the messages that have arrived at a process and are not delivered there.
    """

    event: Event
    message: Message | None = None
    taken: int | None = None
    called: str = ""
    packets: tuple[TracePacket, ...] = ()
    delivered: tuple[Delivery, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    held: tuple[Delivery, ...] = ()
    states: tuple[TraceState, ...] = ()

    @property
    def kind(self) -> str:
        """send | receive | internal | joint | duplicate | lose | crash | restart."""
        return kind_of(self.event)

    @property
    def process(self) -> int | None:
        """The acting process, or where a packet that is lost or duplicated goes; None for a joint step."""
        return None if isinstance(self.event, JointEvent) else self.event.process

    @property
    def processes(self) -> tuple[int, ...]:
        """The processes that the step is about."""
        here = {state.process for state in self.states}
        return tuple(sorted(here if self.process is None else here | {self.process}))

    @property
    def id(self) -> MessageId | None:
        """The message sent, received, duplicated or lost."""
        return None if self.message is None else (self.message.sender, self.message.number)

    @property
    def is_send(self) -> bool:
        """Whether the step is a send."""
        return self.kind == "send"

    @property
    def alternative(self) -> int:
        """Which of the model's steps it is, from 0; 0 for a fault."""
        return 0 if isinstance(self.event, FaultEvent) else self.event.alternative

    @property
    def label(self) -> str:
        """What happens: "send 1.1 to 2,3", "receive 1.1 at 3" and so on."""
        return describe(self.event, self.message, self.called)


@dataclass(frozen=True)
class Violation:
    """The property that the run violates and why; the rest as in checker.result.Witness."""

    property: str
    explanation: str
    process: int | None = None
    message: MessageId | None = None
    before: MessageId | None = None
    loop: int | None = None


@dataclass(frozen=True)
class Trace:
    """One run, complete: what is needed to replay and re-check it, and to print any of its states.

    `settings` are the model's parameters, encoded; `scenario` is the name and the text of the script, if the run
    follows one. `initial` holds the initial state of every process, process 1 first.
    """

    tool: str
    source: str
    model: str
    title: str
    readings: dict[str, str]
    bounds: Bounds
    scenario: tuple[str, str] | None
    violation: Violation | None
    initial: tuple[Value, ...]
    steps: tuple[TraceStep, ...]
    settings: Mapping[str, Value] = field(default_factory=dict)

    @property
    def schedule(self) -> Schedule:
        """The events of the run, enough to execute it again."""
        return tuple(step.event for step in self.steps)

    @property
    def loop(self) -> int | None:
        """How many steps lead to the state that the rest of them returns to, for ever; None for an ordinary run."""
        return self.violation.loop if self.violation else None

    def _repr_html_(self) -> str:
        """The run in a notebook: its page, to step through."""
        from ..page.notebook import trace_in_notebook

        return trace_in_notebook(self)

    def state_before(self, number: int, process: int) -> Value:
        """The state of a process just before step `number` (counted from 0)."""
        for earlier in range(number - 1, -1, -1):
            for new in self.steps[earlier].states:
                if new.process == process:
                    return new.state
        return self.initial[process - 1]
