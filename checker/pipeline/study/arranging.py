"""Orders, ranks and sets of the copies of a workload, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def in_order(channel: Ints, arrived: Floats, kind: str) -> Floats:
    """When the copies arrive; on fifo channels none before an earlier one of its channel."""
    if kind == "unordered":
        return arrived
    order = np.argsort(channel, kind="stable")
    starts = np.flatnonzero(np.diff(channel[order], prepend=-1))
    result = np.empty_like(arrived)
    for begin, end in zip(starts, [*starts[1:], len(order)], strict=True):
        members = order[begin:end]
        result[members] = np.maximum.accumulate(arrived[members])
    return result


def ranks(dest: Ints, arrived: Floats, n: int) -> Ints:
    """Of each copy, how many arrive before it at its destination."""
    order = np.argsort(arrived, kind="stable")
    return places(dest[order], n)[np.argsort(order, kind="stable")]


def grouped(kind: Ints) -> Ints:
    """The places of all members of group 0 in their order, then those of group 1, ..."""
    return np.argsort(kind.astype(np.int16), kind="stable")  # which is done by radix, in linear time


def places(kind: Ints, n: int) -> Ints:
    """Of each member its place, from 0, among those of its group."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(kind, minlength=n))])
    order = grouped(kind)
    place = np.empty(len(kind), dtype=np.int64)
    place[order] = np.arange(len(kind)) - starts[kind[order]]
    return place


def masks(chosen: NDArray[Any], n: int) -> NDArray[np.uint64]:
    """The destinations of each message as bits."""
    words = (n + 63) // 64
    if chosen.ndim == 1:
        mask = np.zeros((len(chosen), words), np.uint64)
        mask[np.arange(len(chosen)), chosen >> 6] = np.uint64(1) << (chosen & 63).astype(np.uint64)
        return mask
    padded = np.zeros((len(chosen), words * 64), dtype=np.bool_)
    padded[:, :n] = chosen
    return np.ascontiguousarray(np.packbits(padded, axis=1, bitorder="little")).view("<u8").astype(np.uint64)


def events(sent: Floats, arrived: Floats) -> Ints:
    """Sends and arrivals in order of time; at one time sends go first, then as they are numbered."""
    time = np.concatenate([sent, arrived])
    what = np.concatenate([np.arange(len(sent)), ~np.arange(len(arrived))])
    return what[np.argsort(time, kind="stable")].astype(np.int64)
