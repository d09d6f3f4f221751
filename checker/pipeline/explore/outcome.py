"""One exploration on Spark from the question to the result."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...bounds import Bounds
from ...calls import ModelCalls
from ...engine.compiled import compilation_notes
from ...engine.cycles import find_lasso
from ...engine.decoding import Decoder
from ...engine.entering import half_of, refill_rows
from ...engine.explore import MINIMALITY_NEEDS_FACTS, judged_result, never_delivered
from ...engine.judging import UserJudge, bits_of
from ...engine.limits import BrokenOff, Limits, Watch
from ...engine.memory import peak_memory
from ...errors import ModelError
from ...properties import UserProperty
from ...result import PropertyResult, Result
from ...scenario import Scenario
from ...trace.values import encode
from ..session import LOCAL, spark_session
from .asking import AskingSpace
from .findings import read_states
from .folder import Folder
from .jobs import SETTINGS, Jobs
from .names import collision_probability, names_of_rows
from .rows import lay_out
from .search import FEW, SparkSearch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST_IN_CYCLES = 5_000_000
"""States among which fair cycles are searched, which the driver does in its own memory."""

NOT_SEARCHED = f"fair cycles are searched among {MOST_IN_CYCLES:,} states at most"
"""Why Delivery is not decided where the state graph may have cycles."""


def question_of(
    calls: ModelCalls,
    bounds: Bounds,
    properties: tuple[str | UserProperty, ...],
    scenario: Scenario | None,
    to_the_end: bool,
) -> dict[str, Any]:
    """What an exploration is asked, as it is kept in its folder."""
    return {
        "model": calls.loaded.name,
        "readings": calls.loaded.readings,
        "settings": {name: encode(value) for name, value in sorted(calls.loaded.settings.items())},
        "bounds": bounds.as_json(),
        "scenario": scenario.text if scenario else None,
        "properties": [p if isinstance(p, str) else p.name for p in properties],
        "to_the_end": to_the_end,
    }


def explore_on_spark(
    calls: ModelCalls,
    bounds: Bounds,
    properties: tuple[str | UserProperty, ...],
    out: Path,
    *,
    master: str = LOCAL,
    memory: int = 2 * 2**30,
    limits: Limits | None = None,
    scenario: Scenario | None = None,
    to_the_end: bool = False,
    few: int = FEW,
    start: Callable[[], AbstractContextManager[SparkSession]] | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Result:
    """Explore every run of the model within the bounds, level by level into the folder `out`, and judge the properties.

    What is in the folder already is taken over. `memory` is that of each executor, in bytes. The search ends when every
    property is decided, unless `to_the_end`. Raises what `engine.explore` raises, UsageError for a folder of another
    question, EnvironmentProblem where Spark or the folder fails. Levels of at most `few` states are looked up by the
    driver alone. `start` gives another session than one of its own.
    """
    judged = tuple(p for p in properties if p != "Minimality" or calls.has_facts())
    bits = bits_of(judged)
    notes = compilation_notes()
    folder = Folder(out)
    try:
        marks = folder.open(question_of(calls, bounds, properties, scenario, to_the_end))
        with ExitStack() as opened, Watch(limits or Limits(), None) as watch:
            try:
                space = AskingSpace(calls, bounds, scenario, judge_facts="Minimality" in judged)
                decoder = Decoder(space)
                wanted = [] if to_the_end else list(bits.values())
                run = SparkSearch(space, decoder, UserJudge(decoder, judged), watch, wanted, folder, bits, few)
                run.tell = on_progress
                begin = start or (lambda: spark_session("explore", master, memory, SETTINGS))
                jobs = Jobs(lambda: opened.enter_context(begin()), watch, run.tick)
                run.judge_initial_state()
                run.restore(marks)
                space.jobs = jobs
                run.run_on(jobs)
            except BrokenOff:
                raise ModelError(f"{calls.loaded.name}: a call does not return") from None
            lasso = None
            remark = ""
            watch.finished = True
            if run.complete and "Delivery" in bits and bits["Delivery"] not in run.hits and not space.graded:
                if run.states <= MOST_IN_CYCLES:
                    lasso = lasso_of(run)
                else:
                    remark = NOT_SEARCHED
            run.find_paths()
            results = [
                judged_result(run, name, bits[name])
                if name in bits
                else PropertyResult(name, "not applicable", note=MINIMALITY_NEEDS_FACTS)
                for name in (p if isinstance(p, str) else p.name for p in properties)
            ]
    finally:
        folder.close()
    if lasso is not None:
        results = [never_delivered(run, *lasso) if p.name == "Delivery" else p for p in results]
    if remark:
        results = [
            PropertyResult("Delivery", "incomplete", note=remark) if p.name == "Delivery" else p for p in results
        ]
    stopped = None if run.complete else watch.reason or "every requested property is decided"
    return Result(
        engine="spark",
        search="bfs",
        model=calls.loaded.name,
        readings=calls.loaded.readings,
        bounds=bounds,
        complete=run.complete,
        stopped=stopped,
        properties=tuple(results),
        distinct_states=run.states,
        transitions=run.transitions,
        depth=run.depth,
        local_states=int(np.count_nonzero(space.locals.reached[: space.locals.size[0]])),
        packets=int(np.count_nonzero(space.packets.reached[: space.packets.size[0]])),
        seconds=watch.seconds,
        peak_memory_bytes=peak_memory(),
        labels=calls.labels(),
        shortest=True,
        scenario=scenario.name if scenario else None,
        notes=(*notes, *run_notes(run)),
    )


def run_notes(run: SparkSearch) -> tuple[str, ...]:
    """What a reader of the result should know about how it came about."""
    chance = collision_probability(run.states)
    notes: tuple[str, ...] = (
        f"states are told apart by 128-bit names: two of them have the same with a probability below {chance:.1g}",
        "peak memory is that of the driver's Python process",
    )
    if run.resumed_from is not None:
        notes += (f"resumed at level {run.resumed_from}; the seconds are those since then",)
    return notes


def lasso_of(run: SparkSearch) -> tuple[list[int], list[int]] | None:
    """The actions that lead to a fair cycle without delivery, and those of the cycle; None without one."""
    space, head = run.space, run.space.system.head
    halves = [run.new_rows(run.states), run.new_rows(run.states)]
    levels: list[list[int]] = [[], []]
    for level in range(len(run.sizes)):
        for batch in read_states(run.folder, level):
            for row in lay_out(batch, space, len(run.initial)):
                half = int(half_of(row, head))
                number = int(halves[half].size[0])
                halves[half].row[number] = row
                halves[half].size[0] += 1
                levels[half].append(level)
    for rows in halves:
        refill_rows(rows.table, rows, head)
    found = find_lasso(run, halves, split=True)
    if found is None:
        return None
    half, number = found.start & 1, found.start >> 1
    row = halves[half].row[number]
    high, low = names_of_rows(row[None], space, run.names.locals, run.names.packets)[0].view(np.int64).tolist()
    goal = (high, low), levels[half][number]
    run.find_paths([goal])
    return run.paths[goal], found.actions
