"""`precede trace html` and `gallery`: recorded runs as pages to look at."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import EnvironmentProblem, UsageError
from ..files import probe, write_text
from .options import STDOUT, model_option


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("-o", "--output", required=True, metavar="x.html", help="The page to write; - is standard output.")
@model_option
def html(files: tuple[Path, ...], output: str, model: str | None) -> None:
    """Make one page out of traces: the diagram to step through, states, control information and why it is there.

    The page is one file: it opens from disk, and asks nobody for anything. The runs are executed again for what a trace
    does not hold (statements, properties, other steps); a trace of your own model needs --model for that.
    """
    if output != STDOUT:
        if Path(output).suffix.lower() not in ("", ".html", ".htm"):
            raise UsageError(f"-o {output}: the page is HTML; name a file that ends in .html")
        probe(Path(output), "-o")
    from ..page import document_of, page
    from ..trace import read_trace

    traces = [read_trace(file) for file in files]
    several = len(files) > 1
    documents = [
        document_of(trace, f"{file.stem}: {trace.title or trace.model}" if several else "", model)
        for file, trace in zip(files, traces, strict=True)
    ]
    text = page(documents, documents[0]["called"])
    if output == STDOUT:
        click.echo(text, nl=False)
    else:
        write_text(Path(output), text)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE...]")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FOLDER", help="Where to write."
)
@click.option("--title", default="Counterexamples and witnesses", show_default=True, help="The title of the gallery.")
def gallery(files: tuple[Path, ...], output: Path, title: str) -> None:
    """Write a gallery: index.html with a picture and a paragraph of each run, and a page for each to step through.

    Without files, of the traces that come with precede: those that refute claims of the papers.
    """
    from ..page import document_of, page
    from ..page.committed import committed_traces, row_of
    from ..page.gallery import Exhibit
    from ..page.gallery import gallery as gallery_of
    from ..page.notebook import AHEAD
    from ..progress import ProgressLine
    from ..trace import read_trace

    chosen = files or tuple(committed_traces())
    traces = [read_trace(file) for file in chosen]
    if len({file.stem for file in chosen}) < len(chosen):
        raise UsageError("two of the files have the same name, and the pages are called after them")
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"-o {output}: cannot be made: {error.strerror}") from None
    exhibits = []
    with ProgressLine() as progress:
        for file, trace in zip(chosen, traces, strict=True):
            progress.text(file.stem)
            row = None if files else row_of(file.stem)
            exhibit = Exhibit(
                file.stem, trace, row.statement if row else "", row.why if row else "", f"{file.stem}.html"
            )
            exhibits.append(exhibit)
            write_text(output / exhibit.page, page([document_of(trace, ahead=AHEAD)], trace.title or trace.model))
    write_text(output / "index.html", gallery_of(exhibits, title))
    click.echo(f"{len(exhibits)} runs, written to {output / 'index.html'}")
