"""How fast the compiled algorithms are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .kernels import simulate
from .workload import Workload, draw


class Measured(NamedTuple):
    """One run: CPU time in seconds, and how many deliveries there were in each."""

    algorithm: str
    load: str
    processes: int
    deliveries: int
    seconds: float
    deliveries_per_second: float


def measure(names: Sequence[str], sizes: Sequence[int], deliveries: int, say: Callable[[str], None]) -> list[Measured]:
    """One run for each algorithm, load and size.

    The first run of each algorithm only compiles it, or loads what was compiled.
    """
    measured = []
    for name in names:
        say(f"compiling {name}")
        _run(name, 3, "unicast", 30)
        for load in ("unicast", "multicast"):
            for n in sizes:
                say(f"{name}, {load}, n = {n}")
                measured.append(_run(name, n, load, deliveries))
    return measured


def table(measured: Sequence[Measured]) -> list[list[str]]:
    """Rows for algorithm and load, columns for sizes, deliveries in a second in the cells."""
    sizes = list(dict.fromkeys(each.processes for each in measured))
    rows = [["algorithm", "load", *(f"n = {n}" for n in sizes)]]
    for name, load in dict.fromkeys((each.algorithm, each.load) for each in measured):
        here = {each.processes: each for each in measured if (each.algorithm, each.load) == (name, load)}
        rows.append([name, load, *(f"{here[n].deliveries_per_second:,.0f}" for n in sizes)])
    return rows


def _run(name: str, n: int, load: str, deliveries: int) -> Measured:
    """A run in which a third of the copies only fills what processes know."""
    each = max(3, deliveries // n)
    channel, dependence = ("fifo", 0.5) if name == "gk" else ("unordered", None)
    schedule = draw(
        Workload(n, load, warmup=each // 3, measured=each - each // 3, channel=channel, dependence=dependence)
    )
    extra: dict[str, Any] = {"thresholds": (n + 1,)} if name == "sa" else {}
    seconds = simulate(name, schedule, **extra).seconds
    return Measured(name, load, n, len(schedule.dest), seconds, len(schedule.dest) / seconds)
