"""Compiled kernels of the jobs, each job's kept in a folder of its own.

The compiler checks a kept kernel against its own source file only, so the folder is named by a digest of all sources
with kernels of the job; see `checker.engine.compiled`, which does the same for the engines.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
from numba.core import config


def kept_folder(job: str, sources: Iterable[Path]) -> Path | None:
    """Where kernels are kept: the folder the user names, beside the sources, or the user's cache; None for nowhere."""
    total = hashlib.sha256(f"{numba.__version__} {__name__}".encode())
    for source in sorted(sources):
        total.update(source.read_bytes())
    own = os.environ.get("NUMBA_CACHE_DIR")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    places = [Path(own)] if own else [Path(__file__).parent / "__pycache__", cache / "precede"]
    return next((place for place in (p / f"{job}-{total.hexdigest()[:16]}" for p in places) if _takes(place)), None)


def compiled(function: Callable[..., Any], folder: Path | None, boundscheck: bool | None = None) -> Any:
    """`function` as native code that runs without the interpreter lock, kept in `folder` if there is one."""
    before = getattr(config, "CACHE_DIR")  # noqa: B009 - the compiler makes its settings at run time
    if folder is not None:
        setattr(config, "CACHE_DIR", str(folder))  # noqa: B010
    try:
        return numba.njit(nogil=True, cache=folder is not None, boundscheck=boundscheck)(function)
    finally:
        setattr(config, "CACHE_DIR", before)  # noqa: B010


def _takes(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"-")
        probe.unlink()
    except OSError:
        return False
    return True
