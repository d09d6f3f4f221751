"""Values of models between driver and workers as JSON text, without pickling: exact, and made of known classes only.

Numbers, texts, truth values and None are themselves; everything else is a list that begins with its kind. Named tuples,
dataclasses and members of enumerations go by the names of their classes, which the reader looks up among those it has.
"""

from __future__ import annotations

import json
import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from precede import models
from precede.models import Joint, Message, Model, Packet, Signal, Step


class Unsendable(Exception):
    """A value has parts that cannot be sent."""


class Wire:
    """Writes and reads the values of one model."""

    def __init__(self, model: Model) -> None:
        """The classes that are known are those of the model's own modules, then those of `precede.models`."""
        self._classes: dict[str, type] = {}
        own = [sys.modules[cls.__module__] for cls in type(model).__mro__ if cls.__module__ in sys.modules]
        others = [m for name, m in sorted(sys.modules.items()) if name.startswith(f"{models.__name__}.")]
        for module in (*own, models, *(m for m in others if not m.__name__.endswith("__counted"))):
            for value in vars(module).values():
                if isinstance(value, type) and (issubclass(value, tuple | Enum) or is_dataclass(value)):
                    self._classes.setdefault(value.__qualname__, value)
        for kind in (Joint, Message, Packet, Signal, Step):
            self._classes[kind.__qualname__] = kind

    def write(self, value: Any) -> str:
        """The text of a value. Raises Unsendable."""
        return json.dumps(self._out(value), separators=(",", ":"))

    def read(self, text: str) -> Any:
        """The value of a text. Raises Unsendable for what `write` does not write."""
        try:
            return self._in(json.loads(text))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
            raise Unsendable(str(error)) from None

    def _out(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (bool, int, float, str):
            return value
        if kind is tuple:
            return ["t", *map(self._out, value)]
        if kind is frozenset:
            return ["s", *map(self._out, value)]
        name = kind.__qualname__
        if self._classes.get(name) is not kind:
            raise Unsendable(name)
        if isinstance(value, Enum):
            return ["e", name, value.name]
        if isinstance(value, tuple):
            return ["n", name, *map(self._out, value)]
        return ["d", name, *(self._out(getattr(value, f.name)) for f in fields(value) if f.init)]

    def _in(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        kind, *rest = value
        if kind == "t":
            return tuple(map(self._in, rest))
        if kind == "s":
            return frozenset(map(self._in, rest))
        cls: Any = self._classes[rest[0]]
        if kind == "e":
            return cls[rest[1]]
        return cls(*map(self._in, rest[1:]))
