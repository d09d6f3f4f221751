"""`precede study`: what control information costs at scale, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import HOLDS, INCOMPLETE, UsageError
from .options import Size, json_option, probe_targets, write_json
from .study_single import simulate, throughput

if TYPE_CHECKING:
    from ..pipeline.study.answers import Table
    from ..pipeline.study.claims import Judgement
    from ..pipeline.study.statistics import Rows
    from ..pipeline.study.studies import Settings

QUESTIONS = {
    "jang": "Repeat the study of Jang et al., Section 6.2: RST, PRS and Jang, Figures 2 and 3, and its claims.",
    "prs": "Judge those claims for every form of PRS, which is reconstructed here (readings PRS-2 to PRS-4).",
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


BASE_ONLY = (
    click.option(
        "--base-only", is_flag=True, help="Without what the paper does not say varied; the same command goes on."
    ),
)


def _study_command(name: str) -> click.Command:
    def run(
        out: str, full: bool, scale: float | None, seeds: int | None, master: str, memory: int, base_only: bool = False
    ) -> int:
        from ..pipeline.study.studies import SMALL

        if full and scale is not None:
            raise UsageError("--full and --scale exclude each other: full is scale 1")
        size = 1.0 if full else SMALL if scale is None else scale
        runs = (5 if full else 3) if seeds is None else seeds
        return run_study(name, Path(out), size, runs, master, memory, base_only)

    options = (
        click.option("--out", required=True, metavar="DIR", help="Where points, figures and answers go."),
        click.option("--full", is_flag=True, help="The size of the paper: scale 1, five seeds."),
        click.option("--scale", type=float, metavar="F", help="The share of the paper's size.  [default: 0.02]"),
        click.option("--seeds", type=int, metavar="N", help="Runs of each point.  [default: 3, with --full 5]"),
        click.option("--master", default="local[*]", show_default=True, metavar="URL", help="Where Spark runs."),
        click.option("--memory", type=Size(), default="2G", show_default=True, metavar="SIZE", help="Heap of Spark."),
    )
    for option in reversed([*options, *(BASE_ONLY if name == "jang" else ())]):
        run = option(run)
    return click.command(name, help=QUESTIONS[name])(run)


for _name in QUESTIONS:
    study.add_command(_study_command(_name))
study.add_command(simulate)
study.add_command(throughput)


def run_study(name: str, out: Path, scale: float, seeds: int, master: str, memory: int, base_only: bool = False) -> int:
    """Run what is missing of a study, or of its base, then draw its figures and print its answers."""
    from ..pipeline.study.job import run_points
    from ..pipeline.study.keeping import open_study
    from ..pipeline.study.studies import BASE, Settings
    from ..progress import ProgressLine

    points = open_study(out, Settings(name, scale, seeds))
    if base_only:
        points = [point for point in points if point.group == BASE]
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
    from ..pipeline.study.answers import answers, judged_groups
    from ..pipeline.study.claims import judged
    from ..pipeline.study.keeping import load_rows
    from ..pipeline.study.plots import draw_figures

    settings, rows, missing = load_rows(out)
    code = INCOMPLETE if missing else HOLDS
    claims = {group: judged(found) for group, found in judged_groups(settings.study, rows).items()}
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
    if claims:
        out.print(f"\nclaims {'where what the paper does not say is varied' if 'base' in claims else 'by form of PRS'}")
        names = [j.claim.removeprefix("C-J-") for j in next(iter(claims.values()))]
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
@click.argument("directories", metavar="DIR...", nargs=-1, required=True)
def plots(directories: tuple[str, ...]) -> int:
    """Draw all figures of the study in each DIR again, and of Jang's those of every variation."""
    from ..pipeline.study.keeping import load_rows
    from ..pipeline.study.plots import draw_figures

    code = HOLDS
    for out in map(Path, directories):
        settings, rows, missing = load_rows(out)
        for path in draw_figures(settings.study, rows, out / "figures") if len(rows) else []:
            click.echo(path)
        code = INCOMPLETE if missing else code
    return code


@study.command()
def columns() -> None:
    """List the columns of the Parquet table of points, DIR/points."""
    from ..pipeline.study.tables import COLUMNS
    from ..report import aligned, console

    for line in aligned([[name, str(kind), text] for name, (kind, text) in COLUMNS.items()]):
        console().print(line)
