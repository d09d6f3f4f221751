"""What an exploration found. One shape for the command line, for JSON and for the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .bounds import Bounds
from .errors import HOLDS, INCOMPLETE, STUCK, UNFAIR_CYCLE, VIOLATED
from .formats import RESULT
from .history import MessageId


class SendEvent(NamedTuple):
    """Process `process` sends its next message to `dests`; `alternative` selects among the model's steps."""

    process: int
    dests: frozenset[int]
    alternative: int = 0


class ReceiveEvent(NamedTuple):
    """Process `process` receives its copy of `message` (sender, number); None: a packet of the protocol itself.

    Where more than one packet may be meant (a model that is not direct, or duplicates), `sender` is who transmitted it
    and `place` its place, from 0, among what is in transit from there, in the order of transmission.
    """

    process: int
    message: MessageId | None
    alternative: int = 0
    sender: int | None = None
    place: int = 0


class InternalEvent(NamedTuple):
    """Process `process` takes a step by itself."""

    process: int
    alternative: int = 0


class JointEvent(NamedTuple):
    """All processes take a step together."""

    alternative: int = 0


class FaultEvent(NamedTuple):
    """A fault: duplicate | lose a packet, or crash | restart `process`. A packet is the one at `place` of those in
    transit from `sender` to `process`; its duplicate is the youngest of its channel."""

    kind: str
    process: int
    sender: int | None = None
    place: int = 0


Event = SendEvent | ReceiveEvent | InternalEvent | JointEvent | FaultEvent
Schedule = tuple[Event, ...]
"""One interleaving, from the initial state on: enough to re-execute a run."""


@dataclass(frozen=True)
class Witness:
    """A shortest run found to a violation, and what is wrong at its end.

    `process` is where it shows; `message` is the offending message (delivered too early, held needlessly, or the
    subject of a missing or redundant fact); `before` is the message it should have waited for, where there is one.
    """

    schedule: Schedule
    explanation: str
    process: int | None = None
    message: MessageId | None = None
    before: MessageId | None = None
    loop: int | None = None
    """Where the run is a lasso: how many steps lead to the state that the rest of them returns to, for ever."""


@dataclass(frozen=True)
class PropertyResult:
    """The verdict on one property: holds | violated | incomplete | not applicable.

    `counts` holds named numbers of occurrences (null in JSON when the search ended before they were complete).
    """

    name: str
    verdict: str
    witness: Witness | None = None
    counts: dict[str, int | None] = field(default_factory=dict)
    note: str = ""

    @property
    def trace_length(self) -> int | None:
        """The number of steps of the witness; None without one."""
        return len(self.witness.schedule) if self.witness else None


@dataclass(frozen=True)
class LabelCount:
    """How a labelled statement of the model behaved over all distinct calls.

    `fired`: calls that executed it; `changed`: executions that changed the variable it rewrites (None where it rewrites
    none): a pruning step prunes when this is not 0; `waited`: calls that it ended with None, the paper's wait.
    """

    label: str
    fired: int
    changed: int | None = None
    waited: int | None = None


@dataclass(frozen=True)
class Result:
    """The outcome of one exploration. Counts that were not computed are None.

    `distinct_states` and `transitions` count global states and steps between them (initial state not among the
    transitions); `local_states` distinct (process state, past) pairs reached; `packets` distinct packets that were in
    transit; `depth` the largest number of steps to a state. `orbits` counts the states kept where each stands for all
    that differ from it in the numbers of processes only; the other counts are of what they stand for.
    `omission_probability` is at most how likely it is that a state was taken for another and left out. `shortest` says
    that no run within the bound shows a violation in fewer steps than the counterexample that is given for it.
    """

    engine: str
    search: str
    model: str
    readings: dict[str, str]
    bounds: Bounds
    complete: bool
    stopped: str | None
    properties: tuple[PropertyResult, ...]
    distinct_states: int | None
    transitions: int | None
    depth: int | None
    local_states: int | None
    packets: int | None
    seconds: float
    peak_memory_bytes: int
    labels: tuple[LabelCount, ...] | None = None
    scenario: str | None = None
    pairs: int | None = None
    pasts: str | None = None
    orbits: int | None = None
    omission_probability: float | None = None
    shortest: bool = False
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """A violation beats incomplete; `holds` only when the whole bound was explored.

        A property that is not applicable decides nothing; without any other one the verdict is `not applicable`.
        """
        verdicts = {p.verdict for p in self.properties} - {"not applicable"}
        if "violated" in verdicts:
            return "violated"
        if not verdicts:
            return "not applicable"
        return "holds" if self.complete and "incomplete" not in verdicts else "incomplete"

    @property
    def exit_code(self) -> int:
        """TLC's codes where it has one: 12 before 11 before 13, a violation before incomplete."""
        violated = {p.name: p for p in self.properties if p.verdict == "violated"}
        if violated.keys() - {"Delivery"}:
            return VIOLATED
        if violated:
            witness = violated["Delivery"].witness
            return UNFAIR_CYCLE if witness and witness.loop is not None else STUCK
        return HOLDS if self.verdict == "holds" else INCOMPLETE

    def _repr_html_(self) -> str:
        """The result in a notebook: its verdicts, and the page of its first counterexample."""
        from .page.notebook import result_in_notebook

        return result_in_notebook(self)

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `--json`; `checker.formats` describes its fields."""
        properties = {
            p.name: {
                "verdict": p.verdict,
                "trace_length": p.trace_length,
                "counts": p.counts,
                "explanation": p.witness.explanation if p.witness else None,
                "note": p.note or None,
            }
            for p in self.properties
        }
        labels = None if self.labels is None else [vars(count) for count in self.labels]
        return RESULT.document(
            engine=self.engine,
            search=self.search,
            complete=self.complete,
            stopped=self.stopped,
            model=self.model,
            readings=self.readings,
            bounds=self.bounds.as_json(),
            channel=self.bounds.channel,
            scenario=self.scenario,
            verdict=self.verdict,
            exit_code=self.exit_code,
            shortest=self.shortest,
            properties=properties,
            distinct_states=self.distinct_states,
            transitions=self.transitions,
            depth=self.depth,
            local_states=self.local_states,
            packets=self.packets,
            pairs=self.pairs,
            pasts=self.pasts,
            orbits=self.orbits,
            omission_probability=self.omission_probability,
            seconds=round(self.seconds, 3),
            peak_memory_bytes=self.peak_memory_bytes,
            labels=labels,
            notes=list(self.notes),
        )
