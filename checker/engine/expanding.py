"""Compiled expansion of global states: which actions are enabled and where they lead.

An action is a number, place * ALTERNATIVES + alternative. The places: the send of process p to its c-th destination set
p * width + c (width: most sets); then n internal steps, 1 joint step, n crashes, n restarts; then three for each
packet of the row: it is received, duplicated, lost.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from .bundles import DOWN
from .compiled import inlined, kernel
from .completing import WAITS_NEEDLESSLY
from .enabling import (
    RENDEZVOUS,
    UNKNOWN_STEP,
    can_move,
    has_arrived,
    is_undelivered,
    look_up_others,
    look_up_receive,
    look_up_receives,
    look_up_sends,
    select_receives,
)
from .interning import joint_of
from .local_verdicts import NEEDLESS_DELAY, PACKET_MISSING, PACKET_REDUNDANT, STUCK
from .moving import (
    add_successor,
    faults_used,
    hash_item,
    hash_row,
    insert_packet,
    is_repeated,
    note,
    remove_packet,
    start_successor,
    take_step,
    transmit,
    use_fault,
)
from .pasts import is_subset

ALTERNATIVES = 1024


@inlined
def add_receives(
    row, number, count, base, system, script, pasts, sends, held, locals, packets, steps, local_packets, missing, found,
    scratch, successors,
):  # fmt: skip
    """Add the receipts that the channel allows."""
    first = first_packet_place(system)
    for index in range(count):
        if not scratch.allowed[index]:
            continue
        if len(script.on) > 0 and not has_arrived(
            row, count, system.head, index, script, pasts, sends, held, locals, packets, scratch.allowed
        ):
            continue
        packet = row[system.head + index]
        step = scratch.status[index]
        alternative = 0
        while step >= 0:
            action = (first + 3 * index) * ALTERNATIVES + alternative
            # written out, since a call passes every array of every bundle
            new = successors.row[successors.size[0]]
            for place in range(system.head + index):
                new[place] = row[place]
            for place in range(system.head + index, len(row) - 1):
                new[place] = row[place + 1]
            new[len(row) - 1] = 0
            process = packets.to[packet]
            after = steps.next[step]
            new[process] = after
            locals.reached[after] = 1
            hash = base - hash_item(system.head, packet) - hash_item(process, row[process]) + hash_item(process, after)
            if steps.length[step] > 0:
                hash += transmit(new, step, system, packets, steps, local_packets, missing)
            note(found, steps.flags[step], number, action)
            add_successor(successors, hash, number, action)
            alternative += 1
            step = steps.alternative[step]


@kernel
def meet(new, step, system, locals, packets, steps, known_steps, local_packets, missing):
    """Let all packets that `step` has just put into `new` be received in the same step. Returns whether that is
    possible (1), not possible (0) or not known (-1), the hash that it adds, and the flags of the receipts."""
    change = np.uint64(0)
    flags = 0
    for item in range(steps.first[step], steps.first[step] + steps.length[step]):
        packet = local_packets.items[item]
        if packets.event[packet] == 0:
            continue
        process = packets.to[packet]
        receipt = look_up_receive(new[process], packet, known_steps, missing)
        if receipt == UNKNOWN_STEP:
            return -1, change, flags
        if receipt < 0:
            return 0, change, flags
        index = system.head
        while new[index] != packet:
            index += 1
        remove_packet(new, index)
        change -= hash_item(system.head, packet)
        change += take_step(new, process, receipt, system, locals, packets, steps, local_packets, missing)
        flags |= steps.flags[receipt]
    return 1, change, flags


@inlined
def add_sends(
    row, number, base, system, script, pasts, locals, packets, steps, known_steps, send_steps, local_packets, missing,
    found, successors,
):  # fmt: skip
    """Add the sends. Returns whether the local steps of all their receipts are known, where they meet."""
    scripted = len(script.on) > 0
    complete = True
    for process in range(system.processes):
        local = row[process]
        sent = locals.sent[local]
        if sent >= system.most_sends_each:
            continue
        if scripted and not is_subset(script.after[process, sent], pasts.own[locals.past[local]]):
            continue
        for choice in range(system.width):
            if scripted and script.choice[process, sent] != choice:
                continue
            step = send_steps.items[locals.sends[local] + choice]
            alternative = 0
            while step >= 0:
                action = (process * system.width + choice) * ALTERNATIVES + alternative
                new = successors.row[successors.size[0]]
                for place in range(len(row)):
                    new[place] = row[place]
                after = steps.next[step]
                new[process] = after
                locals.reached[after] = 1
                hash = base - hash_item(process, local) + hash_item(process, after)
                if steps.length[step] > 0:
                    hash += transmit(new, step, system, packets, steps, local_packets, missing)
                flags = steps.flags[step]
                possible = 1
                if system.channel == RENDEZVOUS and missing.length[0] == 0:
                    flags &= ~(PACKET_MISSING | PACKET_REDUNDANT)  # no packet is ever in transit
                    possible, change, more = meet(
                        new, step, system, locals, packets, steps, known_steps, local_packets, missing
                    )
                    hash += change
                    flags |= more
                    complete = complete and possible >= 0
                if possible == 1:
                    note(found, flags, number, action)
                    add_successor(successors, hash, number, action)
                alternative += 1
                step = steps.alternative[step]
    return complete


@kernel
def add_others(
    row, number, count, base, system, locals, packets, steps, local_packets, joints, joint_steps, missing, found,
    successors,
):  # fmt: skip
    """Add internal and joint steps and faults."""
    n = system.processes
    internal = n * system.width
    for process in range(n):
        step = locals.internal[row[process]] if system.has_internal else -1
        alternative = 0
        while step >= 0:
            action = (internal + process) * ALTERNATIVES + alternative
            new = start_successor(row, successors)
            hash = base + take_step(new, process, step, system, locals, packets, steps, local_packets, missing)
            note(found, steps.flags[step], number, action)
            add_successor(successors, hash, number, action)
            alternative += 1
            step = steps.alternative[step]
    if system.has_joint:
        step = joints.first[joint_of(joints, row, n)]
        alternative = 0
        while step >= 0:
            action = (internal + n) * ALTERNATIVES + alternative
            new = start_successor(row, successors)
            for process in range(n):
                new[process] = joint_steps.next[step, process]
                locals.reached[new[process]] = 1
            note(found, joint_steps.flags[step], number, action)
            add_successor(successors, hash_row(new, system.head), number, action)
            alternative += 1
            step = step + 1 if joint_steps.more[step] != 0 else -1
    if system.head == n:
        return
    for process in range(n):
        kind = 3 if locals.model[row[process]] == DOWN else 2
        if faults_used(row, system, kind) >= (system.restarts if kind == 3 else system.crashes):
            continue
        action = (internal + n + 1 + (n if kind == 3 else 0) + process) * ALTERNATIVES
        step = locals.fault[row[process]]
        new = start_successor(row, successors)
        hash = base + take_step(new, process, step, system, locals, packets, steps, local_packets, missing)
        hash += use_fault(new, system, kind)
        note(found, steps.flags[step], number, action)
        add_successor(successors, hash, number, action)
    for index in range(count):
        packet = row[system.head + index]
        if is_repeated(row, system, packets, index):
            continue
        place = first_packet_place(system) + 3 * index
        if faults_used(row, system, 0) < system.duplicates:
            new = start_successor(row, successors)
            if not insert_packet(new, system.head, system.queued, packets.channel, packet):
                missing.length[0] = max(missing.length[0], len(row) + 1)
            hash = base + hash_item(system.head, packet) + use_fault(new, system, 0)
            add_successor(successors, hash, number, (place + 1) * ALTERNATIVES)
        if faults_used(row, system, 1) < system.losses:
            new = start_successor(row, successors)
            remove_packet(new, system.head + index)
            hash = base - hash_item(system.head, packet) + use_fault(new, system, 1)
            add_successor(successors, hash, number, (place + 2) * ALTERNATIVES)


@kernel
def first_packet_place(system):
    """The place of the first packet's receipt."""
    return system.processes * system.width + 3 * system.processes + 1


@inlined
def expand_row(
    row, number, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets, joints,
    joint_steps, system, script, missing, found, scratch, successors,
):  # fmt: skip
    """Add the results of all transitions of `row`, whose number is `number`, to `successors`. Returns False when local
    steps are missing or a row is too short; then nothing was added."""
    count = 0
    while system.head + count < len(row) and row[system.head + count] != 0:
        count += 1
    complete = look_up_receives(row, count, system, packets, known_steps, missing, scratch.status)
    sends_complete, may_send = look_up_sends(row, system, locals, missing)
    others_complete = True
    if not system.direct or system.has_internal:
        others_complete = look_up_others(row, system, locals, joints, missing)
    if not (complete and sends_complete and others_complete):
        return False
    first = successors.size[0]
    for index in range(count):
        if scratch.status[index] == WAITS_NEEDLESSLY:
            note(found, NEEDLESS_DELAY, number, -1)
    if not system.direct:
        for process in range(system.processes):
            note(found, locals.flags[row[process]] & NEEDLESS_DELAY, number, -1)
    receivable = select_receives(row, count, system, packets, scratch.status, scratch.allowed)
    rests = receivable == 0 and (count > 0 or not system.direct) and not can_move(row, system, locals, joints)
    if rests and is_undelivered(row, system, pasts, locals):
        note(found, STUCK, number, -1)
    base = hash_row(row, system.head)
    add_receives(
        row, number, count, base, system, script, pasts, sends, held, locals, packets, steps, local_packets, missing,
        found, scratch, successors,
    )  # fmt: skip
    if may_send and not add_sends(
        row, number, base, system, script, pasts, locals, packets, steps, known_steps, send_steps, local_packets,
        missing, found, successors,
    ):  # fmt: skip
        successors.size[0] = first
        return False
    if not system.direct or system.head > system.processes or system.has_internal:
        add_others(
            row, number, count, base, system, locals, packets, steps, local_packets, joints, joint_steps, missing,
            found, successors,
        )  # fmt: skip
    if missing.length[0] > 0:
        successors.size[0] = first
        return False
    return True


@kernel
def expand_rows(
    even, odd, numbers, begin, end, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets,
    joints, joint_steps, system, script, missing, found, scratch, successors,
):  # fmt: skip
    """Expand rows `numbers[begin:end]` of a level kept in two halves: row 2 i is even[i], row 2 i + 1 is odd[i]. Rows
    whose local steps are missing go to `missing.rows`."""
    for place in range(begin, end):
        number = numbers[place]
        row = even[number >> 1] if number & 1 == 0 else odd[number >> 1]
        if not expand_row(
            row, number, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets, joints,
            joint_steps, system, script, missing, found, scratch, successors,
        ):  # fmt: skip
            missing.rows[missing.row_count[0]] = number
            missing.row_count[0] += 1


@kernel
def walk_at_random(
    row, path, length, random, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets,
    joints, joint_steps, system, script, missing, found, scratch, successors, budget,
):  # fmt: skip
    """Take random steps from `row`, each transition alike, writing the states into `row` and the actions into `path`.

    Comes back when the walk is over (the row has no successor), a local step is missing, a new violation was noted, or
    after `budget` steps. `random` is the state of a 64-bit xorshift generator, never 0. Returns whether it is over.
    """
    known = found.mask[0]
    for _ in range(budget):
        successors.size[0] = 0
        if not expand_row(
            row, 0, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets, joints,
            joint_steps, system, script, missing, found, scratch, successors,
        ):  # fmt: skip
            missing.row_count[0] = 1
            return False
        if found.mask[0] != known:
            return False
        if successors.size[0] == 0 or length[0] == len(path):
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
