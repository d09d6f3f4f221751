"""BJ: Birman, Joseph, "Reliable communication in the presence of failures", ACM TOCS 5(1), 1987: CBCAST as in ISIS.

The form of algorithms.md, B5, without its stability protocol (`birman_joseph_stable` has one); the step labels s1 to
d3 are those of that page. *Reconstructed*: recalled, and from what Kshemkalyani and Singhal say of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Id = tuple[int, int]
"""(k, t): message t of process k."""
Ids = frozenset[Id]


class Labelled(NamedTuple):
    """A message and its place in the causal order: `before` has the messages known to happen before it."""

    message: Message
    before: Ids


class Held(NamedTuple):
    """A message of BUF. at: the sites known to have it; the source keeps the others."""

    message: Message
    before: Ids
    at: frozenset[int]

    @property
    def id(self) -> Id:
        """(sender, number)."""
        return self.message[:2]

    @property
    def labelled(self) -> Labelled:
        """What travels of it."""
        return Labelled(self.message, self.before)


Buffer = frozenset[Held]


class BirmanJosephState(NamedTuple):
    """Process `j`. BUF: every message sent, delivered or passed on; delivered: those delivered here."""

    j: int
    BUF: Buffer
    delivered: Ids


@dataclass(frozen=True)
class BirmanJoseph(Model):
    """A packet carries, before its message, all messages that happen before it; nothing ever waits.

    Its control information is the sequence of these messages, its own last.
    """

    title = "Birman-Joseph: the messages before it travel along (CBCAST in ISIS)"
    source = "K. Birman, T. Joseph, ACM TOCS 5(1):47-76, 1987"
    status = "reconstructed"
    assumes = "fail-stop processes; channels that are asynchronous, FIFO or not, and may lose or duplicate below"
    size = "every message before it: without a stability protocol the whole past"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Integrity")
    direct = False

    carried: str = reading(
        "BJ-1",
        "which messages of BUF travel to d? Those known to be at d do not",
        default="a",
        a="all",
        b="those addressed to d",
        c="all that this process has not sent to d",
        d="those addressed to d that this process has not sent to it",
    )

    def start(self, me: int, processes: int) -> BirmanJosephState:
        """BUF is empty, and nothing is delivered."""
        return BirmanJosephState(me, frozenset(), frozenset())

    def send(self, state: BirmanJosephState, message: Message) -> Steps:
        """Send the message after those of BUF, which all happen before it."""
        i, BUF, delivered = state
        new = Held(message, known_in(BUF), frozenset({i}))
        BUF = BUF | {new}  # s1
        packets = tuple(Packet(i, d, message, self.carried_to(d, BUF, new)) for d in sorted(message.dests))  # s2
        if self.carried in ("c", "d"):
            for packet in packets:
                BUF = known_at(BUF, packet.to, packet.control)
        return Step(BirmanJosephState(i, BUF, delivered), packets)

    def receive(self, state: BirmanJosephState, packet: Packet) -> Steps:
        """Deliver all that the packet contains and that is addressed here, in order; nothing waits."""
        j, BUF, delivered = state
        messages: tuple[Message, ...] = ()
        for message, before in packet.control:
            if message[:2] not in delivered | {held.id for held in BUF}:  # d1
                BUF = BUF | {Held(message, before, frozenset({j, message.sender}))}  # d2
            if j in message.dests and message[:2] not in delivered:
                messages += (message,)  # d3
                delivered = delivered | {message[:2]}
        BUF = known_at(BUF, packet.sender, packet.control)  # d2 at
        return Step(BirmanJosephState(j, BUF, delivered), (), messages)

    def carried_to(self, d: int, BUF: Buffer, new: Held) -> tuple[Labelled, ...]:
        """What a packet to d contains: of BUF what happens before the message, then the message."""
        relevant = BUF if self.carried in ("a", "c") else {held for held in BUF if d in held.message.dests}
        return contents(relevant, new, d)

    def state_facts(self, state: BirmanJosephState) -> frozenset[Fact]:
        """The destinations that are not known to have a message of BUF must still get it."""
        return frozenset((held.id, d) for held in state.BUF for d in held.message.dests - held.at)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """So must those of the messages contained, as far as the packet tells; its own message is left out."""
        return frozenset((m[:2], d) for m, _ in packet.control[:-1] for d in m.dests - {m.sender})

    def control_units(self, packet: Packet) -> int:
        """Messages, its own left out."""
        return len(packet.control) - 1

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes and 2 for each destination of each message before its own; their contents count as nothing."""
        return sum(6 + 2 * len(message.dests) for message, _ in packet.control[:-1])


def known_in(BUF: Iterable[Held]) -> Ids:
    """The messages of BUF and those known to happen before them."""
    return frozenset().union(*(held.before | {held.id} for held in BUF))


def contents(BUF: Iterable[Held], last: Held, d: int) -> tuple[Labelled, ...]:
    """The messages of BUF that happen before `last` and are not known to be at d, in causal order; then `last`."""
    before = [held for held in BUF if held.id in last.before and d not in held.at]
    in_order = sorted(before, key=lambda held: (len(held.before), held.id))
    return tuple(held.labelled for held in (*in_order, last))


def known_at(BUF: Buffer, site: int, messages: Iterable[Labelled]) -> Buffer:
    """BUF when `site` is known to have `messages`."""
    ids = {labelled.message[:2] for labelled in messages}
    return frozenset(held._replace(at=held.at | {site}) if held.id in ids else held for held in BUF)
