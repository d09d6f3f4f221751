"""What an algorithm is here: the state of a process and the contents of a copy as named truth values, and the steps as
formulas over them. The model of the same name in `precede.models` is the text that it follows, label by label.

A message is known by the number of the step that sends it (its slot). Of two messages of one sender, the one with the
larger slot is the later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from .booleans import Bit, Bits


class Messages(Protocol):
    """The messages sent so far."""

    @property
    def processes(self) -> range:
        """The processes, 1..n."""

    @property
    def slots(self) -> Iterable[int]:
        """The steps so far; any of them may have sent a message."""

    def to(self, slot: int, d: int) -> Bit:
        """Whether the message is addressed to d."""

    def acts(self, slot: int, p: int) -> Bit:
        """Whether the step is one of p."""

    def same_sender(self, slot: int, other: int) -> Bit:
        """Whether both are messages, of one process."""


@dataclass(frozen=True)
class Event:
    """A send or a receipt, of which little is known: `at` whose step it may be, `sender` and `dests` of the message,
    `message` which one it is, and at a send, where the order is semantic, `depends_on` the step that it depends on."""

    step: int
    at: Mapping[int, Bit]
    sender: Mapping[int, Bit]
    dests: Mapping[int, Bit]
    message: Mapping[int, Bit]
    depends_on: Mapping[int, Bit] = field(default_factory=dict)


Emitted = Mapping[int, tuple[Bit, Bits]]
"""destination -> whether a packet of the protocol itself goes there, and its contents."""


@dataclass(frozen=True)
class After:
    """The state after a step, the contents of the copies by destination, and packets of the protocol itself."""

    state: Bits
    copies: Mapping[int, Bits] = field(default_factory=dict)
    emitted: Emitted = field(default_factory=dict)


@dataclass(frozen=True)
class Algorithm:
    """Base of the algorithms: one choice of readings, id -> letter, and parameters, name -> value."""

    readings: Mapping[str, str]
    settings: Mapping[str, int]

    name: ClassVar[str]
    encoded: ClassVar[Mapping[str, str]]
    """The letters of each reading that are encoded; a reading that is not named has an effect on nothing that is."""
    parameters: ClassVar[frozenset[str]] = frozenset()
    """The parameters that are encoded."""
    semantic: ClassVar[bool] = False
    has_facts: ClassVar[bool] = False
    has_signals: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Raises ValueError for a reading or a parameter that is not encoded."""
        for id, letters in self.encoded.items():
            if self.readings[id] not in letters:
                raise ValueError(f"reading {id}{self.readings[id]} is not encoded, of {id} only {', '.join(letters)}")
        for name, value in self.settings.items():
            if name not in self.parameters and value:
                raise ValueError(f"parameter {name} is not encoded")

    @property
    def is_symmetric(self) -> bool:
        """Whether processes may change names in a run."""
        raise NotImplementedError

    @property
    def signals_first(self) -> bool:
        """Whether the packets of the protocol itself that a send transmits go out before its copies."""
        return False

    def start(self, messages: Messages) -> Bits:
        """The initial state."""
        return {}

    def send(self, messages: Messages, event: Event, before: Bits) -> After:
        """The step that sends a message."""
        raise NotImplementedError

    def receive(self, messages: Messages, event: Event, before: Bits, copy: Bits) -> After:
        """The step that delivers a message."""
        raise NotImplementedError

    def receive_signal(self, messages: Messages, event: Event, before: Bits, signal: Bits) -> After:
        """The step that takes a packet of the protocol itself."""
        raise NotImplementedError

    def is_ready(self, messages: Messages, state: Bits, at: int, copy: Bits, sender: Mapping[int, Bit]) -> Bit:
        """Whether process `at` would take the copy: the delivery condition."""
        raise NotImplementedError

    def signal_is_ready(self, messages: Messages, state: Bits, at: int, signal: Bits) -> Bit:
        """Whether process `at` would take the packet of the protocol itself."""
        raise NotImplementedError

    def delivery_dependency(self, messages: Messages, step: int, on: int, is_last: Bit) -> Bit | None:
        """Whether a delivery may depend on the earlier event `on` of its process, which may be the last before it:
        None where it is free."""
        return False

    def state_fact(self, messages: Messages, state: Bits, slot: int, d: int) -> Bit:
        """Whether the state asserts that d must still get the message."""
        raise NotImplementedError

    def copy_fact(self, messages: Messages, copy: Bits, to: int, slot: int, d: int) -> Bit:
        """Whether the copy to `to` of another message asserts that d must still get the message."""
        raise NotImplementedError
