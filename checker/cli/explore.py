"""`precede explore`: explore a model on Spark, and keep the state space as data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .check import NOTHING_SENT, report
from .options import (
    Size,
    apply_options,
    ask,
    json_option,
    probe_targets,
    question_options,
    time_limit_option,
    trace_option,
)

MASTER = "local[*]"
GLOBBED = set("[]{}*?\\,:")
"""Characters that mean something else in the paths of Spark."""

spark_options = apply_options(
    click.option("--master", default=MASTER, show_default=True, metavar="URL",
                 help="Where Spark runs: local[N], local-cluster[N,CORES,MIB], spark://HOST:PORT, ..."),
    click.option("--memory", type=Size(), default="2G", show_default=True, metavar="SIZE",
                 help="Memory of each executor."),
)  # fmt: skip


@click.command()
@question_options
@click.option(
    "--scenario", type=click.Path(path_type=Path), metavar="FILE", help="Explore only the runs of a scenario file."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder of the tables; given again, the exploration in it goes on.",
)
@spark_options
@click.option("--to-the-end", is_flag=True, help="Go on when every property is decided: all states are wanted.")
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop after the level with the N-th state.")
@time_limit_option
@trace_option
@json_option
def explore(
    scenario: Path | None,
    out: Path,
    master: str,
    memory: int,
    to_the_end: bool,
    max_states: int | None,
    time_limit: float | None,
    trace_target: str | None,
    json_target: str | None,
    **asked: Any,
) -> int:
    """Explore every run of MODEL within a bound on Spark, into Parquet tables for `precede query`.

    Verdicts, counts and lengths of counterexamples are those of `precede check`. A level of the search is in DIR whole
    or not at all: after Ctrl-C, a limit or a crash the same command goes on where it was.
    """  # fmt: skip
    probe_targets(json_target, trace_target)
    question = ask(scenario=scenario, **asked)
    if set(str(out.absolute())) & GLOBBED:
        raise UsageError(f"--out {out}: Spark cannot use a path with any of {' '.join(sorted(GLOBBED))}")
    from ..engine import Limits
    from ..pipeline.explore.outcome import explore_on_spark
    from ..progress import ProgressLine

    with ProgressLine() as progress:
        progress.text("starting Spark")
        result = explore_on_spark(
            question.calls,
            question.bounds,
            question.properties,
            out.absolute(),
            master=master,
            memory=memory,
            limits=Limits(max_states, time_limit),
            scenario=question.scenario,
            to_the_end=to_the_end,
            on_progress=progress.text,
        )
    nothing_sent = (NOTHING_SENT,) if result.complete and not result.transitions else ()
    result = replace(result, notes=(*result.notes, *question.notes, *nothing_sent))
    report(question, result, trace_target, json_target)
    return result.exit_code
