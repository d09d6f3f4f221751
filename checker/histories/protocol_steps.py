"""Compiled steps of parts: what is known after a receipt or a transmission, and the new parts and parcels."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from ..engine.bundles import mix, pair_key, place_of
from ..engine.compiled import kernel
from ..engine.completing import WAITS_NEEDLESSLY
from ..engine.interning import intern_held
from ..engine.local_verdicts import NEEDLESS_DELAY
from ..engine.pasts import is_due
from .noting import note_violation, own_deliveries


@kernel
def copy_knowledge(knowledge, known):
    """Write a copy at index `size`, to be changed and interned."""
    new = knowledge.size[0]
    knowledge.owner[new] = knowledge.owner[known]
    knowledge.received[new] = knowledge.received[known]
    for process in range(knowledge.newest.shape[1]):
        knowledge.newest[new, process] = knowledge.newest[known, process]
    return new


@kernel
def intern_knowledge(knowledge):
    """The number of what was written at index `size`; it becomes a new entry only if there is no equal one."""
    new = knowledge.size[0]
    hash = mix(mix(np.uint64(31), knowledge.owner[new]), knowledge.received[new])
    for process in range(knowledge.newest.shape[1]):
        hash = mix(hash, knowledge.newest[new, process])
    mask = np.uint64(len(knowledge.table) - 1)
    place = hash & mask
    while knowledge.table[place] != 0:
        old = knowledge.table[place] - 1
        same = knowledge.owner[old] == knowledge.owner[new] and knowledge.received[old] == knowledge.received[new]
        for process in range(knowledge.newest.shape[1]):
            same = same and knowledge.newest[old, process] == knowledge.newest[new, process]
        if same:
            return old
        place = (place + np.uint64(1)) & mask
    knowledge.table[place] = new + 1
    knowledge.hash[new] = hash
    knowledge.size[0] = new + 1
    return new


@kernel
def with_received(received, items, parcel):
    """The list `items`, which descends, with one parcel more."""
    rest = items
    while rest > 0 and received.event[rest] > parcel:
        rest = received.rest[rest]
    result = intern_held(received, parcel, rest)
    last = parcel
    while True:
        following = 0
        item = items
        while item > 0 and received.event[item] > last:
            following = received.event[item]
            item = received.rest[item]
        if following == 0:
            return result
        result = intern_held(received, following, result)
        last = following


@kernel
def has_received(received, items, parcel):
    """Whether a parcel is in a list, which descends."""
    while items > 0 and received.event[items] > parcel:
        items = received.rest[items]
    return items > 0 and received.event[items] == parcel


@kernel
def known_after_receipt(net, known, parcel):
    """What is known after the receipt of a parcel: also what its sender knew when it transmitted it."""
    knowledge, events = net.knowledge, net.events
    event = net.parcels.transmission[parcel]
    before = events.before[event]
    new = copy_knowledge(knowledge, known)
    for process in range(knowledge.newest.shape[1]):
        theirs = event if process == events.sender[event] else knowledge.newest[before, process]
        if events.number[theirs] > events.number[knowledge.newest[new, process]]:
            knowledge.newest[new, process] = theirs
    knowledge.received[new] = with_received(net.received, knowledge.received[known], parcel)
    return intern_knowledge(knowledge)


@kernel
def known_after_transmission(net, known, event):
    """What is known just after a transmission of one's own."""
    new = copy_knowledge(net.knowledge, known)
    net.knowledge.newest[new, net.knowledge.owner[known]] = event
    return intern_knowledge(net.knowledge)


@kernel
def intern_transmission(net, known, step, is_send, origin, received, steps, local_packets, packets):
    """The number of the transmission that is this local step after so much was known; a new one gets its parcels."""
    events, parcels = net.events, net.parcels
    hash = mix(mix(np.uint64(32), known), step)
    mask = np.uint64(len(events.table) - 1)
    place = hash & mask
    while events.table[place] != 0:
        old = events.table[place] - 1
        if events.before[old] == known and events.step[old] == step:
            return old
        place = (place + np.uint64(1)) & mask
    new = events.size[0]
    sender = net.knowledge.owner[known]
    previous = net.knowledge.newest[known, sender]
    events.before[new] = known
    events.step[new] = step
    events.sender[new] = sender
    events.number[new] = events.number[previous] + 1
    events.sent[new] = events.sent[previous] + is_send
    events.is_send[new] = is_send
    events.previous[new] = previous
    events.origin[new] = origin
    events.received[new] = received
    events.frontier[new] = events.told[new] = events.length[new] = 0
    events.first[new] = parcels.size[0] if steps.length[step] > 0 else 0
    events.hash[new] = hash
    events.table[place] = new + 1
    events.size[0] = new + 1
    while previous > 0:
        if events.step[previous] == step:
            net.endless[0] = 1
        previous = events.previous[previous]
    for item in range(steps.first[step], steps.first[step] + steps.length[step]):
        packet = local_packets.items[item]
        parcel = parcels.size[0]
        parcels.packet[parcel] = packet
        parcels.transmission[parcel] = new
        parcels.to[parcel] = packets.to[packet]
        parcels.rest_sent[parcel] = 0
        parcels.size[0] = parcel + 1
        packets.reached[packet] = 1
    return new


@kernel
def intern_part(parts, state, known, origin, received):
    """The number of a part; `origin` is the frontier of the part whose step leads to it, `received` the transmission
    received in that step."""
    hash = mix(mix(np.uint64(33), state), known)
    mask = np.uint64(len(parts.table) - 1)
    place = hash & mask
    while parts.table[place] != 0:
        old = parts.table[place] - 1
        if parts.state[old] == state and parts.knowledge[old] == known:
            return old
        place = (place + np.uint64(1)) & mask
    new = parts.size[0]
    parts.state[new] = state
    parts.knowledge[new] = known
    parts.origin[new] = origin
    parts.received[new] = received
    parts.frontier[new] = parts.rest[new] = 0
    parts.hash[new] = hash
    parts.table[place] = new + 1
    parts.size[0] = new + 1
    return new


@kernel
def sends_in(net, known, parcel):
    """How many sends are known in all, with what the sender of a parcel (0 for none) knew."""
    knowledge, events = net.knowledge, net.events
    event = net.parcels.transmission[parcel]
    before = events.before[event]
    total = 0
    for process in range(knowledge.newest.shape[1]):
        here = events.sent[knowledge.newest[known, process]]
        if parcel > 0:
            theirs = event if process == events.sender[event] else knowledge.newest[before, process]
            here = max(here, events.sent[theirs])
        total += here
    return total


@kernel
def take_step(net, part, parcel, step, is_send, noted, steps, local_packets, locals, packets):
    """Enter what a local step of the engine and its alternatives make of a part and a parcel (0 for none), and note
    what is wrong with them."""
    known = net.parts.knowledge[part]
    origin = net.parts.frontier[part]
    if step == WAITS_NEEDLESSLY:
        note_violation(noted, NEEDLESS_DELAY, sends_in(net, known, parcel), part, parcel, -1)
    if step < 0:
        return
    received = net.parcels.transmission[parcel]
    if parcel > 0:
        known = known_after_receipt(net, known, parcel)
    while step >= 0:
        after = known
        if is_send != 0 or steps.length[step] > 0:
            event = intern_transmission(net, known, step, is_send, origin, received, steps, local_packets, packets)
            after = known_after_transmission(net, known, event)
            if is_send == 0:
                net.has_others[0] = 1
        new = intern_part(net.parts, steps.next[step], after, origin, received)
        locals.reached[steps.next[step]] = 1
        if steps.flags[step] != 0:
            note_violation(noted, steps.flags[step], sends_in(net, after, 0), new, 0, new)
        step = steps.alternative[step]


@kernel
def reaches_all(step, steps, local_packets, locals, packets, pasts, sends, rules):
    """Whether a send transmits a packet to every destination, its own copy taken at the send apart."""
    past = locals.past[steps.next[step]]
    owner = pasts.owner[past]
    event = pasts.newest[past, owner]
    missed = rules.dest_bits[sends.dests[event]]
    if rules.takes_own:
        missed &= ~(np.uint64(1) << np.uint64(owner))
    for item in range(steps.first[step], steps.first[step] + steps.length[step]):
        packet = local_packets.items[item]
        if packets.event[packet] == event:
            missed &= ~(np.uint64(1) << np.uint64(packets.to[packet]))
    return missed == np.uint64(0)


@kernel
def take_sends(net, wanted, width, noted, send_steps, steps, local_packets, locals, packets, pasts, sends, rules):
    """The sends of parts, whose states have them all."""
    for part in wanted:
        first = locals.sends[net.parts.state[part]]
        for choice in range(width):
            step = send_steps.items[first + choice]
            take_step(net, part, 0, step, 1, noted, steps, local_packets, locals, packets)
            while step >= 0:
                if not reaches_all(step, steps, local_packets, locals, packets, pasts, sends, rules):
                    net.passes_on[0] = 1
                step = steps.alternative[step]


@kernel
def take_internals(net, wanted, noted, steps, local_packets, locals, packets):
    """The steps that parts take by themselves, and what is wrong where they do not deliver a message held."""
    for part in wanted:
        state = net.parts.state[part]
        if locals.flags[state] & NEEDLESS_DELAY != 0:
            cost = sends_in(net, net.parts.knowledge[part], 0)
            note_violation(noted, NEEDLESS_DELAY, cost, part, 0, part)
        step = locals.internal[state]
        take_step(net, part, 0, step, 0, noted, steps, local_packets, locals, packets)


@kernel
def take_receipts(net, pairs, noted, known_steps, steps, local_packets, locals, packets):
    """The receipts of pairs of a part and a parcel."""
    for index in range(len(pairs)):
        part, parcel = pairs[index, 0], pairs[index, 1]
        key = pair_key(net.parts.state[part], net.parcels.packet[parcel])
        step = known_steps.values[place_of(known_steps.keys, key)]
        take_step(net, part, parcel, step, 0, noted, steps, local_packets, locals, packets)


@kernel
def stays_held(pasts, sends, held, locals, steps):
    """Whether a process that holds a message which is due may take a step by itself that delivers nothing."""
    for local in range(locals.size[0]):
        past = locals.past[local]
        is_held = False
        item = locals.held[local]
        while item > 0:
            is_held = is_held or is_due(pasts, sends, past, held.event[item])
            item = held.rest[item]
        step = locals.internal[local] if is_held else -1
        while step >= 0:
            after = locals.past[steps.next[step]]
            if own_deliveries(pasts, after) == own_deliveries(pasts, past):
                return True
            step = steps.alternative[step]
    return False
