"""`precede step`: a model stepped through by hand in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import EnvironmentProblem
from .options import ask, model_options


@click.command()
@model_options
@click.option(
    "--scenario",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take only the steps that a scenario file allows.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="The port.  [default: any free one]"
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def step(scenario: Path | None, port: int, opens: bool, **asked: Any) -> int:
    """Step through MODEL by hand, without a search: a page on which every enabled step can be taken.

    From the initial state on, and from any state of the run: steps are undone, runs branch, and a run is saved as a
    trace or as a scripted scenario. The page is served on the loopback interface only, to whoever has the address that
    is printed, until Ctrl-C. The address of the page holds the run.
    """
    question = ask(scenario=scenario, properties=(), **asked)
    from ..stepping import Stepping, serve

    def say(address: str) -> None:
        import webbrowser

        click.echo(f"{question.calls.loaded.name}: {address}\nCtrl-C ends it.")
        if opens:
            webbrowser.open(address)

    try:
        serve(Stepping(question.calls, question.bounds, question.scenario), port, say)
    except OSError as error:
        problem = f"--port {port}: cannot be served: {error.strerror}; leave it out for a free one"
        raise EnvironmentProblem(problem) from None
    return 0
