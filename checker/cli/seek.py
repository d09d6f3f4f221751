"""`precede seek`: directed search for violations where exploration cannot reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import (
    STDOUT,
    ask,
    json_option,
    probe_targets,
    question_options,
    time_limit_option,
    trace_option,
    write_json,
)

if TYPE_CHECKING:
    from ..seeking.found import SeekResult

DEFAULT_RUNS = 10_000


@click.command()
@question_options
@click.option(
    "--runs", type=click.IntRange(min=1), default=DEFAULT_RUNS, show_default=True, metavar="N", help="Runs, at most."
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N", help="Selects the runs."
)
@time_limit_option
@trace_option
@json_option
def seek(
    runs: int, seed: int, time_limit: float | None, trace_target: str | None, json_target: str | None, **asked: Any
) -> int:
    """Search MODEL for violations with 4 or more processes, where not every run can be explored.

    Each run prefers some events: a few packets are late as long as anything else can happen, senders follow what they
    have delivered, some process is addressed again and again. Runs that did something new in the model are changed and
    run again. A violation that is found is made smaller at once. That none is found proves nothing: the exit code is
    then 3.
    """
    probe_targets(json_target, trace_target)
    question = ask(**asked)
    from ..progress import ProgressLine
    from ..seeking.found import seek

    with ProgressLine() as progress:
        result = seek(
            question.calls.loaded,
            question.bounds,
            question.properties,
            runs=runs,
            seed=seed,
            seconds=time_limit,
            on_text=progress.text,
        )
    try:
        if json_target != STDOUT:
            report(result, trace_target)
        elif trace_target is not None:
            write_shortest(result, trace_target)
    finally:
        write_json(json_target, result.as_json())
    return result.exit_code


def report(result: SeekResult, trace_target: str | None) -> None:
    """Print the result and the shortest small run, and write that as a trace."""
    from ..report import console
    from ..seeking.found import lines
    from ..trace.text import show_run

    out = console()
    for line in lines(result):
        out.print(line)
    shortest = result.shortest
    if shortest is None or shortest.violation is None:
        return
    violation = shortest.violation
    if trace_target is not None:
        write_shortest(result, trace_target)
    out.print(f"\nthe shortest, to {violation.property}: {violation.explanation}\n")
    out.print(show_run(shortest, differences=True))
    if trace_target is not None:
        out.print(f"\ntrace written to {trace_target}: `precede trace shrink` looks for a smaller one by exploration")


def write_shortest(result: SeekResult, trace_target: str) -> None:
    """Write the shortest small run, if there is one."""
    from ..trace import write_trace

    if result.shortest is not None:
        write_trace(result.shortest, trace_target)
