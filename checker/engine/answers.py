"""What the model answered: its states and copies by number, and the alternatives of every call, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from precede.models import Fact, Message, Packet, State, Step

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ModelError
from .bundles import MORE, OWN_DELIVERED, Answers, Array, Facts, Pool, append, reserve
from .expanding import ALTERNATIVES


class ModelAnswers:
    """Everything that was learnt from the model. Arrays are up to date after `flush`."""

    def __init__(self, calls: ModelCalls, bounds: Bounds, words: int, judge_facts: bool) -> None:
        self.calls = calls
        self.bounds = bounds
        self.judge_facts = judge_facts
        self.states: list[State] = []
        self.copies: list[Packet] = []
        self.most_alternatives = 1
        self._state_numbers: dict[State, int] = {}
        self._copy_numbers: dict[Packet, int] = {}
        self.answers = Answers(_none(), _none(), _none(), _none(), _size())
        self.answer_copies = Pool(_none(), _size())
        self.copy_to = Pool(_none(), _size())
        masks = (0, bounds.processes, words)
        self.state_facts = Facts(np.zeros(masks, np.uint64), np.zeros(0, np.uint8), _size())
        self.copy_facts = Facts(np.zeros(masks, np.uint64), np.zeros(0, np.uint8), _size())
        self._new: list[tuple[int, int, int, int]] = []
        self._new_copies: list[int] = []

    def store(self, alternatives: Sequence[Step], own: tuple[Message, ...] = ()) -> int:
        """Keep one answer; returns its first entry in `answers`, -1 when there is no step. `own` holds the message of a
        send."""
        if not alternatives:
            return -1
        if len(alternatives) > ALTERNATIVES:
            raise ModelError(f"{self.calls.loaded.name}: more than {ALTERNATIVES} alternatives in one step")
        self.most_alternatives = max(self.most_alternatives, len(alternatives))
        first = int(self.answers.size[0]) + len(self._new)
        last = alternatives[-1]
        for step in alternatives:
            more = (0 if step is last else MORE) | (OWN_DELIVERED if own and step.delivered == own else 0)
            first_copy = int(self.answer_copies.size[0]) + len(self._new_copies)
            self._new.append((self.number_of_state(step.state), more, first_copy, len(step.packets)))
            self._new_copies += map(self._number_of_copy, step.packets)
        return first

    def flush(self) -> None:
        """Bring the arrays up to date."""
        append(self.answers, *np.array(self._new, np.int32).reshape(-1, 4).T)
        append(self.answer_copies, np.array(self._new_copies, np.int32))
        known = int(self.copy_to.size[0])
        append(self.copy_to, np.array([packet.to - 1 for packet in self.copies[known:]], np.int32))
        self._new.clear()
        self._new_copies.clear()

    def number_of_state(self, state: State) -> int:
        """The number of a model state."""
        number = self._state_numbers.get(state)
        if number is None:
            number = self._state_numbers[state] = len(self.states)
            self.states.append(state)
            if self.judge_facts:
                self._store_facts(self.state_facts, self.calls.facts_of_state(state))
        return number

    def _number_of_copy(self, packet: Packet) -> int:
        number = self._copy_numbers.get(packet)
        if number is None:
            number = self._copy_numbers[packet] = len(self.copies)
            self.copies.append(packet)
            if self.judge_facts:
                self._store_facts(self.copy_facts, self.calls.facts_of_packet(packet))
        return number

    def _store_facts(self, facts: Facts, asserted: Iterable[Fact] | None) -> None:
        number = int(facts.size[0])
        processes, per_process = self.bounds.processes, self.bounds.per_process
        reserve(facts, 1)
        facts.asserted[number] = 0
        facts.strange[number] = 0
        for (sender, count), destination in asserted or ():
            if 1 <= sender <= processes and 1 <= count <= per_process and 1 <= destination <= processes:
                slot = (sender - 1) * per_process + count - 1
                facts.asserted[number, destination - 1, slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
            else:
                facts.strange[number] = 1
        facts.size[0] += 1


def _none() -> Array:
    return np.zeros(0, np.int32)


def _size() -> Array:
    return np.zeros(1, np.int64)
