"""Deleting in place leads to exactly what some order of the pairs leads to."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from precede.models.deletion import in_place, marked

Pair = tuple[tuple[int], tuple[int]]


def in_order(pairs: tuple[Pair, ...]) -> frozenset[tuple[int]]:
    gone: set[tuple[int]] = set()
    for victim, cause in pairs:
        if victim not in gone and cause not in gone:
            gone.add(victim)
    return frozenset(gone)


entry = st.tuples(st.integers(1, 5))


@given(st.lists(st.tuples(entry, entry), max_size=6))
def test_in_place_equals_the_permutations(pairs: list[Pair]) -> None:
    found = in_place(pairs)
    assert len(found) == len(set(found))
    assert set(found) == {in_order(order) for order in permutations(pairs)}


def test_marked_deletes_a_cause_and_what_it_deletes() -> None:
    assert marked([((1,), (2,)), ((2,), (3,))]) == [{(1,), (2,)}]
    assert in_place([((1,), (2,)), ((2,), (3,))]) == [{(1,), (2,)}, {(2,)}]
