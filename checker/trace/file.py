"""Trace files: written whole or not at all; read as untrusted input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import EnvironmentProblem
from ..files import read_bytes, write_text
from .data import Trace
from .document import as_json
from .fields import Wrong
from .reading import parse_trace

LARGEST_FILE = 64 * 2**20
WIDTH = 120


def write_trace(trace: Trace, path: Path | str) -> None:
    """Write a trace. Raises EnvironmentProblem (full disk, no permission), with nothing half-written left behind."""
    write_text(Path(path), as_text(trace))


def as_text(trace: Trace) -> str:
    """A trace as the text of its file."""
    return _pretty(as_json(trace), 0) + "\n"


def read_trace(path: Path | str) -> Trace:
    """Read a trace file of this version or an older one. Raises EnvironmentProblem, one line, for anything else."""
    data = read_bytes(Path(path), "trace", LARGEST_FILE)
    try:
        return parse_trace(_json(data))
    except Wrong as error:
        raise EnvironmentProblem(f"{path}: {error}") from None


def _json(data: bytes) -> object:
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise Wrong("not a trace: the file is binary, not JSON text") from None
    except json.JSONDecodeError as error:
        raise Wrong(
            f"not a trace: JSON ends or breaks in line {error.lineno} ({error.msg}); is it truncated?"
        ) from None
    except RecursionError:
        raise Wrong("not a trace: JSON nested too deeply") from None
    except ValueError:
        raise Wrong("not a trace: it holds a number that no trace holds") from None


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _pretty(value: Any, indent: int) -> str:
    """JSON with short values on one line, so that a matrix stays readable."""
    line = json.dumps(value)
    if not isinstance(value, dict | list) or not value or (indent and len(line) + indent <= WIDTH):
        return line
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {_pretty(item, indent + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + _pretty(item, indent + 1) for item in value) + "\n" + " " * indent + "]"
