"""`precede bench`: this engine and TLC, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..bounds import DESTS, Bounds
from .options import STDOUT, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from ..bench import Measurement


@click.command()
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@click.option("--processes", type=int, default=3, show_default=True, metavar="N", help="Number of processes.")
@click.option("--sends", type=int, default=5, show_default=True, metavar="T", help="Sends in the whole run, at most.")
@click.option(
    "--dests", type=click.Choice(DESTS), default="multicast", show_default=True, help="Whom a message may address."
)
@click.option(
    "--workers", type=click.IntRange(min=1), default=2, show_default=True, metavar="N", help="TLC's worker threads."
)
@json_option
def bench(
    models: tuple[str, ...], processes: int, sends: int, dests: str, workers: int, json_target: str | None
) -> int:
    """Measure this engine and TLC on the same question, whole process against whole process.

    MODEL is one or several built-in names; ks when none is given. At the default bound TLC takes many minutes for each.
    """
    probe_targets(json_target)
    bounds = Bounds(processes=processes, sends=sends, dests=dests)
    from ..bench import measure_precede, measure_tlc
    from ..loading import load_model
    from ..progress import ProgressLine
    from ..tlc import require_counterpart, require_specification

    models = models or ("ks",)
    for model in models:
        loaded = load_model(model)
        require_specification(loaded.name, ())
        require_counterpart(loaded.name, loaded.readings, bounds)
    measurements: list[Measurement] = []
    try:
        with ProgressLine() as progress:
            for model in models:
                progress.text(f"precede check {model}")
                measurements.append(measure_precede(model, bounds))
                measurements.append(measure_tlc(model, bounds, workers, progress))
    finally:  # what was measured before an interrupt or a failure is not lost
        if measurements:
            report(measurements, bounds, json_target)
    return 0


def report(measurements: list[Measurement], bounds: Bounds, json_target: str | None) -> None:
    """Print the table, unless JSON has standard output to itself, and write the JSON."""
    from ..bench import as_json, machine, table
    from ..report import aligned, assumptions, console

    out = console()
    out.quiet = json_target == STDOUT
    try:
        out.print(f"{assumptions(bounds)}; {', '.join(f'{key} {value}' for key, value in machine().items())}\n")
        for line in aligned(table(measurements), right=range(2, 8)):
            out.print(line)
        out.print(
            "  seconds: wall clock of the whole process; bytes/state: peak memory above that of 2 processes, 1 send"
        )
    finally:
        write_json(json_target, as_json(measurements, bounds))
