"""`precede readings`: every way to read an ambiguous step, decided live."""

from __future__ import annotations

from pathlib import Path

import click

from .verdicts import decide, verdict_options


@click.command()
@verdict_options
def readings(
    ids: tuple[str, ...], check: bool, quick: bool, only_list: bool, folder: Path | None, json_target: str | None
) -> int:
    """Decide what each reading of an ambiguous step of the papers does, by exploration, Z3, TLC or comparison.

    ID is that of a variant, such as KS-3a, or how it begins, such as KS-3; all are decided when none is named. A
    verdict is proved, holds up to (a bound), refuted (a property that the algorithm claims is), no effect (up to a
    bound), or open. The exit code is 0, with --check 12 where the registry expects something else, and 3 when Ctrl-C
    ended it.
    """
    return decide("readings", ids, check, quick, only_list, folder, json_target)
