"""The committed benchmark: this engine and TLC on the same question, whole process against whole process."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from .bounds import Bounds
from .errors import EnvironmentProblem
from .formats import BENCH
from .progress import size_text

SMALLEST = Bounds(processes=2, sends=1)


@dataclass(frozen=True)
class Measurement:
    """One whole process that explored one model.

    `seconds` is wall-clock time from start to exit of the process; `peak_memory_bytes` its largest resident set; None
    where it was not measured. `bytes_per_state` counts the peak above that of the same command at `SMALLEST`.
    """

    model: str
    tool: str
    distinct_states: int
    transitions: int
    seconds: float
    peak_memory_bytes: int | None = None
    bytes_per_state: float | None = None

    @property
    def states_per_second(self) -> float:
        """Distinct states per second of wall-clock time."""
        return self.distinct_states / self.seconds


class Child(NamedTuple):
    """A finished child process: what it printed as JSON, its wall-clock seconds and its peak memory in bytes."""

    answer: dict[str, Any]
    seconds: float
    peak_memory_bytes: int


def machine() -> dict[str, Any]:
    """What the benchmark runs on, for the reader of its numbers."""
    cpu = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [
            line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    return {
        "processor": cpu,
        "cores": os.cpu_count(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "numba": version("numba"),
        "precede": version("precede"),
    }


def check_command(model: str, bounds: Bounds) -> list[str]:
    """The command line that is measured."""
    bound = ["--processes", str(bounds.processes), "--sends", str(bounds.sends), "--dests", bounds.dests]
    return [
        sys.executable,
        "-m",
        "precede.checker.cli",
        "check",
        model,
        *bound,
        "--channel",
        bounds.channel,
        "--engine",
        "states",
        "--json",
        "-",
    ]


def run_child(command: Sequence[str], complete: bool = True) -> Child:
    """Run a command that prints a result as JSON. Raises EnvironmentProblem where it prints none, or, if it is to be
    `complete`, explores less than the bound."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        with child.stdout as stdout:
            text = stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        child.kill()
        child.wait()
        raise
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    answer = json.loads(text) if text else {}
    if not answer or (complete and not answer.get("complete")):
        reason = answer.get("stopped") or f"exit code {child.returncode}"
        raise EnvironmentProblem(f"the measured process did not explore the whole bound: {reason}")
    return Child(answer, seconds, usage.ru_maxrss * 1024)


def measure_precede(model: str, bounds: Bounds) -> Measurement:
    """Measure `precede check`; the first of its three runs only warms the compilation cache."""
    run_child(check_command(model, SMALLEST))
    smallest = run_child(check_command(model, SMALLEST))
    child = run_child(check_command(model, bounds))
    states = child.answer["distinct_states"]
    return Measurement(
        model,
        "precede",
        states,
        child.answer["transitions"],
        round(child.seconds, 3),
        child.peak_memory_bytes,
        round((child.peak_memory_bytes - smallest.peak_memory_bytes) / states, 1),
    )


def measure_tlc(
    model: str, bounds: Bounds, workers: int, on_progress: Callable[[Any], None] | None = None
) -> Measurement:
    """Measure TLC's process on the model's specification, judging the same properties."""
    from .loading import load_model
    from .properties import select_properties
    from .tlc import run_tlc

    loaded = load_model(model)
    properties = select_properties((), loaded.model)
    result = run_tlc(model, loaded.readings, bounds, properties, workers=workers, on_progress=on_progress)
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    if result.distinct_states is None or result.transitions is None or result.verdict == "incomplete":
        raise EnvironmentProblem(f"TLC did not explore the whole bound: {result.stopped}")
    return Measurement(
        model, f"TLC -workers {workers}", result.distinct_states, result.transitions, round(result.seconds, 3)
    )


def as_json(measurements: Sequence[Measurement], bounds: Bounds) -> dict[str, Any]:
    """The benchmark as a JSON object."""
    rows = [asdict(m) | {"states_per_second": round(m.states_per_second)} for m in measurements]
    return BENCH.document(machine=machine(), bounds=bounds.as_json(), measurements=rows)


def table(measurements: Sequence[Measurement]) -> list[list[str]]:
    """The rows that `precede bench` prints; `times TLC` compares distinct states per second of whole processes."""
    rates = {m.model: m.states_per_second for m in measurements if m.tool != "precede"}
    rows = [["", "", "distinct states", "seconds", "states/s", "times TLC", "peak memory", "bytes/state"]]
    for m in measurements:
        ratio = m.states_per_second / rates[m.model] if m.tool == "precede" and m.model in rates else None
        rows.append([
            m.model,
            m.tool,
            f"{m.distinct_states:,}",
            f"{m.seconds:,.1f}",
            f"{m.states_per_second:,.0f}",
            "" if ratio is None else f"{ratio:.1f}",
            "" if m.peak_memory_bytes is None else size_text(m.peak_memory_bytes),
            "" if m.bytes_per_state is None else f"{m.bytes_per_state:.0f}",
        ])  # fmt: skip
    return rows
