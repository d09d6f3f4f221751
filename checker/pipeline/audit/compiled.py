"""The kernels of the audit, compiled and kept (`checker.pipeline.compiling`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from .. import compiling

SOURCES = ("chains", "compiled", "crowns", "holding", "pairing", "synchrony")
FOLDER = compiling.kept_folder("audit", (Path(__file__).parent / f"{name}.py" for name in SOURCES))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is kept on disk."""
    return compiling.compiled(function, FOLDER)


def part(function: Callable[..., Any]) -> Any:
    """A function that is compiled as part of the kernels that call it, and kept with them."""
    return numba.njit(nogil=True)(function)
