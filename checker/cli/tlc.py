"""`precede tlc`: the same question to TLC, and both answers side by side."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import DISAGREE, UsageError
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
from .tlc_all import WithAll
from .tlc_answer import answer_json, compare_dump, executed, explanation, write_tlc_trace

if TYPE_CHECKING:
    from ..properties import UserProperty
    from ..tlc import Simulation, TlcResult

DEFAULT_DEPTH = 100
MOST_STEPS = 60_000
"""TLC takes no longer runs than 65,535 states."""

tlc_options = apply_options(
    question_options,
    click.option("--all", "is_about_all", is_flag=True, expose_value=False,
                 help="No MODEL, but all runs of tla/manifest.toml, or those named: see `precede tlc --all --help`."),
    click.option("--scenario", type=click.Path(path_type=Path), hidden=True),
    click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
                 help="TLC's worker threads; with one its counterexample is a shortest one."),
    click.option("--states", "compare_sets", is_flag=True,
                 help="Compare the two sets of states, one by one (small bounds)."),
    click.option("--temporal", is_flag=True,
                 help="Let TLC judge the refinement of CausalMulticast, and liveness under fairness, as well."),
    click.option("--symmetry", is_flag=True,
                 help="Let TLC take states that differ in the names of processes only for one."),
    click.option("--coverage", is_flag=True, help="Let TLC count how often each action is taken."),
    click.option("--simulate", "walks", type=click.IntRange(min=1), metavar="N",
                 help="Let TLC take N random walks instead of exploring everything; nothing is compared."),
    click.option("--depth", type=click.IntRange(1, MOST_STEPS), metavar="D",
                 help=f"Steps of a random walk, at most.  [default: {DEFAULT_DEPTH}]"),
    click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="S", help="Seed of --simulate.  [default: 0]"),
    time_limit_option,
    click.option("--memory-limit", type=Size(), metavar="SIZE", help="Java's heap, such as 2G."),
    trace_option,
    json_option,
)  # fmt: skip


@dataclass(frozen=True)
class Request:
    """What TLC is to do with the question, and where its answer goes."""

    workers: int
    compare_sets: bool
    temporal: tuple[str, ...]
    symmetry: bool
    coverage: bool
    simulate: Simulation | None
    time_limit: float | None
    memory_limit: int | None
    trace_target: str | None
    json_target: str | None


@click.command(cls=WithAll)
@tlc_options
def tlc(
    workers: int,
    compare_sets: bool,
    temporal: bool,
    symmetry: bool,
    coverage: bool,
    walks: int | None,
    depth: int | None,
    seed: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    trace_target: str | None,
    json_target: str | None,
    **asked: Any,
) -> int:
    """Explore MODEL, let TLC check its TLA+ specification, and compare: verdict, states, transitions, depth.

    The exit code is that of `precede check`; 1 when the two disagree. Random walks (--simulate) are compared with
    nothing; a violation that one finds is executed by the Python model.
    """
    probe_targets(json_target, trace_target)
    for option, value in (("--depth", depth), ("--seed", seed)):
        if walks is None and value is not None:
            raise UsageError(f"{option} {value}: it is about --simulate, the random walks")
    for option, given in (("--temporal", temporal), ("--symmetry", symmetry), ("--states", compare_sets)):
        if walks is not None and given:
            raise UsageError(f"{option} and --simulate exclude each other: a walk sees neither all states nor for ever")
    question = ask(**asked)
    from ..tlc import Simulation, require_counterpart, require_specification, require_symmetry, temporal_of

    loaded = question.calls.loaded
    require_specification(loaded.name, question.properties, question.scenario)
    require_counterpart(loaded.name, loaded.readings, question.bounds, loaded.settings)
    formulas = temporal_of(loaded.name) if temporal else ()
    if symmetry:
        require_symmetry(loaded.name, loaded.readings, question.bounds, loaded.settings, formulas)
    simulate = None if walks is None else Simulation(walks, depth or DEFAULT_DEPTH, seed or 0)
    request = Request(
        workers, compare_sets, formulas, symmetry, coverage, simulate, time_limit, memory_limit, trace_target,
        json_target,
    )  # fmt: skip
    return compared(question, request) if simulate is None else simulated(question, request)


def compared(question: Question, request: Request) -> int:
    """Explore, let TLC explore, and report both."""
    from ..engine import Limits, explore
    from ..progress import ProgressLine
    from ..report import comparison_lines, console
    from ..tlc import compare

    with tempfile.TemporaryDirectory(prefix="precede-") as folder, ProgressLine() as progress:
        dump = Path(folder) / "states.dump" if request.compare_sets else None
        theirs = asked_of_tlc(question, request, progress, dump)
        ours = explore(
            question.calls,
            question.bounds,
            judged(question, request),
            limits=Limits(seconds=request.time_limit),
            on_progress=progress,
        )
        ours = replace(ours, notes=(*ours.notes, *question.notes))
        sets = compare_dump(question, theirs, dump)
    rows = compare(ours, theirs)
    agree = all(row.equal is not False for row in rows) and (sets is None or sets.equal)
    out = console()
    out.quiet = request.json_target == STDOUT
    again = None
    try:
        for line in comparison_lines(ours, theirs, sets):
            out.print(line)
    finally:
        try:
            if request.trace_target is not None:
                trace, again = executed(question, theirs)
                write_tlc_trace(out, request.trace_target, trace)
        finally:
            write_json(request.json_target, answer_json(ours, theirs, sets, again, agree))
    return (ours.exit_code or theirs.exit_code) if agree else DISAGREE


def simulated(question: Question, request: Request) -> int:
    """Let TLC take random walks; a violation is executed by our model."""
    from ..progress import ProgressLine
    from ..report import console
    from ..tlc.text import simulation_lines
    from ..trace.text import show_run

    with ProgressLine() as progress:
        theirs = asked_of_tlc(question, request, progress, None)
    trace, again = executed(question, theirs)
    agree = again != "gone"
    out = console()
    out.quiet = request.json_target == STDOUT
    try:
        for line in simulation_lines(theirs, again):
            out.print(line)
        if trace is not None:
            out.print(f"\nthe counterexample, to {theirs.violated_property}: {explanation(theirs)}\n")
            out.print(show_run(trace, differences=True))
    finally:
        try:
            write_tlc_trace(out, request.trace_target, trace)
        finally:
            write_json(request.json_target, answer_json(None, theirs, None, again, agree))
    return theirs.exit_code if agree else DISAGREE


def asked_of_tlc(question: Question, request: Request, progress: Any, dump: Path | None) -> TlcResult:
    """TLC's answer."""
    from ..tlc import run_tlc

    loaded = question.calls.loaded
    return run_tlc(
        loaded.name,
        loaded.readings,
        question.bounds,
        question.properties,
        workers=request.workers,
        time_limit=request.time_limit,
        memory=request.memory_limit,
        on_progress=progress,
        dump=dump,
        settings=loaded.settings,
        temporal=request.temporal,
        symmetry=request.symmetry,
        coverage=request.coverage,
        simulate=request.simulate,
    )


def judged(question: Question, request: Request) -> tuple[str | UserProperty, ...]:
    """The properties that we judge: those that are asked for, and what the temporal formulas are about."""
    from ..tlc.configuration import PROPERTY_OF

    besides = (PROPERTY_OF[name] for name in request.temporal)
    return tuple(dict.fromkeys([*question.properties, *besides]))
