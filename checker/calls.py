"""The only way in which the checker calls a model: every answer is held against the contract of precede.models."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from precede.models import Fact, Joint, Message, Model, Packet, Signal, State, Step

from .bounds import Bounds
from .contract import MOST_ALTERNATIVES, Contract
from .errors import ModelError, UsageError
from .loading import LoadedModel
from .result import LabelCount
from .user_code import one_line, prints_to_stderr
from .values import defect, image

FIRST_CALLS = 250
SAMPLED = 1024
"""A built-in model's first calls are checked in full, and then one of so many; a user's model always is."""

STEPPING = ("send", "receive", "signal", "internal", "joint")
"""The methods that answer with alternatives."""

CAUSES = "it may use random numbers, time, a counter, a cache, id(), NaN, or a mutable value that it changes"


class ModelCalls(Contract):
    """Calls of one model under given bounds. Nothing is remembered here but the marks of the labels.

    The methods raise ModelError, with one line, when the model breaks its contract or raises.
    """

    def __init__(self, loaded: LoadedModel, bounds: Bounds) -> None:
        """Raises UsageError when the model, with its readings, forbids the self-addressed messages of `bounds`."""
        self.loaded = loaded
        self.model: Model = loaded.model
        self.bounds = bounds
        self._name = type(loaded.model).__name__
        self._is_built_in = loaded.built_in
        self._marks = loaded.labels.marks if loaded.labels else bytearray()
        self._no_marks = bytes(len(self._marks))
        self._left: dict[bytes, int] = {}
        self._number = 0
        if bounds.self_addressed != "forbidden" and not self._allows_own():
            raise UsageError(_forbids_own(loaded, bounds))

    def _allows_own(self) -> bool:
        try:
            return self.bounds.self_addressed in self.model.own_copy_modes
        except Exception as error:
            raise self._raised("self_addressed", error) from error

    def start(self, process: int) -> State:
        """The initial state of `process`."""
        state: State = self._call("start", self._one_state, process, self.bounds.processes)
        return state

    def send(self, state: State, message: Message) -> tuple[Step, ...]:
        """The steps that send `message`; none: sending is not enabled.

        With `--self at-send` the sender's own copy is received in the same step, which then delivers the message.
        """
        steps: tuple[Step, ...] = self._call("send", self._sends, state, message)
        if self.bounds.self_addressed != "at-send" or message.sender not in message.dests:
            return steps
        composed = []
        for step in steps:
            own = next((p for p in step.packets if isinstance(p, Packet) and p.to == message.sender), None)
            if own is None:
                raise UsageError(
                    "--self at-send: this model does not transmit the own copy in its send; choose --self network"
                )
            others = tuple(packet for packet in step.packets if packet is not own)
            for after in self.receive(step.state, own):  # its delivery is part of the send event
                composed.append(after._replace(packets=others + after.packets, depends_on=step.depends_on))
        return tuple(dict.fromkeys(composed))

    def receive(self, state: State, packet: Packet) -> tuple[Step, ...]:
        """The steps that take `packet`; none: the delivery condition does not hold yet."""
        steps: tuple[Step, ...] = self._call("receive", self._receives, state, packet)
        return steps

    def signal(self, state: State, signal: Signal) -> tuple[Step, ...]:
        """The steps that take a packet of the protocol itself; none: it has to wait."""
        steps: tuple[Step, ...] = self._call("signal", self._signals, state, signal)
        return steps

    def internal(self, process: int, state: State) -> tuple[Step, ...]:
        """The steps that `process` may take by itself."""
        if type(self.model).internal is Model.internal:
            return ()
        steps: tuple[Step, ...] = self._call("internal", lambda answer, _: self._internals(answer, process), state)
        return steps

    def joint(self, states: tuple[State, ...]) -> tuple[Joint, ...]:
        """The steps that all processes may take together."""
        if type(self.model).joint is Model.joint:
            return ()
        joints: tuple[Joint, ...] = self._call("joint", self._joints, states)
        return joints

    def facts_of_state(self, state: State) -> frozenset[Fact] | None:
        """What the control information in `state` asserts to be outstanding; None when the model does not say."""
        if type(self.model).state_facts is Model.state_facts:
            return None
        facts: frozenset[Fact] = self._call("state_facts", self._facts, state)
        return facts

    def has_facts(self) -> bool:
        """Whether the model says what its control information asserts, stored and carried, so that Minimality can be
        judged."""
        own = type(self.model)
        return own.state_facts is not Model.state_facts and own.packet_facts is not Model.packet_facts

    def facts_of_packet(self, packet: Packet) -> frozenset[Fact] | None:
        """The same of the control information of `packet`."""
        if type(self.model).packet_facts is Model.packet_facts:
            return None
        facts: frozenset[Fact] = self._call("packet_facts", self._facts, packet)
        return facts

    @property
    def channel_rule(self) -> str:
        """The rule of the channels: unordered, fifo, fifo-delivery or rendezvous. For a model with arrival steps of its
        own, which is one that is not direct, `fifo-arrival` means that it takes the oldest packet of a channel."""
        if self.bounds.channel != "fifo-arrival":
            return self.bounds.channel
        return "unordered" if self.model.direct else "fifo-delivery"

    @property
    def marks(self) -> dict[bytes, int]:
        """How many calls left each combination of marks."""
        return self._left

    def add_marks(self, marks: dict[bytes, int]) -> None:
        """Count the calls of another process too."""
        for left, count in marks.items():
            self._left[left] = self._left.get(left, 0) + count

    def forget_marks(self) -> None:
        """Count from nothing."""
        self._left = {}

    @contextmanager
    def marks_apart(self) -> Iterator[None]:
        """Count what is called within from nothing, and then go on with the count from before."""
        before, self._left = self._left, {}
        try:
            yield
        finally:
            self._left = before

    def labels(self, marks: dict[bytes, int] | None = None) -> tuple[LabelCount, ...] | None:
        """What the labelled statements did in all calls so far, or in those that left `marks`; None when the model has
        no source or no labels."""
        if self.loaded.labels is None or not self.loaded.labels.statements:
            return None
        own = type(self.model).__module__
        owners = {cls.__name__ for cls in type(self.model).__mro__ if cls.__module__ == own}
        return self.loaded.labels.counts(self._left if marks is None else marks, owners)

    def _call(self, method: str, checked: Callable[..., Any], *arguments: Any) -> Any:
        """One call: the answer of `method` as `checked` makes it of what the model returned."""
        self._number = number = self._number + 1
        if not self._is_built_in or number <= FIRST_CALLS or number % SAMPLED == 0:
            return self._call_twice(method, checked, arguments)
        return self._call_once(method, checked, arguments)

    def _call_once(self, method: str, checked: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        marks, left = self._marks, self._left
        marks[:] = self._no_marks
        answer = checked(self._evaluate(method, arguments), *arguments)
        now = bytes(marks)
        left[now] = left.get(now, 0) + 1
        return answer

    def _call_twice(self, method: str, checked: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """The same, with a look at what the values hold and whether a second call answers alike."""
        before = image(arguments)
        answer = self._call_once(method, checked, arguments)
        self._check_values(method, answer)
        again = checked(self._evaluate(method, _equal_but_other(arguments)), *arguments)
        if image(arguments) != before:
            raise self._broken(f"{method} changes the state or packet that it is given: return new values instead")
        if not self._equal(method, again, answer):
            raise self._broken(f"{method} gave two answers to the same call: {CAUSES}")
        return answer

    def _equal(self, method: str, again: Any, answer: Any) -> bool:
        try:
            return bool(again == answer)
        except Exception as error:
            raise self._broken(f"{method} returns a value that cannot be compared: {one_line(error)}") from error

    def _evaluate(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """What the model returns; alternatives that it yields are collected here, since that runs the model too."""
        try:
            if self._is_built_in:
                answer = getattr(self.model, method)(*arguments)
                return answer if answer is None or type(answer) is Step else self._collected(method, answer)
            with prints_to_stderr():
                return self._collected(method, getattr(self.model, method)(*arguments))
        except (Exception, SystemExit) as error:
            raise self._raised(method, error) from error

    def _collected(self, method: str, answer: Any) -> Any:
        if answer is None or isinstance(answer, Step) or method not in STEPPING:
            return answer
        if isinstance(answer, list | tuple):
            return tuple(answer[: MOST_ALTERNATIVES + 1])
        if isinstance(answer, Iterable) and not isinstance(answer, str | bytes | dict):
            return tuple(islice(answer, MOST_ALTERNATIVES + 1))
        return answer

    def _raised(self, method: str, error: BaseException) -> ModelError:
        frames = traceback.extract_tb(error.__traceback__)
        files = self._files()
        place = next((frame for frame in reversed(frames) if frame.filename in files), frames[-1])
        return self._broken(f"{method} raised {one_line(error)} ({place.filename}, line {place.lineno})")

    def _files(self) -> set[str]:
        """The files of the model's class and of those that it is made from."""
        classes = [cls for cls in type(self.model).__mro__ if cls not in Model.__mro__]
        members = [member for cls in classes for member in vars(cls).values()]
        return {member.__code__.co_filename for member in members if inspect.isfunction(member)}

    def _check_values(self, method: str, answer: Any) -> None:
        if method in ("state_facts", "packet_facts"):
            return
        if method == "joint":
            states, controls = [state for joint in answer for state in joint.states], []
        else:
            states = [answer] if method == "start" else [step.state for step in answer]
            controls = [] if method == "start" else [p.control for step in answer for p in step.packets]
        for what, values in (("state", states), ("control information", controls)):
            found = next((words for value in values if (words := defect(value))), None)
            if found:
                raise self._broken(f"{method} returns {what} that holds {found}")


def _equal_but_other(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same arguments, a packet as another object, so that a model that goes by identity answers differently."""
    return tuple(Packet(*value) if isinstance(value, Packet) else value for value in arguments)


def _forbids_own(loaded: LoadedModel, bounds: Bounds) -> str:
    """Which reading forbids self-addressed messages, and what to choose instead."""
    model = loaded.model
    for reading_id, (field, reading) in model.readings().items():
        others = ((letter, replace(model, **{field.name: letter})) for letter in reading.variants)
        allowing = [letter for letter, other in others if bounds.self_addressed in other.own_copy_modes]
        if allowing:
            choice = " or ".join(f"--reading {reading_id}{letter}" for letter in allowing)
            what = "this way of taking own copies" if model.self_addressed else "self-addressed messages"
            forbidding = f"{reading_id}{loaded.readings[reading_id]} forbids {what}"
            return f"--self {bounds.self_addressed}: {forbidding}; add {choice}, or leave --self forbidden"
    return f"--self {bounds.self_addressed}: {loaded.name} forbids self-addressed messages; leave --self forbidden"
