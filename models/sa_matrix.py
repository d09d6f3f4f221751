"""The constraint matrices of Sanchez and Alvarez: "b must have delivered the first M[a][b] messages of a"."""

from __future__ import annotations

from collections.abc import Iterable

Vector = tuple[int, ...]
"""V[a-1]: a count of messages of a."""
Matrix = tuple[Vector, ...]
"""M[a-1][b-1]: a count of messages from a to b."""


def nonzero(counts: Iterable[int]) -> int:
    """How many of the counts are not zero."""
    return sum(map(bool, counts))


def entries(M: Matrix) -> int:
    """The non-zero entries of M."""
    return sum(map(nonzero, M))


def column(M: Matrix, j: int) -> Vector:
    """M[*][j]."""
    return tuple(row[j - 1] for row in M)


def with_column(M: Matrix, j: int, counts: Vector) -> Matrix:
    """M with `counts` as M[*][j]."""
    return tuple((*row[: j - 1], x, *row[j:]) for row, x in zip(M, counts, strict=True))


def without_column(M: Matrix, j: int) -> Matrix:
    """M with zeros in column j."""
    return with_column(M, j, (0,) * len(M))


def reset(M: Matrix, i: int, j: int) -> Matrix:
    """M with zeros in column j, M[i][j] excepted."""
    return with_column(M, j, tuple(x if a == i else 0 for a, x in enumerate(column(M, j), 1)))


def counted(counts: Vector, i: int) -> Vector:
    """`counts` with one message more of i."""
    return (*counts[: i - 1], counts[i - 1] + 1, *counts[i:])


def satisfied(constraints: Vector, DELIV: Vector) -> bool:
    """Whether a process that has delivered DELIV has delivered what its column `constraints` says."""
    return all(x <= delivered for x, delivered in zip(constraints, DELIV, strict=True))
