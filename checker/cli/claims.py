"""`precede claims`: every claim of the papers, decided live."""

from __future__ import annotations

from pathlib import Path

import click

from .verdicts import decide, verdict_options


@click.command()
@verdict_options
def claims(
    ids: tuple[str, ...], check: bool, quick: bool, only_list: bool, folder: Path | None, json_target: str | None
) -> int:
    """Decide claims of the papers anew, by exploration, Z3, TLC or simulation.

    ID is that of a claim, such as C-KS-T4, or how it begins; all are decided when none is named. A verdict is proved
    (any number of processes), holds up to (a bound, exhaustively), refuted, or open. The exit code is 0, with --check
    12 where the registry expects something else, and 3 when Ctrl-C ended it.
    """
    return decide("claims", ids, check, quick, only_list, folder, json_target)
