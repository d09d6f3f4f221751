"""Rodrigues-Verissimo: L. Rodrigues, P. Verissimo, "Causal separators for large-scale multicast communication", 15th
ICDCS, 83-91, 1995.

The form of algorithms.md, B10: zones that gateways connect, each a member of its zones, and in every zone an algorithm
of its own. The step labels s1 to g1 are those of this page. *Reconstructed* from the abstract.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .buffered import listed
from .interface import Message, Model, Packet, Sets, State, Step, Steps, parameter, reading
from .ks import KS
from .rst import RST

Zone = frozenset[int]


class Member(NamedTuple):
    """A process as a member of one zone: its state in the zone's algorithm, and how many messages it sent there."""

    process: State
    sent: int


class ZonedState(NamedTuple):
    """Process `i` of n: the zones it is in, and, where gateways forward on arrival, the packets that wait."""

    i: int
    n: int
    zones: tuple[tuple[Zone, Member], ...]
    buffer: frozenset[Packet]


class ZonedControl(NamedTuple):
    """The copy as its zone knows it: a message between members, which are numbered from 1 there, and the control
    information of the zone's algorithm; `ahead`: the destinations for whose sake the copy is sent to its receiver."""

    zone: Zone
    message: Message
    ahead: frozenset[int]
    control: object


@dataclass(frozen=True)
class Zoned(Model):
    """Messages pass from zone to zone, each time as a new message of the zone."""

    status = "reconstructed"
    size = "that of the zone's algorithm, for the members of the zone"
    claims = ("CausalOrder", "Delivery", "Integrity")
    direct = False

    @property
    def self_addressed(self) -> bool:
        """Messages to oneself are not considered."""
        return False

    @property
    def ordering(self) -> Model:
        """The algorithm of the zones that need one."""
        return KS()

    def orderings(self, processes: int) -> dict[Zone, Model]:
        """The zones, in a fixed order, each with the algorithm that orders the messages in it."""
        raise NotImplementedError

    def forwards_on_arrival(self) -> bool:
        """Whether a gateway forwards a message when it arrives, and not when it is delivered in its zone."""
        return False

    def bypasses(self) -> bool:
        """Whether a message to a process in no common zone goes there directly, without control information."""
        return False

    def start(self, me: int, processes: int) -> ZonedState:
        """The process starts in each of its zones."""
        orderings = self.orderings(processes)
        own = [zone for zone in orderings if me in zone]
        members = tuple((z, Member(orderings[z].start(number(z, me), len(z)), 0)) for z in own)
        return ZonedState(me, processes, members, frozenset())

    def send(self, state: ZonedState, message: Message) -> Steps:
        """Send in each zone through which a destination is reached; not enabled where one is not reached at all."""
        i, ahead = state.i, message.dests
        direct: frozenset[int] = frozenset()
        if self.bypasses():
            direct = ahead.difference(*(zone for zone, _ in state.zones))
        if not ahead - direct <= routes(tuple(self.orderings(state.n)), i).keys():
            return None
        beside = tuple(Packet(i, d, message, None) for d in sorted(direct))
        state, packets = self.passed_on(state, message, ahead - direct)
        return Step(state, packets + beside)

    def passed_on(
        self, state: ZonedState, message: Message, ahead: frozenset[int]
    ) -> tuple[ZonedState, tuple[Packet, ...]]:
        """`message` sent to the destinations `ahead`: in each zone one message, to members that are destinations and to
        the gateways behind which the others are."""
        orderings, members = self.orderings(state.n), dict(state.zones)
        route = routes(tuple(orderings), state.i)
        packets: tuple[Packet, ...] = ()
        for zone in members:
            here = {d for d in ahead if route[d][0] == zone}
            if not here:
                continue
            process, sent = members[zone]
            to = frozenset(number(zone, route[d][1]) for d in here)  # s1
            copy = Message(number(zone, state.i), sent + 1, to)
            (step,) = listed(orderings[zone].send(process, copy))  # s2
            members[zone] = Member(step.state, sent + 1)
            for packet in step.packets:
                hop = sorted(zone)[packet.to - 1]
                behind = frozenset(d for d in here if route[d][1] == hop)  # s3
                control = ZonedControl(zone, copy, behind, packet.control)
                packets = (*packets, Packet(state.i, hop, message, control))
        return state._replace(zones=tuple(members.items())), packets

    def receive(self, state: ZonedState, packet: Packet) -> Steps:
        """Wait as the zone's algorithm says; deliver, if this is a destination; send on what others are to get."""
        if packet.control is None:
            return Step(state, (), (packet.message,))
        if self.forwards_on_arrival():
            return self.arrived(state, packet)
        after = self.taken(state, packet)
        if after is None:
            return None  # r1
        delivered = delivered_at(state.i, [packet])  # r2
        state, packets = self.passed_on(after, packet.message, packet.control.ahead - {state.i})  # g1
        return Step(state, packets, delivered)

    def arrived(self, state: ZonedState, packet: Packet) -> Step:
        """The same where a gateway forwards on arrival."""
        state, packets = self.passed_on(state, packet.message, packet.control.ahead - {state.i})  # g1
        state = state._replace(buffer=state.buffer | {packet})
        taken: list[Packet] = []
        while ready := [p for p in state.buffer if self.taken(state, p) is not None]:
            packet = min(ready, key=lambda p: (p.message[:2], sorted(p.control.zone)))
            state = self.taken(state, packet) or state
            state = state._replace(buffer=state.buffer - {packet})
            taken.append(packet)
        return Step(state, packets, delivered_at(state.i, taken))

    def taken(self, state: ZonedState, packet: Packet) -> ZonedState | None:
        """The state after the zone's algorithm has delivered the copy; None while it has to wait."""
        members, zone = dict(state.zones), packet.control.zone
        process, sent = members[zone]
        steps = listed(self.orderings(state.n)[zone].receive(process, in_zone(packet)))
        if not steps:
            return None
        (step,) = steps
        members[zone] = Member(step.state, sent)
        return state._replace(zones=tuple(members.items()))

    def control_units(self, packet: Packet) -> int:
        """That of the zone's algorithm; the destinations ahead follow from the zones."""
        return self.ordering.control_units(in_zone(packet)) if is_ordered(packet) else 0

    def control_bytes(self, packet: Packet) -> int:
        """That of the zone's algorithm."""
        return self.ordering.control_bytes(in_zone(packet)) if is_ordered(packet) else 0


@dataclass(frozen=True)
class Separators(Zoned):
    """The algorithm of a zone knows only its members; gateways separate the zones, so that nothing passes them by."""

    title = "Rodrigues-Verissimo: causal separators"
    source = "L. Rodrigues, P. Verissimo, 15th IEEE ICDCS, 83-91, 1995"
    assumes = "reliable, asynchronous channels, FIFO or not; the zones and their gateways form a tree"

    zones: Sets = parameter((), "the zones; none: those of RV-1")
    connected: str = reading(
        "RV-1",
        "how are the zones connected, and when does a gateway forward? g is the process in the middle.",
        default="a",
        a="acyclic, by single gateways, by default {1..g} and {g..n}; on delivery",
        b="in a cycle, by default {1,2}, {2,3}, ..., {n,1}",
        c="as a, but a message to a process in another zone goes there directly",
        d="by two gateways, by default {1..g+1} and {g..n}",
        e="as a, but a gateway forwards on arrival",
    )
    inner: str = reading(
        "RV-1in", "which algorithm orders the messages in a zone?", default="a", a="KS of Section 4.3", b="RST"
    )

    @property
    def ordering(self) -> Model:
        """KS or RST."""
        return KS() if self.inner == "a" else RST()

    def orderings(self, processes: int) -> dict[Zone, Model]:
        """The zones of the parameter, or those of RV-1."""
        every, g = range(1, processes + 1), (processes + 1) // 2
        if self.zones:
            zones: Iterable[Zone] = self.zones
        elif self.connected == "b":
            zones = (frozenset({p, p % processes + 1}) for p in every)
        else:
            last = g + 1 if self.connected == "d" else g
            zones = (frozenset(every[:last]), frozenset(every[g - 1 :]))
        return {zone: self.ordering for zone in zones if len(zone) > 1}

    def bypasses(self) -> bool:
        """RV-1c."""
        return self.connected == "c"

    def forwards_on_arrival(self) -> bool:
        """RV-1e."""
        return self.connected == "e"


@cache
def routes(zones: tuple[Zone, ...], i: int) -> Mapping[int, tuple[Zone, int]]:
    """d -> the zone and the member of it to which i sends what is for d: d itself, or the first gateway on a shortest
    way there; of several ways the one by the earlier zone and the smaller process."""
    found: dict[int, tuple[Zone, int]] = {}
    reached = [i]
    for p in reached:
        for zone in zones:
            for q in sorted(zone - {i, *found}) if p in zone else ():
                found[q] = found.get(p, (zone, q))
                reached.append(q)
    return found


def number(zone: Zone, p: int) -> int:
    """The number of process p among the members of the zone."""
    return sorted(zone).index(p) + 1


def in_zone(packet: Packet) -> Packet:
    """The packet as the zone's algorithm knows it."""
    zone, copy, _, control = packet.control
    return Packet(number(zone, packet.sender), number(zone, packet.to), copy, control)


def is_ordered(packet: Packet) -> bool:
    """Whether the packet carries control information of a zone's algorithm."""
    return packet.control is not None and packet.control.control is not None


def delivered_at(i: int, packets: list[Packet]) -> tuple[Message, ...]:
    """The messages of the packets of which i is a destination, and not only a gateway."""
    return tuple(packet.message for packet in packets if i in packet.control.ahead)
