"""Kernels: functions compiled to native code, which is kept between runs and loaded without the compiler.

Importing the compiler takes longer than a small check. So a kernel is compiled once for each kind of arguments, by
`compiler`, and the native code is kept in a file; later runs load that file (`native`) and never import the compiler.
The folder of the files is named by a digest of all sources with kernels, the versions of the compiler and the
processor: any change starts a new one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite
import numpy as np

from .limits import no_call
from .native import Entry, Kernel, Kinds, keep, load, processor

ROOM = 16 << 20
"""Bytes that a new folder must be able to take; all kernels together need less."""

SUFFIX = ".kernel"

KEPT = 4
"""Folders of compiled kernels that are kept beside the own one."""

COMPILED_NOW = "the seconds include the compilation of the kernels"

NOT_KEPT = (
    "compiled kernels are not kept, so every run compiles them anew: no cache folder can be written "
    "(NUMBA_CACHE_DIR names one)"
)


def _digest() -> str:
    """Identifies the sources of this package, of the others with kernels of its kind, the compiler and the
    processor."""
    total = hashlib.sha256(f"{llvmlite.__version__} {np.__version__} {_compiler_time()} {processor()}".encode())
    here = Path(__file__).parent
    for folder in (here, here.parent / "histories", here.parent / "pipeline" / "explore"):
        for source in sorted(folder.glob("*.py")):
            total.update(source.read_bytes())
    return total.hexdigest()[:16]


def _compiler_time() -> int:
    """When the compiler was installed: its version is not known without an import."""
    found = find_spec("numba")
    return os.stat(found.origin).st_mtime_ns if found is not None and found.origin else 0


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


CACHE = _folder()
if CACHE is not None:
    _forget_old(CACHE)


def compilation_notes() -> tuple[str, ...]:
    """What a reader of the seconds of a search that begins now should know."""
    if CACHE is None:
        return (NOT_KEPT,)
    return () if any(CACHE.glob(f"*{SUFFIX}")) else (COMPILED_NOW,)


def kernel(function: Callable[..., Any]) -> Kernel:
    """`function` as native code that runs without the interpreter lock. It may neither make nor return arrays, nor
    raise; it returns integers and truth values, or nothing."""
    return Kernel(function, False, _provided)


def inlined(function: Callable[..., Any]) -> Kernel:
    """A part of kernels that is compiled into them, since a call would pass every array of every bundle."""
    return Kernel(function, True, _provided)


def _provided(kernel: Kernel, arguments: tuple[Any, ...], kinds: Kinds) -> Entry:
    """The native code of a kernel from its file, or compiled now."""
    name = f"{kernel.name}-{hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]}"
    file = CACHE / f"{name}{SUFFIX}" if CACHE is not None else None
    kept = load(file) if file else None
    if kept is not None:
        return kept
    with no_call("the compilation of a kernel"):
        compile_now = import_module(".compiler", __package__).compiled  # only where it is needed: see above
        made = compile_now(kernel, arguments, name)
    if file is not None:
        keep(file, made)
    return Entry(made)
