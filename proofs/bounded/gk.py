"""GK (`models/gk.py`): PREV, CONC, SP, SC and DELIV are counts in unary; MCV and ECV are sets of steps, of each process
its first ones, so that the maximum of two vectors is the union.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar

from .algorithm import After, Algorithm, Event, Messages
from .booleans import (
    Bit,
    Bits,
    Count,
    both,
    but,
    chosen,
    conj,
    count,
    difference,
    disj,
    either,
    implies,
    is_at_most,
    limited,
    neg,
    plus_one,
    same,
    total,
)
from .rst import as_bits, incremented, matrix, maximum, only, row

Steps = dict[int, Bit]
"""A vector: which steps it covers."""


class GK(Algorithm):
    """A copy waits only for messages up to MCV."""

    name = "gk"
    encoded: ClassVar[Mapping[str, str]] = {
        "GK-1": "abcd", "GK-2": "ab", "GK-3": "ab", "GK-5": "abc", "GK-8": "acd", "GK-9": "abc", "GK-12": "ab",
        "GK-19": "ab",
    }  # fmt: skip
    semantic = True

    @property
    def is_symmetric(self) -> bool:
        """No step takes processes in an order."""
        return True

    def send(self, messages: Messages, event: Event, before: Bits) -> After:
        """E1 to E7."""
        PREV, CONC = matrix(messages, before, "PREV"), matrix(messages, before, "CONC")
        precedes = self.should_semantically_precede(event, before)
        MCV, ECV = self.vectors_after_send(messages, event, before, precedes)
        PREV = {cell: merged(precedes, total(n, CONC[cell]), n) for cell, n in PREV.items()}
        CONC = {cell: limited(n, neg(precedes)) for cell, n in CONC.items()}
        in_PREV = precedes if self.readings["GK-1"] in "cd" else False
        after_PREV = incremented(PREV, {k: both(bit, in_PREV) for k, bit in event.sender.items()}, event.dests)
        after_CONC = incremented(CONC, {k: but(bit, in_PREV) for k, bit in event.sender.items()}, event.dests)
        sent = (after_PREV, after_CONC) if self.readings["GK-8"] == "c" else (PREV, CONC)
        copy: dict[Hashable, Bit] = {**as_bits(sent[0], "PREV"), **as_bits(sent[1], "CONC")}
        copy |= as_steps(MCV, "MCV") if self.readings["GK-5"] != "a" else {}
        copy |= as_steps(ECV, "ECV") if self.readings["GK-5"] == "c" else {}
        after: dict[Hashable, Bit] = {
            **only(before, "DELIV"),
            **as_bits(after_PREV, "PREV"),
            **as_bits(after_CONC, "CONC"),
        }
        return After({**after, **as_steps(MCV, "MCV"), **as_steps(ECV, "ECV")}, dict.fromkeys(messages.processes, copy))

    def should_semantically_precede(self, event: Event, before: Bits) -> Bit:
        """Definition 5.2: the event depends on one of its process after MCV[i]."""
        if self.readings["GK-12"] == "b":
            return True
        return disj(but(bit, before.get(("MCV", u), False)) for u, bit in event.depends_on.items())

    def vectors_after_send(self, messages: Messages, event: Event, before: Bits, precedes: Bit) -> tuple[Steps, Steps]:
        """MCV and ECV of a send event."""
        MCV, old = steps(messages, before, "MCV"), steps(messages, before, "ECV")
        ECV = {**old, event.step: True}
        reached = old if self.readings["GK-1"] == "b" else ECV
        return {u: either(MCV.get(u, False), both(precedes, reached.get(u, False))) for u in ECV}, ECV

    def is_ready(self, messages: Messages, state: Bits, at: int, copy: Bits, sender: Mapping[int, Bit]) -> Bit:
        """R1."""
        tested = state if self.readings["GK-19"] == "a" else copy
        conditions = []
        for k in messages.processes:
            SP, delivered = count(tested, "PREV", k, at), count(state, "DELIV", k)
            holds = is_at_most(SP, delivered)
            if self.readings["GK-2"] == "b":
                own = total(count(copy, "PREV", k, at), count(copy, "CONC", k, at))
                holds = chosen(sender[k], is_at_most(own, delivered), holds)
            conditions.append(holds)
        return conj(conditions)

    def receive(self, messages: Messages, event: Event, before: Bits, copy: Bits) -> After:
        """R3 to R8, and the vectors."""
        PREV, CONC = matrix(messages, before, "PREV"), matrix(messages, before, "CONC")
        SP, SC = matrix(messages, copy, "PREV"), matrix(messages, copy, "CONC")
        sent_MCV, sent_ECV = steps(messages, copy, "MCV"), steps(messages, copy, "ECV")
        dests = event.dests if self.readings["GK-3"] == "b" else event.at
        if self.readings["GK-8"] == "d":
            CONC = incremented(CONC, event.sender, dests)
        else:
            in_SP = self.is_in_SP(messages, event, sent_MCV, sent_ECV)
            SP = incremented(SP, {k: both(bit, in_SP) for k, bit in event.sender.items()}, dests)
            SC = incremented(SC, {k: but(bit, in_SP) for k, bit in event.sender.items()}, dests)
        DELIV = {k: plus_one(count(before, "DELIV", k), event.sender[k]) for k in messages.processes}
        after_PREV = maximum(PREV, SP)
        newest = maximum(
            {cell: total(n, PREV[cell]) for cell, n in CONC.items()},
            {cell: total(n, SC[cell]) for cell, n in SP.items()},
        )
        after_CONC = {cell: difference(n, after_PREV[cell]) for cell, n in newest.items()}
        MCV, ECV = steps(messages, before, "MCV"), steps(messages, before, "ECV")
        MCV = {u: either(bit, sent_MCV[u]) for u, bit in MCV.items()}
        ECV = {**{u: either(bit, sent_ECV[u]) for u, bit in ECV.items()}, event.step: True}
        after = {**row(DELIV, "DELIV"), **as_bits(after_PREV, "PREV"), **as_bits(after_CONC, "CONC")}
        return After({**after, **as_steps(MCV, "MCV"), **as_steps(ECV, "ECV")})

    def is_in_SP(self, messages: Messages, event: Event, sent_MCV: Steps, sent_ECV: Steps) -> Bit:
        """GK-1d: whether R3 counts the message in SP, which the vectors on the copy tell, if both are there."""
        if self.readings["GK-1"] != "d" or self.readings["GK-5"] != "c":
            return False
        return conj(
            implies(both(messages.acts(u, i), event.sender[i]), same(sent_MCV[u], sent_ECV[u]))
            for u in messages.slots
            for i in messages.processes
        )

    def delivery_dependency(self, messages: Messages, step: int, on: int, is_last: Bit) -> Bit | None:
        """GK-9."""
        return {"a": False, "b": None, "c": is_last}[self.readings["GK-9"]]


def merged(condition: Bit, yes: Count, no: Count) -> Count:
    """`yes` where the condition holds, else `no`, which is not larger."""
    return tuple(either(both(condition, bit), no[n] if n < len(no) else False) for n, bit in enumerate(yes))


def steps(messages: Messages, bits: Bits, name: str) -> Steps:
    """A vector among named values."""
    return {u: bits.get((name, u), False) for u in messages.slots}


def as_steps(vector: Steps, name: str) -> dict[Hashable, Bit]:
    """A vector as named values."""
    return {(name, u): bit for u, bit in vector.items()}
