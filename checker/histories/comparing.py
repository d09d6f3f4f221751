"""Compiled comparison of what differs only in the names of processes: does the model treat processes alike?

Each local step of what is kept in full adds to one sum for each of a few renamings: the code of the call under that
renaming, and what came of it. Where calls that are renamings of each other are answered alike, all sums are the same.
The renamings are none, one that exchanges two processes and one that goes round all: all others are made of these.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..engine.bundles import Array, mix
from ..engine.compiled import kernel
from .noting import newest_together
from .symmetry import (
    Symmetry,
    code_alike,
    code_of_frontier,
    code_of_messages,
    is_compared,
    renamed_set,
    stands_for_orbit,
)
from .tables import COMPARED

EVERY = 1
"""Of one orbit in so many all is kept and compared: of every one."""

ALL_COMPARED = 4000
"""Pairs up to which that is so."""

SAMPLED = 8
"""Beyond, it is one orbit in so many times the number of renamings: about an eighth more to do."""


class Compared(NamedTuple):
    """Which renamings are compared; a sum for each over every orbit, and over one in `one_in`; the codes of one local
    state under each; and the newest sends of each process that a pair knows."""

    which: Array
    every: Array
    sampled: Array
    codes: Array
    newest: Array
    one_in: int


def new_compared(symmetry: Symmetry, processes: int) -> Compared:
    """Nothing is compared yet."""
    own = list(range(processes))
    chosen = [own, [*own[1::-1], *own[2:]], [*own[1:], 0]] if len(symmetry.names) else []
    which = np.array([symmetry.names.tolist().index(names) for names in chosen], np.int64)
    every, sampled, codes = (np.zeros(len(which), np.uint64) for _ in range(3))
    return Compared(which, every, sampled, codes, np.zeros(processes, np.int32), SAMPLED * len(symmetry.names))


@kernel
def code_local(compared, symmetry, pasts, per_process, past):
    """Write down the codes of a local state with this past: its frontier, and what is delivered there."""
    processes = len(compared.newest)
    for place in range(len(compared.which)):
        which = compared.which[place]
        renaming = symmetry.names[which]
        own = code_of_messages(pasts.own[past], processes, per_process, renaming, np.uint64(41))
        frontier = code_of_frontier(symmetry.codes, which, renaming, pasts.owner[past], pasts.newest[past])
        compared.codes[place] = mix(frontier, own)


@kernel
def outcome_of(step, steps):
    """A code of what came of a call: that it waits, or what its alternatives violate."""
    if step < 0:
        return mix(np.uint64(42), np.uint64(-step))
    total = np.uint64(0)
    while step >= 0:
        total += mix(np.uint64(43), steps.flags[step])
        step = steps.alternative[step]
    return total


@kernel
def add(compared, place, code, is_sampled):
    """Add to the sums of a renaming."""
    compared.every[place] += code
    if is_sampled:
        compared.sampled[place] += code


@kernel
def compare_receipts(compared, symmetry, pairs, results, places, pasts, sends, packets, locals, steps, per_process):
    """Add the receipts of pairs, `results` being their first steps. Returns how many would be left out if they were not
    compared."""
    only_compared = 0
    newest = compared.newest
    last = -1
    for index in range(len(pairs)):
        local, packet = pairs[index, 0], pairs[index, 1]
        past, event = locals.past[local], sends.known_as[packets.event[packet]]
        owner = pasts.owner[past]
        total = 0
        for process in range(len(newest)):
            newest[process] = sends.known_as[newest_together(pasts, sends, packets, past, packet, process)]
            total += sends.number[newest[process]]
        is_sampled = True
        if total == symmetry.most_sends:
            only_compared += not stands_for_orbit(symmetry, sends, owner, newest)
            is_sampled = code_alike(symmetry, owner, newest) % np.uint64(compared.one_in) == np.uint64(0)
            if not is_sampled and symmetry.one_in != EVERY:
                continue
        if local != last:
            code_local(compared, symmetry, pasts, per_process, past)
            last = local
        outcome = outcome_of(results[index], steps)
        for place in range(len(compared.which)):
            code = mix(compared.codes[place], symmetry.codes[compared.which[place], event])
            add(compared, place, mix(code, outcome), is_sampled)
    return only_compared


@kernel
def compare_sends(compared, symmetry, wanted, choices, send_steps, dest_bits, pasts, locals, steps, per_process):
    """Add the sends of local states, which are all kept."""
    for local in wanted:
        past = locals.past[local]
        code_local(compared, symmetry, pasts, per_process, past)
        for choice in range(choices.shape[1]):
            dests = choices[pasts.owner[past], choice]
            if dests < 0:
                continue
            outcome = outcome_of(send_steps.items[locals.sends[local] + choice], steps)
            for place in range(len(compared.which)):
                named = renamed_set(dest_bits[dests], symmetry.names[compared.which[place]])
                add(compared, place, mix(mix(compared.codes[place], named), outcome), True)


@kernel
def drop_compared(places, symmetry, pasts, locals):
    """Keep only those of the local states kept to be compared that are still compared."""
    for local in range(places.size[0]):
        past = locals.past[local]
        if places.frontier[local] == COMPARED and not is_compared(symmetry, pasts.owner[past], pasts.newest[past]):
            places.frontier[local] = 0
