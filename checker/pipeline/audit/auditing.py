"""One execution audited: a pure function from its events to everything that is said of it, here or in a Spark
worker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from .describing import Describer
from .exporting import shiviz_log
from .judging import judge
from .pictures import pictures


class Wanted(NamedTuple):
    """What should be made of each execution: the names of the logs, diagrams at most, whether it is kept in --out, and
    whether the logs are so long that compiling the algorithms for their costs is worth while."""

    files: Sequence[str]
    diagrams: int
    kept: bool
    long: bool = False


def audit(name: str, table: pa.Table, wanted: Wanted) -> dict[str, Any]:
    """The row of PARTS for the EVENTS of one execution, in the order of their files and lines."""
    judged = judge(name, table)
    describer = Describer(judged, wanted.files)
    drawn = pictures(judged, describer.delays, wanted.diagrams) if wanted.diagrams else []
    return {
        "execution": name,
        "document": json.dumps(describer.document(wanted.long)),
        "problems": describer.problems(),
        "violations": describer.violations() if wanted.kept else [],
        "diagrams": [picture.svg for picture in drawn],
        "traces": [picture.trace for picture in drawn],
        "shiviz": shiviz_log(judged) if wanted.kept else None,
    }
