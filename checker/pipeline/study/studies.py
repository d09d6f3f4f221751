"""The studies: which points each of them has, at which scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ...errors import UsageError
from .points import Point, with_seeds
from .workload import Workload

SIZES = (10, 20, 30, 40, 50)
LOADS = ("unicast", "multicast")
FULL_WARMUP, FULL_MEASURED = 10_000, 50_000
"""Copies that each process receives in the paper's study (Section 6.2)."""
SMALL = 0.02
"""The scale unless another is asked for: 200 and 1,000 copies."""
VARIED = 0.05
"""The largest scale at which what the paper does not say is varied, and at which the other studies run."""
VARIED_SEEDS = 3
LEAST_WARMUP = 10
"""Copies for each process there is that every process receives before it is measured, however small the scale."""
LEAST_DELAYS = 20
"""Mean delays that the warm-up lasts at least, since what copies carry depends on what is in transit."""
LARGE = (100, 200, 500)

BASE = "base"
"""The group of the points that the source itself has, or against which a group is judged."""

VARIATIONS: dict[str, dict[str, Any]] = {
    "delay 0.01 s": {"delay": 0.01},
    "delay 1 s": {"delay": 1.0},
    "delay constant": {"delay_shape": "constant"},
    "delay uniform": {"delay_shape": "uniform"},
    "delay heavy-tailed": {"delay_shape": "heavy"},
    "interval constant": {"interval_shape": "constant"},
    "fifo channels": {"channel": "fifo"},
    "destinations n/2": {"destinations": "half"},
    "destinations binomial": {"destinations": "binomial"},
    "destinations 0..n": {"destinations": "with-none"},
}
"""What Jang et al. leave open, by the name of the group (reading J-21)."""

FORMS = tuple(
    tuple(f"PRS-{question}{letter}" for question, letter in enumerate(letters, 2))
    for letters in product("ab", "abcd", "ab")
)
"""The forms of PRS: replace or unite; learn and prune, prune, learn, neither; all of CB, or less."""

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
SA_SIZES = (4, 10, 20, 30, 40, 50)
GK_SIZES = (5, 10, 20, 30)
RATIOS = {"delay 0.1 intervals": 0.01, "delay 1 interval": 0.1, "delay 10 intervals": 1.0}


@dataclass(frozen=True)
class Settings:
    """A study and its size. `scale` 1 is that of Jang's paper; `seeds` 5 are its five runs."""

    study: str
    scale: float = SMALL
    seeds: int = 3

    def __post_init__(self) -> None:
        """Raises UsageError for what is no study."""
        if self.study not in STUDIES:
            raise UsageError(f"no study is called {self.study!r}: choose one of {', '.join(STUDIES)}")
        if not 0.0002 <= self.scale <= 1:
            raise UsageError("--scale is a number between 0.0002 and 1, where 1 is the paper's size")
        if not 1 <= self.seeds <= 1000:
            raise UsageError("--seeds is a number between 1 and 1000")

    def load(self, processes: int, scale: float = 1.0, **changes: Any) -> Workload:
        """A workload with the copies of this scale, `scale` at most, but a warm-up in which all get to know of all and
        the packets in transit have become as many as they stay."""
        used = min(self.scale, scale)
        work = Workload(processes, measured=max(1, round(FULL_MEASURED * used)), **changes)
        copies_of_a_send = 1 if work.load == "unicast" else processes / 2
        settling = LEAST_DELAYS * work.delay / work.interval * copies_of_a_send
        least = min(FULL_WARMUP, max(LEAST_WARMUP * processes, round(settling)))
        return replace(work, warmup=max(round(FULL_WARMUP * used), least))

    def points(self) -> list[Point]:
        """All points, with every seed."""
        return list(dict.fromkeys(STUDIES[self.study](self)))


def _jang(s: Settings) -> Iterator[Point]:
    """Section 6.2, and the same with what it does not say varied."""
    for name in ("rst", "prs", "jang"):
        for n in SIZES:
            for load in LOADS:
                yield from with_seeds([Point("jang", BASE, name, s.load(n, load=load))], s.seeds)
                for group, changes in VARIATIONS.items():
                    if load == "multicast" or "destinations" not in changes:
                        point = Point("jang", group, name, s.load(n, VARIED, load=load, **changes))
                        yield from with_seeds([point], min(s.seeds, VARIED_SEEDS))


def _prs(s: Settings) -> Iterator[Point]:
    """The claims about Figures 2 and 3 for every form of PRS (reading J-19), a group for each; RST and Jang as base."""
    for n in SIZES:
        for load in LOADS:
            work = s.load(n, VARIED, load=load)
            points = [Point("prs", BASE, name, work) for name in ("rst", "jang")]
            for form in FORMS:
                changed = tuple(reading for reading in form if not reading.endswith("a"))
                points.append(Point("prs", " ".join(form), "prs", work, readings=changed))
            yield from with_seeds(points, s.seeds)


def thresholds_of(n: int) -> dict[str, tuple[int, ...]]:
    """The thresholds of SA that are compared, by name; "mixed": every other process has n^2, the others n + 1."""
    mixed = tuple(n + 1 if p % 2 == 0 else n * n for p in range(n))
    return {"n+1": (n + 1,), "2n": (2 * n,), "n^2/2": (max(n + 1, n * n // 2),), "n^2": (n * n,), "mixed": mixed}


def _sa(s: Settings) -> Iterator[Point]:
    """The open questions of Sanchez and Alvarez, C-SA-FW1 to 4: unicasts, as in their paper."""
    for n in SA_SIZES:
        for delay in (0.1, 1.0):
            load = s.load(n, VARIED, load="unicast", delay=delay)
            group = f"delay {delay:g} s"
            points = [Point("sa", group, name, load) for name in ("ks", "rst", "jang")]
            points += [Point("sa", group, "sa", load, "causal", K) for K in thresholds_of(n).values()]
            yield from with_seeds(points, s.seeds)


def _gk(s: Settings) -> Iterator[Point]:
    """What semantic order gains over causal order (GK-20), as the share of sends that depend on something varies."""
    for n in GK_SIZES:
        for load in LOADS:
            for delay in (0.1, 1.0):
                for share in SHARES:
                    work = s.load(n, VARIED, load=load, delay=delay, channel="fifo", dependence=share)
                    both = [Point("gk", f"delay {delay:g} s", name, work, "semantic") for name in ("gk", "rst")]
                    yield from with_seeds(both, s.seeds)


def _ks(s: Settings) -> Iterator[Point]:
    """The overhead of KS and of others as a fraction of RST's; and of KS and Jang for many processes."""
    for group, delay in RATIOS.items():
        for n in SIZES:
            for load in LOADS:
                work = s.load(n, VARIED, load=load, delay=delay)
                yield from with_seeds(
                    [Point("ks", group, name, work) for name in ("ks", "jang", "prs", "ses")], s.seeds
                )
    for n in LARGE:
        for load in LOADS:
            work = replace(s.load(n, VARIED, load=load), **LARGE_COPIES[load, n])
            yield from with_seeds([Point("ks", "large", name, work) for name in ("ks", "jang")], min(s.seeds, 2))


LARGE_COPIES: dict[tuple[str, int], dict[str, Any]] = {
    ("unicast", 100): {"warmup": 200, "measured": 100},
    ("unicast", 200): {"warmup": 200, "measured": 50},
    ("unicast", 500): {"warmup": 100, "measured": 10},
    ("multicast", 100): {"warmup": 500, "measured": 500},
    ("multicast", 200): {"warmup": 1000, "measured": 500},
    ("multicast", 500): {"warmup": 2000, "measured": 500},
}
"""Copies for many processes, where every one is expensive: enough to know of every sender."""

STUDIES: dict[str, Callable[[Settings], Iterator[Point]]] = {
    "jang": _jang,
    "prs": _prs,
    "sa": _sa,
    "gk": _gk,
    "ks": _ks,
}
