"""Psync over channels that lose: Peterson, Buchholz, Schlichting, "Preserving and using context information in
interprocess communication", ACM TOCS 7(3), 1989.

The form of algorithms.md, B6; s1, s2, d1 and d2 are the labels of that page. A message that arrives names those before
it; what is missing is asked of the participant who named it (a1, a2), again if need be (a3), and answered (r1).
*Reconstructed* from abstract and summary, and recalled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Signal, Step, Steps, parameter
from .psync import Graph, leaves, view


class PsyncRequestsState(NamedTuple):
    """Process `j` of a conversation. G: its view; held: messages that have arrived, with those that they name; again:
    (M, p): it has asked p for M again, once for each time, while M is missing."""

    j: int
    participants: int
    G: Graph
    held: Graph
    again: tuple[tuple[Message, int], ...]


@dataclass(frozen=True)
class PsyncRequests(Model):
    """A copy names the leaves of its sender's view; the receiver asks the sender for those that it misses."""

    title = "Psync with retransmission requests"
    source = "L. Peterson, N. Buchholz, R. Schlichting, ACM TOCS 7(3):217-246, 1989"
    status = "reconstructed"
    assumes = "asynchronous channels, FIFO or not, that may lose or duplicate; every message goes to all participants"
    load = "broadcast"
    size = "the leaves of the sender's view: 0 to n ids"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay", "Integrity")
    direct = False

    repeats: int = parameter(0, "how often a request is repeated while it is not answered")

    @property
    def self_addressed(self) -> bool:
        """The own view has a message from its send on; there is no own copy."""
        return False

    def start(self, me: int, processes: int) -> PsyncRequestsState:
        """The view is empty."""
        return PsyncRequestsState(me, processes, frozenset(), frozenset(), ())

    def send(self, state: PsyncRequestsState, message: Message) -> Steps:
        """Name the leaves of the view; the message is then the only leaf."""
        i, G = state.j, state.G
        if len(message.dests | {i}) < state.participants:
            return None
        named = leaves(G)
        packets = tuple(Packet(i, d, message, named) for d in sorted(message.dests))  # s1
        G = G | {(message, named)}  # s2
        return Step(state._replace(G=G), packets)

    def receive(self, state: PsyncRequestsState, packet: Packet) -> Steps:
        """Ask for what is missing, and deliver what need not wait."""
        j, _, G, held, _ = state
        message, named = packet.message, packet.control
        if message in view(G | held):
            return Step(state)
        held = held | {(message, named)}  # a1
        requests = tuple(Signal(j, message.sender, m) for m in sorted(named - view(G | held)))  # a2
        return self.delivered(state._replace(held=held))._replace(packets=requests)

    def delivered(self, state: PsyncRequestsState) -> Step:
        """The step that delivers all held messages that need not wait."""
        _, _, G, held, again = state
        messages: tuple[Message, ...] = ()
        while ready := sorted(m for m, named in held if named <= view(G)):  # d1
            G = G | {(m, named) for m, named in held if m == ready[0]}  # d2
            held = frozenset((m, named) for m, named in held if m != ready[0])
            messages += (ready[0],)
        again = tuple((m, p) for m, p in again if m not in view(G | held))
        return Step(state._replace(G=G, held=held, again=again), (), messages)

    def signal(self, state: PsyncRequestsState, signal: Signal) -> Steps:
        """A request for a message of the view: send it again."""
        answers = [(m, named) for m, named in state.G if m == signal.control]
        return Step(state, tuple(Packet(state.j, signal.sender, m, named) for m, named in answers))  # r1

    def internal(self, state: PsyncRequestsState) -> Iterator[Step]:
        """Repeat a request."""
        j, _, G, held, again = state
        requests = {(m, naming.sender) for naming, named in held for m in named - view(G | held)}
        for m, p in sorted(requests):
            if again.count((m, p)) < self.repeats:
                after = state._replace(again=tuple(sorted((*again, (m, p)))))
                yield Step(after, (Signal(j, p, m),), name=f"ask {p} again for {m.sender}.{m.number}")  # a3

    def control_units(self, packet: Packet) -> int:
        """Ids."""
        return len(packet.control)

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes an id."""
        return 6 * len(packet.control)
