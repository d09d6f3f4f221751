"""Files that a command writes: probed before a long run, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .errors import EnvironmentProblem, UsageError


def probe(path: Path, option: str) -> None:
    """Make sure that `path` can be written, without changing it, so that a long run does not end in a lost result.

    Raises EnvironmentProblem or UsageError with one line that names `option`.
    """
    if path.is_dir():
        raise UsageError(f"{option} {path}: this is a folder; name a file")
    try:
        if path.exists():
            with path.open("ab"):
                pass
        if path.is_file() or not path.exists():
            with tempfile.TemporaryFile(dir=path.parent):
                pass
    except OSError as error:
        raise EnvironmentProblem(f"{option} {path}: cannot be written: {error.strerror}") from None


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` through a temporary file beside it, so that no half-written file is ever left.

    A device or a pipe is written to directly. Raises EnvironmentProblem.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise EnvironmentProblem(f"{path}: cannot be written: {error.strerror}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
