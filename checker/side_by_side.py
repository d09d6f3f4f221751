"""Two algorithms in the same schedules: one run drives both, and every copy carries the control information of both.

A schedule is joint when both algorithms allow it: both send, and both let the packet be received. Where only one of
them takes a packet, the joint run has a last step at that process, `Parted`, which records who takes it. The process
then does nothing more, so whatever happens elsewhere afterwards can happen without that step too, and everything that
is compared lies on joint schedules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from precede.models import Message, Model, Packet, State, Step

from .calls import ModelCalls

SIDES = ("a", "b")


class Both(NamedTuple):
    """The states of one process, or the control information of one copy, in the two algorithms."""

    a: Any
    b: Any


class Parted(NamedTuple):
    """A process that has taken `packet` in one algorithm where the other has it wait: `taken_by` a or b."""

    taken_by: str
    before: Both
    packet: Packet


@dataclass(frozen=True)
class SideBySide(Model):
    """Two direct algorithms that take the same steps."""

    title = "two algorithms side by side"
    claims: ClassVar[tuple[str, ...]] = ("CausalOrder",)

    a: ModelCalls
    b: ModelCalls

    def start(self, me: int, processes: int) -> State:
        """Both initial states."""
        return Both(self.a.start(me), self.b.start(me))

    def send(self, state: Both | Parted, message: Message) -> list[Step]:
        """Both send, in every combination of their alternatives; each copy carries what both attach."""
        if isinstance(state, Parted):
            return []
        steps = []
        for a in self.a.send(state.a, message):
            for b in self.b.send(state.b, message):
                of_b = {packet.to: packet.control for packet in b.packets}
                packets = tuple(p._replace(control=Both(p.control, of_b[p.to])) for p in a.packets)
                steps.append(Step(Both(a.state, b.state), packets))
        return steps

    def receive(self, state: Both | Parted, packet: Packet) -> list[Step]:
        """Both take the packet; or one does, and the process stops."""
        if isinstance(state, Parted):
            return []
        a = self.a.receive(state.a, part(packet, "a"))
        b = self.b.receive(state.b, part(packet, "b"))
        delivered = (packet.message,)
        if a and b:
            return [Step(Both(x.state, y.state), (), delivered) for x in a for y in b]
        if not a and not b:
            return []
        return [Step(Parted("a" if a else "b", state, packet), (), delivered)]


def part(packet: Packet, side: str) -> Packet:
    """The packet as algorithm `side` sees it."""
    return packet._replace(control=getattr(packet.control, side))
