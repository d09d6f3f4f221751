"""Ablation: every labelled step of a model taken out, one at a time; what is each of them needed for?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from precede.models import Model

from .ablating import LabelledStep, labelled_steps, without
from .bounds import Bounds
from .calls import ModelCalls
from .engine import Limits, explore
from .errors import HOLDS, INCOMPLETE, ModelError, PropertyError, UsageError
from .formats import ABLATION
from .labels import Labels
from .loading import LoadedModel
from .progress import Progress
from .properties import UserProperty
from .result import PropertyResult, Result
from .user_code import execute, listed, one_line

RUNNING = "running"
PURPOSES = {
    "CausalOrder": "safety",
    "Integrity": "safety",
    "Delivery": "liveness",
    "NoNeedlessDelay": "liveness",
    "Minimality": "minimality",
}
"""Built-in property -> what a step is needed for, without which it is violated; of others it is their own name."""


@dataclass(frozen=True)
class Module:
    """The module in which the class of a model is defined."""

    name: str
    file: str
    package: str | None
    source: str


@dataclass(frozen=True)
class StepTakenOut:
    """What the model does without one step.

    `needed_for`: safety, liveness, minimality, running (it raises or breaks its contract), or the names of other
    properties; empty: nothing at this bound; None: not known. `calls` are of the model without it, for its traces.
    """

    step: LabelledStep
    needed_for: tuple[str, ...] | None
    properties: tuple[PropertyResult, ...] = ()
    note: str = ""
    complete: bool = True
    distinct_states: int | None = None
    calls: ModelCalls | None = None

    def as_json(self, traces: dict[str, str]) -> dict[str, Any]:
        """One entry of the document; `traces` has the files that were written, by property."""
        return {
            "label": self.step.label,
            "statements": list(self.step.texts),
            "needed_for": None if self.needed_for is None else list(self.needed_for),
            "properties": {
                p.name: {"verdict": p.verdict, "trace_length": p.trace_length, "trace": traces.get(p.name)}
                for p in self.properties
            },
            "complete": self.complete,
            "distinct_states": self.distinct_states,
            "note": self.note or None,
        }


class Ablation:
    """The labelled steps of a model, each of which can be taken out.

    Raises UsageError for a model without labels of its own. Only the module that defines the class is changed: of a
    class that builds on one of another module, the labels there stay.
    """

    def __init__(self, calls: ModelCalls, bounds: Bounds, properties: tuple[str | UserProperty, ...], limits: Limits):
        self.calls, self.bounds, self.limits = calls, bounds, limits
        self.model: Model = calls.model
        self.module = _module_of(type(self.model))
        own = [cls for cls in type(self.model).__mro__ if cls.__module__ == type(self.model).__module__]
        self.steps = labelled_steps(self.module.source, self.module.file, {cls.__name__ for cls in own})
        self.bases = [cls.__name__ for cls in type(self.model).__mro__ if cls not in own and _is_algorithm(cls)]
        self.asked = properties
        self.judged = properties
        if not self.steps:
            where = f"; those of {listed(self.bases)} stand in another file" if self.bases else ""
            raise UsageError(f"{calls.loaded.name} labels no statement of its own, so none can be taken out{where}")

    def whole(self, on_progress: Callable[[Progress], None] | None = None) -> Result:
        """The model as it is, without a time limit, since it may be the first run, which compiles.

        What it violates itself is not judged without a step. Raises UsageError when nothing is left to judge.
        """
        result = self._explored(self.calls, on_progress, Limits(self.limits.states))
        broken = {p.name for p in result.properties if p.verdict in ("violated", "not applicable")}
        self.judged = tuple(p for p in self.asked if name_of(p) not in broken)
        if not self.judged:
            raise UsageError(f"{self.calls.loaded.name} satisfies none of {listed(sorted(broken))} with all its steps")
        return result

    def without_each(
        self, whole: Result, on_progress: Callable[[str, Progress], None] | None = None
    ) -> Iterator[StepTakenOut]:
        """Every step taken out, in source order; after an interrupt the rest is not known."""
        fired = {count.label: count for count in whole.labels or ()}
        interrupted = (whole.stopped or "").startswith("interrupted")
        for step in self.steps:
            if interrupted:
                yield StepTakenOut(step, None, note="not explored: interrupted", complete=False)
                continue
            if whole.complete and step.label in fired and not fired[step.label].fired:
                same = tuple(p for p in whole.properties if p.name in map(name_of, self.judged))
                note = "never executed, with these readings and at this bound"
                yield StepTakenOut(step, (), same, note, True, whole.distinct_states)
                continue
            found = self._without(step, on_progress)
            interrupted = "incomplete: interrupted" in found.note
            yield found

    def _without(self, step: LabelledStep, on_progress: Callable[[str, Progress], None] | None) -> StepTakenOut:
        cut = without(self.module.source, self.module.file, step)
        left = "; ".join(cut.left)
        if not cut.taken:
            return StepTakenOut(step, None, note=f"cannot be taken out mechanically: {left}")
        left = f"; left as it is, {left}" if left else ""
        report = None if on_progress is None else lambda progress: on_progress(step.label, progress)
        try:
            calls = self._calls(cut.code)
            result = self._explored(calls, report, self.limits)
        except ModelError as error:
            if isinstance(error.__cause__, UnboundLocalError):
                reason = one_line(error.__cause__)
                return StepTakenOut(step, None, note=f"cannot be taken out mechanically: {reason}{left}")
            return StepTakenOut(step, (RUNNING,), note=f"{error}{left}")
        except PropertyError as error:
            return StepTakenOut(step, None, note=f"{error}{left}", complete=False)
        if result.complete and not result.transitions:
            return StepTakenOut(step, (RUNNING,), note=f"no message is ever sent{left}", distinct_states=1)
        purposes = tuple(
            dict.fromkeys(PURPOSES.get(p.name, p.name) for p in result.properties if p.verdict == "violated")
        )
        undecided = any(p.verdict == "incomplete" for p in result.properties)
        stopped = f"incomplete: {result.stopped}" if undecided else ""
        return StepTakenOut(
            step,
            purposes if purposes or not undecided else None,
            result.properties,
            f"{left.removeprefix('; ')}{'; ' if left and stopped else ''}{stopped}",
            not undecided,
            result.distinct_states if result.complete else None,
            calls,
        )

    def _calls(self, code: Any) -> ModelCalls:
        """Calls of the same model, made of other code."""
        module = self.module
        try:
            changed = execute(code, Labels(), f"{module.name}__ablated", module.file, module.package)
            cls = getattr(changed, type(self.model).__name__)
            model = cls(**{f.name: getattr(self.model, f.name) for f in fields(cls) if f.init})
        except Exception as error:
            raise ModelError(f"{Path(module.file).name} does not run: {one_line(error)}") from error
        loaded: LoadedModel = replace(self.calls.loaded, model=model, labels=None)
        return ModelCalls(loaded, self.bounds)

    def _explored(self, calls: ModelCalls, on_progress: Callable[[Progress], None] | None, limits: Limits) -> Result:
        return explore(calls, self.bounds, self.judged, limits=limits, on_progress=on_progress)


def name_of(property: str | UserProperty) -> str:
    """The name of a property."""
    return property if isinstance(property, str) else property.name


def default_properties(calls: ModelCalls) -> tuple[str, ...]:
    """What is judged unless properties are named: safety and Delivery; the others where the model claims them."""
    claims = type(calls.model).claims
    more = tuple(p for p in ("NoNeedlessDelay", "Minimality") if p in claims)
    return ("CausalOrder", "Integrity", "Delivery", *(p for p in more if p != "Minimality" or calls.has_facts()))


def exit_code(whole: Result, found: list[StepTakenOut]) -> int:
    """0 when everything was explored; 3 when a limit or Ctrl-C left something undecided."""
    undecided = any(p.verdict == "incomplete" for p in whole.properties)
    return INCOMPLETE if undecided or not all(one.complete for one in found) else HOLDS


def as_json(whole: Result, found: list[StepTakenOut], traces: dict[str, dict[str, str]], notes: list[str]) -> Any:
    """The versioned JSON object of `precede ablate`; `traces` has the files written, by label and property."""
    return ABLATION.document(
        model=whole.model,
        readings=whole.readings,
        bounds=whole.bounds.as_json(),
        whole={p.name: p.verdict for p in whole.properties},
        distinct_states=whole.distinct_states if whole.complete else None,
        labels=[one.as_json(traces.get(one.step.label, {})) for one in found],
        exit_code=exit_code(whole, found),
        notes=notes,
    )


def _module_of(cls: type[Model]) -> Module:
    module = sys.modules[cls.__module__]
    file = module.__file__ or ""
    try:
        source = Path(file).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read the source of {cls.__name__}: {error.strerror}") from None
    return Module(module.__name__, file, module.__package__, source)


def _is_algorithm(cls: type) -> bool:
    return issubclass(cls, Model) and cls is not Model
