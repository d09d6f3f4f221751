"""The fields of a JSON object from outside, each checked for its type and range when it is taken."""

from __future__ import annotations

import re
from typing import Any

from ..history import MessageId
from ..values import DEEPEST
from .values import Value, printable

LONGEST_TEXT = 100_000
MOST_VALUES = 1_000_000
_MESSAGE = re.compile(r"([0-9]{1,7})\.([0-9]{1,7})")


class Wrong(Exception):
    """What is wrong with a file from outside, and where: one line."""


class Fields:
    """A JSON object at `where` in its file, such as "steps[3]"."""

    def __init__(self, found: object, where: str) -> None:
        """Raises Wrong when `found` is not a JSON object."""
        if not isinstance(found, dict):
            raise Wrong(f"{where}: must be an object")
        self._found = found
        self.where = where

    def names(self) -> list[str]:
        """The names of the fields."""
        return list(self._found)

    def value(self, name: str) -> Value:
        """A field that holds an encoded value of a model."""
        value = self._take(name)
        check_value(value, self._at(name))
        return value

    def text(self, name: str) -> str:
        """A text, as it is: whoever prints it makes it printable."""
        text = self._take(name)
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise Wrong(f"{self._at(name)}: must be a text of at most {LONGEST_TEXT} characters")
        return text

    def integer(self, name: str, low: int, high: int) -> int:
        """An integer from `low` to `high`."""
        return _integer(self._take(name), low, high, self._at(name))

    def optional_integer(self, name: str, low: int, high: int) -> int | None:
        """An integer from `low` to `high`, or null."""
        return None if self._take(name) is None else self.integer(name, low, high)

    def integers(self, name: str, low: int, high: int) -> list[int]:
        """A list of different integers from `low` to `high`."""
        numbers = [_integer(v, low, high, self._at(name)) for v in self._list(name, high - low + 1)]
        if len(set(numbers)) < len(numbers):
            raise Wrong(f"{self._at(name)}: names a number twice")
        return numbers

    def lists_of_integers(self, name: str, most: int, low: int, high: int) -> list[list[int]]:
        """A list of at most `most` lists of integers from `low` to `high`."""
        found = []
        for i, numbers in enumerate(self._list(name, most)):
            where = f"{self._at(name)}[{i}]"
            if not isinstance(numbers, list) or len(numbers) > high - low + 1:
                raise Wrong(f"{where}: must be a list of at most {high - low + 1}")
            found.append([_integer(number, low, high, where) for number in numbers])
        return found

    def truth(self, name: str) -> bool:
        """True or false."""
        value = self._take(name)
        if not isinstance(value, bool):
            raise Wrong(f"{self._at(name)}: must be true or false")
        return value

    def message(self, name: str, processes: int) -> MessageId:
        """The identity of a message: "sender.number"."""
        return _message(self._take(name), processes, self._at(name))

    def optional_message(self, name: str, processes: int) -> MessageId | None:
        """The identity of a message, or null."""
        return None if self._take(name) is None else self.message(name, processes)

    def messages(self, name: str, processes: int) -> tuple[MessageId, ...]:
        """A list of identities of messages."""
        return tuple(_message(v, processes, self._at(name)) for v in self._list(name, MOST_VALUES))

    def object(self, name: str) -> Fields:
        """An object."""
        return Fields(self._take(name), self._at(name))

    def optional_object(self, name: str) -> Fields | None:
        """An object, or null."""
        return None if self._take(name) is None else self.object(name)

    def objects(self, name: str, most: int) -> list[Fields]:
        """A list of at most `most` objects."""
        return [Fields(v, f"{self._at(name)}[{i}]") for i, v in enumerate(self._list(name, most))]

    def _take(self, name: str) -> Any:
        if name not in self._found:
            raise Wrong(f"{self._at(name)}: missing")
        return self._found[name]

    def _list(self, name: str, most: int) -> list[Any]:
        found = self._take(name)
        if not isinstance(found, list) or len(found) > most:
            raise Wrong(f"{self._at(name)}: must be a list of at most {most}")
        return found

    def _at(self, name: str) -> str:
        shown = printable(name[:60])
        return f"{self.where}.{shown}" if self.where else shown


def check_value(value: Value, where: str) -> None:
    """Refuse a value that no model could have: nested too deeply, or with too many parts."""
    level, count = [value], 0
    for _ in range(3 * DEEPEST + 3):
        level = [part for v in level for part in _parts(v)]
        count += len(level)
        if count > MOST_VALUES:
            raise Wrong(f"{where}: has more than {MOST_VALUES} parts")
        if not level:
            return
    raise Wrong(f"{where}: nested deeper than {DEEPEST} levels")


def _parts(value: Value) -> list[Value]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _integer(value: object, low: int, high: int, where: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Wrong(f"{where}: must be an integer from {low} to {high}")
    return value


def _message(value: object, processes: int, where: str) -> MessageId:
    match = _MESSAGE.fullmatch(value) if isinstance(value, str) else None
    if not match or not 1 <= int(match[1]) <= processes or int(match[2]) < 1:
        raise Wrong(f"{where}: must be a message such as '1.2', from a process of 1 to {processes}")
    return int(match[1]), int(match[2])
