"""`precede compare`: two algorithms in the same schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import HOLDS, INCOMPLETE, UsageError
from ..formats import COMPARE
from .options import (
    STDOUT,
    Question,
    Size,
    ask,
    json_option,
    probe_targets,
    system_options,
    time_limit_option,
    write_json,
)

if TYPE_CHECKING:
    from rich.text import Text

    from ..comparison import Comparison, Difference
    from ..loading import LoadedModel
    from ..trace import Trace

NO_FAULTS: dict[str, Any] = {"duplicates": 0, "losses": 0, "crashes": 0, "restarts": 0}
NOT_COUNTED = "not counted"
PROMISES = ("unordered", "fifo-arrival", "fifo", "fifo-delivery", "rendezvous")
"""The channels from the weakest on, for algorithms that a comparison allows."""


@click.command()
@click.argument("a")
@click.argument("b")
@system_options
@click.option("--reading-a", "readings_a", multiple=True, metavar="ID", help="A reading of A; may be repeated.")
@click.option("--reading-b", "readings_b", multiple=True, metavar="ID", help="A reading of B; may be repeated.")
@click.option("--set-a", "settings_a", multiple=True, metavar="NAME=VALUE", help="A parameter of A; may be repeated.")
@click.option("--set-b", "settings_b", multiple=True, metavar="NAME=VALUE", help="A parameter of B; may be repeated.")
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop after so many distinct states.")
@time_limit_option
@click.option("--memory-limit", type=Size(), metavar="SIZE", help="Stop at so much memory, such as 2G.")
@click.option(
    "--trace",
    "trace_target",
    metavar="FILE",
    help="Write the shortest run to a difference: in deliveries, else facts, else sizes.",
)
@json_option
def compare(
    a: str,
    b: str,
    readings_a: tuple[str, ...],
    readings_b: tuple[str, ...],
    settings_a: tuple[str, ...],
    settings_b: tuple[str, ...],
    max_states: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    trace_target: str | None,
    json_target: str | None,
    **asked: Any,
) -> int:
    """Run A and B side by side in every schedule that both allow within a bound, and compare them copy by copy.

    Compared are the deliveries that only one of them makes possible, the facts that copies and states assert, and the
    sizes of the control information. By default the destinations and the channels are those that both are made for.
    Exit code 0 however they differ, 3 when the search was stopped. The trace has the states and the control
    information of both; it can be shown and drawn, not replayed.
    """  # fmt: skip
    probe_targets(json_target, trace_target)
    from ..loading import load_model

    models = (load_model(a, readings_a, settings_a), load_model(b, readings_b, settings_b))
    asked["dests"] = asked["dests"] or (None if asked["groups"] else common_load(*models))
    asked["channel"] = asked["channel"] or max((m.model.channel for m in models), key=PROMISES.index)
    question = ask(model=a, readings=readings_a, settings=settings_a, properties=(), **asked, **NO_FAULTS)
    other = ask(model=b, readings=readings_b, settings=settings_b, properties=(), **asked, **NO_FAULTS)
    models = question.calls.loaded, other.calls.loaded
    from ..comparison import compare as compare_models
    from ..engine import Limits
    from ..progress import STARTING, ProgressLine

    limits = Limits(max_states, time_limit, memory_limit)
    with ProgressLine() as progress:
        progress.text(STARTING)
        found = compare_models(*models, question.bounds, limits=limits, on_progress=progress)
    return report(question, models, found, trace_target, json_target)


def common_load(a: LoadedModel, b: LoadedModel) -> str:
    """The widest destinations that both are made for. Raises UsageError where there are none."""
    loads = {a.model.load, b.model.load}
    if loads == {"unicast", "broadcast"}:
        raise UsageError(f"{a.name} is made for {a.model.load} and {b.name} for {b.model.load}: choose --dests")
    return (loads - {"multicast"} or loads).pop()


def report(
    question: Question, models: tuple[LoadedModel, LoadedModel], found: Comparison, trace_target: str | None,
    json_target: str | None,
) -> int:  # fmt: skip
    """Print the comparison and the runs to the differences; write the files that were asked for."""
    from ..report import console
    from ..trace import record, write_trace

    out = console()
    out.quiet = json_target == STDOUT
    code = HOLDS if found.complete else INCOMPLETE
    traces: dict[tuple[str, str], Trace] = {
        (what, side): record(found.calls, question.bounds, d.schedule or (), source="precede compare")
        for what, side, d in found.differences()
    }
    try:
        for line in comparison_lines(question, models, found, traces):
            out.print(line)
        first = found.first_difference()
        if trace_target is not None and first is None:
            out.print(f"\nno difference, so nothing was written to {trace_target}")
        elif trace_target is not None and first is not None:
            write_trace(traces[first[0], first[1]], trace_target)
            out.print(f"\ntrace written to {trace_target}: {first[2].explanation}")
    finally:
        write_json(json_target, document(question, models, found, traces, code))
    return code


def comparison_lines(
    question: Question, models: tuple[LoadedModel, LoadedModel], found: Comparison,
    traces: dict[tuple[str, str], Trace],
) -> list[Text]:  # fmt: skip
    """Models, bound, the table, and a shortest run to each kind of difference."""
    from rich.text import Text

    from ..report import aligned, assumptions
    from ..sizes import NO_SIZE

    lines = [Text(f"{side}: {named(model)}") for side, model in zip("AB", models, strict=True)]
    lines.append(Text(assumptions(question.bounds)))
    if found.stopped:
        lines.append(Text(f"incomplete: {found.stopped}; more differences may exist", style="bold yellow"))
    rows = [["", "compared", "equal", "A more", "B more", "mean of A", "mean of B"]]
    rows.append(["deliveries", "", "", *(figure(found.takes[side].cases) for side in "ab"), "", ""])
    for what, compared in found.compared.items():
        if compared is None:
            missing = NO_SIZE if what in ("units", "bytes") else "not applicable"
            rows.append([what, missing, "", "", "", "", ""])
            continue
        means = [f"{mean:.2f}" for mean in compared.means] if compared.means else ["", ""]
        more = [figure(compared.more[side].cases) for side in "ab"]
        rows.append([what, figure(compared.count), figure(compared.equal), *more, *means])
    lines += [Text(), *aligned(rows, right=range(1, 7))]
    lines.append(Text(f"  {found.copies:,} distinct copies; facts, units and bytes are theirs; {found.seconds:.2f} s"))
    if found.distinct_states is not None:
        lines.append(Text(f"  over {found.distinct_states:,} distinct global states of both side by side"))
    for what, side, difference in found.differences():
        steps = traces[what, side].steps
        length = f"{len(steps)} step{'s' if len(steps) != 1 else ''}"
        lines += [Text(), Text(f"{what}, {side.upper()} more, {length}: {difference.explanation}")]
        lines += [Text(f"  {number:>3}  {step.label}") for number, step in enumerate(steps, 1)]
    return lines


def named(loaded: LoadedModel) -> str:
    """A model with its title and readings, in a line."""
    title = f"{loaded.name}: {loaded.model.title}" if loaded.model.title else loaded.name
    readings = " ".join(f"{id}{letter}" for id, letter in loaded.readings.items())
    return f"{title}, readings {readings}" if readings else title


def figure(count: int | None) -> str:
    """A count as text."""
    return NOT_COUNTED if count is None else f"{count:,}"


def document(
    question: Question, models: tuple[LoadedModel, LoadedModel], found: Comparison,
    traces: dict[tuple[str, str], Trace], code: int,
) -> dict[str, Any]:  # fmt: skip
    """The comparison as a JSON object."""

    def differences(what: str, more: dict[str, Difference]) -> dict[str, Any]:
        return {f"more_{side}": difference_json(more[side], traces.get((what, side))) for side in "ab"}

    compared = {}
    for what, values in found.compared.items():
        mean_a, mean_b = (values.means if values else None) or (None, None)
        compared[what.replace(" ", "_")] = values and {
            "count": values.count,
            "equal": values.equal,
            "mean_a": mean_a,
            "mean_b": mean_b,
            **differences(what, values.more),
        }
    described = {
        side: {
            "model": loaded.name,
            "readings": loaded.readings,
            "settings": [f"{name}={value}" for name, value in loaded.settings.items()],
        }
        for side, loaded in zip("ab", models, strict=True)
    }
    return COMPARE.document(
        **described,
        bounds=question.bounds.as_json(),
        complete=found.complete,
        stopped=found.stopped,
        exit_code=code,
        distinct_states=found.distinct_states,
        copies=found.copies,
        deliveries=differences("deliveries", found.takes),
        **compared,
        seconds=round(found.seconds, 3),
        notes=list(question.notes),
    )


def difference_json(difference: Difference, trace: Trace | None) -> dict[str, Any]:
    """Where one side has more, with the run that shows it."""
    return {
        "cases": difference.cases,
        "explanation": difference.explanation or None,
        "trace_length": len(trace.steps) if trace else None,
        "steps": [step.label for step in trace.steps] if trace else None,
    }
