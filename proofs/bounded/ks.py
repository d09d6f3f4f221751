"""KS (`models/ks.py`): the entries of LOG and O_M by message. `in` says that there is an entry, `D` who is in its
Dests, `SR` whether SR of the message's sender has reached it.

The initial entries (i, 0, {}) are left out: the tests of RCV(4) and PURGE let them decide about nothing but themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from .algorithm import After, Algorithm, Event, Messages
from .booleans import Bit, Bits, both, but, chosen, conj, disj, either, implies, neg
from .rst import only


@dataclass(frozen=True)
class Entries:
    """A LOG or an O_M: which messages have an entry, and who is in its Dests."""

    has: dict[int, Bit]
    D: dict[tuple[int, int], Bit]

    def dests(self, slot: int, d: int) -> Bit:
        """Whether there is an entry with d in its Dests."""
        return self.D.get((slot, d), False)

    def as_bits(self) -> dict[Hashable, Bit]:
        """As named values."""
        return {**{("in", q): bit for q, bit in self.has.items()}, **{("D", *qd): bit for qd, bit in self.D.items()}}


class KS(Algorithm):
    """A copy carries, for each message before it, the destinations that are neither known nor guaranteed to get it."""

    name = "ks"
    encoded: ClassVar[Mapping[str, str]] = {
        "KS-2": "ab", "KS-10": "abcd", "KS-16": "a", "KS-6": "abcd", "KS-14": "ab", "KS-32": "ab", "KS-34": "ab",
    }  # fmt: skip
    has_facts = True

    @property
    def is_symmetric(self) -> bool:
        """Only KS-6c takes the destinations in an order."""
        return self.readings["KS-6"] != "c"

    def send(self, messages: Messages, event: Event, before: Bits) -> After:
        """SND(2) to SND(5)."""
        LOG = entries(messages, before)
        copies: dict[int, Bits] = {}
        O_M = LOG
        for d in messages.processes:
            following = self.carried(messages, O_M if self.readings["KS-6"] == "c" else LOG, event, d)
            if self.readings["KS-6"] == "c":
                O_M = Entries(
                    {q: chosen(event.dests[d], following.has[q], bit) for q, bit in O_M.has.items()},
                    {qd: chosen(event.dests[d], following.D[qd], bit) for qd, bit in O_M.D.items()},
                )
            sent = following if self.readings["KS-32"] == "a" else inserted(following, event, event.dests)
            copies[d] = sent.as_bits()
        LOG = Entries(LOG.has, {(q, d): but(bit, event.dests[d]) for (q, d), bit in LOG.D.items()})
        LOG = self.purged(messages, inserted(LOG, event, event.dests), event.step)
        return After({**only(before, "SR"), **LOG.as_bits()}, copies)

    def carried(self, messages: Messages, O_M: Entries, event: Event, d: int) -> Entries:
        """What SND(2) leaves of O_M for the copy to d; the same under KS-6a, b and d."""
        D = {}
        for q in O_M.has:
            named = O_M.dests(q, d)
            for e in messages.processes:
                D[q, e] = named if e == d else but(O_M.dests(q, e), event.dests[e])
        return self.purged(messages, Entries(O_M.has, D), event.step)

    def is_ready(self, messages: Messages, state: Bits, at: int, copy: Bits, sender: Mapping[int, Bit]) -> Bit:
        """RCV(1)."""
        return conj(
            implies(bit, state.get(("SR", name[1]), False))
            for name, bit in copy.items()
            if isinstance(name, tuple) and name[0] == "D" and name[2] == at
        )

    def receive(self, messages: Messages, event: Event, before: Bits, copy: Bits) -> After:
        """RCV(2) to RCV(5)."""
        LOG, O_M = entries(messages, before), entries(messages, copy)
        O_M = inserted(O_M, event, event.dests)
        if self.readings["KS-34"] == "a":
            O_M = without(O_M, event.at)
        deleted = self.deleted(messages, LOG, O_M)
        LOG = self.merged(messages, LOG, O_M, deleted)
        if self.readings["KS-34"] == "b":
            LOG = without(LOG, event.at)
        LOG = self.purged(messages, LOG, event.step)
        return After({**self.delivered(messages, event, before), **LOG.as_bits()})

    def delivered(self, messages: Messages, event: Event, before: Bits) -> dict[Hashable, Bit]:
        """RCV(2): SR of the message's sender."""
        SR: dict[Hashable, Bit] = {}
        for q in messages.slots:
            old = before.get(("SR", q), False)
            now = disj(both(event.message[r], messages.same_sender(q, r)) for r in event.message if q <= r)
            changed = disj(both(event.message[r], messages.same_sender(q, r)) for r in event.message)
            SR["SR", q] = chosen(changed, now, old) if self.readings["KS-14"] == "a" else either(now, old)
        return SR

    def deleted(self, messages: Messages, LOG: Entries, O_M: Entries) -> dict[int, Bit]:
        """RCV(4), loop 1: the entries that a later entry of the other side shows to be out of date."""
        found = {}
        for q in messages.slots:
            later = [u for u in messages.slots if q < u]
            first = disj(both(LOG.has[u], messages.same_sender(q, u)) for u in later)
            second = disj(both(O_M.has[u], messages.same_sender(q, u)) for u in later)
            in_O_M = but(both(O_M.has[q], first), LOG.has[q]) if self.readings["KS-2"] == "b" else False
            found[q] = either(in_O_M, but(both(LOG.has[q], second), O_M.has[q]))
        return found

    def merged(self, messages: Messages, LOG: Entries, O_M: Entries, deleted: Mapping[int, Bit]) -> Entries:
        """RCV(4): what is left of both; where both have an entry, who is in both."""
        has, D = {}, {}
        for q in messages.slots:
            here, there = but(LOG.has[q], deleted[q]), but(O_M.has[q], deleted[q])
            has[q] = either(here, there)
            for d in messages.processes:
                ours, theirs = both(here, LOG.dests(q, d)), both(there, O_M.dests(q, d))
                D[q, d] = chosen(here, chosen(there, both(ours, theirs), ours), theirs)
        return Entries(has, D)

    def purged(self, messages: Messages, L: Entries, step: int) -> Entries:
        """PURGE_NULL_ENTRIES; `step` may be the newest message."""
        letter = self.readings["KS-10"]
        if letter == "c":
            return L
        has = {}
        for q, bit in L.has.items():
            later = disj(both(L.has[u], messages.same_sender(q, u)) for u in L.has if q < u)
            newest = False if letter == "b" else neg(later)
            has[q] = both(bit, either(newest, disj(L.dests(q, d) for d in messages.processes)))
        return Entries(has, L.D)

    def state_fact(self, messages: Messages, state: Bits, slot: int, d: int) -> Bit:
        """An entry of LOG."""
        return state.get(("D", slot, d), False)

    def copy_fact(self, messages: Messages, copy: Bits, to: int, slot: int, d: int) -> Bit:
        """An entry of O_M."""
        return copy.get(("D", slot, d), False)


def entries(messages: Messages, bits: Bits) -> Entries:
    """The entries among named values."""
    slots = list(messages.slots)
    has = {q: bits.get(("in", q), False) for q in slots}
    return Entries(has, {(q, d): bits.get(("D", q, d), False) for q in slots for d in messages.processes})


def inserted(L: Entries, event: Event, dests: Mapping[int, Bit]) -> Entries:
    """L with the entry of the event's message in the place of any that it has."""
    has = {q: either(L.has.get(q, False), event.message.get(q, False)) for q in {**L.has, **event.message}}
    D = {(q, d): chosen(event.message.get(q, False), dests[d], L.dests(q, d)) for q in has for d in dests}
    return Entries(has, D)


def without(L: Entries, gone: Mapping[int, Bit]) -> Entries:
    """L without these destinations."""
    return Entries(L.has, {(q, d): but(bit, gone[d]) for (q, d), bit in L.D.items()})
