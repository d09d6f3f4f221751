"""All interned objects of one exploration, and the asking of the model for the local steps that kernels miss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from precede.models import Message, Model, Packet, Step

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ModelError
from ..scenario import Scenario
from .answers import ModelAnswers
from .asking import distinct_missing, put_receive_answers, put_send_answers, unanswered_receives, unanswered_sends
from .bundles import (
    Array,
    append,
    reserve,
    reserve_hashed,
    reserve_map,
)
from .completing import (
    BY_ITSELF,
    NONE,
    OTHER_DESTINATIONS,
    UNKNOWN_EVENT,
    Rules,
    Work,
    complete_faults,
    complete_joints,
    enter_start,
    enter_steps,
    judge_held,
)
from .enabling import FIFO, FIFO_DELIVERY, RENDEZVOUS, UNORDERED, Missing, Script, System
from .helping import Helping, nothing
from .interning import enter_joint
from .preparing import prepare_receives, prepare_sends, put_steps
from .scripts import destination_choices, script_masks
from .storage import Storage

CHANNEL_RULES = {
    "unordered": UNORDERED,
    "fifo": FIFO,
    "fifo-delivery": FIFO_DELIVERY,
    "rendezvous": RENDEZVOUS,
}
COPY, MESSAGE = 0, 1
"""The two ways of asking with help, by number."""

ROOM = 100_000
"""Local objects for which room is made at a time."""


class StateSpace(Storage):
    """All interned objects of one exploration. Process p of the model is index p - 1 here."""

    def __init__(self, calls: ModelCalls, bounds: Bounds, scenario: Scenario | None, judge_facts: bool) -> None:
        self.calls = calls
        self.bounds = bounds
        self.processes = bounds.processes
        self.per_process = bounds.per_process
        self.sets, self.choices = destination_choices(bounds, scenario)
        self.script: Script = script_masks(bounds, scenario, self.sets, self.choices)
        self.words = -(-self.processes * self.per_process // 64)
        self.most_packets = bounds.sends * max(len(dests) for dests in self.sets) + bounds.duplicates
        faulty = any(bounds.faults)
        own = type(calls.model)
        self.system = System(
            processes=self.processes,
            channel=CHANNEL_RULES[calls.channel_rule],
            queued=calls.channel_rule in ("fifo", "fifo-delivery"),
            most_sends=bounds.sends,
            most_sends_each=self.per_process,
            width=self.choices.shape[1],
            head=self.processes + faulty,
            duplicates=bounds.duplicates,
            losses=bounds.losses,
            crashes=bounds.crashes,
            restarts=bounds.restarts,
            direct=calls.model.direct and not faulty,
            has_internal=own.internal is not Model.internal,
            has_joint=own.joint is not Model.joint,
        )
        self.model = ModelAnswers(calls, bounds, self.sets, self.words, judge_facts)
        self._helping = Helping(self.model, (self.answer_to_copy, self.answer_to_message))
        self.rules = Rules(
            dest_bits=np.array([sum(1 << (d - 1) for d in dests) for dests in self.sets], np.uint64),
            per_process=self.per_process,
            judge_facts=judge_facts,
            has_internal=self.system.has_internal,
            takes_own=bounds.self_addressed == "at-send",
            error=np.zeros(2, np.int64),
        )
        self.starts = np.zeros(0, np.int32)
        super().__init__(self.processes, self.words)

    @property
    def graded(self) -> bool:
        """Whether the number of steps to a state is a function of the state, so that only one level is remembered."""
        return self.system.direct

    def initial_row(self) -> Array:
        """The initial global state; always the same row."""
        row = np.zeros(self.system.head + self.most_packets, np.int32)
        starts = []
        for process in range(self.processes):
            model = self.model.number_of_state(self.calls.start(process + 1))
            starts.append(model)
            self.pasts = reserve_hashed(self.pasts, 2)
            self.locals = reserve_hashed(self.locals, 2)
            row[process] = enter_start(
                model, process, self.pasts, self.sends, self.locals, self.rules, self.model.state_facts
            )
        if self.bounds.crashes:
            self.starts = np.array(starts, np.int32)
        return row

    def new_missing(self, rows: int, successors: int) -> Missing:
        """Room for what `rows` rows, with so many successors each, can miss."""
        each = self.most_missing_pairs(successors)

        def count() -> Array:
            return np.zeros(1, np.int64)

        def list_of(length: int, *shape: int) -> Array:
            return np.zeros((length, *shape), np.int32)

        n = self.processes
        return Missing(
            list_of(rows * each, 2), count(), list_of(rows * n), count(), list_of(rows * n), count(),
            list_of(rows, n), count(), np.zeros(rows, np.int32), count(), count(),
        )  # fmt: skip

    def most_missing_pairs(self, successors: int) -> int:
        """More (local state, packet) pairs than one row can miss."""
        return self.most_packets + (successors if self.system.channel == RENDEZVOUS else 0)

    def complete(self, missing: Missing, interrupted: Callable[[], bool]) -> bool:
        """Compute all local steps listed in `missing`, which keeps each once; False when interrupted before the end."""
        self.known_steps = reserve_map(self.known_steps, int(missing.pair_count[0]))
        distinct_missing(missing, self.known_steps, self.locals)
        pairs, locals_, others = (int(c[0]) for c in (missing.pair_count, missing.local_count, missing.other_count))
        if not self.ask_receipts(missing.pairs[:pairs], interrupted):
            return False
        if not self.ask_sends(missing.locals[:locals_], interrupted):
            return False
        internal = self.ask_internals(missing.others[:others], interrupted)
        if internal is None:
            return False
        put_steps(missing.pairs, self.known_steps, self.enter_receipts(missing.pairs[:pairs]))
        self.enter_sends(missing.locals[:locals_])
        self.enter_others(missing.others[:others], internal)
        self._complete_joints(missing.joints[: missing.joint_count[0]])
        return True

    def ask_receipts(
        self, pairs: Array, interrupted: Callable[[], bool], meanwhile: Callable[[], None] = nothing
    ) -> bool:
        """Ask the model for the receipts of distinct pairs of a local state and a packet; False when interrupted.
        `meanwhile` is done at the same time, or before."""
        wanted = np.zeros((len(pairs), 2), np.int32)
        self.receive_answers = reserve_map(self.receive_answers, len(pairs))
        found = unanswered_receives(pairs, len(pairs), self.locals, self.packets, self.receive_answers, wanted)
        values = self._helping.ask_all(COPY, wanted[:found], interrupted, meanwhile)
        if values is None:
            return False
        self.model.flush()
        put_receive_answers(self.receive_answers, wanted[:found], np.array(values, np.int32))
        return True

    def ask_sends(
        self, senders: Array, interrupted: Callable[[], bool], meanwhile: Callable[[], None] = nothing
    ) -> bool:
        """Ask the model for the sends of distinct local states, as `ask_receipts`."""
        wanted = np.zeros((len(senders) * self.choices.shape[1], 4), np.int32)
        self.send_answers = reserve_map(self.send_answers, len(wanted))
        found = unanswered_sends(
            senders, len(senders), self.locals, self.pasts, self.choices, self.send_answers, wanted
        )
        values = self._helping.ask_all(MESSAGE, wanted[:found], interrupted, meanwhile)
        if values is None:
            return False
        self.model.flush()
        put_send_answers(self.send_answers, wanted[:found], np.array(values, np.int32), self.choices)
        return True

    def _check(self) -> None:
        """Raise what entering steps has found wrong."""
        if not self.rules.error[0]:
            return
        name, process = self.calls.loaded.name, int(self.rules.error[1]) + 1
        if self.rules.error[0] == UNKNOWN_EVENT:
            raise ModelError(f"{name}: process {process} depends on an event that has not happened there yet")
        what = "that it has neither sent nor received"
        if self.rules.error[0] == OTHER_DESTINATIONS:
            what = "with other destinations than those that it was sent to"
        raise ModelError(f"{name}: process {process} delivers or passes on a message {what}")

    def answer_to_copy(self, model: int, copy: int) -> Sequence[Step]:
        """What the model answers when a copy is offered to it, all by number."""
        packet = self.model.copies[copy]
        if isinstance(packet, Packet):
            return self.calls.receive(self.model.states[model], packet)
        return self.calls.signal(self.model.states[model], packet)

    def answer_to_message(self, model: int, owner: int, number: int, choice: int) -> Sequence[Step]:
        """What the model answers when the application sends message `number` to a chosen destination set."""
        message = Message(owner + 1, number, self.sets[self.choices[owner, choice]])
        return self.calls.send(self.model.states[model], message)

    def ask_internals(self, locals_: Array, interrupted: Callable[[], bool]) -> Array | None:
        """The first answers about internal steps; None when interrupted."""
        values: list[int] = []
        known: dict[tuple[int, int], int] = {}
        for local in locals_.tolist():
            if interrupted():
                return None
            model, process = int(self.locals.model[local]), int(self.pasts.owner[self.locals.past[local]]) + 1
            if (model, process) not in known:
                steps = self.calls.internal(process, self.model.states[model]) if model else ()
                known[model, process] = self.model.store(steps)
            values.append(known[model, process])
        self.model.flush()
        return np.array(values, np.int32)

    def enter_receipts(self, pairs: Array) -> Array:
        """Enter receipts that the model was asked for. Returns their first steps, WAITS or WAITS_NEEDLESSLY."""
        work = new_work(len(pairs))
        prepare_receives(
            pairs, self.receive_answers, self.pasts, self.sends, self.locals, self.packets, self.rules, work
        )
        self._enter(work)
        return work.result

    def enter_sends(self, wanted: Array) -> None:
        """Enter the sends of local states that the model was asked for."""
        width = self.choices.shape[1]
        work = new_work(len(wanted) * width)
        prepare_sends(wanted, self.send_answers, self.pasts, self.locals, self.choices, work)
        self._enter(work)
        self.locals.sends[wanted] = int(self.send_steps.size[0]) + width * np.arange(len(wanted))
        append(self.send_steps, work.result)

    def enter_others(self, wanted: Array, internal: Array) -> None:
        """Enter the internal steps of local states, from their first answers on, and their faults."""
        work = new_work(len(wanted))
        work.local[:], work.kind[:], work.answer[:], work.result[:] = wanted, BY_ITSELF, internal, NONE
        if self.system.has_internal:
            judge_held(
                wanted, internal, self.pasts, self.sends, self.held, self.locals, self.model.answers,
                self.model.delivered, self.model.message_table,
            )  # fmt: skip
        self._enter(work)
        self.locals.internal[wanted] = work.result
        if len(self.starts):
            self._make_room(len(wanted))
            complete_faults(
                wanted, self.starts, self.pasts, self.sends, self.locals, self.steps, self.rules, self.model.state_facts
            )

    def _enter(self, work: Work) -> None:
        """Enter steps, a part at a time, so that the room made for the most they can need stays moderate."""
        model = self.model
        chunk = max(1, ROOM // model.most_alternatives)
        for begin in range(0, len(work.local), chunk):
            end = min(begin + chunk, len(work.local))
            self._make_room((end - begin) * model.most_alternatives)
            enter_steps(
                work, begin, end, self.pasts, self.sends, self.timelines, self.held, self.locals, self.packets,
                model.answers, model.delivered, model.message_table, model.copied, model.copy_table, self.steps,
                self.local_packets, self.rules, model.state_facts, model.copy_facts,
            )  # fmt: skip
        self._check()

    def _make_room(self, steps: int) -> None:
        held = 0 if self.system.direct else self.bounds.sends + 1
        self.make_room(steps, self.model.most_delivered, self.model.most_transmitted, held)

    def _complete_joints(self, wanted: Array) -> None:
        distinct = np.unique(wanted, axis=0) if len(wanted) else wanted
        self.joints = reserve_hashed(self.joints, len(distinct))
        numbers: list[int] = []
        first: list[int] = []
        states: list[list[int]] = []
        more: list[int] = []
        for row in distinct:
            numbers.append(enter_joint(self.joints, row, self.processes))
            models = [int(self.locals.model[local]) for local in row]
            up = all(models)
            answers = self.model.store_joint(
                self.calls.joint(tuple(self.model.states[m] for m in models)) if up else ()
            )
            first.append(len(states) if answers else -1)
            states += answers
            more += [1] * (len(answers) - 1) + [0] * bool(answers)
        if not numbers:
            return
        self.model.flush()
        total = len(states)
        self.locals = reserve_hashed(self.locals, total * self.processes + 1)
        reserve(self.joint_steps, total)
        complete_joints(
            np.array(numbers, np.int64), np.array(first, np.int64), self.joints, self.joint_steps,
            np.array(states, np.int32).reshape(-1, self.processes), np.array(more, np.int32), self.pasts, self.sends,
            self.locals, self.rules, self.model.state_facts,
        )  # fmt: skip


def new_work(count: int) -> Work:
    """Room for so many local steps."""
    return Work(*(np.zeros(count, np.int64) for _ in Work._fields))
