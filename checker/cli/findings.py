"""`precede findings`: the page of verdicts."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import HOLDS
from ..files import write_text


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE",
              help="Write the page into this file.  [default: standard output]")  # fmt: skip
def findings(output: Path | None) -> int:
    """Print the page of findings, in Markdown: verdicts on all claims and readings, and what is worth knowing.

    It says what the registry expects; `precede claims --check` and `precede readings --check` decide it anew.
    """
    from ..verdicts.findings import page

    if output is None:
        click.echo(page(), nl=False)
    else:
        write_text(output, page())
    return HOLDS
