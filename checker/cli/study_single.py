"""`precede study simulate` and `precede study throughput`: single runs of models and kernels, without Spark."""

from __future__ import annotations

from typing import Any

import click

from ..errors import HOLDS, UsageError
from .options import json_option, probe_targets, write_json

LOADS = ("unicast", "multicast", "broadcast")
SHAPES = ("exponential", "constant", "uniform", "heavy")
COUNTS = ("uniform", "half", "binomial", "with-none")


@click.command()
@click.option("--processes", default="10,20,30,40,50", show_default=True, metavar="N,N...", help="Sizes to measure.")
@click.option("--deliveries", type=click.IntRange(min=100), default=20_000, show_default=True, metavar="D",
              help="Deliveries of each run, about.")  # fmt: skip
@click.option("--algorithms", metavar="NAME,NAME...", help="Which are measured.  [default: all that are compiled]")
@json_option
def throughput(processes: str, deliveries: int, algorithms: str | None, json_target: str | None) -> None:
    """Measure the compiled algorithms: deliveries in a second of CPU time, by algorithm, load and size."""
    from ..formats import THROUGHPUT
    from ..pipeline.study.kernels import KERNELS
    from ..pipeline.study.throughput import measure, table
    from ..progress import ProgressLine
    from ..report import aligned, console

    probe_targets(json_target)
    try:
        sizes = [int(n) for n in processes.split(",")]
    except ValueError:
        raise UsageError(f"--processes {processes}: write numbers such as 10,50") from None
    names = algorithms.split(",") if algorithms is not None else list(KERNELS)
    if set(names) - set(KERNELS):
        raise UsageError(f"--algorithms {algorithms}: only {', '.join(KERNELS)} are compiled")
    with ProgressLine() as progress:
        measured = measure(names, sizes, deliveries, progress.text)
    if json_target != "-":
        out = console()
        out.print("deliveries in a second of CPU time, each with its share of the sends; delays and intervals 0.1 s")
        for line in aligned(table(measured), right=range(2, 2 + len(sizes))):
            out.print(line)
    write_json(json_target, THROUGHPUT.document(measured=[each._asdict() for each in measured]))


@click.command()
@click.argument("model")
@click.option(
    "--engine",
    type=click.Choice(["model", "kernel"]),
    default="model",
    show_default=True,
    help="The Python model, or its compiled kernel where it has one.",
)
@click.option("--processes", type=int, default=5, show_default=True, metavar="N")
@click.option("--load", type=click.Choice(LOADS), default="multicast", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, metavar="S")
@click.option(
    "--warmup",
    type=int,
    default=20,
    show_default=True,
    metavar="C",
    help="Copies that each process receives before it is measured.",
)
@click.option("--measured", type=int, default=100, show_default=True, metavar="C", help="Copies that are measured.")
@click.option("--interval", type=float, default=0.1, show_default=True, help="Mean time between sends, in seconds.")
@click.option("--interval-shape", type=click.Choice(SHAPES), default="exponential", show_default=True)
@click.option("--delay", type=float, default=0.1, show_default=True, help="Mean delay, in seconds.")
@click.option("--delay-shape", type=click.Choice(SHAPES), default="exponential", show_default=True)
@click.option(
    "--destinations", type=click.Choice(COUNTS), default="uniform", show_default=True, help="How many a multicast has."
)
@click.option("--channel", type=click.Choice(["unordered", "fifo"]), default="unordered", show_default=True)
@click.option(
    "--dependence",
    type=float,
    metavar="SHARE",
    help="Share of sends that depend on the latest event of their process (semantic order).",
)
@click.option("--reading", "readings", multiple=True, metavar="ID", help="A reading of the model; may be repeated.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter, such as K=5.")
@json_option
def simulate(
    model: str,
    engine: str,
    readings: tuple[str, ...],
    settings: tuple[str, ...],
    json_target: str | None,
    **workload: Any,
) -> int:
    """Simulate MODEL, built-in or path.py:Class, once under a workload, and print its figures."""
    from ..formats import SIMULATION
    from ..loading import load_model
    from ..pipeline.study.single import simulated
    from ..pipeline.study.workload import Workload
    from ..report import aligned, console

    probe_targets(json_target)
    loaded = load_model(model, readings, settings)
    load = Workload(**workload)
    found = simulated(loaded, load, engine)
    if json_target != "-":
        for line in aligned([[name, f"{value:,.6g}"] for name, value in found.items()], right=[1]):
            console().print(line)
    document = SIMULATION.document(
        model=loaded.name, readings=loaded.readings, engine=engine, workload=load.as_dict(), figures=found
    )
    write_json(json_target, document)
    return HOLDS
