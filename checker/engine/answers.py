"""What the model answered: its states and copies by number, and the alternatives of every call, as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from precede.models import Fact, Joint, Message, Packet, Signal, State, Step

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ModelError
from .bundles import Answers, Array, Facts, Messages, Pool, append, reserve
from .completing import Copies
from .expanding import ALTERNATIVES

Value = TypeVar("Value", bound=Hashable)

COLUMNS = len(Answers._fields) - 1
"""Numbers of one alternative in `Answers`."""

CRASHED = "crashed"
"""The model state of a process that is down; its number is `bundles.DOWN`."""


class Sizes(NamedTuple):
    """How many there were of each at some time."""

    states: int
    copies: int
    messages: int
    answers: int
    copied: int
    delivered: int


class Known(NamedTuple):
    """Model states, copies and messages in the order of their numbers, from some number of each on."""

    states: list[State]
    copies: list[Packet | Signal]
    messages: list[Message]


class Block(NamedTuple):
    """What a copy of the process has learnt from some questions, one after the other: its answers and the first of each
    question, all entries counted from 0, and the marks of the calls."""

    answers: Array  # (COLUMNS): the columns of `Answers`
    copied: Array
    delivered: Array
    values: Array
    marks: dict[bytes, int]


class Part(NamedTuple):
    """What a copy of the process has learnt: what is new, how much its answers hold at most, and the answers."""

    new: Known
    most: tuple[int, int, int]
    blocks: list[Block]


class ModelAnswers:
    """Everything that was learnt from the model. Arrays are up to date after `flush`."""

    def __init__(
        self, calls: ModelCalls, bounds: Bounds, sets: Sequence[frozenset[int]], words: int, judge_facts: bool
    ) -> None:
        """`sets` are the destination sets by number."""
        self.calls = calls
        self.bounds = bounds
        self.judge_facts = judge_facts
        self.states: list[State] = [CRASHED]
        self.copies: list[Packet | Signal] = []
        self.messages: list[Message] = []
        self.most_alternatives = 1
        self.most_delivered = 1
        self.most_transmitted = 1
        self._state_numbers: dict[State, int] = {}
        self._copy_numbers: dict[Packet | Signal, int] = {}
        self._message_numbers: dict[Message, int] = {}
        self._set_numbers = {dests: number for number, dests in enumerate(sets)}
        self.answers = Answers(_none(), _none(), _none(), _none(), _none(), _none(), _none(), _size())
        self.copied = Pool(_none(), _size())
        self.delivered = Pool(_none(), _size())
        self.copy_table = Copies(_none(), _none(), _none(), _size())
        self.message_table = Messages(_none(), _none(), _none(), _size())
        masks = (0, bounds.processes, words)
        self.state_facts = Facts(np.zeros(masks, np.uint64), np.zeros(0, np.uint8), _size())
        self.copy_facts = Facts(np.zeros(masks, np.uint64), np.zeros(0, np.uint8), _size())
        self._store_facts(self.state_facts, ())
        self._flushed: tuple[int, ...] = (0, 0, 0)
        self._new = array("i")
        self._new_copied: list[int] = []
        self._new_delivered: list[int] = []

    def store(self, alternatives: Sequence[Step]) -> int:
        """Keep one answer; returns its first entry in `answers`, -1 when there is no step."""
        if not alternatives:
            return -1
        if len(alternatives) > self.most_alternatives:
            self._count_alternatives(len(alternatives))
        first, copied, delivered = self._flushed
        first += len(self._new) // COLUMNS
        last = alternatives[-1]
        for step in alternatives:
            state, packets, messages, depends, _ = step
            self._new.extend(
                (
                    self.number_of_state(state),
                    0 if step is last else 1,
                    -1 if depends is None else depends,
                    copied + len(self._new_copied),
                    len(packets),
                    delivered + len(self._new_delivered),
                    len(messages),
                )
            )
            if packets:
                self.most_transmitted = max(self.most_transmitted, len(packets))
                self._new_copied += map(self._number_of_copy, packets)
            if messages:
                self.most_delivered = max(self.most_delivered, len(messages))
                self._new_delivered += map(self._number_of_message, messages)
        return first

    def store_joint(self, alternatives: Sequence[Joint]) -> list[list[int]]:
        """The model states of each alternative by number."""
        self._count_alternatives(len(alternatives))
        return [[self.number_of_state(state) for state in joint.states] for joint in alternatives]

    def _count_alternatives(self, count: int) -> None:
        if count > ALTERNATIVES:
            raise ModelError(f"{self.calls.loaded.name}: more than {ALTERNATIVES} alternatives in one step")
        self.most_alternatives = max(self.most_alternatives, count)

    def flush(self) -> None:
        """Bring the arrays up to date."""
        append(self.answers, *np.array(self._new, np.int32).reshape(-1, COLUMNS).T)
        append(self.copied, np.array(self._new_copied, np.int32))
        append(self.delivered, np.array(self._new_delivered, np.int32))
        self._forget_new()
        self._flushed = tuple(int(table.size[0]) for table in (self.answers, self.copied, self.delivered))
        new = self.copies[int(self.copy_table.size[0]) :]
        carried = [self._number_of_message(c.message) if isinstance(c, Packet) else -1 for c in new]
        append(self.copy_table, _ints([c.sender - 1 for c in new]), _ints([c.to - 1 for c in new]), _ints(carried))
        named = self.messages[int(self.message_table.size[0]) :]
        dests = _ints([self._set_numbers.get(m.dests, -1) for m in named])
        append(self.message_table, _ints([m.sender - 1 for m in named]), _ints([m.number for m in named]), dests)

    @property
    def sizes(self) -> Sizes:
        """How much is known, once all is flushed."""
        return Sizes(
            len(self.states), len(self.copies), len(self.messages), int(self.answers.size[0]),
            int(self.copied.size[0]), int(self.delivered.size[0]),
        )  # fmt: skip

    def known_since(self, base: Sizes) -> Known:
        """What has got a number since there was so much."""
        return Known(self.states[base.states :], self.copies[base.copies :], self.messages[base.messages :])

    def put_since(self, base: Sizes, known: Known) -> None:
        """Give these their numbers, in place of what has got one since there was so much."""
        _forget(self.states, self._state_numbers, base.states)
        _forget(self.copies, self._copy_numbers, base.copies)
        _forget(self.messages, self._message_numbers, base.messages)
        for state in known.states:
            self.number_of_state(state)
        for copy in known.copies:
            self._number_of_copy(copy)
        for message in known.messages:
            self._number_of_message(message)

    def block_of(self, values: list[int]) -> Block:
        """What was learnt since the last block; of it only the numbers stay, until `put_since` replaces them. `values`
        are the first entries of the answers."""
        first, copied, delivered = self._flushed
        answers = np.array(self._new, np.int32).reshape(-1, COLUMNS)
        answers[:, 3] -= copied
        answers[:, 5] -= delivered
        entries = _ints([value - first if value >= 0 else value for value in values])
        block = Block(answers, _ints(self._new_copied), _ints(self._new_delivered), entries, self.calls.marks)
        self._forget_new()
        self.calls.forget_marks()
        return block

    def _forget_new(self) -> None:
        self._new = array("i")
        self._new_copied.clear()
        self._new_delivered.clear()

    def part_since(self, base: Sizes, blocks: list[Block]) -> Part:
        """What was learnt since there was so much, in these blocks."""
        most = (self.most_alternatives, self.most_delivered, self.most_transmitted)
        return Part(self.known_since(base), most, blocks)

    def enter(self, part: Part, base: Sizes) -> list[int]:
        """Enter what a copy of this process has learnt since there was so much; returns the first entries of its
        answers, as they are here. What is new gets its number where it is first met."""
        self.flush()
        now = self.sizes
        answers, copied, delivered, values = _joined(part.blocks)
        answers[:, 0] = _numbered(answers[:, 0], base.states, part.new.states, self.number_of_state)
        answers[:, 3] += now.copied
        answers[:, 5] += now.delivered
        append(self.answers, *answers.T)
        append(self.copied, _numbered(copied, base.copies, part.new.copies, self._number_of_copy))
        append(self.delivered, _numbered(delivered, base.messages, part.new.messages, self._number_of_message))
        self.flush()
        most = (self.most_alternatives, self.most_delivered, self.most_transmitted)
        self.most_alternatives, self.most_delivered, self.most_transmitted = map(max, most, part.most)
        for block in part.blocks:
            self.calls.add_marks(block.marks)
        return [value + now.answers if value >= 0 else value for value in values.tolist()]

    def number_of_state(self, state: State) -> int:
        """The number of a model state."""
        number = self._state_numbers.get(state)
        if number is None:
            number = self._state_numbers[state] = len(self.states)
            self.states.append(state)
            if self.judge_facts:
                self._store_facts(self.state_facts, self.calls.facts_of_state(state))
        return number

    def _number_of_copy(self, packet: Packet | Signal) -> int:
        number = self._copy_numbers.get(packet)
        if number is None:
            number = self._copy_numbers[packet] = len(self.copies)
            self.copies.append(packet)
            if self.judge_facts:
                facts = self.calls.facts_of_packet(packet) if isinstance(packet, Packet) else ()
                self._store_facts(self.copy_facts, facts)
        return number

    def _number_of_message(self, message: Message) -> int:
        number = self._message_numbers.get(message)
        if number is None:
            number = self._message_numbers[message] = len(self.messages)
            self.messages.append(message)
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


def _forget(values: list[Value], numbers: dict[Value, int], begin: int) -> None:
    """Take the numbers from `begin` on away again."""
    for value in values[begin:]:
        del numbers[value]
    del values[begin:]


def _joined(blocks: list[Block]) -> tuple[Array, Array, Array, Array]:
    """The answers, copies, messages and first entries of all blocks, as if they were one."""
    none = Block(np.zeros((0, COLUMNS), np.int32), _none(), _none(), _none(), {})
    answers, copied, delivered, values = [none.answers], [none.copied], [none.delivered], [none.values]
    entries = first_copied = first_delivered = 0
    for block in blocks:
        answers.append(block.answers + _ints([0, 0, 0, first_copied, 0, first_delivered, 0]))
        copied.append(block.copied)
        delivered.append(block.delivered)
        values.append(np.where(block.values >= 0, block.values + entries, block.values))
        entries += len(block.answers)
        first_copied += len(block.copied)
        first_delivered += len(block.delivered)
    return np.concatenate(answers), np.concatenate(copied), np.concatenate(delivered), np.concatenate(values)


def _numbered(numbers: Array, known: int, new: Sequence[Value], number_of: Callable[[Value], int]) -> Array:
    """Numbers as they are here; a copy of this process counts what is `new` there on from those known."""
    met, places = np.unique(numbers, return_index=True)
    in_turn = met[np.argsort(places)]
    here = np.arange(known + len(new), dtype=np.int32)
    for number in in_turn[in_turn >= known].tolist():
        here[number] = number_of(new[number - known])
    return here[numbers]


def _none() -> Array:
    return np.zeros(0, np.int32)


def _ints(values: list[int]) -> Array:
    return np.array(values, np.int32)


def _size() -> Array:
    return np.zeros(1, np.int64)
