"""The closure: all local states and packets that sends and compatible receipts lead to, from the initial states on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from ..engine.bundles import Array, reserve, reserve_hashed
from ..engine.helping import nothing
from ..engine.judging import UserJudge
from ..engine.limits import Watch
from ..engine.space import StateSpace
from .comparing import ALL_COMPARED, EVERY, compare_receipts, compare_sends, drop_compared, new_compared
from .filing import file_events, file_locals, file_packets
from .noting import new_noted, note_initial, note_internals, note_receives, note_sends
from .pairing import pair_late, pair_locals, pair_packets
from .symmetry import code_events, new_symmetry, number_stood_for, with_room
from .tables import COMPARED, Buffer, Script, new_index

PAIRS = 1 << 14
"""Pairs that are completed at a time."""

FRONTIERS = 1 << 16
"""Frontiers for which room is made at a time."""


class New(NamedTuple):
    """The ranges of the local states, packets and events of which nothing has been made yet."""

    locals: tuple[int, int]
    packets: tuple[int, int]
    events: tuple[int, int]


class Closure:
    """One closure. Each round files what is new, lets new local states send, and pairs new with old."""

    passes_on = False
    """Whether a message may reach a destination in another way than straight from its send."""
    may_stay_held = False
    """Whether a process may go on without delivering a message that it holds; nothing is held here."""

    def __init__(
        self, space: StateSpace, judge: UserJudge, watch: Watch, weight: int, by_symmetry: bool = False
    ) -> None:
        """`weight` is one of `engine.weights`; nothing of the space may be interned yet. `by_symmetry`: of what knows
        all sends, one of those is kept that differ only in the names of processes, and some to be compared."""
        self.space = space
        self.judge = judge
        self.watch = watch
        self.noted = new_noted()
        self.index = new_index(space.processes)
        self.symmetry = new_symmetry(space.processes, space.bounds.sends, EVERY if by_symmetry else 0)
        self.compared = new_compared(self.symmetry, space.processes)
        self.pairs = 0
        self.only_compared = 0
        self.rounds = 0
        self.complete = False
        self.buffer = Buffer(np.zeros((ALL_COMPARED if by_symmetry else PAIRS, 2), np.int32), np.zeros(1, np.int64))
        self._filed_locals = 0
        self._filed_packets = 1
        self._filed_events = 1
        self._late = 0
        """Of the packets filed last, how many are late: see `file_packets`."""
        self._enter_answers: Callable[[], None] = nothing
        space.sends.weight[0] = weight
        space.initial_row()
        if judge.active:
            judge.judge_objects()
        note_initial(self.noted, space.locals, space.processes)

    def run(self) -> None:
        """Close, until nothing is new or a limit stops it."""
        while not self._must_stop():
            new = self._take_new()
            if new.locals[0] == new.locals[1] and new.packets[0] == new.packets[1]:
                self.complete = True
                return
            self.rounds += 1
            if not (self._send(new) and self._pair(new)):
                return

    def _must_stop(self) -> bool:
        space = self.space
        return self.watch.must_stop(int(space.locals.size[0]), self.pairs, int(space.packets.size[0]) - 1, self.rounds)

    def _take_new(self) -> New:
        space = self.space
        locals_ = self._filed_locals, int(space.locals.size[0])
        packets = self._filed_packets, int(space.packets.size[0])
        events = self._filed_events, int(space.sends.size[0])
        self._filed_locals, self._filed_packets, self._filed_events = locals_[1], packets[1], events[1]
        return New(locals_, packets, events)

    def _file(self, new: New) -> None:
        """File what is new."""
        space = self.space
        locals_, packets, events = new
        self._make_places()
        file_events(self.index, *events, space.pasts, space.sends)
        self.symmetry = with_room(self.symmetry, events[1])
        code_events(
            space.pasts, space.sends, space.rules.dest_bits, space.per_process, self.symmetry, *events,
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
        self._late = int(file_packets(self.index, *packets, events[0], space.pasts, space.sends, space.packets))

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

    def _send(self, new: New) -> bool:
        """Let the new local states send, and take internal steps, and file what is new; False when interrupted."""
        space = self.space
        begin, end = new.locals
        own = np.arange(begin, end, dtype=np.int32)
        known = space.sends.number[space.pasts.newest[space.locals.past[begin:end]]].sum(axis=1)
        senders = own[(known < space.bounds.sends) & (space.locals.sent[begin:end] < space.per_process)]
        if not space.ask_sends(senders, self.watch.interrupted, partial(self._file, new)):
            return False
        others = own[self.index.locals.frontier[begin:end] != 0] if space.system.has_internal else own[:0]
        internal = space.ask_internals(others, self.watch.interrupted)
        if internal is None:
            return False
        self._enter_answers = partial(self._enter_sends, senders, others, internal)
        return True

    def _enter_sends(self, senders: Array, others: Array, internal: Array) -> None:
        """Enter and judge the sends of local states, and the internal steps of others."""
        space = self.space
        first_new = int(space.locals.size[0])
        space.enter_sends(senders)
        space.enter_others(others, internal)
        self._make_places()
        if self.judge.active:
            self.judge.judge_own(senders, others)
        if self.symmetry.one_in:
            compare_sends(
                self.compared, self.symmetry, senders, space.choices, space.send_steps, space.rules.dest_bits,
                space.pasts, space.locals, space.steps, space.per_process,
            )  # fmt: skip
        note_sends(
            senders, space.choices.shape[1], space.send_steps, first_new, self.index.locals, self.noted, space.steps,
            space.pasts, space.sends, space.packets, space.local_packets, space.locals,
        )  # fmt: skip
        note_internals(
            others, first_new, self.index.locals, self.noted, space.steps, space.pasts, space.sends, space.packets,
            space.locals,
        )  # fmt: skip

    def _pair(self, new: New) -> bool:
        """Complete all compatible pairs in which one is new; False when stopped. While the model is asked for some,
        those before them are entered, and the next are looked for."""
        batches = self._batches(new)
        pairs = next(batches, None)
        is_done = True
        while pairs is not None and is_done:
            following: list[Array | None] = []

            def meanwhile(following: list[Array | None] = following) -> None:
                self._enter_asked()
                following.append(next(batches, None))

            is_done = self.space.ask_receipts(pairs, self.watch.interrupted, meanwhile)
            if is_done:
                self._enter_answers = partial(self._enter_receipts, pairs)
                is_done = not self._must_stop()
            (pairs,) = following
        self._enter_asked()
        return is_done and not self._must_stop()

    def _enter_asked(self) -> None:
        """Enter what the model was asked for."""
        enter, self._enter_answers = self._enter_answers, nothing
        enter()

    def _enter_receipts(self, pairs: Array) -> None:
        space = self.space
        first_new = int(space.locals.size[0])
        results = space.enter_receipts(pairs)
        self._make_places()
        if self.judge.active:
            self.judge.judge_receipts(pairs, results)
        self.pairs += len(pairs)
        if self.symmetry.one_in:
            only_compared = compare_receipts(
                self.compared, self.symmetry, pairs, results, self.index.locals, space.pasts, space.sends,
                space.packets, space.locals, space.steps, space.per_process,
            )  # fmt: skip
            self.only_compared += only_compared
            self.pairs -= only_compared
            if self.symmetry.one_in == EVERY and self.pairs + self.only_compared > ALL_COMPARED:
                self._compare_some()
        note_receives(
            pairs, results, first_new, self.index.locals, self.noted, space.steps, space.pasts, space.sends,
            space.packets, space.locals,
        )  # fmt: skip

    def _compare_some(self) -> None:
        """From now on keep of some orbits only all that differs in the names of processes."""
        space = self.space
        self.symmetry = self.symmetry._replace(one_in=self.compared.one_in)
        drop_compared(self.index.locals, self.symmetry, space.pasts, space.locals)
        self.buffer = Buffer(np.zeros((PAIRS, 2), np.int32), np.zeros(1, np.int64))

    def _batches(self, new: New) -> Iterator[Array]:
        """All compatible pairs in which one is new, so many at a time as the buffer holds."""
        locals_, packets = new.locals, new.packets
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

        yield from self._take(new_locals, *locals_)
        yield from self._take(new_packets, *packets)
        if self._late:
            yield from self._take(late_packets, 0, locals_[0])

    def _take(self, add_pairs: Callable[[int], int], begin: int, end: int) -> Iterator[Array]:
        """The pairs of the objects begin to end - 1, which `add_pairs` puts into the buffer from one on until it is
        full, and says at which one it stopped."""
        while begin < end:
            stopped_at = add_pairs(begin)
            if self.buffer.size[0] == 0 and stopped_at == begin:
                self.buffer = Buffer(np.zeros((2 * len(self.buffer.pairs), 2), np.int32), self.buffer.size)
                continue
            begin = stopped_at
            if self.buffer.size[0]:
                yield self.buffer.pairs[: self.buffer.size[0]].copy()
            self.buffer.size[0] = 0

    def script_of(self, bit: int, place: int) -> Script:
        """The sends that a candidate of a property bit (by number) knows, those of the packet it receives included."""
        packet, after = int(self.noted.packet[bit, place]), int(self.noted.after[bit, place])
        return self.script_with(after if packet < 0 else int(self.noted.local[bit, place]), packet)

    def script_with(self, local: int, packet: int) -> Script:
        """The sends that a local state and a packet (0 or less for none) know."""
        space = self.space
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
        """Local states that are kept; with those that were met and not yet filed when the search was stopped."""
        not_filed = int(self.space.locals.size[0]) - self._filed_locals
        filed = self.index.locals.frontier[: self._filed_locals]
        return int(np.count_nonzero(filed) - np.count_nonzero(filed == COMPARED)) + not_filed

    def stood_for(self) -> int | None:
        """How many local states those that are kept stand for, all renamings counted; None where what is kept in full
        is not the same under all renamings, so that processes are not alike to this model."""
        compared = self.compared.every if self.symmetry.one_in == EVERY else self.compared.sampled
        if len(np.unique(compared)) > 1:
            return None
        counts = np.zeros(len(self.symmetry.names), np.uint64)
        total = number_stood_for(
            self.symmetry, self.index.frontiers, self.index.locals, self.space.pasts, self.space.locals,
            self._filed_locals, counts,
        )  # fmt: skip
        return int(total) if len(np.unique(counts)) == 1 else None
