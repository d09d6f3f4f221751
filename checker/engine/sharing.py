"""Blocks of questions that two processes share without waiting for each other."""

from __future__ import annotations

import mmap


class Sharing:
    """Which blocks are taken: by one process from the first on, by the other from the last on down. Made before the
    second process is started.

    There is no lock. At the moment when both come to the same block, both may take it or neither: that has to be looked
    for afterwards.
    """

    def __init__(self) -> None:
        self._limits = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("q")

    def begin(self, blocks: int) -> None:
        """None of so many blocks is taken."""
        self._limits[0] = 0
        self._limits[1] = blocks

    def take_first(self, block: int) -> bool:
        """Take a block, after all before it; False when the other process has come to it."""
        self._limits[0] = block + 1
        return block < self._limits[1]

    def take_last(self, block: int) -> bool:
        """Take a block, after all behind it; False when the other process has come to it."""
        self._limits[1] = block
        return block >= self._limits[0]
