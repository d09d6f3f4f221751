"""The JSON formats of all commands, frozen in one file, schemas.json: names, versions and fields.

`python -m precede.checker.schemas` writes the file anew. It refuses to where a field went and the version of its format
did not rise: who reads that version may rely on it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import formats
from .errors import ConfigurationError

FILE = Path(__file__).with_name("schemas.json")
VERSION = 1
"""Of the file itself."""


def current() -> dict[str, Any]:
    """The formats as the code has them, by name."""
    found = {f.name: f for f in vars(formats).values() if isinstance(f, formats.Format)}
    return {
        "schemas": VERSION,
        "formats": {
            name: {"version": found[name].version, "fields": dict(sorted(found[name].fields.items()))}
            for name in sorted(found)
        },
    }


def frozen() -> dict[str, Any]:
    """The formats as they were frozen."""
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def broken(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What readers of `before` can no longer rely on in `after`: formats and fields that went without a new version,
    versions that went back."""
    for name, old in before["formats"].items():
        new = after["formats"].get(name)
        if new is None:
            yield f"{name} is gone"
        elif new["version"] < old["version"]:
            yield f"{name}: version {new['version']} after {old['version']}"
        elif new["version"] == old["version"]:
            yield from (f"{name}: {field} is gone" for field in old["fields"] if field not in new["fields"])


def as_text(schemas: Mapping[str, Any]) -> str:
    """The file's text."""
    return json.dumps(schemas, indent=1) + "\n"


def write() -> None:
    """Freeze the formats as they are. Raises ConfigurationError where that breaks what is frozen."""
    wrong = list(broken(frozen(), current())) if FILE.exists() else []
    if wrong:
        raise ConfigurationError(f"raise the version of the format first: {'; '.join(wrong)}")
    FILE.write_text(as_text(current()), encoding="utf-8")


if __name__ == "__main__":
    try:
        write()
    except ConfigurationError as error:
        sys.exit(str(error))
