"""TLA+ values as TLC prints them, read into Python values that can be compared and put into sets.

TLC prints and Python value:

    integer, TRUE/FALSE, "string"     int, bool, str
    <<a, b>>                          tuple: a function on 1..n
    {a, b}                            frozenset
    [f |-> a, g |-> b]                Function: a record is a function on strings
    (x :> a @@ y :> b)                Function; a tuple where its domain is 1..n
    p1                                Process: a model value, where processes are no numbers (symmetry)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Value = Any
"""int, bool, str, Process, tuple, frozenset or Function, nested."""

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+|\w+|\|->|<<|>>|:>|@@|\S')
END = ""
"""The token after the last one."""
PROCESS = re.compile(r"p([1-9]\d*)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}


@dataclass(frozen=True)
class Function:
    """A function that is no tuple: its pairs (argument, value)."""

    pairs: frozenset[tuple[Value, Value]]

    def __getitem__(self, argument: Value) -> Value:
        """The value at `argument`. Raises KeyError outside the domain."""
        for key, value in self.pairs:
            if key == argument:
                return value
        raise KeyError(argument)


@dataclass(frozen=True)
class Process:
    """A process that is a model value, and so is told from a number."""

    number: int


class NotAValue(ValueError):
    """The text is no TLA+ value of the kinds that TLC prints for the specifications of this project."""


def record(**fields: Value) -> Function:
    """[name |-> value, ...]"""
    return Function(frozenset(fields.items()))


def function(pairs: Iterable[tuple[Value, Value]]) -> Value:
    """The function with these pairs, in the form in which it is compared: a tuple where its domain is 1..n."""
    distinct = frozenset(pairs)
    by_argument = dict(distinct)
    domain = range(1, len(by_argument) + 1)
    if all(type(argument) is int and argument in domain for argument in by_argument):
        return tuple(by_argument[n] for n in domain)
    return Function(distinct)


def parse(text: str) -> Value:
    """The value that `text` prints. Raises NotAValue."""
    tokens = [*TOKEN.findall(text), END]
    value, place = _value(tokens, 0)
    if tokens[place] != END:
        raise NotAValue(f"{tokens[place]!r} follows the value")
    return value


def parse_state(text: str) -> dict[str, Value]:
    r"""The variables of one printed state, "/\ name = value" for each. Raises NotAValue."""
    parts = re.split(r"^/\\ (\w+) = ", text.strip(), flags=re.MULTILINE)
    if parts[0].strip():
        name, equals, value = text.strip().partition(" = ")
        if not equals or not name.isidentifier():
            raise NotAValue(f"{parts[0][:40]!r} is no variable of a state")
        return {name: parse(value)}
    return {name: parse(value) for name, value in zip(parts[1::2], parts[2::2], strict=True)}


def show(value: Value) -> str:
    """The value in TLA+, its sets and records in a fixed order."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return f"<<{', '.join(map(show, value))}>>"
    if isinstance(value, Process):
        return f"p{value.number}"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(show, value)))}}}"
    if isinstance(value, Function):
        if value.pairs and all(isinstance(argument, str) for argument, _ in value.pairs):
            return f"[{', '.join(sorted(f'{argument} |-> {show(v)}' for argument, v in value.pairs))}]"
        return f"({' @@ '.join(sorted(f'{show(argument)} :> {show(v)}' for argument, v in value.pairs))})"
    return str(value)


def _value(tokens: list[str], place: int) -> tuple[Value, int]:
    """The value that starts at `place`, and the place after it."""
    token = tokens[place]
    if token == "{":
        items, place = _items(tokens, place + 1, "}")
        return frozenset(items), place
    if token == "<<":
        items, place = _items(tokens, place + 1, ">>")
        return tuple(items), place
    if token == "[":
        pairs, place = _pairs(tokens, place + 1, "|->", ",", "]")
        return Function(frozenset(pairs)), place
    if token == "(":
        pairs, place = _pairs(tokens, place + 1, ":>", "@@", ")")
        return function(pairs), place
    if token in ("TRUE", "FALSE"):
        return token == "TRUE", place + 1
    if token[:1] == '"' and len(token) > 1:
        return re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), token[1:-1]), place + 1
    if process := PROCESS.fullmatch(token):
        return Process(int(process[1])), place + 1
    try:
        return int(token), place + 1
    except ValueError:
        what = f"{token!r} is no value that precede knows" if token else "the value ends too early"
        raise NotAValue(what) from None


def _items(tokens: list[str], place: int, end: str) -> tuple[list[Value], int]:
    """The values up to `end`, separated by commas."""
    items: list[Value] = []
    while tokens[place] != end:
        if items:
            place = _pass(tokens, place, ",")
        value, place = _value(tokens, place)
        items.append(value)
    return items, place + 1


def _pairs(
    tokens: list[str], place: int, arrow: str, separator: str, end: str
) -> tuple[list[tuple[Value, Value]], int]:
    """The pairs up to `end`: fields of a record, or arguments and values of a function."""
    pairs: list[tuple[Value, Value]] = []
    while tokens[place] != end:
        if pairs:
            place = _pass(tokens, place, separator)
        if arrow == "|->":
            argument, place = tokens[place], place + 1
        else:
            argument, place = _value(tokens, place)
        value, place = _value(tokens, _pass(tokens, place, arrow))
        pairs.append((argument, value))
    return pairs, place + 1


def _pass(tokens: list[str], place: int, expected: str) -> int:
    if tokens[place] != expected:
        raise NotAValue(f"{expected!r} is missing before {tokens[place] or 'the end'!r}")
    return place + 1
