"""One progress line on a terminal; silence in pipes and files."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import dataclass
from types import TracebackType
from typing import TextIO

REFRESH_SECONDS = 0.1
CLEAR = "\r\x1b[K"
STARTING = "starting (the first run compiles for about half a minute)"


@dataclass(frozen=True)
class Progress:
    """What an exploration, ours or TLC's, has done so far.

    `frontier` counts states that wait for their expansion; `memory_bytes` is the resident size of the exploring
    process, 0 where the system does not tell.
    """

    states: int
    transitions: int
    frontier: int
    depth: int
    seconds: float
    memory_bytes: int


def progress_text(progress: Progress) -> str:
    """The one line: states, transitions, frontier, depth, rate, memory. Random walks count no states."""
    counted, unit = (progress.states, "") if progress.states else (progress.transitions, " transitions")
    rate = counted / progress.seconds if progress.seconds > 0 else 0
    return (
        f"{progress.states:,} states, {progress.transitions:,} transitions, frontier {progress.frontier:,}, "
        f"depth {progress.depth}, {rate:,.0f}{unit}/s, {size_text(progress.memory_bytes)}"
    )


def size_text(size: int) -> str:
    """A number of bytes for people, in binary units."""
    if size < 2**20:
        return f"{size / 2**10:.0f} KiB"
    return f"{size / 2**20:,.0f} MiB" if size < 2**30 else f"{size / 2**30:.2f} GiB"


class ProgressLine:
    """A context manager that shows its latest text on one line of a terminal, and wipes the line at the end."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._last = 0.0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown and self._last:
            self._stream.write(CLEAR)
            self._stream.flush()

    def __call__(self, progress: Progress) -> None:
        """Show the figures of an exploration."""
        self.text(progress_text(progress))

    def text(self, text: str) -> None:
        """Show any one-line text, at most ten times a second."""
        now = time.monotonic()
        if not self._shown or now - self._last < REFRESH_SECONDS:
            return
        self._last = now
        width = shutil.get_terminal_size().columns
        self._stream.write(CLEAR + text[: width - 1])
        self._stream.flush()
