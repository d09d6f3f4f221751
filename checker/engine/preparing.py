"""Compiled preparation of local steps that are to be entered, and the filing of what came of them."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from .bundles import DOWN, pair_key, place_of
from .compiled import kernel
from .completing import RECEIVING, SENDING, WAITS, WAITS_NEEDLESSLY, is_addressed
from .pasts import is_delivered, is_due


@kernel
def prepare_receives(pairs, answered, pasts, sends, locals, packets, rules, work):
    """Fill `work` with the receipts of (local state, packet) pairs."""
    for index in range(len(work.local)):
        local = pairs[index, 0]
        packet = pairs[index, 1]
        event = packets.event[packet]
        past = locals.past[local]
        work.local[index] = local
        work.hand[index] = event
        work.kind[index] = RECEIVING
        work.answer[index] = -1
        work.result[index] = WAITS
        if locals.model[local] == DOWN:
            continue
        answer = answered.values[place_of(answered.keys, pair_key(locals.model[local], packets.copy[packet]))]
        work.answer[index] = answer
        if (
            answer < 0
            and event > 0
            and is_addressed(rules, sends, event, packets.to[packet])
            and not is_delivered(pasts, sends, rules.per_process, past, event)
            and is_due(pasts, sends, past, event)
        ):
            work.result[index] = WAITS_NEEDLESSLY


@kernel
def put_steps(pairs, known_steps, results):
    """Enter the results of receipts into the map of local steps."""
    for index in range(len(results)):
        key = pair_key(pairs[index, 0], pairs[index, 1])
        known_steps.values[place_of(known_steps.keys, key)] = results[index]


@kernel
def send_key(model, number, owner, choice, choices):
    """The key of one call of the model's `send`."""
    return pair_key(model, (number * choices.shape[0] + owner) * choices.shape[1] + choice)


@kernel
def prepare_sends(wanted, answered, pasts, locals, choices, work):
    """Fill `work` with the sends of local states, one entry for each destination set."""
    width = choices.shape[1]
    for index in range(len(work.local)):
        local = wanted[index // width]
        choice = index % width
        owner = pasts.owner[locals.past[local]]
        dests = choices[owner, choice]
        work.local[index] = local
        work.kind[index] = SENDING
        work.dests[index] = dests
        work.answer[index] = -1
        work.result[index] = WAITS
        if dests >= 0 and locals.model[local] != DOWN:
            number = locals.sent[local] + 1 - locals.earlier[local]
            key = send_key(locals.model[local], number, owner, choice, choices)
            work.answer[index] = answered.values[place_of(answered.keys, key)]
