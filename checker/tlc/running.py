"""One run of TLC, from the question to its result."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..bounds import Bounds
from ..errors import EnvironmentProblem
from ..properties import UserProperty
from .child import Child, OnProgress
from .configuration import configuration, invariants_of, require_specification, write_specification
from .declared import MODULES, require_counterpart
from .endings import why_incomplete
from .result import TlcResult
from .tools import find_jar, find_java

MEGABYTE = 2**20


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
) -> TlcResult:
    """Let TLC check the specification of a built-in model.

    `readings` holds all readings of the model, id -> letter. `time_limit` is in seconds, `memory` bounds Java's heap in
    bytes; at a limit, and at Ctrl-C, the result is incomplete. `dump` receives every distinct state as TLC prints it.
    Raises UsageError (no specification, or none of these readings and bounds), EnvironmentProblem (Java, jar, TLC's
    death, output that cannot be read), SpecificationError, ConfigurationError and ModelError (TLC refused or failed to
    evaluate the specification).
    """
    require_specification(model, properties)
    require_counterpart(model, readings, bounds)
    java, jar = find_java(), find_jar()
    invariants = invariants_of(model, properties)
    try:
        with tempfile.TemporaryDirectory(prefix="precede-tlc-") as name:
            folder = Path(name)
            write_specification(folder, model, configuration(model, readings, bounds, invariants))
            command = tlc_command(java, jar, folder, MODULES[model], workers, memory, dump is not None)
            child = Child(time_limit, on_progress)
            child.run(command, folder)
            if dump is not None and child.finished:
                shutil.move(folder / "states.dump", dump)
    except OSError as error:
        raise EnvironmentProblem(f"TLC could not be run: {error}") from None
    output = child.output
    stopped = None if child.finished else why_incomplete(child)
    return TlcResult(
        model=model,
        readings=dict(readings),
        bounds=bounds,
        invariants=invariants,
        workers=workers,
        version=output.version,
        verdict="violated" if output.violated else "incomplete" if stopped else "holds",
        stopped=stopped,
        violated=output.violated,
        distinct_states=output.distinct,
        transitions=None if output.generated is None else output.generated - 1,
        depth=None if output.depth is None else output.depth - 1,
        queue=output.queue,
        seconds=child.seconds,
        trace=tuple(output.trace) if child.finished else (),
    )


def tlc_command(
    java: str, jar: Path, folder: Path, module: str, workers: int, memory: int | None, dump: bool
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
        f"{module}.tla",
    ]
