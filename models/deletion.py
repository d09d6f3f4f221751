"""Deletions inside a loop over pairs of entries: marked and made at the end, or made at once.

RCV(4) of Kshemkalyani and Singhal and R5 of Jang et al. delete an entry because of another one. `pairs` holds
(entry to delete, entry because of which); an entry that is gone forms no further pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

Entry = TypeVar("Entry", bound=tuple[Any, ...])


def marked(pairs: Iterable[tuple[Entry, Entry]]) -> list[frozenset[Entry]]:
    """Mark, then delete: one result, everything that any pair deletes."""
    return [frozenset(victim for victim, _ in pairs)]


def in_place(pairs: Iterable[tuple[Entry, Entry]]) -> list[frozenset[Entry]]:
    """Delete at once: the sets of deleted entries that some order of the pairs leads to, sorted, each once."""
    pairs = list(pairs)
    results = set()
    seen = {frozenset[Entry]()}
    todo = list(seen)
    while todo:
        gone = todo.pop()
        larger = {gone | {victim} for victim, cause in pairs if victim not in gone and cause not in gone}
        if not larger:
            results.add(gone)
        todo.extend(larger - seen)
        seen |= larger
    return sorted(results, key=lambda gone: sorted(map(_sortable, gone)))


def _sortable(entry: Entry) -> list[Any]:
    return [sorted(part) if isinstance(part, frozenset) else part for part in entry]
