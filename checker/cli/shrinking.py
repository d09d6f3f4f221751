"""`precede trace shrink` and `precede trace scenario`: a violating run made smaller, or written as a script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from ..files import probe, write_text
from .options import (
    STDOUT,
    Seconds,
    json_option,
    model_option,
    probe_targets,
    time_limit_option,
    trace_file,
    write_json,
)

if TYPE_CHECKING:
    from ..loading import LoadedModel
    from ..properties import UserProperty
    from ..seeking.smallest import Shrunk
    from ..trace import Trace

EXPLORE_SECONDS = 20.0


@click.command()
@trace_file
@click.option("-o", "--output", required=True, metavar="OUT", help="The trace file to write.")
@model_option
@click.option(
    "--property",
    "property",
    metavar="NAME",
    help="The property to keep violated, or path.py:name for your own.  [default: that of the trace]",
)
@click.option(
    "--explore-limit",
    type=Seconds(),
    default=EXPLORE_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="The most for each of the three explorations of smaller bounds.",
)
@click.option("--local", is_flag=True, help="Explore no smaller bounds.")
@time_limit_option
@json_option
def shrink(
    file: Path,
    output: str,
    model: str | None,
    property: str | None,
    explore_limit: float,
    local: bool,
    time_limit: float | None,
    json_target: str | None,
) -> int:
    """Make a violating run smaller, and keep it violating the same property.

    Processes, sends, destinations and other events are left out, and processes made one, as long as the rest, executed
    again, violates the property. Then bounds with fewer processes, fewer sends and, within the same bounds, shorter
    runs are explored: the answer is "proved smallest" where there are none, else "locally minimal".
    """
    probe_targets(json_target, output)
    from ..progress import ProgressLine
    from ..seeking.smallest import shrink_trace
    from ..trace import read_trace, write_trace
    from ..trace.replay import reload

    trace = read_trace(file)
    loaded = reload(trace, model)
    item = _property_of(trace, loaded, property)
    with ProgressLine() as progress:
        small = shrink_trace(
            loaded,
            trace,
            item,
            explore_seconds=None if local else explore_limit,
            seconds=time_limit,
            on_text=progress.text,
            on_progress=progress,
        )
    write_trace(small.trace, output)
    write_json(json_target, small.as_json())
    if json_target != STDOUT:
        _report_shrunk(small, output)
    return small.exit_code


def _property_of(trace: Trace, loaded: LoadedModel, property: str | None) -> str | UserProperty:
    """The property that a trace is about. Raises UsageError where it is not known or only a file's name for it is."""
    from ..properties import select_properties
    from ..trace.values import printable

    if property is None:
        if trace.violation is None:
            raise UsageError("the trace has no violation: name the property with --property")
        property = trace.violation.property
        if ":" in property or property.endswith(".py"):
            raise UsageError(
                f"the trace is about a property of your own, {printable(property)[:200]!r}; code is not run because a "
                "file names it: give --property path/to/file.py:function"
            )
    return select_properties([property], loaded.model, trace.model)[0]


def _report_shrunk(small: Shrunk, output: str) -> None:
    from ..seeking.smallest import lines

    for line in lines(small):
        click.echo(line)
    click.echo(f"\nwritten to {output}: `precede trace show {output}` prints it")


@click.command()
@trace_file
@click.option("-o", "--output", required=True, metavar="x.txt", help="The file to write; - is standard output.")
def scenario(file: Path, output: str) -> None:
    """Write the scripted scenario of a trace: its sends, and its receipts in their order.

    `precede check MODEL --scenario` explores all runs that follow it, of which the recorded one is one.
    """
    if output != STDOUT:
        probe(Path(output), "-o")
    from ..seeking.scripting import scenario_of
    from ..trace import read_trace

    text = scenario_of(read_trace(file))
    if output == STDOUT:
        click.echo(text, nl=False)
    else:
        write_text(Path(output), text)
