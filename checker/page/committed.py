"""The traces that come with precede, and what the registry of verdicts says of what they show."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ..verdicts.loading import load_registry
from ..verdicts.rows import Row

FOLDERS = (("precede.proofs", "refutations"), ("precede.checker.verdicts", "witnesses"))


def committed_traces() -> list[Path]:
    """Their files, sorted by name; of two with one name the first."""
    found: dict[str, Path] = {}
    for package, folder in FOLDERS:
        for file in Path(str(resources.files(package).joinpath(folder))).glob("*.json"):
            found.setdefault(file.stem, file)
    return [found[name] for name in sorted(found)]


def row_of(name: str) -> Row | None:
    """The row of the registry that a trace with this name shows: its own id, or the longest that its name begins or
    ends with ("C-B-1-RST-1b": RST-1b)."""
    fitting = [
        row for row in load_registry() if name == row.id or name.startswith(f"{row.id}-") or name.endswith(f"-{row.id}")
    ]
    return max(fitting, key=lambda row: len(row.id), default=None)
