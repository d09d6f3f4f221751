"""The kernels of the study, compiled and kept (`checker.pipeline.compiling`), and what they all use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from .. import compiling

NAMES = ("kernel", "compiled", "drawing", "loop", "truth", "workload")
"""How the sources with kernels begin."""

FOLDER = compiling.kept_folder("study", (p for p in Path(__file__).parent.glob("*.py") if p.name.startswith(NAMES)))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is kept on disk."""
    return compiling.compiled(function, FOLDER, boundscheck=False)


def part(function: Callable[..., Any]) -> Any:
    """A function that is compiled as part of the kernels that call it, and kept with them."""
    return numba.njit(nogil=True, boundscheck=False)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A part that is compiled into its caller, since a call would pass every array of every bundle."""
    return numba.njit(nogil=True, boundscheck=False, inline="always")(function)


@part
def copy(target: Any, source: Any) -> None:
    """Copy a vector or, row by row, a matrix; compiled faster than an assignment of slices."""
    flat, other = target.ravel(), source.ravel()
    for x in range(len(flat)):
        flat[x] = other[x]


@part
def clear(target: Any) -> None:
    """Set a vector to 0."""
    for x in range(len(target)):
        target[x] = 0
