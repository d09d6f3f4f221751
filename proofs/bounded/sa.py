"""SA (`models/sa.py`): M and DELIV are counts in unary. A step sends at most one extra message to each process, since
its column is left with one entry (SA-11single a)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar

from .algorithm import After, Algorithm, Event, Messages
from .booleans import (
    Bit,
    Bits,
    Count,
    at_least,
    both,
    but,
    conj,
    count,
    disj,
    either,
    how_many,
    is_at_most,
    limited,
    neg,
    plus_one,
)
from .rst import Matrix, as_bits, incremented, matrix, maximum, only, row

CHECKED = {"a": ("delivery", "send"), "b": ("delivery",), "c": ("send",), "d": ("before a send",)}

Extras = dict[int, tuple[Bit, Bits]]


class SA(Algorithm):
    """A copy carries the matrix of constraints; extra messages replace a column of it by one entry when it fills up."""

    name = "sa"
    encoded: ClassVar[Mapping[str, str]] = {
        "SA-1": "abc", "SA-2": "ab", "SA-3": "ab", "SA-4": "abcd", "SA-6": "abcd", "SA-7": "a", "SA-9": "ab",
        "SA-11": "ab", "SA-11single": "a", "SA-11own": "ab", "SA-13": "ab",
    }  # fmt: skip
    parameters = frozenset({"K"})
    has_signals = True

    @property
    def is_symmetric(self) -> bool:
        """Of columns that are as full the one of the lowest or highest process is replaced."""
        return False

    @property
    def signals_first(self) -> bool:
        """SA-4d checks the threshold before the copies go out."""
        return self.readings["SA-4"] == "d"

    def send(self, messages: Messages, event: Event, before: Bits) -> After:
        """u1, u2, and the threshold."""
        M, extras = self.cleared(messages, event, matrix(messages, before), "before a send")
        attached = M
        for j in messages.processes:
            M = {(a, b): limited(n, neg(both(event.dests[j], neg(event.sender[a])))) if b == j else n
                 for (a, b), n in M.items()}  # fmt: skip
        attached = M if self.readings["SA-1"] == "b" else attached
        M = incremented(M, event.sender, event.dests)
        attached = M if self.readings["SA-1"] == "c" else attached
        M, more = self.cleared(messages, event, M, "send")
        after = {**only(before, "DELIV"), **as_bits(M)}
        return After(after, dict.fromkeys(messages.processes, as_bits(attached)), {**extras, **more})

    def is_ready(self, messages: Messages, state: Bits, at: int, copy: Bits, sender: Mapping[int, Bit]) -> Bit:
        """d1."""
        return conj(is_at_most(count(copy, "M", a, at), count(state, "DELIV", a)) for a in messages.processes)

    def receive(self, messages: Messages, event: Event, before: Bits, copy: Bits) -> After:
        """d2, and the threshold."""
        M, Mm = matrix(messages, before), matrix(messages, copy)
        if self.readings["SA-9"] == "a":
            Mm = {(a, d): limited(n, either(event.sender[a], neg(event.dests[d]))) for (a, d), n in Mm.items()}
            Mm = incremented(Mm, event.sender, event.dests)
        M = maximum(M, Mm)
        M = {(a, b): limited(n, neg(event.at[b])) for (a, b), n in M.items()}
        DELIV = {a: plus_one(count(before, "DELIV", a), event.sender[a]) for a in messages.processes}
        M, extras = self.cleared(messages, event, M, "delivery")
        return After({**as_bits(M), **row(DELIV, "DELIV")}, {}, extras)

    def signal_is_ready(self, messages: Messages, state: Bits, at: int, signal: Bits) -> Bit:
        """x3: the extra message waits like any other."""
        return self.is_ready(messages, state, at, signal, {})

    def receive_signal(self, messages: Messages, event: Event, before: Bits, signal: Bits) -> After:
        """x3."""
        if self.readings["SA-6"] not in "ad":
            return After(before)
        DELIV = {a: plus_one(count(before, "DELIV", a), event.sender[a]) for a in messages.processes}
        return After({**as_bits(matrix(messages, before)), **row(DELIV, "DELIV")})

    def cleared(self, messages: Messages, event: Event, M: Matrix, moment: str) -> tuple[Matrix, Extras]:
        """The threshold: M after the extra messages that it takes now, and these."""
        extras: Extras = {j: (False, {}) for j in messages.processes}
        if moment not in CHECKED[self.readings["SA-4"]]:
            return M, {}
        rounds = len(messages.processes) if self.readings["SA-3"] == "b" else 1
        goes_on: Bit = True
        for _ in range(rounds):
            victims = self.victims(messages, event, M, goes_on)
            for j, chosen in victims.items():
                once, old = extras[j]
                column = {
                    name: either(old.get(name, False), both(chosen, bit)) for name, bit in self.extra(M, j).items()
                }
                extras[j] = (either(once, chosen), {**old, **column})
            before, M = M, self.replaced(event, M, victims)
            old_entries, new_entries = entries(before), entries(M)
            fewer = disj(but(at_least(old_entries, n), at_least(new_entries, n)) for n in range(1, len(M) + 1))
            goes_on = both(fewer, disj(victims.values()))
        return M, extras

    def extra(self, M: Matrix, j: int) -> dict[Hashable, Bit]:
        """What the extra message to j carries: its column, of all of M only that is tested."""
        return as_bits({(a, b): n for (a, b), n in M.items() if b == j})

    def victims(self, messages: Messages, event: Event, M: Matrix, goes_on: Bit) -> dict[int, Bit]:
        """The column that an extra message replaces: of those with the most entries the first or the last."""
        n = len(messages.processes)
        K = self.settings.get("K", 0) or n + 1
        over = at_least(entries(M), K + 1 if self.readings["SA-2"] == "a" else K)
        counts = {j: how_many(at_least(M[a, j], 1) for a in messages.processes) for j in messages.processes}
        allowed = {j: True if self.readings["SA-11own"] == "b" else neg(event.at[j]) for j in messages.processes}
        fullest = {
            j: conj([allowed[j], at_least(counts[j], 2),
                     *(either(neg(allowed[l]), is_at_most(counts[l], counts[j])) for l in messages.processes)])
            for j in messages.processes
        }  # fmt: skip
        order = list(messages.processes) if self.readings["SA-11"] == "a" else list(reversed(messages.processes))
        return {
            j: conj([goes_on, over, fullest[j], *(neg(fullest[l]) for l in order[: order.index(j)])]) for j in order
        }

    def replaced(self, event: Event, M: Matrix, victims: Mapping[int, Bit]) -> Matrix:
        """M after the extra message."""
        M = {(a, b): limited(n, neg(but(victims[b], event.at[a]))) for (a, b), n in M.items()}
        return incremented(M, event.at, victims) if self.readings["SA-6"] in "ac" else M


def entries(M: Matrix) -> Count:
    """The number of non-zero entries."""
    return how_many(at_least(n, 1) for n in M.values())
