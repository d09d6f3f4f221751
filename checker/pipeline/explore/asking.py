"""The model is asked inside Arrow batches where there is much to ask, and by the driver where there is little.

A question is a model state and what happens there (a message to be sent, a packet or a signal that arrives); the answer
is the model's steps. Workers load the model as the driver did, hold its answers against the same contract, and count
its labelled statements, so that it does not show who asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from precede.models import Message, Packet, Step
from precede.models.catalog import CATALOG

from ...bounds import Bounds
from ...calls import ModelCalls
from ...engine.asking import put_receive_answers, put_send_answers, unanswered_receives, unanswered_sends
from ...engine.bundles import Array, reserve_map
from ...engine.space import StateSpace
from ...errors import ModelError
from ...loading import load_model
from .wire import Unsendable, Wire

if TYPE_CHECKING:
    from .jobs import Jobs

MANY = 10_000
"""Questions that are worth being sent to workers."""

QUESTIONS = "number int, kind string, state string, event string"
ANSWERS = "number int, what string, text string"

Question = tuple[str, Any, Any]
"""The method (send, receive, signal), the model state, the message, packet or signal."""

Steps = tuple[Step, ...]


class Asked(NamedTuple):
    """How a worker comes to the model: its name, readings such as KS-2b, parameters as text, and the bounds."""

    name: str
    readings: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    bounds: Bounds


class AskingSpace(StateSpace):
    """A state space that lets workers ask the model, once it has jobs."""

    jobs: Jobs | None = None
    many = MANY
    sent = 0
    """Questions that workers have answered."""

    def _ask_receives(self, pairs: Array, count: int, interrupted: Callable[[], bool]) -> bool:
        wanted = np.zeros((count, 2), np.int32)
        self.receive_answers = reserve_map(self.receive_answers, count)
        found = unanswered_receives(pairs, count, self.locals, self.packets, self.receive_answers, wanted)
        questions: list[Question] = []
        for model, copy in wanted[:found].tolist():
            event = self.model.copies[copy]
            questions.append(("receive" if isinstance(event, Packet) else "signal", self.model.states[model], event))
        values = self._answers(questions, interrupted)
        if values is not None:
            put_receive_answers(self.receive_answers, wanted[:found], values)
        return values is not None

    def _ask_sends(self, locals_: Array, count: int, interrupted: Callable[[], bool]) -> bool:
        wanted = np.zeros((count * self.choices.shape[1], 4), np.int32)
        self.send_answers = reserve_map(self.send_answers, len(wanted))
        found = unanswered_sends(locals_, count, self.locals, self.pasts, self.choices, self.send_answers, wanted)
        questions: list[Question] = []
        for model, owner, number, choice in wanted[:found].tolist():
            message = Message(owner + 1, number, self.sets[self.choices[owner, choice]])
            questions.append(("send", self.model.states[model], message))
        values = self._answers(questions, interrupted)
        if values is not None:
            put_send_answers(self.send_answers, wanted[:found], values, self.choices)
        return values is not None

    def _answers(self, questions: list[Question], interrupted: Callable[[], bool]) -> Array | None:
        """The numbers of the answers; None when interrupted."""
        answers: list[Steps] | None = None
        if self.jobs is not None and len(questions) >= self.many:
            answers = answers_of_workers(self.calls, questions, self.jobs)
            if interrupted():
                return None
            self.sent += len(questions) if answers is not None else 0
        values: list[int] = []
        for number, (kind, state, event) in enumerate(questions):
            if interrupted():
                return None
            steps = getattr(self.calls, kind)(state, event) if answers is None else answers[number]
            values.append(self.model.store(steps))
        self.model.flush()
        return np.array(values, np.int32)


def answers_of_workers(calls: ModelCalls, questions: list[Question], jobs: Jobs) -> list[Steps] | None:
    """What the model answers, asked inside Arrow batches; None where its values cannot be sent, or when stopped.

    Raises ModelError for the first question at which the model fails.
    """
    if calls.loaded.name.partition("@")[0] not in CATALOG and ":" not in calls.loaded.name:
        return None
    wire = Wire(calls.model)
    try:
        settings = tuple((name, wire.write(value)) for name, value in sorted(calls.loaded.settings.items()))
        kinds, states, events = zip(*questions, strict=True)
        texts = [list(map(wire.write, states)), list(map(wire.write, events))]
    except Unsendable:
        return None
    readings = tuple(f"{id}{letter}" for id, letter in calls.loaded.readings.items())
    asked = Asked(calls.loaded.name, readings, settings, calls.bounds)
    numbers = pa.array(np.arange(len(questions), dtype=np.int32))
    table = pa.table([numbers, pa.array(kinds), *map(pa.array, texts)], names=["number", "kind", "state", "event"])
    found = jobs.collect(jobs.session.createDataFrame(table, QUESTIONS).mapInArrow(answering(asked), ANSWERS))
    if found is None:
        return None
    return read_answers(calls, wire, found, len(questions))


def read_answers(calls: ModelCalls, wire: Wire, found: pa.Table, count: int) -> list[Steps] | None:
    """The answers in the order of the questions; what workers counted is added to what `calls` has counted."""
    answers: list[Steps] = [()] * count
    failed: list[tuple[int, str]] = []
    known: dict[str, Steps] = {}
    for number, what, text in zip(*(found.column(c).to_pylist() for c in range(3)), strict=True):
        if what == "marks":
            left = bytes.fromhex(text)
            calls._left[left] = calls._left.get(left, 0) + number
        elif what == "steps":
            if text not in known:
                known[text] = wire.read(text)
            answers[number] = known[text]
        elif what == "unsendable":
            return None
        else:
            failed.append((number, text))
    if failed:
        raise ModelError(min(failed)[1])
    return answers


def answering(asked: Asked) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Ask the model every question of the batches, as rows of `ANSWERS`: steps, failures, and at the end the marks that
    labelled statements left, with how many calls left them."""

    def answer_part(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        calls = calls_of(asked)
        wire = Wire(calls.model)
        for batch in batches:
            rows = [answer(calls, wire, *row.values()) for row in batch.to_pylist()]
            yield batch_of(rows)
        yield batch_of([(count, "marks", left.hex()) for left, count in calls._left.items()])

    return answer_part


def answer(calls: ModelCalls, wire: Wire, number: int, kind: str, state: str, event: str) -> tuple[int, str, str]:
    """One row of `ANSWERS`."""
    try:
        return number, "steps", wire.write(tuple(getattr(calls, kind)(wire.read(state), wire.read(event))))
    except ModelError as error:
        return number, "failed", str(error)
    except Unsendable as error:
        return number, "unsendable", str(error)


def batch_of(rows: list[tuple[int, str, str]]) -> pa.RecordBatch:
    """Rows of `ANSWERS` as a batch."""
    numbers, whats, texts = zip(*rows, strict=True) if rows else ((), (), ())
    columns = [pa.array(numbers, pa.int32()), pa.array(whats, pa.string()), pa.array(texts, pa.string())]
    return pa.RecordBatch.from_arrays(columns, names=["number", "what", "text"])


def calls_of(asked: Asked) -> ModelCalls:
    """The model as the driver has it, with no call counted yet."""
    loaded = load_model(asked.name, asked.readings)
    wire = Wire(loaded.model)
    settings = {name: wire.read(text) for name, text in asked.settings}
    if settings:
        loaded = replace(loaded, model=replace(loaded.model, **settings), settings=settings)  # type: ignore[type-var]
    return ModelCalls(loaded, asked.bounds)
