"""What `precede claims` and `precede readings` share: rows of the registry, decided live."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import HOLDS, INCOMPLETE, VIOLATED, EnvironmentProblem
from ..files import probe
from .options import STDOUT, apply_options, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from rich.console import Console

    from ..verdicts import Decided, Row
    from ..verdicts.reporting import Difference

verdict_options = apply_options(
    click.argument("ids", nargs=-1, metavar="[ID]..."),
    click.option("--check", is_flag=True, help="Compare with the registry; exit code 12 on any difference."),
    click.option("--quick", is_flag=True, help="Carry out only the quick part of the evidence."),
    click.option("--list", "only_list", is_flag=True, help="Say what the registry expects, and decide nothing."),
    click.option("--witnesses", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
                 help="Write the run that refutes each refuted row into this folder: ID.json, ID.txt, ID.svg."),
    json_option,
)  # fmt: skip


def decide(
    kind: str, ids: tuple[str, ...], check: bool, quick: bool, only_list: bool, folder: Path | None,
    json_target: str | None,
) -> int:  # fmt: skip
    """Decide the rows named, report, and return the exit code."""
    from ..report import console
    from ..verdicts import load_registry, select_rows

    probe_targets(json_target)
    if folder is not None and not folder.is_dir():
        raise EnvironmentProblem(f"--witnesses {folder}: there is no such folder")
    if folder is not None:
        probe(folder / "witness.json", "--witnesses")
    rows = select_rows([row for row in load_registry() if row.is_claim == (kind == "claims")], ids)
    out = console()
    out.quiet = json_target == STDOUT
    if only_list:
        list_rows(rows, out)
        return HOLDS
    found, interrupted = decided(rows, quick)
    differences = [(f.row.id, *d) for f in found for d in f.differences()] if check else None
    code = VIOLATED if differences else INCOMPLETE if interrupted else HOLDS
    witnesses: dict[str, str] = {}
    try:
        report(found, len(rows), differences, interrupted, in_full=bool(ids) and len(rows) <= 30, out=out)
        if folder is not None:
            witnesses = write_witnesses(found, folder, out)
    finally:
        from ..verdicts.reporting import as_json

        document = as_json(kind, found, differences, quick=quick, complete=not interrupted, code=code,
                           witnesses=witnesses)  # fmt: skip
        write_json(json_target, document)
    return code


def decided(rows: Sequence[Row], quick: bool) -> tuple[list[Decided], bool]:
    """The rows that were decided, and whether Ctrl-C ended that."""
    from ..progress import STARTING, ProgressLine
    from ..verdicts import Session
    from ..verdicts.tools import SEEDS, Tools

    found: list[Decided] = []
    with ProgressLine() as progress:
        progress.text(STARTING)
        try:
            for one in Session(rows, Tools(progress.text, seeds=1 if quick else SEEDS), quick).decide():
                found.append(one)
        except KeyboardInterrupt:
            return found, True
    return found, False


def list_rows(rows: Sequence[Row], out: Console) -> None:
    """What the registry expects of each row."""
    from ..report import aligned
    from ..verdicts.reporting import styled

    for line in aligned([[row.id, row.about, styled(row.verdict), row.statement] for row in rows]):
        out.print(line)


def report(
    found: Sequence[Decided], wanted: int, differences: Sequence[Difference] | None, interrupted: bool, *,
    in_full: bool, out: Console,
) -> None:  # fmt: skip
    """Print what was found of each row, and where the registry expects something else."""
    from ..engine.limits import counted
    from ..report import aligned
    from ..verdicts.reporting import details, table

    if in_full:
        for one in found:
            for text in details(one):
                out.print(text, markup=False)
            out.print()
    for line in aligned(table(found), right=(3, 5)):
        out.print(line)
    if differences is not None:
        rows, differing = counted(len(found), "row"), counted(len(differences), "difference")
        out.print(f"\n{rows}, {differing} from the registry")
        for id, field, expected, text in differences:
            out.print(f"  {id}, {field}: expected {expected}, found {text}", markup=False)
    if interrupted:
        out.print(f"\nincomplete: interrupted; {len(found)} of {wanted} rows were decided")


def write_witnesses(found: Sequence[Decided], folder: Path, out: Console) -> dict[str, str]:
    """Write the runs that refute, and return the traces by row."""
    from ..verdicts.showing import write_witness

    written = {}
    for one in found:
        file = write_witness(one, folder)
        if file is not None:
            written[one.row.id] = str(file)
    out.print(f"\n{len(written)} refuting runs written to {folder}")
    return written
