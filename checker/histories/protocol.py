"""The closure for models that keep messages back or have packets of their own: parts and parcels until nothing is new.

Local steps are those of the engine, asked for and judged there; here they are put together with what is known of
transmissions, so that nothing meets that no run brings (README.md, "Packets of the protocol").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.bundles import Array, reserve, reserve_hashed
from ..engine.enabling import Missing
from ..engine.judging import UserJudge
from ..engine.limits import Watch
from ..engine.space import StateSpace
from .noting import new_noted, note_initial
from .protocol_pairing import file_parcels, file_parts, file_transmissions, pair_parcels, pair_parts
from .protocol_steps import intern_knowledge, intern_part, stays_held, take_internals, take_receipts, take_sends
from .protocol_tables import new_net
from .tables import Buffer, Script

PAIRS = 1 << 14
"""Pairs that are completed at a time."""

ENDLESS = "a process may transmit the same again and again, so that what it knows grows without end"


class ProtocolClosure:
    """One closure, with pasts of full weight. Each round files what is new, lets new parts send and move by themselves,
    and pairs new with old."""

    def __init__(self, space: StateSpace, judge: UserJudge, watch: Watch) -> None:
        """Nothing of the space may be interned yet."""
        self.space = space
        self.judge = judge
        self.watch = watch
        self.complete = False
        self.buffer = Buffer(np.zeros((PAIRS, 2), np.int32), np.zeros(1, np.int64))
        self.starts: list[int] = space.initial_row()[: space.processes].tolist()
        if judge.active:
            judge.judge_objects()
        self._begin(space.bounds.sends - 1)

    def _begin(self, most_sends: int) -> None:
        """Nothing but the initial states. Frontiers are filed as able to coexist that know at most so many sends
        together: where only sends transmit, what is not known yet needs room for one more."""
        self.most_sends = most_sends
        self.noted = new_noted()
        self.net = new_net(self.space.processes)
        self.pairs = self.rounds = 0
        self._filed = {"events": 1, "parts": 0, "parcels": 1}
        for process, state in enumerate(self.starts):
            self.net.knowledge.owner[process] = process
            intern_part(self.net.parts, state, intern_knowledge(self.net.knowledge), 0, 0)
        note_initial(self.noted, self.space.locals, self.space.processes)

    def run(self) -> None:
        """Close, until nothing is new or a limit stops it."""
        while not self._must_stop():
            if self.net.has_others[0] and self.most_sends < self.space.bounds.sends:
                self._begin(self.space.bounds.sends)
            events, parts, parcels = (self._new(name) for name in ("events", "parts", "parcels"))
            if parts[0] == parts[1]:
                self.complete = True
                return
            self._file(events, parts, parcels)
            self.rounds += 1
            if not (self._send(*parts) and self._pair(parts, parcels)):
                return

    def _must_stop(self) -> bool:
        if self.net.endless[0]:
            self.watch.reason = ENDLESS
            return True
        sizes = int(self.net.parts.size[0]), self.pairs, int(self.net.parcels.size[0]) - 1
        return self.watch.must_stop(*sizes, self.rounds)

    def _new(self, name: str) -> tuple[int, int]:
        begin, end = self._filed[name], int(getattr(self.net, name).size[0])
        self._filed[name] = end
        return begin, end

    def _file(self, events: tuple[int, int], parts: tuple[int, int], parcels: tuple[int, int]) -> None:
        self._file_all(file_transmissions, *events)
        self._file_all(file_parts, *parts)
        file_parcels(self.net, *parcels)

    def _file_all(self, file: Any, begin: int, end: int) -> None:
        while begin < end:
            net = self.net
            extra = end - begin
            reserve(net.cells, max(len(net.cells.item) // 2, 4 * (len(net.frontiers.owner) + extra)))
            net = self.net = net._replace(frontiers=reserve_hashed(net.frontiers, extra))
            most = int(net.frontiers.size[0]) + extra
            begin = file(net, begin, end, most, self.most_sends)

    def _send(self, begin: int, end: int) -> bool:
        """Let the parts begin to end - 1 send, and take internal steps; False when interrupted."""
        space, parts = self.space, self.net.parts
        own = np.arange(begin, end, dtype=np.int32)
        states = parts.state[begin:end]
        total = self.net.frontiers.total[parts.frontier[begin:end]]
        senders = own[(total < space.bounds.sends) & (space.locals.sent[states] < space.per_process)]
        others = own if space.system.has_internal else own[:0]
        pairs = np.zeros((0, 2), np.int32)
        if not self._complete(pairs, np.unique(parts.state[senders]), np.unique(parts.state[others])):
            return False
        width = space.choices.shape[1]
        for chosen in _batches(senders, PAIRS // width):
            self._make_room(len(chosen) * width)
            take_sends(
                self.net, chosen, width, self.noted, space.send_steps, space.steps, space.local_packets, space.locals,
                space.packets, space.pasts, space.sends, space.rules,
            )  # fmt: skip
        for chosen in _batches(others, PAIRS):
            self._make_room(len(chosen))
            take_internals(self.net, chosen, self.noted, space.steps, space.local_packets, space.locals, space.packets)
        return True

    def _pair(self, parts: tuple[int, int], parcels: tuple[int, int]) -> bool:
        """Complete all pairs that can meet and in which one is new; False when stopped."""
        most = self.space.bounds.sends
        return self._take(
            lambda begin: int(pair_parts(self.net, self.buffer, begin, parts[1], most)), *parts
        ) and self._take(
            lambda begin: int(pair_parcels(self.net, self.buffer, begin, parcels[1], parts[0], most)), *parcels
        )

    def _take(self, add_pairs: Callable[[int], int], begin: int, end: int) -> bool:
        """As `Closure._take`."""
        while begin < end:
            stopped_at = add_pairs(begin)
            if self.buffer.size[0] == 0 and stopped_at == begin:
                self.buffer = Buffer(np.zeros((2 * len(self.buffer.pairs), 2), np.int32), self.buffer.size)
                continue
            begin = stopped_at
            if not self._receive(self.buffer.pairs[: self.buffer.size[0]]):
                return False
            self.buffer.size[0] = 0
        return True

    def _receive(self, pairs: Array) -> bool:
        """Complete pairs of parts and parcels; False when stopped."""
        space, net = self.space, self.net
        met = np.stack([net.parts.state[pairs[:, 0]], net.parcels.packet[pairs[:, 1]]], axis=1)
        none = np.zeros(0, np.int32)
        if not self._complete(met, none, none) or self._must_stop():
            return False
        self.pairs += len(pairs)
        self._make_room(len(pairs))
        take_receipts(
            self.net, pairs, self.noted, space.known_steps, space.steps, space.local_packets, space.locals,
            space.packets,
        )  # fmt: skip
        return True

    def _make_room(self, steps: int) -> None:
        """Room for what so many steps with all their alternatives lead to."""
        model, net = self.space.model, self.net
        steps *= model.most_alternatives
        received = steps * (self.longest + 2)
        reserve(net.parcels, steps * model.most_transmitted)
        self.net = net._replace(
            knowledge=reserve_hashed(net.knowledge, 2 * steps + 1),
            events=reserve_hashed(net.events, steps),
            parts=reserve_hashed(net.parts, steps),
            received=reserve_hashed(net.received, received),
        )

    @property
    def longest(self) -> int:
        """At most so many parcels were received by one process."""
        return self.rounds

    def _complete(self, pairs: Array, senders: Array, others: Array) -> bool:
        """Compute local steps of the engine, and judge them; False when interrupted."""
        space = self.space

        def count(items: Array) -> Array:
            return np.array([len(items)], np.int64)

        none = np.zeros(0, np.int32)
        missing = Missing(
            pairs.copy(), count(pairs), senders.copy(), count(senders), others.copy(), count(others),
            np.zeros((0, space.processes), np.int32), count(none), none, count(none), count(none),
        )  # fmt: skip
        if not space.complete(missing, self.watch.interrupted):
            return False
        if self.judge.active:
            self.judge.judge_new(missing)
        return True

    @property
    def local_states(self) -> int:
        """Local states that were met."""
        return int(np.count_nonzero(self.space.locals.reached[: int(self.space.locals.size[0])]))

    @property
    def passes_on(self) -> bool:
        """As in `Closure`."""
        return bool(self.net.passes_on[0])

    @property
    def may_stay_held(self) -> bool:
        """Whether a process that holds a message which is due may take a step by itself that delivers nothing: such
        steps may be taken again and again."""
        space = self.space
        return bool(stays_held(space.pasts, space.sends, space.held, space.locals, space.steps))

    @property
    def note(self) -> str:
        """What was put together."""
        parts, parcels = int(self.net.parts.size[0]), int(self.net.parcels.size[0]) - 1
        return f"with what was transmitted before: {parts:,} local states, {parcels:,} packets"

    def script_of(self, bit: int, place: int) -> Script:
        """As `Closure.script_of`."""
        net, noted = self.net, self.noted
        known = int(net.parts.knowledge[noted.local[bit, place]])
        event = int(net.parcels.transmission[max(0, noted.packet[bit, place])])
        before = int(net.events.before[event])
        chains = []
        for process in range(self.space.processes):
            newest = int(net.knowledge.newest[known, process])
            if event:
                own = int(net.events.sender[event]) == process
                theirs = event if own else int(net.knowledge.newest[before, process])
                newest = max(newest, theirs, key=lambda e: int(net.events.number[e]))
            chains.append(self._chain(newest))
        return tuple(chains)

    def _chain(self, event: int) -> tuple[frozenset[int], ...]:
        """The destinations of the messages sent up to a transmission."""
        space, events = self.space, self.net.events
        dests = []
        while event:
            if events.is_send[event]:
                state = int(space.steps.next[events.step[event]])
                past, sender = int(space.locals.past[state]), int(events.sender[event])
                dests.append(space.sets[int(space.sends.dests[space.pasts.newest[past, sender]])])
            event = int(events.previous[event])
        return tuple(reversed(dests))

    def stood_for(self) -> None:
        """Symmetry is not for these models."""
        return None


def _batches(items: Array, size: int) -> list[Array]:
    return [items[begin : begin + max(1, size)] for begin in range(0, len(items), max(1, size))]
