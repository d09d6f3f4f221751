"""Shortest runs to states of a finished level: which row of the level before leads there, again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ...errors import EnvironmentProblem
from .worker import PREDECESSORS, predecessors

Name = tuple[int, int]


def paths_to(
    wanted: set[tuple[Name, int]], collect: Callable[[int, Any, str], pa.Table | None]
) -> dict[tuple[Name, int], list[int]]:
    """The actions from the initial state to each wanted state, given by its name and its level. `collect` gives the
    answer of a task of `worker` about a level.

    Of several predecessors the one of the smallest name is taken, so that the run is alike with any number of workers.
    Levels are read one after the other, from the last one back.
    """
    here = {goal: goal[0] for goal in wanted}
    actions: dict[tuple[Name, int], list[int]] = {goal: [] for goal in wanted}
    for number in range(max((level for _, level in wanted), default=0), 0, -1):
        goals = [goal for goal in sorted(wanted) if goal[1] >= number]
        targets = np.array([here[goal] for goal in goals], np.int64).view(np.uint64)
        found = collect(number - 1, lambda level, targets=targets: predecessors(level, targets), PREDECESSORS)
        if found is None:
            raise EnvironmentProblem("interrupted while the counterexample was put together; run the command again")
        rows = [found.column(name).to_numpy() for name in ("target", "high", "low", "action")]
        lanes = (rows[1].view(np.uint64), rows[2].view(np.uint64))
        order = np.lexsort((rows[3], lanes[1], lanes[0], rows[0]))
        _, firsts = np.unique(rows[0][order], return_index=True)
        if len(firsts) != len(goals):
            raise EnvironmentProblem("a state has no predecessor: the folder was changed or damaged")
        for goal, place in zip(goals, order[firsts].tolist(), strict=True):
            here[goal] = int(rows[1][place]), int(rows[2][place])
            actions[goal].insert(0, int(rows[3][place]))
    return actions
