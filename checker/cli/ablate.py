"""`precede ablate`: every labelled step of a model taken out, one at a time."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ConfigurationError, EnvironmentProblem, ModelError
from ..files import probe
from .options import STDOUT, Seconds, ask, json_option, probe_targets, question_options, write_json

if TYPE_CHECKING:
    from rich.text import Text

    from ..ablation import Ablation, StepTakenOut
    from ..result import Result

DEFAULT_SENDS = 3
MOST_STATES = 500_000
MOST_SECONDS = 120.0


@click.command()
@question_options
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=MOST_STATES,
    show_default=True,
    metavar="N",
    help="Without each step, stop after so many distinct states.",
)
@click.option(
    "--time-limit",
    type=Seconds(),
    default=MOST_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Without each step, stop after so long.",
)
@click.option(
    "--trace-dir",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write every shortest counterexample as a trace into this folder.",
)
@json_option
def ablate(
    max_states: int, time_limit: float, trace_dir: Path | None, json_target: str | None, sends: int | None, **asked: Any
) -> int:
    """Take every labelled step of MODEL out, one at a time, and say what it is needed for.

    An assignment becomes the identity, a wait never waits, any other statement is passed over. Explored is every run
    within a bound; a step needed for nothing there may be needed in longer runs. Exit code 3: something is undecided.
    """  # fmt: skip
    probe_targets(json_target)
    if trace_dir is not None and not trace_dir.is_dir():
        raise EnvironmentProblem(f"--trace-dir {trace_dir}: there is no such folder")
    if trace_dir is not None:
        probe(trace_dir / "trace.json", "--trace-dir")
    question = ask(sends=DEFAULT_SENDS if sends is None else sends, **asked)

    from ..ablation import Ablation, as_json, default_properties, exit_code
    from ..engine import Limits
    from ..progress import STARTING, ProgressLine, progress_text
    from ..report import console

    properties = question.properties if asked["properties"] else default_properties(question.calls)
    ablation = Ablation(question.calls, question.bounds, properties, Limits(max_states, time_limit))
    traces: dict[str, dict[str, str]] = {}
    found = []
    untraced: list[str] = []
    with ProgressLine() as progress:
        progress.text(STARTING)
        whole = ablation.whole(progress)
        for one in ablation.without_each(whole, lambda label, p: progress.text(f"{label}: {progress_text(p)}")):
            found.append(one)
            traces[one.step.label] = {} if trace_dir is None else write_traces(ablation, one, trace_dir, untraced)
    notes = [*question.notes, *remarks(ablation, whole), *untraced]
    try:
        if json_target != STDOUT:
            out = console()
            for line in lines(ablation, whole, found, notes):
                out.print(line)
    finally:
        write_json(json_target, as_json(whole, found, traces, notes))
    return exit_code(whole, found)


for option in ablate.params:
    if option.name == "sends" and isinstance(option, click.Option):
        option.help = f"Sends in the whole run, at most.  [default: {DEFAULT_SENDS}]"


def write_traces(ablation: Ablation, one: StepTakenOut, folder: Path, untraced: list[str]) -> dict[str, str]:
    """Write the counterexamples that there are without a step: property -> file. A model that without the step cannot
    even say the sizes of its packets has no trace; `untraced` then says so."""
    from ..trace import record, write_trace

    written = {}
    for p in one.properties:
        if p.witness is None or one.calls is None:
            continue
        without = f"without {one.step.label}"
        try:
            trace = record(one.calls, ablation.bounds, p.witness.schedule, property=p.name, witness=p.witness,
                           source=f"precede ablate, {without}")  # fmt: skip
        except (ModelError, ConfigurationError) as error:
            untraced.append(f"{without}, {p.name}: no trace was written, since {error}")
            continue
        names = (Path(ablation.calls.loaded.name.replace(":", "-")).name, "without", one.step.label, p.name)
        file = folder / ("-".join(re.sub(r"\W+", "-", name).strip("-") for name in names) + ".json")
        write_trace(replace(trace, title=f"{trace.title or trace.model}, {without}"), file)
        written[p.name] = str(file)
    return written


def remarks(ablation: Ablation, whole: Result) -> list[str]:
    """What the reader of all verdicts should know."""
    notes = []
    if ablation.bases:
        notes.append(
            f"only the labels in {Path(ablation.module.file).name} are taken out; those that the model has of "
            f"{', '.join(ablation.bases)}, in other files, stay"
        )
    notes += [f"{p.name} is {p.verdict} with all steps already, so it says nothing" for p in whole.properties
              if p.verdict in ("violated", "not applicable")]  # fmt: skip
    if not whole.complete:
        notes.append(f"with all steps the search is incomplete: {whole.stopped}")
    elif not whole.transitions:
        notes.append("no message is ever sent, so the verdicts are about nothing")
    return notes


def lines(ablation: Ablation, whole: Result, found: list[StepTakenOut], notes: list[str]) -> list[Text]:
    """The table for people: what each step is needed for, and the lengths of the shortest counterexamples."""
    from rich.text import Text

    from ..report import aligned, assumptions, readings_text

    readings = f", readings {readings_text(whole)}" if whole.readings else ""
    verdicts = ", ".join(f"{p.name} {p.verdict}" for p in whole.properties)
    rows = [("without", "needed for", "shortest counterexample", "global states", "statement")]
    rows.append(("nothing", "", "", f"{whole.distinct_states:,}" if whole.complete else "", ""))
    for one in found:
        lengths = [f"{p.name} {p.trace_length}" for p in one.properties if p.trace_length is not None]
        states = "" if one.distinct_states is None else f"{one.distinct_states:,}"
        texts = "; ".join(dict.fromkeys(one.step.texts))
        rows.append((one.step.label, purpose(one), ", ".join(lengths), states, texts))
    return [
        Text(f"{whole.model}: {ablation.model.title or type(ablation.model).__name__}{readings}"),
        Text(f"{assumptions(whole.bounds)}; with all steps: {verdicts}"),
        Text(),
        *aligned(rows, right=[3]),
        *(Text(f"  {one.step.label}: {one.note}") for one in found if one.note),
        *([Text()] if notes else []),
        *(Text(f"note: {note}") for note in notes),
    ]


def purpose(one: StepTakenOut) -> str:
    """What a step is needed for, in words."""
    if one.needed_for is None:
        return "cannot be taken out" if one.complete else "not known"
    so_far = "" if one.complete else " at least"
    return f"{', '.join(one.needed_for)}{so_far}" if one.needed_for else "nothing at this bound"
