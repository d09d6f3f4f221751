"""What TLC found, in the terms of design.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..bounds import Bounds
from ..errors import HOLDS, INCOMPLETE, STUCK, UNFAIR_CYCLE, VIOLATED
from .configuration import property_of
from .coverage import ActionCount
from .values import Value

LIVENESS = "EveryMessageIsDelivered"


class Simulation(NamedTuple):
    """Random runs instead of all: how many, of how many steps at most, and the seed that selects them."""

    walks: int
    depth: int = 100
    seed: int = 0


@dataclass(frozen=True)
class TlcResult:
    """The outcome of one run of TLC.

    `transitions` and `depth` count steps: TLC's states generated less the initial one, TLC's depth less one.
    `seconds` is wall-clock time from the start to the exit of Java. `violated` is the first invariant or temporal
    formula that TLC saw fail, where its search ends; `trace` its counterexample, one dict of variables for each state;
    where it goes on for ever, `loop` is the number of steps to the state that its last step returns to. With `symmetry`
    states that differ in the names of processes only are counted once, and the processes in `trace` are
    `values.Process`. Counts that TLC did not tell are None; those of a run that did not end are what it last told.
    """

    model: str
    readings: dict[str, str]
    bounds: Bounds
    invariants: tuple[str, ...]
    workers: int
    version: str | None
    verdict: str
    stopped: str | None
    violated: str | None
    distinct_states: int | None
    transitions: int | None
    depth: int | None
    queue: int | None
    seconds: float
    trace: tuple[dict[str, Value], ...] = field(default=(), repr=False)
    loop: int | None = None
    temporal: tuple[str, ...] = ()
    symmetry: bool = False
    simulation: Simulation | None = None
    coverage: tuple[ActionCount, ...] | None = None

    @property
    def violated_property(self) -> str | None:
        """The property that the violated invariant or formula judges; TypeOK stands for itself."""
        return None if self.violated is None else property_of(self.violated)

    @property
    def trace_length(self) -> int | None:
        """The number of steps of the counterexample, the one back to its loop included; None without one."""
        return len(self.trace) - 1 + (self.loop is not None) if self.trace else None

    @property
    def is_shortest(self) -> bool:
        """Whether TLC promises that no counterexample is shorter: several workers and random walks do not, and the
        search for what never happens looks at the states found so far, not one after the other."""
        return self.workers == 1 and self.simulation is None and self.violated != LIVENESS

    @property
    def exit_code(self) -> int:
        """The exit codes of design.md, section 9."""
        if self.verdict == "violated":
            if self.violated_property != "Delivery":
                return VIOLATED
            return STUCK if self.loop is None else UNFAIR_CYCLE
        return HOLDS if self.verdict == "holds" else INCOMPLETE

    def as_json(self) -> dict[str, Any]:
        """The object under "tlc" in the JSON of `precede tlc`."""
        return {
            "engine": "tlc",
            "version": self.version,
            "workers": self.workers,
            "complete": self.verdict == "holds",
            "stopped": self.stopped,
            "model": self.model,
            "readings": self.readings,
            "bounds": self.bounds.as_json(),
            "channel": self.bounds.channel,
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "invariants": list(self.invariants),
            "temporal": list(self.temporal),
            "symmetry": self.symmetry,
            "simulation": self.simulation and self.simulation._asdict(),
            "violated_invariant": self.violated if self.violated in self.invariants else None,
            "violated_formula": self.violated if self.violated in self.temporal else None,
            "violated_property": self.violated_property,
            "trace_length": self.trace_length,
            "loop": self.loop,
            "distinct_states": self.distinct_states,
            "transitions": self.transitions,
            "depth": self.depth,
            "queue": self.queue,
            "coverage": None if self.coverage is None else [count._asdict() for count in self.coverage],
            "seconds": round(self.seconds, 3),
        }
