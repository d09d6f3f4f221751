"""A run told by what is meant rather than by numbers, so that a part of it can be left out and the rest still means
the same.

An event names a message by its number at its sender, and a packet by its place on a channel: both change when an
earlier send goes. An intent names the send itself, and of several packets alike which one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ConfigurationError, ModelError
from ..history import MessageId
from ..local import Transit
from ..result import Event, FaultEvent, ReceiveEvent, Schedule, SendEvent
from ..run import ImpossibleStep, Run
from ..trace.rejudge import Loop
from .judging import Judge


class Intent(NamedTuple):
    """One event of a run as it was meant.

    `send` numbers the sends of the run from 0: the one that this is, or whose packet is meant; None for a signal and
    for what is about no packet. Of the packets of that message, or of the signals, from `sender` to the event's
    process, the one at place `which` is meant, the oldest being 0. `in_loop`: the event is in the part of a lasso that
    is repeated.
    """

    event: Event
    send: int | None = None
    sender: int | None = None
    which: int = 0
    in_loop: bool = False


Script = tuple[Intent, ...]


class Followed(NamedTuple):
    """A run that follows a script to a violation: its events, and the same as intents, those left out not among them.
    `loop`: of a lasso, how many events lead to the state that the rest returns to."""

    schedule: Schedule
    script: Script
    bounds: Bounds
    loop: int | None = None


def intents_of(calls: ModelCalls, bounds: Bounds, schedule: Schedule, loop: int | None = None) -> Script:
    """The events of a run as intents. Raises ImpossibleStep where it is no run."""
    run, sends, script = Run(calls, bounds), dict[MessageId, int](), list[Intent]()
    for place, event in enumerate(schedule):
        in_loop = loop is not None and place >= loop
        script.append(_meant(run, sends, event)._replace(in_loop=in_loop))
        taken = run.take(event)
        if isinstance(event, SendEvent) and taken.message is not None:
            sends[taken.message.sender, taken.message.number] = len(sends)
    return tuple(script)


def follow(
    calls: ModelCalls, bounds: Bounds, script: Iterable[Intent], judge: Judge, property: str, lasso: bool = False
) -> Followed | None:
    """The run that does what is meant, as far as possible, up to the first violation of `property`; None without one.

    What cannot be done when its turn comes is left out. A lasso has to return to where its loop began.
    """
    try:
        run = Run(calls, bounds)
        execution = _Execution(run, judge, property, Loop() if lasso else None)
        found = not lasso and property in judge.wrong_at_start(run)
        found = found or any(execution.do(intent) for intent in script) or execution.closes()
    except (ModelError, ConfigurationError):
        return None
    if not found:
        return None
    return Followed(tuple(execution.schedule), tuple(execution.follower.script), bounds, execution.stem)


class Follower:
    """Finds in a run the events that are meant. `script` is what has been done, its sends numbered anew."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.script: list[Intent] = []
        self._sent: dict[int, MessageId] = {}
        self._numbers: dict[int, int] = {}

    def event(self, intent: Intent) -> Event | None:
        """The event that is meant, in this run; None where what it is about is not there."""
        event = intent.event
        if intent.sender is None or not isinstance(event, ReceiveEvent | FaultEvent):
            return event
        if intent.send is not None and intent.send not in self._sent:
            return None
        message = None if intent.send is None else self._sent[intent.send]
        alike = _alike(self.run, message, intent.sender, event.process)
        if intent.which >= len(alike):
            return None
        if isinstance(event, ReceiveEvent) and self.run.is_short:
            return event._replace(message=message, sender=None, place=0)
        place = self.run.place_of(alike[intent.which])
        if isinstance(event, ReceiveEvent):
            return event._replace(message=message, sender=intent.sender, place=place)
        return event._replace(sender=intent.sender, place=place)

    def note(self, intent: Intent) -> None:
        """What is meant has been done, as the last step of the run."""
        if isinstance(intent.event, SendEvent) and intent.send is not None:
            process = intent.event.process
            self._numbers[intent.send] = len(self._sent)
            self._sent[intent.send] = process, self.run.locals[process].sent
        send = None if intent.send is None else self._numbers[intent.send]
        self.script.append(intent._replace(send=send))


class _Execution:
    """A script as it is executed, and judged."""

    def __init__(self, run: Run, judge: Judge, property: str, loop: Loop | None) -> None:
        self.run = run
        self.follower = Follower(run)
        self.schedule: list[Event] = []
        self.stem: int | None = None
        self._judge, self._property, self._loop = judge, property, loop

    def do(self, intent: Intent) -> bool:
        """Do what is meant, if possible; whether the property is violated then."""
        self._enter_loop(intent)
        event, before = self.follower.event(intent), dict(self.run.locals)
        if event is None:
            return False
        try:
            taken = self.run.take(event)
        except ImpossibleStep:
            return False
        self.schedule.append(event)
        self.follower.note(intent._replace(event=event))
        if self._loop is not None:
            if intent.in_loop:
                self._loop.see(self.run, taken)
            return False
        if self._property in self._judge.wrong_after(self.run, before, taken):
            return True
        return self._property == "Delivery" and self._judge.is_stuck(self.run)

    def closes(self) -> bool:
        """Whether the run has returned to where its loop began, and is a fair run that delivers nothing."""
        return self._loop is not None and self.stem is not None and self._loop.starves(self.run)

    def _enter_loop(self, intent: Intent) -> None:
        if self._loop is not None and intent.in_loop and self.stem is None:
            self.stem = len(self.schedule)
            self._loop.see(self.run, None)


def _meant(run: Run, sends: dict[MessageId, int], event: Event) -> Intent:
    if isinstance(event, SendEvent):
        return Intent(event, len(sends))
    if isinstance(event, ReceiveEvent) or (isinstance(event, FaultEvent) and event.sender is not None):
        meant = _packet(run, event)
        if meant is not None:
            sender = meant.packet.sender
            which = _alike(run, meant.message, sender, event.process).index(meant)
            return Intent(event, None if meant.message is None else sends[meant.message], sender, which)
    return Intent(event)


def _packet(run: Run, event: ReceiveEvent | FaultEvent) -> Transit | None:
    if event.sender is not None:
        channel = run.on_channel(event.sender, event.process)
        return channel[event.place] if event.place < len(channel) else None
    message = event.message if isinstance(event, ReceiveEvent) else None
    return next((t for t in run.in_transit.values() if t.copy == (message, event.process)), None)


def _alike(run: Run, message: MessageId | None, sender: int, to: int) -> list[Transit]:
    return [t for t in run.on_channel(sender, to) if t.message == message]
