"""Models by name: the built-in ones, and a user's own class in a Python file."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from precede.models import Model
from precede.models.catalog import CATALOG
from precede.models.wrapped import WRAPPERS, wrapped

from .bounds import CHANNELS, DESTS
from .errors import SpecificationError, UsageError
from .labels import Labels, instrument
from .selection import select_readings
from .settings import select_settings
from .user_code import execute, listed, one_line, prints_to_stderr, run_file

TEXTS = ("title", "source", "assumes", "size")
CALLS = {"start": ("me", "processes"), "send": ("state", "message"), "receive": ("state", "packet")}


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to be called; `readings` holds all its readings, id -> letter."""

    name: str
    model: Model
    readings: dict[str, str]
    built_in: bool
    settings: dict[str, Any] = field(default_factory=dict)
    """The parameters that were set, name -> value."""
    labels: Labels | None = field(default=None, compare=False, repr=False)
    """The labelled statements of the model's module; None where there is no source."""


def load_model(spec: str, readings: Sequence[str] = (), settings: Sequence[str] = ()) -> LoadedModel:
    """The model `spec`, a built-in name or path/to/file.py:Class, with `readings` such as "J-3a" selected, and
    parameters set by `settings` such as "K=5".

    A built-in name may be followed by a wrapper, as in ks@oldest. A file is run, as `python file.py` would run it.
    Raises UsageError (no such model, class or reading) or SpecificationError (what is there is no model).
    """
    base, _, wrapper = spec.partition("@")
    built_in = base in CATALOG and (not wrapper or wrapper in WRAPPERS)
    if built_in:
        module, labels = _counted_copy(sys.modules[CATALOG[base].__module__])
        cls: type[Model] = getattr(module, CATALOG[base].__name__)
    elif ":" in spec or spec.endswith(".py"):
        path, _, class_name = spec.rpartition(":") if ":" in spec else (spec, "", "")
        file = run_file(Path(path))
        cls, labels = _model_class(file.module, path, class_name), file.labels
    elif base in CATALOG:
        raise UsageError(f"no wrapper is called {wrapper!r}: after {base}@ may follow {', '.join(WRAPPERS)}")
    else:
        raise UsageError(_unknown_model(spec))
    letters = select_readings(spec, cls, readings)
    values = select_settings(spec, cls, settings)
    model = _instance(cls, letters, values)
    if built_in and wrapper:
        if not model.direct or model.semantic:
            raise UsageError(f"{spec}: only a direct model with causal order can be wrapped, and {base} is not one")
        try:
            outer = wrapped(model, wrapper)
        except ValueError as error:
            raise UsageError(f"{spec}: {base} cannot be wrapped so: {error}") from error
        return LoadedModel(spec, outer, letters, built_in, values)
    return LoadedModel(spec, model, letters, built_in, values, labels)


def _unknown_model(spec: str) -> str:
    near = get_close_matches(spec.lower(), CATALOG, 1, 0.5)
    hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(CATALOG)}."
    return f"no model is called {spec!r}: {hint} A model of your own is given as path/to/file.py:Class"


def _counted_copy(origin: ModuleType) -> tuple[ModuleType, Labels | None]:
    """A second copy of a built-in module whose labelled statements count; the module itself where it has no source."""
    try:
        source = inspect.getsource(origin)
    except OSError:
        return origin, None
    code, labels = instrument(source, origin.__file__ or origin.__name__)
    return execute(code, labels, f"{origin.__name__}__counted", origin.__file__, origin.__package__), labels


def _model_class(module: ModuleType, path: str, name: str) -> type[Model]:
    classes = [n for n, v in vars(module).items() if isinstance(v, type) and v.__module__ == module.__name__]
    models = [n for n in classes if issubclass(getattr(module, n), Model)]
    if not name:
        if len(models) == 1:
            raise UsageError(f"{path}: which class? Give {path}:{models[0]}")
        choice = f"one of {listed(models)}" if models else "a subclass of precede.models.Model"
        raise UsageError(f"{path}: which class? Give {path}:Class, where Class is {choice}")
    cls = getattr(module, name, None)
    if cls is None:
        near = get_close_matches(name, models or classes, 1, 0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f"{path} has no class {name!r}; its classes: {listed(models or classes)}.{hint}")
    if not isinstance(cls, type) or not issubclass(cls, Model):
        raise SpecificationError(f"{path}: {name} is no subclass of precede.models.Model: write `class {name}(Model)`")
    _check_class(cls, path)
    return cls


def _check_class(cls: type[Model], path: str) -> None:
    """Raises SpecificationError when a field or a method of a user's class cannot be used as it is."""
    undecorated = [n for n, v in vars(cls).items() if isinstance(v, Field)]
    if undecorated:
        raise SpecificationError(
            f"{path}: {cls.__name__}.{undecorated[0]} is a field: put @dataclass(frozen=True) above the class"
        )
    for name in TEXTS:
        if not isinstance(getattr(cls, name), str):
            raise SpecificationError(f"{path}: {cls.__name__}.{name} is {getattr(cls, name)!r}: give a text")
    if cls.load not in DESTS:
        raise SpecificationError(f"{path}: {cls.__name__}.load is {cls.load!r}: give one of {', '.join(DESTS)}")
    if cls.channel not in CHANNELS:
        raise SpecificationError(
            f"{path}: {cls.__name__}.channel is {cls.channel!r}: give one of {', '.join(CHANNELS)}"
        )
    for method, parameters in CALLS.items():
        function = getattr(cls, method)
        wanted = f"def {method}(self, {', '.join(parameters)})"
        if function is getattr(Model, method):
            raise SpecificationError(f"{path}: {cls.__name__} does not define {method}: write `{wanted}`")
        if not inspect.isfunction(function):
            raise SpecificationError(f"{path}: {cls.__name__}.{method} is no plain method: write `{wanted}`")
        signature = inspect.signature(function)
        try:
            signature.bind(None, *parameters)
        except TypeError:
            given = f"def {method}{signature}"
            raise SpecificationError(f"{path}: {cls.__name__} has `{given}`: write `{wanted}`") from None
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            raise SpecificationError(f"{path}: {cls.__name__}.{method} is async: write a plain `{wanted}`")


def _instance(cls: type[Model], letters: dict[str, str], values: dict[str, Any]) -> Model:
    chosen = values | {f.name: letters[reading_id] for reading_id, (f, _) in cls.readings().items()}
    try:
        with prints_to_stderr():
            model = cls(**chosen)
            hash(model)
    except Exception as error:
        names = ", ".join(f.name for f in fields(cls) if f.init)
        raise SpecificationError(
            f"{cls.__name__} cannot be made: {one_line(error)}; give its fields ({names}) hashable defaults"
        ) from None
    return model
