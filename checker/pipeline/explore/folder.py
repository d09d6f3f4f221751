"""The folder of one exploration: what was asked, and its levels, each whole or not there.

exploration.json      the question: model, readings, bounds, properties; resuming needs the same one
levels/00007.json     written last: only with it is level 7 there
states/level=7/       and the other tables (`tables`), one Parquet folder a level
.writing/             what is not committed yet; removed when the folder is opened
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from ...errors import EnvironmentProblem, UsageError
from ...files import read_bytes, write_text
from ...formats_of_exploring import EXPLORATION, LEVEL
from .tables import TABLES

LARGEST = 16 * 2**20
"""Bytes of a JSON file of the folder that is read."""


@dataclass(frozen=True)
class LevelMark:
    """That level `level` is there. `transitions` led from the level before to it; `violations` were found there, bit ->
    (high, low, action): in the state of this name, by this action, -1 for in the state itself."""

    level: int
    states: int
    transitions: int
    violations: dict[int, tuple[int, int, int]]
    digest: str
    seconds: float


class Folder:
    """One such folder, opened for writing by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: IO[str] | None = None

    def open(self, question: dict[str, Any]) -> list[LevelMark]:
        """Begin, or go on with, the exploration that `question` describes; the levels that are there.

        Raises UsageError for a folder of another question or of something else, EnvironmentProblem where it cannot be
        written or another process writes it.
        """
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"--out {self.path}: not a folder")
        described = self.path / "exploration.json"
        if not described.exists():
            if self.path.exists() and any(p.name != ".lock" for p in self.path.iterdir()):
                raise UsageError(f"--out {self.path}: there are files there already; name a new folder")
            try:
                self.path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise EnvironmentProblem(f"--out {self.path}: cannot be written: {error.strerror}") from None
        self._take()
        if described.exists():
            self._compare(read_question(self.path), question)
        else:
            write_text(described, json.dumps(EXPLORATION.document(**question), indent=2) + "\n")
        marks = level_marks(self.path)
        self._tidy(len(marks))
        return marks

    def close(self) -> None:
        """Let others write."""
        shutil.rmtree(self.path / ".writing", ignore_errors=True)
        if self._lock is not None:
            self._lock.close()

    def _take(self) -> None:
        try:
            self._lock = (self.path / ".lock").open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EnvironmentProblem(f"--out {self.path}: another exploration is writing there") from None
        except OSError as error:
            raise EnvironmentProblem(f"--out {self.path}: cannot be written: {error.strerror}") from None

    def _compare(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        new = json.loads(json.dumps(EXPLORATION.document(**new)))
        for name, value in _leaves(new).items():
            before = _leaves(old).get(name)
            if before != value:
                raise UsageError(
                    f"--out {self.path}: this folder holds another exploration ({name} is {_short(before)} there, "
                    f"{_short(value)} here); name another folder"
                )

    def _tidy(self, levels: int) -> None:
        """Remove what belongs to no level that is there. The local tables of level k come with level k + 1."""
        shutil.rmtree(self.path / ".writing", ignore_errors=True)
        for name in TABLES:
            for part in (self.path / name).glob("level=*"):
                number = part.name.removeprefix("level=")
                kept = levels if name == "states" else levels - 1
                if not number.isdigit() or int(number) >= kept:
                    shutil.rmtree(part, ignore_errors=True)

    def writing(self, table: str) -> Path:
        """Where to write the next part of a table."""
        path = self.path / ".writing" / table
        shutil.rmtree(path, ignore_errors=True)
        path.parent.mkdir(exist_ok=True)
        return path

    def part(self, table: str, level: int) -> Path:
        """Where the part of a level is."""
        return self.path / table / f"level={level}"

    def commit(self, mark: LevelMark) -> None:
        """Put everything written in its place; with the mark, which comes last, the level is there."""
        for table in TABLES:
            written = self.path / ".writing" / table
            if written.exists():
                target = self.part(table, mark.level if table == "states" else mark.level - 1)
                shutil.rmtree(target, ignore_errors=True)
                target.parent.mkdir(exist_ok=True)
                os.replace(written, target)
        levels = self.path / "levels"
        levels.mkdir(exist_ok=True)
        values = asdict(mark) | {"violations": {str(bit): list(hit) for bit, hit in mark.violations.items()}}
        write_text(levels / f"{mark.level:05d}.json", json.dumps(LEVEL.document(**values)) + "\n")


def read_question(path: Path) -> dict[str, Any]:
    """What the exploration in a folder was asked. Raises EnvironmentProblem for a folder of something else."""
    question = _read(path / "exploration.json")
    if question.get("format") != EXPLORATION.name or question.get("version") != EXPLORATION.version:
        raise EnvironmentProblem(f"{path}: not a folder that `precede explore` of this version wrote")
    return question


def level_marks(path: Path) -> list[LevelMark]:
    """The levels that are there, from 0 on."""
    marks: list[LevelMark] = []
    while (file := path / "levels" / f"{len(marks):05d}.json").exists():
        values = _read(file)
        try:
            violations = {int(bit): (int(h), int(low), int(a)) for bit, (h, low, a) in values["violations"].items()}
            mark = LevelMark(
                int(values["level"]), int(values["states"]), int(values["transitions"]), violations,
                str(values["digest"]), float(values["seconds"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError):
            raise EnvironmentProblem(f"{file}: damaged; explore into a new folder") from None
        if mark.level != len(marks) or mark.states < 0 or not all(0 <= bit < 31 for bit in violations):
            raise EnvironmentProblem(f"{file}: damaged; explore into a new folder")
        marks.append(mark)
    return marks


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_bytes(path, "exploration", LARGEST))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise EnvironmentProblem(f"{path}: not a file that `precede explore` wrote")
    return value


def _leaves(value: dict[str, Any]) -> dict[str, Any]:
    """The fields of an object and of the objects in it, by dotted names."""
    found: dict[str, Any] = {}
    for name, part in value.items():
        if isinstance(part, dict):
            found |= {f"{name}.{inner}": leaf for inner, leaf in _leaves(part).items()}
        else:
            found[name] = part
    return found


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
