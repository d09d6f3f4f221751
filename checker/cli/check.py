"""`precede check`: explore a model and judge its properties."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import (
    STDOUT,
    Question,
    Size,
    apply_options,
    ask,
    json_option,
    probe_targets,
    question_options,
    time_limit_option,
    trace_option,
    write_json,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ..result import Result

NOTHING_SENT = "no message was ever sent, since `send` gave no step in any initial state: the verdict is about nothing"

check_options = apply_options(
    question_options,
    click.option("--scenario", type=click.Path(path_type=Path), metavar="FILE",
                 help="Explore only the runs of a scenario file."),
    click.option("--engine", type=click.Choice(["auto", "histories", "states"]), default="auto", show_default=True,
                 help="What is explored: local histories, or global states."),
    click.option("--fingerprints", is_flag=True,
                 help="Of global states, keep 64-bit fingerprints in memory; rows go to disk."),
    click.option("--symmetry", is_flag=True,
                 help="Keep one of the histories, or fingerprints of states, that differ in names of processes only."),
    click.option("--search", type=click.Choice(["bfs", "dfs", "random"]), default="bfs", show_default=True,
                 help="Breadth-first finds shortest counterexamples."),
    click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N",
                 help="Seed of --search random."),
    click.option("--walks", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="N",
                 help="Walks of --search random."),
    click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop after so many distinct states."),
    time_limit_option,
    click.option("--memory-limit", type=Size(), metavar="SIZE", help="Stop at so much memory, such as 2G."),
    trace_option,
    json_option,
)  # fmt: skip


@click.command()
@check_options
def check(
    scenario: Path | None,
    engine: str,
    fingerprints: bool,
    symmetry: bool,
    search: str,
    seed: int,
    walks: int,
    max_states: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    trace_target: str | None,
    json_target: str | None,
    **asked: Any,
) -> int:
    """Explore every run of MODEL within a bound and judge its properties.

    MODEL is a built-in name (`precede list`) or path/to/file.py:Class. The exit code is the verdict.
    """
    probe_targets(json_target, trace_target)
    question = ask(scenario=scenario, **asked)
    from ..choosing import examine
    from ..engine import Limits
    from ..progress import STARTING, ProgressLine

    with ProgressLine() as progress:
        progress.text(STARTING)
        result = examine(
            question.calls,
            question.bounds,
            question.properties,
            engine=engine,
            keep="fingerprints" if fingerprints else "rows",
            symmetry=symmetry,
            search=search,
            limits=Limits(max_states, time_limit, memory_limit),
            scenario=question.scenario,
            on_progress=progress,
            seed=seed,
            walks=walks,
        )
    nothing_sent = (NOTHING_SENT,) if result.complete and not result.transitions and not result.packets else ()
    result = replace(result, notes=(*result.notes, *question.notes, *nothing_sent))
    report(question, result, trace_target, json_target)
    return result.exit_code


def report(question: Question, result: Result, trace_target: str | None, json_target: str | None) -> None:
    """Print the result, unless JSON has standard output to itself; then write the files that were asked for.

    A file that cannot be written, or a pipe that breaks, takes nothing else with it.
    """
    from ..report import console, result_lines

    out = console()
    out.quiet = json_target == STDOUT
    try:
        for line in result_lines(result, question.calls.model.title):
            out.print(line)
    finally:
        try:
            report_counterexample(question, result, trace_target, out)
        finally:
            write_json(json_target, result.as_json())


def report_counterexample(question: Question, result: Result, trace_target: str | None, out: Console) -> None:
    """Print the shortest counterexample, if there is one, and write it as a trace."""
    from ..report import counterexample_text, first_violation

    worst = first_violation(result)
    if worst is None or worst.witness is None:
        if trace_target is not None:
            out.print(f"\nno counterexample, so nothing was written to {trace_target}")
        return
    from ..trace import record, write_trace
    from ..trace.text import show_run

    calls, bounds, witness = question.calls, question.bounds, worst.witness
    trace = record(calls, bounds, witness.schedule, property=worst.name, witness=witness, scenario=question.scenario)
    try:
        if trace_target is not None:
            write_trace(trace, trace_target)
    finally:
        out.print(f"\nthe {counterexample_text(result)}, to {worst.name}: {witness.explanation}\n")
        out.print(show_run(trace, differences=True))
    if trace_target is not None:
        out.print(f"\ntrace written to {trace_target}: `precede trace draw {trace_target} -o x.svg` draws it")
