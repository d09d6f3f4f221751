"""The folder of a study: what was asked for, so that it can be resumed, judged and drawn again."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ...errors import EnvironmentProblem, UsageError
from ...files import read_bytes, write_text
from ...formats_of_study import STUDY
from .points import Point
from .statistics import Rows
from .studies import Settings
from .tables import read_points

NAME = "study.json"
LARGEST = 1 << 20


def open_study(out: Path, settings: Settings) -> list[Point]:
    """Note the settings in `out`, and return the points. A folder that holds a study is taken up again if it is the
    same one, with as many seeds or more.
    """
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out {out}: not a folder")
    if (out / NAME).exists():
        before = load_settings(out)
        if (before.study, before.scale) != (settings.study, settings.scale) or before.seeds > settings.seeds:
            raise UsageError(
                f"--out {out} holds study {before.study}, scale {before.scale:g}, {before.seeds} seeds; it can only be "
                "resumed as that, or with more seeds"
            )
    elif out.exists() and any(out.iterdir()):
        raise UsageError(f"--out {out}: not empty, and not a study")
    points = settings.points()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"{out}: cannot be written: {error.strerror}") from None
    write_text(out / NAME, json.dumps(_document(settings, len(points)), indent=2) + "\n")
    return points


def _document(settings: Settings, points: int) -> dict[str, Any]:
    return STUDY.document(
        tool=f"precede {version('precede')}",
        study=settings.study,
        scale=settings.scale,
        seeds=settings.seeds,
        points=points,
    )


def load_settings(out: Path) -> Settings:
    """The settings of the study in `out`. Raises EnvironmentProblem where there is none."""
    data = read_bytes(out / NAME, "study", LARGEST)
    try:
        found = json.loads(data)
        if (found["format"], found["version"]) != (STUDY.name, STUDY.version):
            raise ValueError("another format or version")
        return Settings(str(found["study"]), float(found["scale"]), int(found["seeds"]))
    except (ValueError, KeyError, TypeError, RecursionError, UsageError) as error:
        raise EnvironmentProblem(f"{out / NAME}: not the settings of a study: {error}") from None


def load_rows(out: Path) -> tuple[Settings, Rows, int]:
    """The settings, the rows of the points that are finished, and how many are not."""
    settings = load_settings(out)
    points = settings.points()
    rows = read_points(out, [point.key for point in points])
    return settings, Rows(rows), len(points) - len(rows)
