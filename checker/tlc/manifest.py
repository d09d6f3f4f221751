"""The manifest: every run of TLC that comes with the specifications, and what it must find (`tla/manifest.toml`).

Each run has a configuration in `tla/`, so that TLC alone can be told to do it. A run says the model, its readings and
parameters, the bounds, what is checked, and what is expected: the verdict with the counts of states and transitions and
the depth, or the property that is violated with the length of a shortest counterexample.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from ..bounds import Bounds
from ..errors import SpecificationError
from ..loading import LoadedModel, load_model
from .configuration import configuration, invariants_of
from .declared import MODULES

SIZES = ("small", "large", "fails")
"""What runs there are: one of a few seconds for each specification, larger ones, and those that must fail."""

KEYS = {
    "name", "model", "size", "readings", "set", "processes", "sends", "sends_per_process", "dests", "groups",
    "channel", "self", "properties", "temporal", "verdict", "violated", "length", "states", "transitions", "depth",
}  # fmt: skip


@dataclass(frozen=True)
class ListedRun:
    """One run of the manifest; what it is expected to find is None where it is not told."""

    name: str
    size: str
    model: str
    readings: tuple[str, ...]
    settings: tuple[str, ...]
    bounds: Bounds
    properties: tuple[str, ...]
    temporal: tuple[str, ...]
    verdict: str
    violated: str | None
    length: int | None
    states: int | None
    transitions: int | None
    depth: int | None

    @property
    def module(self) -> str:
        """The specification."""
        return MODULES[self.model]

    @property
    def path(self) -> str:
        """The configuration, from the folder of the specifications: the small one has the name of its module."""
        return f"{self.name}.cfg" if self.size == "small" else f"configurations/{self.name}.cfg"

    @property
    def loaded(self) -> LoadedModel:
        """The model with its readings and parameters."""
        return load_model(self.model, self.readings, self.settings)

    @property
    def configuration(self) -> str:
        """The text of the configuration."""
        loaded = self.loaded
        invariants = invariants_of(self.model, self.properties)
        text = configuration(
            self.model, loaded.readings, self.bounds, invariants, settings=loaded.settings, temporal=self.temporal
        )
        lines = [f"Expected: {self.expectation}.", f"tlc2.TLC -deadlock -config {self.path} {self.module}.tla"]
        return "".join(f"\\* {line}\n" for line in lines) + text

    @property
    def expectation(self) -> str:
        """What TLC must find, in words; TLC counts the initial state as generated, and depth in states."""
        if self.verdict == "violated":
            return f"{self.violated} is violated; a shortest counterexample has {self.length} steps"
        return (
            f"no error; {self.states:,} distinct states, {self.transitions:,} transitions (states generated less one), "
            f"{self.depth} steps deep (depth less one)"
        )


@cache
def manifest() -> tuple[ListedRun, ...]:
    """The runs, in their order. Raises SpecificationError where the file is not as it must be."""
    text = (resources.files("precede.tla") / "manifest.toml").read_text(encoding="utf-8")
    return tuple(_listed(entry) for entry in tomllib.loads(text)["run"])


def _listed(entry: Mapping[str, Any]) -> ListedRun:
    name = str(entry.get("name"))
    if unknown := sorted(set(entry) - KEYS):
        raise SpecificationError(f"manifest.toml, run {name}: {', '.join(unknown)} is not known")
    if entry.get("size") not in SIZES or entry.get("model") not in MODULES:
        raise SpecificationError(f"manifest.toml, run {name}: size or model is missing or not known")
    model = entry["model"]
    readings = tuple(entry.get("readings", ()))
    settings = tuple(entry.get("set", ()))
    bounds = Bounds(
        processes=entry["processes"],
        sends=entry["sends"],
        sends_per_process=entry.get("sends_per_process"),
        dests=entry.get("dests", "multicast"),
        groups=tuple(frozenset(group) for group in entry.get("groups", ())),
        channel=entry.get("channel", "unordered"),
        self_addressed=entry.get("self", "forbidden"),
    )
    return ListedRun(
        name=name,
        size=entry["size"],
        model=model,
        readings=readings,
        settings=settings,
        bounds=bounds,
        properties=tuple(entry.get("properties", load_model(model).model.claims)),
        temporal=tuple(entry.get("temporal", ())),
        verdict=entry.get("verdict", "violated" if "violated" in entry else "holds"),
        violated=entry.get("violated"),
        length=entry.get("length"),
        states=entry.get("states"),
        transitions=entry.get("transitions"),
        depth=entry.get("depth"),
    )


def main() -> None:
    """Write the configurations that the manifest lists into the folder of the specifications."""
    folder = Path(str(resources.files("precede.tla")))
    (folder / "configurations").mkdir(exist_ok=True)
    for old in (*folder.glob("*.cfg"), *folder.glob("configurations/*.cfg")):
        old.unlink()
    for run in manifest():
        (folder / run.path).write_text(run.configuration, encoding="utf-8")


if __name__ == "__main__":
    main()
