"""From numbers back to values: pasts, local states, packets, global states, and the events of a path."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from precede.models import Message, Packet, State

from ..history import Past, Sent
from ..result import Event, ReceiveEvent, Schedule, SendEvent
from .bundles import Array, pair_key, place_of
from .expanding import ALTERNATIVES
from .space import StateSpace

GlobalState = tuple[tuple[tuple[State, Past], ...], frozenset[tuple[Packet, Past]]]
"""Per process (model state, past), and the packets in transit with the past before their own sends."""


class Decoder:
    """Reads the arrays of a state space."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self._pasts: dict[int, Past] = {}
        self._sent: dict[int, Sent] = {}

    def sent(self, event: int) -> Sent:
        """The message of a send event with the past before it."""
        if event not in self._sent:
            sends = self.space.sends
            dests = self.space.sets[int(sends.dests[event])]
            message = Message(int(sends.sender[event]) + 1, int(sends.number[event]), dests)
            self._sent[event] = Sent(message, self.past(int(sends.past[event])))
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
            self._pasts[number] = Past(frozenset(sent), frozenset(delivered))
        return self._pasts[number]

    def _identity(self, slot: int) -> tuple[int, int]:
        sender, index = divmod(slot, self.space.per_process)
        return sender + 1, index + 1

    def local(self, number: int) -> tuple[State, Past]:
        """The model state and the past of a local state."""
        locals_ = self.space.locals
        return self.space.model.states[locals_.model[number]], self.past(int(locals_.past[number]))

    def packet(self, number: int) -> tuple[Packet, Past]:
        """The packet as the model sees it, and the past before its own send."""
        packets = self.space.packets
        event = int(packets.event[number])
        return self.space.model.copies[packets.copy[number]], self.past(int(self.space.sends.past[event]))

    def state(self, row: Array) -> GlobalState:
        """The global state of a row."""
        n = self.space.processes
        return (
            tuple(self.local(number) for number in row[:n].tolist()),
            frozenset(self.packet(number) for number in row[n:].tolist() if number),
        )

    def follow(self, row: Array, action: int) -> tuple[Event, Array]:
        """The event that an action of the expansion stands for, and the row it leads to."""
        space = self.space
        place, alternative = divmod(action, ALTERNATIVES)
        new = row.copy()
        if place < space.most_packets:
            packet = int(row[space.processes + place])
            process = int(space.packets.to[packet])
            known = space.known_steps
            step = int(known.values[place_of(known.keys, pair_key(int(row[process]), packet))])
            message = space.model.copies[space.packets.copy[packet]].message
            event: Event = ReceiveEvent(process + 1, (message.sender, message.number), alternative)
            in_transit = [p for p in row[space.processes :].tolist() if p not in (0, packet)]
        else:
            process, choice = divmod(place - space.most_packets, space.choices.shape[1])
            step = int(space.send_steps.items[space.locals.sends[row[process]] + choice])
            event = SendEvent(process + 1, space.sets[space.choices[process, choice]], alternative)
            first = int(space.steps.first[step + alternative])
            transmitted = space.local_packets.items[first : first + space.steps.length[step + alternative]]
            in_transit = [p for p in row[space.processes :].tolist() if p] + transmitted.tolist()
        new[process] = space.steps.next[step + alternative]
        new[space.processes :] = 0
        new[space.processes : space.processes + len(in_transit)] = sorted(in_transit)
        return event, new

    def schedule(self, row: Array, actions: Iterable[int]) -> tuple[Schedule, Array]:
        """The events of a path of actions from `row`, and the row at its end."""
        events: list[Event] = []
        for action in actions:
            event, row = self.follow(row, int(action))
            events.append(event)
        return tuple(events), row


def slots_in(words: Array) -> list[int]:
    """The message slots in a mask."""
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist()
