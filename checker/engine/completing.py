"""Compiled completion of local steps: what the model answered for (model state, copy), joined with the pasts.

Everything that is local is judged here, once per local step, local state or packet. Verdicts are bits of `flags`.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import MORE, OWN_DELIVERED, pair_key, place_of
from .compiled import kernel
from .interning import (
    intern_local,
    intern_packet,
    intern_send,
    is_subset,
    past_after_delivery,
    past_after_send,
    past_of_deliveries,
)

CAUSAL_ORDER = 1
NEEDLESS_DELAY = 2
STUCK = 4
STATE_MISSING = 8
STATE_REDUNDANT = 16
PACKET_MISSING = 32
PACKET_REDUNDANT = 64
USER = 128
"""The first bit for a user's own properties."""

WAITS = -1
WAITS_NEEDLESSLY = -2
"""What the map of local steps says where a receive gives no step."""

SENDS_UNKNOWN = -1
SENDS_ASKED = -2
"""Values of `Locals.sends` before the send steps are known."""


@kernel
def judge_local(pasts, sends, facts, local, locals):
    """Compare what a model state asserts with the required set of its past (algorithms.md, section 1)."""
    past = locals.past[local]
    model = locals.model[local]
    missing = False
    redundant = facts.strange[model] != 0
    for destination in range(pasts.newest.shape[1]):
        there = past_of_deliveries(pasts, sends, past, destination)
        for word in range(pasts.own.shape[1]):
            settled = pasts.cover[past, destination, word] | pasts.own[there, word]
            required = pasts.known[past, destination, word] & ~settled
            asserted = facts.asserted[model, destination, word]
            missing = missing or required & ~asserted != np.uint64(0)
            redundant = redundant or asserted & ~required != np.uint64(0)
    return (STATE_MISSING if missing else 0) | (STATE_REDUNDANT if redundant else 0)


@kernel
def judge_packet(pasts, sends, dest_bits, facts, packet, packets):
    """Compare what a copy asserts with what was required just before the send, less its other destinations."""
    event = packets.event[packet]
    past = sends.past[event]
    copy = packets.copy[packet]
    bits = dest_bits[sends.dests[event]]
    missing = False
    redundant = facts.strange[copy] != 0
    for destination in range(pasts.newest.shape[1]):
        addressed = (bits >> np.uint64(destination)) & np.uint64(1) != np.uint64(0)
        there = past_of_deliveries(pasts, sends, past, destination)
        for word in range(pasts.own.shape[1]):
            settled = pasts.cover[past, destination, word] | pasts.own[there, word]
            required = pasts.known[past, destination, word] & ~settled
            if addressed and destination != packets.to[packet]:
                required = np.uint64(0)
            asserted = facts.asserted[copy, destination, word]
            missing = missing or required & ~asserted != np.uint64(0)
            redundant = redundant or asserted & ~required != np.uint64(0)
    return (PACKET_MISSING if missing else 0) | (PACKET_REDUNDANT if redundant else 0)


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
        if locals.sends[local] == SENDS_UNKNOWN:
            locals.sends[local] = SENDS_ASKED
            missing.locals[kept] = local
            kept += 1
    missing.local_count[0] = kept


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
        if answered.keys[place] == np.uint64(0):
            answered.keys[place] = key
            answered.values[place] = WAITS
            answered.size[0] += 1
            wanted[found, 0] = model
            wanted[found, 1] = copy
            found += 1
    return found


@kernel
def complete_receives(
    pairs, count, pasts, sends, locals, packets, answered, answers, steps, known_steps, dest_bits, per_process,
    state_facts, judge_facts,
):  # fmt: skip
    """Compute the local steps of `count` (local state, packet) pairs and enter them into the map `known_steps`."""
    for index in range(count):
        local = pairs[index, 0]
        packet = pairs[index, 1]
        event = packets.event[packet]
        past = locals.past[local]
        to = packets.to[packet]
        before = pasts.known[sends.past[event], to]
        in_order = is_subset(before, pasts.own[past])
        answer = answered.values[place_of(answered.keys, pair_key(locals.model[local], packets.copy[packet]))]
        result = WAITS_NEEDLESSLY if in_order else WAITS
        if answer >= 0:
            after = past_after_delivery(pasts, sends, dest_bits, per_process, past, event)
            result = steps.size[0]
            more = True
            while more:
                size = locals.size[0]
                new = intern_local(locals, pasts, sends, answers.state[answer], after)
                if judge_facts and locals.size[0] > size:
                    locals.flags[new] = judge_local(pasts, sends, state_facts, new, locals)
                step = steps.size[0]
                more = answers.more[answer] & MORE != 0
                steps.next[step] = new
                steps.flags[step] = locals.flags[new] | (0 if in_order else CAUSAL_ORDER)
                steps.alternative[step] = step + 1 if more else -1
                steps.length[step] = 0
                steps.size[0] = step + 1
                answer += 1
        place = place_of(known_steps.keys, pair_key(local, packet))
        known_steps.values[place] = result


@kernel
def unanswered_sends(wanted_locals, count, locals, pasts, choices, answered, wanted):
    """As `unanswered_receives`, for every destination set that the owner of each local state may choose."""
    found = 0
    width = choices.shape[1]
    for index in range(count):
        local = wanted_locals[index]
        model = locals.model[local]
        owner = pasts.owner[locals.past[local]]
        number = locals.sent[local] + 1
        for choice in range(width):
            if choices[owner, choice] < 0:
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
def send_key(model, number, owner, choice, choices):
    """The key of one call of the model's `send`."""
    return pair_key(model, (number * choices.shape[0] + owner) * choices.shape[1] + choice)


@kernel
def complete_sends(
    wanted_locals, count, pasts, sends, locals, packets, answered, answers, copies, copy_to, steps, send_steps,
    local_packets, dest_bits, choices, per_process, state_facts, packet_facts, judge_facts,
):  # fmt: skip
    """Compute the send steps of `count` local states: per destination set an entry of `send_steps`, a step or -1."""
    width = choices.shape[1]
    for index in range(count):
        local = wanted_locals[index]
        past = locals.past[local]
        owner = pasts.owner[past]
        locals.sends[local] = send_steps.size[0]
        for choice in range(width):
            result = -1
            dests = choices[owner, choice]
            answer = -1
            if dests >= 0:
                key = send_key(locals.model[local], locals.sent[local] + 1, owner, choice, choices)
                answer = answered.values[place_of(answered.keys, key)]
            if answer >= 0:
                event = intern_send(pasts, sends, past, dests)
                after = past_after_send(pasts, sends, dest_bits, per_process, past, event)
                wrong = 0
                if answers.more[answer] & OWN_DELIVERED != 0:
                    if not is_subset(pasts.known[past, owner], pasts.own[past]):
                        wrong = CAUSAL_ORDER
                    after = past_after_delivery(pasts, sends, dest_bits, per_process, after, event)
                result = steps.size[0]
                more = True
                while more:
                    size = locals.size[0]
                    new = intern_local(locals, pasts, sends, answers.state[answer], after)
                    if judge_facts and locals.size[0] > size:
                        locals.flags[new] = judge_local(pasts, sends, state_facts, new, locals)
                    step = steps.size[0]
                    more = answers.more[answer] & MORE != 0
                    flags = locals.flags[new] | wrong
                    steps.first[step] = local_packets.size[0]
                    steps.length[step] = answers.length[answer]
                    for item in range(answers.first[answer], answers.first[answer] + answers.length[answer]):
                        copy = copies.items[item]
                        size = packets.size[0]
                        packet = intern_packet(
                            packets, pasts, sends, dest_bits, per_process, event, copy, copy_to.items[copy]
                        )
                        if judge_facts and packets.size[0] > size:
                            packets.flags[packet] = judge_packet(pasts, sends, dest_bits, packet_facts, packet, packets)
                        flags |= packets.flags[packet]
                        local_packets.items[local_packets.size[0]] = packet
                        local_packets.size[0] += 1
                    steps.next[step] = new
                    steps.flags[step] = flags
                    steps.alternative[step] = step + 1 if more else -1
                    steps.size[0] = step + 1
                    answer += 1
            send_steps.items[send_steps.size[0]] = result
            send_steps.size[0] += 1


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
