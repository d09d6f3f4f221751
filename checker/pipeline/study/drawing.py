"""Random numbers: streams that depend on a seed and a process only, and delays that depend on a count only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import part

Floats = NDArray[np.float64]

INTERVALS, COUNTS, DESTINATIONS, DELAYS, DEPENDENCES = range(5)
"""What a stream is for."""

EXPONENTIAL, CONSTANT, UNIFORM, HEAVY = range(4)
SHAPES = {"exponential": EXPONENTIAL, "constant": CONSTANT, "uniform": UNIFORM, "heavy": HEAVY}
"""The distributions by name: exponential; constant; uniform between 0 and twice the mean; heavy-tailed: Pareto with
shape 2.1, which has a mean and a finite variance and whose largest values are far from the mean."""
PARETO = 2.1


def stream(seed: int, process: int, purpose: int) -> np.random.Generator:
    """A stream of its own for each seed, process and purpose: Philox, keyed by a hash of the three."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, process, purpose])))


@part
def fold(a: int, b: int, c: int) -> Any:
    """64 well mixed bits of three whole numbers (the finaliser of SplitMix64, after each)."""
    x = mixed(np.uint64(0x9E3779B97F4A7C15), np.int64(a))
    return mixed(mixed(x, np.int64(b)), np.int64(c))


@part
def mixed(x: Any, y: Any) -> Any:
    """64 bits of `x` and one number more."""
    x = (x ^ np.uint64(y)) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@part
def shaped(u: float, shape: int, mean: float) -> float:
    """The value of a distribution with this mean where its distribution function is `u`, 0 <= u < 1."""
    if shape == EXPONENTIAL:
        return -math.log1p(-u) * mean
    if shape == UNIFORM:
        return 2 * u * mean
    if shape == HEAVY:
        return mean * (PARETO - 1) / PARETO * (1 - u) ** (-1 / PARETO)
    return mean


@part
def drawn_delay(seed: int, channel: int, count: int, shape: int, mean: float) -> float:
    """The delay of packet `count` on a channel that the workload does not know of, such as an extra message."""
    u = (fold(seed, channel, count) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
    return shaped(u, shape, mean)


def many(generator: np.random.Generator, size: int, shape: str, mean: float) -> Floats:
    """`size` values of a distribution with this mean."""
    u = generator.random(size)
    if shape == "exponential":
        return -np.log1p(-u) * mean
    if shape == "uniform":
        return 2 * u * mean
    if shape == "heavy":
        drawn: Floats = mean * (PARETO - 1) / PARETO * (1 - u) ** (-1 / PARETO)
        return drawn
    return np.full(size, mean)
