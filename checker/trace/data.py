"""A trace as data: the run's parameters, every step, every state, and what is wrong at its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from precede.models import Message

from ..bounds import Bounds
from ..formats import TRACE
from ..history import MessageId
from ..result import Event, Schedule, SendEvent
from ..run import Copy, describe, describe_receive
from .values import Value

MOST_STEPS = 5000
"""The pasts of a run grow with the square of its length; a counterexample has a few dozen steps."""


@dataclass(frozen=True)
class TracePacket:
    """A packet that a step transmitted: its destination, control information, and sizes where the model has them."""

    to: int
    control: Value
    units: int | None
    bytes: int | None


@dataclass(frozen=True)
class TraceStep:
    """One step. `state` is the acting process's whole new state; `waiting` the copies whose condition does not hold."""

    event: Event
    message: Message
    packets: tuple[TracePacket, ...]
    delivered: tuple[MessageId, ...]
    waiting: tuple[Copy, ...]
    state: Value

    @property
    def process(self) -> int:
        """The acting process."""
        return self.event.process

    @property
    def id(self) -> MessageId:
        """The message sent or received."""
        return self.message.sender, self.message.number

    @property
    def is_send(self) -> bool:
        """Whether the step is a send; otherwise it is a receive."""
        return isinstance(self.event, SendEvent)

    @property
    def label(self) -> str:
        """What happens: "send 1.1 to 2,3" or "receive 1.1 at 3"."""
        return describe(self.message) if self.is_send else describe_receive(self.id, self.process)


@dataclass(frozen=True)
class Violation:
    """The property that the run violates and why; process and messages as in checker.result.Witness."""

    property: str
    explanation: str
    process: int | None = None
    message: MessageId | None = None
    before: MessageId | None = None


@dataclass(frozen=True)
class Trace:
    """One run, complete: what is needed to replay and re-check it, and to print any of its states.

    `scenario` is the name and the text of the script, if the run follows one. `initial` holds the initial state of
    every process, process 1 first.
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

    @property
    def schedule(self) -> Schedule:
        """The events of the run, enough to execute it again."""
        return tuple(step.event for step in self.steps)

    def state_before(self, number: int) -> Value:
        """The state of the acting process just before step `number` (counted from 0)."""
        process = self.steps[number].process
        for earlier in range(number - 1, -1, -1):
            if self.steps[earlier].process == process:
                return self.steps[earlier].state
        return self.initial[process - 1]

    def as_json(self) -> dict[str, Any]:
        """The trace as the JSON object that `checker.formats` describes."""
        return TRACE.document(
            tool=self.tool,
            source=self.source,
            model=self.model,
            title=self.title,
            readings=self.readings,
            bounds=self.bounds.as_json(),
            scenario=None if self.scenario is None else {"name": self.scenario[0], "text": self.scenario[1]},
            violation=None if self.violation is None else _violation_json(self.violation),
            initial=[{"process": p, "state": state} for p, state in enumerate(self.initial, 1)],
            steps=[_step_json(number, step) for number, step in enumerate(self.steps, 1)],
        )

    def for_process(self, process: int) -> list[tuple[int, TraceStep]]:
        """The steps of one process with their numbers, counted from 1."""
        return [(number, step) for number, step in enumerate(self.steps, 1) if step.process == process]


def name(message: MessageId) -> str:
    """A message as text: "1.2" is the second message of process 1."""
    return f"{message[0]}.{message[1]}"


def _violation_json(violation: Violation) -> dict[str, Any]:
    return {
        "property": violation.property,
        "explanation": violation.explanation,
        "process": violation.process,
        "message": name(violation.message) if violation.message else None,
        "before": name(violation.before) if violation.before else None,
    }


def _step_json(number: int, step: TraceStep) -> dict[str, Any]:
    return {
        "number": number,
        "label": step.label,
        "kind": "send" if step.is_send else "receive",
        "process": step.process,
        "message": name(step.id),
        "dests": sorted(step.message.dests),
        "alternative": step.event.alternative,
        "packets": [{"to": p.to, "control": p.control, "units": p.units, "bytes": p.bytes} for p in step.packets],
        "delivered": [name(message) for message in step.delivered],
        "waiting": [{"message": name(message), "at": at} for message, at in step.waiting],
        "state": step.state,
    }
