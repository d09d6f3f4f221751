"""The compiler's settings for the kernels of the audit, which are kept in a folder of their own.

The compiler checks a kept kernel against its own source file only, so the folder is named by a digest of all sources
with kernels; see `checker.engine.compiled`, which does the same for the engine.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config

SOURCES = ("chains", "compiled", "crowns", "holding", "pairing", "synchrony")


def _folder() -> Path | None:
    """Where kernels are kept: the folder the user names, beside the sources, or the user's cache; None for nowhere."""
    total = hashlib.sha256(numba.__version__.encode())
    for name in SOURCES:
        total.update((Path(__file__).parent / f"{name}.py").read_bytes())
    own = os.environ.get("NUMBA_CACHE_DIR")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    places = [Path(own)] if own else [Path(__file__).parent / "__pycache__", cache / "precede"]
    return next((place for place in (p / f"audit-{total.hexdigest()[:16]}" for p in places) if _takes(place)), None)


def _takes(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"-")
        probe.unlink()
    except OSError:
        return False
    return True


FOLDER = _folder()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is kept on disk."""
    before = getattr(config, "CACHE_DIR")  # noqa: B009 - the compiler makes its settings at run time
    if FOLDER is not None:
        setattr(config, "CACHE_DIR", str(FOLDER))  # noqa: B010
    try:
        return numba.njit(nogil=True, cache=FOLDER is not None)(function)
    finally:
        setattr(config, "CACHE_DIR", before)  # noqa: B010


def part(function: Callable[..., Any]) -> Any:
    """A function that is compiled as part of the kernels that call it, and kept with them."""
    return numba.njit(nogil=True)(function)
