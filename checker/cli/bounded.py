"""`precede bounded`: Z3 looks for a shortest violation among all runs of a bounded number of steps."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from .options import (
    DEFAULT_PROCESSES,
    STDOUT,
    json_option,
    probe_targets,
    time_limit_option,
    trace_option,
    write_json,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ..bounded import BoundedResult

DEFAULT_STEPS = 8
MOST_PROCESSES = 6
MOST_STEPS = 40


@click.command()
@click.argument("model")
@click.option("--processes", type=click.IntRange(2, MOST_PROCESSES), default=DEFAULT_PROCESSES, show_default=True,
              metavar="N", help="Number of processes.")  # fmt: skip
@click.option("--steps", type=click.IntRange(1, MOST_STEPS), default=DEFAULT_STEPS, show_default=True, metavar="K",
              help="Steps of a run, at most: sends, and receipts of single copies.")  # fmt: skip
@click.option("--sends", type=click.IntRange(min=1), metavar="T",
              help="Sends in the whole run, at most.  [default: as many as there are steps]")  # fmt: skip
@click.option("--dests", type=click.Choice(["unicast", "multicast", "broadcast"]),
              help="Whom a message may address.  [default: the widest load of the model]")  # fmt: skip
@click.option("--channel", type=click.Choice(["unordered", "fifo", "fifo-delivery"]),
              help="What the channels promise.  [default: the weakest that the model is made for]")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="A parameter of the model, such as K=5; may be repeated.")  # fmt: skip
@click.option("--reading", "readings", multiple=True, metavar="ID",
              help="A reading of an ambiguous step, such as KS-2b; may be repeated.")  # fmt: skip
@click.option("--property", "properties", multiple=True, metavar="NAME",
              help="CausalOrder, Delivery, NoNeedlessDelay or Minimality; may be repeated.  "
                   "[default: what the source claims]")  # fmt: skip
@time_limit_option
@trace_option
@json_option
def bounded(
    model: str,
    processes: int,
    steps: int,
    sends: int | None,
    dests: str | None,
    channel: str | None,
    settings: tuple[str, ...],
    readings: tuple[str, ...],
    properties: tuple[str, ...],
    time_limit: float | None,
    trace_target: str | None,
    json_target: str | None,
) -> int:
    """Let Z3 look for a shortest violation in runs of MODEL of at most K steps.

    MODEL is rst, ks, jang, gk or sa. Its steps are formulas, no state is enumerated, and nothing of this is shared with
    `precede check`. A run that is found is executed with the model. The exit code is the verdict.
    """
    probe_targets(json_target, trace_target)
    from ..bounded import BoundedResult, algorithm_of, judged, witness_of
    from ..bounds import Bounds
    from ..calls import ModelCalls
    from ..loading import load_model
    from ..progress import ProgressLine
    from ..properties import select_properties

    loaded = load_model(model, readings, settings)
    bounds = Bounds(
        processes, sends or steps, dests=dests or loaded.model.load, channel=channel or loaded.model.channel
    )
    calls = ModelCalls(loaded, bounds)
    algorithm = algorithm_of(calls)
    names = judged(select_properties(properties, loaded.model, model), algorithm)
    from precede.proofs.bounded import Bounds as Runs
    from precede.proofs.bounded import search

    started = time.perf_counter()
    with ProgressLine() as progress:
        findings = search(
            algorithm,
            Runs(processes, sends, bounds.dests, bounds.channel),
            names,
            steps,
            time_limit=time_limit,
            on_depth=lambda depth, name: progress.text(f"runs of {depth} steps: {name}"),
        )
    seconds = time.perf_counter() - started
    witnesses = {found.name: witness_of(calls, bounds, found) for found in findings if found.is_violated}
    result = BoundedResult(calls, bounds, steps, findings, witnesses, None, seconds)
    if not result.complete:
        by_time = time_limit is not None and seconds >= time_limit
        result = BoundedResult(calls, bounds, steps, findings, witnesses, "the time limit" if by_time else
                               "an interrupt", seconds)  # fmt: skip
    report(result, trace_target, json_target)
    return result.exit_code


def report(result: BoundedResult, trace_target: str | None, json_target: str | None) -> None:
    """Print the verdicts and the shortest counterexample, and write the files that were asked for."""
    from ..report import aligned, console

    out = console()
    out.quiet = json_target == STDOUT
    loaded = result.calls.loaded
    readings = " ".join(f"{id}{letter}" for id, letter in loaded.readings.items())
    try:
        out.print(f"{loaded.name}: {result.calls.model.title}, readings {readings}")
        out.print(sentence(result))
        rows = [["property", "verdict", "shortest counterexample", "no violation up to", "seconds"]]
        for found in result.findings:
            length = f"{found.steps} steps" if found.is_violated else ""
            below = f"{found.steps - found.is_violated} steps"
            rows.append([found.name, result.verdict_on(found), length, below, f"{found.seconds:.2f}"])
        out.print()
        for line in aligned(rows, right=(2, 3, 4)):
            out.print(line)
        out.print(f"\n  {result.seconds:.2f} s of search, building the formulas included")
    finally:
        try:
            report_counterexample(result, trace_target, out)
        finally:
            write_json(json_target, result.as_json())


def sentence(result: BoundedResult) -> str:
    """The verdict in one sentence, with its bound."""
    from ..report import assumptions

    runs = f"runs of at most {result.steps} steps of {assumptions(result.bounds)}"
    if result.verdict == "violated":
        early = f"; the search ended early: {result.stopped}" if result.stopped else ""
        return f"violated: {', '.join(result.witnesses)}; in {runs}{early}"
    if result.verdict == "incomplete":
        return f"incomplete: {result.stopped} stopped the search; no violation found so far in {runs}"
    return f"holds within the bound: for all {runs}; nothing is said of longer runs"


def report_counterexample(result: BoundedResult, trace_target: str | None, out: Console) -> None:
    """Print the shortest counterexample, if there is one, and write it as a trace."""
    from ..bounded import trace_of
    from ..trace import write_trace
    from ..trace.text import show_run

    worst = result.shortest
    if worst is None:
        if trace_target is not None:
            out.print(f"\nno counterexample, so nothing was written to {trace_target}")
        return
    witness = result.witnesses[worst]
    trace = trace_of(result.calls, result.bounds, worst, witness)
    try:
        if trace_target is not None:
            write_trace(trace, trace_target)
    finally:
        out.print(f"\nthe shortest counterexample, to {worst}: {witness.explanation}\n")
        out.print(show_run(trace, differences=True))
    if trace_target is not None:
        out.print(f"\ntrace written to {trace_target}: `precede trace draw {trace_target} -o x.svg` draws it")
