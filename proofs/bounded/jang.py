"""Jang (`models/jang.py`): CI and CI_m hold for each message a set of sets D, since under some readings two tuples have
the same (k, t); D is a set of processes. `DC` names the pairs of DC by destination, `DLV` what R3 keeps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import ClassVar

from .algorithm import After, Algorithm, Event, Messages
from .booleans import Bit, Bits, both, but, chosen, conj, disj, either, implies, neg
from .rst import only

Set = frozenset[int]
Tuples = dict[tuple[int, Set], Bit]
"""(message, D) -> whether there is such a tuple."""


class Jang(Algorithm):
    """A copy carries what its destination must wait for (DC), and what all later messages must know (CI)."""

    name = "jang"
    encoded: ClassVar[Mapping[str, str]] = {
        "J-1": "ab", "J-2": "abcd", "J-3": "b", "J-4": "ab", "J-5": "abc", "J-6": "ab", "J-8": "abc", "J-7": "abcd",
        "J-9": "abcd", "J-10": "abc",
    }  # fmt: skip
    has_facts = True

    @property
    def is_symmetric(self) -> bool:
        """S2 takes the destinations in an order, which decides nothing where messages to oneself are excluded."""
        return True

    def send(self, messages: Messages, event: Event, before: Bits) -> After:
        """S1 to S5."""
        CI = old = tuples(messages, before)
        DC: dict[Hashable, Bit] = {}
        for j in messages.processes:
            for q in messages.slots:
                DC["DC", q, j] = both(event.dests[j], names(CI, q, j))
        struck: Tuples = {}
        for (q, D), bit in CI.items():
            found = disj(event.dests[j] for j in D)
            for E in subsets(D):
                if self.readings["J-1"] == "a":
                    becomes = conj(event.dests[j] if j not in E else neg(event.dests[j]) for j in D)
                else:
                    becomes = conj(both(found, event.sender[j]) if j not in E else neg(both(found, event.sender[j]))
                                   for j in D)  # fmt: skip
                struck[q, E] = either(struck.get((q, E), False), both(bit, becomes))
        CI = self.pruned(messages, struck, old)
        with_own = dict(CI)
        for D in subsets(messages.processes):
            with_own[event.step, D] = is_set(event.dests, D)
        sent = as_bits(CI if self.readings["J-2"] == "a" else with_own)
        copies = {}
        for j in messages.processes:
            carried = {name: bit for name, bit in DC.items() if self.readings["J-8"] != "a" or is_to(name, j)}
            copies[j] = {**sent, **carried}
        return After({**only(before, "DLV"), **as_bits(with_own)}, copies)

    def is_ready(self, messages: Messages, state: Bits, at: int, copy: Bits, sender: Mapping[int, Bit]) -> Bit:
        """R1."""
        return conj(
            implies(bit, state.get(("DLV", name[1]), False))
            for name, bit in copy.items()
            if isinstance(name, tuple) and name[0] == "DC" and (self.readings["J-8"] == "b" or is_to(name, at))
        )

    def receive(self, messages: Messages, event: Event, before: Bits, copy: Bits) -> After:
        """R3 to R9."""
        CI = tuples(messages, before)
        CI_m = self.inserted(tuples(messages, copy), event)
        CI, CI_m = self.compared(messages, CI, CI_m)
        old = CI
        if self.readings["J-9"] in "ac":
            CI, CI_m = met(messages, CI, CI_m)
        union = {qD: either(bit, CI_m[qD]) for qD, bit in CI.items()}
        in_either = {qD: either(bit, CI_m[qD]) for qD, bit in old.items()}
        if self.readings["J-4"] == "a":
            union = stricken(messages, union)
        union = self.pruned(messages, union, in_either)
        return After({**self.recorded(messages, event, before), **as_bits(union)})

    def inserted(self, CI_m: Tuples, event: Event) -> Tuples:
        """R4."""
        letter = self.readings["J-10"]
        D = event.dests if letter == "c" else {d: but(bit, event.at[d]) for d, bit in event.dests.items()}
        after = {}
        for (q, E), bit in CI_m.items():
            own = event.message.get(q, False)
            stays = but(bit, own) if self.readings["J-2"] in "bd" else bit
            new = False if letter == "b" and not E else both(own, is_set(D, E))
            after[q, E] = either(stays, new)
        return after

    def compared(self, messages: Messages, CI: Tuples, CI_m: Tuples) -> tuple[Tuples, Tuples]:
        """R5: a tuple goes where the other side has a later one of its sender and none of its message."""
        if self.readings["J-9"] in "cd":
            return CI, CI_m
        in_CI, in_CI_m = present(messages, CI), present(messages, CI_m)
        gone_CI, gone_CI_m = {}, {}
        for q in messages.slots:
            later = [u for u in messages.slots if q < u]
            gone_CI[q] = but(disj(both(in_CI_m[u], messages.same_sender(q, u)) for u in later), in_CI_m[q])
            gone_CI_m[q] = but(disj(both(in_CI[u], messages.same_sender(q, u)) for u in later), in_CI[q])
        return (
            {(q, D): but(bit, gone_CI[q]) for (q, D), bit in CI.items()},
            {(q, D): but(bit, gone_CI_m[q]) for (q, D), bit in CI_m.items()},
        )

    def pruned(self, messages: Messages, CI: Tuples, before: Tuples) -> Tuples:
        """S3 and R9: without older tuples whose D is empty."""
        letter = self.readings["J-7"]
        if letter == "c":
            return CI
        after, there = dict(CI), present(messages, CI)
        for q in messages.slots:
            later = disj(both(there[u], messages.same_sender(q, u)) for u in messages.slots if q < u)
            stays = False if letter == "b" else neg(later)
            if letter == "d":
                stays = either(stays, before[q, Set()])
            after[q, Set()] = both(CI[q, Set()], stays)
        return after

    def recorded(self, messages: Messages, event: Event, before: Bits) -> dict[Hashable, Bit]:
        """R3: DLV of the message's sender."""
        DLV: dict[Hashable, Bit] = {}
        for q in messages.slots:
            old = before.get(("DLV", q), False)
            of_sender = {r: both(bit, messages.same_sender(q, r)) for r, bit in event.message.items()}
            now = disj(bit for r, bit in of_sender.items() if q <= r)
            DLV["DLV", q] = {
                "a": chosen(disj(of_sender.values()), now, old),
                "b": either(now, old),
                "c": either(of_sender.get(q, False), old),
            }[self.readings["J-5"]]
        return DLV

    def state_fact(self, messages: Messages, state: Bits, slot: int, d: int) -> Bit:
        """A tuple of CI."""
        return names(tuples(messages, state), slot, d)

    def copy_fact(self, messages: Messages, copy: Bits, to: int, slot: int, d: int) -> Bit:
        """A tuple of CI_m or a pair of DC_m."""
        return either(copy.get(("DC", slot, d), False), names(tuples(messages, copy), slot, d))


def subsets(of: Iterable[int]) -> list[Set]:
    """All subsets, the empty one first."""
    return _subsets(frozenset(of))


@cache
def _subsets(of: Set) -> list[Set]:
    members = sorted(of)
    return [Set(some) for size in range(len(members) + 1) for some in combinations(members, size)]


def is_set(bits: Mapping[int, Bit], D: Set) -> Bit:
    """Whether D is the set of those that hold."""
    return conj(bit if d in D else neg(bit) for d, bit in bits.items())


def tuples(messages: Messages, bits: Bits) -> Tuples:
    """The tuples among named values."""
    return {(q, D): bits.get(("CI", q, D), False) for q in messages.slots for D in subsets(messages.processes)}


def as_bits(CI: Tuples) -> dict[Hashable, Bit]:
    """As named values."""
    return {("CI", *qD): bit for qD, bit in CI.items()}


def is_to(name: Hashable, j: int) -> bool:
    """Whether this is a pair of DC[j]."""
    return isinstance(name, tuple) and name[2] == j


def present(messages: Messages, CI: Tuples) -> dict[int, Bit]:
    """Whether there is a tuple of the message."""
    return {q: disj(CI[q, D] for D in subsets(messages.processes)) for q in messages.slots}


def names(CI: Tuples, q: int, d: int) -> Bit:
    """Whether a tuple of the message has d in its D."""
    return disj(bit for (r, D), bit in CI.items() if r == q and d in D)


def met(messages: Messages, CI: Tuples, CI_m: Tuples) -> tuple[Tuples, Tuples]:
    """R6: of a message that both have, D is intersected with every D of CI_m, whose tuples go."""
    in_CI = present(messages, CI)
    after: Tuples = {}
    for (q, D), bit in CI.items():
        stays = {d: neg(disj(other for (r, E), other in CI_m.items() if r == q and d not in E)) for d in D}
        for E in subsets(D):
            after[q, E] = either(after.get((q, E), False), both(bit, is_set(stays, E)))
    return after, {(q, D): but(bit, in_CI[q]) for (q, D), bit in CI_m.items()}


def stricken(messages: Messages, CI: Tuples) -> Tuples:
    """R8: D without what later tuples of the same sender name."""
    after: Tuples = {}
    for (q, D), bit in CI.items():
        stays = {d: neg(disj(both(messages.same_sender(q, u), names(CI, u, d)) for u in messages.slots if q < u))
                 for d in D}  # fmt: skip
        for E in subsets(D):
            after[q, E] = either(after.get((q, E), False), both(bit, is_set(stays, E)))
    return after
