"""Deciding rows: their evidence is carried out, what several rows ask of the same runs once, and verdicts derived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import PrecedeError
from .asking import task_of
from .deriving import Answer, answer_of, aspects_of, decides, verdict_of
from .outcomes import Outcome, Ran
from .rows import Evidence, Row
from .tools import INTERRUPTED, Task, Tools

NOT_ASKED = Outcome("incomplete", explanation="the engine does not say")


@dataclass(frozen=True)
class Carried:
    """A piece of evidence that was carried out: the answers to what it asks."""

    evidence: Evidence
    ran: Ran
    outcomes: dict[str, Outcome]

    def answers(self) -> list[Answer]:
        """What the rule needs."""
        return [answer_of(self.evidence, name, outcome.verdict) for name, outcome in self.outcomes.items()]

    def differences(self) -> Iterator[tuple[str, str, str]]:
        """(what was asked, what is expected, what was found) wherever the last two are not the same."""
        for name, expected in self.evidence.expect.items():
            if not self.outcomes[name].meets(expected):
                yield name, expected.text, self.outcomes[name].text


@dataclass(frozen=True)
class Decided:
    """A row with what was found: `carried` is the evidence that was carried out, not all of it with `quick`."""

    row: Row
    carried: tuple[Carried, ...]

    @property
    def deciding(self) -> tuple[Carried, ...]:
        """What decides the row: not what is shown of a repair."""
        return tuple(c for c in self.carried if not c.evidence.repair)

    @property
    def answers(self) -> list[Answer]:
        """The answers that the verdict rests on."""
        return [answer for c in self.deciding for answer in c.answers()]

    @property
    def verdict(self) -> str:
        """Derived from what was carried out."""
        return verdict_of(self.row, self.answers)

    @property
    def whole(self) -> bool:
        """Whether all that decides the row was carried out."""
        return len(self.deciding) == len(self.row.deciding)

    @property
    def aspects(self) -> dict[str, str | None]:
        """The verdict on each aspect."""
        return aspects_of(self.answers)

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that decide it."""
        return tuple(dict.fromkeys(c.ran.engine for c in self.deciding))

    @property
    def bounds(self) -> tuple[str, ...]:
        """The bounds on which the verdict rests: of the evidence that shows a refutation, else of all of it."""
        shown = self.refuting
        carried = self.deciding if shown is None else (shown[0],)
        return tuple(dict.fromkeys(c.ran.bound for c in carried if c.ran.bound is not None))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Those of the registry and those of the proofs."""
        return tuple(dict.fromkeys((*self.row.assumptions, *(a for c in self.deciding for a in c.ran.assumptions))))

    @property
    def refuting(self) -> tuple[Carried, str, Outcome] | None:
        """The first thing that is refuted with a run to show; None if there is none."""
        for c in self.deciding:
            for answer in c.answers():
                outcome = c.outcomes[answer.name]
                if decides(self.row, answer) and outcome.verdict == "violated" and outcome.trace is not None:
                    return c, answer.name, outcome
        return None

    @property
    def seconds(self) -> float:
        """Of the engines; what several rows share is counted in each of them."""
        return sum(c.ran.seconds for c in self.carried)

    def differences(self) -> list[tuple[str, str, str]]:
        """(field, expected, found) wherever the registry expects something else."""
        found = [
            (f"`{c.evidence.run}`, {name}", expected, text)
            for c in self.carried
            for name, expected, text in c.differences()
        ]
        if self.whole and self.verdict != self.row.verdict:
            found.append(("verdict", self.row.verdict, self.verdict))
        return found


@dataclass
class Session:
    """Decides the rows. With `quick`, by quick evidence only."""

    rows: Sequence[Row]
    tools: Tools = field(default_factory=Tools)
    quick: bool = False
    _ran: dict[object, Ran] = field(default_factory=dict)

    def decide(self) -> Iterator[Decided]:
        """Each row in turn, as soon as it is decided. KeyboardInterrupt at Ctrl-C, between rows that are decided.

        Raises ConfigurationError, before anything is carried out, where a run is no command.
        """
        plan = [(row, [(e, task_of(row, e)) for e in self._chosen(row.evidence)]) for row in self.rows]
        names: dict[object, dict[str, None]] = {}
        for _, tasks in plan:
            for evidence, task in tasks:
                names.setdefault(task.key, {}).update(dict.fromkeys(evidence.expect))
        for number, (row, tasks) in enumerate(plan, 1):
            carried = []
            for evidence, task in tasks:
                self.tools.doing = f"{number} of {len(plan)}: {row.id}, {evidence.engine}"
                ran = self._carry_out(evidence, task, tuple(names[task.key]))
                outcomes = {name: ran.outcomes.get(name, NOT_ASKED) for name in evidence.expect}
                carried.append(Carried(evidence, ran, outcomes))
            yield Decided(row, tuple(carried))

    def _chosen(self, evidence: Iterable[Evidence]) -> list[Evidence]:
        return [one for one in evidence if one.quick or not self.quick]

    def _carry_out(self, evidence: Evidence, task: Task, names: tuple[str, ...]) -> Ran:
        if task.key in self._ran:
            return self._ran[task.key]
        try:
            ran = task.run(names, self.tools)
        except PrecedeError as error:  # one run that fails does not take the others with it
            failed = {name: Outcome("failed", explanation=str(error)) for name in names}
            ran = Ran(evidence.engine, failed, task.bound, 0.0, stopped=str(error))
        if ran.stopped is not None and ran.stopped.startswith(INTERRUPTED):
            raise KeyboardInterrupt
        self._ran[task.key] = ran
        return ran


def expected_verdict(row: Row) -> str:
    """What the rule makes of the outcomes that the registry expects: it must be the verdict that the registry names."""
    answers = [
        answer_of(evidence, name, expected.verdict)
        for evidence in row.deciding
        for name, expected in evidence.expect.items()
    ]
    return verdict_of(row, answers)
