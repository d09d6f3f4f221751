"""What may be a state or control information: immutable values that compare and hash by what they hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any

DEEPEST = 50
"""Levels of nesting; a trace holds no more."""

ATOMS = frozenset({int, str, bool, float, complex, bytes, NoneType, range, type})
INSTEAD = {
    list: "a list: use a tuple",
    bytearray: "a bytearray: use bytes",
    set: "a set: use a frozenset",
    dict: "a dict: use a tuple of pairs, or frozenset(d.items())",
}


def defect(value: Any, level: int = 0) -> str | None:
    """What makes `value` unfit, in words that follow "holds"; None when it is immutable and hashable."""
    if level > DEEPEST:
        return f"values nested deeper than {DEEPEST} levels: keep them flat"
    kind = type(value)
    if kind in ATOMS or isinstance(value, Enum):
        return None
    if isinstance(value, tuple | frozenset):
        if ATOMS.issuperset(map(type, value)):
            return None
        return next((found for part in value if (found := defect(part, level + 1))), None)
    for unfit, words in INSTEAD.items():
        if isinstance(value, unfit):
            return words
    if getattr(kind, "__eq__", None) is object.__eq__:
        return f"{a(value)}, which is equal only to itself: use a NamedTuple or a frozen dataclass"
    try:
        hash(value)
    except Exception:
        return f"{a(value)}, which cannot be hashed: use a NamedTuple or a frozen dataclass"
    return next((found for part in _parts(value) if (found := defect(part, level + 1))), None)


def a(value: Any) -> str:
    """The type of `value` with its article."""
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def image(value: Any) -> Any:
    """A copy of what `value` holds: two images differ when the value was changed between them."""
    if type(value) in ATOMS or isinstance(value, Enum):
        return value
    if isinstance(value, tuple | list):
        return tuple(value) if ATOMS.issuperset(map(type, value)) else tuple(map(image, value))
    if isinstance(value, frozenset | set):
        return frozenset(map(image, value))
    if isinstance(value, dict):
        return tuple((image(key), image(part)) for key, part in value.items())
    return type(value), tuple(map(image, _parts(value)))


def _parts(value: Any) -> list[Any]:
    """The values of an object's fields, attributes and slots."""
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, f.name) for f in fields(value)]
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    attributes = getattr(value, "__dict__", {})
    return [*attributes.values(), *(getattr(value, name) for name in slots if hasattr(value, name))]


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))
