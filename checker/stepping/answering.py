"""What is said to a request of the page: a run, or a run as a file."""

from __future__ import annotations

from typing import Any

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import UsageError
from ..page import document_of, page
from ..scenario import Scenario
from ..seeking.scripting import scenario_of
from ..trace.file import as_text
from .following import LONGEST, Followed, follow

MAIN = "stepping.js"


class Stepping:
    """One model under its bounds. It remembers nothing: every request brings its whole path."""

    def __init__(self, calls: ModelCalls, bounds: Bounds, scenario: Scenario | None = None) -> None:
        """`scenario`, if given, is what the runs follow."""
        self.calls = calls
        self.bounds = bounds
        self.scenario = scenario

    def page(self) -> str:
        """The page, with the initial state."""
        return page([self.state([])], f"step: {self.calls.loaded.name}", MAIN, "'self'")

    def state(self, path: list[int]) -> dict[str, Any]:
        """The run of a path, with what is enabled in each of its states."""
        followed = self._follow(path)
        own = None if self.calls.loaded.built_in else self.calls.loaded.name
        return {
            "path": path,
            "choices": followed.choices,
            "run": document_of(followed.trace, f"{self.calls.loaded.name}, by hand", own, ahead=0),
        }

    def trace(self, path: list[int]) -> str:
        """The run as the text of a trace file."""
        return as_text(self._follow(path).trace)

    def scenario_text(self, path: list[int]) -> str:
        """The run as a scripted scenario. Raises ConfigurationError where it cannot be one."""
        return scenario_of(self._follow(path).trace)

    def _follow(self, path: list[int]) -> Followed:
        return follow(self.calls, self.bounds, self.scenario, path)


def path_of(found: object) -> list[int]:
    """The path that a request brings. Raises UsageError for anything else."""
    path = found.get("path") if isinstance(found, dict) else None
    if not isinstance(path, list) or len(path) > LONGEST or not all(type(place) is int for place in path):
        raise UsageError(f"a request brings a path: a list of at most {LONGEST} whole numbers")
    return path
