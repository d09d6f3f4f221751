"""Files that a command reads, up to a size, and writes: probed before a long run, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .errors import EnvironmentProblem, UsageError
from .progress import size_text


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


def read_bytes(path: Path, what: str, largest: int) -> bytes:
    """The content of a file of at most `largest` bytes that should be a `what`, such as a trace.

    Raises EnvironmentProblem where there is no such file, or it cannot be read or is larger.
    """
    try:
        if not path.exists():
            raise EnvironmentProblem(f"{path}: no such {what} file")
        if not path.is_file():
            raise EnvironmentProblem(f"{path}: not a regular file; name a {what} file")
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise EnvironmentProblem(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise EnvironmentProblem(f"{str(path)!r}: not a file name") from None
    if len(data) > largest:
        raise EnvironmentProblem(f"{path}: larger than {size_text(largest)}, which no {what} is")
    return data


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
