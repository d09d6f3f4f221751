"""Processes whose names do not matter: states that differ in them only are one for TLC.

TLC is then given model values for the processes, and what it prints tells a process from a number. Our states do not,
so they are not reduced: TLC's states are renamed in all ways, and what comes out are to be our states, one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

from precede.models.catalog import CATALOG

from ..bounds import Bounds
from ..engine.decoding import WholeState
from ..errors import UsageError
from .comparing import FrozenImage, StateSets, compare_images, frozen, read_dump
from .declared import MODULES, declared_settings, modules_of, source_of
from .mapping import Image, image_of
from .values import Function, Process, Value, function

NUMBERED = re.compile(r"(?:/\\|ASSUME|==)[ \t]*(?P<when>[^\n]*?=>)?[ \t]*Procs\s*=\s*1\.\.")
"""An assumption that the processes are numbers, and when."""

WHEN = re.compile(r'\s*(\w+)\s*(?:=\s*"(\w+)"|\\in\s*\{([^}]*)\})\s*=>')
CHOSEN = re.compile(r"CHOOSE \w+ \\in Procs\b")
REDUCED = "--symmetry"


def require_symmetry(
    model: str,
    readings: Mapping[str, str],
    bounds: Bounds,
    settings: Mapping[str, Any] | None = None,
    temporal: Sequence[str] = (),
) -> None:
    """Raise UsageError where the names of processes matter, or TLC would not see what is asked."""
    if temporal:
        raise UsageError(f"{REDUCED} and --temporal exclude each other: TLC may miss violations of liveness then")
    if bounds.dests == "groups":
        raise UsageError(f"{REDUCED}: groups tell processes apart")
    named = [name for name, value in declared_settings(model, settings).items() if not isinstance(value, int) and value]
    if named:
        raise UsageError(f"{REDUCED}: {named[0]} tells processes apart")
    letters = {id.replace("-", "_"): str(field.default) for id, (field, _) in CATALOG[model].readings().items()}
    letters |= {id.replace("-", "_"): letter for id, letter in readings.items()}
    for module in modules_of(MODULES[model]):
        source = source_of(module)
        if CHOSEN.search(source):
            raise UsageError(f"{REDUCED}: {module}.tla chooses one of the processes")
        for found in NUMBERED.finditer(source):
            if _applies(found["when"], letters):
                why = "" if found["when"] is None else f" where {found['when'].removesuffix('=>').strip()}"
                raise UsageError(f"{REDUCED}: in {module}.tla the processes are the numbers 1 to n{why}")


def _applies(when: str | None, letters: Mapping[str, str]) -> bool:
    condition = None if when is None else WHEN.fullmatch(when)
    if condition is None or condition[1] not in letters:
        return True
    return letters[condition[1]] in re.findall(r"\w+", condition[2] or condition[3])


def namings(image: Image) -> Iterator[Image]:
    """The state with its processes numbered in every way, p1 as 1 and so on first; itself where they are numbers."""
    if not isinstance(image["past"], Function):
        yield image
        return
    for naming in _namings(len(image["past"].pairs)):
        yield {name: naming(value) for name, value in image.items()}


@lru_cache(maxsize=8)
def _namings(processes: int) -> tuple[Callable[[Value], Value], ...]:
    return tuple(_naming(numbers) for numbers in permutations(range(1, processes + 1)))


def _naming(numbers: Sequence[int]) -> Callable[[Value], Value]:
    """What puts numbers[0] for p1, and so on, and a tuple for a function on 1..n."""

    @lru_cache(maxsize=100_000)
    def named(value: Value) -> Value:
        if isinstance(value, Process):
            return numbers[value.number - 1]
        if isinstance(value, (tuple, frozenset)):
            return type(value)(map(named, value))
        if isinstance(value, Function):
            return function((named(argument), named(part)) for argument, part in value.pairs)
        return value

    return named


def compare_orbits(model: str, ours: Iterable[WholeState], dump: Path, channel: str = "unordered") -> StateSets:
    """Compare the states of ours with those that TLC's, in a dump, stand for: renamed in every way, as sets."""
    kept = 0
    orbits: set[frozenset[FrozenImage]] = set()
    for image in read_dump(dump):
        kept += 1
        orbits.add(frozenset(frozen(named) for named in namings(image)))
    theirs: Iterator[Image] = (dict(image) for orbit in orbits for image in orbit)
    return compare_images((image_of(model, state, channel) for state in ours), theirs, (len(orbits), kept))
