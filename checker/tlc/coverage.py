"""How often the actions of a specification were taken, as TLC reports it with -coverage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from .declared import source_of

REPORT = re.compile(
    r"<(?P<name>\w+) line (?P<line>\d+), col \d+ to line \d+, col \d+ of module (?P<module>\w+)"
    r"(?: \((?P<place>\d+ \d+ \d+ \d+)\))?>: (?P<distinct>\d+):(?P<taken>\d+)"
)
QUANTIFIER = re.compile(r"\\E [^:]*:(?![:>])")
APPLIED = re.compile(r"(\w+)(\([^()]*(\([^()]*\)[^()]*)*\))?")


class ActionCount(NamedTuple):
    """How often an action was taken, and how many states it was the first to reach; None: not counted."""

    action: str
    taken: int | None
    states: int | None
    never: bool


class Reported(NamedTuple):
    """One line of TLC's: an action, or a part of it, with the states first reached by it and the times it was taken."""

    action: str
    distinct: int
    taken: int


def reported(text: str) -> Reported | None:
    """What a message of TLC says of one action, or of the initial predicate."""
    found = REPORT.search(text)
    if found is None:
        return None
    lines = source_of(found["module"]).splitlines()
    if found["place"]:
        body = _part(lines, *map(int, found["place"].split()))
    else:
        body = _definition(lines[int(found["line"]) - 1 :])
    return Reported(_applied(body) or found["name"], int(found["distinct"]), int(found["taken"]))


def action_counts(reports: Iterable[Reported], *, counts_states: bool, counts_steps: bool) -> tuple[ActionCount, ...]:
    """The actions in TLC's order, the parts of one action together.

    A random simulation does not count states. Where fairness is checked, an action is evaluated to see whether it is
    enabled as well, so that TLC's figure is not the number of steps.
    """
    distinct: dict[str, int] = {}
    taken: dict[str, int] = {}
    for report in reports:
        distinct[report.action] = distinct.get(report.action, 0) + report.distinct
        taken[report.action] = taken.get(report.action, 0) + report.taken
    return tuple(
        ActionCount(name, taken[name] if counts_steps else None, distinct[name] if counts_states else None, not times)
        for name, times in taken.items()
    )


def _part(lines: Sequence[str], line: int, column: int, last_line: int, last_column: int) -> str:
    """The text between two places of a module, the last one included."""
    part = list(lines[line - 1 : last_line])
    if part:
        part[-1] = part[-1][:last_column]
        part[0] = part[0][column - 1 :]
    return " ".join(part)


def _definition(lines: Sequence[str]) -> str:
    """What the definition at the first of these lines says, up to an empty line."""
    body = " ".join(takewhile(str.strip, lines))
    return body.partition("==")[2]


def _applied(text: str) -> str | None:
    r"""The operator that is applied, where that is all there is: Take for "\E packet \in network : Take(packet)"."""
    text = " ".join(text.split()).removeprefix("\\/ ")
    while quantifier := QUANTIFIER.match(text):
        text = text[quantifier.end() :].strip()
    applied = APPLIED.fullmatch(text)
    return applied[1] if applied else None
