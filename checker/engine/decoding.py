"""From numbers back to values: pasts, local states, packets, global states, and the events of a path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from precede.models import Message, Packet, Signal, State

from ..history import LocalEvent, Past, Sent
from ..result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, Schedule, SendEvent
from .bundles import Array, pair_key, place_of
from .expanding import ALTERNATIVES
from .moving import FAULT_BITS
from .space import StateSpace

GlobalState = tuple[tuple[tuple[State, Past], ...], frozenset[tuple[Packet, Past]]]
"""Per process (model state, past), and the packets in transit with the past before their own sends."""

FAULTS = ("receive", "duplicate", "lose")


class Transit(NamedTuple):
    """Something in transit: a packet or a signal, and the message as the checker knows it."""

    packet: Packet | Signal
    sent: Sent | None


class WholeState(NamedTuple):
    """A global state with everything that tells it from others: per process the model state, the past, the messages
    held and the count of sends before its restart; what is in transit, in the order of the row; the faults used."""

    locals: tuple[tuple[State, Past, frozenset[Sent], int], ...]
    transit: tuple[Transit, ...]
    faults: tuple[int, ...]


class Decoder:
    """Reads the arrays of a state space."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.successor: Callable[[Array, int], Array] | None = None
        self._pasts: dict[int, Past] = {}
        self._sent: dict[int, Sent] = {}

    def sent(self, event: int) -> Sent:
        """The message of a send event with the past before it."""
        if event not in self._sent:
            sends = self.space.sends
            dests = self.space.sets[int(sends.dests[event])]
            message = Message(int(sends.sender[event]) + 1, int(sends.number[event]), dests)
            depends = int(sends.depends[event])
            past = self.past(int(sends.past[event]))
            self._sent[event] = Sent(message, past, None if depends < 0 else depends, int(sends.earlier[event]))
        return self._sent[event]

    def past(self, number: int) -> Past:
        """The past with this number."""
        if number not in self._pasts:
            pasts, sends = self.space.pasts, self.space.sends
            owner = int(pasts.owner[number])
            sent: set[Sent] = set()
            delivered = {(self._identity(slot), owner + 1) for slot in slots_in(pasts.own[number])}
            for process, newest in enumerate(pasts.newest[number].tolist()):
                if newest and process != owner:
                    before = pasts.own[sends.past[newest]]
                    delivered |= {(self._identity(slot), process + 1) for slot in slots_in(before)}
                while newest:
                    sent.add(self.sent(newest))
                    newest = int(pasts.newest[sends.past[newest], process])
            events = self._events(int(pasts.timeline[number]))
            self._pasts[number] = Past(frozenset(sent), frozenset(delivered), events)
        return self._pasts[number]

    def _events(self, timeline: int) -> tuple[LocalEvent, ...]:
        timelines, found = self.space.timelines, []
        while timeline:
            event, delivery = int(timelines.event[timeline]), int(timelines.delivery[timeline])
            kind = "internal" if not event else "delivery" if delivery else "send"
            sent = self.sent(event) if event else None
            found.append(LocalEvent(kind, sent, int(timelines.depends[timeline])))
            timeline = int(timelines.earlier[timeline])
        return tuple(reversed(found))

    def _identity(self, slot: int) -> tuple[int, int]:
        sender, index = divmod(slot, self.space.per_process)
        return sender + 1, index + 1

    def local(self, number: int) -> tuple[State, Past]:
        """The model state and the past of a local state."""
        locals_ = self.space.locals
        return self.space.model.states[locals_.model[number]], self.past(int(locals_.past[number]))

    def held(self, number: int) -> frozenset[Sent]:
        """The messages that a local state has received and not delivered."""
        found, item = set(), int(self.space.locals.held[number])
        while item:
            found.add(self.sent(int(self.space.held.event[item])))
            item = int(self.space.held.rest[item])
        return frozenset(found)

    def transit(self, number: int) -> Transit:
        """The packet or signal with this number."""
        packets = self.space.packets
        event = int(packets.event[number])
        return Transit(self.space.model.copies[packets.copy[number]], self.sent(event) if event else None)

    def packet(self, number: int) -> tuple[Packet, Past]:
        """The packet of a message as the model sees it, and the past before its own send."""
        packet, sent = self.transit(number)
        assert isinstance(packet, Packet) and sent is not None
        return packet, sent.past

    def in_transit(self, row: Array) -> list[int]:
        """The numbers of what is in transit."""
        return [number for number in row[self.space.system.head :].tolist() if number]

    def state(self, row: Array) -> GlobalState:
        """The global state of a row of a direct model."""
        n = self.space.processes
        return (
            tuple(self.local(number) for number in row[:n].tolist()),
            frozenset(self.packet(number) for number in self.in_transit(row)),
        )

    def whole_state(self, row: Array) -> WholeState:
        """The global state of a row of any model."""
        n, locals_ = self.space.processes, self.space.locals
        faults = int(row[n]) if self.space.system.head > n else 0
        return WholeState(
            tuple((*self.local(o), self.held(o), int(locals_.earlier[o])) for o in row[:n].tolist()),
            tuple(self.transit(number) for number in self.in_transit(row)),
            tuple(faults >> FAULT_BITS * kind & (1 << FAULT_BITS) - 1 for kind in range(4)),
        )

    def schedule(self, row: Array, actions: Iterable[int]) -> tuple[Schedule, Array]:
        """The events of a path of actions from `row`, and the row at its end."""
        order: list[int] = []
        events: list[Event] = []
        for action in actions:
            event, row = self.follow(row, int(action), order)
            events.append(event)
        return tuple(events), row

    def follow(self, row: Array, action: int, order: list[int]) -> tuple[Event, Array]:
        """The event that an action of the expansion stands for, and the row it leads to. `order` holds what is in
        transit in the order of transmission, and is brought up to date."""
        assert self.successor is not None
        new = self.successor(row, action)
        event, taken = self._event(row, action, order)
        if taken:
            order.remove(taken)
        added = Counter(self.in_transit(new)) - Counter(order)
        for packet in self._transmitted(row, action):
            if added[packet]:
                added[packet] -= 1
                order.append(packet)
        order.extend(added.elements())
        return event, new

    def kind(self, row: Array, action: int) -> str:
        """What an action of the expansion is: Send, SendAndDeliverOwn (the sender takes its own copy within the send),
        Receive, ReceiveSignal, Internal, Joint or Fault."""
        space, n = self.space, self.space.processes
        place, width = action // ALTERNATIVES, space.system.width
        if place < n * width:
            process, choice = divmod(place, width)
            to_itself = process + 1 in space.sets[space.choices[process, choice]]
            return "SendAndDeliverOwn" if to_itself and space.bounds.self_addressed == "at-send" else "Send"
        place -= n * width
        if place <= n:
            return "Internal" if place < n else "Joint"
        place -= 3 * n + 1
        if place < 0 or place % 3:
            return "Fault"
        return "Receive" if space.packets.event[row[space.system.head + place // 3]] else "ReceiveSignal"

    def _event(self, row: Array, action: int, order: list[int]) -> tuple[Event, int]:
        """The event of an action, and the packet that it takes out of transit, 0 for none."""
        space, n = self.space, self.space.processes
        place, alternative = divmod(action, ALTERNATIVES)
        width = space.system.width
        if place < n * width:
            process, choice = divmod(place, width)
            return SendEvent(process + 1, space.sets[space.choices[process, choice]], alternative), 0
        place -= n * width
        if place < n:
            return InternalEvent(place + 1, alternative), 0
        if place == n:
            return JointEvent(alternative), 0
        place -= n + 1
        if place < 2 * n:
            return FaultEvent("crash" if place < n else "restart", place % n + 1), 0
        index, kind = divmod(place - 2 * n, 3)
        packet = int(row[space.system.head + index])
        channel = int(space.packets.channel[packet])
        place = [other for other in order if space.packets.channel[other] == channel].index(packet)
        sender, to = divmod(channel, n)
        if kind:
            return FaultEvent(FAULTS[kind], to + 1, sender + 1, place), packet if FAULTS[kind] == "lose" else 0
        sent = self.transit(packet).sent
        message = sent.id if sent else None
        if space.calls.model.direct and not space.bounds.duplicates:
            return ReceiveEvent(to + 1, message, alternative), packet
        return ReceiveEvent(to + 1, message, alternative, sender + 1, place), packet

    def _transmitted(self, row: Array, action: int) -> list[int]:
        """The packets that the local step of an action transmits, in their order."""
        space, n = self.space, self.space.processes
        place, alternative = divmod(action, ALTERNATIVES)
        width = space.system.width
        step = -1
        if place < n * width:
            process, choice = divmod(place, width)
            step = int(space.send_steps.items[space.locals.sends[row[process]] + choice])
        elif place < n * width + n:
            step = int(space.locals.internal[row[place - n * width]])
        elif place >= n * width + 3 * n + 1 and (place - n * width - 3 * n - 1) % 3 == 0:
            packet = int(row[space.system.head + (place - n * width - 3 * n - 1) // 3])
            local = int(row[space.packets.to[packet]])
            step = int(space.known_steps.values[place_of(space.known_steps.keys, pair_key(local, packet))])
        if step < 0:
            return []
        first = int(space.steps.first[step + alternative])
        items: list[int] = space.local_packets.items[first : first + space.steps.length[step + alternative]].tolist()
        return items


def slots_in(words: Array) -> list[int]:
    """The message slots in a mask."""
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist()
