"""When a search must stop: limits, an interrupt from the terminal, memory."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

from ..progress import Progress
from .memory import current_memory


@dataclass(frozen=True)
class Limits:
    """Limits of one search; None means none. `memory_bytes` is the resident size of the whole process."""

    states: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None


GRACE = 2.0
"""Seconds after the time limit until a call of the model that does not come back is broken off."""


_instead: list[str] = []
"""What runs instead of a call of the model, if anything does."""


@contextmanager
def no_call(what: str) -> Iterator[None]:
    """While `what` is done, which is no call of the model, the time limit does not break it off."""
    _instead.append(what)
    try:
        yield
    finally:
        _instead.pop()


class BrokenOff(BaseException):
    """Raised in the middle of a call that goes on after the time limit, or of anything after a second Ctrl-C."""

    def __init__(self) -> None:
        super().__init__(f"{_instead[-1] if _instead else 'the last call of the model'} was broken off")


class Watch:
    """Decides when a search stops, and remembers why.

    As a context it turns the first Ctrl-C (or a request to terminate) into an orderly stop. A second one, or a call of
    the model that goes on after the time limit, raises BrokenOff.
    """

    def __init__(self, limits: Limits, on_progress: Callable[[Progress], None] | None) -> None:
        self.limits = limits
        self.on_progress = on_progress
        self.started = time.monotonic()
        self.reason: str | None = None
        self.finished = False
        self._old_handlers: dict[int, Any] = {}

    def __enter__(self) -> Watch:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._old_handlers[number] = signal.signal(number, self._interrupt)
            if self.limits.seconds is not None:
                self._old_handlers[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._break_off)
                signal.setitimer(signal.ITIMER_REAL, self.limits.seconds + GRACE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if signal.SIGALRM in self._old_handlers:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._old_handlers.items():
            signal.signal(number, handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.reason is not None:
            raise BrokenOff
        self.reason = "interrupted"
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\nstopping after the call that is running; Ctrl-C again breaks it off\n")

    def _break_off(self, number: int, frame: FrameType | None) -> None:
        if self.finished:
            return
        self.interrupted()
        if not _instead:
            raise BrokenOff
        signal.setitimer(signal.ITIMER_REAL, GRACE)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def interrupted(self) -> bool:
        """Whether an interrupt or the time limit asks to stop; cheap enough to ask at every call of the model."""
        if self.reason is None and self.limits.seconds is not None and self.seconds > self.limits.seconds:
            self.reason = f"the time limit of {self.limits.seconds:g} s was reached"
        return self.reason is not None

    def must_stop(self, states: int, transitions: int, frontier: int, depth: int) -> bool:
        """Report progress, then whether any limit asks to stop."""
        if self.on_progress is not None:
            self.on_progress(Progress(states, transitions, frontier, depth, self.seconds, current_memory()))
        if self.interrupted():
            return True
        if self.limits.states is not None and states >= self.limits.states:
            self.reason = f"the limit of {counted(self.limits.states, 'state')} was reached"
        elif self.limits.memory_bytes is not None and current_memory() > self.limits.memory_bytes:
            self.reason = f"the memory limit of {self.limits.memory_bytes:,} bytes was reached"
        return self.reason is not None


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 state, 5,000 states."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
