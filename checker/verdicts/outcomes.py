"""What a run of an engine says of what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .rows import Expected

if TYPE_CHECKING:
    from ..trace import Trace


@dataclass(frozen=True)
class Outcome:
    """The answer about one thing: holds, violated, incomplete or not applicable (an exploration); proved, refuted or
    open (Z3); same or differs (two algorithms); measured, with a figure.

    `steps` are those of the counterexample or of the difference; `shortest` says that a search in the order of lengths
    found it, so that no shorter one exists at the bound; `trace` takes that run again.
    """

    verdict: str
    steps: int | None = None
    figure: int | None = None
    explanation: str = ""
    shortest: bool = False
    trace: Callable[[], Trace] | None = None

    def meets(self, expected: Expected) -> bool:
        """Whether it is what is expected; a length that is not told is not compared."""
        if (self.verdict, self.figure) != (expected.verdict, expected.figure):
            return False
        return expected.steps is None or self.steps == expected.steps

    @property
    def text(self) -> str:
        """As an expectation is written."""
        return Expected(self.verdict, self.steps, self.figure).text


@dataclass(frozen=True)
class Ran:
    """One run of an engine: its answers by name, and what they are about.

    `bound` is None where they are about any number of processes; `stopped` says what ended it before it was complete.
    """

    engine: str
    outcomes: dict[str, Outcome]
    bound: str | None
    seconds: float
    assumptions: tuple[str, ...] = ()
    stopped: str | None = None
