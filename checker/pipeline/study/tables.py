"""The Parquet tables of the studies, column by column, and the files that hold them.

`DIR/points/*.parquet` is one table, RESULTS, with one row in each file: a point that is finished.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import EnvironmentProblem

COLUMNS: dict[str, tuple[pa.DataType, str]] = {
    "key": (pa.string(), "identifies the point; the name of its file"),
    "study": (pa.string(), "jang, prs, sa, gk or ks"),
    "group": (pa.string(), "the part of the study: base, or what is varied"),
    "algorithm": (pa.string(), "the model that is simulated"),
    "processes": (pa.int32(), "n"),
    "load": (pa.string(), "unicast, multicast or broadcast"),
    "seed": (pa.int64(), "of the workload"),
    "warmup": (pa.int64(), "copies that each process receives before it is measured"),
    "measured": (pa.int64(), "copies that each process receives while it is measured"),
    "interval": (pa.float64(), "mean time between two sends of a process, in seconds"),
    "interval_shape": (pa.string(), "its distribution"),
    "delay": (pa.float64(), "mean delay of a packet, in seconds"),
    "delay_shape": (pa.string(), "its distribution"),
    "destinations": (pa.string(), "how many destinations a multicast has: uniform (1..n-1), half, binomial, with-none"),
    "channel": (pa.string(), "unordered or fifo"),
    "dependence": (
        pa.float64(),
        "share of sends that depend on the latest event of their process; null: no such order",
    ),
    "truth": (pa.string(), "the order against which waits are judged false: none, causal or semantic"),
    "thresholds": (pa.list_(pa.int64()), "of SA, K of all processes or of each"),
    "readings": (pa.list_(pa.string()), "readings of the model that are not its default"),
    "copies": (pa.int64(), "copies measured"),
    "sends": (pa.int64(), "sends in the time in which every process is measured"),
    "deliveries": (pa.int64(), "copies delivered in the whole run"),
    "copies_per_send": (pa.float64(), "mean number of destinations of those sends"),
    "units": (pa.float64(), "mean control information of a copy in the unit of its paper (Jang: dependents)"),
    "units_most": (pa.int64(), "the largest"),
    "bytes": (pa.float64(), "mean control information of a copy in bytes (byte model of Jang et al., core)"),
    "bytes_most": (pa.int64(), "the largest"),
    "bytes_per_send": (pa.float64(), "mean of the sums over the copies of a send, in bytes"),
    "filled": (pa.float64(), "KS, Jang: mean number of entries of a copy that are not empty"),
    "ids": (pa.float64(), "KS, Jang: mean number of destinations in the entries of a copy"),
    "constraints": (pa.float64(), "Jang: mean number of pairs in DC of a copy"),
    "senders": (pa.float64(), "KS, Jang: mean number of senders with an entry on a copy"),
    "buffered": (pa.float64(), "share of copies that had to wait"),
    "wait": (pa.float64(), "mean wait of a copy, in seconds, over all copies"),
    "wait_most": (pa.float64(), "the longest"),
    "falsely_buffered": (pa.float64(), "share of copies that waited when nothing that had to precede was outstanding"),
    "false_wait": (pa.float64(), "mean time of that in seconds, over all copies"),
    "signals_per_send": (pa.float64(), "SA: extra messages for each send"),
    "signal_units_per_send": (pa.float64(), "SA: entries that they carry for each send"),
    "signal_bytes_per_send": (pa.float64(), "SA: bytes that they carry for each send"),
    "kernel_seconds": (pa.float64(), "CPU time of the simulation"),
    "drawing_seconds": (pa.float64(), "CPU time of drawing the workload"),
}

RESULTS = pa.schema([pa.field(name, kind, metadata={"comment": text}) for name, (kind, text) in COLUMNS.items()])

TIMES = ("kernel_seconds", "drawing_seconds")
"""The columns that are not the same in every run of a point."""


def folder(out: Path) -> Path:
    """Where the finished points of a study are."""
    return out / "points"


def write_point(out: Path, row: dict[str, Any]) -> None:
    """Keep a finished point: its file is whole, or not there. Raises EnvironmentProblem."""
    table = pa.Table.from_pylist([row], schema=RESULTS)
    target = folder(out) / f"{row['key']}.parquet"
    try:
        handle, name = tempfile.mkstemp(dir=folder(out), prefix=".")
        os.close(handle)
        try:
            pq.write_table(table, name)
            os.chmod(name, 0o644)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise EnvironmentProblem(f"{target}: cannot be written: {error.strerror}") from None


def finished(out: Path) -> set[str]:
    """The keys of the points that are there."""
    return {path.stem for path in folder(out).glob("[!.]*.parquet")}


def read_points(out: Path, keys: Iterable[str]) -> list[dict[str, Any]]:
    """The rows of those points that are there. Raises EnvironmentProblem for a file that is no such table."""
    rows = []
    for key in keys:
        path = folder(out) / f"{key}.parquet"
        if path.exists():
            rows.append(_row(path, key))
    return rows


def _row(path: Path, key: str) -> dict[str, Any]:
    try:
        table = pq.read_table(path, schema=RESULTS)
        rows: list[dict[str, Any]] = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise EnvironmentProblem(f"{path}: not a finished point of a study: {str(error).splitlines()[0]}") from None
    if len(rows) != 1 or rows[0]["key"] != key:
        raise EnvironmentProblem(f"{path}: not the finished point that its name says")
    return rows[0]
