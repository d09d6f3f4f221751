"""Means over seeds with confidence intervals, and the figures that are made of several means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

LEVEL = 0.95

Row = dict[str, Any]


class Estimate(NamedTuple):
    """A mean over seeds and its confidence interval (Student's t, 95 %); one seed alone has no interval."""

    mean: float
    low: float
    high: float
    seeds: int

    @property
    def below_zero(self) -> bool:
        """Whether the whole interval is."""
        return self.high < 0

    @property
    def above_zero(self) -> bool:
        """Whether the whole interval is."""
        return self.low > 0

    def text(self, digits: int = 2) -> str:
        """The mean with half the interval."""
        half = (self.high - self.low) / 2
        return f"{self.mean:,.{digits}f} ± {half:,.{digits}f}" if self.seeds > 1 else f"{self.mean:,.{digits}f}"


def estimate(values: Iterable[float]) -> Estimate:
    """Of values that are one for each seed."""
    x = np.array(list(values), dtype=np.float64)
    mean = float(x.mean())
    if len(x) < 2:
        return Estimate(mean, mean, mean, len(x))
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(x) - 1) * x.std(ddof=1) / np.sqrt(len(x)))
    return Estimate(mean, mean - half, mean + half, len(x))


class Rows:
    """Rows of a study, looked up by what they are; figures are taken seed by seed, so differences are paired."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = list(rows)

    def where(self, **wanted: Any) -> Rows:
        """Those whose columns have these values."""
        return Rows([r for r in self.rows if all(r[name] == value for name, value in wanted.items())])

    def values(self, column: str) -> list[Any]:
        """The different values of a column, sorted."""
        return sorted({r[column] for r in self.rows})

    def by_seed(self, figure: str | Callable[[Row], float]) -> dict[int, float]:
        """A figure of each seed: a column, or a function of the row."""
        return {r["seed"]: float(r[figure] if isinstance(figure, str) else figure(r)) for r in self.rows}

    def mean(self, figure: str | Callable[[Row], float]) -> Estimate:
        """The mean over seeds."""
        return estimate(self.by_seed(figure).values())

    def __len__(self) -> int:
        return len(self.rows)


def paired(one: Rows, other: Rows, figure: str, how: Callable[[float, float], float]) -> Estimate:
    """The mean over the seeds that both have of a function of the two figures."""
    left, right = one.by_seed(figure), other.by_seed(figure)
    return estimate(how(left[seed], right[seed]) for seed in sorted(left.keys() & right.keys()))


def exponent(sizes: Sequence[int], means: Sequence[float]) -> float:
    """b of the fit a * n^b by least squares of the logarithms; not a number where there are fewer than two sizes."""
    if len(set(sizes)) < 2:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(means), 1)[0])


def crossing(sizes: Sequence[int], ratios: Sequence[float]) -> float | None:
    """Where a ratio passes 1 from below, on straight lines between the sizes; None where it does not."""
    for (n, r), (m, s) in zip(zip(sizes, ratios, strict=True), zip(sizes[1:], ratios[1:], strict=True), strict=False):
        if r < 1 <= s:
            return n + (m - n) * (1 - r) / (s - r)
    return None
