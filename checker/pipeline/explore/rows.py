"""Global states between Arrow batches and the rows of numbers that kernels read (`engine.moving`)."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Protocol

import numpy as np
import pyarrow as pa

from ...engine.bundles import Array, Locals, Packets, Pasts
from ...engine.compiled import kernel
from ...engine.enabling import System
from ...errors import EnvironmentProblem


class Objects(Protocol):
    """The local objects of a space, or those that a worker knows."""

    processes: int
    system: System
    pasts: Pasts
    locals: Locals
    packets: Packets


FOREIGN = "states that refer to nothing: this folder was changed or damaged; explore into a new one"


def lay_out(batch: pa.RecordBatch, known: Objects, width: int) -> Array:
    """The rows of a batch of states, each `width` long. Raises EnvironmentProblem for what no exploration wrote."""
    locals_, faults, packets = (batch.column(name) for name in ("locals", "faults", "packets"))
    n = known.processes
    lengths = np.diff(packets.offsets.to_numpy())
    numbers = locals_.flatten().to_numpy(zero_copy_only=False), packets.flatten().to_numpy(zero_copy_only=False)
    used = faults.to_numpy(zero_copy_only=False)
    if (
        batch.num_rows != 0
        and (np.any(np.diff(locals_.offsets.to_numpy()) != n) or lengths.max() > width - known.system.head)
    ) or not are_known(numbers[0].astype(np.int32), numbers[1].astype(np.int32), used.astype(np.int64), known):
        raise EnvironmentProblem(FOREIGN)
    rows = np.zeros((batch.num_rows, width), np.int32)
    fill(rows, numbers[0].astype(np.int32), used.astype(np.int32), numbers[1].astype(np.int32), lengths, n,
         known.system.head)  # fmt: skip
    return rows


def are_known(locals_: Array, packets: Array, faults: Array, known: Objects) -> bool:
    """Whether all numbers mean local states of the right processes, packets, and counts of faults."""
    sizes = int(known.locals.size[0]), int(known.packets.size[0])
    if len(locals_) and not (locals_.min() >= 0 and locals_.max() < sizes[0]):
        return False
    owners = known.pasts.owner[known.locals.past[locals_]].reshape(-1, known.processes)
    if len(packets) and not (packets.min() > 0 and packets.max() < sizes[1]):
        return False
    return bool((owners == np.arange(known.processes)).all() and (faults >= 0).all())


def take_apart(rows: Array, names: Array, known: Objects) -> pa.RecordBatch:
    """A batch of states out of rows and their names (k, 2)."""
    n, head = known.processes, known.system.head
    count = len(rows)
    transit = rows[:, head:]
    there = transit != 0
    offsets = np.zeros(count + 1, np.int32)
    np.cumsum(there.sum(axis=1), out=offsets[1:])
    lanes = names.view(np.int64)
    faults = rows[:, n].copy() if head > n else np.zeros(count, np.int32)
    arrays = [
        pa.array(lanes[:, 0].copy()),
        pa.array(lanes[:, 1].copy()),
        pa.ListArray.from_arrays(np.arange(0, n * count + 1, n, dtype=np.int32), rows[:, :n].reshape(-1)),
        pa.array(faults),
        pa.ListArray.from_arrays(offsets, transit[there]),
    ]
    return pa.RecordBatch.from_arrays(arrays, names=["high", "low", "locals", "faults", "packets"])


@kernel
def fill(rows, locals_, faults, packets, lengths, n, head):
    """Write states into rows of zeros."""
    begin = 0
    for index in range(len(rows)):
        for process in range(n):
            rows[index, process] = locals_[index * n + process]
        if head > n:
            rows[index, n] = faults[index]
        for item in range(lengths[index]):
            rows[index, head + item] = packets[begin + item]
        begin += lengths[index]
