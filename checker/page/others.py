"""What else could have happened in a state of a run, and whether the violation can still follow from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import NamedTuple

from precede.models import Message

from ..errors import PrecedeError
from ..event_text import describe
from ..result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, SendEvent
from ..run import Run, StepTaken
from ..system import ImpossibleStep

STATES_OF_ONE = 300
STATES_OF_ALL = 2500
"""So many states are looked at, after one other step and in all."""


class Other(NamedTuple):
    """An enabled step. `outlook`: now (it violates the property at once), later (the violation can still follow), never
    (it follows in no run within the bounds), unknown (not within so many states), or empty: not asked."""

    event: Event
    label: str
    outlook: str = ""
    states: int = 0
    """How many states were looked at."""


Broken = Callable[[Run, StepTaken], bool]


def enabled_steps(run: Run) -> tuple[Other, ...]:
    """The enabled steps, receives first, as they are described in traces."""
    sends = (Other(event, label_of(run, event)) for event in run.enabled_sends())
    return (*enabled_but_sends(run), *sends)


def enabled_but_sends(run: Run) -> tuple[Other, ...]:
    """The same without the sends, of which there are many and which are costly to find out."""
    events = (*run.enabled_receives(), *run.enabled_internals(), *run.enabled_joints(), *run.enabled_faults())
    return tuple(Other(event, label_of(run, event)) for event in events)


def label_of(run: Run, event: Event) -> str:
    """An enabled event in words, alternatives of the model told apart."""
    alternative = getattr(event, "alternative", 0)
    more = f" (alternative {alternative})" if alternative else ""
    if isinstance(event, SendEvent):
        return describe(event, Message(event.process, run.locals[event.process].sent + 1, event.dests)) + more
    if isinstance(event, ReceiveEvent):
        return describe(event) + more
    if isinstance(event, InternalEvent):
        steps = run.calls.internal(event.process, run.locals[event.process].state)
        return describe(event, called=steps[alternative].name)
    if isinstance(event, JointEvent):
        return describe(event, called=run.calls.joint(tuple(run.states.values()))[alternative].name)
    return describe(event, _message_of(run, event))


def _message_of(run: Run, event: FaultEvent) -> Message | None:
    """The message of the packet that a fault is about."""
    if event.sender is None:
        return None
    sent = run.on_channel(event.sender, event.process)[event.place].sent
    return sent.message if sent else None


def branch(run: Run) -> Run:
    """The same run, to be continued in another way."""
    other = copy(run)
    other.locals, other.in_transit, other.faults = dict(run.locals), dict(run.in_transit), dict(run.faults)
    return other


class Outlook:
    """Looks ahead from states of one run, within one budget of states."""

    def __init__(self, broken: Broken, states: int) -> None:
        self._broken = broken
        self._left = states

    def of(self, run: Run, other: Other, rest: Sequence[Event]) -> Other:
        """The step with its outlook; `rest` is how the recorded run goes on, which is tried first."""
        if self._left <= 0:
            return other._replace(outlook="unknown")
        after = branch(run)
        try:
            taken = after.apply(other.event)
            if self._broken(after, taken):
                return other._replace(outlook="now")
            if self._follows(branch(after), rest):
                return other._replace(outlook="later")
            found, states = self._search(after)
        except PrecedeError:
            return other._replace(outlook="unknown")
        return other._replace(outlook=found, states=states)

    def _follows(self, run: Run, rest: Sequence[Event]) -> bool:
        """Whether the rest of the recorded run, as far as it is possible here, leads to the violation."""
        for event in rest:
            try:
                taken = run.apply(event)
            except ImpossibleStep:
                continue
            self._left -= 1
            if self._broken(run, taken):
                return True
        return False

    def _search(self, start: Run) -> tuple[str, int]:
        """Breadth-first, so that a short way to the violation is found first."""
        seen, level = {start.global_state()}, [start]
        while level:
            following = []
            for run in level:
                for event in run.enabled():
                    if len(seen) > STATES_OF_ONE or self._left <= 0:
                        return "unknown", len(seen)
                    after = branch(run)
                    taken = after.apply(event)
                    if self._broken(after, taken):
                        return "later", len(seen)
                    if (state := after.global_state()) not in seen:
                        seen.add(state)
                        self._left -= 1
                        following.append(after)
            level = following
        return "never", len(seen)
