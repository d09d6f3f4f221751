"""One run of TLC, from the question to its result."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from precede.models.catalog import CATALOG

from ..bounds import Bounds
from ..errors import EnvironmentProblem
from ..properties import UserProperty
from .child import Child, OnProgress
from .configuration import (
    SEMANTIC,
    TEMPORAL,
    configuration,
    invariants_of,
    require_specification,
    write_specification,
)
from .coverage import ActionCount, action_counts
from .declared import MODULES, definitions, require_counterpart
from .endings import why_incomplete
from .output import TlcOutput
from .result import LIVENESS, Simulation, TlcResult
from .symmetry import require_symmetry
from .tools import find_jar, find_java

MEGABYTE = 2**20
GRAPH = ("-dump", "dot,actionlabels", "graph.dot")
COVERAGE = ("-coverage", "1")
"""A report each minute, and one at the end."""


def run_tlc(
    model: str,
    readings: Mapping[str, str],
    bounds: Bounds,
    properties: Sequence[str | UserProperty],
    *,
    workers: int = 1,
    time_limit: float | None = None,
    memory: int | None = None,
    on_progress: OnProgress | None = None,
    dump: Path | None = None,
    graph: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    temporal: Sequence[str] = (),
    symmetry: bool = False,
    coverage: bool = False,
    simulate: Simulation | None = None,
) -> TlcResult:
    """Let TLC check the specification of a built-in model.

    `readings` holds all readings of the model, id -> letter, and `settings` its parameters that are set. `time_limit`
    is in seconds, `memory` bounds Java's heap in bytes; at a limit, and at Ctrl-C, the result is incomplete. `dump`
    receives every distinct state as TLC prints it, `graph` every transition in the language of Graphviz. `temporal`
    names formulas of CausalWorkload to be checked as well; `symmetry` takes states that differ in the names of
    processes only for one; `coverage` counts the steps of each action; `simulate` takes random walks instead of
    exploring everything, and leaves the result incomplete unless one of them finds a violation.
    Raises UsageError (no specification, or none of these readings and bounds), EnvironmentProblem (Java, jar, TLC's
    death, output that cannot be read), SpecificationError, ConfigurationError and ModelError (TLC refused or failed to
    evaluate the specification).
    """
    require_specification(model, properties)
    require_counterpart(model, readings, bounds, settings)
    if symmetry:
        require_symmetry(model, readings, bounds, settings, temporal)
    java, jar = find_java(), find_jar()
    invariants = invariants_of(model, properties)
    try:
        with tempfile.TemporaryDirectory(prefix="precede-tlc-") as name:
            folder = Path(name)
            cfg = configuration(
                model, readings, bounds, invariants, settings=settings, temporal=temporal, symmetry=symmetry
            )
            write_specification(folder, model, cfg)
            options = [*(GRAPH if graph else ()), *(COVERAGE if coverage else ())]
            options += [] if simulate is None else simulating(simulate)
            command = tlc_command(java, jar, folder, MODULES[model], workers, memory, dump is not None, options)
            child = Child(time_limit, on_progress)
            child.run(command, folder)
            if dump is not None and child.finished:
                shutil.move(folder / "states.dump", dump)
            if graph is not None and child.finished:
                shutil.move(folder / "graph.dot", graph)
    except OSError as error:
        raise EnvironmentProblem(f"TLC could not be run: {error}") from None
    output = child.output
    stopped = None if child.finished else why_incomplete(child)
    violated = violated_name(output, temporal)
    if simulate is not None and violated is None and stopped is None:
        stopped = f"all {simulate.walks:,} random walks are taken: evidence, not proof"
    return TlcResult(
        model=model,
        readings=dict(readings),
        bounds=bounds,
        invariants=invariants,
        workers=workers,
        version=output.version,
        verdict="violated" if violated else "incomplete" if stopped else "holds",
        stopped=stopped,
        violated=violated,
        distinct_states=output.distinct,
        transitions=None if output.generated is None else output.generated - 1,
        depth=None if output.depth is None else output.depth - 1,
        queue=output.queue,
        seconds=child.seconds,
        trace=tuple(output.trace) if child.finished else (),
        loop=None if output.back_to is None else output.back_to - 1,
        temporal=tuple(temporal),
        symmetry=symmetry,
        simulation=simulate,
        coverage=counted(output, simulate, temporal) if coverage else None,
    )


def temporal_of(model: str) -> tuple[str, ...]:
    """The temporal formulas that the specification of the model can be asked: the refinement of the problem, which is
    another one where the order is semantic, and liveness."""
    known = definitions(MODULES[model])
    asked = (SEMANTIC.get(name, name) for name in TEMPORAL) if CATALOG[model].semantic else TEMPORAL
    return tuple(name for name in asked if name in known)


def violated_name(output: TlcOutput, temporal: Sequence[str]) -> str | None:
    """The invariant or the formula of `temporal` that is violated.

    TLC 2.15 names no liveness formula, and a formula about steps by its place: of the two that can be asked, liveness
    says nothing about single steps, and the refinement nothing else.
    """
    if output.kind in (None, "invariant"):
        return output.violated
    named = [name for name in temporal if name in (output.violated or "").replace(",", " ").split()]
    others = [name for name in temporal if (name == LIVENESS) == (output.kind == "liveness")]
    return next(iter([*named, *others, *temporal]), output.violated or output.kind)


def counted(output: TlcOutput, simulate: Simulation | None, temporal: Sequence[str]) -> tuple[ActionCount, ...]:
    """The actions as TLC last reported them."""
    return action_counts(output.coverage, counts_states=simulate is None, counts_steps=LIVENESS not in temporal)


def simulating(simulate: Simulation) -> list[str]:
    """The options of TLC for random walks."""
    return [
        "-simulate", f"num={simulate.walks}", "-depth", str(simulate.depth), "-seed", str(simulate.seed),
    ]  # fmt: skip


def tlc_command(
    java: str,
    jar: Path,
    folder: Path,
    module: str,
    workers: int,
    memory: int | None,
    dump: bool,
    options: Sequence[str] = (),
) -> list[str]:
    """The command line of TLC. English, since its figures are read; temporary files in `folder`, so that runs at the
    same time do not meet; no deadlock check, since a finished run is none; no checkpoints."""
    heap = [] if memory is None else [f"-Xmx{max(16, memory // MEGABYTE)}m"]
    return [
        java,
        *heap,
        "-XX:+UseParallelGC",
        "-Duser.language=en",
        "-Duser.country=US",
        f"-Djava.io.tmpdir={folder}",
        "-cp",
        str(jar),
        "tlc2.TLC",
        *("-tool", "-deadlock", "-checkpoint", "0", "-workers", str(workers)),
        *(("-dump", "states.dump") if dump else ()),
        *options,
        f"{module}.tla",
    ]
