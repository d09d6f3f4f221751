"""The demonstration: three algorithms explored, a broken one caught and drawn, one compared with TLC."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.text import Text

from .bounds import Bounds
from .calls import ModelCalls
from .diagram import draw
from .engine import explore
from .errors import EnvironmentProblem
from .files import write_text
from .formats import DEMO
from .loading import load_model
from .progress import ProgressLine
from .properties import select_properties
from .report import aligned, assumptions, comparison_lines, first_violation
from .result import Result
from .tlc import compare, run_tlc
from .trace import record, write_trace
from .trace.text import show_run

MODELS = ("rst", "ks", "jang")
EXPLORED = Bounds(processes=3, sends=4)
BROKEN_MODEL = "rst"
BROKEN_READING = "RST-1b"
COMPARED_MODEL = "ks"
COMPARED = Bounds(processes=3, sends=3)
WORKERS = 2
TRACE_FILE = "precede-demo.json"
DRAWING_FILE = "precede-demo.svg"

Say = Callable[[str | Text], None]


def demonstrate(folder: Path, say: Say, progress: ProgressLine) -> tuple[int, dict[str, Any]]:
    """Do all of it, writing a trace and a drawing into `folder`; the exit code and everything found, as JSON.

    The exit code is 0 when everything is as the algorithms claim, 1 when something is not, 153 without Java or TLC.
    """
    say(f"1. Three algorithms, explored exhaustively: all runs of {assumptions(EXPLORED)}.\n")
    results = [explored(model, EXPLORED, progress)[1] for model in MODELS]
    rows = [["", "verdict", "distinct states", "transitions", "seconds", "judged"]]
    rows += [
        [
            r.model,
            r.verdict,
            f"{r.distinct_states:,}",
            f"{r.transitions:,}",
            f"{r.seconds:.1f}",
            ", ".join(p.name for p in r.properties),
        ]
        for r in results
    ]
    for line in aligned(rows, right=[2, 3, 4]):
        say(line)

    say(f"\n2. {BROKEN_MODEL} with reading {BROKEN_READING}: the receiver of a multicast records its own copy only.\n")
    broken, text = caught(folder, progress)
    say(text)
    say(f"Drawn in {folder / DRAWING_FILE}, recorded in {folder / TRACE_FILE}.")

    say("\n3. The same question to TLC, with the TLA+ specification of the algorithm.\n")
    found = DEMO.document(checked=[r.as_json() for r in results], broken=broken.as_json(), comparison=None)
    as_claimed = all(r.verdict == "holds" for r in results) and broken.verdict == "violated"
    try:
        ours, theirs = compared(progress)
    except EnvironmentProblem as error:
        say(f"TLC was not run: {error}")
        return EnvironmentProblem.exit_code, found
    for line in comparison_lines(ours, theirs):
        say(line)
    table = compare(ours, theirs)
    found["comparison"] = [row._asdict() for row in table]
    return (0 if as_claimed and all(row.equal for row in table) else 1), found


def explored(
    model: str, bounds: Bounds, progress: ProgressLine, readings: tuple[str, ...] = ()
) -> tuple[ModelCalls, Result]:
    """Explore a built-in model and judge what its source claims."""
    calls = ModelCalls(load_model(model, readings), bounds)
    result = explore(calls, bounds, select_properties((), calls.model), on_progress=progress)
    end_if_interrupted(result.stopped)
    return calls, result


def end_if_interrupted(stopped: str | None) -> None:
    """Ctrl-C ends the whole demonstration, not only the exploration that it stops."""
    if stopped is not None and stopped.startswith("interrupted"):
        raise KeyboardInterrupt


def caught(folder: Path, progress: ProgressLine) -> tuple[Result, str]:
    """Explore the broken reading and write its shortest counterexample as trace and drawing; the text of its steps."""
    calls, result = explored(BROKEN_MODEL, EXPLORED, progress, (BROKEN_READING,))
    worst = first_violation(result)
    if worst is None or worst.witness is None:
        return result, "No violation was found, although one was expected."
    trace = record(calls, EXPLORED, worst.witness.schedule, property=worst.name, witness=worst.witness)
    write_trace(trace, folder / TRACE_FILE)
    write_text(folder / DRAWING_FILE, draw(trace))
    return result, show_run(trace, differences=True)


def compared(progress: ProgressLine) -> tuple[Result, Any]:
    """One model explored here and by TLC. Raises EnvironmentProblem without Java or TLC."""
    calls, ours = explored(COMPARED_MODEL, COMPARED, progress)
    properties = select_properties((), calls.model)
    theirs = run_tlc(COMPARED_MODEL, calls.loaded.readings, COMPARED, properties, workers=WORKERS, on_progress=progress)
    end_if_interrupted(theirs.stopped)
    return ours, theirs
