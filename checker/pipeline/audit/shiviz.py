"""ShiViz logs: events by a regular expression, each with a host, a vector clock as JSON, and its text.

An expression may also have the groups `message`, `kind` (a word that begins with send, deliver, rec) and `to`
(destinations between commas or spaces); then the log's own ids pair sends and deliveries.
"""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa

from ...errors import EnvironmentProblem, UsageError
from .expressions import GUESSED, KNOWN, LONGEST, NEEDED, checked_parser, translated
from .matching import Match, Matches, matches
from .tables import DELIVER, LONGEST_NAME, LONGEST_TEXT, OTHER, RECEIVE, SEND, filled, table_of_broken

SHOWN_GROUPS = ("host", "clock", "event", "message", "kind", "to")
KIND_WORDS = (("sen", SEND), ("deliver", DELIVER), ("rec", RECEIVE))
Parser = tuple[str, str | None]


def read(path: Path, file: int, default: str, parser: Parser, seconds: float) -> tuple[pa.Table, str | None]:
    """The EVENTS of a log, and a note on lines that are no events."""
    return as_table(matches(path, *parser, seconds), file, default)


def own_parser(path: Path) -> Parser | None:
    """The expression and the delimiter in the first two lines of a log, as ShiViz itself takes them; None without them.

    Raises EnvironmentProblem for an expression that cannot be used.
    """
    with path.open("rb") as file:
        lines = file.read(2 * LONGEST).decode("utf-8", errors="replace").split("\n")
    if not all(f"(?<{group}>" in lines[0] for group in NEEDED) or len(lines) < 2:
        return None
    try:
        return checked_parser(lines[0].rstrip("\r"), lines[1].strip() or None)
    except UsageError as error:
        raise EnvironmentProblem(f"{path}: the expression in its first line: {error}") from None


def guessed(path: Path, seconds: float) -> tuple[str, Matches] | None:
    """The known expression that fits best, with what it matches: the one that covers most of the log; None for none."""
    best: tuple[int, str, Matches] | None = None
    for name in GUESSED:
        expression, delimiter = KNOWN[name]
        found = matches(path, translated(expression), translated(delimiter) if delimiter else None, seconds)
        clocks = sum(_clock(match.groups.get("clock", "")).startswith("{") for match in found.found)
        if not found.found or clocks < 0.9 * len(found.found):
            continue
        if best is None or found.unmatched < best[0]:
            best = (found.unmatched, name, found)
    return (best[1], best[2]) if best else None


def as_table(found: Matches, file: int, default: str) -> tuple[pa.Table, str | None]:
    """Matches as EVENTS."""
    usable = [m for m in found.found if len(m.groups.get("host", "").strip()) in range(1, LONGEST_NAME + 1)]
    bad = [m.line for m in found.found if len(m.groups.get("host", "").strip()) not in range(1, LONGEST_NAME + 1)]
    columns = {
        "execution": pa.array([f"{default}: {m.execution}" if m.execution else default for m in usable], pa.string()),
        "process": pa.array([m.groups["host"].strip() for m in usable], pa.string()),
        "kind": pa.array([_kind(m) for m in usable], pa.int8()),
        "message": pa.array([m.groups.get("message") if _kind(m) else None for m in usable], pa.string()),
        "destinations": pa.array([_dests(m) for m in usable], pa.list_(pa.string())),
        "clock": pa.array([_clock(m.groups["clock"]) if "clock" in m.groups else None for m in usable], pa.string()),
        "text": pa.array([_text(m) for m in usable], pa.string()),
        "file": pa.array([file] * len(usable), pa.int32()),
        "line": pa.array([m.line for m in usable], pa.int64()),
    }
    table = pa.concat_tables(
        [
            filled(columns, len(usable)),
            table_of_broken(bad, ["no host, or one with too long a name"] * len(bad), file, default),
        ]
    )
    note = None
    if found.unmatched:
        lines = ", ".join(f"{line:,}" for line in found.first_unmatched)
        more = ", ..." if found.unmatched > len(found.first_unmatched) else ""
        note = f"{found.unmatched:,} lines with text are in no event (lines {lines}{more})"
    return table, note


def nothing_matched(path: Path) -> EnvironmentProblem:
    """The error for a log of which no expression fits."""
    return EnvironmentProblem(
        f"{path}: not newline-delimited JSON, Parquet or a trace, and no event matches; give the regular expression "
        "of a ShiViz log with --parser"
    )


def _kind(match: Match) -> int:
    if not match.groups.get("message"):
        return OTHER
    word = match.groups.get("kind", "").strip().lower()
    return next((kind for start, kind in KIND_WORDS if word.startswith(start)), OTHER)


def _dests(match: Match) -> list[str] | None:
    to = match.groups.get("to")
    return [name for name in re.split(r"[,\s]+", to) if name] if to and _kind(match) == SEND else None


def _clock(text: str) -> str:
    """The clock, out of a string of TLA+ or JSON where its quotes are escaped."""
    text = text.strip()
    return text.replace('\\"', '"') if text.startswith('{\\"') else text


def _text(match: Match) -> str:
    others = [f"{name}={value}" for name, value in match.groups.items() if name not in SHOWN_GROUPS and value]
    event = match.groups.get("event", "").strip()
    return " ".join([event, *others])[:LONGEST_TEXT]
