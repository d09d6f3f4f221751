"""Figures that are made of several columns of a point's row (`tables.COLUMNS`)."""

from __future__ import annotations

from .statistics import Row

MILLISECONDS = 1000


def bytes_with_extras(row: Row) -> float:
    """Control bytes of all copies of a send, and of the extra messages for each send."""
    return float(row["bytes_per_send"] + row["signal_bytes_per_send"])


def milliseconds_lost(row: Row) -> float:
    """The mean time that a copy waits although nothing that had to precede it is outstanding."""
    return float(row["false_wait"]) * MILLISECONDS


def milliseconds_waited(row: Row) -> float:
    """The mean time that a copy waits."""
    return float(row["wait"]) * MILLISECONDS


def units_fraction(row: Row) -> float:
    """Units of a copy by n^2, which are RST's."""
    return float(row["units"]) / int(row["processes"]) ** 2


def bytes_fraction(row: Row) -> float:
    """Bytes of a copy by 4 n^2, which are RST's."""
    return float(row["bytes"]) / (4 * int(row["processes"]) ** 2)


def microseconds(row: Row) -> float:
    """CPU time of a delivery."""
    return float(row["kernel_seconds"]) / int(row["deliveries"]) * 1e6
