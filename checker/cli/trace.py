"""`precede trace`: what is done with a recorded run."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import UsageError
from ..files import probe, write_text
from .exchanging import export, import_
from .looking import gallery, html
from .options import (
    STDOUT,
    json_option,
    model_option,
    probe_targets,
    time_limit_option,
    trace_file,
    write_json,
)
from .shrinking import scenario, shrink


@click.group()
def trace() -> None:
    """Show, draw, replay, validate or shrink a trace that `precede check --trace FILE` wrote."""


@trace.command()
@trace_file
@click.option("--differences", is_flag=True, help="Of every state, only what the step changed.")
@click.option("--process", type=int, metavar="P", help="Only the steps and states of one process.")
def show(file: Path, differences: bool, process: int | None) -> None:
    """Print a trace as text."""
    from ..trace import read_trace
    from ..trace.text import show

    click.echo(show(read_trace(file), differences=differences, process=process))


@trace.command()
@trace_file
@click.option("-o", "--output", required=True, metavar="x.svg", help="The SVG file to write; - is standard output.")
def draw(file: Path, output: str) -> None:
    """Draw a trace as a space-time diagram: one line per process, messages as arrows, waits as bars."""
    if output != STDOUT:
        if Path(output).suffix.lower() not in ("", ".svg"):
            raise UsageError(f"-o {output}: the diagram is SVG; name a file that ends in .svg")
        probe(Path(output), "-o")
    from ..diagram import draw
    from ..trace import read_trace

    svg = draw(read_trace(file))
    if output == STDOUT:
        click.echo(svg)
    else:
        write_text(Path(output), svg)


@trace.command()
@trace_file
@model_option
@json_option
def replay(file: Path, model: str | None, json_target: str | None) -> int:
    """Execute a trace again and say whether the model still does the same: 0 it does, 12 it does not.

    Code named in a trace file is never run by itself: a trace of your own model needs --model.
    """
    probe_targets(json_target)
    from ..trace import read_trace
    from ..trace.replay import replay

    outcome = replay(read_trace(file), model)
    write_json(json_target, outcome.as_json())
    if json_target != STDOUT:
        click.echo(outcome.explanation)
    return outcome.exit_code


@trace.command()
@trace_file
@time_limit_option
@json_option
def validate(file: Path, time_limit: float | None, json_target: str | None) -> int:
    """Let TLC check that the TLA+ specification allows a trace, state by state: 0 it does, 1 it does not.

    The trace is executed again; if the model of today does not do the same, that is said and TLC is not asked.
    """
    probe_targets(json_target)
    from ..calls import ModelCalls
    from ..progress import ProgressLine
    from ..tlc import require_specification
    from ..tlc.validating import validate
    from ..trace import read_trace
    from ..trace.replay import reload, replay

    trace = read_trace(file)
    require_specification(trace.model, (), trace.scenario)
    outcome = replay(trace)
    if not outcome.same:
        raise UsageError(f"{file} is no run of the model of today: {outcome.explanation}")
    with ProgressLine() as progress:
        found = validate(
            ModelCalls(reload(trace), trace.bounds), trace.bounds, trace.schedule,
            time_limit=time_limit, on_progress=progress,
        )  # fmt: skip
    write_json(json_target, found.as_json())
    if json_target != STDOUT:
        click.echo(found.explanation)
    return found.exit_code


for command in (html, gallery, export, import_, shrink, scenario):
    trace.add_command(command)
