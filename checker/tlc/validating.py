"""Does the specification allow a run of ours? TLC is given the run's states, one after the other, and takes only steps
of the specification that lead from each to the next."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import DISAGREE, HOLDS, INCOMPLETE
from ..event_text import describe
from ..formats import VALIDATION
from ..result import Schedule
from ..run import Run
from .child import Child, OnProgress
from .comparing import read_dump
from .configuration import configuration, require_specification, write_specification
from .declared import MODULES, require_counterpart
from .endings import why_incomplete
from .mapping import Image, image_of
from .running import tlc_command
from .schedule import whole_state
from .tools import find_jar, find_java
from .values import Value, show

MODULE = "Validation"


@dataclass(frozen=True)
class Validation:
    """What TLC says of a run: `refused` is the number of the first step that the specification does not allow (0: the
    initial state), None where it allows all of them; `stopped` why TLC did not get that far."""

    model: str
    steps: int
    refused: int | None
    stopped: str | None
    explanation: str
    tlc: str | None
    seconds: float

    @property
    def exit_code(self) -> int:
        """0: allowed; 1: the specification and the model disagree; 3: TLC was stopped."""
        return INCOMPLETE if self.stopped else HOLDS if self.refused is None else DISAGREE

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `precede trace validate --json`."""
        return VALIDATION.document(**asdict(self), exit_code=self.exit_code)


def validate(
    calls: ModelCalls,
    bounds: Bounds,
    schedule: Schedule,
    *,
    time_limit: float | None = None,
    on_progress: OnProgress | None = None,
) -> Validation:
    """Let TLC check that the run of `schedule` is one of the specification of its model.

    Raises UsageError (no specification, or none of these readings and bounds), ImpossibleStep (the schedule is no run
    of the Python model), and what `run_tlc` raises of Java and TLC.
    """
    model = calls.loaded.name
    require_specification(model, ())
    require_counterpart(model, calls.loaded.readings, bounds, calls.loaded.settings)
    images, labels = _followed(calls, bounds, schedule)
    with tempfile.TemporaryDirectory(prefix="precede-tlc-") as name:
        folder = Path(name)
        cfg = configuration(model, calls.loaded.readings, bounds, ("TypeOK",), settings=calls.loaded.settings)
        write_specification(folder, model, cfg.replace("SPECIFICATION Spec", f"SPECIFICATION {MODULE}Spec"))
        (folder / f"{MODULES[model]}.cfg").rename(folder / f"{MODULE}.cfg")
        child = _asked(folder, following(MODULES[model], images), time_limit, on_progress)
        stopped = None if child.finished else why_incomplete(child)
        reached = child.output.distinct or 0
        refused = None if stopped or reached == len(images) else reached
        if stopped:
            text = f"incomplete: {stopped}"
        elif child.output.violated:
            refused, text = reached - 1, f"TypeOK does not hold after step {reached - 1}"
        elif refused is None:
            text = f"the specification allows the run: all {len(schedule)} steps"
        elif refused == 0:
            text = f"the specification starts otherwise: {_instead(folder, model, images[:1], images[0])}"
        else:
            instead = _instead(folder, model, images[refused - 1 : refused], images[refused])
            text = f"the specification does not allow step {refused} ({labels[refused - 1]}): {instead}"
    return Validation(model, len(schedule), refused, stopped, text, child.output.version, child.seconds)


def following(module: str, images: Sequence[Image], called: str = MODULE, prefix: str = MODULE) -> str:
    """A module whose runs are the one with these states, as far as the specification allows it; its definitions start
    with `prefix`."""
    equal = " /\\ ".join(f"{name}' = Recorded[taken + 2].{name}" for name in images[0])
    first = " /\\ ".join(f"{name} = Recorded[1].{name}" for name in images[0])
    states = ",\n".join(f"    [{', '.join(f'{name} |-> {show(value)}' for name, value in i.items())}]" for i in images)
    return _module(
        module,
        f"Recorded == <<\n{states}>>",
        f"Init /\\ {first}",
        f"taken + 1 \\in 1..{len(images) - 1} /\\ Next /\\ {equal}",
        called,
        prefix,
    )


def _one_step(module: str, before: Image) -> str:
    """A module that takes every step of the specification from one state."""
    values = " /\\ ".join(f"{name} = {show(value)}" for name, value in before.items())
    return _module(module, "", values, "taken = 0 /\\ Next")


def _module(module: str, definitions: str, init: str, next: str, called: str = MODULE, prefix: str = MODULE) -> str:
    return "\n".join([
        f"---- MODULE {called} ----", f"EXTENDS {module}", "VARIABLE taken", definitions,
        f"{prefix}Init == taken = 0 /\\ {init}", f"{prefix}Next == {next} /\\ taken' = taken + 1",
        f"{prefix}Spec == {prefix}Init /\\ [][{prefix}Next]_<<taken, vars>>", "====", "",
    ])  # fmt: skip


def _asked(
    folder: Path, text: str, time_limit: float | None, on_progress: OnProgress | None, dump: bool = False
) -> Child:
    (folder / f"{MODULE}.tla").write_text(text, encoding="utf-8")
    child = Child(time_limit, on_progress)
    child.run(tlc_command(find_java(), find_jar(), folder, MODULE, 1, None, dump), folder)
    return child


def _followed(calls: ModelCalls, bounds: Bounds, schedule: Schedule) -> tuple[list[Image], list[str]]:
    """The states of the run, the initial one first, and what each step is called."""
    run = Run(calls, bounds)
    images = [image_of(calls.loaded.name, whole_state(run), bounds.channel)]
    labels = []
    for event in schedule:
        taken = run.apply(event)
        labels.append(describe(event, taken.message, taken.called))
        images.append(image_of(calls.loaded.name, whole_state(run), bounds.channel))
    return images, labels


def _instead(folder: Path, model: str, before: Sequence[Image], wanted: Image) -> str:
    """What the specification does where it does not do what is wanted."""
    cfg = folder / f"{MODULE}.cfg"
    cfg.write_text(cfg.read_text(encoding="utf-8").replace("    TypeOK\n", "    \n").replace("INVARIANTS\n    \n", ""))
    child = _asked(folder, _one_step(MODULES[model], before[0]), None, None, dump=True)
    if not child.finished:
        return "it cannot be asked what it does instead"
    states = [state for state in read_dump(folder / "states.dump") if state.pop("taken") == 1]
    same_event = [state for state in states if state["past"] == wanted["past"]]
    if not same_event:
        return "no step of it sends or delivers the same here"
    nearest = min(same_event, key=lambda state: len(_differences(state, wanted)))
    return "; ".join(_differences(nearest, wanted)[:3])


def _differences(theirs: Image, ours: Image) -> list[str]:
    """Where two states differ, by variable and process."""
    found = []
    for name in ours:
        if theirs[name] == ours[name]:
            continue
        if isinstance(ours[name], tuple) and isinstance(theirs[name], tuple):
            pairs: Iterable[tuple[str, Value, Value]] = (
                (f"{name}[{place}]", a, b)
                for place, (a, b) in enumerate(zip(theirs[name], ours[name], strict=True), 1)
                if a != b
            )
        else:
            pairs = [(name, theirs[name], ours[name])]
        for where, a, b in pairs:
            if isinstance(a, frozenset) and isinstance(b, frozenset):
                a, b = a - b, b - a
            found.append(f"{where} has {show(a)} there and {show(b)} here")
    return found
