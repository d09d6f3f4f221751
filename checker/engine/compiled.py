"""One place for the compiler's settings, and for what to do where its cache cannot be written."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core import config


def _cache_is_usable(function: Any) -> bool:
    """Whether the compiler finds a writable folder for `function`: beside the source, or the user's cache folder."""
    try:
        numba.njit(cache=True)(function)
    except (RuntimeError, OSError):
        return False
    return True


def _probe() -> int:
    return 0


if not _cache_is_usable(_probe):
    config.CACHE_DIR = tempfile.mkdtemp(prefix="precede-kernels-")
    warnings.warn("no writable cache folder: kernels are compiled anew in every run", stacklevel=2)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is cached on disk."""
    return numba.njit(nogil=True, cache=True, boundscheck=False)(function)
