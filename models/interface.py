"""What an algorithm is: pure functions over immutable values.

A model says what one process does when its application sends and when a packet is offered to it. It knows
nothing of channels, of other processes' states, of the causal past or of the checker.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple

State = Hashable
Fact = tuple[tuple[int, int], int]
"""((sender, number), destination): the destination must still get that message."""


class Message(NamedTuple):
    """An application message. Processes are 1..n; the identity is (sender, number), numbers count from 1 per sender."""

    sender: int
    number: int
    dests: frozenset[int]


class Packet(NamedTuple):
    """The copy of a message addressed to one destination, with its control information, while in transit.

    `sender` is who transmits it: the message's sender, or a process that passes the message on.
    """

    sender: int
    to: int
    message: Message
    control: Any
    """Any immutable, hashable value."""


class Signal(NamedTuple):
    """A packet of the protocol itself, such as an acknowledgement, a token or a null: it carries no message, and its
    receipt does not order messages (SA-12a)."""

    sender: int
    to: int
    control: Any
    """Any immutable, hashable value."""


class Step(NamedTuple):
    """What a process does in one atomic step: its new state, what it transmits, the messages it delivers, in order."""

    state: State
    packets: tuple[Packet | Signal, ...] = ()
    delivered: tuple[Message, ...] = ()
    depends_on: int | None = None
    """Where the order is semantic (`Model.semantic`): the number of the latest earlier event of this process on which
    this event depends, events counted from 1; 0 for none. The application's choice, so one alternative for each."""
    name: str = ""
    """What an internal step is called in a trace, such as "pass the token to 2"."""


class Joint(NamedTuple):
    """A step of all processes at once, such as a change of the view: its name and every process's new state."""

    name: str
    states: tuple[State, ...]


Steps = Step | Iterable[Step] | None
"""One step, several alternatives, or None: sending is not enabled, or the paper's "wait until" does not hold yet."""


@dataclass(frozen=True)
class Reading:
    """A place where the source can be read in more than one way (`id` is a row of algorithms.md, section 8)."""

    id: str
    question: str
    variants: dict[str, str]


@dataclass(frozen=True)
class Parameter:
    """A number that the algorithm leaves open, such as a threshold."""

    description: str


Sets = tuple[frozenset[int], ...]
"""Sets of processes: groups or zones."""


def parameter(default: int | Sets, description: str) -> Any:
    """A field of a model that the user may set (`--set name=value`): a whole number, or sets of processes."""
    return field(default=default, metadata={"parameter": Parameter(description)})


def reading(id: str, question: str, default: str, **variants: str) -> Any:
    """A field of a model that selects one reading: its value is the letter of the variant."""
    return field(default=default, metadata={"reading": Reading(id, question, variants)})


@dataclass(frozen=True)
class Model:
    """Base of all models: a frozen, hashable description of one algorithm.

    A subclass defines `start`, `send` and `receive`; all are pure, and every state and control value is immutable
    and hashable. `facts` is what Minimality is judged on; a model without it leaves that property "not applicable".
    """

    title: ClassVar[str] = ""
    source: ClassVar[str] = ""
    status: ClassVar[str] = ""
    """How the source is known: "read in full"; "found", when its form is that of public text or code; or
    "reconstructed" from what others say of it."""
    assumes: ClassVar[str] = "reliable, asynchronous channels"
    load: ClassVar[str] = "multicast"
    """The widest load the algorithm is made for: unicast, multicast or broadcast."""
    size: ClassVar[str] = ""
    """The size of the control information of one packet, as a formula."""
    claims: ClassVar[tuple[str, ...]] = ("CausalOrder", "Delivery")
    """The properties that the source claims, by name; they are what is judged when no property is named."""
    channel: ClassVar[str] = "unordered"
    """The weakest channel that the algorithm is made for: unordered, fifo, fifo-delivery, fifo-arrival, rendezvous."""
    direct: ClassVar[bool] = True
    """Whether each message travels in one packet per destination, transmitted by its send and delivered by the step
    that receives it, and every step sends, delivers or is an event on which later ones may depend. A model with
    signals, buffers, relays, joint steps or other internal steps says False."""
    semantic: ClassVar[bool] = False
    """Whether only messages that depend on each other are ordered (Gambhire-Kshemkalyani): every Step then says what
    it `depends_on`."""

    @property
    def self_addressed(self) -> bool:
        """Whether messages may be addressed to their own sender, when the system allows it."""
        return True

    @property
    def own_copy_modes(self) -> tuple[str, ...]:
        """How its own copy may come to a sender (--self): through the network, at the send, or both."""
        return ("network", "at-send") if self.self_addressed else ()

    def start(self, me: int, processes: int) -> State:
        """The initial state of process `me` of 1..processes."""
        raise NotImplementedError

    def send(self, state: Any, message: Message) -> Steps:
        """The step in which the process sends `message`, with one packet for each destination."""
        raise NotImplementedError

    def receive(self, state: Any, packet: Packet) -> Steps:
        """The step in which the process takes `packet`; None while the delivery condition does not hold."""
        raise NotImplementedError

    def signal(self, state: Any, signal: Signal) -> Steps:
        """The step in which the process takes a packet of the protocol itself; None while it has to wait."""
        raise NotImplementedError

    def internal(self, state: Any) -> Steps:
        """The steps that the process may take by itself now, each with a `name`."""
        return None

    def joint(self, states: tuple[Any, ...]) -> Iterable[Joint]:
        """The steps that all processes may take together now; process 1 first in `states`."""
        return ()

    def state_facts(self, state: Any) -> frozenset[Fact]:
        """Everything that the control information stored in `state` asserts to be outstanding, explicit or implied."""
        raise NotImplementedError

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """Everything that the control information of `packet` asserts to be outstanding, its own message left out."""
        raise NotImplementedError

    def control_units(self, packet: Packet) -> int:
        """The size of the packet's control information in the paper's own unit."""
        raise NotImplementedError

    def control_bytes(self, packet: Packet) -> int:
        """The same in bytes, by the byte model of Jang et al. (4-byte counters, 2-byte process ids; "core")."""
        raise NotImplementedError

    def signal_units(self, signal: Signal) -> int:
        """The size of a packet of the protocol itself in the paper's own unit."""
        raise NotImplementedError

    def signal_bytes(self, signal: Signal) -> int:
        """The same in bytes."""
        raise NotImplementedError

    @classmethod
    def readings(cls) -> dict[str, tuple[Field[Any], Reading]]:
        """The readings of this model: id -> (the field that selects it, its description)."""
        found = [(f, f.metadata["reading"]) for f in fields(cls) if "reading" in f.metadata]
        return {r.id: (f, r) for f, r in found}

    @classmethod
    def parameters(cls) -> dict[str, tuple[Field[Any], Parameter]]:
        """The parameters of this model: name of the field -> (the field, its description)."""
        return {f.name: (f, f.metadata["parameter"]) for f in fields(cls) if "parameter" in f.metadata}
