"""`precede sizes`: how large the control information of a model is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import HOLDS, INCOMPLETE, UsageError
from ..formats import SIZES
from .options import (
    STDOUT,
    Question,
    Size,
    ask,
    json_option,
    probe_targets,
    question_options,
    time_limit_option,
    write_json,
)

if TYPE_CHECKING:
    from rich.text import Text

    from ..sizes import Measured, Sizes
    from ..trace import Trace


@click.command()
@question_options
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop after so many distinct states.")
@time_limit_option
@click.option("--memory-limit", type=Size(), metavar="SIZE", help="Stop at so much memory, such as 2G.")
@click.option("--trace", "trace_target", metavar="FILE", help="Write the shortest run to a largest packet.")
@json_option
def sizes(
    max_states: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    trace_target: str | None,
    json_target: str | None,
    **asked: Any,
) -> int:
    """Measure the control information of every packet that is in transit in some run of MODEL within a bound.

    Distinct packets count once. Units are the paper's own, bytes those of the byte model; properties are not judged.
    Exit code 3: the search was stopped, and larger packets may exist.
    """  # fmt: skip
    probe_targets(json_target, trace_target)
    if asked["properties"]:
        raise UsageError("--property: sizes are measured and no property is judged; use `precede check`")
    question = ask(**asked)
    from ..engine import Limits
    from ..progress import STARTING, ProgressLine
    from ..sizes import measure_sizes

    limits = Limits(max_states, time_limit, memory_limit)
    with ProgressLine() as progress:
        progress.text(STARTING)
        measured = measure_sizes(question.calls, question.bounds, limits=limits, on_progress=progress)
    return report(question, measured, trace_target, json_target)


def report(question: Question, measured: Sizes, trace_target: str | None, json_target: str | None) -> int:
    """Print the sizes and the run to a largest packet; write the files that were asked for."""
    from ..report import console
    from ..sizes import as_json
    from ..trace import record, write_trace
    from ..trace.text import show_run

    out = console()
    out.quiet = json_target == STDOUT
    code = HOLDS if measured.complete else INCOMPLETE
    calls, bounds, worst = question.calls, question.bounds, measured.largest
    trace = record(calls, bounds, worst.schedule, source="precede sizes") if worst else None
    try:
        for line in size_lines(question, measured):
            out.print(line)
        if trace and worst:
            out.print(f"\na shortest run to a packet of {worst.size} {worst.measure}\n")
            out.print(show_run(trace, differences=True))
        if trace_target is not None:
            if trace:
                write_trace(trace, trace_target)
            out.print(f"\ntrace written to {trace_target}" if trace else f"\nno run to show, so no {trace_target}")
    finally:
        document = SIZES.document(
            model=calls.loaded.name,
            readings=calls.loaded.readings,
            bounds=bounds.as_json(),
            complete=measured.complete,
            stopped=measured.stopped,
            exit_code=code,
            distinct_states=measured.distinct_states,
            **as_json(measured),
            largest=largest_json(measured, trace),
            seconds=round(measured.seconds, 3),
            notes=list(question.notes),
        )
        write_json(json_target, document)
    return code


def largest_json(measured: Sizes, trace: Trace | None) -> dict[str, Any] | None:
    """The largest packet and the run to it."""
    worst = measured.largest
    if worst is None or trace is None:
        return None
    return {
        "measure": worst.measure,
        "size": worst.size,
        "message": f"{worst.message[0]}.{worst.message[1]}",
        "to": worst.to,
        "trace_length": len(worst.schedule),
        "steps": [step.label for step in trace.steps],
    }


def size_lines(question: Question, measured: Sizes) -> list[Text]:
    """Model, bound and the table of sizes."""
    from rich.text import Text

    from ..report import aligned, assumptions

    loaded, title = question.calls.loaded, question.calls.model.title
    lines = [Text(f"{loaded.name}: {title}" if title else loaded.name), Text(assumptions(question.bounds))]
    if measured.stopped:
        lines.append(Text(f"incomplete: {measured.stopped}; larger ones may exist", style="bold yellow"))
    rows: list[list[str]] = [["", "distinct", "measure", "least", "mean", "most"]]
    rows += spread_rows("packets", measured.packets)
    if measured.signals.count:
        rows += spread_rows("signals", measured.signals)
    lines += [Text(), *aligned(rows, right=[1, 3, 4, 5])]
    lines.append(
        Text(f"  over {measured.distinct_states:,} distinct global states, {measured.seconds:.2f} s of search")
    )
    return [*lines, *(Text(f"note: {note}") for note in question.notes)]


def spread_rows(name: str, measured: Measured) -> list[list[str]]:
    """Two rows of the table: units and bytes."""
    from ..sizes import NO_SIZE

    rows = []
    for measure, spread in (("units", measured.units), ("bytes", measured.bytes)):
        figures = [f"{spread.smallest:,}", f"{spread.mean:.2f}", f"{spread.largest:,}"] if spread else ["", "", ""]
        said = measure if spread or not measured.count else f"{measure}: {NO_SIZE}"
        rows.append([name, f"{measured.count:,}", said, *figures])
    return rows
