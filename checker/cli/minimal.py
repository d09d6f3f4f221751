"""`precede minimal`: the smallest sets of facts with which causal order is kept, found by optimisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import (
    DEFAULT_PROCESSES,
    STDOUT,
    json_option,
    probe_targets,
    time_limit_option,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..minimal import Minimal

DEFAULT_SENDS = 3
MOST_PROCESSES = 5


@click.command()
@click.argument("model", default="ks")
@click.option("--processes", type=click.IntRange(2, MOST_PROCESSES), default=DEFAULT_PROCESSES, show_default=True,
              metavar="N", help="Number of processes.")  # fmt: skip
@click.option("--sends", type=click.IntRange(1, 10), default=DEFAULT_SENDS, show_default=True, metavar="T",
              help="Sends in the whole run, at most, up to the state or copy.")  # fmt: skip
@click.option("--more", type=click.IntRange(1, 3), default=1, show_default=True, metavar="N",
              help="Sends of a continuation, at most.")  # fmt: skip
@click.option("--dests", type=click.Choice(["unicast", "multicast", "broadcast"]),
              help="Whom a message may address.  [default: the widest load of the model]")  # fmt: skip
@click.option("--sample", type=click.IntRange(min=1), metavar="N",
              help="Look at so many pasts only, drawn at random.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, metavar="N",
              help="Seed of --sample.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="A parameter of the model; may be repeated.")  # fmt: skip
@click.option("--reading", "readings", multiple=True, metavar="ID",
              help="A reading of an ambiguous step, such as KS-2b; may be repeated.")  # fmt: skip
@time_limit_option
@json_option
def minimal(
    model: str,
    processes: int,
    sends: int,
    more: int,
    dests: str | None,
    sample: int | None,
    seed: int,
    settings: tuple[str, ...],
    readings: tuple[str, ...],
    time_limit: float | None,
    json_target: str | None,
) -> int:
    """Find, for each reachable state and copy of MODEL, the smallest set of facts with which causal order is kept.

    Z3 looks for continuations that end against causal order, and for the smallest set of facts without any; it knows
    neither the model nor the definition of what is required. The exit code is 0 if the model has just these sets, 12 if
    it has more or less, 3 if not all were looked at.
    """
    probe_targets(json_target)
    from ..bounds import Bounds
    from ..calls import ModelCalls
    from ..loading import load_model
    from ..minimal import minimal as look
    from ..progress import STARTING, ProgressLine

    loaded = load_model(model, readings, settings)
    bounds = Bounds(processes, sends, dests=dests or loaded.model.load)
    with ProgressLine() as progress:
        progress.text(STARTING)
        found = look(ModelCalls(loaded, bounds), bounds, more=more, sample=sample, seed=seed, time_limit=time_limit,
                     on_progress=progress, on_text=progress.text)  # fmt: skip
    try:
        if json_target != STDOUT:
            report(found)
    finally:
        write_json(json_target, found.as_json())
    return found.exit_code


def report(found: Minimal) -> None:
    """Print what was found."""
    from ..report import aligned, console

    out = console()
    loaded = found.calls.loaded
    readings = " ".join(f"{id}{letter}" for id, letter in loaded.readings.items())
    out.print(f"{loaded.name}: {found.calls.model.title}{', readings ' + readings if readings else ''}", markup=False)
    out.print(sentence(found), markup=False)
    out.print()
    rows = [["", "distinct", "looked at", "facts needed", "of these by any algorithm"]]
    for kind in ("states", "copies"):
        figures = (found.held[kind], found.decided[kind], found.needed[kind], found.indistinguishable[kind])
        rows.append([kind, *(f"{figure:,}" for figure in figures)])
    for row in aligned(rows, right=(1, 2, 3, 4)):
        out.print(row)
    out.print()
    for line in lines(found):
        out.print(f"  {line}", markup=False)


def sentence(found: Minimal) -> str:
    """The verdict in one sentence, with its bound."""
    from ..report import assumptions

    runs = f"runs of {assumptions(found.bounds)}, continued with at most {found.more} more"
    if found.verdict == "violated":
        ways = [what for what in ("missing", "redundant") if what in found.wrong]
        what = f"facts are {' and '.join(ways)}" if ways else "the smallest sets are not those that are required"
        return f"violated: {what}; in {runs}"
    if found.verdict == "incomplete":
        return f"incomplete: {found.stopped}; nothing missing or redundant so far, in {runs}"
    return f"holds within the bound: the facts are the smallest set that is enough, and the only one; for all {runs}"


def lines(found: Minimal) -> Iterator[str]:
    """The figures below the table."""
    yield f"{found.pasts_decided:,} pasts up to the names of processes, {found.questions:,} questions to Z3"
    if found.lengths:
        total, longest = sum(found.lengths.values()), max(found.lengths)
        yield f"{total:,} continuations, one for each fact that is needed; the longest has {longest} steps"
    if found.sizes:
        sizes = ", ".join(f"{size} ({found.sizes[size]:,})" for size in sorted(found.sizes))
        yield f"facts of a smallest set (and how many have so many): {sizes}"
    yield f"smallest sets that are not the only one: {found.not_unique:,}; not the required set: {found.not_required:,}"
    if found.disordered:
        yield f"{found.disordered:,} states and copies after a violation of causal order were left out"
    for what, wrong in found.wrong.items():
        yield f"{what}, in {found.wrong_holders[what]:,} states and copies: {wrong.explanation}"
    yield f"{found.seconds:.1f} s"
