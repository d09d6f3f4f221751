"""The closure: all local states and packets that sends and compatible receipts lead to, from the initial states on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..engine.bundles import Array, reserve, reserve_hashed
from ..engine.enabling import Missing
from ..engine.judging import UserJudge
from ..engine.limits import Watch
from ..engine.space import StateSpace
from .filing import file_events, file_locals, file_packets
from .noting import new_noted, note_initial, note_internals, note_receives, note_sends
from .pairing import pair_late, pair_locals, pair_packets
from .symmetry import code_events, new_symmetry, number_stood_for, with_room
from .tables import Buffer, Script, new_index

PAIRS = 1 << 18
"""Pairs that are completed at a time."""

FRONTIERS = 1 << 16
"""Frontiers for which room is made at a time."""


class Closure:
    """One closure. Each round files what is new, lets new local states send, and pairs new with old."""

    passes_on = False
    """Whether a message may reach a destination in another way than straight from its send."""

    def __init__(
        self, space: StateSpace, judge: UserJudge, watch: Watch, weight: int, by_symmetry: bool = False
    ) -> None:
        """`weight` is one of `engine.weights`; nothing of the space may be interned yet. `by_symmetry`: of what knows
        all sends, one of those is kept that differ only in the names of processes."""
        self.space = space
        self.judge = judge
        self.watch = watch
        self.noted = new_noted()
        self.index = new_index(space.processes)
        self.symmetry = new_symmetry(space.processes, space.bounds.sends, by_symmetry)
        self.pairs = 0
        self.rounds = 0
        self.complete = False
        self.buffer = Buffer(np.zeros((PAIRS, 2), np.int32), np.zeros(1, np.int64))
        self._filed_locals = 0
        self._filed_packets = 1
        self._filed_events = 1
        space.sends.weight[0] = weight
        space.initial_row()
        if judge.active:
            judge.judge_objects()
        note_initial(self.noted, space.locals, space.processes)

    def run(self) -> None:
        """Close, until nothing is new or a limit stops it."""
        while not self._must_stop():
            locals_, packets, late = self._file()
            if locals_[0] == locals_[1] and packets[0] == packets[1]:
                self.complete = True
                return
            self.rounds += 1
            if not (self._send(*locals_) and self._pair(locals_, packets, late)):
                return

    def _must_stop(self) -> bool:
        space = self.space
        return self.watch.must_stop(int(space.locals.size[0]), self.pairs, int(space.packets.size[0]) - 1, self.rounds)

    def _file(self) -> tuple[tuple[int, int], tuple[int, int], int]:
        """File what is new; returns the ranges of the new local states and packets, and how many of these are late."""
        space = self.space
        locals_ = self._filed_locals, int(space.locals.size[0])
        packets = self._filed_packets, int(space.packets.size[0])
        events = self._filed_events, int(space.sends.size[0])
        self._make_places()
        file_events(self.index, *events, space.pasts, space.sends)
        self.symmetry = with_room(self.symmetry, events[1])
        code_events(
            space.pasts, space.sends, space.rules.dest_bits, space.per_process, self.symmetry.names,
            self.symmetry.codes, *events,
        )  # fmt: skip
        begin = locals_[0]
        while True:
            index = self.index
            reserve(index.cells, max(len(index.cells.item) // 2, 4 * len(index.frontiers.owner)))
            extra = min(locals_[1] - begin, FRONTIERS)
            index = self.index = index._replace(frontiers=reserve_hashed(index.frontiers, extra))
            begin = file_locals(
                index, begin, locals_[1], int(index.frontiers.size[0]) + extra, space.pasts, space.sends, space.locals,
                self.symmetry,
            )  # fmt: skip
            if begin == locals_[1]:
                break
        late = file_packets(self.index, *packets, events[0], space.pasts, space.sends, space.packets)
        self._filed_locals, self._filed_packets, self._filed_events = locals_[1], packets[1], events[1]
        return locals_, packets, late

    def _make_places(self) -> None:
        """One place in the index for each local state, packet and event."""
        for places, objects in (
            (self.index.locals, self.space.locals),
            (self.index.packets, self.space.packets),
            (self.index.events, self.space.sends),
        ):
            size = int(objects.size[0])
            reserve(places, size - int(places.size[0]))
            places.size[0] = size

    def _send(self, begin: int, end: int) -> bool:
        """Let the local states begin to end - 1 send, and take internal steps; False when interrupted."""
        space = self.space
        own = np.arange(begin, end, dtype=np.int32)
        frontier = self.index.locals.frontier[begin:end]
        has_room = (frontier > 0) & (space.locals.sent[begin:end] < space.per_process)
        senders = own[has_room]
        others = own[frontier != 0] if space.system.has_internal else own[:0]
        if not self._complete(senders, others):
            return False
        note_sends(
            senders, space.choices.shape[1], space.send_steps, self.index.locals, self.noted, space.steps, space.pasts,
            space.sends, space.packets, space.local_packets, space.locals,
        )  # fmt: skip
        note_internals(
            others, self.index.locals, self.noted, space.steps, space.pasts, space.sends, space.packets, space.locals
        )
        return True

    def _pair(self, locals_: tuple[int, int], packets: tuple[int, int], late: int) -> bool:
        """Complete all compatible pairs in which one is new; False when stopped."""
        space, dest_bits = self.space, self.space.rules.dest_bits
        room = np.zeros(space.processes, np.int32)

        def new_locals(begin: int) -> int:
            return int(pair_locals(
                self.index, self.buffer, begin, locals_[1], space.pasts, space.sends, space.locals, space.packets,
                dest_bits, space.per_process, self.symmetry, room,
            ))  # fmt: skip

        def new_packets(begin: int) -> int:
            return int(pair_packets(
                self.index, self.buffer, begin, packets[1], locals_[0], space.pasts, space.sends, space.packets,
                self.symmetry, room,
            ))  # fmt: skip

        def late_packets(begin: int) -> int:
            return int(pair_late(
                self.index, self.buffer, begin, locals_[0], packets[0], space.pasts, space.sends, space.locals,
                space.packets,
            ))  # fmt: skip

        return (
            self._take(new_locals, *locals_)
            and self._take(new_packets, *packets)
            and self._take(late_packets, 0, locals_[0] if late else 0)
        )

    def _take(self, add_pairs: Callable[[int], int], begin: int, end: int) -> bool:
        """Complete the pairs of the objects begin to end - 1, which `add_pairs` puts into the buffer from one on until
        it is full, and says at which one it stopped; False when stopped."""
        while begin < end:
            stopped_at = add_pairs(begin)
            if self.buffer.size[0] == 0 and stopped_at == begin:
                self.buffer = Buffer(np.zeros((2 * len(self.buffer.pairs), 2), np.int32), self.buffer.size)
                continue
            begin = stopped_at
            if not self._receive():
                return False
            self.buffer.size[0] = 0
        return True

    def _receive(self) -> bool:
        """Complete the pairs in the buffer; False when stopped."""
        space = self.space
        pairs = self.buffer.pairs[: self.buffer.size[0]]
        if not len(pairs):
            return True
        results = space.complete_receipts(pairs, self.watch.interrupted)
        if results is None:
            return False
        self._make_places()
        if self.judge.active:
            self.judge.judge_receipts(pairs, results)
        if self._must_stop():
            return False
        self.pairs += len(pairs)
        note_receives(
            pairs, results, self.index.locals, self.noted, space.steps, space.pasts, space.sends, space.packets,
            space.locals,
        )  # fmt: skip
        return True

    def script_of(self, bit: int, place: int) -> Script:
        """The sends that a candidate of a property bit (by number) knows, those of the packet it receives included."""
        space, noted = self.space, self.noted
        packet, after = int(noted.packet[bit, place]), int(noted.after[bit, place])
        local = after if packet < 0 else int(noted.local[bit, place])
        past = int(space.locals.past[local])
        chains = []
        for process in range(space.processes):
            newest = int(space.pasts.newest[past, process])
            if packet > 0:
                event = int(space.packets.event[packet])
                own = int(space.sends.sender[event]) == process
                theirs = event if own else int(space.pasts.newest[space.sends.past[event], process])
                if space.sends.number[theirs] > space.sends.number[newest]:
                    newest = theirs
            chains.append(self._chain(newest, process))
        return tuple(chains)

    def _chain(self, event: int, process: int) -> tuple[frozenset[int], ...]:
        space = self.space
        dests = []
        while event:
            dests.append(space.sets[int(space.sends.dests[event])])
            event = int(space.pasts.newest[space.sends.past[event], process])
        return tuple(reversed(dests))

    @property
    def local_states(self) -> int:
        """Local states that are kept."""
        return int(np.count_nonzero(self.index.locals.frontier[: self._filed_locals]))

    def stood_for(self) -> int | None:
        """How many local states those that are kept stand for, all renamings counted; None where what is kept of each
        process is not the same up to names, so that processes are not alike to this model."""
        counts = np.zeros(len(self.symmetry.names), np.uint64)
        total = number_stood_for(
            self.symmetry, self.index.frontiers, self.index.locals, self.space.pasts, self.space.locals,
            self._filed_locals, counts,
        )  # fmt: skip
        return int(total) if len(np.unique(counts)) == 1 else None

    def _complete(self, senders: Array, others: Array) -> bool:
        """Compute the sends of some local states and the internal steps of others, and judge them; False when
        interrupted."""
        space = self.space

        def count(items: Array) -> Array:
            return np.array([len(items)], np.int64)

        none = np.zeros(0, np.int32)
        missing = Missing(
            np.zeros((0, 2), np.int32), count(none), senders.copy(), count(senders), others.copy(), count(others),
            np.zeros((0, space.processes), np.int32), count(none), none, count(none), count(none),
        )  # fmt: skip
        if not space.complete(missing, self.watch.interrupted):
            return False
        self._make_places()
        if self.judge.active:
            self.judge.judge_new(missing)
        return True
