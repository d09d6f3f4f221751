"""What engines need besides a question: how to tell of progress, and what they keep from one run to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..progress import Progress, progress_text
from .outcomes import Ran

INTERRUPTED = "interrupted"
"""How what stopped a run begins where it was Ctrl-C."""

SEEDS = 3
"""Seeds of Z3 that must agree, as in `precede prove`."""


@dataclass
class Tools:
    """Shared by all runs of one session. `on_text` is told what is being done, in one line; in `kept` an engine keeps
    what its next run can use."""

    on_text: Callable[[str], None] = lambda text: None
    seeds: int = SEEDS
    doing: str = ""
    kept: dict[str, Any] = field(default_factory=dict)

    def show(self, progress: Progress) -> None:
        """Tell of an exploration."""
        self.text(progress_text(progress))

    def text(self, text: str) -> None:
        """Tell of anything else."""
        self.on_text(f"{self.doing}: {text}")


class Task(Protocol):
    """A run that can be shared: tasks of the same `key` are one run, which is asked for all their names."""

    @property
    def key(self) -> object:
        """What tells it from other runs."""

    @property
    def bound(self) -> str | None:
        """The runs that its answers are about; None for any number of processes and messages."""

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Carry it out."""
