"""Compiled moves from one row to another: packets put in and taken out, hashes brought up to date, results kept.

A row holds the n local states, one number for the faults used where there can be any, then the packets in transit, then
zeros. Unordered, the packets stand in ascending order; else by channel, and within one in the order of transmission.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import Array, mix
from .compiled import inlined, kernel

FAULT_BITS = 7
"""Bits of the count of each kind of fault: duplicates, losses, crashes, restarts."""


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
def hash_row(row, head):
    """The hash of a whole row, which does not depend on the order of its packets."""
    total = np.uint64(0)
    for index in range(len(row)):
        if index < head:
            total += hash_item(index, row[index])
        elif row[index] != 0:
            total += hash_item(head, row[index])
    return total


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
def insert_packet(row, head, queued, channels, packet):
    """Put a packet where it belongs among those in transit; False when the row is full."""
    end = head
    while end < len(row) and row[end] != 0:
        end += 1
    if end == len(row):
        return False
    place = end
    if not queued:
        while place > head and row[place - 1] > packet:
            row[place] = row[place - 1]
            place -= 1
    else:
        while place > head and channels[row[place - 1]] > channels[packet]:
            row[place] = row[place - 1]
            place -= 1
    row[place] = packet
    return True


@kernel
def remove_packet(row, index):
    """Take the packet at this index out of the row."""
    for place in range(index, len(row) - 1):
        row[place] = row[place + 1]
    row[len(row) - 1] = 0


@inlined
def transmit(row, step, system, packets, steps, local_packets, missing):
    """Put the packets of the local step in transit. Returns what that adds to the row's hash; `missing.length` says how
    long the row would have to be when it is too short."""
    change = np.uint64(0)
    for item in range(steps.first[step], steps.first[step] + steps.length[step]):
        packet = local_packets.items[item]
        change += hash_item(system.head, packet)
        packets.reached[packet] = 1
        if not insert_packet(row, system.head, system.queued, packets.channel, packet):
            missing.length[0] = max(missing.length[0], len(row) + steps.length[step])
    return change


@kernel
def take_step(row, process, step, system, locals, packets, steps, local_packets, missing):
    """Let `process` take the local step in `row`. Returns what that adds to the row's hash."""
    change = hash_item(process, steps.next[step]) - hash_item(process, row[process])
    row[process] = steps.next[step]
    locals.reached[steps.next[step]] = 1
    return change + transmit(row, step, system, packets, steps, local_packets, missing)


@kernel
def faults_used(row, system, kind):
    """How many faults of this kind (0 duplicates to 3 restarts) were used."""
    return (row[system.processes] >> (FAULT_BITS * kind)) & ((1 << FAULT_BITS) - 1)


@kernel
def use_fault(row, system, kind):
    """Count one more fault; returns what that adds to the row's hash."""
    before = row[system.processes]
    row[system.processes] = before + (1 << (FAULT_BITS * kind))
    return hash_item(system.processes, row[system.processes]) - hash_item(system.processes, before)


@inlined
def start_successor(row, successors):
    """The next free row of `successors`, as a copy of `row`."""
    new = successors.row[successors.size[0]]
    for place in range(len(row)):
        new[place] = row[place]
    return new


@kernel
def is_repeated(row, system, packets, index):
    """Whether an equal packet stands earlier in the row."""
    packet = row[system.head + index]
    other = index - 1
    while other >= 0 and packets.channel[row[system.head + other]] == packets.channel[packet]:
        if row[system.head + other] == packet:
            return True
        other -= 1
    return index > 0 and row[system.head + index - 1] == packet
