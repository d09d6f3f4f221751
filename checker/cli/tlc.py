"""`precede tlc`: the same question to TLC, and both answers side by side."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..formats import TLC
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

if TYPE_CHECKING:
    from ..result import Result
    from ..tlc import StateSets, TlcResult

DISAGREE = 1

tlc_options = apply_options(
    question_options,
    click.option("--scenario", type=click.Path(path_type=Path), hidden=True),
    click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
                 help="TLC's worker threads; with one its counterexample is a shortest one."),
    click.option("--states", "compare_sets", is_flag=True,
                 help="Compare the two sets of states, one by one (small bounds)."),
    time_limit_option,
    click.option("--memory-limit", type=Size(), metavar="SIZE", help="Java's heap, such as 2G."),
    trace_option,
    json_option,
)  # fmt: skip


@click.command()
@tlc_options
def tlc(
    workers: int,
    compare_sets: bool,
    time_limit: float | None,
    memory_limit: int | None,
    trace_target: str | None,
    json_target: str | None,
    **asked: Any,
) -> int:
    """Explore MODEL, let TLC check its TLA+ specification, and compare: verdict, states, transitions, depth.

    The exit code is that of `precede check`; 1 when the two disagree.
    """
    probe_targets(json_target, trace_target)
    question = ask(**asked)
    from ..tlc import compare, require_counterpart, require_specification, run_tlc

    loaded = question.calls.loaded
    model = loaded.name
    require_specification(model, question.properties, question.scenario)
    require_counterpart(model, loaded.readings, question.bounds, loaded.settings)
    from ..engine import Limits, explore
    from ..progress import ProgressLine

    with tempfile.TemporaryDirectory(prefix="precede-") as folder, ProgressLine() as progress:
        dump = Path(folder) / "states.dump" if compare_sets else None
        theirs = run_tlc(
            model,
            loaded.readings,
            question.bounds,
            question.properties,
            workers=workers,
            time_limit=time_limit,
            memory=memory_limit,
            on_progress=progress,
            dump=dump,
        )
        ours = explore(
            question.calls,
            question.bounds,
            question.properties,
            limits=Limits(seconds=time_limit),
            on_progress=progress,
        )
        ours = replace(ours, notes=(*ours.notes, *question.notes))
        sets = compare_dump(question, theirs, dump)
    rows = compare(ours, theirs)
    agree = all(row.equal is not False for row in rows) and (sets is None or sets.equal)
    from ..report import comparison_lines, console

    out = console()
    out.quiet = json_target == STDOUT
    try:
        for line in comparison_lines(ours, theirs, sets):
            out.print(line)
    finally:
        try:
            if trace_target is not None and not theirs.trace:
                out.print(f"\nTLC has no counterexample, so nothing was written to {trace_target}")
            elif trace_target is not None:
                write_tlc_trace(question, theirs, trace_target)
                out.print(f"\nTLC's counterexample written to {trace_target}")
        finally:
            write_json(json_target, comparison_json(ours, theirs, sets, agree))
    return (ours.exit_code or theirs.exit_code) if agree else DISAGREE


def compare_dump(question: Question, theirs: TlcResult, dump: Path | None) -> StateSets | None:
    """The comparison of the two sets of states, where TLC has written all of its own."""
    if dump is None or theirs.verdict != "holds":
        return None
    from ..engine import all_states
    from ..tlc import compare_states

    return compare_states(theirs.model, all_states(question.calls, question.bounds), dump)


def write_tlc_trace(question: Question, theirs: TlcResult, trace_target: str) -> None:
    """TLC's counterexample, executed by our model, as a trace."""
    from ..result import Witness
    from ..tlc import schedule_of
    from ..trace import record, write_trace

    schedule = schedule_of(question.calls, question.bounds, theirs.trace)
    witness = Witness(schedule, f"TLC found that invariant {theirs.violated} does not hold here")
    name = theirs.violated_property
    write_trace(
        record(question.calls, question.bounds, schedule, property=name, witness=witness, source="TLC"), trace_target
    )


def comparison_json(ours: Result, theirs: TlcResult, sets: StateSets | None, agree: bool) -> dict[str, Any]:
    """Both results and how they compare, as a JSON object."""
    from ..tlc import compare

    return TLC.document(
        agree=agree,
        comparison=[row._asdict() for row in compare(ours, theirs)],
        state_sets=sets and {"common": sets.common, "only_precede": sets.only_ours, "only_tlc": sets.only_tlc},
        precede=ours.as_json(),
        tlc=theirs.as_json(),
    )
