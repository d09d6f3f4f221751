"""`precede demo`: what the laboratory does, in under three minutes."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import EnvironmentProblem
from ..files import probe
from .options import STDOUT, json_option, probe_targets, write_json


@click.command()
@click.option("--into", type=click.Path(path_type=Path), default=".", metavar="FOLDER",
              help="Where the trace and the drawing go.  [default: here]")  # fmt: skip
@json_option
def demo(into: Path, json_target: str | None) -> int:
    """Check three algorithms, draw what is wrong with a broken one, compare one with TLC."""
    probe_targets(json_target)
    if not into.is_dir():
        raise EnvironmentProblem(f"--into {into}: there is no such folder")

    from ..demo import DRAWING_FILE, TRACE_FILE, demonstrate
    from ..progress import STARTING, ProgressLine
    from ..report import console

    for name in (TRACE_FILE, DRAWING_FILE):
        probe(into / name, "--into")
    out = console()
    out.quiet = json_target == STDOUT
    with ProgressLine() as progress:
        progress.text(STARTING)
        code, found = demonstrate(into, out.print, progress)
    write_json(json_target, found)
    return code
