"""The interned state space of one model within one bound: asks the model for every local step that a kernel misses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from precede.models import Message

from ..bounds import Bounds
from ..calls import ModelCalls
from ..scenario import Scenario
from .answers import ModelAnswers
from .bundles import (
    Array,
    Locals,
    LocalSteps,
    Map,
    Packets,
    Pasts,
    Pool,
    Sends,
    new_table,
    reserve,
    reserve_hashed,
    reserve_map,
)
from .completing import (
    complete_receives,
    complete_sends,
    distinct_missing,
    judge_local,
    put_receive_answers,
    put_send_answers,
    unanswered_receives,
    unanswered_sends,
)
from .enabling import FIFO, FIFO_DELIVERY, UNORDERED, Missing, Script
from .interning import intern_local, intern_past
from .scripts import destination_choices, script_masks

CHANNEL_RULES = {"unordered": UNORDERED, "fifo-arrival": UNORDERED, "fifo": FIFO, "fifo-delivery": FIFO_DELIVERY}


class StateSpace:
    """All interned objects of one exploration. Process p of the model is index p - 1 here."""

    def __init__(self, calls: ModelCalls, bounds: Bounds, scenario: Scenario | None, judge_facts: bool) -> None:
        self.calls = calls
        self.bounds = bounds
        self.judge_facts = judge_facts
        self.processes = bounds.processes
        self.per_process = bounds.per_process
        self.sets, self.choices = destination_choices(bounds, scenario)
        self.script: Script = script_masks(bounds, scenario, self.sets, self.choices)
        self.dest_bits = np.array([sum(1 << (d - 1) for d in dests) for dests in self.sets], np.uint64)
        self.words = -(-self.processes * self.per_process // 64)
        self.most_packets = bounds.sends * max(len(dests) for dests in self.sets)
        self.system = (
            self.processes,
            CHANNEL_RULES[bounds.channel],
            bounds.sends,
            self.per_process,
            self.most_packets,
            self.choices.shape[1],
        )
        self.model = ModelAnswers(calls, bounds, self.words, judge_facts)
        self._create_bundles()

    def _create_bundles(self) -> None:
        n, w, room = self.processes, self.words, 256

        def ints(*shape: int) -> Array:
            return np.zeros((room, *shape), np.int32)

        def hashes() -> Array:
            return np.zeros(room, np.uint64)

        def masks(*shape: int) -> Array:
            return np.zeros((room, *shape, w), np.uint64)

        def bytes_() -> Array:
            return np.zeros(room, np.uint8)

        def size(start: int = 0) -> Array:
            return np.array([start], np.int64)

        self.pasts = Pasts(ints(), ints(n), masks(), masks(n), masks(n), hashes(), new_table(room), size())
        self.sends = Sends(ints(), ints(), ints(), ints(), hashes(), new_table(room), size(1))
        self.sends.past[0] = -1
        self.locals = Locals(ints(), ints(), ints(), ints(), ints(), bytes_(), hashes(), new_table(room), size())
        self.packets = Packets(
            ints(), ints(), ints(), ints(), ints(), ints(), ints(), bytes_(), hashes(), new_table(room), size(1)
        )
        self.packets.copy[0] = -1
        self.steps = LocalSteps(ints(), ints(), ints(), ints(), ints(), size())
        self.send_steps = Pool(ints(), size())
        self.local_packets = Pool(ints(), size())
        self.known_steps = Map(new_table(room, np.uint64), np.zeros(len(new_table(room)), np.int32), size())
        self.receive_answers = Map(new_table(room, np.uint64), np.zeros(len(new_table(room)), np.int32), size())
        self.send_answers = Map(new_table(room, np.uint64), np.zeros(len(new_table(room)), np.int32), size())

    def initial_row(self) -> Array:
        """The initial global state."""
        row = np.zeros(self.processes + self.most_packets, np.int32)
        for process in range(self.processes):
            model = self.model.number_of_state(self.calls.start(process + 1))
            self.pasts = reserve_hashed(self.pasts, 2)
            self.locals = reserve_hashed(self.locals, 2)
            new = int(self.pasts.size[0])
            self.pasts.owner[new] = process
            past = intern_past(self.pasts)
            local = intern_local(self.locals, self.pasts, self.sends, model, past)
            if self.judge_facts:
                self.locals.flags[local] = judge_local(
                    self.pasts, self.sends, self.model.state_facts, local, self.locals
                )
            self.locals.reached[local] = 1
            row[process] = local
        return row

    def new_missing(self, rows: int) -> Missing:
        """Room for what `rows` rows can miss."""
        return Missing(
            np.zeros((rows * self.most_packets, 2), np.int32), np.zeros(1, np.int64),
            np.zeros(rows * self.processes, np.int32), np.zeros(1, np.int64),
            np.zeros(rows, np.int64), np.zeros(1, np.int64),
        )  # fmt: skip

    def complete(self, missing: Missing, interrupted: Callable[[], bool]) -> bool:
        """Compute all local steps listed in `missing`, which keeps each once; False when interrupted before the end."""
        self.known_steps = reserve_map(self.known_steps, int(missing.pair_count[0]))
        distinct_missing(missing, self.known_steps, self.locals)
        pairs, locals_ = int(missing.pair_count[0]), int(missing.local_count[0])
        if not self._ask_receives(missing.pairs, pairs, interrupted):
            return False
        if not self._ask_sends(missing.locals, locals_, interrupted):
            return False
        self._complete_receives(missing.pairs, pairs)
        self._complete_sends(missing.locals, locals_)
        return True

    def _ask_receives(self, pairs: Array, count: int, interrupted: Callable[[], bool]) -> bool:
        wanted = np.zeros((count, 2), np.int32)
        self.receive_answers = reserve_map(self.receive_answers, count)
        found = unanswered_receives(pairs, count, self.locals, self.packets, self.receive_answers, wanted)
        values: list[int] = []
        receive = self.calls.receive
        for model, copy in wanted[:found].tolist():
            if interrupted():
                return False
            values.append(self.model.store(receive(self.model.states[model], self.model.copies[copy])))
        self.model.flush()
        put_receive_answers(self.receive_answers, wanted[:found], np.array(values, np.int32))
        return True

    def _ask_sends(self, locals_: Array, count: int, interrupted: Callable[[], bool]) -> bool:
        wanted = np.zeros((count * self.choices.shape[1], 4), np.int32)
        self.send_answers = reserve_map(self.send_answers, len(wanted))
        found = unanswered_sends(locals_, count, self.locals, self.pasts, self.choices, self.send_answers, wanted)
        values: list[int] = []
        for model, owner, number, choice in wanted[:found].tolist():
            if interrupted():
                return False
            message = Message(owner + 1, number, self.sets[self.choices[owner, choice]])
            values.append(self.model.store(self.calls.send(self.model.states[model], message), (message,)))
        self.model.flush()
        put_send_answers(self.send_answers, wanted[:found], np.array(values, np.int32), self.choices)
        return True

    def _complete_receives(self, pairs: Array, count: int) -> None:
        most = count * self.model.most_alternatives
        self.pasts = reserve_hashed(self.pasts, count + 1)
        self.locals = reserve_hashed(self.locals, most + 1)
        reserve(self.steps, most)
        complete_receives(
            pairs, count, self.pasts, self.sends, self.locals, self.packets, self.receive_answers, self.model.answers,
            self.steps, self.known_steps, self.dest_bits, self.per_process, self.model.state_facts, self.judge_facts,
        )  # fmt: skip

    def _complete_sends(self, locals_: Array, count: int) -> None:
        each = count * self.choices.shape[1]
        most = each * self.model.most_alternatives
        copies = most * max(len(dests) for dests in self.sets)
        self.pasts = reserve_hashed(self.pasts, 2 * each + 1)
        self.sends = reserve_hashed(self.sends, each + 1)
        self.locals = reserve_hashed(self.locals, most + 1)
        self.packets = reserve_hashed(self.packets, copies + 1)
        reserve(self.steps, most)
        reserve(self.send_steps, each)
        reserve(self.local_packets, copies)
        complete_sends(
            locals_, count, self.pasts, self.sends, self.locals, self.packets, self.send_answers, self.model.answers,
            self.model.answer_copies, self.model.copy_to, self.steps, self.send_steps, self.local_packets,
            self.dest_bits, self.choices, self.per_process, self.model.state_facts, self.model.copy_facts,
            self.judge_facts,
        )  # fmt: skip
