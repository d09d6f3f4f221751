"""One place for the compiler's settings, and for where compiled kernels are kept between runs.

The compiler checks a kept kernel only against its own source file, not against those of the functions it calls, so
the folder is named by a digest of all sources that use this module: any change starts a new one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numba
from numba.core import config
from numba.core.cpu import CPUTargetOptions

ROOM = 16 << 20
"""Bytes that a new folder must be able to take; all kernels together need less."""

KEPT = 4
"""Folders of compiled kernels that are kept beside the own one."""

COMPILED_NOW = "the seconds include the compilation of the kernels"

NOT_KEPT = (
    "compiled kernels are not kept, so every run compiles them anew: no cache folder can be written "
    "(NUMBA_CACHE_DIR names one)"
)


def _digest() -> str:
    """Identifies the sources of this package, of the others with kernels of its kind, and the compiler."""
    total = hashlib.sha256(f"{numba.__version__} {__name__}".encode())
    here = Path(__file__).parent
    for folder in (here, here.parent / "histories", here.parent / "pipeline" / "explore"):
        for source in sorted(folder.glob("*.py")):
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


def _forget_old(folder: Path) -> None:
    """Remove the kernels of older sources beside `folder`; the newest few may still be in use elsewhere."""
    others = [path for path in folder.parent.glob("kernels-*") if path != folder]
    with suppress(OSError):  # another process may do the same
        for old in sorted(others, key=os.path.getmtime)[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def _import_without_scipy() -> None:
    """Import the compiler's array functions without SciPy's linear algebra: no kernel uses it, and it takes longer to
    import than all of this package. Where it is not found they do without."""
    name = "scipy.linalg"
    if name in sys.modules:
        return
    sys.modules[name] = cast(Any, None)
    try:
        import_module("numba.np.arraymath")
    finally:
        del sys.modules[name]


_import_without_scipy()
CACHE = _folder()
if CACHE is not None:
    _forget_old(CACHE)
    setattr(config, "CACHE_DIR", str(CACHE))  # noqa: B010 - the compiler makes its settings at run time


def compilation_notes() -> tuple[str, ...]:
    """What a reader of the seconds of a search that begins now should know."""
    if CACHE is None:
        return (NOT_KEPT,)
    return () if any(CACHE.glob("**/*.nbi")) else (COMPILED_NOW,)


UNCOUNTED: dict[str, Any] = {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}
"""Compile without counting references to arrays, where the compiler lets us: kernels neither make arrays nor keep them,
and the counting took most of their time."""


SETTINGS: dict[str, Any] = {"nogil": True, "boundscheck": False, "no_cfunc_wrapper": True}
"""Of all that is compiled. Nothing is called from C, for which an eighth of the compilation would be spent."""


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` to native code that runs without the interpreter lock; the result is kept on disk. It may
    neither make nor return arrays."""
    return numba.njit(cache=CACHE is not None, **SETTINGS, **UNCOUNTED)(function)


def allocating(function: Callable[..., Any]) -> Any:
    """The same for a function that makes arrays for itself."""
    return numba.njit(cache=CACHE is not None, **SETTINGS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A part of a kernel that is compiled into it, since a call would pass every array of every bundle."""
    return numba.njit(inline="always", **SETTINGS)(function)
