"""Serialised multicast: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1.

Multicasts to any destinations are serialised by some mutual exclusion algorithm (here a token), and it suffices to
track, for each destination, (sender, timestamp) of the latest multicast to it. The step labels are those of this page:
s1 to s4 send, d1 to d3 deliver, m1 and m2 move the token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Signal, Step, Steps, reading

Pair = tuple[int, int]
"""(s, t): message number t of process s."""
NONE: Pair = (0, 0)
Pairs = tuple[Pair, ...]


class SerialisedMulticastState(NamedTuple):
    """Process `i`. holds: whether it has the token; SR[k-1]: the largest number of a message of k delivered here;
    last[d-1]: the latest multicast to d; own: own copies that wait (KS-26own)."""

    i: int
    holds: bool
    SR: tuple[int, ...]
    last: Pairs
    own: frozenset[Packet]


@dataclass(frozen=True)
class SerialisedMulticast(Model):
    """A copy names, for each process, the latest message to it; only the holder of the token sends."""

    title = "Kshemkalyani-Singhal, serialised multicast: a pair for each destination"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    status = "read in full; a paragraph, the steps are ours"
    assumes = "reliable, asynchronous channels, FIFO or not; sends under mutual exclusion"
    size = "n pairs"
    direct = False

    vector: str = reading(
        "KS-26",
        "whose vector is attached?",
        default="b",
        a="the sender's own: changed by its sends and deliveries",
        b="that of the system, handed over with the token: changed by sends only",
        c="as b, but a delivery replaces the entries of the message's destinations too, at the holder as well",
    )
    own_copy: str = reading(
        "KS-26own",
        "when is the sender's own copy delivered, where the system makes one?",
        default="y",
        x="at the send (--self at-send)",
        y="when the attached message is delivered there, without waiting in the network",
        z="when it passes d1, as any other copy (--self network)",
    )

    def start(self, me: int, processes: int) -> SerialisedMulticastState:
        """The token is at process 1; no message is known."""
        return SerialisedMulticastState(me, me == 1, (0,) * processes, (NONE,) * processes, frozenset())

    def send(self, state: SerialisedMulticastState, message: Message) -> Steps:
        """At the holder of the token: attach the vector, and replace the entries of the destinations."""
        i, holds, _, last, _ = state
        if not holds:
            return None  # s1
        attached = last  # s2
        packets = tuple(Packet(i, d, message, attached) for d in sorted(message.dests))  # s3
        last = replaced(last, message)  # s4
        return Step(state._replace(last=last), packets)

    def receive(self, state: SerialisedMulticastState, packet: Packet) -> Steps:
        """Wait until the latest message to this process before that one is delivered here."""
        waits = packet.sender != state.i or self.own_copy == "z"
        if waits and not is_delivered(state.SR, packet.control[state.i - 1]):
            return None  # d1
        if packet.sender == state.i and self.own_copy == "x":
            packet = packet._replace(control=(NONE,) * len(packet.control))
        return self.delivered(state, packet)

    def delivered(self, state: SerialisedMulticastState, packet: Packet) -> Step:
        """The step that takes `packet` and delivers what need not wait: it, and the own copies that waited for it."""
        i, holds, SR, last, own = state
        waiting = own | {packet}
        messages: tuple[Message, ...] = ()
        while ready := [p for p in waiting if is_delivered(SR, p.control[i - 1])]:
            packet = min(ready, key=lambda p: p.message.number)
            waiting -= {packet}
            messages += (packet.message,)  # d2
            SR = with_number(SR, packet.message)
            replaces = self.vector == "a" or (self.vector == "c" and holds)
            last = replaced(last, packet.message) if replaces else last  # d3
        return Step(SerialisedMulticastState(i, holds, SR, last, waiting), (), messages)

    def internal(self, state: SerialisedMulticastState) -> Iterator[Step]:
        """The holder of the token passes it on."""
        i, holds, SR, last, _ = state
        if not holds:
            return
        nothing = (NONE,) * len(SR)
        handed_over, kept = (nothing, last) if self.vector == "a" else (last, nothing)
        for d in range(1, len(SR) + 1):
            if d != i:
                token = Signal(i, d, handed_over)  # m1
                yield Step(state._replace(holds=False, last=kept), (token,), name=f"pass the token to {d}")

    def signal(self, state: SerialisedMulticastState, signal: Signal) -> Steps:
        """Take the token."""
        last = state.last if self.vector == "a" else signal.control  # m2
        return Step(state._replace(holds=True, last=last))

    def control_units(self, packet: Packet) -> int:
        """Pairs: n."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """A process id and a number for each pair."""
        return (2 + 4) * len(packet.control)


def is_delivered(SR: tuple[int, ...], pair: Pair) -> bool:
    """Whether the message, which is addressed to this process, is delivered here."""
    s, t = pair
    return pair == NONE or t <= SR[s - 1]


def replaced(last: Pairs, message: Message) -> Pairs:
    """The vector with the message in the entries of its destinations."""
    pair = message.sender, message.number
    return tuple(pair if d in message.dests else known for d, known in enumerate(last, 1))


def with_number(SR: tuple[int, ...], message: Message) -> tuple[int, ...]:
    """SR with the message's number for its sender, unless it is larger."""
    k, number, _ = message
    return (*SR[: k - 1], max(number, SR[k - 1]), *SR[k:])
