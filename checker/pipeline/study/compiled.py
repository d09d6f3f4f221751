"""The compiler's settings for the kernels of the study, which are kept in a folder of their own.

The compiler checks a kept kernel against its own source file only, so the folder is named by a digest of all sources
of the study; see `checker.engine.compiled`, which does the same for the engine.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config


def _digest() -> str:
    total = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        if source.name.startswith(("kernel", "compiled", "drawing", "loop", "truth", "workload")):
            total.update(source.read_bytes())
    return total.hexdigest()[:16]


def _takes(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"-")
        probe.unlink()
    except OSError:
        return False
    return True


def _folder() -> Path | None:
    """Where kernels are kept: the folder the user names, beside the sources, or the user's cache; None for nowhere."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    places = [Path(own)] if own else [Path(__file__).parent / "__pycache__", cache / "precede"]
    return next((place for place in (p / f"study-{_digest()}" for p in places) if _takes(place)), None)


FOLDER = _folder()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is kept on disk."""
    before = getattr(config, "CACHE_DIR")  # noqa: B009 - the compiler makes its settings at run time
    if FOLDER is not None:
        setattr(config, "CACHE_DIR", str(FOLDER))  # noqa: B010
    try:
        return numba.njit(nogil=True, cache=FOLDER is not None, boundscheck=False)(function)
    finally:
        setattr(config, "CACHE_DIR", before)  # noqa: B010


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
