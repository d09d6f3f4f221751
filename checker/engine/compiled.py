"""One place for the compiler's settings, and for where compiled kernels are kept between runs.

The compiler checks a kept kernel only against its own source file, not against those of the functions it calls, so
the folder is named by a digest of all sources of the engine: any change starts a new one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config

ROOM = 16 << 20
"""Bytes that a new folder must be able to take; all kernels together need less."""

NOT_KEPT = (
    "compiled kernels are not kept, so every run compiles them anew: no cache folder can be written "
    "(NUMBA_CACHE_DIR names one)"
)


def _digest() -> str:
    """Identifies the sources of this package and the compiler."""
    total = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        total.update(source.read_bytes())
    return total.hexdigest()[:16]


def _takes(folder: Path) -> bool:
    """Whether files can be written in `folder`, which is made if need be."""
    try:
        new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        try:
            probe.write_bytes(bytes(ROOM if new else 1))
        finally:
            probe.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _folder() -> Path | None:
    """Where kernels are kept: the folder the user names, beside the sources, or the user's cache; None for nowhere."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    places = [Path(own)] if own else [Path(__file__).parent / "__pycache__", cache / "precede"]
    return next((place for place in (p / f"kernels-{_digest()}" for p in places) if _takes(place)), None)


CACHE = _folder()
if CACHE is not None:
    setattr(config, "CACHE_DIR", str(CACHE))  # noqa: B010 - the compiler makes its settings at run time


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is kept on disk."""
    return numba.njit(nogil=True, cache=CACHE is not None, boundscheck=False)(function)
