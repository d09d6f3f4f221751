"""Vectors and matrices of Gambhire-Kshemkalyani: a cell is a count of messages or a set of their numbers (GK-2).

Sets are counts without loss: the sum and the maximum of two are their union, and <= and - are those of sets.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

Vector = tuple[int, ...]
"""Numbers of events, or of deliveries, by process."""
Cell = int | frozenset[int]
Cells = tuple[Cell, ...]
Matrix = tuple[Cells, ...]
"""[k-1][l-1]: the messages from k to l."""


def ticked(vector: Vector, i: int) -> Vector:
    """`vector` with one event more of i."""
    return (*vector[: i - 1], vector[i - 1] + 1, *vector[i:])


def latest(vector: Vector, carried: Vector) -> Vector:
    """The componentwise maximum; `vector` where none is carried."""
    return tuple(map(max, vector, carried)) if carried else vector


def zeros(n: int, zero: Cell) -> Matrix:
    """The n x n matrix without messages."""
    return ((zero,) * n,) * n


def added(left: Matrix, right: Matrix) -> Matrix:
    """The sum."""
    return cellwise(plus, left, right)


def maximum(left: Matrix, right: Matrix) -> Matrix:
    """The componentwise maximum."""
    return cellwise(larger, left, right)


def less(left: Matrix, right: Matrix) -> Matrix:
    """The difference."""
    return cellwise(minus, left, right)


def with_copies(matrix: Matrix, i: int, dests: Set[int], one: Cell) -> Matrix:
    """`matrix` with the message `one` of i to each of `dests` more."""
    row = tuple(plus(cell, one) if d in dests else cell for d, cell in enumerate(matrix[i - 1], 1))
    return (*matrix[: i - 1], row, *matrix[i:])


def cellwise(function: Callable[[Any, Any], Cell], left: Matrix, right: Matrix) -> Matrix:
    """`function` of the two cells at every place."""
    return tuple(tuple(map(function, a, b)) for a, b in zip(left, right, strict=True))


def plus(left: Any, right: Any) -> Cell:
    """The sum of two counts; the union of two sets."""
    total: Cell = left + right if isinstance(left, int) else left | right
    return total


def larger(left: Any, right: Any) -> Cell:
    """The larger count; the union of two sets."""
    largest: Cell = max(left, right) if isinstance(left, int) else left | right
    return largest


def minus(left: Any, right: Any) -> Cell:
    """The difference of two counts or two sets."""
    rest: Cell = left - right
    return rest


def size(cell: Cell) -> int:
    """The number of messages."""
    return cell if isinstance(cell, int) else len(cell)
