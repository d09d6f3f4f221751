"""One progress line on a terminal; silence in pipes and files."""

from __future__ import annotations

import os
import shutil
import sys
import time
from types import TracebackType
from typing import Protocol, TextIO

REFRESH_SECONDS = 0.1
CLEAR = "\r\x1b[K"


class Progress(Protocol):
    """What an exploration tells about itself while it runs."""

    @property
    def states(self) -> int:
        """Distinct global states found so far."""

    @property
    def transitions(self) -> int:
        """Steps between them so far."""

    @property
    def frontier(self) -> int:
        """States whose successors are not known yet."""

    @property
    def depth(self) -> int:
        """Steps from the initial state to the current level."""

    @property
    def seconds(self) -> float:
        """Time since the start."""

    @property
    def memory_bytes(self) -> int:
        """Memory of the process now."""


def progress_text(progress: Progress) -> str:
    """The one line: states, transitions, frontier, depth, states per second, memory."""
    rate = progress.states / progress.seconds if progress.seconds > 0 else 0
    return (
        f"{progress.states:,} states  {progress.transitions:,} transitions  {progress.frontier:,} on the frontier  "
        f"depth {progress.depth}  {rate:,.0f} states/s  {size_text(progress.memory_bytes)}  {progress.seconds:.0f} s"
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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
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
