"""Sanchez and Alvarez: encodings of the matrix (SA-19), and what the merge brings back (SA-10)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from claimed import claims_in, false_claims, judged
from naive import Found
from naively import explored
from precede.checker.claims import sa_sizes
from precede.checker.claims.registry import holds
from precede.checker.claims.sa_sizes import bitmap, grouped, triples
from precede.models import Message, Packet
from precede.models.sa import SA
from precede.models.sa_matrix import Matrix

SIZES = claims_in(sa_sizes)


@cache
def found(model: SA, **bounds: Any) -> Found:
    return explored(model, **({"processes": 3, "sends": 3} | bounds))


@pytest.mark.parametrize("K", [0, 2])
def test_all_encodings_are_linear_at_three_processes(K: int) -> None:
    results = judged(SA(K=K), found(SA(K=K)), *SIZES)
    assert {id for id, result in results.items() if result.false_after is not None} == set()
    assert all(result.asked > 200 for result in results.values())


ONE_EACH: Matrix = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
ROW: Matrix = ((0, 1, 1, 1), (0, 0, 0, 0), (2, 1, 0, 2), (0, 0, 0, 0))


@pytest.mark.parametrize(("M", "sizes"), [(ONE_EACH, (24, 24, 14)), (ROW, (48, 28, 26)), (((0,) * 3,) * 3, (0, 0, 2))])
def test_encodings_by_hand(M: Matrix, sizes: tuple[int, int, int]) -> None:
    """ROW: 2 + 4 + 3 * 2 bytes for the first row, 2 + 4 + 2 * 2 and one exception of 6 for the third."""
    assert (triples(M), grouped(M), bitmap(M)) == sizes


@pytest.mark.parametrize(("n", "linear"), [(32, True), (33, False), (40, False)])
def test_a_bitmap_is_not_linear(n: int, linear: bool) -> None:
    """K = n + 1 entries: n^2 / 8 + 4 (n + 1) bytes are more than 8 (n + 1) from some n on."""
    M = tuple(tuple(int(abs(a - b) == 1 and a > b) for b in range(n)) for a in range(n))
    full = ((0, *(1,) * 2, *(0,) * (n - 3)), *M[1:])
    packet = Packet(1, 2, Message(1, 1, frozenset({2})), full)
    assert holds("C-SA-19-bitmap", model=SA(), packet=packet) is linear
    assert holds("C-SA-19-triples", model=SA(), packet=packet)
    assert holds("C-SA-19-grouped", model=SA(), packet=packet)


def test_more_entries_than_K() -> None:
    packet = Packet(1, 2, Message(1, 1, frozenset({2})), ONE_EACH)
    assert {id for id in SIZES[:3] if not holds(id, model=SA(K=1), packet=packet)} == set(SIZES[:3])


@pytest.mark.parametrize(("n", "smaller"), [(5, True), (6, False)])
def test_one_entry_in_a_bitmap(n: int, smaller: bool) -> None:
    """4 bytes and a bit for each of 25 or 36 cells, against 8."""
    M = ((0, 1, *(0,) * (n - 2)), *((0,) * n,) * (n - 1))
    packet = Packet(1, 3, Message(1, 2, frozenset({3})), M)
    assert holds("C-SA-19-bitmap-least", packet=packet) is smaller
    assert holds("C-SA-19-grouped-least", packet=packet)


def test_the_merge_brings_back_what_a_send_has_zeroed() -> None:
    """SA-10, 3 multicasts without extra messages: the constraint returns with a copy that was sent before."""
    assert false_claims(SA(K=9), found(SA(K=9)), "C-SA-back") == {"C-SA-back": 5}
