"""Many calls of a model at once: a second process, a copy of this one, takes some of them.

It is started once, when many calls are to be made for the first time. Before each of its turns it is told the model
states and packets that are new here. Both then take blocks of the questions until they meet; this process may do
something else before. What the other has learnt comes back as numbers and the values that are new there, and is entered
as if it had been learnt here: the numbers of everything are the same as without help.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from precede.models import Step

from .answers import Block, Known, ModelAnswers, Part
from .bundles import Array
from .sharing import Sharing

MANY = 700
"""So many calls take longer than the start of a process."""
BLOCK = 64
"""Questions that are taken at a time."""

Ask = Callable[..., Sequence[Step]]
Interrupted = Callable[[], bool]
Meanwhile = Callable[[], None]


class Turn(NamedTuple):
    """What the second process is told: the number of the kind of calls, their arguments, and what is new here."""

    kind: int
    questions: Array
    new: Known


def nothing() -> None:
    """There is nothing else to do."""


class Helping:
    """Asks a model, with help where there are many questions."""

    def __init__(self, model: ModelAnswers, kinds: Sequence[Ask]) -> None:
        """`kinds` are the ways of asking; each takes the integers of one question."""
        self._model = model
        self._kinds = kinds
        self._helper: Helper | None = None

    def ask_all(
        self, kind: int, questions: Array, interrupted: Interrupted, meanwhile: Meanwhile = nothing
    ) -> list[int] | None:
        """The first entries in the model's answers of what a way of asking answers to each row of `questions`; None
        when interrupted. `meanwhile` is done before this process asks; it does not ask the model."""
        model, ask = self._model, self._kinds[kind]
        helper = self._help(len(questions), interrupted)
        if helper is None:
            meanwhile()
            return answered_in_turn(model, ask, questions, interrupted)
        model.flush()
        base = model.sizes
        mine: list[int] | None = None
        part: Part | None = None
        try:
            helper.begin(Turn(kind, questions, model.known_since(helper.told)))
            helper.told = base
            meanwhile()
            mine = self._answered_here(helper.sharing, ask, questions, interrupted)
            if mine is not None:
                part = helper.end()
        finally:
            if part is None:
                self._dismiss()
        if mine is None:
            return None
        theirs = part.blocks if part else []
        first = blocks_of(questions) - len(theirs)
        left = answered_in_turn(model, ask, questions[len(mine) : first * BLOCK], interrupted)
        if left is None or part is None:
            return None if left is None else mine + left
        twice = max(0, blocks_of(mine) - first)  # blocks that both have taken
        return mine + left + model.enter(part._replace(blocks=theirs[twice:]), base)

    def _answered_here(
        self, sharing: Sharing, ask: Ask, questions: Array, interrupted: Interrupted
    ) -> list[int] | None:
        """The answers to the questions of the blocks that this process takes."""
        values: list[int] = []
        for block in range(blocks_of(questions)):
            if not sharing.take_first(block):
                break
            answers = answered_in_turn(self._model, ask, questions_of(block, questions), interrupted)
            if answers is None:
                return None
            values += answers
        return values

    def _help(self, count: int, interrupted: Interrupted) -> Helper | None:
        """The second process, which is started if so many calls are worth it; None where they are not, without a second
        processor, and where a copy of this process could get something wrong: what a user's model does besides
        answering is not known, and threads are not copied."""
        if self._helper is not None:
            return self._helper if count > BLOCK else None
        is_known = self._model.calls.loaded.built_in and threading.active_count() == 1
        if count >= MANY and is_known and hasattr(os, "fork") and len(os.sched_getaffinity(0)) > 1:
            self._helper = Helper(self._model, self._kinds, interrupted)
        return self._helper

    def _dismiss(self) -> None:
        if self._helper is not None:
            self._helper.dismiss()
            self._helper = None


class Helper:
    """The second process, as it is seen here. It ends with this object."""

    def __init__(self, model: ModelAnswers, kinds: Sequence[Ask], interrupted: Interrupted) -> None:
        model.flush()
        self.told = model.sizes
        """How much it has been told, or knew when it was started."""
        self.sharing = Sharing()
        turns, telling = os.pipe()
        hearing, parts = os.pipe()
        process = os.fork()
        if not process:
            os.close(telling)
            os.close(hearing)
            _serve(model, kinds, interrupted, turns, parts, self.sharing)
        os.close(turns)
        os.close(parts)
        self._telling = os.fdopen(telling, "wb")
        self._hearing = os.fdopen(hearing, "rb")
        self.dismiss = weakref.finalize(self, _dismiss, os.getpid(), process, self._telling, self._hearing)

    def begin(self, turn: Turn) -> None:
        """Let it answer questions; a process that has ended is noticed when its answers are waited for."""
        self.sharing.begin(blocks_of(turn.questions))
        with suppress(BrokenPipeError):
            pickle.dump(turn, self._telling)
            self._telling.flush()

    def end(self) -> Part | None:
        """What it has learnt; None where a call failed, which then fails here too, with all that there is to say."""
        try:
            part: Part | None = pickle.load(self._hearing)  # a copy of this process wrote it
        except EOFError:
            return None
        return part


def _dismiss(owner: int, process: int, *pipes: BinaryIO) -> None:
    if os.getpid() != owner:  # a later copy of the owner has this object too
        return
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    for pipe in pipes:
        with suppress(BrokenPipeError):  # of what was not yet told
            pipe.close()


def _serve(
    model: ModelAnswers, kinds: Sequence[Ask], interrupted: Interrupted, turns: int, parts: int, sharing: Sharing
) -> None:
    """Take turns until the other process closes its pipe or ends, or a call fails. Never returns."""
    try:
        gc.disable()  # a collection would copy all memory
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process stops this one
        model.judge_facts = False
        known = model.sizes
        with os.fdopen(turns, "rb") as told, os.fdopen(parts, "wb") as telling:
            while True:
                turn: Turn = pickle.load(told)
                model.put_since(known, turn.new)
                known = model.sizes
                model.calls.forget_marks()
                blocks: list[Block] = []
                for block in reversed(range(blocks_of(turn.questions))):
                    if not sharing.take_last(block):
                        break
                    questions = questions_of(block, turn.questions)
                    values = answered_in_turn(model, kinds[turn.kind], questions, interrupted)
                    if values is None:
                        return
                    blocks.append(model.block_of(values))
                pickle.dump(model.part_since(known, blocks[::-1]), telling)
                telling.flush()
    except BaseException:  # whatever it is: the other process is told by the end of its pipe, and makes the call itself
        pass
    finally:
        os._exit(0)


def blocks_of(questions: Sequence[Any] | Array) -> int:
    """How many blocks these questions, or answers, are."""
    return -(-len(questions) // BLOCK)


def questions_of(block: int, questions: Array) -> Array:
    """The questions of one block."""
    return questions[block * BLOCK : (block + 1) * BLOCK]


def answered_in_turn(model: ModelAnswers, ask: Ask, questions: Array, interrupted: Interrupted) -> list[int] | None:
    """The first entries of the answers, asked one by one; None when interrupted."""
    values = []
    for question in questions.tolist():
        if interrupted():
            return None
        values.append(model.store(ask(*question)))
    return values
