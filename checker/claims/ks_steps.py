"""Lemmas of Kshemkalyani and Singhal between the numbered steps of SND and RCV (KS-21b), and of O_M in RCV (KS-21c).

The steps are those of the model with its readings; KS-16b, which has several outcomes, is looked at in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from precede.checker.history import MessageId, Past
from precede.models import Message, Packet
from precede.models.deletion import in_place, marked

from .ks_sets import known_before, repeated, ts
from .registry import claim

Log = dict[MessageId, frozenset[int]]


class Received(NamedTuple):
    """LOG and O_M where RCV has come to."""

    LOG: Log
    O_M: Log


def logs(model: Any, before: Any, event: Any) -> Iterator[list[Log]]:
    """LOG before the event and after each numbered step that changes it: SND(3), SND(4), SND(5), RCV(4), RCV(5)."""
    LOG: Log = dict(before.LOG)
    if isinstance(event, Message):
        struck = {st: D - event.dests for st, D in LOG.items()}
        added = {**struck, event[:2]: event.dests}
        yield [LOG, struck, added, model.purged(added)]
    elif isinstance(event, Packet):
        for _, merged in after_RCV4(model, before, event):
            yield [LOG, merged.LOG, model.purged(merged.LOG)]


def after_RCV3(before: Any, packet: Packet) -> Log:
    """O_M after RCV(3)."""
    k, tk, Dests = packet.message
    return {mt: D - {before.j} for mt, D in {**dict(packet.control), (k, tk): Dests}.items()}


def after_RCV4(model: Any, before: Any, packet: Packet) -> Iterator[tuple[Received, Received]]:
    """LOG and O_M after loop 1 of RCV(4), and after loop 2."""
    LOG, O_M = dict(before.LOG), after_RCV3(before, packet)
    delete = marked if model.deletion == "a" else in_place
    for deleted in delete(model.redundant(LOG, O_M)):
        one = Received(*({st: D for st, D in entries.items() if st not in deleted} for entries in (LOG, O_M)))
        rest = {mt: D for mt, D in one.O_M.items() if mt not in one.LOG}
        merged = replace(model, null_entries="c").merged(before.j, LOG, O_M, deleted)
        yield one, Received(merged, rest)


def has_newest_empty(entries: Log) -> bool:
    """Whether only the newest entry of a sender is empty (Lemma 7)."""
    newest = ts(entries.items())
    return all(D or t == newest[s] for (s, t), D in entries.items())


def sets_of_O_M(model: Any, before: Any, event: Any) -> Iterator[tuple[Log, Log]]:
    """O_M after RCV(3), and what is left of it after RCV(4)."""
    if isinstance(event, Packet):
        for _, merged in after_RCV4(model, before, event):
            yield after_RCV3(before, event), merged.O_M


@claim("C-KS-L1-between", "ks", statement="Lemma 1 of LOG after every numbered step")
def destinations_are_in_one_entry_between(model: Any, before: Any, event: Any) -> bool:
    """Lemma 1 (KS-21b)."""
    return not any(repeated(LOG.items()) for run in logs(model, before, event) for LOG in run)


@claim("C-KS-L2-between", "ks", statement="Lemma 2 of LOG from one numbered step to the next")
def ts_never_decreases_between(model: Any, before: Any, event: Any) -> bool:
    """Lemma 2 (KS-21b)."""
    return all(
        ts(later.items()).get(s, -1) >= t
        for run in logs(model, before, event)
        for earlier, later in pairwise(run)
        for s, t in ts(earlier.items()).items()
    )


@claim("C-KS-L4-between", "ks", statement="Lemma 4 of LOG from one numbered step to the next")
def entries_only_shrink_between(model: Any, process: int, before: Any, event: Any, past: Past) -> bool:
    """Lemma 4 (KS-21b)."""
    known = known_before(process, event, past)
    return all(
        earlier[st] >= D if st in earlier else st not in known
        for run in logs(model, before, event)
        for earlier, later in pairwise(run)
        for st, D in later.items()
    )


@claim("C-KS-L7-between", "ks", statement="Lemma 7 of LOG after every numbered step")
def empty_entries_are_the_newest_between(model: Any, before: Any, event: Any) -> bool:
    """Lemma 7 (KS-21b)."""
    return all(has_newest_empty(LOG) for run in logs(model, before, event) for LOG in run)


@claim("C-KS-L1-RCV3", "ks", statement="Lemma 1 of O_M after RCV(3)")
def destinations_are_in_one_entry_after_RCV3(model: Any, before: Any, event: Any) -> bool:
    """Lemma 1 (KS-21c)."""
    return not any(repeated(O_M.items()) for O_M, _ in sets_of_O_M(model, before, event))


@claim("C-KS-L1-RCV4", "ks", statement="Lemma 1 of what is left of O_M after RCV(4)")
def destinations_are_in_one_entry_after_RCV4(model: Any, before: Any, event: Any) -> bool:
    """Lemma 1 (KS-21c)."""
    return not any(repeated(O_M.items()) for _, O_M in sets_of_O_M(model, before, event))


@claim("C-KS-L7-RCV3", "ks", statement="Lemma 7 of O_M after RCV(3)")
def empty_entries_are_the_newest_after_RCV3(model: Any, before: Any, event: Any) -> bool:
    """Lemma 7 (KS-21c)."""
    return all(has_newest_empty(O_M) for O_M, _ in sets_of_O_M(model, before, event))


@claim("C-KS-L7-RCV4", "ks", statement="Lemma 7 of what is left of O_M after RCV(4)")
def empty_entries_are_the_newest_after_RCV4(model: Any, before: Any, event: Any) -> bool:
    """Lemma 7 (KS-21c)."""
    return all(has_newest_empty(O_M) for _, O_M in sets_of_O_M(model, before, event))
