"""What surveys of a level have found, put together; and the states of a level as they are on disk."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...engine.bundles import Array
from ...errors import EnvironmentProblem
from .folder import Folder
from .tables import schema_of
from .worker import BIT, JOINT, OTHERS, PAIR, REACHED_LOCAL, REACHED_PACKET, SENDS


def read_states(folder: Folder, number: int) -> list[pa.RecordBatch]:
    """The states of a level. Raises EnvironmentProblem for what no exploration wrote."""
    path = folder.part("states", number)
    try:
        batches: list[pa.RecordBatch] = pq.read_table(path, schema=schema_of("states"), partitioning=None).to_batches()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise EnvironmentProblem(f"{path}: {str(error).splitlines()[0]}") from None
    return batches


def of_kind(findings: pa.Table, kind: int) -> dict[str, Array]:
    """The columns of the rows of one kind."""
    chosen = findings.filter(pa.compute.equal(findings.column("kind"), kind))
    return {name: chosen.column(name).to_numpy() for name in ("first", "second", "third")}


def asked_in(findings: pa.Table, processes: int) -> dict[str, Array]:
    """What is missing and what was reached, each once and in ascending order."""
    pairs = of_kind(findings, PAIR)
    joints = findings.filter(pa.compute.equal(findings.column("kind"), JOINT)).column("more").combine_chunks()

    def distinct(kind: int) -> Array:
        return np.unique(of_kind(findings, kind)["first"]).astype(np.int32)

    return {
        "pairs": np.unique(np.stack([pairs["first"], pairs["second"]], axis=1), axis=0).astype(np.int32),
        "locals": distinct(SENDS),
        "others": distinct(OTHERS),
        "joints": np.unique(joints.flatten().to_numpy().reshape(-1, processes), axis=0).astype(np.int32),
        "local": distinct(REACHED_LOCAL),
        "packet": distinct(REACHED_PACKET),
    }


def violations_in(findings: pa.Table) -> dict[int, tuple[int, int, int]]:
    """Per bit the violation in the state with the smallest name."""
    found: dict[int, tuple[int, int, int]] = {}
    for kind in sorted(set(findings.column("kind").to_pylist())):
        if kind >= BIT:
            rows = of_kind(findings, kind)
            lanes = (rows[name].astype(np.int64).view(np.uint64) for name in ("first", "second"))
            order = np.lexsort((rows["third"], *reversed(list(lanes))))
            found[kind - BIT] = tuple(int(rows[name][order[0]]) for name in ("first", "second", "third"))  # type: ignore[assignment]
    return found
