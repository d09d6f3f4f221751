"""Compiled bookkeeping of what the model still has to be asked."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import DOWN, pair_key, place_of
from .compiled import kernel
from .completing import ASKED, UNKNOWN, WAITS
from .preparing import send_key


@kernel
def distinct_missing(missing, known_steps, locals):
    """Keep each missing item once: the first occurrences move to the front, and the counts become theirs."""
    kept = 0
    for index in range(missing.pair_count[0]):
        key = pair_key(missing.pairs[index, 0], missing.pairs[index, 1])
        place = place_of(known_steps.keys, key)
        if known_steps.keys[place] == np.uint64(0):
            known_steps.keys[place] = key
            known_steps.size[0] += 1
            missing.pairs[kept, 0] = missing.pairs[index, 0]
            missing.pairs[kept, 1] = missing.pairs[index, 1]
            kept += 1
    missing.pair_count[0] = kept
    kept = 0
    for index in range(missing.local_count[0]):
        local = missing.locals[index]
        if locals.sends[local] == UNKNOWN:
            locals.sends[local] = ASKED
            missing.locals[kept] = local
            kept += 1
    missing.local_count[0] = kept
    kept = 0
    for index in range(missing.other_count[0]):
        local = missing.others[index]
        if locals.internal[local] == UNKNOWN:
            locals.internal[local] = ASKED
            missing.others[kept] = local
            kept += 1
    missing.other_count[0] = kept


@kernel
def unanswered_receives(pairs, count, locals, packets, answered, wanted):
    """Write into `wanted` the distinct (model state, copy) among the first `count` pairs that the model has not been
    asked about, and mark them in the map `answered` as asked; returns how many."""
    found = 0
    for index in range(count):
        model = locals.model[pairs[index, 0]]
        copy = packets.copy[pairs[index, 1]]
        key = pair_key(model, copy)
        place = place_of(answered.keys, key)
        if model != DOWN and answered.keys[place] == np.uint64(0):
            answered.keys[place] = key
            answered.values[place] = WAITS
            answered.size[0] += 1
            wanted[found, 0] = model
            wanted[found, 1] = copy
            found += 1
    return found


@kernel
def unanswered_sends(wanted_locals, count, locals, pasts, choices, answered, wanted):
    """As `unanswered_receives`, for every destination set that the owner of each local state may choose."""
    found = 0
    width = choices.shape[1]
    for index in range(count):
        local = wanted_locals[index]
        model = locals.model[local]
        owner = pasts.owner[locals.past[local]]
        number = locals.sent[local] + 1 - locals.earlier[local]
        for choice in range(width):
            if choices[owner, choice] < 0 or model == DOWN:
                continue
            key = send_key(model, number, owner, choice, choices)
            place = place_of(answered.keys, key)
            if answered.keys[place] == np.uint64(0):
                answered.keys[place] = key
                answered.values[place] = WAITS
                answered.size[0] += 1
                wanted[found, 0] = model
                wanted[found, 1] = owner
                wanted[found, 2] = number
                wanted[found, 3] = choice
                found += 1
    return found


@kernel
def put_receive_answers(answered, wanted, values):
    """Enter what the model answered to the calls of `unanswered_receives`."""
    for index in range(len(wanted)):
        answered.values[place_of(answered.keys, pair_key(wanted[index, 0], wanted[index, 1]))] = values[index]


@kernel
def put_send_answers(answered, wanted, values, choices):
    """Enter what the model answered to the calls of `unanswered_sends`."""
    for index in range(len(wanted)):
        key = send_key(wanted[index, 0], wanted[index, 2], wanted[index, 1], wanted[index, 3], choices)
        answered.values[place_of(answered.keys, key)] = values[index]
