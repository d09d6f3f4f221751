"""A user's Python file: run once, with errors that name the file and the line."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .errors import SpecificationError, UsageError
from .labels import Labels, instrument


@dataclass(frozen=True)
class UserFile:
    """A file that was run: its module, whose labelled statements count, and its source."""

    source: bytes
    module: ModuleType
    labels: Labels


_files: dict[Path, UserFile] = {}
"""The files run so far, so that a model and a property of one file see the same classes."""


def run_file(path: Path) -> UserFile:
    """Run a file as `python file.py` would. Raises UsageError (no such file) or SpecificationError (it fails)."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}; give path/to/file.py:Name") from None
    known = _files.get(path.resolve())
    if known and known.source == source:
        return known
    try:
        code, labels = instrument(source.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise SpecificationError(f"{path} is not a Python file in UTF-8: byte {error.start} is wrong") from None
    except SyntaxError as error:
        raise SpecificationError(f"{path}, line {error.lineno}: {one_line(error)}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise SpecificationError(f"{path} is not a Python file: {one_line(error)}") from None
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        module = execute(code, labels, f"precede_user_{path.stem}", str(path), None)
    except (Exception, SystemExit) as error:
        line = line_in(error, str(path))
        advice = "the file must run without errors"
        if "relative import" in str(error):
            advice = "a file is run by itself: write `import name` for a file beside it"
        raise SpecificationError(f"{path}, line {line}: {one_line(error)}; {advice}") from None
    _files[path.resolve()] = UserFile(source, module, labels)
    return _files[path.resolve()]


def execute(code: CodeType, labels: Labels, name: str, file: str | None, package: str | None) -> ModuleType:
    """The module that instrumented code makes."""
    module = ModuleType(name)
    module.__file__ = file
    module.__package__ = package
    module.__dict__.update(labels.namespace())
    sys.modules[name] = module
    with prints_to_stderr():
        exec(code, module.__dict__)
    return module


def prints_to_stderr() -> AbstractContextManager[Any]:
    """A context for user code: standard output belongs to the result, which may be JSON."""
    return redirect_stdout(sys.stderr)


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names for an error of one line; of many only the first."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "") or "none"


def line_in(error: BaseException, filename: str) -> int | None:
    """The line of `filename` in which `error` arose, the innermost; None when it did not pass through that file."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == filename), None)


def one_line(error: BaseException) -> str:
    """The type and the text of an exception, without line breaks."""
    text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
