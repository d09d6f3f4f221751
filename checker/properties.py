"""Properties by name: the built-in ones, and a user's own function in a Python file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from precede.models import Model
from precede.models.catalog import CATALOG

from .errors import PropertyError, SpecificationError, UsageError
from .user_code import line_in, listed, one_line, prints_to_stderr, run_file
from .values import a

BUILT_IN = ("CausalOrder", "Delivery", "Integrity", "NoNeedlessDelay", "Minimality")

KINDS = {
    "state": ("model", "process", "state", "past"),
    "packet": ("model", "packet", "past"),
    "step": ("model", "process", "before", "event", "after", "past"),
}
"""What a property of each kind may ask for by the names of its parameters."""


@dataclass(frozen=True)
class UserProperty:
    """A user's property: a question about a process state, a packet or a local step that must be answered True.

    `judge` is called with the values of `needs` as keywords; it returns a bool or raises PropertyError.
    """

    name: str
    kind: str
    needs: frozenset[str]
    judge: Callable[..., bool]


def _claimed(spec: str, name: str | None) -> UserProperty | None:
    """The claim of a paper with this id, as a property; None if there is none."""
    from .claims import CLAIMS

    claim = next((c for c in CLAIMS.values() if c.id.lower() == spec.lower()), None)
    if claim is None:
        return None
    if name in CATALOG and name not in claim.models:
        raise UsageError(f"--property {spec}: {claim.id} is a claim about {', '.join(claim.models)}, not about {name}")
    kind, needs = _kind(claim.id, claim.judge)
    return UserProperty(claim.id, kind, needs, _guarded(claim.id, claim.judge))


def select_properties(specs: Sequence[str], model: Model, name: str | None = None) -> tuple[str | UserProperty, ...]:
    """The properties named by `specs`: built-in names, claims such as C-KS-L1, or path/to/file.py:function. None named:
    what the model claims. `name` is the model's own.

    Raises UsageError (no such property) or SpecificationError (what is there cannot be a property).
    """
    if not specs:
        return _claims(model)
    return tuple(_claimed(spec, name) or _select(spec) for spec in dict.fromkeys(specs))


def _claims(model: Model) -> tuple[str, ...]:
    claims = type(model).claims
    name = type(model).__name__
    if not isinstance(claims, tuple) or not claims:
        raise SpecificationError(
            f"{name}.claims is {claims!r}: give a tuple of names, such as ('CausalOrder', 'Delivery')"
        )
    unknown = [claim for claim in claims if claim not in BUILT_IN]
    if unknown:
        raise SpecificationError(f"{name}.claims names {unknown[0]!r}: the properties are {', '.join(BUILT_IN)}")
    return claims


def _select(spec: str) -> str | UserProperty:
    if spec in BUILT_IN:
        return spec
    if ":" in spec or spec.endswith(".py"):
        path, _, name = spec.rpartition(":") if ":" in spec else (spec, "", "")
        return _load(spec, path, name)
    near = get_close_matches(spec.lower(), [name.lower() for name in BUILT_IN], 1, 0.5)
    names = [name for name in BUILT_IN if name.lower() in near]
    hint = f"did you mean {names[0]}?" if names else f"choose one of {', '.join(BUILT_IN)}."
    raise UsageError(
        f"no property is called {spec!r}: {hint} A property of your own is given as path/to/file.py:function"
    )


def _load(spec: str, path: str, name: str) -> UserProperty:
    module = run_file(Path(path)).module
    functions = [n for n, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__]
    function = getattr(module, name, None) if name else None
    if function is None:
        near = get_close_matches(name, functions, 1, 0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        missing = f"{path} has no function {name!r}; its functions" if name else f"{path}: which function? It has"
        raise UsageError(f"{missing}: {listed(functions)}.{hint}")
    if not inspect.isfunction(function) or inspect.iscoroutinefunction(function):
        raise SpecificationError(
            f"{path}: {name} is no plain function: write `def {name}(state, past)`, or see the README"
        )
    kind, needs = _kind(spec, function)
    return UserProperty(spec, kind, needs, _guarded(spec, function))


def _kind(spec: str, function: Callable[..., Any]) -> tuple[str, frozenset[str]]:
    """The kind of property that the parameter names say, and those that the checker fills in."""
    parameters = inspect.signature(function).parameters.values()
    fixed = {p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    known = {name for names in KINDS.values() for name in names}
    unknown = sorted(fixed | {p.name for p in parameters if p.default is p.empty and p.name not in known})
    forms = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in KINDS.items())
    if unknown:
        raise SpecificationError(f"{spec} asks for {unknown[0]!r}: a property names any of these of one kind ({forms})")
    needs = frozenset(p.name for p in parameters if p.name in known)
    kind = "packet" if "packet" in needs else "state"
    if needs & {"before", "event", "after"}:
        kind = "step"
    if not needs or not needs <= set(KINDS[kind]):
        mixed = f"mixes {', '.join(sorted(needs))}" if needs else "asks for nothing"
        raise SpecificationError(f"{spec} {mixed}: a property names any of these of one kind ({forms})")
    return kind, needs


def _guarded(spec: str, function: Callable[..., Any]) -> Callable[..., bool]:
    file = function.__code__.co_filename

    def judge(**values: Any) -> bool:
        try:
            with prints_to_stderr():
                answer = function(**values)
        except (Exception, SystemExit) as error:
            line = line_in(error, file)
            raise PropertyError(f"property {spec} raised {one_line(error)} ({file}, line {line})") from error
        if not isinstance(answer, bool):
            raise PropertyError(f"property {spec} returned {a(answer)}: let every path return True or False")
        return answer

    return judge
