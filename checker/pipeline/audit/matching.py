"""A regular expression run over a log in a child process: one that backtracks for ever is ended, with all it used.

Run as a module, this file is the child: it reads a request as JSON from standard input (expression, delimiter) and the
path of the log, and prints one JSON list for each match.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import EnvironmentProblem, UsageError

LARGEST_LOG = 512 * 2**20
MOST_MEMORY = 4 * 2**30
MOST_SHOWN = 5
POLL = 0.02


class Match(NamedTuple):
    """One event: its execution, the line at which the match begins, and its named groups."""

    execution: str
    line: int
    groups: dict[str, str]


class Matches(NamedTuple):
    """All of a log; `unmatched` counts the lines with text that no match covers, `first_unmatched` are the first
    few."""

    found: list[Match]
    unmatched: int
    first_unmatched: list[int]


def matches(path: Path, expression: str, delimiter: str | None, seconds: float) -> Matches:
    """Every match of `expression` in a log, in its order. Raises EnvironmentProblem for a log that cannot be read,
    UsageError when the expression does not come to its end within `seconds`."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [sys.executable, "-c", "from precede.checker.pipeline.audit.matching import child; child()"],
            stdin=subprocess.PIPE, stdout=output, stderr=errors,
        )  # fmt: skip
        request = json.dumps({"path": str(path), "expression": expression, "delimiter": delimiter})
        try:
            child.communicate(request.encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            output.seek(0)
            lines = output.read().splitlines()
            at = json.loads(lines[-2])[1] if len(lines) > 1 else 1
            raise UsageError(
                f"{path}: the regular expression did not come to its end within {seconds:g} s (it got to line {at:,} "
                "at least); give one that backtracks less, or a larger --parse-limit"
            ) from None
        finally:
            child.kill()
            child.wait()
        if child.returncode:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()
            raise EnvironmentProblem(f"{path}: {said[-1][:200] if said else 'the reader of the log ended early'}")
        output.seek(0)
        found = [json.loads(line) for line in output]
    last = found.pop()
    return Matches([Match(*one) for one in found], last["unmatched"], last["first"])


def child() -> None:
    """The child process: matches as JSON lines, then what no match covers."""
    request = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    try:
        _print_matches(Path(request["path"]), request["expression"], request["delimiter"])
    except MemoryError:
        sys.exit("out of memory while the log was matched")
    except (OSError, ValueError) as error:
        sys.exit(str(error))


def _print_matches(path: Path, expression: str, delimiter: str | None) -> None:
    with path.open("rb") as file:
        data = file.read(LARGEST_LOG + 1)
    if len(data) > LARGEST_LOG:
        raise ValueError(f"larger than {LARGEST_LOG // 2**20} MiB, which no log for a regular expression may be")
    text = data.decode("utf-8", errors="replace").replace("\r\n", "\n")
    del data
    pattern = re.compile(expression, re.MULTILINE | re.ASCII)
    first: list[int] = []
    unmatched, line, counted, shown = 0, 1, 0, time.monotonic()
    for name, begin, end in _executions(text, delimiter):
        place = begin
        for match in pattern.finditer(text, begin, end):
            if match.end() == match.start():
                continue
            unmatched = _leave(text, place, match.start(), unmatched, first)
            line += text.count("\n", counted, match.start())
            counted = match.start()
            place = match.end()
            groups = {key: value for key, value in match.groupdict().items() if value is not None}
            sys.stdout.write(json.dumps([name, line, groups]) + "\n")
            if time.monotonic() - shown > POLL:
                sys.stdout.flush()
                shown = time.monotonic()
        unmatched = _leave(text, place, end, unmatched, first)
    lines = [1 + text.count("\n", 0, place) for place in first]
    print(json.dumps({"unmatched": unmatched, "first": lines}))


def _leave(text: str, begin: int, end: int, unmatched: int, first: list[int]) -> int:
    """Count the lines with text between two matches, and remember where the first are."""
    place = begin
    for part in text[begin:end].split("\n"):
        if part.strip():
            unmatched += 1
            if len(first) < MOST_SHOWN:
                first.append(place)
        place += len(part) + 1
    return unmatched


def _executions(text: str, delimiter: str | None) -> list[tuple[str, int, int]]:
    """The parts of the log, each with its name: what its delimiter calls `trace`, or its number."""
    if delimiter is None:
        return [("", 0, len(text))]
    found: list[Any] = [m for m in re.compile(delimiter, re.MULTILINE | re.ASCII).finditer(text) if m.group()]
    parts, used = [], {""}
    if text[: found[0].start() if found else len(text)].strip():
        parts.append(("", 0, found[0].start() if found else len(text)))
    for number, (match, after) in enumerate(zip(found, [*found[1:], None], strict=False), 1):
        name = match.groupdict().get("trace") or str(number)
        while name in used:
            name += f" ({number})"
        used.add(name)
        parts.append((name, match.end(), after.start() if after else len(text)))
    return parts
