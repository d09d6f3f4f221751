"""How what is explored, and the time it takes, grow with the bound: histories, global states and TLC, side by side.

Each figure is that of a whole process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

from .bench import Child, machine, run_child
from .bounds import Bounds
from .errors import EnvironmentProblem
from .formats import GROWTH
from .progress import size_text

ENGINES = ("histories", "histories by symmetry", "states", "tlc")


@dataclass(frozen=True)
class Row:
    """One engine at one bound. `objects` are local states for histories, global states for the others; `steps` the
    pairs that can meet, or transitions; None where the engine did not finish within the time limit."""

    sends: int
    engine: str
    verdict: str
    objects: int | None
    steps: int | None
    seconds: float
    peak_memory_bytes: int | None


def grow(
    model: str,
    readings: Sequence[str],
    bounds: Bounds,
    engines: Sequence[str],
    seconds: float,
    on_text: Callable[[str], None],
    first: int = 1,
    rounds: int = 1,
) -> Iterator[Row]:
    """A row for each number of sends from `first` up to that of `bounds` and each engine, measured in so many rounds,
    in turns; an engine that did not finish within `seconds` is not asked again."""
    stopped: set[str] = set()
    for sends in range(first, bounds.sends + 1):
        measured: dict[str, list[Row]] = {engine: [] for engine in engines}
        for left in reversed(range(rounds)):
            for engine in engines:
                if engine in stopped:
                    continue
                on_text(f"{engine}, {sends} sends" + (f", round {rounds - left} of {rounds}" if rounds > 1 else ""))
                row = _measure(model, readings, replace(bounds, sends=sends), engine, seconds)
                measured[engine].append(row)
                if row.verdict == "incomplete":
                    stopped.add(engine)
                    yield row
                elif not left:
                    yield _of_rounds(measured[engine])


def _of_rounds(rows: Sequence[Row]) -> Row:
    """The row of all rounds: the median of the seconds, and the most memory."""
    seconds = round(median(row.seconds for row in rows), 2)
    memory = max((row.peak_memory_bytes for row in rows if row.peak_memory_bytes is not None), default=None)
    return replace(rows[-1], seconds=seconds, peak_memory_bytes=memory)


def _measure(model: str, readings: Sequence[str], bounds: Bounds, engine: str, seconds: float) -> Row:
    if engine == "tlc":
        return _measure_tlc(model, readings, bounds, seconds)
    child = _run(check_command(model, readings, bounds, engine, seconds), seconds)
    if child is None:
        return Row(bounds.sends, engine, "incomplete", None, None, seconds, None)
    answer = child.answer
    by_histories = engine != "states"
    return Row(
        bounds.sends,
        engine,
        answer["verdict"],
        answer["local_states" if by_histories else "distinct_states"],
        answer["pairs" if by_histories else "transitions"],
        round(child.seconds, 2),
        child.peak_memory_bytes,
    )


def check_command(model: str, readings: Sequence[str], bounds: Bounds, engine: str, seconds: float) -> list[str]:
    """The command that is measured."""
    command = [sys.executable, "-m", "precede.checker.cli", "check", model, "--engine", engine.split()[0]]
    command += ["--processes", str(bounds.processes), "--sends", str(bounds.sends), "--dests", bounds.dests]
    command += ["--time-limit", f"{seconds:g}", "--json", "-"]
    if engine.endswith("symmetry"):
        command.append("--symmetry")
    for reading in readings:
        command += ["--reading", reading]
    return command


def _run(command: list[str], seconds: float) -> Child | None:
    try:
        return run_child(command, complete=False)
    except EnvironmentProblem as error:
        raise EnvironmentProblem(f"{error}: {' '.join(command[3:])}") from None


def _measure_tlc(model: str, readings: Sequence[str], bounds: Bounds, seconds: float) -> Row:
    from .engine import Limits
    from .loading import load_model
    from .properties import select_properties
    from .tlc import run_tlc

    loaded = load_model(model, readings)
    properties = select_properties((), loaded.model)
    found = run_tlc(model, loaded.readings, bounds, properties, workers=2, time_limit=Limits(seconds=seconds).seconds)
    return Row(
        bounds.sends, "tlc", found.verdict, found.distinct_states, found.transitions, round(found.seconds, 2), None
    )


def table(rows: Sequence[Row]) -> list[list[str]]:
    """The rows that `precede growth` prints; `growth` is the ratio of objects to those with one send less, and `factor`
    how many times as fast an engine is as the state engine."""
    objects = {(row.sends, row.engine): row.objects for row in rows}
    by_states = {row.sends: row.seconds for row in rows if row.engine == "states" and row.verdict != "incomplete"}
    lines = [["sends", "engine", "verdict", "objects", "growth", "steps", "time", "factor", "peak memory"]]
    for row in rows:
        before = objects.get((row.sends - 1, row.engine))
        beside = by_states.get(row.sends) if row.verdict != "incomplete" else None
        lines.append([
            str(row.sends),
            row.engine,
            row.verdict,
            "" if row.objects is None else f"{row.objects:,}",
            f"{row.objects / before:.1f}" if row.objects and before else "",
            "" if row.steps is None else f"{row.steps:,}",
            f"{row.seconds:.1f} s",
            f"{beside / row.seconds:.1f} x" if beside else "",
            "" if row.peak_memory_bytes is None else size_text(row.peak_memory_bytes),
        ])  # fmt: skip
    return lines


def as_json(
    model: str, readings: Sequence[str], bounds: Bounds, rows: Sequence[Row], rounds: int = 1
) -> dict[str, Any]:
    """The versioned JSON object of `precede growth --json`."""
    return GROWTH.document(
        machine=machine(),
        model=model,
        readings=list(readings),
        bounds=bounds.as_json(),
        rounds=rounds,
        rows=[asdict(row) for row in rows],
    )
