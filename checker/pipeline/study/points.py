"""A point: one algorithm under one workload, with one seed; and what running it gives, a row of `tables.RESULTS`."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ConfigurationError
from .workload import Workload

WEIGHTS = {"rst": 1.0, "prs": 1.5, "ses": 1.5, "gk": 3.0, "sa": 3.0, "jang": 2.0, "ks": 2.5}
"""How much work a delivery is, roughly, so that heavy points go first."""


@dataclass(frozen=True)
class Point:
    """What is run. `group`: which part of a study it belongs to; `truth`: against which order waits are judged;
    `thresholds`: of SA, K of all processes or of each; `readings`: those of the model that are not its default."""

    study: str
    group: str
    algorithm: str
    workload: Workload
    truth: str = "none"
    thresholds: tuple[int, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Identifies the point by everything that it is, in a name for a file."""
        text = json.dumps(self.as_dict(), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return f"{self.algorithm}-n{self.workload.processes}-{self.workload.load}-{digest}"

    @property
    def weight(self) -> float:
        """An estimate of the work."""
        load = self.workload
        copies = load.processes * (load.warmup + load.measured)
        drawing = 3.0 if load.load == "unicast" else 1.0
        matrices = 3.0 if self.truth == "causal" else 1.0
        return copies * (drawing + WEIGHTS[self.algorithm] * matrices * (load.processes / 30) ** 2)

    def as_dict(self) -> dict[str, Any]:
        """The columns that say what the point is."""
        return {
            "study": self.study,
            "group": self.group,
            "algorithm": self.algorithm,
            **self.workload.as_dict(),
            "truth": self.truth,
            "thresholds": list(self.thresholds),
            "readings": list(self.readings),
        }


def point_of(columns: dict[str, Any]) -> Point:
    """The point that `as_dict` describes. Raises ConfigurationError where it describes none."""
    own = ("study", "group", "algorithm", "truth", "thresholds", "readings")
    try:
        workload = Workload(**{name: value for name, value in columns.items() if name not in own})
        return Point(
            str(columns["study"]),
            str(columns["group"]),
            str(columns["algorithm"]),
            workload,
            str(columns["truth"]),
            tuple(int(k) for k in columns["thresholds"]),
            tuple(str(reading) for reading in columns["readings"]),
        )
    except (TypeError, KeyError, ValueError) as error:
        raise ConfigurationError(f"not a point of a study: {error}") from None


def run_point(point: Point) -> dict[str, Any]:
    """The row of a point: its parameters, its figures, and how long they took in CPU seconds."""
    from .kernels import simulate
    from .outcome import figures
    from .workload import draw

    begun = time.process_time()
    schedule = draw(point.workload)
    drawn = time.process_time() - begun
    extra: dict[str, Any] = {"thresholds": point.thresholds} if point.algorithm == "sa" else {}
    if point.readings:
        extra["readings"] = point.readings
    outcome = simulate(point.algorithm, schedule, point.truth, **extra)
    return {"key": point.key, **point.as_dict(), **figures(schedule, outcome), "drawing_seconds": drawn}


def with_seeds(points: Iterable[Point], seeds: int) -> Iterator[Point]:
    """Every point with the seeds 1, 2, ..."""
    for point in points:
        for seed in range(1, seeds + 1):
            yield replace(point, workload=replace(point.workload, seed=seed))
