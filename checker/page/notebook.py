"""Traces and results in a notebook: the page itself, in a frame of its own that can reach nothing of the notebook."""

from __future__ import annotations

import html

from precede.models.catalog import CATALOG

from ..errors import PrecedeError
from ..report import first_violation
from ..result import Result
from ..trace.data import Trace
from ..trace.values import printable
from .building import page
from .document import document_of

HEIGHT = 900
"""Of the frame, in pixels; the page scrolls in it."""
AHEAD = 300
"""States looked at to find out where other steps lead: a cell is shown at once."""
_CELL = 'style="text-align:left;padding:2px 12px 2px 0"'


def trace_in_notebook(trace: Trace) -> str:
    """A frame with the page of a trace."""
    return _framed(page([document_of(trace, ahead=AHEAD)], printable(trace.title or trace.model)))


def result_in_notebook(result: Result) -> str:
    """The verdicts as a table, and below it the counterexample, where it can be taken again from the result alone."""
    rows = "".join(
        f"<tr><th {_CELL}>{_text(p.name)}</th><td {_CELL}>{_text(p.verdict)}</td>"
        f"<td {_CELL}>{_text(p.witness.explanation if p.witness else p.note)}</td></tr>"
        for p in result.properties
    )
    head = f"<b>{_text(result.model)}</b>: {_text(result.verdict)}"
    if not result.complete:
        head += f", {_text(result.stopped or 'incomplete')}"
    trace = _counterexample(result)
    return f"<p>{head}</p><table>{rows}</table>{'' if trace is None else trace_in_notebook(trace)}"


def _counterexample(result: Result) -> Trace | None:
    """The trace of the first violation. A result holds no parameters, no code and no script, so only that of a built-in
    model without parameters, of a run without a script."""
    from ..calls import ModelCalls
    from ..loading import load_model
    from ..trace import record

    worst = first_violation(result)
    own = CATALOG.get(result.model)
    if worst is None or worst.witness is None or own is None or own.parameters() or result.scenario is not None:
        return None
    try:
        loaded = load_model(result.model, [f"{id}{letter}" for id, letter in result.readings.items()])
        calls = ModelCalls(loaded, result.bounds)
        return record(calls, result.bounds, worst.witness.schedule, property=worst.name, witness=worst.witness)
    except PrecedeError:
        return None


def _framed(text: str) -> str:
    return (
        f'<iframe srcdoc="{html.escape(text)}" sandbox="allow-scripts allow-downloads allow-modals" width="100%" '
        f'height="{HEIGHT}" style="border:0" title="a recorded run"></iframe>'
    )


def _text(text: str) -> str:
    return html.escape(printable(text))
