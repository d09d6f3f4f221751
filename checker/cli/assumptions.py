"""`precede assumptions`: which algorithm needs which assumption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import HOLDS, INCOMPLETE, VIOLATED, UsageError
from ..files import probe, write_text
from .options import STDOUT, apply_options, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from ..assumptions import Table

assumptions_options = apply_options(
    click.argument("models", nargs=-1, metavar="[MODEL]..."),
    click.option("--sends", type=int, metavar="N",
                 help="Compute cells of so many sends, at most.  [default: those of the kept table]"),
    click.option("--check", is_flag=True, help="Compute the cells and compare them with the kept table."),
    click.option("--write", "target", type=click.Path(path_type=Path), metavar="FILE",
                 help="Compute the cells and put them into the table in FILE, whose other cells stay."),
    json_option,
)  # fmt: skip


@click.command()
@assumptions_options
def assumptions(
    models: tuple[str, ...], sends: int | None, check: bool, target: Path | None, json_target: str | None
) -> int:
    """Show every algorithm under every assumption: channels, messages to oneself, faults.

    MODEL is one or several models; all built-in ones when none is given. Their table is kept and shown at once.
    --check, --write and --sends compute it, for some minutes; a model of your own (path/to/file.py:Class) always is.
    The larger table, 3 sends in every column: `precede assumptions --sends 3`.
    """
    if check and sends is not None:
        raise UsageError("--check and --sends exclude each other: the cells of the kept table have sends of their own")
    probe_targets(json_target)
    if target is not None:
        probe(target, "--write")
        if json_target not in (None, STDOUT) and Path(str(json_target)).absolute() == target.absolute():
            raise UsageError(f"--json and --write name the same file, {target}")
    from ..assumptions import KEPT, Table, read_table

    kept = read_table(KEPT)
    written = read_table(target) if target is not None and target.exists() else Table()
    anew = check or target is not None or sends is not None
    shown, interrupted = collect(models, Table() if anew else kept, sends)
    differences = shown.differences(kept) if check else None
    try:
        report(shown, differences, interrupted, quiet=json_target == STDOUT)
    finally:
        write_json(json_target, shown.as_json(differences))
        if target is not None:
            written.put(shown.cells.values())
            write_text(target, written.as_text())
    return VIOLATED if differences else INCOMPLETE if interrupted else HOLDS


def collect(models: Sequence[str], kept: Table, sends: int | None) -> tuple[Table, bool]:
    """The cells of the models, those that are not kept computed; and whether Ctrl-C ended that."""
    from precede.models.catalog import CATALOG

    from ..assumptions import Table, compute
    from ..loading import load_model
    from ..progress import STARTING, Progress, ProgressLine, progress_text

    for name in models:
        load_model(name)
    table = Table()
    with ProgressLine() as line:

        def show(where: str, progress: Progress) -> None:
            line.text(f"{where}: {progress_text(progress)}")

        line.text(STARTING)
        try:
            for name in models or CATALOG:
                table.put(kept.of(name).values())
                if not kept.of(name):
                    for cell in compute(name, sends, show):
                        table.put([cell])
        except KeyboardInterrupt:
            return table, True
    return table, False


def report(table: Table, differences: list[str] | None, interrupted: bool, quiet: bool) -> None:
    """Print the table, how it compares with the kept one, and whether it is whole."""
    from ..assumptions import table_lines
    from ..report import console

    out = console()
    out.quiet = quiet
    for line in table_lines(table):
        out.print(line)
    if differences is not None:
        counted = f"{len(differences)} of {len(table.cells)} computed cells differ from the kept table"
        out.print(f"\n{': '.join(filter(None, (counted, ', '.join(differences))))}")
    if interrupted:
        out.print("\nincomplete: interrupted; what is empty or missing was not computed")
