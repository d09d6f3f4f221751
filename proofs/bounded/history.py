"""The causal past of every process and of every send, as formulas: what the properties are judged against."""

from __future__ import annotations

from collections.abc import Hashable

from .booleans import Bit, Bits, both, but, conj, disj, either, implies, neg, selected
from .parts import Copy, Taken
from .unrolling import Unrolling


class History:
    """The pasts of the runs of an unrolling. `see` is told of each step before its effect.

    A past is the messages sent in it and the pairs (message, destination) delivered in it, as in `checker.history`.
    """

    def __init__(self, runs: Unrolling) -> None:
        self.runs = runs
        self.pasts: dict[int, Bits] = {p: {} for p in runs.processes}
        self.before_send: dict[int, Bits] = {}
        """Of each step, if it sends, the past of its process before it."""
        self._behind: dict[int, dict[int, Bit]] = {}
        self._must: dict[int, dict[int, Bit]] = {}
        self.too_early: Bit = False
        """Whether the last step delivers a message although one that must precede it is not delivered there."""

    def must_precede(self, slot: int, other: int) -> Bit:
        """Whether message `other` must be delivered before message `slot`."""
        if self.runs.algorithm.semantic:
            return self._must[slot].get(other, False)
        return self.before_send[slot].get(("sent", other), False)

    def is_due(self, copy: Copy) -> Bit:
        """Whether every message to the copy's process that must precede it is delivered there."""
        return conj(
            implies(both(self.must_precede(copy.slot, older.slot), older.exists), older.received)
            for older in self.runs.copies
            if older.to == copy.to and older.slot < copy.slot and not older.is_signal
        )

    def see(self, taken: Taken) -> None:
        """The pasts after a step of the runs."""
        runs, number = self.runs, len(self.runs.steps) + 1
        copies = [copy for copy in runs.copies if not copy.is_signal]
        self.too_early = disj(
            but(both(taken.receives[copy.slot], taken.at[copy.to]), self.is_due(copy)) for copy in copies
        )
        before = runs.named("past", selected((taken.at[p], self.pasts[p]) for p in runs.processes))
        self.before_send[number] = before
        came = [(bit, self.before_send[slot]) for slot, bit in taken.receives.items()]
        new: dict[Hashable, Bit] = {("sent", slot): bit for slot, bit in taken.receives.items()}
        new["sent", number] = taken.sends
        new |= {("got", copy.slot, copy.to): both(taken.receives[copy.slot], taken.at[copy.to]) for copy in copies}
        learnt = selected(came)
        names = {**before, **learnt, **new}
        after = {name: disj(part.get(name, False) for part in (before, learnt, new)) for name in names}
        after = runs.named("past", after)
        kept = {
            p: {name: either(but(self.pasts[p].get(name, False), taken.at[p]), both(taken.at[p], bit))
                for name, bit in after.items()}
            for p in runs.processes
        }  # fmt: skip
        self.pasts = {p: runs.named("past", past) for p, past in kept.items()}
        if runs.algorithm.semantic:
            self._see_dependency(number, taken)

    def _see_dependency(self, number: int, taken: Taken) -> None:
        """The messages behind an event: those whose sends it depends on, its own included."""
        earlier = range(1, number)
        must = {q: disj(both(bit, self._behind[u][q]) for u, bit in taken.depends_on.items() if q in self._behind[u])
                for q in earlier}  # fmt: skip
        came = {q: disj(both(bit, True if r == q else self._must[r].get(q, False))
                        for r, bit in taken.receives.items() if q <= r)
                for q in earlier}  # fmt: skip
        self._must[number] = self._named(must)
        self._behind[number] = self._named({**{q: either(must[q], came[q]) for q in earlier}, number: taken.sends})

    def _named(self, bits: dict[int, Bit]) -> dict[int, Bit]:
        return {q: self.runs.name("behind", bit) for q, bit in bits.items()}

    def required(self, past: Bits, slot: int, d: int) -> Bit:
        """Whether a past requires the fact that d must still get the message: it is sent there and not delivered, and
        no later message to d is sent there."""
        covered = disj(
            conj([past.get(("sent", later), False), self.runs.to(later, d),
                  self.before_send[later].get(("sent", slot), False)])
            for later in self.runs.slots if slot < later
        )  # fmt: skip
        needed = [past.get(("sent", slot), False), self.runs.to(slot, d), neg(past.get(("got", slot, d), False))]
        return conj([*needed, neg(covered)])
