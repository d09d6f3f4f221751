"""The behaviours of an algorithm: the vectors of causal pasts that its processes reach together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..engine.breadth_first import BreadthFirst
from ..engine.decoding import Decoder
from ..engine.judging import UserJudge
from ..engine.limits import Limits, Watch
from ..engine.space import StateSpace
from ..history import Past
from ..progress import Progress

if TYPE_CHECKING:
    from ..cli.options import Question


@dataclass(frozen=True)
class Behaviours:
    """One vector for each combination of pasts, one past a process, that some global state has. What the processes
    remember, and the packets of the protocol itself, are left out. `stopped` says why not all were found."""

    vectors: frozenset[tuple[Past, ...]]
    stopped: str | None


def behaviours(question: Question, on_progress: Callable[[Progress], None] | None = None) -> Behaviours:
    """Explore all global states of the question. Raises ModelError where the model fails."""
    numbers: set[tuple[int, ...]] = set()
    with Watch(Limits(), on_progress) as watch:
        space = StateSpace(question.calls, question.bounds, question.scenario, judge_facts=False)
        decoder = Decoder(space)
        search = BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, [])
        for level in search.levels():
            for rows in level:
                pasts = space.locals.past[np.asarray(rows)[:, : space.processes]]
                numbers.update(map(tuple, np.unique(pasts, axis=0).tolist()))
        watch.finished = True
        vectors = frozenset(tuple(decoder.past(number) for number in vector) for vector in numbers)
        return Behaviours(vectors, None if search.complete else watch.reason or "interrupted")
