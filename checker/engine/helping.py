"""Many calls of a model at once: a second process, a copy of this one, takes some of them.

It is started once, when many calls are to be made for the first time. Before each of its turns it is told the model
states and packets that are new here; what it has learnt comes back as numbers and the few that are new there, and is
entered as if it had been learnt here: the numbers of everything are the same as without help.
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
from typing import BinaryIO, NamedTuple

from precede.models import Step

from .answers import Known, ModelAnswers, Part
from .bundles import Array

MANY = 1500
"""So many calls take longer than the start of a process."""
SHARE = 0.43
"""Of the calls, what the second process takes: what it has learnt must also come back."""

Ask = Callable[..., Sequence[Step]]
Interrupted = Callable[[], bool]


class Turn(NamedTuple):
    """What the second process is told: the number of the kind of calls, their arguments, and what is new here."""

    kind: int
    questions: Array
    new: Known


class Helping:
    """Asks a model, with help where there are many questions."""

    def __init__(self, model: ModelAnswers, kinds: Sequence[Ask]) -> None:
        """`kinds` are the ways of asking; each takes the integers of one question."""
        self._model = model
        self._kinds = kinds
        self._helper: Helper | None = None

    def ask_all(self, kind: int, questions: Array, interrupted: Interrupted) -> list[int] | None:
        """The first entries in the model's answers of what a way of asking answers to each row of `questions`; None
        when interrupted."""
        model, ask = self._model, self._kinds[kind]
        helper = self._help(interrupted) if len(questions) >= MANY else None
        if helper is None:
            return answered_in_turn(model, ask, questions, interrupted)
        model.flush()
        middle = len(questions) - round(SHARE * len(questions))
        base = model.sizes
        mine: list[int] | None = None
        part: Part | None = None
        try:
            helper.begin(Turn(kind, questions[middle:], model.known_since(helper.told)))
            helper.told = base
            mine = answered_in_turn(model, ask, questions[:middle], interrupted)
            if mine is not None:
                part = helper.end()
        finally:
            if part is None:
                self._dismiss()
        if mine is None:
            return None
        if part is not None:
            return mine + model.enter(part, base)
        others = answered_in_turn(model, ask, questions[middle:], interrupted)
        return None if others is None else mine + others

    def _help(self, interrupted: Interrupted) -> Helper | None:
        """The second process, which is started if need be; None without a second processor, and where a copy of this
        process could get something wrong: what a user's model does besides answering is not known, and threads are not
        copied."""
        is_known = self._model.calls.loaded.built_in and threading.active_count() == 1
        if self._helper is None and is_known and hasattr(os, "fork") and len(os.sched_getaffinity(0)) > 1:
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
        turns, telling = os.pipe()
        hearing, parts = os.pipe()
        process = os.fork()
        if not process:
            os.close(telling)
            os.close(hearing)
            _serve(model, kinds, interrupted, turns, parts)
        os.close(turns)
        os.close(parts)
        self._telling = os.fdopen(telling, "wb")
        self._hearing = os.fdopen(hearing, "rb")
        self.dismiss = weakref.finalize(self, _dismiss, os.getpid(), process, self._telling, self._hearing)

    def begin(self, turn: Turn) -> None:
        """Let it answer questions; a process that has ended is noticed when its answers are waited for."""
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


def _serve(model: ModelAnswers, kinds: Sequence[Ask], interrupted: Interrupted, turns: int, parts: int) -> None:
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
                values = answered_in_turn(model, kinds[turn.kind], turn.questions, interrupted)
                if values is None:
                    break
                pickle.dump(model.part_since(known, values), telling)
                telling.flush()
    except BaseException:  # whatever it is: the other process is told by the end of its pipe, and makes the call itself
        pass
    finally:
        os._exit(0)


def answered_in_turn(model: ModelAnswers, ask: Ask, questions: Array, interrupted: Interrupted) -> list[int] | None:
    """The first entries of the answers, asked one by one; None when interrupted."""
    values = []
    for question in questions.tolist():
        if interrupted():
            return None
        values.append(model.store(ask(*question)))
    return values
