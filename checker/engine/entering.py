"""Compiled exact deduplication: a store of rows in which every row is entered once.

A place of the open-addressing table holds the high half of the row's hash and its index + 1; equal halves are settled
by comparing the rows, so two different states are never taken for one.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import mix
from .compiled import kernel
from .expanding import expand_row
from .moving import hash_row


@kernel
def enter_row(rows, row, hash, parent, action):
    """Add `row` unless an equal one is there; returns whether it is new. `rows` must have room."""
    mask = np.uint64(len(rows.table) - 1)
    tag = hash & np.uint64(0xFFFFFFFF00000000)
    place = hash & mask
    while rows.table[place] != np.uint64(0):
        entry = rows.table[place]
        if entry & np.uint64(0xFFFFFFFF00000000) == tag:
            old = rows.row[np.int64(entry & np.uint64(0xFFFFFFFF)) - 1]
            same = True
            for index in range(len(row)):
                if old[index] != row[index]:
                    same = False
                    break
            if same:
                return False
        place = (place + np.uint64(1)) & mask
    new = rows.size[0]
    rows.table[place] = tag | np.uint64(new + 1)
    for index in range(len(row)):
        rows.row[new, index] = row[index]
    rows.parent[new] = parent
    rows.action[new] = action
    rows.size[0] = new + 1
    return True


@kernel
def find_row(rows, row, hash):
    """The number of a row that is in the store; -1 for none."""
    mask = np.uint64(len(rows.table) - 1)
    tag = hash & np.uint64(0xFFFFFFFF00000000)
    place = hash & mask
    while rows.table[place] != np.uint64(0):
        entry = rows.table[place]
        if entry & np.uint64(0xFFFFFFFF00000000) == tag:
            number = np.int64(entry & np.uint64(0xFFFFFFFF)) - 1
            same = True
            for index in range(len(row)):
                same = same and rows.row[number, index] == row[index]
            if same:
                return number
        place = (place + np.uint64(1)) & mask
    return -1


@kernel
def refill_rows(table, rows, head):
    """Enter all rows into an empty table."""
    mask = np.uint64(len(table) - 1)
    for number in range(rows.size[0]):
        hash = mix(np.uint64(0), hash_row(rows.row[number], head))
        place = hash & mask
        while table[place] != np.uint64(0):
            place = (place + np.uint64(1)) & mask
        table[place] = (hash & np.uint64(0xFFFFFFFF00000000)) | np.uint64(number + 1)


@kernel
def half_of(row, head):
    """The half of a level in which a row is kept: the first bit of its hash."""
    return mix(np.uint64(0), hash_row(row, head)) >> np.uint64(63)


@kernel
def enter_half(rows, half, successors):
    """Enter those successors whose hash begins with the bit `half`: each of two threads keeps one half of a level."""
    for index in range(successors.size[0]):
        hash = successors.hash[index]
        if hash >> np.uint64(63) == np.uint64(half):
            enter_row(rows, successors.row[index], hash, successors.parent[index], successors.action[index])


@kernel
def expand_depth_first(
    stack, stack_size, depths, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets,
    joints, joint_steps, system, script, missing, found, scratch, successors, rows, budget, done,
):  # fmt: skip
    """Expand the newest unexpanded row of `rows` again and again, at most `budget` times, until a local step is missing
    (then the row stays on the stack). `done` counts expanded rows and transitions, and holds the largest depth. All
    arrays must have room."""
    while stack_size[0] > 0 and done[0] < budget:
        number = stack[stack_size[0] - 1]
        successors.size[0] = 0
        if not expand_row(
            rows.row[number], number, pasts, sends, held, locals, packets, steps, known_steps, send_steps,
            local_packets, joints, joint_steps, system, script, missing, found, scratch, successors,
        ):  # fmt: skip
            missing.row_count[0] = 1
            return
        stack_size[0] -= 1
        for index in range(successors.size[0]):
            new = rows.size[0]
            if enter_row(rows, successors.row[index], successors.hash[index], number, successors.action[index]):
                depths[new] = depths[number] + 1
                done[2] = max(done[2], depths[new])
                stack[stack_size[0]] = new
                stack_size[0] += 1
        done[0] += 1
        done[1] += successors.size[0]
