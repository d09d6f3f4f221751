"""A model's states and control information as plain JSON values, as text, and compared field by field.

Encoding: integers, texts, truth values and None are themselves; a named tuple or dataclass is an object with its
field names; a tuple is a list; a set is {"set": [...]}, sorted; a mapping is {"map": [[key, value], ...]}, sorted; an
enumeration member is its name; an integer beyond 2^53 is {"int": "0x..."}, so that any reader of JSON keeps it exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any

from ..errors import ModelError
from ..values import DEEPEST

Value = Any
"""An encoded value: None, bool, int, float, str, list of values, or dict from str to values."""

LARGEST_INT = 2**53


def encode(value: object, depth: int = 0) -> Value:
    """Encode a value of a model. Raises ModelError for a value that is nested deeper than `DEEPEST`."""
    if depth > DEEPEST:
        raise ModelError(f"a state or packet is nested deeper than {DEEPEST} levels and cannot be written to a trace")
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, bool | float):
        return value if value is None or isfinite(value) else {"text": str(value)}
    if isinstance(value, int):
        return int(value) if abs(value) <= LARGEST_INT else {"int": hex(value)}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Set):
        return {"set": sorted((encode(v, depth + 1) for v in value), key=_order)}
    if isinstance(value, Mapping):
        pairs = ([encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items())
        return {"map": sorted(pairs, key=_order)}
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", None)
        if names:
            return {name: encode(v, depth + 1) for name, v in zip(names, value, strict=True)}
        return [encode(v, depth + 1) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name), depth + 1) for f in fields(value)}
    return {"text": _stable_repr(value)}


def show(value: Value) -> str:
    """An encoded value on one line, in the papers' notation: (1,2,{3,4}); safe to print."""
    if isinstance(value, list):
        return f"({_joined(value)})"
    if isinstance(value, dict):
        if (special := _special(value)) is not None:
            return special
        return f"({_joined(list(value.values()))})"
    if value is None:
        return "-"
    return printable(value) if isinstance(value, str) else str(value)


def show_named(value: Value) -> str:
    """An encoded value on one line, a record with the names of its fields: CI = {(1,1,{2})}, DC = {}."""
    if isinstance(value, dict) and _special(value) is None:
        return ", ".join(f"{printable(name)} = {text}" for name, text in show_fields(value))
    return show(value)


def show_fields(value: Value) -> list[tuple[str, str]]:
    """The fields of a state with their values as text; a state without field names is one field called "state"."""
    return [(name, show(v)) for name, v in _named(value).items()]


def differences(before: Value, after: Value) -> list[tuple[str, str]]:
    """What changed from one encoded value to another: (field, change as text), one entry a field or element.

    Vectors and matrices are compared element by element, counted from 1 as the papers do; sets by their elements.
    """
    old, new = _named(before), _named(after)
    found: list[tuple[str, str]] = []
    for name in [*old, *(n for n in new if n not in old)]:
        if name not in old or name not in new:
            found.append((name, f"{show(old[name])} -> gone" if name in old else f"new: {show(new[name])}"))
        else:
            found += _changes(name, old[name], new[name])
    return found


def printable(text: str) -> str:
    """`text` on one line without control characters, which could drive a terminal or break an XML file."""
    return "".join(c if c.isprintable() else "�" for c in text)


def _changes(name: str, old: Value, new: Value) -> list[tuple[str, str]]:
    if same(old, new):
        return []
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            change
            for i, (a, b) in enumerate(zip(old, new, strict=True), 1)
            for change in _changes(f"{name}[{i}]", a, b)
        ]
    if _is_set(old) and _is_set(new):
        gone = [f"- {show(v)}" for v in old["set"] if not _contains(new["set"], v)]
        come = [f"+ {show(v)}" for v in new["set"] if not _contains(old["set"], v)]
        return [(name, "  ".join(gone + come))]
    return [(name, f"{show(old)} -> {show(new)}")]


def same(a: Value, b: Value) -> bool:
    """Whether two encoded values are equal, where 1, 1.0 and true are three different values."""
    return _order(a) == _order(b)


def _contains(values: Iterable[Value], value: Value) -> bool:
    return any(same(v, value) for v in values)


def _is_set(value: Value) -> bool:
    return isinstance(value, dict) and set(value) == {"set"} and isinstance(value["set"], list)


def _named(value: Value) -> dict[str, Value]:
    if isinstance(value, dict) and value and _special(value) is None:
        return value
    return {"state": value}


def _special(value: dict[str, Value]) -> str | None:
    """The text of an object that is not a record of fields: a set, a mapping, a large integer, an opaque value."""
    if len(value) != 1:
        return None
    kind, content = next(iter(value.items()))
    if kind == "set" and isinstance(content, list):
        return f"{{{_joined(content)}}}"
    if kind == "map" and isinstance(content, list) and all(isinstance(p, list) and len(p) == 2 for p in content):
        return f"{{{', '.join(f'{show(k)}: {show(v)}' for k, v in content)}}}"
    if kind in ("int", "text") and isinstance(content, str):
        return printable(content)
    return None


def _joined(values: list[Value]) -> str:
    """Parts of one compound kind, such as the rows of a matrix, with a space between; all others close together."""
    apart = any(all(isinstance(v, kind) for v in values) for kind in (list, dict))
    return (", " if apart else ",").join(map(show, values))


def _order(value: Value) -> tuple[Any, ...]:
    """A total order over encoded values: by kind, then by value."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, int):
        return (2, value)
    if isinstance(value, float):
        return (3, value)
    if isinstance(value, str):
        return (4, value)
    if isinstance(value, list):
        return (5, tuple(map(_order, value)))
    return (6, tuple((name, _order(v)) for name, v in value.items()))


def _stable_repr(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        return type(value).__qualname__
    return type(value).__qualname__ if " at 0x" in text else text[:1000]
