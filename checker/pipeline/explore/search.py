"""Breadth-first search level by level on Spark: the frontier, its successors and their deduplication are DataFrames.

Local objects are few (design.md, section 7): the driver interns them and asks the model; workers look them up
(`shipping`). A level is read twice or thrice: surveyed for local steps that are missing, which are computed, until none
is; then expanded. Equal successors are brought together by their names and contents; where the state graph is not
graded, an anti-join takes away those of earlier levels.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...engine.bundles import Array
from ...engine.decoding import Decoder
from ...engine.judging import UserJudge
from ...engine.limits import Watch
from ...engine.search import Hit, Search
from ...engine.space import StateSpace
from ...errors import EnvironmentProblem
from ...result import Schedule
from .findings import asked_in, of_kind, read_states, violations_in
from .folder import Folder, LevelMark
from .jobs import Jobs
from .journal import ASKING, DAMAGED, Asked, Round, check_reached, check_round, missing_of, read_asked
from .local_tables import LocalTables
from .names import LocalNames, names_of_rows
from .paths import paths_to
from .rows import take_apart
from .shipping import Here, Setting, Shipper
from .tables import spark_schema_of
from .worker import (
    LENGTH,
    SUCCESSORS,
    SURVEY,
    TRANSITIONS,
    Level,
    Room,
    successors,
    survey,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STATE = spark_schema_of("states")
ROWS_A_PART = 400_000
"""Successors that one task brings together."""

FEW = 20_000
"""States of a level that the driver looks up by itself, with the same code: sending them costs more."""

Name = tuple[int, int]


Task = Callable[[Any], Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]]


class SparkSearch(Search):
    """Explores the levels in turn, each committed to the folder before the next begins."""

    def __init__(
        self, space: StateSpace, decoder: Decoder, judge: UserJudge, watch: Watch, wanted: list[int], folder: Folder,
        bits: dict[str, int], few: int = FEW,
    ) -> None:  # fmt: skip
        super().__init__(space, decoder, judge, watch, wanted)
        self.folder = folder
        self.few = max(1, few)  # the first level lets the driver compile for all
        self.workers = (self.new_worker(1), self.new_worker(1))
        self.names = LocalNames(space)
        self.local_tables = LocalTables(space, self.names, bits)
        self.shipper = Shipper(space, self.names)
        self.found_at: dict[int, tuple[Name, int, int]] = {}
        self.sizes: list[int] = []
        self.resumed_from: int | None = None
        self._states_before = 0
        self.paths: dict[tuple[Name, int], list[int]] = {}
        self._run = uuid.uuid4().hex
        self._setting: Any = None
        self._additions: list[Any] = []
        self.tell: Callable[[str], None] | None = None
        self._unsent: list[Round] = []

    # ---- what is there already ----

    def restore(self, marks: list[LevelMark]) -> None:
        """Compute all local objects of the levels in the folder anew, and take over what was found."""
        self.names.update()
        self._reach(self.initial[: self.space.processes], np.zeros(0, np.int32))
        for mark in marks[1:]:
            for part in read_asked(self.folder, mark.level - 1, self.space.processes):
                where = str(self.folder.part("asked", mark.level - 1))
                check_round(part, self.space, where)
                if any(len(part[name]) for name in ASKING) and not self._compute(part):
                    return
                check_reached(part, self.space, where)
                self._reach(part["local"], part["packet"])
                self._unsent.append(part)
            self.names.update()
            if self.names.digest() != mark.digest:
                raise EnvironmentProblem(f"{self.folder.path}: {DAMAGED}")
            self._note(mark)
        self.sizes = [mark.states for mark in marks] or [1]
        self.states = sum(self.sizes)
        self._states_before = self.states
        self.resumed_from = len(marks) - 1 if len(marks) > 1 else None
        self._settle()
        if len(marks) > 1:
            self.local_tables.skip()

    def _note(self, mark: LevelMark) -> None:
        self.transitions += mark.transitions
        for bit, (high, low, action) in mark.violations.items():
            flag = 1 << bit
            if flag not in self.hits:
                self.hits[flag] = Hit(mark.level - 1, 0, action)
                self.found_at[flag] = (high, low), mark.level - 1, action

    def _settle(self) -> None:
        """Whether the search is over, and how deep it went."""
        last = len(self.sizes) - 1
        self.complete = self.sizes[last] == 0
        cut = self.decided and last > 0 and not self.complete
        self.depth = last - 1 if self.complete or cut else last

    # ---- the search ----

    def run_on(self, jobs: Jobs) -> None:
        """Search to the end, the limits or the decision of every property."""
        self.jobs = jobs
        if self.complete or self.decided:
            return
        if not self.folder.part("states", 0).exists():
            self._write_initial()
        while not self.complete and not self.decided:
            if self._stopped() or not self._expand():
                return

    def tick(self, done: int, tasks: int) -> None:
        """Tell how far the search is, while a job runs."""
        if self.tell is not None:
            rate = (self.states - self._states_before) / max(self.watch.seconds, 0.1)
            self.tell(
                f"level {len(self.sizes)}: {self.states:,} states, {self.transitions:,} transitions, "
                f"{rate:,.0f} states/s, {done} of {tasks} tasks done"
            )

    def _stopped(self) -> bool:
        return self.watch.must_stop(self.states, self.transitions, self.sizes[-1], len(self.sizes) - 1)

    def _write_initial(self) -> None:
        names = names_of_rows(self.initial[None], self.space, self.names.locals, self.names.packets)
        batch = take_apart(self.initial[None], names, self.space)
        path = self.folder.writing("states")
        path.mkdir()
        table = pa.Table.from_batches([batch]).append_column("ways", pa.array([0], pa.int64()))
        pq.write_table(table, path / "part-0.parquet")
        self.folder.commit(LevelMark(0, 1, 0, {}, self.names.digest(), round(self.watch.seconds, 3)))

    def _expand(self) -> bool:
        """Make the next level; False when stopped before it is whole."""
        number = len(self.sizes) - 1
        asked = Asked()
        while True:
            findings = self.answers(number, survey, SURVEY)
            if findings is None:
                return False
            part = asked_in(findings, self.space.processes)
            longer = of_kind(findings, LENGTH)["first"]
            if len(longer):
                self.widen(int(longer.max()))
            if any(len(part[name]) for name in ASKING):
                part = {name: part[name] for name in ASKING}
                if not self._compute(part):
                    return False
                self.names.update()
                asked.rounds.append(part)
                self._unsent.append(part)
            elif not len(longer):
                break
        asked.rounds.append(part)
        self._reach(part["local"], part["packet"])
        self._unsent.append(part)
        return self._write(number, findings, asked)

    def answers(self, number: int, task: Task, schema: str) -> pa.Table | None:
        """The answer of a task about all rows of a level; None when stopped. Few rows are not sent to workers."""
        if self.sizes[number] > self.few:
            return self.jobs.collect(self._states(number).mapInArrow(task(self._level()), schema))
        return self._here(number, task)

    def _here(self, number: int, task: Task) -> pa.Table:
        batches = read_states(self.folder, number)
        return pa.Table.from_batches(list(task(Here(self.space, self.names, self._room()))(iter(batches))))

    def _level(self) -> Level:
        if self._setting is None:
            self._setting = self.jobs.broadcast(
                Setting(self.space.processes, self.space.words, self.space.system, self.space.script)
            )
        if self._unsent or not self._additions:
            self._ship(self._unsent)
        return Level(self._run, self._setting, list(self._additions), self._room())

    def _room(self) -> Room:
        most = self.most_successors
        return Room(self.space.most_packets, most, self.space.most_missing_pairs(most))

    def _states(self, number: int) -> DataFrame:
        return self.jobs.read([str(self.folder.part("states", number))], STATE)

    def _compute(self, part: dict[str, Array]) -> bool:
        """Compute the local steps that are asked for; False when interrupted."""
        return self.fill_in(missing_of(part, self.space.processes))

    def _reach(self, local: Array, packet: Array) -> None:
        self.space.locals.reached[local] = 1
        self.space.packets.reached[packet] = 1

    def _ship(self, rounds: list[dict[str, Array]]) -> None:
        """Send to the workers what they do not know."""
        asked = Asked()
        asked.rounds = rounds
        others = np.concatenate([asked.together("locals", 0), asked.together("others", 0)])
        reached = asked.together("local", 0), asked.together("packet", 0)
        if not self._additions:
            reached = np.concatenate([self.initial[: self.space.processes], reached[0]]), reached[1]
        self._unsent = []
        addition = self.shipper.addition(asked.together("pairs", 2), others, reached)
        self._additions.append(self.jobs.broadcast(addition))

    def _write(self, number: int, findings: pa.Table, asked: Asked) -> bool:
        """Write the next level and commit it."""
        transitions = int(of_kind(findings, TRANSITIONS)["first"].sum())
        states = self._successors(number, transitions)
        path = self.folder.writing("states")
        if not self.jobs.write(states, path):
            return False
        count = sum(pq.read_metadata(file).num_rows for file in sorted(path.glob("*.parquet")))
        self.local_tables.write(self.folder, asked)
        mark = LevelMark(
            number + 1, count, transitions, violations_in(findings), self.names.digest(), round(self.watch.seconds, 3)
        )
        self.folder.commit(mark)
        self._note(mark)
        self.sizes.append(count)
        self.states += count
        self._settle()
        return True

    def _successors(self, number: int, transitions: int) -> DataFrame:
        """The states of the next level, each once."""
        from pyspark.sql import functions as F

        parts = max(1, -(-transitions // ROWS_A_PART))
        self.jobs.partitions(parts)
        if self.sizes[number] > self.few:
            rows = self._states(number).mapInArrow(successors(self._level()), SUCCESSORS)
        else:
            rows = self.jobs.session.createDataFrame(self._here(number, successors), SUCCESSORS)
        states = rows.groupBy(*rows.columns).agg(F.count("*").alias("ways"))
        if self.space.graded:
            return states
        before = [str(self.folder.part("states", level)) for level in range(number + 1)]
        known = self.jobs.read(before, STATE).select("high", "low")
        return states.join(known, ["high", "low"], "left_anti")

    # ---- runs ----

    def schedule_to(self, hit: Hit) -> tuple[Schedule, Array, Array]:
        """The run that shows a violation, and the rows before and after its last event."""
        bit = next(bit for bit, other in self.hits.items() if other is hit)
        if bit not in self.found_at:
            return self.run_of([])
        name, level, action = self.found_at[bit]
        return self.run_of(self.paths[name, level] + ([action] if action >= 0 else []))

    def find_paths(self, more: Iterable[tuple[Name, int]] = ()) -> None:
        """Find the actions that lead to every violation (and to the states `more`, with their levels)."""
        wanted = {(name, level) for name, level, _ in self.found_at.values()} | set(more)
        wanted -= self.paths.keys()
        self.paths |= paths_to(wanted, self.answers)
