"""The runs that refute: a trace, a picture and a scripted scenario for each refuted row, kept in witnesses/."""

from __future__ import annotations

from pathlib import Path

from ..diagram import draw
from ..files import write_text
from ..seeking.scripting import scenario_of
from ..trace import Trace, write_trace
from .deciding import Decided

FOLDER = Path(__file__).parent / "witnesses"
"""Those that come with precede."""


def committed(id: str) -> Path | None:
    """The trace that comes with the row; None if there is none."""
    file = FOLDER / f"{id}.json"
    return file if file.is_file() else None


def witness_of(found: Decided) -> Trace | None:
    """The refuting run, taken again by the model; None where the row is not refuted by a run."""
    shown = found.refuting
    if found.verdict != "refuted" or shown is None or shown[2].trace is None:
        return None
    return shown[2].trace()


def write_witness(found: Decided, folder: Path) -> Path | None:
    """Write ID.json, ID.txt and ID.svg of a refuted row, and return the first; None where there is no run to show."""
    trace = witness_of(found)
    if trace is None:
        return None
    file = folder / f"{found.row.id}.json"
    write_trace(trace, file)
    write_text(file.with_suffix(".txt"), scenario_of(trace))
    write_text(file.with_suffix(".svg"), draw(trace))
    return file
