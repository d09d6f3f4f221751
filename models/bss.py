"""BSS: Birman, Schiper, Stephenson, "Lightweight causal and atomic group multicast", ACM TOCS 9(3), 1991: CBCAST.

The protocol for one group of algorithms.md, B3; the step labels s1 to d3 are those of that page. *Found*: the original
was not read, the form is that of public specifications.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Step, Steps, reading

Vector = tuple[int, ...]


class BSSState(NamedTuple):
    """Process `j`. V[k-1]: the broadcasts of k delivered here; V[j-1]: those that j has sent."""

    j: int
    V: Vector


@dataclass(frozen=True)
class BSS(Model):
    """A copy carries the sender's vector clock, and is next when it is one ahead in the sender's component alone."""

    title = "Birman-Schiper-Stephenson: vector clocks in one group (CBCAST)"
    source = "K. Birman, A. Schiper, P. Stephenson, ACM TOCS 9(3):272-314, 1991"
    status = "found"
    assumes = "reliable, asynchronous channels, FIFO or not; one group, every message goes to all others"
    load = "broadcast"
    size = "n counters"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    own_copy: str = reading(
        "BSS-1",
        "what is done with the sender's own copy, where the system makes one?",
        default="a",
        a="it is delivered, and that is all: at the send (--self at-send)",
        b="d2 and d3 without the test: through the network (--self network)",
        c="d1 to d3, as with any other copy: through the network (--self network)",
    )
    ticks: str = reading(
        "BSS-2", "does the own component of V tick at a delivery as well?", default="a", a="no", b="yes"
    )
    guard: str = reading(
        "BSS-5",
        "what does d1 test?",
        default="a",
        a="T[i] = V[i] + 1, and T[k] <= V[k] for all other k",
        b="the sender's component only",
        c="the other components only",
        d="T[i] >= V[i] + 1, and the other components",
    )

    def start(self, me: int, processes: int) -> BSSState:
        """V is 0."""
        return BSSState(me, (0,) * processes)

    def send(self, state: BSSState, message: Message) -> Steps:
        """Count the message and attach V."""
        i, V = state
        V = with_component(V, i, V[i - 1] + 1)  # s1
        packets = tuple(Packet(i, d, message, V) for d in sorted(message.dests))  # s2
        return Step(BSSState(i, V), packets)

    def receive(self, state: BSSState, packet: Packet) -> Steps:
        """Wait until the message is the next of its sender and all that its sender had delivered is delivered here."""
        j, V = state
        i, T = packet.sender, packet.control
        tested = i != j or self.own_copy == "c"
        if tested and not self.is_next(T, V, i):  # d1
            return None
        delivered = (packet.message,)  # d2
        if i != j or self.own_copy != "a":
            V = with_component(V, i, T[i - 1])  # d3
        if i != j and self.ticks == "b":
            V = with_component(V, j, V[j - 1] + 1)  # d3
        return Step(BSSState(j, V), delivered=delivered)

    def is_next(self, T: Vector, V: Vector, i: int) -> bool:
        """The test of d1."""
        ahead = T[i - 1] - V[i - 1]
        in_turn = ahead >= 1 if self.guard == "d" else ahead == 1
        known = all(T[k] <= V[k] for k in range(len(V)) if k != i - 1)
        return {"b": in_turn, "c": known}.get(self.guard, in_turn and known)

    def control_units(self, packet: Packet) -> int:
        """Counters: n."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes a counter."""
        return 4 * len(packet.control)


def with_component(V: Vector, k: int, value: int) -> Vector:
    """V with `value` as component k."""
    return (*V[: k - 1], value, *V[k:])
