"""`precede tlc --all`: the runs of the manifest, each held against the manifest and against precede."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .options import STDOUT, json_option, probe_targets, time_limit_option, write_json

if TYPE_CHECKING:
    from ..tlc.listed import Outcome
    from ..tlc.manifest import ListedRun


@click.command(name="tlc")
@click.argument("wanted", nargs=-1, metavar="[RUN|MODEL|SIZE]...")
@time_limit_option
@json_option
def all_listed(wanted: tuple[str, ...], time_limit: float | None, json_target: str | None) -> int:
    """Let TLC do the runs of tla/manifest.toml, and compare verdict, states, transitions, depth and the length of
    counterexamples with the manifest and with precede.

    Some of them only: by the name of a run, by a model, or by a size: small, large, fails. The time limit is that of
    one run. The exit code is 0 when all is as expected, 1 when something is not, 3 when a run is incomplete.
    """
    probe_targets(json_target)
    from ..progress import ProgressLine
    from ..report import aligned, console
    from ..tlc.listed import carry_out, exit_code, runs_json, table
    from ..tlc.manifest import manifest

    runs = selected(manifest(), wanted)
    outcomes: list[Outcome] = []
    out = console()
    out.quiet = json_target == STDOUT
    try:
        with ProgressLine() as progress:
            for number, run in enumerate(runs, 1):
                progress.text(f"{number} of {len(runs)}: {run.name}")
                outcomes.append(carry_out(run, time_limit))
    finally:  # what was found before an interrupt is not lost
        for line in aligned(table(outcomes), right=(3, 4, 5, 6)):
            out.print(line)
        unexpected = sum(bool(outcome.differences) for outcome in outcomes)
        out.print(f"\n{len(outcomes)} of {len(runs)} runs done, {len(outcomes) - unexpected} as expected")
        write_json(json_target, runs_json(outcomes))
    return exit_code(outcomes, len(runs))


def selected(runs: tuple[ListedRun, ...], wanted: tuple[str, ...]) -> list[ListedRun]:
    """The runs that one of the words names; all of them without a word. Raises UsageError for a word that names
    none."""
    words = [word.lower() for word in wanted]
    for word in words:
        if not any(word in names(run) for run in runs):
            raise UsageError(f"{word} is no run of the manifest, and no model or size of one: see tla/manifest.toml")
    return [run for run in runs if not words or names(run) & set(words)]


def names(run: ListedRun) -> set[str]:
    """What a run can be called by."""
    return {run.name.lower(), run.model, run.size}


class WithAll(click.Command):
    """A command about one model, and with --all about the manifest instead."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of this command, or with --all that of the other."""
        if "--all" in args:
            rest = [argument for argument in args if argument != "--all"]
            return all_listed.make_context(info_name, rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)
