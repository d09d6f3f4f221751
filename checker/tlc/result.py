"""What TLC found, in the terms of design.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..bounds import Bounds
from ..errors import HOLDS, INCOMPLETE, STUCK, VIOLATED
from .configuration import PROPERTY_OF
from .values import Value


@dataclass(frozen=True)
class TlcResult:
    """The outcome of one run of TLC.

    `transitions` and `depth` count steps: TLC's states generated less the initial one, TLC's depth less one.
    `seconds` is wall-clock time from the start to the exit of Java. `violated` is the first invariant that TLC saw
    fail, where its search ends; `trace` its counterexample, one dict of variables for each state. Counts that TLC did
    not tell are None; those of a run that did not end are what it last told.
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

    @property
    def violated_property(self) -> str | None:
        """The property that the violated invariant judges; TypeOK stands for itself."""
        return None if self.violated is None else PROPERTY_OF.get(self.violated, self.violated)

    @property
    def trace_length(self) -> int | None:
        """The number of steps of the counterexample; None without one."""
        return len(self.trace) - 1 if self.trace else None

    @property
    def exit_code(self) -> int:
        """The exit codes of design.md, section 9."""
        if self.verdict == "violated":
            return STUCK if self.violated_property == "Delivery" else VIOLATED
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
            "violated_invariant": self.violated,
            "violated_property": self.violated_property,
            "trace_length": self.trace_length,
            "distinct_states": self.distinct_states,
            "transitions": self.transitions,
            "depth": self.depth,
            "queue": self.queue,
            "seconds": round(self.seconds, 3),
        }
