"""Rows of integers on disk: what a search will read once more, in order, and what only a counterexample needs."""

from __future__ import annotations

import os
import tempfile
from typing import NamedTuple

import numpy as np

from ..errors import EnvironmentProblem
from .bundles import Array


class Part(NamedTuple):
    """Rows of one width: the number of the first, where they begin in the file, and the width."""

    first: int
    offset: int
    width: int


class RowFile:
    """A temporary file of int32 rows that grows at its end and goes with its owner. Later rows may be longer."""

    def __init__(self) -> None:
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the search
        except OSError as error:
            raise _no_room(error) from None
        self._parts: list[Part] = []
        self._bytes = 0
        self.size = 0

    def append(self, rows: Array) -> None:
        """Write rows of shape (count, width) behind the others. Raises EnvironmentProblem when the disk is full."""
        width = rows.shape[1]
        if not self._parts or self._parts[-1].width != width:
            self._parts.append(Part(self.size, self._bytes, width))
        if not len(rows):
            return
        try:
            self._file.write(rows.astype(np.int32, copy=False).tobytes())
            self._file.flush()
        except OSError as error:
            raise _no_room(error) from None
        self._bytes += 4 * rows.size
        self.size += len(rows)

    def read(self, begin: int, end: int, width: int) -> Array:
        """Rows begin to end, with zeros at their ends up to `width`."""
        rows = np.zeros((max(0, end - begin), width), np.int32)
        ends = [part.first for part in self._parts[1:]]
        for part, last in zip(self._parts, (*ends, self.size), strict=False):
            first, stop = max(begin, part.first), min(end, last)
            if first < stop:
                length, offset = 4 * part.width * (stop - first), part.offset + 4 * part.width * (first - part.first)
                found = np.frombuffer(os.pread(self._file.fileno(), length, offset), np.int32)
                rows[first - begin : stop - begin, : part.width] = found.reshape(-1, part.width)
        return rows


def _no_room(error: OSError) -> EnvironmentProblem:
    where = tempfile.gettempdir()
    return EnvironmentProblem(f"{where}: {error.strerror}; rows are kept there on disk (TMPDIR names another folder)")
