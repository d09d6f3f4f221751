"""How fast the compiled algorithms are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .kernels import KERNELS, simulate
from .workload import Workload, draw


def measure(sizes: Sequence[int], deliveries: int, say: Callable[[str], None]) -> list[list[str]]:
    """Microseconds of CPU time for one delivery, in rows: algorithm, load, and one figure for each size.

    The first run of each algorithm only compiles it, or loads what was compiled.
    """
    rows = [["algorithm", "load", *(f"n = {n}" for n in sizes)]]
    for name in KERNELS:
        say(f"compiling {name}")
        _run(name, 3, "unicast", 30)
        for load in ("unicast", "multicast"):
            figures = []
            for n in sizes:
                say(f"{name}, {load}, n = {n}")
                figures.append(f"{_run(name, n, load, deliveries):.2f}")
            rows.append([name, load, *figures])
    return rows


def _run(name: str, n: int, load: str, deliveries: int) -> float:
    """The mean of one run in which a third of the copies only fills what processes know."""
    each = max(3, deliveries // n)
    channel, dependence = ("fifo", 0.5) if name == "gk" else ("unordered", None)
    schedule = draw(
        Workload(n, load, warmup=each // 3, measured=each - each // 3, channel=channel, dependence=dependence)
    )
    extra: dict[str, Any] = {"thresholds": (n + 1,)} if name == "sa" else {}
    return simulate(name, schedule, **extra).seconds / len(schedule.dest) * 1e6
