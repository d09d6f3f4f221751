"""Compiled expansion of global states: which actions are enabled, where they lead, which rows are new.

A row holds the n local states, then the packets in transit in ascending order, then zeros. An action is a number:
(place * ALTERNATIVES + alternative), place j < k for the receipt of the j-th packet of the row, place
k + p * width + c for the send of process p to its c-th destination set (k: most packets in transit, width: most sets).
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import Array, mix, pair_key, place_of
from .compiled import kernel
from .completing import ABSENT, NEEDLESS_DELAY, STUCK, WAITS_NEEDLESSLY
from .interning import is_subset

ALTERNATIVES = 1024
UNORDERED = 0
FIFO = 1
FIFO_DELIVERY = 2

DONE = 0
FULL_ROWS = 1
"""Why a kernel came back: all rows are expanded; the store of new rows must be enlarged first."""


class Script(NamedTuple):
    """A scripted scenario as masks; `on` is empty when there is none.

    `choice` (n, s): the destination set of each process's sends, -1 beyond its last; `after` (n, s, w): what the sender must
    have delivered before; `arrived` (n, slots, w): what must have arrived at a process before it may receive a message.
    """

    on: Array
    choice: Array
    after: Array
    arrived: Array


class Found(NamedTuple):
    """First violations in the order of expansion, per property bit: whether found, in or from which row, by which action
    (-1: in the row itself)."""

    mask: Array
    row: Array
    action: Array


class Missing(NamedTuple):
    """Local steps that a kernel needed and that are not known yet; and the rows that wait for them."""

    pairs: Array
    pair_count: Array
    locals: Array
    local_count: Array
    rows: Array
    row_count: Array


class Scratch(NamedTuple):
    """Working space of one kernel, one entry per packet in transit: its local step, whether it may be received now."""

    status: Array
    allowed: Array


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
def enter_row(rows, hash, parent, action):
    """Add the row written at index `size` unless an equal one is there; returns whether it is new."""
    new = rows.size[0]
    spread = mix(np.uint64(0), hash)
    mask = np.uint64(len(rows.table) - 1)
    tag = spread & np.uint64(0xFFFFFFFF00000000)
    place = spread & mask
    while rows.table[place] != np.uint64(0):
        entry = rows.table[place]
        if entry & np.uint64(0xFFFFFFFF00000000) == tag:
            old = np.int64(entry & np.uint64(0xFFFFFFFF)) - 1
            same = True
            for index in range(rows.row.shape[1]):
                if rows.row[old, index] != rows.row[new, index]:
                    same = False
                    break
            if same:
                return False
        place = (place + np.uint64(1)) & mask
    rows.table[place] = tag | np.uint64(new + 1)
    rows.parent[new] = parent
    rows.action[new] = action
    rows.size[0] = new + 1
    return True


@kernel
def refill_rows(table, rows, processes):
    """Enter all rows into an empty table."""
    mask = np.uint64(len(table) - 1)
    for number in range(rows.size[0]):
        spread = mix(np.uint64(0), hash_row(rows.row[number], processes))
        place = spread & mask
        while table[place] != np.uint64(0):
            place = (place + np.uint64(1)) & mask
        table[place] = (spread & np.uint64(0xFFFFFFFF00000000)) | np.uint64(number + 1)


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
def look_up_receives(row, count, processes, packets, known_steps, missing, status):
    """Find the local step of each packet in transit; write what is not known into `missing`. Returns whether all are known."""
    complete = True
    for index in range(count):
        packet = row[processes + index]
        local = row[packets.to[packet]]
        key = pair_key(local, packet)
        place = place_of(known_steps.keys, key)
        if known_steps.keys[place] == np.uint64(0):
            known_steps.keys[place] = key
            known_steps.values[place] = ABSENT
            known_steps.size[0] += 1
            missing.pairs[missing.pair_count[0], 0] = local
            missing.pairs[missing.pair_count[0], 1] = packet
            missing.pair_count[0] += 1
        status[index] = known_steps.values[place]
        complete = complete and status[index] != ABSENT
    return complete


@kernel
def look_up_sends(row, processes, most_sends, most_sends_each, locals, missing):
    """Whether the send steps are known of all processes that may send; asks for those that are not."""
    total = 0
    for process in range(processes):
        total += locals.sent[row[process]]
    if total >= most_sends:
        return True, False
    complete = True
    for process in range(processes):
        local = row[process]
        if locals.sent[local] < most_sends_each and locals.sends[local] < 0:
            complete = False
            if locals.sends[local] == -1:
                locals.sends[local] = -2
                missing.locals[missing.local_count[0]] = local
                missing.local_count[0] += 1
    return complete, True


@kernel
def select_receives(row, count, processes, channel, packets, status, allowed):
    """Which packets the channel lets through (design.md, section 5); returns how many."""
    total = 0
    for index in range(count):
        packet = row[processes + index]
        ok = status[index] >= 0
        if ok and channel != UNORDERED:
            for other in range(count):
                older = row[processes + other]
                if (
                    packets.channel[older] == packets.channel[packet]
                    and packets.position[older] < packets.position[packet]
                    and (channel == FIFO_DELIVERY or status[other] >= 0)
                ):
                    ok = False
                    break
        allowed[index] = ok
        total += ok
    return total


@kernel
def has_arrived(row, count, processes, index, script, pasts, locals, packets, status):
    """Whether the scripted arrivals before this packet's have happened: delivered, or here and made to wait."""
    packet = row[processes + index]
    to = packets.to[packet]
    first = script.arrived[to, packets.slot[packet]]
    delivered = pasts.own[locals.past[row[to]]]
    if is_subset(first, delivered):
        return True
    wanted = first & ~delivered
    for other in range(count):
        candidate = row[processes + other]
        if packets.to[candidate] == to and status[other] < 0:
            slot = packets.slot[candidate]
            wanted[slot >> 6] &= ~(np.uint64(1) << np.uint64(slot & 63))
    return not np.any(wanted != np.uint64(0))


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
def expand_row(
    source, number, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
    missing, found, scratch, rows,
):  # fmt: skip
    """Add all successors of row `source[number]` to `rows`. Returns the number of transitions, or -1 when local steps are
    missing (then nothing was added)."""
    processes, channel, most_sends, most_sends_each, most_packets, width = system
    row = source[number]
    count = 0
    while processes + count < len(row) and row[processes + count] != 0:
        count += 1
    status = scratch.status
    allowed = scratch.allowed
    complete = look_up_receives(row, count, processes, packets, known_steps, missing, status)
    sends_complete, may_send = look_up_sends(row, processes, most_sends, most_sends_each, locals, missing)
    if not (complete and sends_complete):
        return -1

    for index in range(count):
        if status[index] == WAITS_NEEDLESSLY:
            note(found, NEEDLESS_DELAY, number, -1)
    if select_receives(row, count, processes, channel, packets, status, allowed) == 0 and count > 0:
        note(found, STUCK, number, -1)

    base = hash_row(row, processes)
    transitions = 0
    scripted = len(script.on) > 0
    for index in range(count):
        if not allowed[index]:
            continue
        if scripted and not has_arrived(row, count, processes, index, script, pasts, locals, packets, status):
            continue
        packet = row[processes + index]
        process = packets.to[packet]
        step = status[index]
        alternative = 0
        while step >= 0:
            action = index * ALTERNATIVES + alternative
            new = rows.row[rows.size[0]]
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
            enter_row(rows, hash, number, action)
            transitions += 1
            alternative += 1
            step = steps.alternative[step]
    if not may_send:
        return transitions
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
                new = rows.row[rows.size[0]]
                new[:] = row
                new[process] = steps.next[step]
                hash = base - hash_item(process, local) + hash_item(process, steps.next[step])
                for item in range(steps.first[step], steps.first[step] + steps.count[step]):
                    packet = local_packets.items[item]
                    insert_packet(new, processes, packet)
                    hash += hash_item(processes, packet)
                    packets.reached[packet] = 1
                note(found, steps.flags[step], number, action)
                locals.reached[steps.next[step]] = 1
                enter_row(rows, hash, number, action)
                transitions += 1
                alternative += 1
                step = steps.alternative[step]
    return transitions


@kernel
def expand_rows(
    source, numbers, begin, end, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
    missing, found, scratch, rows, most_successors, progress,
):  # fmt: skip
    """Expand the rows `numbers[begin:end]` of `source`. Rows whose local steps are missing go to `missing.rows`.

    `progress` receives the number of rows dealt with and the number of transitions. Comes back early with FULL_ROWS when
    `rows` might not hold another row's successors.
    """
    for place in range(begin, end):
        if rows.size[0] + most_successors > len(rows.row) or rows.size[0] + most_successors > len(rows.table) * 0.6:
            return FULL_ROWS
        number = numbers[place]
        transitions = expand_row(
            source, number, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
            missing, found, scratch, rows,
        )  # fmt: skip
        if transitions < 0:
            missing.rows[missing.row_count[0]] = number
            missing.row_count[0] += 1
        else:
            progress[1] += transitions
        progress[0] += 1
    return DONE


@kernel
def expand_depth_first(
    stack, stack_size, depths, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
    missing, found, scratch, rows, most_successors, progress, budget,
):  # fmt: skip
    """Expand the newest unexpanded row of `rows` again and again, at most `budget` times, until a local step is missing
    (then the row is listed in `missing.rows` and stays on the stack) or an array is full."""
    while stack_size[0] > 0 and progress[0] < budget:
        size = rows.size[0]
        if size + most_successors > min(len(rows.row), len(rows.table) * 0.6, len(depths)):
            return FULL_ROWS
        if stack_size[0] + most_successors > len(stack):
            return FULL_ROWS
        number = stack[stack_size[0] - 1]
        transitions = expand_row(
            rows.row, number, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
            missing, found, scratch, rows,
        )  # fmt: skip
        if transitions < 0:
            missing.rows[0] = number
            missing.row_count[0] = 1
            return DONE
        stack_size[0] -= 1
        for new in range(size, rows.size[0]):
            depths[new] = depths[number] + 1
            stack[stack_size[0]] = new
            stack_size[0] += 1
        progress[0] += 1
        progress[1] += transitions
    return DONE


@kernel
def walk_at_random(
    path, length, random, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
    missing, found, scratch, rows, progress, budget,
):  # fmt: skip
    """Take random steps from row 0 of `rows`, each distinct successor alike, writing the actions into `path`.

    Comes back when the walk is over (row 0 has no successor), a local step is missing, a new violation was noted, or after
    `budget` steps. `random` is the state of a 64-bit xorshift generator, never 0. `progress` counts steps; returns
    whether the walk is over.
    """
    known = found.mask[0]
    while progress[0] < budget and found.mask[0] == known:
        rows.size[0] = 1
        rows.table[:] = 0
        transitions = expand_row(
            rows.row, 0, pasts, locals, packets, steps, known_steps, send_steps, local_packets, system, script,
            missing, found, scratch, rows,
        )  # fmt: skip
        if transitions < 0:
            missing.row_count[0] = 1
            return False
        if found.mask[0] != known:
            return False
        if rows.size[0] == 1:
            return True
        random[0] ^= random[0] << np.uint64(13)
        random[0] ^= random[0] >> np.uint64(7)
        random[0] ^= random[0] << np.uint64(17)
        chosen = 1 + np.int64(random[0] % np.uint64(rows.size[0] - 1))
        rows.row[0] = rows.row[chosen]
        path[length[0]] = rows.action[chosen]
        length[0] += 1
        progress[0] += 1
    return False
