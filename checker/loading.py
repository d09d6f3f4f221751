"""Models by name: the built-in ones, and a user's own class in a Python file."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from types import CodeType, ModuleType

from precede.models import Model
from precede.models.catalog import CATALOG

from .errors import SpecificationError, UsageError
from .labels import Labels, instrument
from .selection import select_readings

CALLS = {"start": ("me", "processes"), "send": ("state", "message"), "receive": ("state", "packet")}


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to be called; `readings` holds all its readings, id -> letter."""

    name: str
    model: Model
    readings: dict[str, str]
    built_in: bool
    labels: Labels | None = field(default=None, compare=False, repr=False)
    """The labelled statements of the model's module; None where there is no source."""


def load_model(spec: str, readings: Sequence[str] = ()) -> LoadedModel:
    """The model `spec`, a built-in name or path/to/file.py:Class, with `readings` such as "J-3a" selected.

    A file is run, as `python file.py` would run it. Raises UsageError (no such model, class or reading) or
    SpecificationError (what is there is no model).
    """
    if spec in CATALOG:
        origin = sys.modules[CATALOG[spec].__module__]
        module, labels = _counted_copy(origin)
        cls: type[Model] = getattr(module, CATALOG[spec].__name__)
        letters = select_readings(spec, cls, readings)
        return LoadedModel(spec, _instance(cls, letters), letters, True, labels)
    if ":" not in spec and not spec.endswith(".py"):
        raise UsageError(_unknown_model(spec))
    path, _, class_name = spec.rpartition(":") if ":" in spec else (spec, "", "")
    module, labels = _run_file(Path(path))
    cls = _model_class(module, Path(path), class_name)
    letters = select_readings(spec, cls, readings)
    return LoadedModel(spec, _instance(cls, letters), letters, False, labels)


def _unknown_model(spec: str) -> str:
    near = get_close_matches(spec.lower(), CATALOG, 1, 0.5)
    hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(CATALOG)},"
    return f"no model is called {spec!r}: {hint} For a model of your own give path/to/file.py:Class"


def _counted_copy(origin: ModuleType) -> tuple[ModuleType, Labels | None]:
    """A second copy of a built-in module whose labelled statements count; the module itself where it has no source."""
    try:
        source = inspect.getsource(origin)
    except OSError:
        return origin, None
    code, labels = instrument(source, origin.__file__ or origin.__name__)
    return _execute(code, labels, f"{origin.__name__}__counted", origin.__file__, origin.__package__), labels


def _execute(code: CodeType, labels: Labels, name: str, file: str | None, package: str | None) -> ModuleType:
    module = ModuleType(name)
    module.__file__ = file
    module.__package__ = package
    module.__dict__.update(labels.namespace())
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


def _run_file(path: Path) -> tuple[ModuleType, Labels]:
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}: a model of your own is given as path/to/file.py:Class")
    try:
        source = path.read_bytes().decode("utf-8-sig")
        code, labels = instrument(source, str(path))
    except UnicodeDecodeError as error:
        raise SpecificationError(f"{path} is not a Python file in UTF-8: byte {error.start} is wrong") from None
    except (SyntaxError, ValueError) as error:
        raise SpecificationError(f"{path}, line {getattr(error, 'lineno', 1)}: {_one_line(error)}") from None
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        return _execute(code, labels, f"precede_user_{path.stem}", str(path), None), labels
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        line = line_in(error, str(path))
        raise SpecificationError(f"{path}, line {line}: {_one_line(error)}; the file must run without errors") from None


def _model_class(module: ModuleType, path: Path, name: str) -> type[Model]:
    found = [n for n, v in vars(module).items() if isinstance(v, type) and v.__module__ == module.__name__]
    models = [n for n in found if issubclass(getattr(module, n), Model)]
    if not name:
        known = f"one of {', '.join(models)}" if models else "a subclass of precede.models.Model"
        raise UsageError(f"{path}: which class? Give {path}:Class, with {known}")
    cls = getattr(module, name, None)
    if cls is None:
        near = get_close_matches(name, models or found, 1, 0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f"{path} has no class {name!r}; its classes: {', '.join(models or found) or 'none'}.{hint}")
    if not isinstance(cls, type) or not issubclass(cls, Model):
        raise SpecificationError(f"{path}: {name} is no subclass of precede.models.Model: write `class {name}(Model)`")
    _check_class(cls, path)
    return cls


def _check_class(cls: type[Model], path: Path) -> None:
    undecorated = [n for n, v in vars(cls).items() if isinstance(v, Field)]
    if undecorated:
        raise SpecificationError(
            f"{path}: {cls.__name__}.{undecorated[0]} is a field: put @dataclass(frozen=True) above the class"
        )
    for method, parameters in CALLS.items():
        function = getattr(cls, method)
        wanted = f"def {method}(self, {', '.join(parameters)})"
        if function is getattr(Model, method):
            raise SpecificationError(f"{path}: {cls.__name__} does not define {method}: write `{wanted}`")
        try:
            signature = inspect.signature(function)
            signature.bind(None, *parameters)
        except (TypeError, ValueError):
            given = f"def {method}{signature}" if callable(function) else "not a function"
            raise SpecificationError(f"{path}: {cls.__name__}.{method} is `{given}`: write `{wanted}`") from None
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            raise SpecificationError(f"{path}: {cls.__name__}.{method} is async: write a plain `{wanted}`")


def _instance(cls: type[Model], letters: dict[str, str]) -> Model:
    chosen = {f.name: letters[reading_id] for reading_id, (f, _) in cls.readings().items()}
    try:
        model = cls(**chosen)
        hash(model)
    except Exception as error:
        needed = ", ".join(f.name for f in fields(cls) if f.init) or "no fields"
        raise SpecificationError(
            f"{cls.__name__} cannot be made: {_one_line(error)}; its fields ({needed}) need hashable defaults"
        ) from None
    return model


def line_in(error: BaseException, filename: str) -> int | None:
    """The line of `filename` in which `error` arose, the innermost; None when it did not pass through that file."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == filename), None)


def _one_line(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {' '.join(text.split())}" if text else type(error).__name__
