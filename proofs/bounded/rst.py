"""RST (`models/rst.py`): matrices of counts in unary. SENT[k, l] of a process, ST[k, l] on a copy, DELIV[k]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar

from .algorithm import After, Algorithm, Event, Messages
from .booleans import Bit, Bits, Count, both, conj, count, is_at_most, largest, limited, plus_one, stored

Matrix = dict[tuple[int, int], Count]


class RST(Algorithm):
    """Every copy carries the sender's matrix SENT, and waits for what the matrix says was sent to its destination."""

    name = "rst"
    encoded: ClassVar[Mapping[str, str]] = {
        "RST-1": "abc", "RST-2": "abc", "RST-5": "ab", "RST-6": "ab", "GK-19": "ab", "X-5": "a",
    }  # fmt: skip

    @property
    def is_symmetric(self) -> bool:
        """Only RST-5b takes the destinations in an order."""
        return self.readings["RST-5"] == "a"

    def start(self, messages: Messages) -> Bits:
        """All counts are 0."""
        return {}

    def send(self, messages: Messages, event: Event, before: Bits) -> After:
        """s1, s2."""
        SENT = matrix(messages, before)
        ST = as_bits(SENT)
        copies = {}
        for d in messages.processes:
            copies[d] = ST
            if self.readings["RST-5"] == "b":
                SENT = incremented(SENT, event.sender, {d: event.dests[d]})
                ST = as_bits(SENT)
        if self.readings["RST-5"] == "a":
            SENT = incremented(SENT, event.sender, event.dests)
        return After({**only(before, "DELIV"), **as_bits(SENT)}, copies)

    def is_ready(self, messages: Messages, state: Bits, at: int, copy: Bits, sender: Mapping[int, Bit]) -> Bit:
        """d1."""
        tested = state if self.readings["GK-19"] == "a" else copy
        return conj(is_at_most(count(tested, "M", k, at), count(state, "DELIV", k)) for k in messages.processes)

    def receive(self, messages: Messages, event: Event, before: Bits, copy: Bits) -> After:
        """d3 to d5."""
        SENT, ST = matrix(messages, before), matrix(messages, copy)
        counted = {"a": event.dests, "b": event.at, "c": {}}[self.readings["RST-1"]]
        order = self.readings["RST-2"]
        if order == "a":
            ST = incremented(ST, event.sender, counted)
        if order == "b":
            SENT = incremented(SENT, event.sender, counted)
        SENT = maximum(SENT, self.part(ST, event))
        if order == "c":
            SENT = incremented(SENT, event.sender, counted)
        DELIV = {k: plus_one(count(before, "DELIV", k), event.sender[k]) for k in messages.processes}
        return After({**as_bits(SENT), **row(DELIV, "DELIV")})

    def part(self, ST: Matrix, event: Event) -> Matrix:
        """ST as far as d5 takes it into account."""
        if self.readings["RST-6"] == "a":
            return ST
        return {(k, l): limited(number, both(event.sender[k], event.at[l])) for (k, l), number in ST.items()}


def matrix(messages: Messages, bits: Bits, name: str = "M") -> Matrix:
    """The counts stored as `name`."""
    return {(k, l): count(bits, name, k, l) for k in messages.processes for l in messages.processes}


def as_bits(cells: Matrix, name: str = "M") -> dict[Hashable, Bit]:
    """The counts stored as `name`."""
    return {key: bit for (k, l), number in cells.items() for key, bit in stored(number, name, k, l).items()}


def only(bits: Bits, name: str) -> dict[Hashable, Bit]:
    """What is stored under names that begin with `name`."""
    return {key: bit for key, bit in bits.items() if isinstance(key, tuple) and key[0] == name}


def row(counts: Mapping[int, Count], name: str) -> dict[Hashable, Bit]:
    """The counts stored as `name`."""
    return {key: bit for k, number in counts.items() for key, bit in stored(number, name, k).items()}


def incremented(cells: Matrix, sender: Mapping[int, Bit], dests: Mapping[int, Bit]) -> Matrix:
    """One message more from the sender to each of `dests`."""
    return {(k, l): plus_one(number, both(sender[k], dests.get(l, False))) for (k, l), number in cells.items()}


def maximum(left: Matrix, right: Matrix) -> Matrix:
    """The componentwise maximum."""
    return {cell: largest(number, right[cell]) for cell, number in left.items()}
