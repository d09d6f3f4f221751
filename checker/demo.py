"""The demonstration: three algorithms explored, a broken one caught and drawn, one compared with TLC."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .bounds import Bounds
from .calls import ModelCalls
from .engine import Progress, explore
from .loading import load_model
from .properties import select_properties
from .result import Result

if TYPE_CHECKING:
    from .tlc import Row

MODELS = ("rst", "ks", "jang")
EXPLORED = Bounds(processes=3, sends=4)
COMPARED = Bounds(processes=3, sends=3)
COMPARED_MODEL = "ks"
BROKEN_MODEL = "rst"
BROKEN_READING = "RST-1c"
TRACE_FILE = "precede-demo.json"
DRAWING_FILE = "precede-demo.svg"

Report = Callable[[Progress], None]


def ask(model: str, bounds: Bounds, readings: tuple[str, ...], on_progress: Report) -> tuple[ModelCalls, Result]:
    """Explore a built-in model and judge what its source claims."""
    calls = ModelCalls(load_model(model, readings), bounds)
    return calls, explore(calls, bounds, select_properties((), calls.model), on_progress=on_progress)


def explore_all(on_progress: Report) -> list[Result]:
    """Every built-in model of the demonstration with its default readings."""
    return [ask(model, EXPLORED, (), on_progress)[1] for model in MODELS]


def catch(folder: Path, on_progress: Report) -> tuple[Result, str]:
    """Explore a broken reading, write its shortest counterexample as trace and drawing into `folder`; its text."""
    from .files import write_text
    from .report import first_violation
    from .trace import record, write_trace
    from .trace_svg import draw
    from .trace_text import show

    calls, result = ask(BROKEN_MODEL, EXPLORED, (BROKEN_READING,), on_progress)
    worst = first_violation(result)
    assert worst is not None and worst.witness is not None, f"{BROKEN_READING} is expected to fail"
    trace = record(calls, EXPLORED, worst.witness.schedule, property=worst.name, witness=worst.witness)
    write_trace(trace, folder / TRACE_FILE)
    write_text(folder / DRAWING_FILE, draw(trace))
    return result, show(trace, differences=True)
