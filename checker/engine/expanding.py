"""Compiled expansion of global states: which actions are enabled and where they lead.

A row holds the n local states, then the packets in transit in ascending order, then zeros. An action is a number:
(place * ALTERNATIVES + alternative), place j < k for the receipt of the j-th packet of the row, place
k + p * width + c for the send of process p to its c-th destination set (k: most packets in transit, width: most sets).
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import Array, mix
from .compiled import kernel
from .completing import NEEDLESS_DELAY, STUCK, WAITS_NEEDLESSLY
from .enabling import has_arrived, look_up_receives, look_up_sends, select_receives
from .interning import is_subset

ALTERNATIVES = 1024


class Found(NamedTuple):
    """First violations in the order of expansion, per property bit: whether found, in or from which row, by which
    action (-1: in the row itself)."""

    mask: Array
    row: Array
    action: Array


class Scratch(NamedTuple):
    """Working space of one kernel, one entry per packet in transit: its local step, whether it may be received now."""

    status: Array
    allowed: Array


class Successors(NamedTuple):
    """The results of transitions, equal ones included: rows, their hashes, where they come from and by which action."""

    row: Array
    hash: Array
    parent: Array
    action: Array
    size: Array


@kernel
def hash_item(position, value):
    """The contribution of one item to a row's hash: a sum, so that it is updated item by item."""
    return mix(np.uint64(position) + np.uint64(0x51ED270B), value)


@kernel
def hash_row(row, processes):
    """The hash of a whole row."""
    total = np.uint64(0)
    for index in range(len(row)):
        if index < processes:
            total += hash_item(index, row[index])
        elif row[index] != 0:
            total += hash_item(processes, row[index])
    return total


@kernel
def insert_packet(row, first, packet):
    """Put a packet into the ascending, zero-ended list that starts at index `first`."""
    end = first
    while row[end] != 0:
        end += 1
    while end > first and row[end - 1] > packet:
        row[end] = row[end - 1]
        end -= 1
    row[end] = packet


@kernel
def note(found, bits, row, action):
    """Remember the first violation of each property in `bits`."""
    new = bits & ~found.mask[0]
    if new != 0:
        found.mask[0] |= new
        for bit in range(31):
            if (new >> bit) & 1:
                found.row[bit] = row
                found.action[bit] = action


@kernel
def add_successor(successors, hash, parent, action):
    """Keep the row written at index `size`."""
    new = successors.size[0]
    successors.hash[new] = mix(np.uint64(0), hash)
    successors.parent[new] = parent
    successors.action[new] = action
    successors.size[0] = new + 1


@kernel
def expand_row(
    row, number, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
    missing, found, scratch, successors,
):  # fmt: skip
    """Add the results of all transitions of `row`, whose number is `number`, to `successors`. Returns False when local
    steps are missing; then nothing was added."""
    processes, channel, most_sends, most_sends_each, most_packets, width = system
    count = 0
    while processes + count < len(row) and row[processes + count] != 0:
        count += 1
    status = scratch.status
    allowed = scratch.allowed
    complete = look_up_receives(row, count, processes, packets, known_steps, missing, status)
    sends_complete, may_send = look_up_sends(row, processes, most_sends, most_sends_each, locals, missing)
    if not (complete and sends_complete):
        return False

    for index in range(count):
        if status[index] == WAITS_NEEDLESSLY:
            note(found, NEEDLESS_DELAY, number, -1)
    if select_receives(row, count, processes, channel, packets, status, allowed) == 0 and count > 0:
        note(found, STUCK, number, -1)

    base = hash_row(row, processes)
    scripted = len(script.on) > 0
    for index in range(count):
        if not allowed[index]:
            continue
        if scripted and not has_arrived(row, count, processes, index, script, pasts, locals, packets, allowed):
            continue
        packet = row[processes + index]
        process = packets.to[packet]
        step = status[index]
        alternative = 0
        while step >= 0:
            action = index * ALTERNATIVES + alternative
            new = successors.row[successors.size[0]]
            for place in range(processes + index):
                new[place] = row[place]
            for place in range(processes + index, len(row) - 1):
                new[place] = row[place + 1]
            new[len(row) - 1] = 0
            new[process] = steps.next[step]
            hash = base - hash_item(process, row[process]) + hash_item(process, steps.next[step])
            hash -= hash_item(processes, packet)
            note(found, steps.flags[step], number, action)
            locals.reached[steps.next[step]] = 1
            add_successor(successors, hash, number, action)
            alternative += 1
            step = steps.alternative[step]
    if not may_send:
        return True
    for process in range(processes):
        local = row[process]
        sent = locals.sent[local]
        if sent >= most_sends_each:
            continue
        if scripted and not is_subset(script.after[process, sent], pasts.own[locals.past[local]]):
            continue
        for choice in range(width):
            if scripted and script.choice[process, sent] != choice:
                continue
            step = send_steps.items[locals.sends[local] + choice]
            alternative = 0
            while step >= 0:
                action = (most_packets + process * width + choice) * ALTERNATIVES + alternative
                new = successors.row[successors.size[0]]
                for place in range(len(row)):
                    new[place] = row[place]
                new[process] = steps.next[step]
                hash = base - hash_item(process, local) + hash_item(process, steps.next[step])
                for item in range(steps.first[step], steps.first[step] + steps.length[step]):
                    packet = local_packets.items[item]
                    insert_packet(new, processes, packet)
                    hash += hash_item(processes, packet)
                    packets.reached[packet] = 1
                note(found, steps.flags[step], number, action)
                locals.reached[steps.next[step]] = 1
                add_successor(successors, hash, number, action)
                alternative += 1
                step = steps.alternative[step]
    return True


@kernel
def expand_rows(
    even, odd, numbers, begin, end, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system,
    script, missing, found, scratch, successors,
):  # fmt: skip
    """Expand rows `numbers[begin:end]` of a level kept in two halves: row 2 i is even[i], row 2 i + 1 is odd[i]. Rows
    whose local steps are missing go to `missing.rows`."""
    for place in range(begin, end):
        number = numbers[place]
        row = even[number >> 1] if number & 1 == 0 else odd[number >> 1]
        if not expand_row(
            row, number, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
            missing, found, scratch, successors,
        ):  # fmt: skip
            missing.rows[missing.row_count[0]] = number
            missing.row_count[0] += 1


@kernel
def walk_at_random(
    row, path, length, random, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
    missing, found, scratch, successors, budget,
):  # fmt: skip
    """Take random steps from `row`, each transition alike, writing the states into `row` and the actions into `path`.

    Comes back when the walk is over (the row has no successor), a local step is missing, a new violation was noted, or
    after `budget` steps. `random` is the state of a 64-bit xorshift generator, never 0. Returns whether it is over.
    """
    known = found.mask[0]
    for _ in range(budget):
        successors.size[0] = 0
        if not expand_row(
            row, 0, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
            missing, found, scratch, successors,
        ):  # fmt: skip
            missing.row_count[0] = 1
            return False
        if found.mask[0] != known:
            return False
        if successors.size[0] == 0:
            return True
        random[0] ^= random[0] << np.uint64(13)
        random[0] ^= random[0] >> np.uint64(7)
        random[0] ^= random[0] << np.uint64(17)
        chosen = np.int64(random[0] % np.uint64(successors.size[0]))
        for place in range(len(row)):
            row[place] = successors.row[chosen, place]
        path[length[0]] = successors.action[chosen]
        length[0] += 1
    return False
