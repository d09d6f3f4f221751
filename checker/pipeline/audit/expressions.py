"""The regular expressions of ShiViz logs: JavaScript's syntax turned into Python's, and those of the public logs."""

from __future__ import annotations

import re

from ...errors import UsageError

LONGEST = 10_000
NEEDED = ("host", "clock")
TRACE = r"^=== (?<trace>.*) ===$"
_BROADCAST = (
    r"\[\w+\] \[(?<date>([^ ]+ [^ ]+))\] [^ ]+ \[akka://Broadcast/user/(?<host>\w+)\] (?<clock>.*\}) (?<event>.*)"
)
KNOWN: dict[str, tuple[str, str | None]] = {
    "chord": (r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)", None),
    "broadcast": (_BROADCAST, None),
    "simpledb": (r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})", None),
    "facebook": (
        r"(?<ip>(\d{1,3}\.){3}\d{1,3}) (?<date>(\d{1,2}/){2}\d{4} (\d{2}:){2}\d{2} (AM|PM)) "
        r"(?<action>(INFO|GET|POST)) (?<event>.*)\n(?<host>\w*) (?<clock>.*)",
        TRACE,
    ),
    "ewd998": (
        r"^State [0-9]+: <(?<event>\w*) .*>\n\/\\ Host = (?<host>.*)\n\/\\ Clock = \"(?<clock>.*)\"\n"
        r"\/\\ active = (?<active>.*)\n\/\\ color = (?<color>.*)\n\/\\ counter = (?<counter>.*)",
        TRACE,
    ),
}
"""Name on the command line: (expression, delimiter of executions or None), as the ShiViz project publishes them."""
GUESSED = ("facebook", "ewd998", "broadcast", "simpledb", "chord")
"""The order in which they are tried when none is named: the most particular first, the event's text before its clock
before the clock before its text (where both fit, the one that leaves fewer lines over is taken)."""


def translated(expression: str) -> str:
    """A JavaScript expression with named groups as Python writes them. Raises UsageError for one that Python
    refuses."""
    return compiled(expression).pattern


def compiled(expression: str) -> re.Pattern[str]:
    """The same, compiled; `^` and `$` match at lines, digits and words are ASCII."""
    if len(expression) > LONGEST:
        raise UsageError(f"the expression is longer than {LONGEST:,} characters")
    text = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", expression)
    text = re.sub(r"\\k<(\w+)>", r"(?P=\1)", text).replace("[^]", r"[\s\S]")
    try:
        return re.compile(text, re.MULTILINE | re.ASCII)
    except (re.error, RecursionError, OverflowError, MemoryError) as error:
        raise UsageError(f"not a regular expression that can be used: {error}") from None


def checked_parser(expression: str, delimiter: str | None) -> tuple[str, str | None]:
    """An expression, or the name of a known one, and its delimiter, in Python's syntax. Raises UsageError."""
    if expression in KNOWN:
        known = KNOWN[expression]
        expression, delimiter = known[0], delimiter or known[1]
    groups = compiled(expression).groupindex
    missing = [name for name in NEEDED if name not in groups]
    if missing and not ("host" in groups and "message" in groups and "kind" in groups):
        raise UsageError(
            f"--parser needs the named groups (?<host>...) and (?<clock>...), or (?<host>...), (?<kind>...) and "
            f"(?<message>...); it lacks {' and '.join(missing)}. Known by name: {', '.join(KNOWN)}"
        )
    return translated(expression), translated(delimiter) if delimiter else None
