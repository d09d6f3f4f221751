"""Runs of a bounded number of steps as formulas: who acts in each step, what is sent to whom, what is received.

Nothing is enumerated: a model of the formulas is a run. Of runs that differ only in the order of independent steps one
is kept, the least in the order of the processes, and of runs that differ only in the names of processes some are left
out where the algorithm has none of them in its steps. Neither hides a violation, and none is found later for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import z3

from .algorithm import Algorithm, Event
from .booleans import (
    Bit,
    Bits,
    at_most_one,
    both,
    but,
    chosen_bits,
    conj,
    disj,
    either,
    exactly_one,
    how_many,
    implies,
    neg,
    same,
    selected,
)
from .parts import Bounds, Copy, Taken


class Unrolling:
    """The formulas of all runs of `len(steps)` steps; `extend` adds a step."""

    def __init__(self, algorithm: Algorithm, bounds: Bounds, seed: int = 0) -> None:
        self.algorithm = algorithm
        self.bounds = bounds
        self.solver = z3.SolverFor("QF_FD")
        self.solver.set("random_seed", seed)
        self.steps: list[Taken] = []
        self._adding: Taken | None = None
        self.copies: list[Copy] = []
        self.states: dict[int, Bits] = {p: algorithm.start(self) for p in self.processes}
        self._names: dict[int, Bit] = {}
        self._kept: list[Bit] = []
        self._ready: dict[tuple[int, int, int, bool], Bit] = {}
        self._same: dict[tuple[int, int], Bit] = {}

    @property
    def processes(self) -> range:
        """The processes, 1..n."""
        return range(1, self.bounds.processes + 1)

    @property
    def slots(self) -> range:
        """The steps before the one that is being added, or all of them."""
        return range(1, len(self.steps) + 1)

    def step(self, slot: int) -> Taken:
        """A step by its number, from 1."""
        return self.steps[slot - 1]

    def to(self, slot: int, d: int) -> Bit:
        """Whether the step sends a message that is addressed to d."""
        return self.step(slot).dests[d]

    def acts(self, slot: int, p: int) -> Bit:
        """Whether the step is one of p."""
        return self._current(slot).at[p]

    def same_sender(self, slot: int, other: int) -> Bit:
        """Whether both steps send, and are of one process."""
        pair = (min(slot, other), max(slot, other))
        if pair not in self._same:
            a, b = map(self._current, pair)
            one = disj(both(a.at[p], b.at[p]) for p in self.processes)
            self._same[pair] = self.name("same", conj([a.sends, b.sends, one]))
        return self._same[pair]

    def _current(self, slot: int) -> Taken:
        if self._adding is not None and slot == len(self.steps) + 1:
            return self._adding
        return self.step(slot)

    def require(self, conditions: Iterable[Bit]) -> None:
        """Runs are those in which these hold."""
        for condition in conditions:
            if condition is not True:
                self.solver.add(condition)

    def name(self, prefix: str, formula: Bit) -> Bit:
        """A name for the formula, which keeps what is built on it small."""
        if isinstance(formula, bool) or z3.is_const(formula):
            return formula
        key = formula.get_id()
        if key not in self._names:
            self._names[key] = z3.FreshBool(prefix)
            self._kept.append(formula)
            self.solver.add(same(self._names[key], formula))
        return self._names[key]

    def named(self, prefix: str, bits: Bits) -> dict[Any, Bit]:
        """Names for all of them."""
        return {key: self.name(prefix, bit) for key, bit in bits.items() if bit is not False}

    def is_ready(self, copy: Copy) -> Bit:
        """Whether the delivery condition of a copy holds now, whatever the channel says."""
        key = (len(self.steps), copy.slot, copy.to, copy.is_signal)
        if key not in self._ready:
            state = self.states[copy.to]
            if copy.is_signal:
                ready = self.algorithm.signal_is_ready(self, state, copy.to, copy.contents)
            else:
                ready = self.algorithm.is_ready(self, state, copy.to, copy.contents, self.step(copy.slot).at)
            self._ready[key] = self.name("ready", ready)
        return self._ready[key]

    def may_pass(self, copy: Copy) -> Bit:
        """Whether the channel lets the copy be received before those that were transmitted earlier there."""
        if self.bounds.channel == "unordered":
            return True
        conditions = []
        for older in self.copies:
            if older.to == copy.to and self._transmitted(older) < self._transmitted(copy):
                first, second = self.step(older.slot).at, self.step(copy.slot).at
                on_channel = both(older.in_transit, disj(both(first[p], second[p]) for p in self.processes))
                blocks = both(on_channel, self.is_ready(older)) if self.bounds.channel == "fifo" else on_channel
                conditions.append(neg(blocks))
        return conj(conditions)

    def _transmitted(self, copy: Copy) -> tuple[int, bool]:
        return copy.slot, copy.is_signal != self.algorithm.signals_first

    def receivable(self, copy: Copy) -> Bit:
        """Whether the copy may be received now."""
        return conj([copy.in_transit, self.is_ready(copy), self.may_pass(copy)])

    def extend(self, on_step: Callable[[Taken], None] = lambda taken: None) -> None:
        """Add a step. `on_step` is told of it before its effect."""
        number = len(self.steps) + 1
        taken = self._some_step(number)
        self._adding = taken
        self.require(self._well_formed(taken))
        self.require(self._possible(taken))
        self.require(self._is_least(taken))
        on_step(taken)
        self._take(number, taken)

    def _some_step(self, number: int) -> Taken:
        def fresh(what: str, indices: Iterable[int]) -> dict[int, Bit]:
            return {i: z3.Bool(f"{what}[{number},{i}]") for i in indices}

        earlier = range(1, number)
        signals = earlier if self.algorithm.has_signals else ()
        depends = earlier if self.algorithm.semantic else ()
        return Taken(
            fresh("at", self.processes), z3.Bool(f"send[{number}]"), fresh("to", self.processes),
            fresh("receive", earlier), fresh("signal", signals), fresh("depends", depends),
        )  # fmt: skip

    def _well_formed(self, taken: Taken) -> Iterable[Bit]:
        """One process, one thing that it does, destinations as the bounds have them."""
        yield from exactly_one(taken.at.values())
        yield from exactly_one([taken.sends, *taken.receives.values(), *taken.takes_signal.values()])
        for d, bit in taken.dests.items():
            yield implies(bit, but(taken.sends, taken.at[d]))
            if self.bounds.dests == "broadcast":
                yield implies(but(taken.sends, taken.at[d]), bit)
        yield implies(taken.sends, disj(taken.dests.values()))
        if self.bounds.dests == "unicast":
            yield from at_most_one(taken.dests.values())
        if self.bounds.sends is not None:
            sends = how_many([*(s.sends for s in self.steps), taken.sends])
            yield conj(neg(bit) for bit in sends[self.bounds.sends :])
        yield from at_most_one(taken.depends_on.values())
        for on, bit in taken.depends_on.items():
            at = self.step(on).at
            yield implies(bit, disj(both(taken.at[p], at[p]) for p in self.processes))
            is_last = neg(disj(both(s.at[p], taken.at[p]) for s in self.steps[on:] for p in self.processes))
            own = disj(both(taken.at[p], at[p]) for p in self.processes)
            rule = self.algorithm.delivery_dependency(self, len(self.steps) + 1, on, both(own, is_last))
            if rule is not None:
                yield either(taken.sends, same(bit, rule))

    def _possible(self, taken: Taken) -> Iterable[Bit]:
        """What is received is in transit to the process, ready, and not behind others on its channel."""
        for slots, is_signal in ((taken.receives, False), (taken.takes_signal, True)):
            for slot, bit in slots.items():
                for copy in self.copies:
                    if (copy.slot, copy.is_signal) == (slot, is_signal):
                        yield implies(both(bit, taken.at[copy.to]), self.receivable(copy))

    def _is_least(self, taken: Taken) -> Iterable[Bit]:
        """Of runs with the same computation the one in which a step of a process never comes after a step of a larger
        one that it could be moved ahead of; the first process is 1 where names do not matter."""
        number = len(self.steps) + 1
        if number == 1:
            if self.algorithm.is_symmetric:
                yield taken.at[1]
                for d in list(self.processes)[2:]:
                    yield implies(taken.dests[d], taken.dests[d - 1])
            return
        held: Bit = False
        for slot in reversed(self.slots):
            earlier = self.step(slot)
            held = self.name("after", either(held, self.depends(taken, slot)))
            for p in self.processes:
                for q in range(1, p):
                    yield implies(both(earlier.at[p], taken.at[q]), held)

    def depends(self, taken: Taken, slot: int) -> Bit:
        """Whether a step cannot change places with an earlier one: the same process, or what it receives is from it."""
        own = disj(both(self.step(slot).at[p], taken.at[p]) for p in self.processes)
        return either(own, taken.takes_from(slot))

    def _take(self, number: int, taken: Taken) -> None:
        """The state after the step."""
        before = selected((taken.at[p], self.states[p]) for p in self.processes)
        before = self.named("before", before)
        sent = self.algorithm.send(self, self._sending(number, taken), before)
        received = self.algorithm.receive(
            self, self._receiving(taken, taken.receives), before, self._taken(taken, False)
        )
        outcomes = [(taken.sends, sent.state), (disj(taken.receives.values()), received.state)]
        emitted = [(taken.sends, sent.emitted), (disj(taken.receives.values()), received.emitted)]
        if self.algorithm.has_signals:
            event = self._receiving(taken, taken.takes_signal)
            signalled = self.algorithm.receive_signal(self, event, before, self._taken(taken, True))
            outcomes.append((disj(taken.takes_signal.values()), signalled.state))
        after = self.named("after", selected(outcomes))
        for copy in self.copies:
            slots = taken.takes_signal if copy.is_signal else taken.receives
            copy.received = self.name("received", either(copy.received, both(slots[copy.slot], taken.at[copy.to])))
        self.states = {p: self.named("state", chosen_bits(taken.at[p], after, self.states[p])) for p in self.processes}
        self.steps.append(taken)
        for d in self.processes:
            contents = self.named("copy", sent.copies[d])
            self.copies.append(Copy(number, d, False, taken.dests[d], contents))
        if self.algorithm.has_signals:
            self._emit(number, emitted)

    def _emit(self, number: int, emitted: Iterable[tuple[Bit, Mapping[int, tuple[Bit, Bits]]]]) -> None:
        for d in self.processes:
            cases = [(condition, *what[d]) for condition, what in emitted if d in what]
            exists = self.name("emitted", disj(both(condition, bit) for condition, bit, _ in cases))
            contents = self.named("signal", selected((condition, bits) for condition, _, bits in cases))
            self.copies.append(Copy(number, d, True, exists, contents))

    def _sending(self, number: int, taken: Taken) -> Event:
        return Event(number, taken.at, taken.at, taken.dests, {number: True}, taken.depends_on)

    def _receiving(self, taken: Taken, slots: Mapping[int, Bit]) -> Event:
        number = len(self.steps) + 1
        sender = {p: disj(both(bit, self.step(q).at[p]) for q, bit in slots.items()) for p in self.processes}
        dests = {d: disj(both(bit, self.to(q, d)) for q, bit in slots.items()) for d in self.processes}
        return Event(
            number,
            taken.at,
            {p: self.name("sender", bit) for p, bit in sender.items()},
            {d: self.name("dests", bit) for d, bit in dests.items()},
            slots,
        )

    def _taken(self, taken: Taken, is_signal: bool) -> Bits:
        """The contents of what is received."""
        slots = taken.takes_signal if is_signal else taken.receives
        mine = [copy for copy in self.copies if copy.is_signal == is_signal]
        contents = selected((both(slots[copy.slot], taken.at[copy.to]), copy.contents) for copy in mine)
        return self.named("taken", contents)
