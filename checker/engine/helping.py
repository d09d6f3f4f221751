"""Many calls of a model at once: a second process, a copy of this one, takes some of them.

What it has learnt comes back as numbers and the few model states that are new, and is entered as if it had been learnt
here: the numbers of everything are the same as without help.
"""

from __future__ import annotations

import gc
import os
import pickle
import threading
from collections.abc import Callable, Sequence

from precede.models import Step

from .answers import ModelAnswers, Part

MANY = 1500
"""So many calls take longer than the start of a process."""
SHARE = 0.43
"""Of the calls, what the second process takes: what it has learnt must also come back."""

Question = tuple[int, ...]
Ask = Callable[..., Sequence[Step]]


def ask_all(
    model: ModelAnswers, ask: Ask, questions: Sequence[Question], interrupted: Callable[[], bool]
) -> list[int] | None:
    """The first entries in `model.answers` of what `ask` answers to each question; None when interrupted."""
    if len(questions) < MANY or not _can_help(model):
        return _in_turn(model, ask, questions, interrupted)
    model.flush()
    middle = len(questions) - round(SHARE * len(questions))
    base = model.sizes
    helper, pipe = _start(model, ask, questions[middle:], interrupted)
    mine: list[int] | None = None
    try:
        mine = _in_turn(model, ask, questions[:middle], interrupted)
    finally:
        if mine is None:
            os.kill(helper, 9)
        with os.fdopen(pipe, "rb") as stream:
            received = stream.read()
        os.waitpid(helper, 0)
    if mine is None:
        return None
    if received:  # a copy of this process wrote it
        return mine + model.enter(pickle.loads(received), base)
    others = _in_turn(model, ask, questions[middle:], interrupted)
    return None if others is None else mine + others


def _can_help(model: ModelAnswers) -> bool:
    """Whether there is a second processor, and nothing that a copy of this process could get wrong: what a user's
    model does besides answering is not known, and threads are not copied."""
    is_known = model.calls.loaded.built_in and threading.active_count() == 1
    return is_known and hasattr(os, "fork") and len(os.sched_getaffinity(0)) > 1


def _in_turn(
    model: ModelAnswers, ask: Ask, questions: Sequence[Question], interrupted: Callable[[], bool]
) -> list[int] | None:
    values = []
    for question in questions:
        if interrupted():
            return None
        values.append(model.store(ask(*question)))
    return values


def _start(
    model: ModelAnswers, ask: Ask, questions: Sequence[Question], interrupted: Callable[[], bool]
) -> tuple[int, int]:
    """A copy of this process that answers, writes what it has learnt into a pipe and ends; its number and the pipe.
    It writes nothing where a call fails, which then fails here too, with all that there is to say."""
    reading, writing = os.pipe()
    helper = os.fork()
    if helper:
        os.close(writing)
        return helper, reading
    try:
        gc.disable()  # a collection would copy all memory
        part = _part(model, ask, questions, interrupted)
        with os.fdopen(writing, "wb") as stream:
            stream.write(b"" if part is None else pickle.dumps(part))
    finally:
        os._exit(0)


def _part(model: ModelAnswers, ask: Ask, questions: Sequence[Question], interrupted: Callable[[], bool]) -> Part | None:
    """What is learnt from some questions."""
    base = model.sizes
    model.judge_facts = False
    model.calls.forget_marks()
    values = _in_turn(model, ask, questions, interrupted)
    return None if values is None else model.part_since(base, values)
