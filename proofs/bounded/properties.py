"""The properties as formulas: what would be wrong after the last step of a run, and which runs need be looked at.

What is wrong shows in one local step, but for Delivery. In a shortest run to it every other step lies in the past of
what shows it, since a step that nothing depends on could be left out. So only such runs are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import z3

from .booleans import Bit, at_most_one, both, but, conj, disj, either, implies, neg, same
from .history import History
from .parts import Copy
from .unrolling import Unrolling

Question = tuple[Bit, list[Bit]]
"""What would be wrong after the last step, and the conditions on a shortest run to it."""


def causal_order(runs: Unrolling, history: History) -> Question:
    """The last step delivers too early."""
    return history.too_early, list(leads_to_last(runs))


def no_needless_delay(runs: Unrolling, history: History) -> Question:
    """Some copy waits although all that must precede it is delivered."""
    waiting = [(copy, waits_needlessly(runs, history, copy)) for copy in runs.copies if not copy.is_signal]
    wrong = runs.name("needless", disj(bit for _, bit in waiting))
    shown = {(copy.slot, copy.to): runs.name("shown", bit) for copy, bit in waiting if bit is not False}
    return wrong, list(leads_to_copies(runs, shown))


def waits_needlessly(runs: Unrolling, history: History, copy: Copy) -> Bit:
    """The copy is in transit, due and not ready."""
    return conj([copy.in_transit, history.is_due(copy), neg(runs.is_ready(copy))])


def delivery(runs: Unrolling, history: History) -> Question:
    """A message is not delivered and nothing in transit is receivable.

    The earliest undelivered copy is due, so a needless delay is part of it, unless something else is ahead of it on its
    channel: this tells the solver where to look.
    """
    left = disj(copy.in_transit for copy in runs.copies if not copy.is_signal)
    stuck = conj([left, *(neg(runs.receivable(copy)) for copy in runs.copies)])
    if runs.algorithm.has_signals and runs.bounds.channel == "fifo-delivery":
        return stuck, []
    return both(stuck, no_needless_delay(runs, history)[0]), []


def minimality(runs: Unrolling, history: History) -> Question:
    """The state of the last step's process, or a copy that it transmits, asserts other than the required facts."""
    last, number = runs.steps[-1], len(runs.steps)
    wrong = []
    for p in runs.processes:
        for q in runs.slots:
            for d in runs.processes:
                stored = runs.algorithm.state_fact(runs, runs.states[p], q, d)
                wrong.append(but(last.at[p], same(stored, history.required(history.pasts[p], q, d))))
    past = history.before_send[number]
    for copy in runs.copies:
        if copy.slot == number and not copy.is_signal:
            for q in range(1, number):
                for d in runs.processes:
                    stored = runs.algorithm.copy_fact(runs, copy.contents, copy.to, q, d)
                    is_other = False if d == copy.to else last.dests[d]
                    required = but(history.required(past, q, d), is_other)
                    wrong.append(but(copy.exists, same(stored, required)))
    return disj(wrong), list(leads_to_last(runs))


def leads_to_last(runs: Unrolling) -> Iterable[Bit]:
    """Every step but the last has one later that depends on it."""
    return (has_successor(runs, slot) for slot in runs.slots[:-1])


def leads_to_copies(runs: Unrolling, shown: Mapping[tuple[int, int], Bit]) -> Iterable[Bit]:
    """A copy is chosen that shows what is wrong; every step has one later that depends on it, is that which sends the
    copy, or is the last of the process that the copy waits at."""
    which = {key: z3.Bool(f"which[{len(runs.steps)},{key[0]},{key[1]}]") for key in shown}
    yield disj(which.values())
    yield from at_most_one(which.values())
    for key, bit in which.items():
        yield implies(bit, shown[key])
    for slot in runs.slots:
        sends = disj(bit for (sent, _), bit in which.items() if sent == slot)
        waits = disj(both(bit, runs.step(slot).at[to]) for (_, to), bit in which.items())
        yield either(has_successor(runs, slot), either(sends, waits))


def has_successor(runs: Unrolling, slot: int) -> Bit:
    """Whether a later step depends on this one."""
    return runs.name("followed", disj(runs.depends(later, slot) for later in runs.steps[slot:]))


PROPERTIES: Mapping[str, Callable[[Unrolling, History], Question]] = {
    "CausalOrder": causal_order,
    "NoNeedlessDelay": no_needless_delay,
    "Minimality": minimality,
    "Delivery": delivery,
}
