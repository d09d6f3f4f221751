"""`precede trace export` and `import`: traces in the formats of other tools, and theirs as ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from ..files import probe, write_text
from .options import STDOUT, ask, system_options, trace_file

if TYPE_CHECKING:
    from ..trace import Trace

FORMATS = ("itf", "shiviz", "mermaid", "dot", "svg", "python", "tla")


@click.command()
@trace_file
@click.option("--to", "format", type=click.Choice(FORMATS), required=True, help="The format.")
@click.option("-o", "--output", required=True, metavar="FILE", help="The file to write; - is standard output.")
@click.option("--model", metavar="FILE:CLASS", help="The user's own model that the trace was made with (for python).")
def export(file: Path, format: str, output: str, model: str | None) -> None:
    """Write a trace in the format of another tool.

    \b
    itf      Informal Trace Format, for ITF viewers; `precede trace import` reads it back
    shiviz   a log with vector clocks, for ShiViz with its default expression
    mermaid  a sequence diagram
    dot      a graph, for Graphviz
    svg      the space-time diagram of `precede trace draw`
    python   a program that takes the run again
    tla      a module that TLC follows, and beside it its configuration
    """
    if output != STDOUT:
        probe(Path(output), "-o")
    from ..exports import export
    from ..trace import read_trace

    name = "Trace" if output == STDOUT else Path(output).stem
    files = export(read_trace(file), format, name, model)
    (main, text), *others = files.items()
    if output == STDOUT:
        click.echo(text, nl=False)
        return
    if format == "tla" and Path(output).suffix != main:
        raise UsageError(f"-o {output}: the name of a TLA+ file ends in .tla")
    write_text(Path(output), text)
    for suffix, more in others:
        write_text(Path(output).with_suffix(suffix), more)


@click.command("import")
@trace_file
@click.option("-o", "--output", required=True, metavar="x.json", help="The trace to write.")
@click.option("--model", metavar="NAME", help="The model whose specification the states are of, or your own.")
@click.option("--reading", "readings", multiple=True, metavar="ID", help="A reading of that model; may be repeated.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of it; may be repeated.")
@system_options
def import_(file: Path, output: str, model: str | None, **asked: Any) -> None:
    """Make a trace out of an ITF file, or of what TLC printed (saved in a file).

    An ITF file of `precede trace export` needs nothing more. States of one of our specifications (from TLC, Apalache or
    Quint) need --model and the bounds of the run. Either way the Python model takes the run and its states must be
    those of the file.
    """
    probe(Path(output), "-o")
    from ..trace import write_trace

    trace = _imported(file, model, asked)
    write_trace(trace, Path(output))
    click.echo(f"{len(trace.steps)} steps of {trace.model}, written to {output}")


def _imported(file: Path, model: str | None, asked: dict[str, Any]) -> Trace:
    from ..exports.from_itf import from_ours, images, is_ours, read_itf
    from ..exports.from_tlc import read_tlc
    from ..exports.specified import trace_of

    if _is_json(file):
        found = read_itf(file)
        if is_ours(found):
            return from_ours(found, model)
        states, loop = images(found)
        source, violated = "ITF", None
    else:
        theirs = read_tlc(file)
        states, loop, source, violated = theirs.images, theirs.loop, "TLC", theirs.violated
    if model is None:
        raise UsageError(f"{file}: give --model, whose specification these states are of, and the bounds of the run")
    question = ask(model, **asked, duplicates=0, losses=0, crashes=0, restarts=0, properties=())
    return trace_of(question.calls, question.bounds, states, loop=loop, property=_ours(violated), source=source)


def _ours(violated: str | None) -> str | None:
    """What we call a formula of the specifications."""
    from ..tlc.configuration import property_of

    return None if violated is None else property_of(violated)


def _is_json(file: Path) -> bool:
    from ..files import read_bytes

    return read_bytes(file, "trace", 64 * 2**20).lstrip()[:1] in (b"{", b"[")
