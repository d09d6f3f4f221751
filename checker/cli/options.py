"""What several commands share: their options, and what is made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..bounds import CHANNELS, DESTS, SELF, Bounds
from ..errors import UsageError
from ..files import probe, write_text
from ..settings import sets_of

if TYPE_CHECKING:
    from ..calls import ModelCalls
    from ..properties import UserProperty
    from ..scenario import Scenario

DEFAULT_PROCESSES = 3
DEFAULT_SENDS = 4
STDOUT = "-"

Command = TypeVar("Command", bound=Callable[..., Any])


class Size(click.ParamType[int]):
    """A number of bytes such as 500M or 2G (binary units K, M, G, T)."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", str(value), re.IGNORECASE | re.ASCII)
        size = int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " ")) if match else 0
        if size <= 0:
            self.fail(f"{value!r} is not a size; write for example 500M or 2G", param, ctx)
        return size


class Seconds(click.ParamType[float]):
    """A positive number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds."""
        if not re.fullmatch(r"\d+(\.\d+)?", str(value), re.ASCII) or float(value) <= 0:
            self.fail(f"{value!r} is not a positive number of seconds", param, ctx)
        return float(value)


def apply_options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """One decorator out of several, in the order in which `--help` lists them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


json_option = click.option(
    "--json", "json_target", metavar="FILE", help="Write the result as JSON; - is standard output, alone."
)
trace_option = click.option(
    "--trace", "trace_target", metavar="FILE", help="Write the shortest counterexample, if there is one."
)
time_limit_option = click.option("--time-limit", type=Seconds(), metavar="SECONDS", help="Stop after so long.")

trace_file = click.argument("file", type=click.Path(path_type=Path))
model_option = click.option("--model", metavar="FILE:CLASS", help="The user's own model that the trace was made with.")

system_options = apply_options(
    click.option("--processes", type=int, metavar="N",
                 help=f"Number of processes.  [default: {DEFAULT_PROCESSES}]"),
    click.option("--sends", type=int, metavar="T",
                 help=f"Sends in the whole run, at most.  [default: {DEFAULT_SENDS}]"),
    click.option("--sends-per-process", type=int, metavar="S", help="Sends of each process, at most."),
    click.option("--dests", type=click.Choice(DESTS),
                 help="Whom a message may address.  [default: the widest load of the model]"),
    click.option("--groups", metavar="SETS",
                 help="The groups that messages go to, such as 1,2;2,3 (destination sets `groups`)."),
    click.option("--channel", type=click.Choice(CHANNELS),
                 help="What the channels promise.  [default: the weakest that the model is made for]"),
    click.option("--self", "self_addressed", type=click.Choice(SELF), default="forbidden", show_default=True,
                 help="Messages to oneself."),
)  # fmt: skip

model_options = apply_options(
    click.argument("model"),
    system_options,
    click.option("--duplicate", "duplicates", type=int, default=0, metavar="N", help="Packets duplicated, at most."),
    click.option("--lose", "losses", type=int, default=0, metavar="N", help="Packets lost, at most."),
    click.option("--crash", "crashes", type=int, default=0, metavar="N", help="Crashes of processes, at most."),
    click.option("--restart", "restarts", type=int, default=0, metavar="N",
                 help="Returns of crashed processes, in their initial states, at most."),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
                 help="A parameter of the model, such as K=5 (see `precede list`); may be repeated."),
    click.option("--reading", "readings", multiple=True, metavar="ID",
                 help="A reading of an ambiguous step, such as KS-2b (see `precede list`); may be repeated."),
)  # fmt: skip

question_options = apply_options(
    model_options,
    click.option("--property", "properties", multiple=True, metavar="NAME",
                 help="A property, or path.py:name for your own; may be repeated.  [default: what the source claims]"),
)  # fmt: skip


@dataclass(frozen=True)
class Question:
    """What is asked of a model: everything that `check` and `tlc` are told alike."""

    calls: ModelCalls
    bounds: Bounds
    properties: tuple[str | UserProperty, ...]
    scenario: Scenario | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the asker should know about the question."""
        if self.bounds.channel != "fifo-arrival" or not self.calls.model.direct:
            return ()
        return ("the model has no arrival step of its own, so fifo-arrival is the same as unordered",)


def ask(
    model: str,
    processes: int | None,
    sends: int | None,
    sends_per_process: int | None,
    dests: str | None,
    groups: str | None,
    channel: str | None,
    self_addressed: str,
    duplicates: int,
    losses: int,
    crashes: int,
    restarts: int,
    settings: tuple[str, ...],
    readings: tuple[str, ...],
    properties: tuple[str, ...],
    scenario: Path | None = None,
) -> Question:
    """Load what the options name. A scenario brings its own processes and messages.

    Raises UsageError, ConfigurationError, SpecificationError or EnvironmentProblem.
    """
    from ..calls import ModelCalls
    from ..loading import load_model
    from ..properties import select_properties

    loaded = load_model(model, readings, settings)
    script = None
    if scenario is not None:
        from ..scenario import load_scenario, scripted_bounds

        fixed = {"--processes": processes, "--sends": sends, "--sends-per-process": sends_per_process, "--dests": dests}
        for option, value in fixed.items():
            if value is not None:
                raise UsageError(
                    f"{option} and --scenario exclude each other: the scenario says who sends what to whom"
                )
        script = load_scenario(scenario)
    bounds = Bounds(
        processes=DEFAULT_PROCESSES if processes is None else processes,
        sends=DEFAULT_SENDS if sends is None else sends,
        sends_per_process=sends_per_process,
        dests=dests or ("groups" if groups else loaded.model.load),
        channel=channel or loaded.model.channel,
        self_addressed=self_addressed,
        groups=sets_of(groups, f"--groups {groups}") if groups else (),
        duplicates=duplicates,
        losses=losses,
        crashes=crashes,
        restarts=restarts,
    )
    if bounds.groups and "groups" in loaded.model.parameters() and "groups" not in loaded.settings:
        return ask(
            model, processes, sends, sends_per_process, dests, groups, channel, self_addressed, duplicates, losses,
            crashes, restarts, (*settings, f"groups={groups}"), readings, properties, scenario,
        )  # fmt: skip
    if script is not None:
        bounds = scripted_bounds(script, bounds)
    question = Question(ModelCalls(loaded, bounds), bounds, select_properties(properties, loaded.model, model), script)
    if set(question.properties) == {"Minimality"} and not question.calls.has_facts():
        raise UsageError(
            "--property Minimality: the model does not say what its control information asserts (state_facts, "
            "packet_facts), so there is nothing to judge"
        )
    return question


def probe_targets(json_target: str | None, trace_target: str | None = None) -> None:
    """Find out before a long run whether its results can be written."""
    if trace_target == STDOUT:
        raise UsageError("--trace -: a trace needs a file; `precede trace show FILE` prints it")
    if trace_target is not None:
        probe(Path(trace_target), "--trace")
    if json_target is not None and json_target != STDOUT:
        probe(Path(json_target), "--json")
        if trace_target is not None and Path(json_target).absolute() == Path(trace_target).absolute():
            raise UsageError(f"--json and --trace name the same file, {json_target}")


def write_json(json_target: str | None, value: Any) -> None:
    """Write `value` where --json says; nothing without it."""
    if json_target is None:
        return
    text = json.dumps(value, indent=2) + "\n"
    if json_target == STDOUT:
        click.echo(text, nl=False)
    else:
        write_text(Path(json_target), text)
