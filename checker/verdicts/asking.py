"""A run of the registry as a task: its words are read by the parser of the command that they are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..engine import Limits
from ..errors import ConfigurationError, PrecedeError
from .comparing import Behaviour, Compare, Measure, require_two
from .exploring import Check, Search, Seek
from .rows import Evidence, Row
from .solving import BoundedRuns, Prove, SmallestSets, Study, Tlc, require_claims
from .tools import Task

if TYPE_CHECKING:
    from ..cli.options import Question

PACKAGE = Path(__file__).parent.parent.parent
"""Where `checker` is: files that runs name are looked for there, as in a checkout."""

_KNOWN: dict[tuple[object, ...], Task] = {}


def task_of(row: Row, evidence: Evidence) -> Task:
    """What to carry out: the same object for the same words. Raises ConfigurationError that names the row where they
    are no such command."""
    words = evidence.run, evidence.against, tuple(evidence.expect) if evidence.engine == "prove" else ()
    try:
        if words not in _KNOWN:
            _KNOWN[words] = TASKS[evidence.engine](evidence)
        return _KNOWN[words]
    except (click.ClickException, PrecedeError) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        raise ConfigurationError(f"{row.id}, `{evidence.run}`: {text}") from None


def _options(command: click.Command, words: list[str]) -> dict[str, Any]:
    return dict(command.make_context(command.name, list(words)).params)


def _question(given: dict[str, Any]) -> Question:
    from ..cli.options import ask

    return ask(**{name: given[name] for name in inspect.signature(ask).parameters if name in given})


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(given["max_states"], given["time_limit"], given["memory_limit"])


def _asked(words: list[str]) -> tuple[Question, dict[str, Any]]:
    from ..cli.check import check

    given = _options(check, words)
    if given["scenario"] is not None and not given["scenario"].is_absolute():
        given["scenario"] = PACKAGE / given["scenario"]
    path, _, name = given["model"].rpartition(":")
    if path.endswith(".py") and not Path(path).exists():
        given["model"] = f"{PACKAGE / path}:{name}"
    return _question(given), given


def _check(evidence: Evidence) -> Task:
    question, given = _asked(evidence.arguments)
    search = Search(
        given["engine"], given["search"], "fingerprints" if given["fingerprints"] else "rows", given["symmetry"],
        given["seed"], given["walks"], _limits(given),
    )  # fmt: skip
    return Check(question, search)


def _seek(evidence: Evidence) -> Task:
    from ..cli.seek import seek

    given = _options(seek, evidence.arguments)
    return Seek(_question(given), given["runs"], given["seed"], given["time_limit"])


def _behaviour(evidence: Evidence) -> Task:
    question, given = _asked(evidence.arguments)
    if evidence.against is None:
        against = _question({**given, "readings": ()})
    else:
        against, _ = _asked(evidence.against.split())
    require_two(question, against)
    return Behaviour(question, against)


def _compare(evidence: Evidence) -> Task:
    from ..cli.compare import PROMISES, common_load, compare
    from ..loading import load_model

    given = _options(compare, evidence.arguments)
    a = load_model(given["a"], given["readings_a"], given["settings_a"])
    b = load_model(given["b"], given["readings_b"], given["settings_b"])
    asked = {**given, "model": given["a"], "readings": given["readings_a"], "settings": given["settings_a"]}
    asked["dests"] = given["dests"] or (None if given["groups"] else common_load(a, b))
    asked["channel"] = given["channel"] or max((m.model.channel for m in (a, b)), key=PROMISES.index)
    asked |= {"duplicates": 0, "losses": 0, "crashes": 0, "restarts": 0, "properties": ()}
    return Compare(_question(asked), (a, b), _limits(given))


def _sizes(evidence: Evidence) -> Task:
    from ..cli.sizes import sizes

    given = _options(sizes, evidence.arguments)
    return Measure(_question(given), _limits(given))


def _prove(evidence: Evidence) -> Task:
    require_claims(tuple(evidence.expect))
    return Prove(tuple(evidence.expect))


def _bounded(evidence: Evidence) -> Task:
    from ..bounds import Bounds
    from ..calls import ModelCalls
    from ..cli.bounded import bounded
    from ..loading import load_model

    given = _options(bounded, evidence.arguments)
    loaded = load_model(given["model"], given["readings"], given["settings"])
    sends = given["sends"] or given["steps"]
    dests, channel = given["dests"] or loaded.model.load, given["channel"] or loaded.model.channel
    bounds = Bounds(given["processes"], sends, dests=dests, channel=channel)
    return BoundedRuns(ModelCalls(loaded, bounds), bounds, given["steps"], given["sends"], given["time_limit"])


def _minimal(evidence: Evidence) -> Task:
    from ..bounds import Bounds
    from ..calls import ModelCalls
    from ..cli.minimal import minimal
    from ..loading import load_model

    given = _options(minimal, evidence.arguments)
    loaded = load_model(given["model"], given["readings"], given["settings"])
    bounds = Bounds(given["processes"], given["sends"], dests=given["dests"] or loaded.model.load)
    return SmallestSets(ModelCalls(loaded, bounds), bounds, given["more"], given["sample"], given["seed"])


def _tlc(evidence: Evidence) -> Task:
    words = [word for word in evidence.arguments if word != "--all"]
    if len(words) != 1:
        raise click.UsageError("write `tlc --all RUN` with one run of tla/manifest.toml")
    task = Tlc(words[0])
    task.listed()
    return task


def _study(evidence: Evidence) -> Task:
    from ..cli.study import study

    name, *words = evidence.arguments
    command = study.commands.get(name)
    if command is None:
        raise click.UsageError(f"no study is called {name}")
    given = _options(command, [*words, "--out", "DIR"] if "--out" not in words else words)
    full = given["full"]
    return Study(name, given["scale"] or (1.0 if full else 0.02), given["seeds"] or (5 if full else 3))


TASKS: dict[str, Callable[[Evidence], Task]] = {
    "check": _check,
    "behaviour": _behaviour,
    "compare": _compare,
    "sizes": _sizes,
    "seek": _seek,
    "prove": _prove,
    "bounded": _bounded,
    "minimal": _minimal,
    "tlc": _tlc,
    "study": _study,
}
