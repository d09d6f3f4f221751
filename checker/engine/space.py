"""The interned state space of one model within one bound: asks the model for every local step that a kernel misses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from precede.models import Fact, Message, Packet, State, Step

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ModelError
from ..scenario import Scenario
from .bundles import (
    Answers,
    Array,
    Facts,
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
from .expanding import ALTERNATIVES
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
        self.most_alternatives = 1
        self.system = (
            self.processes,
            CHANNEL_RULES[bounds.channel],
            bounds.sends,
            self.per_process,
            self.most_packets,
            self.choices.shape[1],
        )
        self.model_states: list[State] = []
        self.copies: list[Packet] = []
        self._state_numbers: dict[State, int] = {}
        self._copy_numbers: dict[Packet, int] = {}
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
        self.answers = Answers(ints(), bytes_(), ints(), ints(), size())
        self.answer_copies = Pool(ints(), size())
        self.copy_to = Pool(ints(), size())
        self.state_facts = Facts(masks(n), bytes_(), size())
        self.copy_facts = Facts(masks(n), bytes_(), size())

    def initial_row(self) -> Array:
        """The initial global state."""
        row = np.zeros(self.processes + self.most_packets, np.int32)
        for process in range(self.processes):
            model = self._intern_state(self.calls.start(process + 1))
            self.pasts = reserve_hashed(self.pasts, 2)
            self.locals = reserve_hashed(self.locals, 2)
            new = int(self.pasts.size[0])
            self.pasts.owner[new] = process
            past = intern_past(self.pasts)
            local = intern_local(self.locals, self.pasts, self.sends, model, past)
            if self.judge_facts:
                self.locals.flags[local] = judge_local(self.pasts, self.sends, self.state_facts, local, self.locals)
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
            values.append(self._store(receive(self.model_states[model], self.copies[copy]), ()))
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
            values.append(self._store(self.calls.send(self.model_states[model], message), (message,)))
        put_send_answers(self.send_answers, wanted[:found], np.array(values, np.int32), self.choices)
        return True

    def _store(self, alternatives: Sequence[Step], own: tuple[Message, ...]) -> int:
        """Keep the model's answer; returns its first entry in `answers`, -1 when there is no step."""
        if not alternatives:
            return -1
        if len(alternatives) > ALTERNATIVES:
            raise ModelError(f"{self.calls.loaded.name}: more than {ALTERNATIVES} alternatives in one step")
        self.most_alternatives = max(self.most_alternatives, len(alternatives))
        first = int(self.answers.size[0])
        reserve(self.answers, len(alternatives))
        for index, step in enumerate(alternatives):
            entry = first + index
            delivers_own = 2 if own and step.delivered == own else 0
            self.answers.state[entry] = self._intern_state(step.state)
            self.answers.more[entry] = (index + 1 < len(alternatives)) | delivers_own
            self.answers.first[entry] = self.answer_copies.size[0]
            self.answers.length[entry] = len(step.packets)
            reserve(self.answer_copies, len(step.packets))
            for packet in step.packets:
                self.answer_copies.items[self.answer_copies.size[0]] = self._intern_copy(packet)
                self.answer_copies.size[0] += 1
            self.answers.size[0] += 1
        return first

    def _intern_state(self, state: State) -> int:
        number = self._state_numbers.get(state)
        if number is None:
            number = self._state_numbers[state] = len(self.model_states)
            self.model_states.append(state)
            if self.judge_facts:
                self._store_facts(self.state_facts, self.calls.facts_of_state(state))
        return number

    def _intern_copy(self, packet: Packet) -> int:
        number = self._copy_numbers.get(packet)
        if number is None:
            number = self._copy_numbers[packet] = len(self.copies)
            self.copies.append(packet)
            reserve(self.copy_to, 1)
            self.copy_to.items[number] = packet.to - 1
            self.copy_to.size[0] += 1
            if self.judge_facts:
                self._store_facts(self.copy_facts, self.calls.facts_of_packet(packet))
        return number

    def _store_facts(self, facts: Facts, asserted: Iterable[Fact] | None) -> None:
        number = int(facts.size[0])
        reserve(facts, 1)
        facts.asserted[number] = 0
        facts.strange[number] = 0
        for (sender, count), destination in asserted or ():
            if 1 <= sender <= self.processes and 1 <= count <= self.per_process and 1 <= destination <= self.processes:
                slot = (sender - 1) * self.per_process + count - 1
                facts.asserted[number, destination - 1, slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
            else:
                facts.strange[number] = 1
        facts.size[0] += 1

    def _complete_receives(self, pairs: Array, count: int) -> None:
        most = count * self.most_alternatives
        self.pasts = reserve_hashed(self.pasts, count + 1)
        self.locals = reserve_hashed(self.locals, most + 1)
        reserve(self.steps, most)
        complete_receives(
            pairs, count, self.pasts, self.sends, self.locals, self.packets, self.receive_answers, self.answers,
            self.steps, self.known_steps, self.dest_bits, self.per_process, self.state_facts, self.judge_facts,
        )  # fmt: skip

    def _complete_sends(self, locals_: Array, count: int) -> None:
        each = count * self.choices.shape[1]
        most = each * self.most_alternatives
        copies = most * max(len(dests) for dests in self.sets)
        self.pasts = reserve_hashed(self.pasts, 2 * each + 1)
        self.sends = reserve_hashed(self.sends, each + 1)
        self.locals = reserve_hashed(self.locals, most + 1)
        self.packets = reserve_hashed(self.packets, copies + 1)
        reserve(self.steps, most)
        reserve(self.send_steps, each)
        reserve(self.local_packets, copies)
        complete_sends(
            locals_, count, self.pasts, self.sends, self.locals, self.packets, self.send_answers, self.answers,
            self.answer_copies, self.copy_to, self.steps, self.send_steps, self.local_packets, self.dest_bits,
            self.choices, self.per_process, self.state_facts, self.copy_facts, self.judge_facts,
        )  # fmt: skip
