"""TLC as a child process: started, listened to, and ended with us."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ..progress import Progress
from .output import TlcOutput

OnProgress = Callable[[Progress], None]
TICK_SECONDS = 0.1


@dataclass(frozen=True)
class End:
    """How Java ended: its exit code (negative: the signal that killed it) and what it wrote on standard error."""

    code: int
    error_text: str


class Child:
    """Java running TLC: `run` listens to it until it ends, a time limit is reached, or the user interrupts.

    Afterwards: `output` is what it said, `end` how it ended, `stopped` why we ended it (None: we did not), `seconds`
    the wall-clock time from start to exit.
    """

    def __init__(self, time_limit: float | None, on_progress: OnProgress | None) -> None:
        self.output = TlcOutput()
        self.end = End(0, "")
        self.stopped: str | None = None
        self.seconds = 0.0
        self.time_limit = time_limit
        self.on_progress = on_progress
        self.started = time.monotonic()

    def run(self, command: list[str], folder: Path) -> None:
        """Run `command` in `folder`, where its standard error is kept."""
        with _terminated_like_interrupted(), (folder / "stderr.txt").open("w+", errors="replace") as errors:
            code = self._listen(command, folder, errors.fileno())
            errors.seek(0)
            self.end = End(code, errors.read())
        self.seconds = time.monotonic() - self.started

    @property
    def finished(self) -> bool:
        """Whether TLC said all it has to say: the whole bound explored or all random walks taken, or a violation with
        its states."""
        output = self.output
        if self.stopped or output.unreadable or not (output.ended if output.simulates else output.totals):
            return False
        if output.kind is not None:
            return bool(output.trace)
        return output.finished or (output.simulates and self.end.code == 0 and not output.errors)

    def _listen(self, command: list[str], folder: Path, errors: int) -> int:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            encoding="utf-8", errors="replace", start_new_session=True,
        )  # fmt: skip
        reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        try:
            reader.start()
            while reader.is_alive() and not self.stopped:
                reader.join(TICK_SECONDS)
                self._report(process.pid)
                if self.time_limit is not None and time.monotonic() - self.started > self.time_limit:
                    self.stopped = f"the time limit of {self.time_limit:g} s was reached"
            if not self.stopped:
                process.wait()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        finally:
            _kill(process)
            reader.join()
            assert process.stdout is not None
            process.stdout.close()
        return process.returncode

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.output.feed(line)

    def _report(self, pid: int) -> None:
        """TLC tells its figures once a minute; the time and the memory go on between."""
        output = self.output
        if self.on_progress is not None:
            self.on_progress(Progress(
                states=output.distinct or 0,
                transitions=max(0, (output.generated or 0) - 1),
                frontier=output.queue or 0,
                depth=max(0, (output.depth or 0) - 1),
                seconds=time.monotonic() - self.started,
                memory_bytes=_memory_of(pid),
            ))  # fmt: skip


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """A request to terminate ends the run as Ctrl-C does, so that Java does not outlive us."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _kill(process: subprocess.Popen[str]) -> None:
    """End Java, and the script that started it where `java` is one."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _memory_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
