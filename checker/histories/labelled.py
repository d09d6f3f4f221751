"""Which labelled steps of a model are taken in runs: a call that the closure made may be in none.

First come runs drawn at random; then, for a mark that they do not leave, all runs of the sends known where a call of
the closure left it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from random import Random

import numpy as np

from ..calls import ModelCalls
from ..engine.bundles import Array
from ..engine.limits import Watch
from ..result import LabelCount
from ..run import Run
from .closure import Closure
from .confirming import search_all
from .tables import Script

DRAWN = 40
"""Random runs in which marks are looked for."""

TRIED = 24
"""Sets of sends whose runs are searched for marks that random runs do not leave."""

ALIKE = 3
"""Local states, and packets, that are taken for one call."""


def confirmed_labels(closure: Closure, watch: Watch) -> tuple[tuple[LabelCount, ...], list[str]]:
    """The labels in the calls that a closure made, and the names of those with a mark that no run was found to leave:
    such a mark counts as not left."""
    calls = closure.space.calls
    left = dict(calls.marks)
    met = marks_in(left)
    with calls.marks_apart():
        for number in range(DRAWN):
            if met <= marks_in(calls.marks) or watch.interrupted():
                break
            take_random_run(calls, Random(number))
        for script in _scripts(closure, met):
            search_all(calls, script, watch)
        real = marks_in(calls.marks)
    confirmed: dict[bytes, int] = {}
    for marks, count in left.items():
        kept = bytes(mark if place in real else 0 for place, mark in enumerate(marks))
        confirmed[kept] = confirmed.get(kept, 0) + count
    labels, apparent = calls.labels(confirmed) or (), calls.labels(left) or ()
    return labels, [label.label for label, other in zip(labels, apparent, strict=True) if label != other]


def marks_in(left: Iterable[bytes]) -> set[int]:
    """The places of all marks that calls left."""
    return {place for marks in left for place, mark in enumerate(marks) if mark}


def take_random_run(calls: ModelCalls, choose: Random) -> None:
    """One run, each step drawn from those that are possible."""
    run = Run(calls, calls.bounds)
    while events := run.enabled():
        run.take(choose.choice(events))


def _scripts(closure: Closure, met: set[int]) -> Iterator[Script]:
    """Sends whose runs may leave marks that no run was found to leave so far."""
    calls = closure.space.calls
    tried: set[Script] = set()

    def missing() -> set[int]:
        return met - marks_in(calls.marks) if len(tried) < TRIED else set()

    for local, packet in _calls_with(closure, missing):
        script = closure.script_with(local, packet)
        if script not in tried:
            tried.add(script)
            yield script
        if not missing():
            return


def _calls_with(closure: Closure, wanted: Callable[[], set[int]]) -> Iterator[tuple[int, int]]:
    """Calls of the closure that leave marks wanted, which are made again: the local state and packet of a receipt, and
    the local state after a send with packet 0."""
    space = closure.space
    if not wanted():
        return
    keys = space.receive_answers.keys
    for key in keys[keys != 0].tolist():
        state, copy = (key >> 32) - 1, key & 0xFFFFFFFF
        with space.calls.marks_apart():
            space.answer_to_copy(state, copy)
            marks = marks_in(space.calls.marks)
        if marks & wanted():
            packets = _places(space.packets.copy, space.packets.size, copy)
            yield from product(_places(space.locals.model, space.locals.size, state), packets)
    for local in np.flatnonzero(space.locals.sends[: int(space.locals.size[0])] >= 0).tolist():
        process = int(space.pasts.owner[space.locals.past[local]])
        for choice, dests in enumerate(space.choices[process].tolist()):
            step = int(space.send_steps.items[space.locals.sends[local] + choice]) if dests >= 0 else -1
            if step < 0:
                continue
            number = int(space.locals.sent[local] - space.locals.earlier[local]) + 1
            with space.calls.marks_apart():
                space.answer_to_message(int(space.locals.model[local]), process, number, choice)
                marks = marks_in(space.calls.marks)
            if marks & wanted():
                yield int(space.steps.next[step]), 0


def _places(column: Array, size: Array, value: int) -> list[int]:
    places: list[int] = np.flatnonzero(column[: int(size[0])] == value)[:ALIKE].tolist()
    return places
