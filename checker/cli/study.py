"""`precede study`: what control information costs at scale, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import HOLDS, INCOMPLETE, UsageError
from .options import Size, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from ..pipeline.study.answers import Table
    from ..pipeline.study.claims import Judgement
    from ..pipeline.study.statistics import Rows
    from ..pipeline.study.studies import Settings

LOADS = ("unicast", "multicast", "broadcast")
SHAPES = ("exponential", "constant", "uniform", "heavy")
COUNTS = ("uniform", "half", "binomial", "with-none")
QUESTIONS = {
    "jang": "Repeat the study of Jang et al., Section 6.2: RST, PRS and Jang, Figures 2 and 3, and its claims.",
    "sa": "Answer the open questions of Sanchez and Alvarez: extra messages, bytes, thresholds, time lost.",
    "gk": "Measure what the semantic order of Gambhire and Kshemkalyani gains over causal order.",
    "ks": "Measure the overhead of Kshemkalyani and Singhal as a fraction of RST's, and for many processes.",
}


@click.group()
def study() -> None:
    """Simulate algorithms under load: the studies of the papers, their figures and claims.

    A study is a set of points: an algorithm, a workload drawn from a seed, its parameters. Spark runs the points; each
    that is finished is kept in DIR/points (Parquet; `precede study columns` lists the columns), and the same command
    goes on where it was stopped.
    """


def _study_command(name: str) -> click.Command:
    def run(out: str, full: bool, scale: float | None, seeds: int | None, master: str, memory: int) -> int:
        from ..pipeline.study.studies import SMALL

        if full and scale is not None:
            raise UsageError("--full and --scale exclude each other: full is scale 1")
        size = 1.0 if full else SMALL if scale is None else scale
        runs = (5 if full else 3) if seeds is None else seeds
        return run_study(name, Path(out), size, runs, master, memory)

    options = (
        click.option("--out", required=True, metavar="DIR", help="Where points, figures and answers go."),
        click.option("--full", is_flag=True, help="The size of the paper: scale 1, five seeds."),
        click.option("--scale", type=float, metavar="F", help="The share of the paper's size.  [default: 0.02]"),
        click.option("--seeds", type=int, metavar="N", help="Runs of each point.  [default: 3, with --full 5]"),
        click.option("--master", default="local[*]", show_default=True, metavar="URL", help="Where Spark runs."),
        click.option("--memory", type=Size(), default="2G", show_default=True, metavar="SIZE", help="Heap of Spark."),
    )
    for option in reversed(options):
        run = option(run)
    return click.command(name, help=QUESTIONS[name])(run)


for _name in QUESTIONS:
    study.add_command(_study_command(_name))


def run_study(name: str, out: Path, scale: float, seeds: int, master: str, memory: int) -> int:
    """Run what is missing of a study, then draw its figures and print its answers."""
    from ..pipeline.study.job import run_points
    from ..pipeline.study.keeping import open_study
    from ..pipeline.study.studies import Settings
    from ..progress import ProgressLine

    points = open_study(out, Settings(name, scale, seeds))
    with ProgressLine() as progress:
        progress.text(f"{len(points)} points; starting Spark")

        def report(done: int, all_points: int, seconds: float) -> None:
            progress.text(f"{done} of {all_points} points finished, {seconds:.0f} s")

        ran = run_points(points, out, master, memory, report)
    click.echo(f"{len(points)} points, {ran} of them run now, {len(points) - ran} kept from before: {out}/points")
    return show(out, figures=True)


def show(out: Path, figures: bool, json_target: str | None = None) -> int:
    """Print what a study says; draw its figures; write the JSON."""
    from ..formats import STUDY_CLAIMS
    from ..pipeline.study.answers import answers, groups_of
    from ..pipeline.study.claims import judged
    from ..pipeline.study.keeping import load_rows
    from ..pipeline.study.plots import draw_figures

    settings, rows, missing = load_rows(out)
    code = INCOMPLETE if missing else HOLDS
    groups = groups_of(rows) if settings.study == "jang" else []
    claims = {group: judged(rows.where(group=group)) for group in groups}
    tables = answers(settings.study, rows) if len(rows) else []
    if json_target != "-":
        print_study(settings, rows, missing, claims, tables)
    if figures and len(rows):
        base = rows.where(group="base") if settings.study == "jang" else rows
        paths = draw_figures(settings.study, base, out / "figures")
        click.echo(f"{len(paths) // 3} figures (SVG, PNG, CSV): {out}/figures")
    judgements = [{"group": group, **vars(judgement)} for group, found in claims.items() for judgement in found]
    document = STUDY_CLAIMS.document(
        study=settings.study,
        scale=settings.scale,
        seeds=settings.seeds,
        missing=missing,
        claims=judgements,
        tables=[table._asdict() for table in tables],
        exit_code=code,
    )
    write_json(json_target, document)
    return code


def print_study(
    settings: Settings, rows: Rows, missing: int, claims: dict[str, list[Judgement]], tables: Sequence[Table]
) -> None:
    """The tables, the claims on the base, and how they fare where something is varied."""
    from ..report import aligned, console

    out = console()
    out.print(f"study {settings.study}, scale {settings.scale:g}, {settings.seeds} seeds, {len(rows)} points")
    out.print("means over seeds with half their 95 % confidence intervals")
    if missing:
        out.print(f"incomplete: {missing} points are missing", style="bold yellow")
    for table in tables:
        out.print(f"\n{table.title}")
        for line in aligned(table.rows, right=range(1, len(table.rows[0]))):
            out.print(line)
    if "base" in claims:
        out.print("\nclaims, at the rates and delays of the base (delays exponential, mean 0.1 s)")
        for line in aligned([[j.claim, j.verdict, j.figures] for j in claims["base"]]):
            out.print(line)
        out.print("\nclaims where what the paper does not say is varied")
        names = [j.claim.removeprefix("C-J-") for j in claims["base"]]
        for line in aligned([["", *names], *([g, *(j.verdict for j in found)] for g, found in claims.items())]):
            out.print(line)


@study.command()
@click.argument("directory", metavar="DIR")
@json_option
def claims(directory: str, json_target: str | None) -> int:
    """Print what the study in DIR says: its tables, and its paper's claims with the figures that decide them.

    Exit code 3: points are missing.
    """
    probe_targets(json_target)
    return show(Path(directory), figures=False, json_target=json_target)


@study.command()
@click.argument("directory", metavar="DIR")
def plots(directory: str) -> int:
    """Draw all figures of the study in DIR again, and of Jang's those of every variation."""
    from ..pipeline.study.keeping import load_rows
    from ..pipeline.study.plots import draw_figures

    settings, rows, missing = load_rows(Path(directory))
    for path in draw_figures(settings.study, rows, Path(directory) / "figures") if len(rows) else []:
        click.echo(path)
    return INCOMPLETE if missing else HOLDS


@study.command()
def columns() -> None:
    """List the columns of the Parquet table of points, DIR/points."""
    from ..pipeline.study.tables import COLUMNS
    from ..report import aligned, console

    for line in aligned([[name, str(kind), text] for name, (kind, text) in COLUMNS.items()]):
        console().print(line)


@study.command()
@click.option("--processes", default="10,20,30,40,50", show_default=True, metavar="N,N...", help="Sizes to measure.")
@click.option("--deliveries", type=click.IntRange(min=100), default=20_000, show_default=True, metavar="D",
              help="Deliveries of each run, about.")  # fmt: skip
def throughput(processes: str, deliveries: int) -> None:
    """Measure the compiled algorithms: microseconds of CPU time for one delivery, by algorithm, load and size."""
    from ..pipeline.study.throughput import measure
    from ..progress import ProgressLine
    from ..report import aligned, console

    try:
        sizes = [int(n) for n in processes.split(",")]
    except ValueError:
        raise UsageError(f"--processes {processes}: write numbers such as 10,50") from None
    with ProgressLine() as progress:
        rows = measure(sizes, deliveries, progress.text)
    out = console()
    out.print("microseconds of CPU time for one delivery, with its share of the sends; delays and intervals 0.1 s")
    for line in aligned(rows, right=range(2, len(rows[0]))):
        out.print(line)


@study.command()
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
