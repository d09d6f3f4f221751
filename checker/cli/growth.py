"""`precede growth`: what is explored, and the time it takes, against the bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..bounds import DESTS, Bounds
from ..errors import UsageError
from .options import STDOUT, Seconds, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from ..growth import Row


@click.command()
@click.argument("model")
@click.option("--processes", type=int, default=3, show_default=True, metavar="N", help="Number of processes.")
@click.option("--sends", type=int, default=4, show_default=True, metavar="T", help="Up to so many sends.")
@click.option(
    "--from",
    "first",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="T",
    help="From so many sends on.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="R",
    help="Measure so often, the engines in turns; the times are medians.",
)
@click.option(
    "--dests", type=click.Choice(DESTS), default="multicast", show_default=True, help="Whom a message may address."
)
@click.option("--reading", "readings", multiple=True, metavar="ID", help="A reading of the model; may be repeated.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    type=click.Choice(["histories", "histories by symmetry", "states", "tlc"]),
    help="An engine to be measured; may be repeated.  [default: all but tlc]",
)
@click.option(
    "--time-limit", type=Seconds(), default=60.0, show_default=True, metavar="SECONDS", help="The most for one bound."
)
@json_option
def growth(
    model: str,
    processes: int,
    sends: int,
    first: int,
    rounds: int,
    dests: str,
    readings: tuple[str, ...],
    engines: tuple[str, ...],
    time_limit: float,
    json_target: str | None,
) -> int:
    """Measure the engines on MODEL with more and more sends, each in a process of its own.

    An engine that does not finish a bound within the time limit is not asked about larger ones.
    """
    probe_targets(json_target)
    if first > sends:
        raise UsageError(f"--from {first}: --sends {sends} leaves nothing to measure")
    bounds = Bounds(processes=processes, sends=sends, dests=dests)
    from ..growth import ENGINES, grow
    from ..loading import load_model
    from ..progress import ProgressLine

    load_model(model, readings)
    rows: list[Row] = []
    try:
        with ProgressLine() as progress:
            asked = engines or ENGINES[:-1]
            for row in grow(model, readings, bounds, asked, time_limit, progress.text, first, rounds):
                rows.append(row)
    finally:  # what was measured before an interrupt is not lost
        if rows:
            report(model, readings, bounds, rows, rounds, json_target)
    return 0


def report(
    model: str, readings: tuple[str, ...], bounds: Bounds, rows: list[Row], rounds: int, json_target: str | None
) -> None:
    """Print the table, unless JSON has standard output to itself, and write the JSON."""
    from ..growth import as_json, table
    from ..report import aligned, assumptions, console

    out = console()
    out.quiet = json_target == STDOUT
    try:
        out.print(f"{model}: {assumptions(bounds)}\n")
        for line in aligned(table(rows), right=(0, 3, 4, 5, 6, 7, 8)):
            out.print(line)
        time = "of the whole process" if rounds == 1 else f"of the whole process, the median of {rounds} in turns"
        out.print(f"  objects: local states of histories, global states of the others; time: {time}")
        if any(row.engine == "states" for row in rows):
            out.print("  factor: how many times as fast as the state engine")
    finally:
        write_json(json_target, as_json(model, readings, bounds, rows, rounds))
